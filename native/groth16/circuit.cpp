#include "groth16/circuit.hpp"

#include <algorithm>

#include "groth16/coordinates.hpp"
#include "groth16/key_check.hpp"
#include "groth16/sizes.hpp"

namespace cuzk {

namespace {

constexpr size_t block_bytes = size_t{256} << 10;  // read, checked and converted while it is in the cache

// A section of points on its way into memory.
struct point_section {
    const char* name;
    const section* in_file;
    size_t point_words;
    void (*import_points)(uint64_t* points, size_t n);
    buffer* to;
    size_t points_per_block() const { return block_bytes / (point_words * sizeof(uint64_t)); }
    size_t points() const { return in_file->size / (point_words * sizeof(uint64_t)); }
    size_t blocks() const { return (points() + points_per_block() - 1) / points_per_block(); }
};

void load_points(circuit& c, const input_file& file, thread_pool& pool, task& t) {
    const kernels& k = c.compute();
    const size_t g1 = c.key.g1_words(), g2 = c.key.g2_words();
    const point_section sections[] = {{"A", &c.key.a, g1, k.import_g1, &c.a},
                                      {"B1", &c.key.b1, g1, k.import_g1, &c.b1},
                                      {"B2", &c.key.b2, g2, k.import_g2, &c.b2},
                                      {"C", &c.key.c, g1, k.import_g1, &c.c},
                                      {"H", &c.key.h, g1, k.import_g1, &c.h}};
    size_t blocks = 0;
    for (const auto& s : sections) {
        *s.to = buffer(s.in_file->size);
        blocks += s.blocks();
    }
    pool.parallel_for(t, blocks, [&](size_t block, size_t) {
        const point_section* s = sections;
        while (block >= s->blocks()) block -= s++->blocks();
        const size_t first = block * s->points_per_block(), n = std::min(s->points_per_block(), s->points() - first);
        uint64_t* const words = s->to->as<uint64_t>() + first * s->point_words;
        const uint64_t offset = s->in_file->offset + first * s->point_words * sizeof(uint64_t);
        file.read(offset, words, n * s->point_words * sizeof(uint64_t));
        check_coordinates(c.key.curve, s->name, words, n * s->point_words, offset);
        s->import_points(words, n);
        t.advance(n * s->point_words * sizeof(uint64_t));
    });
}

}  // namespace

uint64_t circuit::resident_bytes() const {
    return a.bytes() + b1.bytes() + b2.bytes() + c.bytes() + h.bytes() + rows.bytes() + ic.size() * sizeof(uint64_t);
}

uint64_t circuit::proof_bytes(size_t threads) const {
    return sizes_of(key, rows.dictionary_size, threads).proof();
}

std::shared_ptr<const circuit> load_circuit(const std::string& path, const load_options& options, thread_pool& pool, task& t) {
    const input_file file(path);
    auto c = std::make_shared<circuit>();
    c->path = path;
    try {
        c->key = read_zkey_layout(file);
        const zkey_layout& key = c->key;
        t.enter(phase::load, key.a.size + key.b1.size + key.b2.size + key.c.size + key.h.size + key.coefficients.size);
        c->ic = read_ic(file, key);
        const insecurity found = check_key_points(*c, options.allow_insecure_key);
        c->insecure = found.why;
        c->uncontributed_at = found.uncontributed_at;
        c->rows = load_matrices(
            key.curve, key.n_coefficients, key.domain_size, key.n_vars, key.records_offset(),
            [&](uint64_t offset, void* to, size_t size) {
                file.read(key.records_offset() + offset, to, size);
                t.advance(size);
            },
            pool, t);
        load_points(*c, file, pool, t);
        if (options.check_points) check_all_points(*c, pool, t);
    } catch (error& e) {
        e.in_file(path);
        throw;
    }
    return c;
}

}  // namespace cuzk
