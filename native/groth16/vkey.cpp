#include "groth16/vkey.hpp"

#include "curve/subgroup.hpp"
#include "formats/zkey.hpp"
#include "groth16/coordinates.hpp"

namespace cuzk {

namespace {

constexpr const char* remedy = "the key is damaged: get or make it again";

template <class Curve>
void check_on_curve(const verification_key& key, uint64_t ic_offset, const task& t) {
    const auto refuse = [](const std::string& name) { return error("KeyPointOffCurve", name + " is not on the curve", remedy); };
    if (!on_curve_g1<Curve>(key.alpha1.data())) throw refuse("alpha1");
    if (!on_curve_g2<Curve>(key.beta2.data())) throw refuse("beta2");
    if (!on_curve_g2<Curve>(key.gamma2.data())) throw refuse("gamma2");
    if (!on_curve_g2<Curve>(key.delta2.data())) throw refuse("delta2");
    constexpr size_t words = 2 * Curve::fp::N;
    for (size_t i = 0; i < key.ic.size(); i += words) {
        if (i / words % 4096 == 0) t.check();
        if (!on_curve_g1<Curve>(&key.ic[i]))
            throw refuse("point " + std::to_string(i / words) + " of section IC").at(ic_offset + i * sizeof(uint64_t));
    }
}

}  // namespace

verification_key read_verification_key(const std::string& zkey, const task& t) {
    const input_file file(zkey);
    try {
        const zkey_layout layout = read_zkey_layout(file);
        verification_key key{layout.curve, layout.alpha1, layout.beta2, layout.gamma2, layout.delta2, read_ic(file, layout)};
        with_curve(key.curve, [&]<class Curve>() { check_on_curve<Curve>(key, layout.ic.offset, t); });
        return key;
    } catch (error& e) {
        e.in_file(zkey);
        throw;
    }
}

}  // namespace cuzk
