#include "groth16/matrix.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "groth16/random.hpp"

namespace cuzk {

namespace {

constexpr size_t records_per_block = 16384;
constexpr size_t value_words = 4;
constexpr uint64_t most_narrow_values = 65536;  // that 16-bit numbers tell apart

struct value_t {
    uint64_t words[value_words];
    bool operator==(const value_t& o) const {
        return ((words[0] ^ o.words[0]) | (words[1] ^ o.words[1]) | (words[2] ^ o.words[2]) | (words[3] ^ o.words[3])) == 0;
    }
};

// Numbers values in the order in which they come. The hash is keyed by chance, so that no file can make it slow.
class value_numbering {
public:
    value_numbering(const value_t& one, const value_t& minus_one, const uint64_t (&key)[5]) {
        std::copy(std::begin(key), std::end(key), key_);
        number(one);
        number(minus_one);
    }
    uint32_t number(const value_t& v) {
        if (values_.size() >= 2 && v == values_[0]) return 0;
        if (values_.size() >= 2 && v == values_[1]) return 1;
        for (size_t at = hash(v);; at++) {
            uint32_t& slot = slots_[at & (slots_.size() - 1)];
            if (slot == 0) {
                values_.push_back(v);
                slot = static_cast<uint32_t>(values_.size());
                if (values_.size() * 2 > slots_.size()) grow();
                return static_cast<uint32_t>(values_.size() - 1);
            }
            if (values_[slot - 1] == v) return slot - 1;
        }
    }
    const std::vector<value_t>& values() const { return values_; }
    // What so many numbered values take: both tables double.
    static uint64_t bytes(uint64_t values) {
        return std::bit_ceil(values) * sizeof(value_t) + std::max<uint64_t>(64, 2 * std::bit_ceil(values + 1)) * sizeof(uint32_t);
    }
    // And the most while they are numbered: a table is copied when it grows, and that of the values is the larger one.
    static uint64_t growing_bytes(uint64_t values) { return bytes(values) + std::bit_ceil(values) / 2 * sizeof(value_t); }
    // No more than so many bytes for each value, growing, when the least table is counted too.
    static constexpr uint64_t most_bytes_per_value = 3 * sizeof(value_t) + 4 * sizeof(uint32_t);

private:
    size_t hash(const value_t& v) const {
        uint64_t h = key_[4];
        for (size_t i = 0; i < value_words; i++) {
            const auto product = static_cast<unsigned __int128>(h ^ v.words[i]) * (key_[i] | 1);
            h = static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
        }
        return h;
    }
    void grow() {
        std::fill(slots_.begin(), slots_.end(), 0);
        slots_.resize(slots_.size() * 2);
        for (size_t i = 0; i < values_.size(); i++) {
            size_t at = hash(values_[i]);
            while (slots_[at & (slots_.size() - 1)] != 0) at++;
            slots_[at & (slots_.size() - 1)] = static_cast<uint32_t>(i + 1);
        }
    }
    uint64_t key_[5];
    std::vector<value_t> values_;
    std::vector<uint32_t> slots_ = std::vector<uint32_t>(64);
};

// Numbers values that another numbering has found, and gives each number to `to`. There may be millions, and so t is checked now and then.
template <class To>
void number_all(value_numbering& numbering, const std::vector<value_t>& values, const task& t, To&& to) {
    for (size_t i = 0; i < values.size(); i++) {
        if (i % records_per_block == 0) t.check();
        to(numbering.number(values[i]));
    }
}

// A parsed record, until its place in its row is known.
struct entry_t {
    uint32_t row, signal, coefficient;  // coefficient: number in the worker's numbering << 1 | matrix
};

template <class F>
value_t twice_montgomery(const F& v) {
    const F r2 = v * F::raw(F::r2);  // the limbs of v R^2
    value_t value;
    r2.store(value.words);
    return value;
}

[[noreturn]] void refuse_index(const char* what, uint64_t value, uint64_t limit, uint64_t record, uint64_t base_offset) {
    throw error("ZkeyCoefficientOutOfRange",
                "coefficient " + std::to_string(record) + " names " + what + " " + std::to_string(value) + ", but there are only " +
                    std::to_string(limit),
                "the key is damaged: get or make it again")
        .at(base_offset + record * coefficient_record_bytes);
}

struct loader {
    const size_t count;
    const uint64_t rows, signals, base_offset;
    const record_reader& read;
    thread_pool& pool;
    task& t;
    std::vector<std::unique_ptr<value_numbering>> numberings;  // one per worker
    std::vector<uint16_t> block_worker;                        // who numbered the block's values
    buffer entries;
    matrices result;

    uint32_t* ends(uint32_t matrix) { return (matrix ? result.b : result.a).row_ends.as<uint32_t>(); }

    template <class Curve>
    void parse() {
        using fr = typename Curve::fr;
        uint64_t key[5];
        random_bytes(key, sizeof key);
        const value_t one = twice_montgomery(fr::one()), minus_one = twice_montgomery(-fr::one());
        for (size_t i = 0; i < pool.size(); i++) numberings.push_back(std::make_unique<value_numbering>(one, minus_one, key));
        std::vector<std::vector<unsigned char>> buffers(pool.size());
        block_worker.resize((count + records_per_block - 1) / records_per_block);
        entries = buffer(count * sizeof(entry_t));
        std::atomic<uint64_t> used_rows{0};

        pool.parallel_ranges(t, count, records_per_block, [&](size_t begin, size_t end, size_t worker) {
            auto& buffer = buffers[worker];
            buffer.resize(records_per_block * coefficient_record_bytes);
            read(begin * coefficient_record_bytes, buffer.data(), (end - begin) * coefficient_record_bytes);
            block_worker[begin / records_per_block] = static_cast<uint16_t>(worker);
            auto& numbering = *numberings[worker];
            entry_t* out = entries.as<entry_t>() + begin;
            uint64_t highest = 0;
            for (size_t i = begin; i < end; i++) {
                const unsigned char* record = buffer.data() + (i - begin) * coefficient_record_bytes;
                uint32_t index[3];
                std::memcpy(index, record, sizeof index);
                const auto [matrix, row, signal] = index;
                if (matrix > 1) refuse_index("matrix", matrix, 2, i, base_offset);
                if (row >= rows) refuse_index("constraint", row, rows, i, base_offset);
                if (signal >= signals) refuse_index("signal", signal, signals, i, base_offset);
                value_t value;
                std::memcpy(&value, record + sizeof index, sizeof value);
                if (!fr::is_reduced(value.words))
                    throw error("ZkeyCoefficientNotReduced", "the value of coefficient " + std::to_string(i) + " is not below r",
                                "the key is damaged: get or make it again")
                        .at(base_offset + i * coefficient_record_bytes);
                highest = std::max<uint64_t>(highest, row + uint64_t{1});
                __atomic_fetch_add(&ends(matrix)[row + size_t{1}], 1u, __ATOMIC_RELAXED);
                *out++ = {row, signal, numbering.number(value) << 1 | matrix};
            }
            uint64_t known = used_rows.load();
            while (known < highest && !used_rows.compare_exchange_weak(known, highest)) {
            }
        });
        result.rows = used_rows.load();
    }

    // One numbering for all; gives each worker's numbers their place in it.
    std::vector<std::vector<uint32_t>> merge_numberings() {
        uint64_t key[5];
        random_bytes(key, sizeof key);
        value_numbering all(numberings[0]->values()[0], numberings[0]->values()[1], key);
        std::vector<std::vector<uint32_t>> places;
        for (auto& one : numberings) {
            auto& place = places.emplace_back();
            number_all(all, one->values(), t, [&](uint32_t number) { place.push_back(number); });
            one.reset();
        }
        result.dictionary_size = all.values().size();
        result.dictionary = buffer(result.dictionary_size * sizeof(value_t));
        std::memcpy(result.dictionary.data(), all.values().data(), result.dictionary.bytes());
        result.wide_coefficients = result.dictionary_size > most_narrow_values;
        return places;
    }

    // Counts (at i + 1) to starts (at i + 1); returns the number of entries.
    uint32_t sum_up(uint32_t* row_ends) const {
        uint32_t sum = 0;
        for (size_t i = 1; i <= result.rows; i++) {
            const uint32_t n = row_ends[i];
            row_ends[i] = sum;
            sum += n;
        }
        return sum;
    }

    template <class Number>
    void scatter(const std::vector<std::vector<uint32_t>>& places) {
        for (sparse_rows* m : {&result.a, &result.b}) {
            const size_t n = sum_up(m->row_ends.as<uint32_t>());
            m->signals = buffer(n * sizeof(uint32_t));
            m->coefficients = buffer(n * sizeof(Number));
        }
        // Each start moves on by one per entry, and so ends as the row's end.
        pool.parallel_ranges(t, count, records_per_block, [&](size_t begin, size_t end, size_t) {
            const auto& place = places[block_worker[begin / records_per_block]];
            const entry_t* in = entries.as<entry_t>();
            for (size_t i = begin; i < end; i++) {
                sparse_rows& m = in[i].coefficient & 1 ? result.b : result.a;
                const uint32_t at = __atomic_fetch_add(&m.row_ends.as<uint32_t>()[in[i].row + size_t{1}], 1u, __ATOMIC_RELAXED);
                m.signals.as<uint32_t>()[at] = in[i].signal;
                m.coefficients.as<Number>()[at] = static_cast<Number>(place[in[i].coefficient >> 1]);
            }
        });
    }
};

}  // namespace

size_t matrices::bytes() const {
    size_t sum = dictionary.bytes();
    for (const auto* m : {&a, &b}) sum += m->row_ends.bytes() + m->signals.bytes() + m->coefficients.bytes();
    return sum;
}

matrices load_matrices(curve_id curve, uint32_t count, uint64_t rows, uint64_t signals, uint64_t base_offset, const record_reader& read,
                       thread_pool& pool, task& t) {
    loader l{count, rows, signals, base_offset, read, pool, t, {}, {}, {}, {}};
    for (auto* m : {&l.result.a, &l.result.b}) {
        m->row_ends = buffer((rows + 1) * sizeof(uint32_t));
        std::memset(m->row_ends.data(), 0, m->row_ends.bytes());
    }
    with_curve(curve, [&]<class Curve>() { l.parse<Curve>(); });
    const auto places = l.merge_numberings();
    if (l.result.wide_coefficients)
        l.scatter<uint32_t>(places);
    else
        l.scatter<uint16_t>(places);
    return std::move(l.result);
}

uint64_t count_coefficient_values(curve_id curve, uint32_t count, const record_reader& read, thread_pool& pool, const task& t) {
    return with_curve(curve, [&]<class Curve>() {
        using fr = typename Curve::fr;
        uint64_t key[5];
        random_bytes(key, sizeof key);
        // One per worker, so that none waits for another.
        std::vector<value_numbering> numberings(pool.size(), {twice_montgomery(fr::one()), twice_montgomery(-fr::one()), key});
        std::vector<std::vector<unsigned char>> blocks(pool.size());
        pool.parallel_ranges(t, count, records_per_block, [&](size_t begin, size_t end, size_t worker) {
            auto& block = blocks[worker];
            block.resize(records_per_block * coefficient_record_bytes);
            read(begin * coefficient_record_bytes, block.data(), (end - begin) * coefficient_record_bytes);
            for (size_t i = 1; i <= end - begin; i++) {
                value_t value;
                std::memcpy(&value, block.data() + i * coefficient_record_bytes - sizeof value, sizeof value);
                numberings[worker].number(value);
            }
        });
        value_numbering& all = numberings[0];
        for (size_t worker = 1; worker < numberings.size(); worker++) number_all(all, numberings[worker].values(), t, [](uint32_t) {});
        return uint64_t{all.values().size()};
    });
}

matrix_sizes matrix_bytes(uint64_t count, uint64_t rows, uint64_t values, size_t threads) {
    const uint64_t row_ends = 2 * (rows + 1) * sizeof(uint32_t), dictionary = values * sizeof(value_t);
    const uint64_t numbers = values > most_narrow_values ? sizeof(uint32_t) : sizeof(uint16_t);
    const uint64_t placed = count * (sizeof(uint32_t) + numbers), entries = count * sizeof(entry_t);
    const uint64_t blocks = (count + records_per_block - 1) / records_per_block;
    const uint64_t buffers = std::min<uint64_t>(threads, blocks) * records_per_block * coefficient_record_bytes;
    // Each thread numbers what it meets: all values at most, and all threads together no more than one for each record and the two that each
    // begins with.
    const uint64_t met = count + 2 * threads;
    const uint64_t most = met * value_numbering::most_bytes_per_value + threads * value_numbering::bytes(2);
    const uint64_t numbering = std::min(threads * value_numbering::growing_bytes(values), most);
    const uint64_t numbered = std::min(threads * value_numbering::bytes(values), most);
    const uint64_t places = std::min(threads * std::bit_ceil(values), 2 * met) * 2 * sizeof(uint32_t);
    const uint64_t merging = numbered + value_numbering::growing_bytes(values) + places;
    const uint64_t merged = value_numbering::bytes(values) + places + dictionary;
    matrix_sizes s;
    s.held = row_ends + placed + dictionary;
    s.building = row_ends + entries + blocks * sizeof(uint16_t) +
                 std::max({buffers + numbering, merging, merged, placed + places + dictionary});
    return s;
}

}  // namespace cuzk
