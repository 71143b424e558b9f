// The singular value decomposition never fails, and packs agree with scalars.
#include "base/svd.h"

#include "base/pack.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace knead {
namespace {

// The promise of base/svd.h, relative to the Frobenius norm of the matrix.
template <class T>
constexpr double tolerance = sizeof(T) == 4 ? 2e-6 : 1e-13;
// Entries below the normal range have fewer digits: a few of its steps are always allowed.
template <class T>
constexpr double smallest_step = 4 * static_cast<double>(std::numeric_limits<T>::denorm_min());

template <int N>
double largest(const Mat<double, N>& m) {
  double r = 0;
  for (double x : m.e) r = std::isfinite(x) ? std::max(r, std::abs(x)) : 1e300;
  return r;
}

template <class T, int N>
class Matrices {
 public:
  using Wide = Mat<double, N>;
  Wide gaussian() {
    Wide m{};
    for (double& x : m.e) x = normal_(random_);
    return m;
  }
  Wide rotation() {  // of a well-conditioned random matrix, by Gram-Schmidt
    Wide m = gaussian();
    while (std::abs(determinant(m)) < 0.1) m = gaussian();
    Vec<double, N> q[N];
    for (int i = 0; i < N; ++i) {
      q[i] = m.column(i);
      for (int pass = 0; pass < 2; ++pass)
        for (int j = 0; j < i; ++j) q[i] -= dot(q[i], q[j]) * q[j];
      q[i] = normalized(q[i]);
    }
    Wide r{};
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) r(j, i) = q[i][j];
    if (determinant(r) < 0)
      for (int j = 0; j < N; ++j) r(j, 0) = -r(j, 0);
    return r;
  }
  Wide with(const Vec<double, N>& sigma) { return rotation() * Wide::diagonal(sigma) * transpose(rotation()); }
  double uniform() { return 2 * unit_(random_) - 1; }

  // One matrix of each difficult kind.
  std::vector<Mat<T, N>> some() {
    std::vector<Wide> all{gaussian(), rotation(), Wide::zero(), Wide::identity(), -1.0 * Wide::identity()};
    Wide integers{};
    for (double& x : integers.e) x = std::round(2 * uniform());
    all.push_back(integers);
    all.push_back(outer(gaussian().row(0), gaussian().row(0)));
    all.push_back(outer(gaussian().row(0), gaussian().row(0)) + outer(gaussian().row(0), gaussian().row(0)));
    Vec<double, N> s{};
    for (double& x : s.e) x = std::pow(10.0, 12 * uniform() - 12) * (uniform() > 0 ? 1 : -1);
    all.push_back(with(s));
    for (double& x : s.e) x = 1 + 1e-4 * uniform();
    all.push_back(with(s));
    for (double& x : s.e) x = uniform() > 0 ? 1 : 1e-3;
    all.push_back(with(s));
    all.push_back(with(Vec<double, N>::filled(-2)));
    Wide spread = gaussian();
    for (double& x : spread.e) x *= std::pow(10.0, 5 * uniform());
    all.push_back(spread);
    Wide single = Wide::zero();
    single.e[random_() % (N * N)] = uniform();
    all.push_back(single);
    std::vector<Mat<T, N>> result;
    for (const double scale : {1.0, 1e-20, 1e20})
      for (const Wide& m : all) result.push_back(cast<T>(m * scale));
    return result;
  }

 private:
  std::mt19937_64 random_{42};
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> unit_;
};

template <class T, int N>
void expect_decomposed(const Mat<T, N>& F, const Svd<T, N>& d) {
  const Mat<double, N> U = cast<double>(d.U), V = cast<double>(d.V), I = Mat<double, N>::identity();
  const Mat<double, N> wide = cast<double>(F);
  const Vec<double, N> sigma = resized<double, N>(d.sigma);
  const double norm = std::sqrt(norm2(wide));
  EXPECT_LE(largest(U * Mat<double, N>::diagonal(sigma) * transpose(V) - wide), tolerance<T> * norm + smallest_step<T>);
  EXPECT_LE(largest(transpose(U) * U - I), tolerance<T>);
  EXPECT_LE(largest(transpose(V) * V - I), tolerance<T>);
  EXPECT_GT(determinant(U), 0);
  EXPECT_GT(determinant(V), 0);
  for (int i = 0; i + 1 < N; ++i) EXPECT_GE(d.sigma[i], std::abs(d.sigma[i + 1]));
  // The determinant's own rounding is below 1e-15 norm^N.
  if (std::abs(sigma[N - 1]) > 10 * tolerance<T> * norm && std::abs(determinant(wide)) > 1e-14 * std::pow(norm, N)) {
    EXPECT_EQ(sigma[N - 1] < 0, determinant(wide) < 0);
  }
}

template <class S>
class SvdOf : public ::testing::Test {};
template <class Scalar, int Size>
struct Case {
  using T = Scalar;
  static constexpr int N = Size;
};
using Cases = ::testing::Types<Case<float, 2>, Case<float, 3>, Case<double, 2>, Case<double, 3>>;
TYPED_TEST_SUITE(SvdOf, Cases);

TYPED_TEST(SvdOf, random_and_degenerate_matrices_of_any_scale_is_exact_to_rounding) {
  using T = typename TypeParam::T;
  constexpr int N = TypeParam::N;
  Matrices<T, N> matrices;
  for (int k = 0; k < 2000 && !this->HasFailure(); ++k)
    for (const Mat<T, N>& F : matrices.some()) expect_decomposed(F, svd(F));
}

template <class P, int N>
void expect_pack_agrees() {
  using T = typename P::Scalar;
  Matrices<T, N> matrices;
  std::vector<Mat<T, N>> all;
  for (int k = 0; k < 500; ++k)
    for (const auto& F : matrices.some()) all.push_back(F);
  for (std::size_t begin = 0; begin + P::width <= all.size(); begin += P::width) {
    Mat<P, N> packed{};
    for (int lane = 0; lane < P::width; ++lane)
      for (int i = 0; i < N * N; ++i) packed.e[i].set(lane, all[begin + static_cast<std::size_t>(lane)].e[i]);
    const Svd<P, N> d = svd(packed);
    for (int lane = 0; lane < P::width; ++lane) {
      const Mat<T, N>& F = all[begin + static_cast<std::size_t>(lane)];
      Svd<T, N> one{};
      for (int i = 0; i < N * N; ++i) one.U.e[i] = d.U.e[i][lane], one.V.e[i] = d.V.e[i][lane];
      for (int i = 0; i < N; ++i) one.sigma[i] = d.sigma[i][lane];
      expect_decomposed(F, one);
      // Singular values are unique, so they agree to rounding; vectors of repeated ones are not.
      const Svd<T, N> scalar = svd(F);
      for (int i = 0; i < N; ++i)
        EXPECT_NEAR(one.sigma[i], scalar.sigma[i], tolerance<T> * scalar.sigma[0] + smallest_step<T>);
    }
    if (::testing::Test::HasFailure()) return;
  }
}

TYPED_TEST(SvdOf, packs_agrees_with_that_of_scalars) {
  using T = typename TypeParam::T;
  expect_pack_agrees<Pack<T>, TypeParam::N>();
  expect_pack_agrees<Pack<T, 16 / sizeof(T)>, TypeParam::N>();
}

TYPED_TEST(SvdOf, diagonal_matrices_gives_the_entries) {
  using T = typename TypeParam::T;
  constexpr int N = TypeParam::N;
  Mat<T, N> F = Mat<T, N>::zero();
  F(0, 0) = T(0.5), F(1, 1) = T(-3);
  if constexpr (N == 3) F(2, 2) = T(2);
  const Svd<T, N> d = svd(F);
  const Vec<T, N> expected = [] {
    if constexpr (N == 2)
      return Vec<T, 2>{T(3), T(-0.5)};
    else
      return Vec<T, 3>{T(3), T(2), T(-0.5)};
  }();
  for (int i = 0; i < N; ++i) EXPECT_NEAR(d.sigma[i], expected[i], 4 * std::numeric_limits<T>::epsilon());
}

TYPED_TEST(SvdOf, a_matrix_with_a_nan_is_nan) {
  using T = typename TypeParam::T;
  constexpr int N = TypeParam::N;
  for (int i = 0; i < N * N; ++i) {
    Mat<T, N> F = Mat<T, N>::identity();
    F.e[i] = std::numeric_limits<T>::quiet_NaN();
    EXPECT_TRUE(std::isnan(svd(F).sigma[0] + svd(F).sigma[N - 1])) << "entry " << i;
    EXPECT_TRUE(std::isnan(svd(cast<Pack<T>>(F)).sigma[0][0])) << "entry " << i;
  }
}

TYPED_TEST(SvdOf, and_polar_rotation_times_stretch_gives_the_matrix) {
  using T = typename TypeParam::T;
  constexpr int N = TypeParam::N;
  Matrices<T, N> matrices;
  for (int k = 0; k < 200; ++k)
    for (const Mat<T, N>& F : matrices.some()) {
      const Polar<T, N> p = polar(F);
      const Mat<double, N> R = cast<double>(p.R), S = cast<double>(p.S), wide = cast<double>(F);
      const double norm = std::sqrt(norm2(wide));
      EXPECT_LE(largest(R * S - wide), 2 * tolerance<T> * norm + smallest_step<T>);
      EXPECT_LE(largest(transpose(R) * R - Mat<double, N>::identity()), 2 * tolerance<T>);
      EXPECT_LE(largest(transpose(S) - S), tolerance<T> * norm + smallest_step<T>);
      EXPECT_GT(determinant(R), 0);
    }
}

}  // namespace
}  // namespace knead
