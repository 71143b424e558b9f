// Stresses known in closed form, as numbers: E = 1 MPa, nu = 0.3. They are given to 1e-3 Pa, hence the tolerance.
#include "law_support.h"

namespace knead {
namespace {

constexpr double last_digit = 6e-4;

template <class E>
Mat3d cauchy(const Mat3d& F) {
  E elastic{};
  elastic.young = 1e6;
  elastic.poisson = 0.3;
  const Svd<double, 3> d = svd(F);
  return to_matrix<3>(rotated_diagonal(d.U, elastic.kirchhoff(d.sigma))) * (1 / determinant(F));
}

struct Uniaxial {
  double s11, s22;
};
struct Shear {
  double s11, s12, s22;
};

template <class E>
void expect_closed_forms(const Uniaxial& squeezed, const Uniaxial& pulled, const Shear& sheared) {
  for (const auto& [stretch, expected] : {std::pair(0.7, squeezed), std::pair(1.5, pulled)}) {
    const Mat3d s = cauchy<E>(Mat3d::diagonal({stretch, 1, 1}));
    EXPECT_NEAR(s(0, 0), expected.s11, last_digit);
    EXPECT_NEAR(s(1, 1), expected.s22, last_digit);
    EXPECT_NEAR(s(2, 2), expected.s22, last_digit);
  }
  const Mat3d s = cauchy<E>({{1, 0.5, 0, 0, 1, 0, 0, 0, 1}});
  EXPECT_NEAR(s(0, 0), sheared.s11, last_digit);
  EXPECT_NEAR(s(0, 1), sheared.s12, last_digit);
  EXPECT_NEAR(s(1, 1), sheared.s22, last_digit);
}

TEST(ClosedForms, neo_hookean) {
  expect_closed_forms<NeoHookean>({-574182.646, -293962.866}, {476460.939, 155948.119}, {96153.846, 192307.692, 0});
}

TEST(ClosedForms, fixed_corotated) {
  expect_closed_forms<FixedCorotated>({-403846.154, -173076.923}, {673076.923, 288461.538},
                                      {121992.067, 198049.519, 22967.308});
}

TEST(ClosedForms, hencky) {
  expect_closed_forms<Hencky>({-685913.354, -293962.866}, {363878.943, 155948.119},
                              {46168.795, 184675.178, -46168.795});
}

TEST(ClosedForms, st_venant_kirchhoff) {
  expect_closed_forms<StVenantKirchhoff>({-240288.462, -210164.835}, {1262019.231, 240384.615},
                                         {306490.385, 276442.308, 168269.231});
}

// Uniaxial stress of a neo-Hookean bar: the lateral stretch that frees the sides, and the axial stress then.
TEST(ClosedForms, neo_hookean_bar_thins_as_its_closed_form) {
  struct Bar {
    double axial, lateral, cauchy;
  };
  for (const Bar& bar : {Bar{0.7, 1.10793473, -330121.409}, Bar{1.5, 0.88017459, 488287.861}}) {
    double lateral = 1;
    for (int i = 0; i < 50; ++i) {  // Newton's iteration on the lateral stress, its slope by a dual number
      NeoHookean elastic{{.young = 1e6, .poisson = 0.3}};
      using D = Dual<double>;
      const D side = elastic.kirchhoff(Vec<D, 3>{D(bar.axial), D{lateral, 1}, D{lateral, 1}})[1];
      lateral -= side.value / side.slope;
    }
    EXPECT_NEAR(lateral, bar.lateral, 1e-8);
    EXPECT_NEAR(cauchy<NeoHookean>(Mat3d::diagonal({bar.axial, lateral, lateral}))(0, 0), bar.cauchy, last_digit);
  }
}

// Elasticity has no memory: a closed loop of small random steps ends free of stress.
TEST(ClosedForms, a_closed_strain_loop_leaves_no_stress) {
  Random random;
  std::vector<Mat3d> steps;
  Mat3d F = Mat3d::identity();
  for (int k = 0; k < 50000; ++k) {
    Mat3d step = Mat3d::identity();
    for (double& x : step.e) x += random.uniform(-1e-3, 1e-3);
    steps.push_back(step);
    F = step * F;
  }
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) F = inverse(*step) * F;
  FixedCorotated law{{.young = 1e6, .poisson = 0.3}};
  EXPECT_LE(length(law.kirchhoff(svd(F).sigma)), 1e-9 * law.young);
}

}  // namespace
}  // namespace knead
