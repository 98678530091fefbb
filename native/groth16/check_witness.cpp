#include "groth16/check_witness.hpp"

#include <algorithm>
#include <set>

#include "device/buffer.hpp"
#include "formats/r1cs.hpp"
#include "formats/sym.hpp"
#include "groth16/decimal.hpp"
#include "groth16/witness.hpp"

namespace cuzk {

namespace {

// The product of the values' limbs and the witness's plain integers comes out divided by R; one factor R^2 per sum mends that, and another
// brings it into Montgomery form.
template <class F>
F evaluate(const linear_combination& lc, const F* witness) {
    F ones = F::zero(), sum = F::zero();
    const F* const values = reinterpret_cast<const F*>(lc.values.data());
    for (size_t i = 0; i < lc.size(); i++) {
        const F& w = witness[lc.wires[i]];
        if (w.is_zero()) continue;
        const uint64_t* v = values[i].limb;
        if (v[0] == 1 && (v[1] | v[2] | v[3]) == 0)
            ones += w;
        else
            sum += values[i] * w;
    }
    const F r2 = F::raw(F::r2);
    return ones * r2 + sum * r2 * r2;
}

template <class F>
failed_constraint describe(const constraint& failed, const F& a, const F& b, const F& c, const F* witness, const input_file* sym) {
    failed_constraint out{failed.index, to_decimal(a), to_decimal(b), to_decimal(c), {}};
    std::set<uint32_t> wires;
    for (const auto* lc : {&failed.a, &failed.b, &failed.c}) wires.insert(lc->wires.begin(), lc->wires.end());
    const std::vector<uint32_t> ordered(wires.begin(), wires.end());
    const std::vector<std::string> names = sym ? wire_names(*sym, ordered) : std::vector<std::string>(ordered.size());
    for (size_t i = 0; i < ordered.size(); i++)
        out.signals.push_back({ordered[i], ordered[i] == 0 ? "1" : names[i], to_decimal(witness[ordered[i]].limb, F::N)});
    return out;
}

}  // namespace

std::optional<failed_constraint> check_witness(const input_file& r1cs, const input_file& witness, const input_file* sym,
                                               thread_pool& pool, task& t) {
    const r1cs_layout layout = read_r1cs_layout(r1cs);
    t.enter(phase::check, layout.n_constraints);
    const buffer values = load_witness(witness, layout.curve, layout.n_wires, pool, t);
    std::optional<failed_constraint> failed;
    with_curve(layout.curve, [&]<class Curve>() {
        using fr = typename Curve::fr;
        const fr* const w = values.as<fr>();
        for_each_constraint(r1cs, layout, [&](const constraint& one) {
            if (one.index % 4096 == 0) t.check();
            t.advance(1);
            const fr a = evaluate(one.a, w), b = evaluate(one.b, w), c = evaluate(one.c, w);
            if (a * b == c) return true;
            failed = describe(one, a, b, c, w, sym);
            return false;
        });
    });
    return failed;
}

}  // namespace cuzk
