#include "groth16/check_witness.hpp"

#include <atomic>
#include <exception>
#include <set>
#include <utility>

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

// A failed constraint and its three sums.
template <class F>
struct failure {
    constraint failed;
    F sums[3];
};

template <class F>
failed_constraint describe(const failure<F>& f, const F* witness, const input_file* sym, const task& t) {
    failed_constraint out{f.failed.index, to_decimal(f.sums[0]), to_decimal(f.sums[1]), to_decimal(f.sums[2]), {}};
    std::set<uint32_t> wires;
    for (const auto* lc : {&f.failed.a, &f.failed.b, &f.failed.c}) wires.insert(lc->wires.begin(), lc->wires.end());
    const std::vector<uint32_t> ordered(wires.begin(), wires.end());
    const std::vector<std::string> names = sym ? wire_names(*sym, ordered, t) : std::vector<std::string>(ordered.size());
    for (size_t i = 0; i < ordered.size(); i++)
        out.signals.push_back({ordered[i], ordered[i] == 0 ? "1" : names[i], to_decimal(witness[ordered[i]].limb, F::N)});
    return out;
}

// Some blocks of constraints, and what ended the cutting, if anything did: the refusal of a constraint behind them, or the last of them all.
struct batch {
    explicit batch(size_t most) : blocks(most) {}
    std::vector<constraint_block> blocks;
    size_t used = 0;
    bool last = false;
    std::exception_ptr refusal;

    void fill(constraint_cutter& cutter) {
        used = 0;
        try {
            while (used < blocks.size() && !last) {
                if (cutter.next(blocks[used]))
                    used++;
                else
                    last = true;
            }
        } catch (...) {
            refusal = std::current_exception();
            last = true;
        }
    }
};

// Blocks are cut by one thread while the others evaluate those cut before. The first thing that is wrong, a constraint that fails or one
// that cannot be read, decides, as if they had been read in order.
template <class F>
class checker {
public:
    checker(const input_file& file, const r1cs_layout& layout, const F* witness, thread_pool& pool, task& t)
        : file_(file), layout_(layout), witness_(witness), pool_(pool), task_(t), cutter_(file, layout), reused_(pool.size()) {}

    std::optional<failure<F>> run() {
        const size_t most = blocks_per_thread * pool_.size();
        batch now(most), next(most);
        now.fill(cutter_);
        for (;;) {
            std::vector<std::exception_ptr> refusals(now.used);
            std::vector<std::optional<failure<F>>> failures(now.used);
            std::atomic<size_t> first{now.used};  // block in which something is wrong
            pool_.parallel_for(task_, now.used + 1, [&](size_t i, size_t worker) {
                if (i == 0) {
                    if (!now.last) next.fill(cutter_);
                    return;
                }
                const size_t block = i - 1;
                if (block > first.load(std::memory_order_relaxed)) return;
                try {
                    if (evaluate_block(now.blocks[block], reused_[worker], failures[block])) return;
                } catch (const error&) {
                    refusals[block] = std::current_exception();
                }
                size_t known = first.load();
                while (block < known && !first.compare_exchange_weak(known, block)) {
                }
            });
            if (const size_t at = first.load(); at < now.used) {
                if (refusals[at]) std::rethrow_exception(refusals[at]);
                return std::move(failures[at]);
            }
            if (now.refusal) std::rethrow_exception(now.refusal);
            if (now.last) return std::nullopt;
            std::swap(now, next);
        }
    }

private:
    static constexpr size_t blocks_per_thread = 4;

    bool evaluate_block(const constraint_block& block, constraint& reused, std::optional<failure<F>>& failed) {
        const bool passed = for_each_constraint(file_, layout_, block, reused, [&](const constraint& one) {
            const F a = evaluate(one.a, witness_), b = evaluate(one.b, witness_), c = evaluate(one.c, witness_);
            if (a * b == c) return true;
            failed = failure<F>{one, {a, b, c}};
            return false;
        });
        task_.advance(block.count);
        return passed;
    }

    const input_file& file_;
    const r1cs_layout& layout_;
    const F* const witness_;
    thread_pool& pool_;
    task& task_;
    constraint_cutter cutter_;
    std::vector<constraint> reused_;  // one per worker
};

}  // namespace

std::optional<failed_constraint> check_witness(const input_file& r1cs, const input_file& witness, const input_file* sym,
                                               thread_pool& pool, task& t) {
    const r1cs_layout layout = read_r1cs_layout(r1cs);
    t.enter(phase::check, layout.n_constraints);
    const buffer values = load_witness(witness, layout.curve, layout.n_wires, pool, t);
    return with_curve(layout.curve, [&]<class Curve>() -> std::optional<failed_constraint> {
        using fr = typename Curve::fr;
        const auto failed = checker<fr>(r1cs, layout, values.as<fr>(), pool, t).run();
        if (!failed) return std::nullopt;
        return describe(*failed, values.as<fr>(), sym, t);
    });
}

}  // namespace cuzk
