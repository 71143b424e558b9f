// The particle columns of the methods without a grid, and why a particle of theirs may be guarded.
#pragma once

#include "base/sym.h"
#include "world/world.h"

namespace knead {

// Neighbours in the embedding: at most 32, and some that are leaving.
using Neighbours = Vec<std::int32_t, 48>;
template <class T>
using Fades = Vec<T, 48>;
inline constexpr int most_neighbours = 32;
// Fewer cannot tell a deformation (Gerszewski 2014, section 4.4).
template <int D>
inline constexpr int fewest_neighbours = D == 2 ? 3 : 6;

// The particle columns that these methods read and write. Names with a dot in front are for checkpoints only.
template <class T, int D>
struct MeshlessColumns {
  std::span<Vec<T, D>> x, v;
  std::span<Vec<T, D>> x_low;    // m, by which places are beyond what x can say; empty in double precision
  std::span<Mat<T, D>> F;        // deformation gradient: of the rest shape (mls), elastic (embedded, composed)
  std::span<Mat<T, D>> F_low;    // composed: what F has lost by rounding; empty in double precision
  std::span<Sym<T, D>> tau;      // Kirchhoff stress
  std::span<T> mass, volume, h;  // volume at rest; radius of the neighbourhood
  std::span<std::int32_t> body;
  std::span<std::int32_t> group;     // mls: whose rest positions belong together; the body, or those fused with it
  std::span<Vec<T, D>> X;            // mls: rest position
  std::span<Mat<T, D>> plastic;      // mls: inverse of the plastic part of F, for flow rules of stretches
  std::span<Sym<T, D>> strain;       // mls: plastic strain of a solid, elastic strain of a melt (Green)
  std::span<T> molten;               // mls: 1 or 0; empty where nothing can melt
  std::span<double> temperature;     // K; empty where nothing has one
  std::span<double> latent;          // J/kg, taken up by melting
  std::span<Vec<T, D>> embedded;     // embedded: position in the embedding
  std::span<Mat<T, D>> P;            // embedded: plastic offset
  std::span<Vec<T, D>> x_before, a;  // embedded: place before the last step; elastic and outer acceleration
  std::span<T> first_volume;         // embedded: m^3 at the start
  std::span<T> volume_factor;        // embedded: of the volume that the neighbourhood tells
  std::span<Neighbours> neighbours;  // embedded: -1 behind the last
  std::span<Fades<T>> fades;         // embedded: how far each has come in
  std::span<Vec<T, D>> body_a;       // m/s^2, of body forces; empty where there are none
  // Of events that change materials, empty in scenes without: the stabilizer's slope in Pa up to a strain, 0 where it
  // is that of the law (mls, embedded); kg/m^3 above that at rest at which the pressure begins (composed, and melts of
  // mls, which have it in any scene).
  std::span<T> held_slope, held_strain, held_density;
  std::span<T> height;   // mls: m, of the body at the start along gravity; empty where nothing can melt
  std::span<T> skipped;  // composed: steps in a row in which F could not be told and only turned
  explicit MeshlessColumns(Particles&);
  bool is_molten(std::size_t i) const { return !molten.empty() && molten[i] != T(0); }
};

// Why a particle's deformation could not be told from its neighbours.
enum class Guard : unsigned char { none, shed, few, flat, inverted };
inline void add_guard(Guarded& guarded, Guard why) {
  guarded.shed += why == Guard::shed, guarded.few += why == Guard::few;
  guarded.flat += why == Guard::flat, guarded.inverted += why == Guard::inverted;
}
// Of neighbours that do not tell it.
template <int D>
constexpr Guard guard_for(int neighbours) {
  return neighbours == 0 ? Guard::shed : neighbours < fewest_neighbours<D> ? Guard::few : Guard::flat;
}

}  // namespace knead
