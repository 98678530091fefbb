#include "groth16/setup.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "curve/generators.hpp"
#include "device/buffer.hpp"
#include "formats/r1cs.hpp"
#include "formats/zkey.hpp"
#include "groth16/fixed_base.hpp"
#include "groth16/lagrange.hpp"
#include "groth16/random.hpp"
#include "groth16/secret.hpp"

namespace cuzk {

namespace {

constexpr size_t points_per_write = 32768;

// snarkjs's rule: the smallest power of two that holds the constraints, a row for each public signal and one for the constant 1; at least 2.
unsigned log_domain_for(uint64_t rows) {
    unsigned log_n = 1;
    while ((uint64_t{1} << log_n) < rows) log_n++;
    return log_n;
}

template <class Curve>
struct development_setup {
    using fr = typename Curve::fr;
    using fp = typename Curve::fp;
    using fp2 = typename Curve::fp2;

    const input_file& file;
    const r1cs_layout& layout;
    thread_pool& pool;
    task& t;
    const unsigned log_n;
    const size_t n_vars = layout.n_wires, n_public = layout.n_public();

    // gamma is 1, as in the keys of a ceremony.
    struct secrets_t {
        fr tau = random_nonzero<fr>(), alpha = random_nonzero<fr>(), beta = random_nonzero<fr>(), delta = random_nonzero<fr>();
    };
    wiped<secrets_t> secrets{};
    // The signals' polynomials at tau, and the values that the points of IC and C stand for.
    buffer a{}, b{}, c{}, h{};
    uint64_t n_coefs = 0;

    const secrets_t& secret() const { return secrets.value; }

    // A, B and C of every signal: the sum of its coefficients times the Lagrange polynomials of their rows.
    void evaluate() {
        while (power_of_two_power(secret().tau, log_n + 1) == fr::one()) secrets.value.tau = random_nonzero<fr>();
        const size_t n = size_t{1} << log_n;
        const buffer lagrange_memory = buffer::secret(n * sizeof(fr));
        fr* const lagrange = lagrange_memory.as<fr>();
        lagrange_values<Curve>(log_n, 0, 1, n, secret().tau, fr::one(), lagrange, pool, t);
        for (buffer* values : {&a, &b, &c}) {
            *values = buffer::secret(n_vars * sizeof(fr));
            std::memset(values->data(), 0, values->bytes());
        }
        const auto add = [&](const buffer& to, const linear_combination& lc, const fr& l) {
            for (size_t i = 0; i < lc.size(); i++) {
                const uint64_t* v = &lc.values[4 * i];
                fr& sum = to.as<fr>()[lc.wires[i]];
                if (v[0] == 1 && (v[1] | v[2] | v[3]) == 0)
                    sum += l;
                else
                    sum += fr::from_canonical(v) * l;
            }
        };
        for_each_constraint(file, layout, [&](const constraint& one) {
            if (one.index % 4096 == 0) t.check();
            add(a, one.a, lagrange[one.index]);
            add(b, one.b, lagrange[one.index]);
            add(c, one.c, lagrange[one.index]);
            n_coefs += one.a.size() + one.b.size();
            return true;
        });
        // A row for the constant 1 and each public signal keeps their polynomials independent.
        for (size_t s = 0; s <= n_public; s++) a.as<fr>()[s] += lagrange[layout.n_constraints + s];
        n_coefs += n_public + 1;

        // H: the Lagrange polynomials of the odd coset, among the 2n-th roots of unity.
        const fr inverse_delta = secret().delta.inverse();
        h = buffer::secret(n * sizeof(fr));
        lagrange_values<Curve>(log_n + 1, 1, 2, n, secret().tau, inverse_delta, h.as<fr>(), pool, t);
        // c becomes (beta a + alpha b + c) / gamma, and / delta for private signals.
        pool.parallel_ranges(t, n_vars, 4096, [&](size_t begin, size_t end, size_t) {
            for (size_t s = begin; s < end; s++) {
                fr& value = c.as<fr>()[s];
                value += secret().beta * a.as<fr>()[s] + secret().alpha * b.as<fr>()[s];
                if (s > n_public) value *= inverse_delta;
            }
        });
    }

    void write_coefficients(zkey_writer& out) {
        out.begin(zkey_section::coefficients);
        out.out().write_u32(static_cast<uint32_t>(n_coefs));
        struct record_t {
            uint32_t matrix, row, signal;
            unsigned char value[32];
        };
        static_assert(sizeof(record_t) == 44);
        const fr r2 = fr::raw(fr::r2);
        const auto write = [&](uint32_t matrix, uint64_t row, uint32_t signal, const uint64_t* plain) {
            record_t r{matrix, static_cast<uint32_t>(row), signal, {}};
            const fr value = fr::load(plain) * r2 * r2;  // the words of v R^2
            std::memcpy(r.value, value.limb, sizeof r.value);
            out.out().write(&r, sizeof r);
        };
        for_each_constraint(file, layout, [&](const constraint& one) {
            if (one.index % 4096 == 0) t.check();
            for (size_t i = 0; i < one.a.size(); i++) write(0, one.index, one.a.wires[i], &one.a.values[4 * i]);
            for (size_t i = 0; i < one.b.size(); i++) write(1, one.index, one.b.wires[i], &one.b.values[4 * i]);
            return true;
        });
        const uint64_t one[4] = {1, 0, 0, 0};
        for (size_t s = 0; s <= n_public; s++) write(0, layout.n_constraints + s, static_cast<uint32_t>(s), one);
        out.end();
    }

    template <class F>
    void write_points(zkey_writer& out, zkey_section id, const fixed_base<F, fr>& multiples, const fr* scalars, size_t count) {
        out.begin(id);
        std::vector<affine_t<F>> points(std::min(count, points_per_write));
        for (size_t i = 0; i < count; i += points_per_write) {
            const size_t n = std::min(points_per_write, count - i);
            multiples.multiply(scalars + i, n, points.data(), pool, t);
            out.out().write(points.data(), n * sizeof points[0]);
        }
        out.end();
    }

    template <class F>
    static std::vector<uint64_t> one_point(const affine_t<F>& base, const fr& scalar) {
        thread_pool alone(1);
        task none;
        affine_t<F> p;
        fixed_base<F, fr>(base, 1).multiply(&scalar, 1, &p, alone, none);
        std::vector<uint64_t> words(2 * F::N);
        p.x.store(words.data());
        p.y.store(words.data() + F::N);
        return words;
    }

    void write(const std::string& path) {
        const size_t n = size_t{1} << log_n;
        const affine_t<fp> g1 = generator<Curve, fp>();
        const affine_t<fp2> g2 = generator<Curve, fp2>();
        t.enter(phase::setup, 4 * n_vars + n);
        const fixed_base<fp, fr> multiples1(g1, 3 * n_vars + n);
        const fixed_base<fp2, fr> multiples2(g2, n_vars);
        zkey_writer out(path, 9 + zkey_writer::development_sections);
        out.header(Curve::id, static_cast<uint32_t>(n_vars), static_cast<uint32_t>(n_public), static_cast<uint32_t>(n),
                   {one_point(g1, secret().alpha), one_point(g1, secret().beta), one_point(g2, secret().beta), one_point(g2, fr::one()),
                    one_point(g1, secret().delta), one_point(g2, secret().delta)});
        write_coefficients(out);
        write_points(out, zkey_section::ic, multiples1, c.as<fr>(), n_public + 1);
        write_points(out, zkey_section::h, multiples1, h.as<fr>(), n);
        write_points(out, zkey_section::c, multiples1, c.as<fr>() + n_public + 1, n_vars - n_public - 1);
        write_points(out, zkey_section::a, multiples1, a.as<fr>(), n_vars);
        write_points(out, zkey_section::b1, multiples1, b.as<fr>(), n_vars);
        write_points(out, zkey_section::b2, multiples2, b.as<fr>(), n_vars);
        out.development_mark();
        t.check();
        out.finish();
    }
};

}  // namespace

setup_summary setup(const std::string& r1cs, const std::string& zkey, thread_pool& pool, task& t) {
    const input_file file(r1cs);
    t.enter(phase::setup, 1);
    try {
        const r1cs_layout layout = read_r1cs_layout(file);
        const uint64_t rows = layout.n_constraints + layout.n_public() + 1;
        const unsigned log_n = log_domain_for(rows);
        return with_curve(layout.curve, [&]<class Curve>() {
            // The H points need the root of unity of twice the domain; the file has 32 bits for sizes.
            if (log_n + 1 > Curve::two_adicity || log_n > 31)
                throw error("SetupTooLarge", std::to_string(rows) + " rows are too many for a setup over " + Curve::name,
                            "split the circuit into smaller ones");
            development_setup<Curve> s{file, layout, pool, t, log_n};
            s.evaluate();
            if (s.n_coefs > std::numeric_limits<uint32_t>::max())
                throw error("SetupTooLarge", "the matrices have more entries than a .zkey can count", "split the circuit into smaller ones");
            s.write(zkey);
            return setup_summary{Curve::id, layout.n_wires, layout.n_public(), layout.n_constraints, uint64_t{1} << log_n, s.n_coefs};
        });
    } catch (error& e) {
        e.in_file(r1cs);
        throw;
    }
}

}  // namespace cuzk
