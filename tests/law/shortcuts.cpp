// The ways to the stress that avoid singular values give what singular values give, for every law of the list.
#include "law_support.h"

namespace knead {
namespace {

template <class Law>
class Shortcuts : public ::testing::Test {
 protected:
  Law law{};
  Random random;
};
TYPED_TEST_SUITE(Shortcuts, LawTypes, LawName);

template <class T, class Law, int D>
void expect_same(const Law& law, const Mat<double, D>& given) {
  const Mat<T, D> trial = cast<T>(given);
  Mat<T, D> F = trial, F_svd = trial;
  auto history = Law::template initial_history<T>(), history_svd = history;
  Sym<T, D> tau, tau_svd;
  const PointStep<T, D> step{FlowStep{1e-3, 0.1}};
  const T work = update_stress_and_work(law, F, history, tau, step);
  const T work_svd = update_detail::update_by_svd<true>(law, F_svd, history_svd, tau_svd, step);
  // Squaring F and the sweeps of eigenvectors cost some tens of roundings of a stretch, and stresses grow with the
  // fourth power of a stretch at most, and as packing stiffens.
  const double stretch = std::max(1.0, double(svd(given).sigma[0])), close = 100 * double(unit_roundoff<T>) * stretch;
  const double stress = close * law.elastic.p_wave_modulus() * stretch * stretch * stretch *
                        (Law::volume_only ? 40 : 1) * std::max(1.0, double(law.template stiffening<T>(history_svd)));
  for (int i = 0; i < D * D; ++i)
    if (!Law::volume_only) {
      EXPECT_NEAR(F.e[i], F_svd.e[i], close);
    }
  for (int i = 0; i < Sym<T, D>::size; ++i) EXPECT_NEAR(tau[i], tau_svd[i], stress);
  for (int i = 0; i < Law::history_size; ++i) {
    // Stress gathered over time has the size of a stress, and so has an energy.
    const std::string_view unit = Law::history_columns[static_cast<std::size_t>(i)].unit;
    EXPECT_NEAR(history[i], history_svd[i],
                unit == "Pa s"    ? stress * step.dt * 10
                : unit == "J/m^3" ? stress
                                  : close * 3);
  }
  EXPECT_NEAR(work, work_svd, stress * 2);
}

template <class Law, int D>
void expect_shortcuts(const Law& law, Random& random) {
  for (int k = 0; k < 1000; ++k) {
    const double spread = k % 3 == 0 ? 1e-3 : k % 3 == 1 ? 0.1 : 0.6;
    Mat<double, D> F = random.deformation<D>(1 - spread, 1 + spread);
    if (determinant(F) < 0)
      for (int i = 0; i < D; ++i) F(i, 0) = -F(i, 0);
    expect_same<double>(law, F);
    expect_same<float>(law, F);
  }
  expect_same<double>(law, Mat<double, D>::identity());
  expect_same<float>(law, Mat<double, D>::identity());
}

TYPED_TEST(Shortcuts, agree_with_singular_values) {
  expect_shortcuts<TypeParam, 2>(this->law, this->random);
  expect_shortcuts<TypeParam, 3>(this->law, this->random);
}

TYPED_TEST(Shortcuts, rest_is_free_of_stress_to_the_last_bit) {
  Mat3f F = Mat3f::identity();
  auto history = TypeParam::template initial_history<float>();
  Sym<float, 3> tau;
  update_stress(this->law, F, history, tau);
  EXPECT_EQ(tau, (Sym<float, 3>::zero()));
  EXPECT_EQ(F, Mat3f::identity());
}

}  // namespace
}  // namespace knead
