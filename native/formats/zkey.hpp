// Groth16 proving keys, as snarkjs writes them (.zkey).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "field/curves.hpp"
#include "formats/sections.hpp"

namespace cuzk {

// The sections of a Groth16 .zkey. Points are affine and uncompressed, Montgomery form (kernels.hpp: file form).
enum class zkey_section : uint32_t {
    protocol = 1, header = 2, ic = 3, coefficients = 4, a = 5, b1 = 6, b2 = 7, c = 8, h = 9, contributions = 10,
    development = 100,  // ours: a text that says that the key's secrets are known; other tools ignore the section
};

// The name of the contribution that a development setup enters. It stays in the file when somebody contributes to such a key with
// snarkjs, which drops sections that it does not know; the key stays insecure all the same, as tau, alpha and beta remain known.
inline constexpr char development_contribution[] = "insecure development setup: secrets known";

struct zkey_contribution {
    uint32_t type = 0;  // 0: a person's, 1: a random beacon's
    std::string name;
};

// A key's header, and where everything else stands. All sizes have been checked against the file.
struct zkey_layout {
    curve_id curve{};
    uint64_t n_vars = 0;      // signals, the constant 1 included
    uint64_t n_public = 0;    // public signals, without the constant 1
    uint64_t domain_size = 0; // a power of two
    unsigned log_domain = 0;
    std::vector<uint64_t> alpha1, beta1, beta2, gamma2, delta1, delta2;
    uint64_t header_points_offset = 0;  // alpha1, beta1, beta2, gamma2, delta1, delta2 follow one another
    section ic, a, b1, b2, c, h;        // n_public + 1, n_vars, n_vars, n_vars, n_vars - n_public - 1 and domain_size points
    section coefficients;               // u32 count, then records (groth16/matrix.hpp)
    uint32_t n_coefficients = 0;
    bool development_setup = false;     // marked by section 100, or by a contribution of the name above

    size_t g1_words() const { return curve == curve_id::bn254 ? 8 : 12; }
    size_t g2_words() const { return 2 * g1_words(); }
    // Where the records of section 4 begin.
    uint64_t records_offset() const { return coefficients.offset + 4; }
};

// Reads and checks the header and the table of sections; the points and coefficients themselves are not looked at. Throws "Zkey..."
// errors: NotThisFormat, Version, SectionCount, Truncated, SectionMissing, SectionRepeated, SectionSize, Protocol (PLONK, FFLONK),
// UnknownCurve, DomainSize, PublicCount. Contributions that cannot be read are not refused here: proving does not need them.
zkey_layout read_zkey_layout(const input_file& file);

// The ceremony's contributions (section 10), for people to read; empty if the section is missing. Throws "ZkeyTruncated" or
// "ZkeyContribution".
std::vector<zkey_contribution> read_zkey_contributions(const input_file& file, const zkey_layout& layout);

// Writes a key section by section: begin(), write..., end(), in any order of ids; finish() completes the file.
class zkey_writer {
public:
    zkey_writer(std::string path, uint32_t sections);
    void begin(zkey_section id);
    output_file& out() { return file_; }
    void end();
    void finish() { file_.commit(); }

    // The protocol and header sections. Points in file form.
    void header(curve_id curve, uint32_t n_vars, uint32_t n_public, uint32_t domain_size,
                const std::array<std::vector<uint64_t>, 6>& alpha1_beta1_beta2_gamma2_delta1_delta2);
    // The marks of a development setup, after header(): a list of one contribution by the name above, and section 100.
    void development_mark();
    static constexpr uint32_t development_sections = 2;

private:
    output_file file_;
    uint64_t size_at_ = 0;
    std::vector<uint64_t> delta1_;
};

// The moduli as the files state them, and the curve that they belong to.
struct curve_moduli {
    curve_id curve;
    std::vector<uint64_t> q, r;
};
const curve_moduli& moduli_of(curve_id curve);

}  // namespace cuzk
