// Makes the table of leafs.hpp for a curve from its lane types. Included by the leafs_*.cpp files only.
#pragma once

#include "msm/leafs.hpp"
#include "msm/reduce.hpp"
#include "msm/tree.hpp"

CUZK_ARITHMETIC_BEGIN

// C: the curve; F: fp or fp2 of one element; G: the lanes over it; T: those of long loops of additions.
template <class C, class F, class G, class T>
struct leafs_of {
    static constexpr size_t P = 2 * G::words;

    static const curve_constant<C, F>& constant() {
        static const curve_constant<C, F> value;
        return value;
    }

    // Runs body(x, y) over all points in sets of lanes; the last set repeats the last point, written once in effect.
    template <class Body>
    static void for_all(uint64_t* points, size_t n, Body&& body) {
        for (size_t i = 0; i < n; i += G::lanes) {
            uint64_t* at[G::lanes];
            for (size_t lane = 0; lane < G::lanes; lane++) at[lane] = points + (i + lane < n ? i + lane : n - 1) * P;
            typename G::value x, y;
            G::load_xy(at, x, y);
            body(x, y);
            G::store_xy(at, x, y);
        }
    }
    static void import_points(uint64_t* points, size_t n) {
        for_all(points, n, [](auto& x, auto& y) {
            x = G::to_imported(x);
            y = G::to_imported(y);
        });
    }
    static void export_points(uint64_t* points, size_t n) {
        for_all(points, n, [](auto& x, auto& y) {
            x = G::canonical(G::to_file(x));
            y = G::canonical(G::to_file(y));
        });
    }

    static void accumulate_buckets(const uint64_t* points, uint32_t* entries, const uint32_t* counts, size_t buckets, uint64_t* out,
                                   void* memory, size_t capacity) {
        accumulate<T>(points, entries, counts, buckets, out, memory, capacity);
    }

    static void reduce(const uint64_t* buckets, size_t first, size_t count, uint64_t* out) {
        projective_t<typename G::value> lanes;
        reduce_buckets<G>(buckets, first, count, constant().b3, lanes);
        uint64_t words[3][G::lanes][F::N];
        const typename G::value* coordinates[3] = {&lanes.x, &lanes.y, &lanes.z};
        for (size_t c = 0; c < 3; c++) {
            uint64_t* at[G::lanes];
            for (size_t lane = 0; lane < G::lanes; lane++) at[lane] = words[c][lane];
            G::store_file(at, *coordinates[c]);
        }
        const F b3 = F::load(constant().b3);
        projective_t<F> sum = {F::load(words[0][0]), F::load(words[1][0]), F::load(words[2][0])};
        for (size_t lane = 1; lane < G::lanes; lane++)
            sum = add_complete(sum, projective_t<F>{F::load(words[0][lane]), F::load(words[1][lane]), F::load(words[2][lane])}, b3);
        store_projective(sum, out);
    }

    static void add(uint64_t* to, const uint64_t* p) {
        store_projective(add_complete(load_projective<F>(to), load_projective<F>(p), F::load(constant().b3)), to);
    }

    static void join_windows(const uint64_t* windows, size_t count, unsigned bits, uint64_t* out) {
        const F b3 = F::load(constant().b3);
        projective_t<F> sum = projective_t<F>::infinity();
        for (size_t w = count; w-- > 0;) {
            for (unsigned i = 0; i < bits && w + 1 < count; i++) sum = add_complete(sum, sum, b3);
            sum = add_complete(sum, load_projective<F>(windows + w * 3 * F::N), b3);
        }
        store_projective(to_jacobian(sum), out);
    }

    // x = X/Z = (X Z)/Z^2 and y = Y/Z = (Y Z^2)/Z^3.
    static projective_t<F> to_jacobian(const projective_t<F>& p) { return {p.x * p.z, p.y * p.z.sqr(), p.z}; }
    static void add_jacobian(uint64_t* to, const uint64_t* p) {
        // And back: X/Z^2 = (X Z)/Z^3, Y/Z^3; infinity needs a nonzero Y.
        const auto homogeneous = [](const projective_t<F>& j) {
            return j.z.is_zero() ? projective_t<F>::infinity() : projective_t<F>{j.x * j.z, j.y, j.z.sqr() * j.z};
        };
        const projective_t<F> a = homogeneous(load_projective<F>(to)), b = homogeneous(load_projective<F>(p));
        store_projective(to_jacobian(add_complete(a, b, F::load(constant().b3))), to);
    }

    static size_t first_off_curve(const uint64_t* points, size_t n) {
        const typename G::value b = G::canonical(G::broadcast_file(constant().b));
        for (size_t i = 0; i < n; i += G::lanes) {
            const uint64_t* at[G::lanes];
            for (size_t lane = 0; lane < G::lanes; lane++) at[lane] = points + (i + lane < n ? i + lane : n - 1) * P;
            typename G::value x, y;
            G::load_xy(at, x, y);
            const lane_mask fine = G::equal(G::canonical(y.sqr()), G::canonical(x.sqr() * x + b)) | (G::zero(x) & G::zero(y));
            for (size_t lane = 0; lane < G::lanes && i + lane < n; lane++)
                if (!(fine >> lane & 1)) return i + lane;
        }
        return n;
    }

    static group_leafs table() {
        return {P,   G::words, import_points, export_points, accumulate_buckets, tree_scratch<T>::bytes,
                reduce, add,   add_jacobian,  join_windows,  first_off_curve};
    }
};

CUZK_ARITHMETIC_END
