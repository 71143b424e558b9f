// Pieces of matter against their definition, pair by pair, and what makes two of one.
#include "run/pieces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace knead {
namespace {

// The definition itself: paths of pairs that share a node, found by spreading one number.
int pieces_by_pairs(const std::vector<Vec3d>& x, double dx, int width) {
  const auto start = [&](double place) {
    return width == 3 ? std::floor(place / dx - 0.5) : std::floor(place / dx) - (width == 4 ? 1 : 0);
  };
  std::vector<int> mark(x.size(), -1);
  int count = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (mark[i] >= 0) continue;
    std::vector<std::size_t> todo{i};
    mark[i] = count++;
    while (!todo.empty()) {
      const Vec3d at = x[todo.back()];
      todo.pop_back();
      for (std::size_t j = 0; j < x.size(); ++j) {
        bool shares = mark[j] < 0;
        for (int a = 0; a < 3; ++a) shares = shares && std::abs(start(at[a]) - start(x[j][a])) < width;
        if (shares) mark[j] = count - 1, todo.push_back(j);
      }
    }
  }
  return count;
}

TEST(Pieces, are_those_of_the_pairs_that_share_a_node) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(-3, 3);
  bool one = false, many = false;
  for (int n : {1, 10, 40, 80, 160, 500})
    for (int width : {2, 3, 4}) {
      std::vector<Vec3d> x(static_cast<std::size_t>(n));
      for (Vec3d& p : x) p = {place(random), place(random), place(random)};
      const std::vector<double> mass(x.size(), 1.0);
      const Pieces found = count_pieces(x, mass, 0.3, width, 0);
      EXPECT_EQ(found.count, pieces_by_pairs(x, 0.3, width)) << n << " particles, width " << width;
      EXPECT_EQ(found.main, found.count) << "every piece holds a share of at least 0";
      one = one || found.count == 1, many = many || found.count > 5;
    }
  EXPECT_TRUE(one && many) << "the cases should include matter in one piece and in many";
}

TEST(Pieces, weigh_by_mass) {
  const std::vector<Vec3d> x{{0, 0, 0}, {0.5, 0, 0}, {9, 0, 0}, {0, 20, 0}};
  const std::vector<double> mass{3, 3, 3, 1};
  const Pieces found = count_pieces(x, mass, 1, 3, 0.2);
  EXPECT_EQ(found.count, 3);
  EXPECT_EQ(found.main, 2);
  EXPECT_DOUBLE_EQ(found.largest, 0.6);
}

TEST(Pieces, there_are_none_of_nothing) {
  const Pieces found = count_pieces({}, {}, 1, 3, 0.1);
  EXPECT_EQ(found.count, 0);
  EXPECT_EQ(found.largest, 0);
}

}  // namespace
}  // namespace knead
