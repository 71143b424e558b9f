// Small vectors, matrices and symmetric tensors.
#include "base/dual.h"
#include "base/mat.h"
#include "base/pack.h"
#include "base/sym.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

template <int N>
Mat<double, N> random_matrix(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Mat<double, N> m{};
  for (double& x : m.e) x = normal(random);
  return m;
}

// A few roundings of entries of order 1.
constexpr double rounding = 1e-13;

template <int N>
double largest(const Mat<double, N>& m) {
  double r = 0;
  for (double x : m.e) r = std::max(r, std::abs(x));
  return r;
}

template <int N>
void check_algebra() {
  std::mt19937_64 random(1);
  for (int k = 0; k < 1000; ++k) {
    const auto A = random_matrix<N>(random), B = random_matrix<N>(random);
    const Vec<double, N> x = B.column(0), y = A.row(0);
    EXPECT_LT(largest((A * B) * A - A * (B * A)), 100 * rounding);
    EXPECT_LT(largest(transpose(A * B) - transpose(B) * transpose(A)), rounding);
    EXPECT_NEAR(determinant(A * B), determinant(A) * determinant(B), 1000 * rounding);
    // A^T cof A = det A I holds without a division, so for nearly singular A too.
    EXPECT_LT(largest(transpose(A) * cofactor(A) - determinant(A) * Mat<double, N>::identity()), 100 * rounding);
    EXPECT_NEAR(dot(A * x, y), dot(x, transpose(A) * y), 100 * rounding);
    EXPECT_NEAR(trace(outer(x, y)), dot(x, y), rounding);
    EXPECT_NEAR(norm2(A), trace(transpose(A) * A), 100 * rounding);
    if (std::abs(determinant(A)) > 0.1) {
      EXPECT_LT(largest(inverse(A) * A - Mat<double, N>::identity()), 1000 * rounding);
    }
  }
}

TEST(Mat, obeys_the_rules_of_algebra) {
  check_algebra<2>();
  check_algebra<3>();
}

TEST(Vec, cross_product_is_orthogonal_and_agrees_with_its_matrix) {
  std::mt19937_64 random(2);
  for (int k = 0; k < 1000; ++k) {
    const Vec3d a = random_matrix<3>(random).row(0), b = random_matrix<3>(random).row(1), c = cross(a, b);
    EXPECT_NEAR(dot(a, c), 0, 10 * rounding);
    EXPECT_NEAR(dot(b, c), 0, 10 * rounding);
    EXPECT_NEAR(length(cross_matrix(a) * b - c), 0, rounding);
    EXPECT_NEAR(dot(c, c), dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b), 100 * rounding);
  }
}

TEST(Vec, normalized_zero_is_the_fallback) {
  EXPECT_EQ(normalized(Vec3d::zero(), Vec3d::axis(2)), Vec3d::axis(2));
  EXPECT_EQ(normalized(Vec3d{0, -2, 0}), (Vec3d{0, -1, 0}));
}

TEST(Vec, resized_cuts_or_fills_with_zeros) {
  EXPECT_EQ((resized<double, 3>(Vec2f{1, 2})), (Vec3d{1, 2, 0}));
  EXPECT_EQ((resized<float, 2>(Vec3d{1, 2, 3})), (Vec2f{1, 2}));
}

template <int D>
void check_symmetric() {
  std::mt19937_64 random(3);
  for (int k = 0; k < 100; ++k) {
    const auto A = random_matrix<D>(random);
    const Mat<double, D> S = A + transpose(A);
    const Vec<double, D> x = A.row(0);
    EXPECT_EQ(to_matrix<D>(to_sym(S)), S);
    EXPECT_NEAR(length(sym_times<double, D>(to_sym(S), x) - S * x), 0, 10 * rounding);
    const Mat<double, D> direct = A * (Mat<double, D>::diagonal(x) * transpose(A));
    EXPECT_LT(largest(to_matrix<D>(rotated_diagonal(A, x)) - direct), 100 * rounding);
  }
}

TEST(Sym, agrees_with_the_full_matrix) {
  check_symmetric<2>();
  check_symmetric<3>();
}

TEST(Sym, entries_are_in_the_order_of_the_files) {
  EXPECT_EQ(to_sym(Mat2d{{11, 12, 12, 22}}), (Vec<double, 3>{11, 22, 12}));
  EXPECT_EQ(to_sym(Mat3d{{11, 12, 13, 12, 22, 23, 13, 23, 33}}), (Vec<double, 6>{11, 22, 33, 12, 13, 23}));
}

TEST(Mat, of_packs_gives_in_each_lane_what_the_scalar_gives) {
  using P = Pack<double>;
  std::mt19937_64 random(4);
  Mat3d scalar[P::width];
  Mat<P, 3> packed{};
  for (int lane = 0; lane < P::width; ++lane) {
    scalar[lane] = random_matrix<3>(random);
    for (int i = 0; i < 9; ++i) packed.e[i].set(lane, scalar[lane].e[i]);
  }
  const Mat<P, 3> product = packed * transpose(packed);
  const P det = determinant(packed), len = length(packed.row(0));
  for (int lane = 0; lane < P::width; ++lane) {
    const Mat3d expected = scalar[lane] * transpose(scalar[lane]);
    for (int i = 0; i < 9; ++i) EXPECT_NEAR(product.e[i][lane], expected.e[i], rounding);
    EXPECT_NEAR(det[lane], determinant(scalar[lane]), rounding);
    EXPECT_NEAR(len[lane], length(scalar[lane].row(0)), rounding);
  }
}

TEST(Mat, of_dual_numbers_differentiates) {
  // d det(A) = cof A : dA
  std::mt19937_64 random(5);
  for (int k = 0; k < 100; ++k) {
    const Mat3d A = random_matrix<3>(random), dA = random_matrix<3>(random);
    Mat<Dual<double>, 3> D{};
    for (int i = 0; i < 9; ++i) D.e[i] = {A.e[i], dA.e[i]};
    EXPECT_NEAR(determinant(D).slope, trace(transpose(cofactor(A)) * dA), 100 * rounding);
  }
}

}  // namespace
}  // namespace knead
