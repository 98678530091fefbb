#include "groth16/coordinates.hpp"

#include <string>

namespace cuzk {

void check_coordinates(curve_id curve, const char* section_name, const uint64_t* words, size_t count, uint64_t offset) {
    with_curve(curve, [&]<class Curve>() {
        using fp = typename Curve::fp;
        for (size_t i = 0; i < count; i += fp::N)
            if (!fp::is_reduced(words + i))
                throw error("ZkeyPointNotReduced", std::string("a coordinate in section ") + section_name + " is not below the field's modulus",
                            "the key is damaged: get or make it again")
                    .at(offset + i * sizeof(uint64_t));
    });
}

std::vector<uint64_t> read_ic(const input_file& file, const zkey_layout& layout) {
    uint64_t offset = layout.header_points_offset;
    for (const auto* p : {&layout.alpha1, &layout.beta1, &layout.beta2, &layout.gamma2, &layout.delta1, &layout.delta2}) {
        check_coordinates(layout.curve, "2 (header)", p->data(), p->size(), offset);
        offset += p->size() * sizeof(uint64_t);
    }
    std::vector<uint64_t> ic(layout.ic.size / sizeof(uint64_t));
    file.read(layout.ic.offset, ic.data(), layout.ic.size);
    check_coordinates(layout.curve, "IC", ic.data(), ic.size(), layout.ic.offset);
    return ic;
}

}  // namespace cuzk
