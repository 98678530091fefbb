#include "formats/zkey.hpp"

#include <bit>
#include <cstring>

namespace cuzk {

namespace {

constexpr uint32_t groth16_protocol = 1;
constexpr uint64_t record_bytes = 44;
constexpr const char* remedy = "copy the key again from where it comes from, or make it again";

constexpr uint32_t number(zkey_section id) { return static_cast<uint32_t>(id); }

const char* name_of(uint32_t id) {
    switch (static_cast<zkey_section>(id)) {
        case zkey_section::protocol: return "protocol";
        case zkey_section::header: return "header";
        case zkey_section::ic: return "IC points";
        case zkey_section::coefficients: return "coefficients";
        case zkey_section::a: return "A points";
        case zkey_section::b1: return "B1 points";
        case zkey_section::b2: return "B2 points";
        case zkey_section::c: return "C points";
        case zkey_section::h: return "H points";
        case zkey_section::contributions: return "contributions";
        case zkey_section::development: return "development setup";
    }
    return nullptr;
}

constexpr container_format zkey_format{"zkey", 1, "Zkey", name_of};

template <class C>
curve_moduli make_moduli() {
    curve_moduli m{C::id, {}, {}};
    m.q.assign(C::fp::modulus.begin(), C::fp::modulus.end());
    m.r.assign(C::fr::modulus.begin(), C::fr::modulus.end());
    return m;
}

// The prime that the header gives as a length and that many bytes.
std::vector<uint64_t> read_prime(section_cursor& cursor, const section_table& table) {
    const uint64_t at = cursor.offset();
    const uint32_t bytes = cursor.u32();
    if (bytes != 32 && bytes != 48)
        throw table.fault("UnknownCurve",
                          "field elements of " + std::to_string(bytes) + " bytes belong to no curve that this prover knows",
                          "use a key over bn254 (bn128) or bls12-381", at);
    return cursor.words(bytes / 8);
}

curve_id read_curve(section_cursor& cursor, const section_table& table) {
    const uint64_t at = cursor.offset();
    const std::vector<uint64_t> q = read_prime(cursor, table), r = read_prime(cursor, table);
    std::string what = "the key's primes belong to no curve that this prover knows";
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        const bool same_q = moduli_of(curve).q == q, same_r = moduli_of(curve).r == r;
        if (same_q && same_r) return curve;
        const std::string name = curve == curve_id::bn254 ? bn254::name : bls12_381::name;
        if (same_r) what = "the key's scalar field is that of " + name + ", but its base field is not";
        if (same_q) what = "the key's base field is that of " + name + ", but its scalar field is not";
    }
    throw table.fault("UnknownCurve", what, "use a key over bn254 (bn128) or bls12-381", at);
}

void read_protocol(const section_table& table) {
    const section& s = table.only(number(zkey_section::protocol));
    section_cursor cursor(table, s);
    const uint32_t protocol = cursor.u32();
    if (protocol == groth16_protocol) return;
    const char* other = protocol == 2 ? "PLONK" : protocol == 10 ? "FFLONK" : "an unknown proof system";
    throw table.fault("Protocol",
                      std::string("this is a key for ") + other + " (protocol " + std::to_string(protocol) + "), not for Groth16",
                      "make a Groth16 key of the circuit: snarkjs groth16 setup, or cuzk setup", s.offset);
}

// The points and the hash of a contribution: delta after it, s G1, s x G1, s' x G2, the transcript.
uint64_t contribution_proof_bytes(const zkey_layout& layout) { return (3 * layout.g1_words() + layout.g2_words()) * 8 + 64; }

// A contribution's parameters: a byte that says which, in rising order, and a text or a number of one byte.
void read_parameters(section_cursor& cursor, const section_table& table, uint64_t end, zkey_contribution& c) {
    uint8_t last = 0;
    while (cursor.offset() < end) {
        const uint64_t at = cursor.offset();
        uint8_t kind = 0, size = 0;
        cursor.read(&kind, 1);
        if (cursor.offset() < end) cursor.read(&size, 1);  // the second parameter, a beacon's iterations, has its number here
        const uint64_t length = kind == 2 ? 0 : size;
        if (kind <= last || kind > 3 || at + 2 + length > end)
            throw table.fault("Contribution", "a contribution has a parameter that cannot be read", remedy, at);
        last = kind;
        std::string text(length, '\0');
        cursor.read(text.data(), length);
        if (kind == 1) c.name = std::move(text);
    }
}

std::vector<zkey_contribution> read_contributions(const section_table& table, const zkey_layout& layout) {
    std::vector<zkey_contribution> all;
    if (!table.has(number(zkey_section::contributions))) return all;
    section_cursor cursor(table, table.only(number(zkey_section::contributions)));
    cursor.skip(64);  // the circuit's hash
    const uint64_t count_at = cursor.offset();
    const uint32_t count = cursor.u32();
    const uint64_t fixed = contribution_proof_bytes(layout) + 8;
    if (count * fixed > cursor.left())
        throw table.fault("Contribution",
                          std::to_string(count) + " contributions need at least " + std::to_string(count * fixed) + " bytes, " +
                              std::to_string(cursor.left()) + " there",
                          remedy, count_at);
    for (uint32_t i = 0; i < count; i++) {
        cursor.skip(fixed - 8);
        zkey_contribution c;
        c.type = cursor.u32();
        const uint32_t length = cursor.u32();
        if (length > cursor.left())
            throw table.fault("Contribution",
                              "contribution " + std::to_string(i + 1) + " has parameters of " + std::to_string(length) +
                                  " bytes, " + std::to_string(cursor.left()) + " there",
                              remedy, cursor.offset() - 4);
        read_parameters(cursor, table, cursor.offset() + length, c);
        all.push_back(std::move(c));
    }
    return all;
}

bool is_development_setup(const section_table& table, const zkey_layout& layout) {
    if (table.has(number(zkey_section::development))) return true;
    try {
        for (const zkey_contribution& c : read_contributions(table, layout))
            if (c.name == development_contribution) return true;
    } catch (const error& e) {
        if (e.code() == "FileChanged" || e.code() == "FileUnreadable") throw;
    }
    return false;
}

}  // namespace

const curve_moduli& moduli_of(curve_id curve) {
    static const curve_moduli bn = make_moduli<bn254>(), bls = make_moduli<bls12_381>();
    return curve == curve_id::bn254 ? bn : bls;
}

zkey_layout read_zkey_layout(const input_file& file) {
    const section_table table(file, zkey_format);
    read_protocol(table);

    zkey_layout k;
    const section& header = table.only(number(zkey_section::header));
    section_cursor cursor(table, header);
    k.curve = read_curve(cursor, table);
    const uint64_t counts_at = cursor.offset();
    k.n_vars = cursor.u32();
    k.n_public = cursor.u32();
    k.domain_size = cursor.u32();
    if (k.n_public >= k.n_vars)
        throw table.fault("PublicCount",
                          std::to_string(k.n_public) + " public signals cannot be among " + std::to_string(k.n_vars) + " signals",
                          remedy, counts_at);
    const unsigned adicity = k.curve == curve_id::bn254 ? bn254::two_adicity : bls12_381::two_adicity;
    if (!std::has_single_bit(k.domain_size))
        throw table.fault("DomainSize",
                          "a domain of size " + std::to_string(k.domain_size) + " does not exist: it must be a power of two",
                          remedy, counts_at + 8);
    // The H points' scalars live on a coset by a root of twice the domain's order.
    if (k.domain_size > uint64_t{1} << (adicity - 1))
        throw table.fault("DomainSize",
                          "a domain of size " + std::to_string(k.domain_size) + " is too large for this curve: at most 2^" +
                              std::to_string(adicity - 1) + " can be proved",
                          "split the circuit into smaller ones, or use bls12-381", counts_at + 8);
    k.log_domain = static_cast<unsigned>(std::countr_zero(k.domain_size));

    k.header_points_offset = cursor.offset();
    const size_t g1 = k.g1_words(), g2 = k.g2_words();
    table.expect_size(header, cursor.offset() - header.offset + (3 * g1 + 3 * g2) * 8, "a header of this curve");
    k.alpha1 = cursor.words(g1);
    k.beta1 = cursor.words(g1);
    k.beta2 = cursor.words(g2);
    k.gamma2 = cursor.words(g2);
    k.delta1 = cursor.words(g1);
    k.delta2 = cursor.words(g2);

    const auto points = [&](zkey_section id, uint64_t count, size_t words, const std::string& why) {
        const section& s = table.only(number(id));
        table.expect_size(s, count * words * 8, why);
        return s;
    };
    const std::string vars = std::to_string(k.n_vars) + " signals", publics = std::to_string(k.n_public) + " public signals";
    k.ic = points(zkey_section::ic, k.n_public + 1, g1, "one point per public signal and one more (" + publics + ")");
    k.a = points(zkey_section::a, k.n_vars, g1, vars);
    k.b1 = points(zkey_section::b1, k.n_vars, g1, vars);
    k.b2 = points(zkey_section::b2, k.n_vars, g2, vars);
    k.c = points(zkey_section::c, k.n_vars - k.n_public - 1, g1, vars + " less " + publics + " and the constant");
    k.h = points(zkey_section::h, k.domain_size, g1, "a domain of " + std::to_string(k.domain_size));

    k.coefficients = table.only(number(zkey_section::coefficients));
    section_cursor coefficients(table, k.coefficients);
    k.n_coefficients = coefficients.u32();
    table.expect_size(k.coefficients, 4 + k.n_coefficients * record_bytes,
                      std::to_string(k.n_coefficients) + " coefficients");
    k.development_setup = is_development_setup(table, k);
    return k;
}

std::vector<zkey_contribution> read_zkey_contributions(const input_file& file, const zkey_layout& layout) {
    return read_contributions(section_table(file, zkey_format), layout);
}

zkey_writer::zkey_writer(std::string path, uint32_t sections) : file_(std::move(path)) {
    file_.write("zkey", 4);
    file_.write_u32(1);
    file_.write_u32(sections);
}

void zkey_writer::begin(zkey_section id) {
    file_.write_u32(number(id));
    size_at_ = file_.position();
    file_.write_u64(0);  // known at the end
}

void zkey_writer::end() {
    const uint64_t size = file_.position() - size_at_ - 8;
    file_.write_at(size_at_, &size, sizeof size);
}

void zkey_writer::header(curve_id curve, uint32_t n_vars, uint32_t n_public, uint32_t domain_size,
                         const std::array<std::vector<uint64_t>, 6>& points) {
    begin(zkey_section::protocol);
    file_.write_u32(groth16_protocol);
    end();
    begin(zkey_section::header);
    for (const auto* prime : {&moduli_of(curve).q, &moduli_of(curve).r}) {
        file_.write_u32(static_cast<uint32_t>(prime->size() * 8));
        file_.write(prime->data(), prime->size() * 8);
    }
    file_.write_u32(n_vars);
    file_.write_u32(n_public);
    file_.write_u32(domain_size);
    for (const auto& p : points) file_.write(p.data(), p.size() * 8);
    delta1_ = points[4];
    end();
}

void zkey_writer::development_mark() {
    const auto zeros = [&](size_t size) {
        const std::vector<unsigned char> none(size);
        file_.write(none.data(), none.size());
    };
    begin(zkey_section::contributions);
    zeros(64);  // the circuit's hash
    file_.write_u32(1);
    file_.write(delta1_.data(), delta1_.size() * 8);
    // In place of a proof of knowledge: two points in G1 and one in G2 at infinity, an empty transcript.
    zeros(4 * delta1_.size() * 8 + 64);
    file_.write_u32(0);
    constexpr uint8_t length = sizeof development_contribution - 1;
    file_.write_u32(2 + length);
    const uint8_t name_follows[2] = {1, length};
    file_.write(name_follows, sizeof name_follows);
    file_.write(development_contribution, length);
    end();
    begin(zkey_section::development);
    const char text[] = "insecure development setup: whoever made this key knows its secrets and can forge proofs";
    file_.write(text, sizeof text - 1);
    end();
}

}  // namespace cuzk
