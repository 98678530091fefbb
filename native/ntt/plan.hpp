// The constants of one transform: how n values are cut into sheets, and the roots of unity that each pass needs.
//
// n = R x C values in natural order are R rows of C columns. Splitting down the columns leaves in row b the coefficients j = rev(b)
// mod R; splitting within each row, whose twiddles are the column's times a power of the row's own root, finishes the transform,
// bit-reversed. Joining goes the same way back. So no pass permutes anything, and the tables have about sqrt(n) entries instead of
// n: the rest is multiplied together on the way, once for all transforms of a group.
#pragma once

#include <vector>

#include "field/curves.hpp"
#include "ntt/kernels.hpp"

namespace cuzk {

// The primitive 2^log_order-th root of unity that snarkjs uses: a power of the smallest non-residue. log_order <=
// Curve::two_adicity.
template <class Curve>
typename Curve::fr root_of_unity(unsigned log_order) {
    using F = typename Curve::fr;
    constexpr auto group = wide_minus(F::modulus, 1);
    wide<F::N> odd{};  // (r - 1) / 2^two_adicity
    for (size_t i = 0; i < F::N; i++)
        odd[i] = group[i] >> Curve::two_adicity | (i + 1 < F::N ? group[i + 1] << (64 - Curve::two_adicity) : 0);
    F w = F::from_u64(Curve::fr_non_residue).pow(odd.data(), F::N);
    for (unsigned log = Curve::two_adicity; log > log_order; log--) w = w.sqr();
    return w;
}

// The shift of the coset on which the quotient is taken, for a domain of 2^log_n points: the next root of unity, or, where the
// field has none, the square of the non-residue (ffjavascript's Fr.shift).
template <class Curve>
typename Curve::fr coset_shift(unsigned log_n) {
    if (log_n < Curve::two_adicity) return root_of_unity<Curve>(log_n + 1);
    return Curve::fr::from_u64(Curve::fr_non_residue).sqr();
}

// Tables of constants in a variant's form (ntt_kernels); a level table has that of level m at entries 2^m to 2^(m + 1).
struct ntt_plan {
    unsigned log_rows, log_columns;
    std::vector<uint64_t> split_levels;  // for the columns' and the rows' splits
    std::vector<uint64_t> row_roots;     // R: the root by which each row's own twiddles differ

    std::vector<uint64_t> join_levels;    // for the rows' join, with the coset's shift
    std::vector<uint64_t> column_levels;  // for the columns' join
    std::vector<uint64_t> column_roots;   // C: the coset's point of column i
    std::vector<uint64_t> last;           // {n, 1 / (R n^2)}: the constants of store_quotient

    size_t rows() const { return size_t{1} << log_rows; }
    size_t columns() const { return size_t{1} << log_columns; }
    sheet_layout column_sheet() const { return {rows(), columns() * ntt_words, ntt_words}; }
    sheet_layout row_sheet() const { return {columns(), ntt_words, columns() * ntt_words}; }
};

inline constexpr unsigned smallest_planned_log = 6;  // eight columns, eight rows

// Throws error DomainTooLarge when the field has no root of unity of that order.
void check_domain(curve_id curve, unsigned log_n);

// For splitting alone, by powers of w (inverse: of 1/w), with row_roots in the order of the coefficients' classes rev(b) instead of
// the rows b. log_n from smallest_planned_log to the curve's two-adicity.
ntt_plan plan_split(curve_id curve, const ntt_kernels& k, unsigned log_n, bool inverse);
// For splitting by 1/w and joining on the coset.
ntt_plan plan_quotient(curve_id curve, const ntt_kernels& k, unsigned log_n);
// One constant in the variant's form: 1, or 1/n.
std::vector<uint64_t> plan_scale(curve_id curve, const ntt_kernels& k, unsigned log_n, bool inverse);

}  // namespace cuzk
