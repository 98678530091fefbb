#include "ntt/plan.hpp"

#include <string>
#include <utility>

#include "device/error.hpp"

namespace cuzk {

namespace {

// Appends constants in the variant's form.
template <class F>
struct constant_list {
    const ntt_kernels& k;
    std::vector<uint64_t> words;

    constant_list(const ntt_kernels& kernels, size_t count) : k(kernels) { words.reserve(count * k.constant_words); }
    void add(F x) {
        for (unsigned i = 64 * F::N; i < k.radix_bits; i++) x = x.dbl();
        if (k.constant_words == F::N) {
            words.insert(words.end(), x.limb, x.limb + F::N);
            return;
        }
        for (size_t i = 0; i < k.constant_words; i++) {
            const size_t word = 52 * i / 64, shift = 52 * i % 64;
            uint64_t v = x.limb[word] >> shift;
            if (shift > 12 && word + 1 < F::N) v |= x.limb[word + 1] << (64 - shift);
            words.push_back(v & ((uint64_t{1} << 52) - 1));
        }
    }
    void add(const std::vector<F>& values) {
        for (const F& x : values) add(x);
    }
};

template <class F>
F power_of_two_power(F x, unsigned log) {
    for (unsigned i = 0; i < log; i++) x = x.sqr();
    return x;
}

// start * ratio^i
template <class F>
std::vector<F> geometric(F start, F ratio, size_t count) {
    std::vector<F> r(count);
    for (size_t i = 0; i < count; i++, start *= ratio) r[i] = start;
    return r;
}

// root^rev(i) for i < 2^log, rev reversing log bits.
template <class F>
std::vector<F> bit_reversed_powers(F root, unsigned log) {
    std::vector<F> r(size_t{1} << log, F::one());
    for (unsigned l = log; l-- > 0; root = root.sqr())  // root^(2^(log - 1 - l)) belongs to bit l of i
        for (size_t i = 0; i < size_t{1} << l; i++) r[i + (size_t{1} << l)] = root;
    for (unsigned l = 0; l < log; l++)
        for (size_t i = 1; i < size_t{1} << l; i++) r[i + (size_t{1} << l)] *= r[i];
    return r;
}

// Level m: the 2^m twiddles of a split, entry g = half-turn root^(rev(g)); root is of order 2^log.
template <class F>
std::vector<uint64_t> split_table(const ntt_kernels& k, F root, unsigned log) {
    const std::vector<F> powers = bit_reversed_powers(root, log - 1);
    constant_list<F> list(k, size_t{1} << log);
    list.add(F::one());  // entry 0 is not used
    for (unsigned m = 0; m < log; m++)
        for (size_t g = 0; g < size_t{1} << m; g++) list.add(powers[g]);
    return std::move(list.words);
}

// Level m: the 2^m twiddles of a join, entry i = (shift root^i)^(2^(log - 1 - m)); root is of order 2^log.
template <class F>
std::vector<uint64_t> join_table(const ntt_kernels& k, F shift, F root, unsigned log) {
    constant_list<F> list(k, size_t{1} << log);
    list.add(F::one());
    for (unsigned m = 0; m < log; m++)
        list.add(geometric(power_of_two_power(shift, log - 1 - m), power_of_two_power(root, log - 1 - m), size_t{1} << m));
    return std::move(list.words);
}

template <class Curve>
ntt_plan split_of(const ntt_kernels& k, unsigned log_n, bool inverse, bool rows_by_class) {
    using F = typename Curve::fr;
    ntt_plan plan{};
    plan.log_rows = log_n / 2;
    plan.log_columns = log_n - plan.log_rows;
    F root = root_of_unity<Curve>(log_n);
    if (inverse) root = root.inverse();
    plan.split_levels = split_table(k, power_of_two_power(root, plan.log_rows), plan.log_columns);
    constant_list<F> rows(k, plan.rows());
    rows.add(rows_by_class ? geometric(F::one(), root, plan.rows()) : bit_reversed_powers(root, plan.log_rows));
    plan.row_roots = std::move(rows.words);
    return plan;
}

template <class Curve>
ntt_plan quotient_of(const ntt_kernels& k, unsigned log_n) {
    using F = typename Curve::fr;
    ntt_plan plan = split_of<Curve>(k, log_n, true, false);
    const F root = root_of_unity<Curve>(log_n), shift = coset_shift<Curve>(log_n);
    plan.join_levels =
        join_table(k, power_of_two_power(shift, plan.log_rows), power_of_two_power(root, plan.log_rows), plan.log_columns);
    plan.column_levels = join_table(k, F::one(), power_of_two_power(root, plan.log_columns), plan.log_rows);
    constant_list<F> columns(k, plan.columns());
    columns.add(geometric(shift, root, plan.columns()));
    plan.column_roots = std::move(columns.words);

    // Values come in as x R and go through products that divide by R': a' b' = n^2 x R^2 / R' and c' = n x R^2 / R'. Out goes x.
    const F n = F::from_u64(uint64_t{1} << log_n);
    F last = F::raw(wide<F::N>{1}) * n.sqr().inverse();  // 1 / (R n^2), times R'/R
    for (unsigned i = 64 * F::N; i < k.radix_bits; i++) last = last.dbl();
    constant_list<F> list(k, 2);
    list.add(n);
    list.add(last);
    plan.last = std::move(list.words);
    return plan;
}

}  // namespace

void check_domain(curve_id curve, unsigned log_n) {
    with_curve(curve, [&]<class Curve>() {
        if (log_n > Curve::two_adicity)
            throw error("DomainTooLarge",
                        std::string(Curve::name) + " has domains of up to 2^" + std::to_string(Curve::two_adicity) +
                            " points, not 2^" + std::to_string(log_n),
                        "split the circuit into smaller ones");
    });
}

ntt_plan plan_split(curve_id curve, const ntt_kernels& k, unsigned log_n, bool inverse) {
    return with_curve(curve, [&]<class Curve>() { return split_of<Curve>(k, log_n, inverse, true); });
}

ntt_plan plan_quotient(curve_id curve, const ntt_kernels& k, unsigned log_n) {
    return with_curve(curve, [&]<class Curve>() { return quotient_of<Curve>(k, log_n); });
}

std::vector<uint64_t> plan_scale(curve_id curve, const ntt_kernels& k, unsigned log_n, bool inverse) {
    return with_curve(curve, [&]<class Curve>() {
        using F = typename Curve::fr;
        constant_list<F> list(k, 1);
        list.add(inverse ? F::from_u64(uint64_t{1} << log_n).inverse() : F::one());
        return std::move(list.words);
    });
}

}  // namespace cuzk
