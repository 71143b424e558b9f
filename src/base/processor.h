// Which vector instructions the solvers use. A program holds their code for one or more levels, and the best one that
// the processor can run is chosen when it starts; KNEAD_LEVEL=plain|avx2|avx512 in the environment chooses another. All
// levels give the same bits.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace knead {

enum class Level {
  plain,   // x86-64-v2 (SSE4.2), or whatever another kind of processor offers
  avx2,    // x86-64-v3: AVX2 and FMA
  avx512,  // x86-64-v4: the AVX-512 of servers and of AMD since Zen 4
};

std::string_view name_of(Level);
// For people: "AVX2, 8 floats".
std::string description_of(Level);
bool processor_has(Level);

// The level to use of those that the program holds, in ascending order: the best that this processor has, or the one
// that KNEAD_LEVEL asks for. Fails where there is none, and says what to do.
Level choose_level(std::span<const Level> built);

}  // namespace knead
