#include "groth16/inspect.hpp"

#include <cstring>

#include "formats/r1cs.hpp"
#include "formats/sym.hpp"
#include "formats/wtns.hpp"
#include "formats/zkey.hpp"

namespace cuzk {

namespace {

std::string name_of(curve_id curve) {
    return with_curve(curve, []<class Curve>() { return Curve::name; });
}

std::vector<fact> inspect_zkey(const input_file& file) {
    const zkey_layout key = read_zkey_layout(file);
    std::vector<std::string> contributions;
    for (const auto& c : read_zkey_contributions(file, key))
        contributions.push_back(c.name.empty() ? (c.type == 1 ? "(beacon)" : "(unnamed)") : c.name);
    const std::string insecure = key.development_setup ? "development setup: the secrets are known"
                                 : key.gamma2 == key.delta2 ? "gamma and delta are equal: no contribution was made"
                                                            : "";
    std::vector<fact> facts{{"format", std::string("zkey")},
                            {"protocol", std::string("groth16")},
                            {"curve", name_of(key.curve)},
                            {"nVars", key.n_vars},
                            {"nPublic", key.n_public},
                            {"domainSize", key.domain_size},
                            {"nCoefs", uint64_t{key.n_coefficients}},
                            {"contributions", contributions}};
    if (!insecure.empty()) facts.push_back({"insecure", insecure});
    return facts;
}

std::vector<fact> inspect_wtns(const input_file& file) {
    const wtns_layout w = read_wtns_layout(file);
    return {{"format", std::string("wtns")}, {"curve", name_of(w.curve)}, {"nVars", w.n_values}};
}

std::vector<fact> inspect_r1cs(const input_file& file) {
    const r1cs_layout c = read_r1cs_layout(file);
    return {{"format", std::string("r1cs")},
            {"curve", name_of(c.curve)},
            {"nVars", c.n_wires},
            {"nConstraints", c.n_constraints},
            {"nPublicOutputs", c.n_public_outputs},
            {"nPublicInputs", c.n_public_inputs},
            {"nPrivateInputs", c.n_private_inputs},
            {"nLabels", c.n_labels}};
}

std::vector<fact> inspect_sym(const input_file& file, const task& t) {
    uint64_t symbols = 0, removed = 0;
    for_each_symbol(file, [&](const sym_line& line) {
        if (symbols++ % 65536 == 0) t.check();
        removed += line.wire < 0;
        return true;
    });
    return {{"format", std::string("sym")}, {"nSymbols", symbols}, {"nRemoved", removed}};
}

}  // namespace

std::vector<fact> inspect(const std::string& path, const task& t) {
    t.check();
    const input_file file(path);
    char magic[4] = {};
    if (file.size() >= sizeof magic) file.read(0, magic, sizeof magic);
    const auto starts_with = [&](const char* word) { return std::memcmp(magic, word, sizeof magic) == 0; };
    std::vector<fact> facts;
    try {
        if (starts_with("zkey"))
            facts = inspect_zkey(file);
        else if (starts_with("wtns"))
            facts = inspect_wtns(file);
        else if (starts_with("r1cs"))
            facts = inspect_r1cs(file);
        else if (magic[0] >= '0' && magic[0] <= '9')
            facts = inspect_sym(file, t);
        else
            throw error("FormatUnknown", "this is no .zkey, .wtns, .r1cs or .sym, but " + describe_content(file),
                        "check that the path is right and the file is complete");
    } catch (error& e) {
        e.in_file(path);
        throw;
    }
    facts.push_back({"fileBytes", file.size()});
    return facts;
}

}  // namespace cuzk
