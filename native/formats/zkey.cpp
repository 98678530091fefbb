#include "formats/zkey.hpp"

#include <bit>
#include <cstring>

namespace cuzk {

namespace {

constexpr uint32_t groth16_protocol = 1;
constexpr uint64_t record_bytes = 44;
constexpr uint32_t most_contributions = 1 << 20;

constexpr uint32_t number(zkey_section id) { return static_cast<uint32_t>(id); }

const char* name_of(zkey_section id) {
    switch (id) {
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
    return "";
}

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
        throw table.fault("UnknownCurve", "field elements of " + std::to_string(bytes) + " bytes belong to no curve that this prover knows",
                          "use a key over bn254 (bn128) or bls12-381", at);
    return cursor.words(bytes / 8);
}

curve_id read_curve(section_cursor& cursor, const section_table& table) {
    const uint64_t at = cursor.offset();
    const std::vector<uint64_t> q = read_prime(cursor, table), r = read_prime(cursor, table);
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381})
        if (moduli_of(curve).q == q && moduli_of(curve).r == r) return curve;
    throw table.fault("UnknownCurve", "the key's primes belong to no curve that this prover knows", "use a key over bn254 (bn128) or bls12-381", at);
}

void read_protocol(const section_table& table) {
    const section& s = table.only(number(zkey_section::protocol), name_of(zkey_section::protocol));
    section_cursor cursor(table, s, name_of(zkey_section::protocol));
    const uint32_t protocol = cursor.u32();
    if (protocol == groth16_protocol) return;
    const char* other = protocol == 2 ? "PLONK" : protocol == 10 ? "FFLONK" : "an unknown proof system";
    throw table.fault("Protocol", std::string("this is a key for ") + other + " (protocol " + std::to_string(protocol) + "), not for Groth16",
                      "make a Groth16 key of the circuit: snarkjs groth16 setup, or cuzk setup", s.offset);
}

}  // namespace

const curve_moduli& moduli_of(curve_id curve) {
    static const curve_moduli bn = make_moduli<bn254>(), bls = make_moduli<bls12_381>();
    return curve == curve_id::bn254 ? bn : bls;
}

zkey_layout read_zkey_layout(const input_file& file) {
    const section_table table(file, "zkey", 1, "Zkey");
    read_protocol(table);

    zkey_layout k;
    const section& header = table.only(number(zkey_section::header), name_of(zkey_section::header));
    section_cursor cursor(table, header, name_of(zkey_section::header));
    k.curve = read_curve(cursor, table);
    const uint64_t counts_at = cursor.offset();
    k.n_vars = cursor.u32();
    k.n_public = cursor.u32();
    k.domain_size = cursor.u32();
    if (k.n_public >= k.n_vars)
        throw table.fault("PublicCount", std::to_string(k.n_public) + " public signals cannot be among " + std::to_string(k.n_vars) + " signals", "make the key again", counts_at);
    const unsigned adicity = k.curve == curve_id::bn254 ? bn254::two_adicity : bls12_381::two_adicity;
    // The H points' scalars live on a coset by a root of twice the domain's order.
    if (!std::has_single_bit(k.domain_size) || k.domain_size > (uint64_t{1} << (adicity - 1)))
        throw table.fault("DomainSize", "a domain of size " + std::to_string(k.domain_size) + " does not exist: it must be a power of two, at most 2^" + std::to_string(adicity - 1),
                          "make the key again", counts_at + 8);
    k.log_domain = static_cast<unsigned>(std::countr_zero(k.domain_size));

    k.header_points_offset = cursor.offset();
    const size_t g1 = k.g1_words(), g2 = k.g2_words();
    table.expect_size(header, name_of(zkey_section::header), cursor.offset() - header.offset + (3 * g1 + 3 * g2) * 8, "a header of this curve");
    k.alpha1 = cursor.words(g1);
    k.beta1 = cursor.words(g1);
    k.beta2 = cursor.words(g2);
    k.gamma2 = cursor.words(g2);
    k.delta1 = cursor.words(g1);
    k.delta2 = cursor.words(g2);

    const auto points = [&](zkey_section id, uint64_t count, size_t words, const std::string& why) {
        const section& s = table.only(number(id), name_of(id));
        table.expect_size(s, name_of(id), count * words * 8, why);
        return s;
    };
    const std::string vars = std::to_string(k.n_vars) + " signals", publics = std::to_string(k.n_public) + " public signals";
    k.ic = points(zkey_section::ic, k.n_public + 1, g1, "one point per public signal and one more (" + publics + ")");
    k.a = points(zkey_section::a, k.n_vars, g1, vars);
    k.b1 = points(zkey_section::b1, k.n_vars, g1, vars);
    k.b2 = points(zkey_section::b2, k.n_vars, g2, vars);
    k.c = points(zkey_section::c, k.n_vars - k.n_public - 1, g1, vars + " less " + publics + " and the constant");
    k.h = points(zkey_section::h, k.domain_size, g1, "a domain of " + std::to_string(k.domain_size));

    k.coefficients = table.only(number(zkey_section::coefficients), name_of(zkey_section::coefficients));
    section_cursor coefficients(table, k.coefficients, name_of(zkey_section::coefficients));
    k.n_coefficients = coefficients.u32();
    table.expect_size(k.coefficients, name_of(zkey_section::coefficients), 4 + k.n_coefficients * record_bytes,
                      std::to_string(k.n_coefficients) + " coefficients");
    k.development_setup = table.has(number(zkey_section::development));
    return k;
}

std::vector<zkey_contribution> read_zkey_contributions(const input_file& file, const zkey_layout& layout) {
    const section_table table(file, "zkey", 1, "Zkey");
    std::vector<zkey_contribution> all;
    if (!table.has(number(zkey_section::contributions))) return all;
    const section& s = table.only(number(zkey_section::contributions), name_of(zkey_section::contributions));
    section_cursor cursor(table, s, name_of(zkey_section::contributions));
    cursor.skip(64);  // the circuit's hash
    const uint32_t count = cursor.u32();
    const uint64_t fixed = (3 * layout.g1_words() + layout.g2_words()) * 8 + 64;
    if (count > most_contributions || count * (fixed + 8) > cursor.left())
        throw table.fault("Contribution", std::to_string(count) + " contributions do not fit the section", "make the key again", cursor.offset() - 4);
    for (uint32_t i = 0; i < count; i++) {
        cursor.skip(fixed);
        zkey_contribution c;
        c.type = cursor.u32();
        const uint32_t length = cursor.u32();
        const uint64_t end = cursor.offset() + length;
        if (length > cursor.left()) cursor.skip(length);  // throws
        while (cursor.offset() < end) {
            uint8_t kind = 0, size = 0;
            const uint64_t at = cursor.offset();
            cursor.read(&kind, 1);
            if (kind == 2) {  // the beacon's number of iterations, one byte
                cursor.skip(1);
                continue;
            }
            cursor.read(&size, 1);
            if ((kind != 1 && kind != 3) || cursor.offset() + size > end)
                throw table.fault("Contribution", "contribution " + std::to_string(i + 1) + " has a parameter that cannot be read", "make the key again", at);
            std::string text(size, '\0');
            cursor.read(text.data(), size);
            if (kind == 1) c.name = text;
        }
        all.push_back(std::move(c));
    }
    return all;
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
    end();
}

void zkey_writer::development_mark() {
    begin(zkey_section::contributions);
    const uint8_t no_hash[64] = {};
    file_.write(no_hash, sizeof no_hash);
    file_.write_u32(0);
    end();
    begin(zkey_section::development);
    const char text[] = "insecure development setup: whoever made this key knows its secrets and can forge proofs";
    file_.write(text, sizeof text - 1);
    end();
}

}  // namespace cuzk
