// A particle that the sort put into a block must never reach outside that block's arena.
#include "grid/stencil.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

using SmallArena = Arena<float, 3, 2>;

TEST(Stencil, stays_in_the_arena_when_rounding_puts_the_particle_across_the_face) {
  const float dx = 0.012f, inverse = 1 / dx;
  for (int side : {-1, 0, 1, 2, 5}) {
    // A few representable positions on either side of a block face.
    float x = (float(side * BlockLayout<3>::side) + 0.5f) * dx;
    for (int i = 0; i < 4; ++i) x = std::nextafter(x, -1e9f);
    for (int i = 0; i < 8; ++i, x = std::nextafter(x, 1e9f))
      for (int home : {side - 1, side}) {
        const Vec3i origin = Vec3i::filled(home * BlockLayout<3>::side);
        const Stencil<float, 3, 2> s(Vec3f::filled(x), inverse, origin);
        EXPECT_GE(s.corner, 0);
        EXPECT_LT(s.corner + SmallArena::index(Vec3i::filled(2)), int(SmallArena::size));
        float sum = 0;
        for (float w : s.axis[0].w) sum += w;
        EXPECT_NEAR(sum, 1, 1e-5);
      }
  }
}

}  // namespace
}  // namespace knead
