#include "groth16/prove.hpp"

#include <chrono>

#include "groth16/assemble.hpp"
#include "groth16/random.hpp"
#include "ntt/quotient.hpp"

namespace cuzk {

namespace {

using clock_type = std::chrono::steady_clock;

double milliseconds_since(clock_type::time_point start) {
    return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

// Where each sum stands in pending_proof::sums, in words.
struct sums_layout {
    size_t g1;  // of a Jacobian point
    explicit sums_layout(const circuit& c) : g1(c.key.g1_words() / 2 * 3) {}
    size_t a() const { return 0; }
    size_t b1() const { return g1; }
    size_t c() const { return 2 * g1; }
    size_t h() const { return 3 * g1; }
    size_t b2() const { return 4 * g1; }
    size_t bytes() const { return (4 * g1 + 2 * g1) * sizeof(uint64_t); }
};

verification_key verification_key_of(const circuit& c) {
    return {c.key.curve, c.key.alpha1, c.key.beta2, c.key.gamma2, c.key.delta2, c.ic};
}

template <class Curve>
groth16_proof assemble(const circuit& of, const uint64_t* sums) {
    using fr = typename Curve::fr;
    using g1 = group_sum<Curve, typename Curve::fp>;
    using g2 = group_sum<Curve, typename Curve::fp2>;
    const sums_layout at(of);
    const wiped<fr> r(random_nonzero<fr>()), s(random_nonzero<fr>());
    const auto delta1 = g1::from_affine(of.key.delta1.data());
    const g1 a = g1::from_jacobian(sums + at.a()) + g1::from_affine(of.key.alpha1.data()) + delta1.times(r.value);
    const g1 b1 = g1::from_jacobian(sums + at.b1()) + g1::from_affine(of.key.beta1.data()) + delta1.times(s.value);
    const g2 b2 = g2::from_jacobian(sums + at.b2()) + g2::from_affine(of.key.beta2.data()) +
                  g2::from_affine(of.key.delta2.data()).times(s.value);
    const wiped<fr> rs(r.value * s.value);
    const g1 c = g1::from_jacobian(sums + at.c()) + g1::from_jacobian(sums + at.h()) + a.times(s.value) + b1.times(r.value) +
                 -delta1.times(rs.value);
    groth16_proof proof;
    proof.curve = Curve::id;
    proof.a.resize(of.key.g1_words());
    proof.b.resize(of.key.g2_words());
    proof.c.resize(of.key.g1_words());
    a.to_affine(proof.a.data());
    b2.to_affine(proof.b.data());
    c.to_affine(proof.c.data());
    return proof;
}

}  // namespace

pending_proof prove_start(synthesis s, thread_pool& pool, task& t) {
    const circuit& of = *s.of;
    const kernels& k = of.compute();
    const sums_layout at(of);
    pending_proof pending;
    pending.of = s.of;
    pending.witness_name = s.witness_name;
    pending.public_signals = s.public_signals;
    pending.timings = {{"synthesis", s.milliseconds}};
    pending.sums = buffer::secret(at.bytes());
    uint64_t* const sums = pending.sums.as<uint64_t>();

    const auto timed = [&](const char* name, phase p, uint64_t total, auto&& body) {
        t.check();
        t.enter(p, total);
        const auto start = clock_type::now();
        body();
        pending.timings.emplace_back(name, milliseconds_since(start));
    };
    {
        buffer h = buffer::secret(of.key.domain_size * 32);
        timed("ntt", phase::ntt, of.key.domain_size, [&] {
            quotient(of.key.curve, pool, t, s.a.as<uint64_t>(), s.b.as<uint64_t>(), h.as<uint64_t>(), of.key.log_domain);
            s.a.release();
            s.b.release();
        });
        timed("msm_h", phase::msm_h, of.key.domain_size, [&] {
            k.msm_g1(pool, t, of.h.as<uint64_t>(), h.as<uint64_t>(), of.key.domain_size, sums + at.h());
        });
    }
    const uint64_t* const witness = s.witness.as<uint64_t>();
    const size_t first_private = of.key.n_public + 1;
    timed("msm_a", phase::msm_a, of.key.n_vars, [&] { k.msm_g1(pool, t, of.a.as<uint64_t>(), witness, of.key.n_vars, sums + at.a()); });
    timed("msm_b1", phase::msm_b1, of.key.n_vars, [&] { k.msm_g1(pool, t, of.b1.as<uint64_t>(), witness, of.key.n_vars, sums + at.b1()); });
    timed("msm_b2", phase::msm_b2, of.key.n_vars, [&] { k.msm_g2(pool, t, of.b2.as<uint64_t>(), witness, of.key.n_vars, sums + at.b2()); });
    timed("msm_c", phase::msm_c, of.n_private(), [&] {
        k.msm_g1(pool, t, of.c.as<uint64_t>(), witness + 4 * first_private, of.n_private(), sums + at.c());
    });
    return pending;
}

void assemble_proof(pending_proof& pending, task& t) {
    t.check();
    if (pending.assembled) return;
    const circuit& of = *pending.of;
    t.enter(phase::finish, 1);
    const auto start = clock_type::now();
    pending.assembled = with_curve(of.key.curve, [&]<class Curve>() { return assemble<Curve>(of, pending.sums.as<uint64_t>()); });
    pending.sums.release();
    pending.timings.emplace_back("finish", milliseconds_since(start));
}

proof_result prove_finish(pending_proof pending, task& t) {
    assemble_proof(pending, t);
    const circuit& of = *pending.of;
    proof_result result;
    result.proof = std::move(*pending.assembled);
    result.timings = std::move(pending.timings);
    t.check();
    const auto start = clock_type::now();
    const bool valid = verify(verification_key_of(of), pending.public_signals, result.proof, t);
    result.timings.emplace_back("verify", milliseconds_since(start));
    if (!valid)
        throw error("ProofInvalid", "the proof does not verify: the witness does not satisfy the circuit, or belongs to another one",
                    "cuzk check <circuit.r1cs> <witness.wtns> [circuit.sym] names the first constraint that fails")
            .in_file(pending.witness_name);
    result.public_signals = std::move(pending.public_signals);
    return result;
}

proof_result prove(std::shared_ptr<const circuit> c, std::shared_ptr<const input_file> witness, thread_pool& pool, task& t) {
    return prove_finish(prove_start(synthesize(std::move(c), std::move(witness), pool, t), pool, t), t);
}

}  // namespace cuzk
