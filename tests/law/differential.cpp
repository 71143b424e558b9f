// The answer of the stress to a small change of the deformation gradient, for every law of the list.
#include "law_support.h"

#include "base/pack_memory.h"
#include "material/differential.h"

namespace knead {
namespace {

template <class Law>
constexpr bool bears_inversion = std::is_same_v<typename Law::Elastic, FixedCorotated>;

template <class Law>
class Differentials : public ::testing::Test {
 protected:
  Law law{};
  HistoryD<Law> history = Law::template initial_history<double>();
  Random random;
};
TYPED_TEST_SUITE(Differentials, LawTypes, LawName);

// The differential as a matrix: column c is dP for a change of entry c of F.
template <int D>
struct Operator {
  static constexpr int size = D * D;
  double e[size][size];

  double largest() const {
    double r = 0;
    for (const auto& row : e)
      for (double x : row) r = std::max(r, std::abs(x));
    return r;
  }
};
template <int D>
Operator<D> matrix_of(const StressDifferential<double, D>& differential) {
  Operator<D> K{};
  for (int c = 0; c < D * D; ++c) {
    Mat<double, D> dF = Mat<double, D>::zero();
    dF.e[c] = 1;
    const Mat<double, D> dP = differential(dF);
    for (int r = 0; r < D * D; ++r) K.e[r][c] = dP.e[r];
  }
  return K;
}
template <int D>
double distance(Operator<D> a, const Operator<D>& b) {
  for (int r = 0; r < D * D; ++r)
    for (int c = 0; c < D * D; ++c) a.e[r][c] -= b.e[r][c];
  return a.largest();
}

// The smallest eigenvalue of a symmetric matrix, by Jacobi rotations.
template <int D>
double smallest_eigenvalue(Operator<D> K) {
  const int n = D * D;
  for (int sweep = 0; sweep < 12; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double angle = 0.5 * std::atan2(2 * K.e[p][q], K.e[q][q] - K.e[p][p]);
        const double c = std::cos(angle), s = std::sin(angle);
        for (int k = 0; k < n; ++k) {
          const double a = K.e[p][k], b = K.e[q][k];
          K.e[p][k] = c * a - s * b;
          K.e[q][k] = s * a + c * b;
        }
        for (int k = 0; k < n; ++k) {
          const double a = K.e[k][p], b = K.e[k][q];
          K.e[k][p] = c * a - s * b;
          K.e[k][q] = s * a + c * b;
        }
      }
  double r = K.e[0][0];
  for (int k = 1; k < n; ++k) r = std::min(r, K.e[k][k]);
  return r;
}

template <class Law, int D>
Mat<double, D> piola(const Law& law, const Mat<double, D>& F, const HistoryD<Law>& history) {
  return elastic_stress(law, F, history) * transpose(inverse(F));
}

template <class Law, int D>
void expect_slope_of_stress(const Law& law, const HistoryD<Law>& history, const Mat<double, D>& F) {
  const Operator<D> K = matrix_of(stress_differential(law, F, history));
  const double step = 1e-5, scale = K.largest();
  for (int c = 0; c < D * D; ++c) {
    Mat<double, D> more = F, less = F;
    more.e[c] += step;
    less.e[c] -= step;
    const Mat<double, D> dP = (piola(law, more, history) - piola(law, less, history)) * (0.5 / step);
    // Central differences: the step squared times the third derivative, and rounding over the step.
    for (int r = 0; r < D * D; ++r) {
      EXPECT_NEAR(K.e[r][c], dP.e[r], 1e-6 * scale);
      EXPECT_NEAR(K.e[r][c], K.e[c][r], 1e-12 * scale);  // a second derivative is symmetric
    }
  }
}

// F with these stretches.
template <int D>
Mat<double, D> stretched(Random& random, const Vec<double, D>& sigma) {
  const Mat<double, D> U = random.rotation<D>(), V = random.rotation<D>();
  return U * Mat<double, D>::diagonal(sigma) * V;
}

template <class Law, int D>
void expect_slopes_of_stress(const Law& law, const HistoryD<Law>& history, Random& random) {
  for (int k = 0; k < 100; ++k) {
    expect_slope_of_stress(law, history, random.deformation<D>(0.5, 2));
    // Stretches that nearly and exactly meet, two and all.
    Vec<double, D> sigma = random.stretches<D>(0.5, 2);
    for (const double apart : {0.0, 1e-12, 1e-9, 1e-6}) {
      sigma[1] = sigma[0] * (1 + apart);
      expect_slope_of_stress(law, history, stretched(random, sigma));
      expect_slope_of_stress(law, history, Mat<double, D>::diagonal(sigma));
    }
    expect_slope_of_stress(law, history, random.rotation<D>() * random.uniform(0.5, 2));
    if constexpr (bears_inversion<Law>) {
      // Away from opposite stretches, where the polar rotation jumps.
      sigma = random.stretches<D>(1, 1.5);
      sigma[D - 1] = random.uniform(-0.6, -0.3);
      expect_slope_of_stress(law, history, stretched(random, sigma));
    }
  }
}

TYPED_TEST(Differentials, are_the_symmetric_derivative_of_the_stress) {
  expect_slopes_of_stress<TypeParam, 2>(this->law, this->history, this->random);
  expect_slopes_of_stress<TypeParam, 3>(this->law, this->history, this->random);
}

template <class Law, int D>
void expect_positive_part(const Law& law, const HistoryD<Law>& history, Random& random) {
  int indefinite = 0, positive = 0;
  for (int k = 0; k < 1000; ++k) {
    Mat<double, D> F = random.deformation<D>(k % 2 ? 0.06 : 0.9, k % 2 ? 2 : 1.3);
    if (bears_inversion<Law> && k % 4 == 1) F = random.deformation<D>(-1.5, 1.5);
    const StressDifferential<double, D> raw = stress_differential(law, F, history);
    const Operator<D> K = matrix_of(raw), K_plus = matrix_of(positive_part(raw));
    const double least = smallest_eigenvalue(K);
    EXPECT_GE(smallest_eigenvalue(K_plus), -1e-10 * K.largest());
    if (least < -1e-3 * K.largest()) ++indefinite;
    if (least > 0) {
      ++positive;
      EXPECT_LE(distance(K, K_plus), 1e-12 * K.largest());  // rounding of a decomposition
    }
  }
  EXPECT_GT(indefinite, 100);
  // A liquid lets shape change freely: it is never definite.
  if (!Law::volume_only) {
    EXPECT_GT(positive, 100);
  }
}

TYPED_TEST(Differentials, positive_part_is_semidefinite_and_leaves_a_positive_one_alone) {
  expect_positive_part<TypeParam, 2>(this->law, this->history, this->random);
  expect_positive_part<TypeParam, 3>(this->law, this->history, this->random);
}

TYPED_TEST(Differentials, stay_finite_where_stretches_vanish_or_are_opposite) {
  for (const Vec3d sigma : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{1, 1, -1}, Vec3d{1, 0.5, -0.5}, Vec3d{9, 9, -9}}) {
    const auto raw = stress_differential(this->law, Mat3d::diagonal(sigma), this->history);
    const Operator<3> K = matrix_of(raw), K_plus = matrix_of(positive_part(raw));
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 9; ++j) EXPECT_TRUE(std::isfinite(K.e[i][j]) && std::isfinite(K_plus.e[i][j]));
  }
}

TYPED_TEST(Differentials, are_multiplied_by_the_stiffening) {
  const Mat3d F = this->random.template deformation<3>(0.8, 1.2), dF = this->random.template deformation<3>(0.8, 1.2);
  const Mat3d soft = stress_differential(this->law, F, this->history)(dF);
  const HistoryD<TypeParam> packed = HistoryD<TypeParam>::filled(0.9);
  const Mat3d hard = stress_differential(this->law, F, packed)(dF);
  if (TypeParam::splits_tension) return;  // see phase_field.cpp
  const double h = this->law.template stiffening<double>(packed);
  EXPECT_LE(largest(hard - h * soft), 1e-12 * largest(hard));
  EXPECT_EQ(h > 1, std::string(TypeParam::name) == "snow");
}

template <class Law, class T, int D>
void expect_pack_agrees(const Law& law, Random& random) {
  using P = Pack<T>;
  for (int k = 0; k < 100; ++k) {
    Mat<T, D> F[P::width], dF[P::width];
    for (int i = 0; i < P::width; ++i) {
      F[i] = cast<T>(random.deformation<D>(0.5, 2));
      dF[i] = cast<T>(random.deformation<D>(0.5, 2));
    }
    const auto packed = stress_differential(law, load_lanes<P>(F), Law::template initial_history<P>());
    const Mat<P, D> dP = positive_part(packed)(load_lanes<P>(dF));
    for (int i = 0; i < P::width; ++i) {
      const auto one = stress_differential(law, F[i], Law::template initial_history<T>());
      const Mat<T, D> expected = positive_part(one)(dF[i]);
      // Singular values differ by rounding, which stretches of 1/2 raise at most to their fourth power.
      const double close = (sizeof(T) == 4 ? 1e-4 : 1e-12) * law.elastic.p_wave_modulus();
      for (int e = 0; e < D * D; ++e) EXPECT_NEAR(dP.e[e][i], expected.e[e], close * 16);
    }
  }
}

TYPED_TEST(Differentials, of_packs_are_those_of_scalars) {
  expect_pack_agrees<TypeParam, float, 2>(this->law, this->random);
  expect_pack_agrees<TypeParam, float, 3>(this->law, this->random);
  expect_pack_agrees<TypeParam, double, 2>(this->law, this->random);
  expect_pack_agrees<TypeParam, double, 3>(this->law, this->random);
}

}  // namespace
}  // namespace knead
