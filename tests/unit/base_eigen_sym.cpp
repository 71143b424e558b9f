// Eigenvalues of small symmetric matrices: the matrix is rebuilt, the vectors are a rotation, in packs as in scalars.
#include "base/eigen_sym.h"
#include "base/pack_memory.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

// Symmetric matrices of all sorts: random, near the identity, with equal values, of low rank, diagonal.
template <int N>
std::vector<Sym<double, N>> samples() {
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<Sym<double, N>> all;
  for (int k = 0; k < 4000; ++k) {
    Mat<double, N> m{};
    for (double& x : m.e) x = normal(engine);
    const double spread = k % 4 == 0 ? 1e-4 : 1;
    Mat<double, N> a = transpose(m) * m * spread;
    if (k % 4 < 2) a += Mat<double, N>::identity();
    if (k % 4 == 2) a = outer(m.row(0), m.row(0));
    if (k % 16 == 3) a = Mat<double, N>::diagonal(m.row(0));
    if (k % 16 == 7) a = Mat<double, N>::identity() * m.e[0];
    if (k % 16 == 11) a = Mat<double, N>::identity() + outer(m.row(0), m.row(0));
    all.push_back(to_sym(a));
  }
  all.push_back(Sym<double, N>::zero());
  return all;
}

template <class T, int N>
void expect_decomposed(const Sym<double, N>& given, const EigenSym<T, N>& e) {
  double size = 1e-30;
  for (double x : given.e) size = std::max(size, std::abs(x));
  // A few tens of roundings over the sweeps.
  const double close = 60 * double(unit_roundoff<T>);
  const Sym<T, N> rebuilt = rotated_diagonal(e.Q, e.values);
  for (int i = 0; i < Sym<T, N>::size; ++i) EXPECT_NEAR(double(rebuilt[i]), given[i], close * size * 3);
  const Mat<T, N> one = e.Q * transpose(e.Q);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) EXPECT_NEAR(double(one(i, j)), i == j, close);
  EXPECT_NEAR(double(determinant(e.Q)), 1, close);
}

template <class T, int N>
void expect_scalars_and_packs() {
  using P = Pack<T>;
  const auto all = samples<N>();
  for (std::size_t k = 0; k + P::width <= all.size(); k += P::width) {
    Sym<T, N> given[P::width];
    for (int i = 0; i < P::width; ++i) given[i] = resized<T, Sym<T, N>::size>(all[k + static_cast<std::size_t>(i)]);
    const EigenSym<P, N> packed = eigen_sym<N>(load_lanes<P>(given));
    for (int i = 0; i < P::width; ++i) {
      const Sym<double, N> exact = resized<double, Sym<T, N>::size>(given[i]);
      EigenSym<T, N> lane{};
      for (int j = 0; j < N; ++j) lane.values[j] = packed.values[j][i];
      for (int j = 0; j < N * N; ++j) lane.Q.e[j] = packed.Q.e[j][i];
      expect_decomposed<T, N>(exact, lane);
      expect_decomposed<T, N>(exact, eigen_sym<N>(given[i]));
    }
  }
}

TEST(EigenSym, rebuilds_the_matrix_from_a_rotation_and_its_values) {
  expect_scalars_and_packs<float, 2>();
  expect_scalars_and_packs<float, 3>();
  expect_scalars_and_packs<double, 2>();
  expect_scalars_and_packs<double, 3>();
}

TEST(EigenSym, identity_is_left_alone_to_the_last_bit) {
  const EigenSym<float, 3> e = eigen_sym<3>(Sym<float, 3>{1, 1, 1, 0, 0, 0});
  EXPECT_EQ(e.values, (Vec<float, 3>{1, 1, 1}));
  EXPECT_EQ(e.Q, (Mat<float, 3>::identity()));
}

TEST(EigenSym, a_nan_is_not_hidden) {
  const EigenSym<double, 3> e = eigen_sym<3>(Sym<double, 3>{1, 2, 3, std::nan(""), 0, 0});
  for (double x : e.values.e) EXPECT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace knead
