// Kernels, neighbour lists, gradients by least squares, flow rules: the parts that the methods without a grid share.
#include "meshless/flow_kernel.h"
#include "meshless/kernels.h"
#include "meshless/moments.h"
#include "meshless/neighbours.h"
#include "meshless/quadratic_fit.h"
#include "meshless/rest_sums.h"
#include "meshless/strain_state.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

std::mt19937 source(7);
double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(source); }
template <int D>
Mat<double, D> random_matrix(double size) {
  Mat<double, D> m{};
  for (double& e : m.e) e = uniform(-size, size);
  return m;
}
template <int D>
Vec<double, D> random_vector(double size) {
  Vec<double, D> v{};
  for (int a = 0; a < D; ++a) v[a] = uniform(-size, size);
  return v;
}

// Of a radial function over its ball, by the midpoint rule in the radius.
template <int D, class F>
double integral(double h, F&& f) {
  const int n = 20000;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double d = (i + 0.5) / n * h;
    sum += f(d) * (D == 2 ? 2 * M_PI * d : 4 * M_PI * d * d) * h / n;
  }
  return sum;
}

template <int D>
void expect_kernels() {
  const double h = 0.37, small = 1e-6;
  EXPECT_NEAR(integral<D>(h, [&](double d) { return Poly6<D>::value(d, h); }), 1, 1e-7);
  EXPECT_NEAR(integral<D>(h, [&](double d) { return Spiky<D>::value(d, h); }), 1, 1e-7);
  for (double d : {0.01, 0.1, 0.2, 0.36}) {
    const auto slope = [&](auto&& f) { return (f(d + small) - f(d - small)) / (2 * small); };
    const auto poly6 = [&](double r) { return Poly6<D>::value(r, h); };
    EXPECT_NEAR(Spiky<D>::slope(d, h), slope([&](double r) { return Spiky<D>::value(r, h); }), 1e-5 * poly6(0) / h);
  }
  // The cosine kernel, by its slope: the integral of W is that of -d dW/dd over D.
  const double c = kernel_detail::cosine<D> / std::pow(h, D + 1);
  const auto slope_of_cosine = [&](double d) { return -c * (d / h) * cosine_shape(d * d / (h * h)); };
  EXPECT_NEAR(integral<D>(h, [&](double d) { return -d * slope_of_cosine(d) / D; }), 1, 1e-7);
  for (double d : {0.001, 0.1, 0.36}) EXPECT_NEAR(slope_of_cosine(d), -c * std::cos(M_PI / 2 * d / h), 1e-11 * c);
  EXPECT_EQ(cosine_shape(1.0), 0.0);
  EXPECT_EQ(Poly6<D>::value(h, h), 0.0);
  EXPECT_EQ(Spiky<D>::value(1.1 * h, h), 0.0);
}

TEST(Kernels, integrate_to_one_and_have_their_slopes) {
  expect_kernels<2>();
  expect_kernels<3>();
}

TEST(Kernels, viscosity_is_the_laplacian_of_a_kernel_of_integral_one) {
  // In 3D: 15/(2 pi h^3) (-d^3/2h^3 + d^2/h^2 + h/2d - 1) (Mueller 2003).
  const double h = 0.4, d = 0.17, e = 1e-4;
  const auto W = [&](double r) {
    return 15 / (2 * M_PI * h * h * h) * (-r * r * r / (2 * h * h * h) + r * r / (h * h) + h / (2 * r) - 1);
  };
  const double laplacian = (W(d + e) - 2 * W(d) + W(d - e)) / (e * e) + 2 / d * (W(d + e) - W(d - e)) / (2 * e);
  EXPECT_NEAR(viscosity_laplacian<3>(d, h), laplacian, 1e-4 * laplacian);
}

template <int D>
void expect_neighbours() {
  std::vector<Vec<double, D>> x;
  for (int i = 0; i < 700; ++i) x.push_back(random_vector<D>(1) + Vec<double, D>::filled(i < 20 ? -300.0 : 0.0));
  std::vector<double> radius;
  for (std::size_t i = 0; i < x.size(); ++i) radius.push_back(uniform(0.1, 0.4));
  Cells<double, D> cells;
  Lists lists;
  find_neighbours<double, D>(x, radius, cells, lists, [](std::size_t i, std::size_t j) { return (i + j) % 7 != 0; });
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::vector<int> expected;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (j != i && (i + j) % 7 != 0 && length(x[j] - x[i]) < radius[i]) expected.push_back(static_cast<int>(j));
    const auto list = lists.of(i);
    EXPECT_EQ(std::vector<int>(list.begin(), list.end()), expected) << i;
  }
  std::vector<std::int32_t> group(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) group[i] = i % 2;
  const std::vector<double> mean = mean_distance_to_nearest<double, D>(x, group, 10, 0.2);
  for (std::size_t i = 20; i < x.size(); ++i) {
    std::vector<double> all;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (j != i && group[j] == group[i]) all.push_back(length(x[j] - x[i]));
    std::sort(all.begin(), all.end());
    double sum = 0;
    for (int k = 0; k < 10; ++k) sum += all[static_cast<std::size_t>(k)];
    EXPECT_NEAR(mean[i], sum / 10, 1e-12);
  }
}

TEST(Neighbours, are_those_of_a_search_through_all) {
  expect_neighbours<2>();
  expect_neighbours<3>();
}

// A cloud, and how it looks under x -> M X + c.
template <int D>
struct Cloud {
  std::vector<Vec<double, D>> X, x;
  RestSpace<double, D> bonds;
  Cloud(std::vector<Vec<double, D>> points, double h, const Mat<double, D>& M) : X(std::move(points)) {
    for (const auto& p : X) x.push_back(M * p + Vec<double, D>::filled(0.3));
    Cells<double, D> cells;
    Lists lists;
    const double radius[1] = {h};
    find_neighbours<double, D>(X, std::span<const double>(radius), cells, lists,
                               [](std::size_t, std::size_t) { return true; });
    bonds.connect(lists);
    bonds.weigh([](std::size_t) { return true; },
                [&](std::size_t i) {
                  return [&, i](std::size_t j, int) {
                    const Vec<double, D> q = X[j] - X[i];
                    return std::pair(poly6_shape(dot(q, q) / (h * h)), q);
                  };
                });
  }
  Mat<double, D> F(std::size_t i) const {
    const MomentInverse<double, D> m = inverse_of_moment(bonds.moment(i));
    std::vector<ShownPlace<double>> shown;
    show_places<double, D>(x, {}, shown);
    Mat<double, D> F = stretch_of<double, D>(bonds, shown, i).moment * m.inverse;
    complete(F, m);
    return F;
  }
};

template <int D>
void expect_affine() {
  std::vector<Vec<double, D>> points;
  for (int i = 0; i < 400; ++i) points.push_back(random_vector<D>(1));
  const Mat<double, D> M = Mat<double, D>::identity() + random_matrix<D>(0.8);
  const Cloud<D> cloud(points, D == 2 ? 0.35 : 0.7, M);
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT(norm2(cloud.F(i) - M), 1e-22) << i;
}

TEST(Gradient, of_an_affine_motion_is_exact) {
  expect_affine<2>();
  expect_affine<3>();
}

// Two clouds far from each other, in several parcels: the sums of fours are those of a loop over the bonds, and do not
// suffer from the distance, whose square is 1e10 of theirs.
template <int D>
void expect_sums_of_fours() {
  using P = Pack<double>;
  const std::size_t n = 701;
  std::vector<Vec<double, D>> points;
  for (std::size_t i = 0; i < n; ++i) points.push_back(random_vector<D>(1) + Vec<double, D>::filled(i < 302 ? 0 : 1e5));
  const Cloud<D> cloud(points, D == 2 ? 0.35 : 0.7, Mat<double, D>::identity() + random_matrix<D>(0.8));
  std::vector<Mat<double, D>> G, moment(n);
  std::vector<Vec<double, D>> pull(n), others(n);
  std::vector<double> c;
  for (std::size_t i = 0; i < n; ++i) G.push_back(random_matrix<D>(1)), c.push_back(uniform(0, 1));
  RestSums<double, D> sums;
  sums.build(cloud.bonds, cloud.X, std::vector<std::int32_t>(n), 1.5);
  std::vector<double> squares(n);
  const auto keep = [&](std::size_t first, int count, const Mat<P, D>& map, const Stretch<P, D>& off, P square) {
    const Mat<P, D> mapped = map * load_lanes<P>(&cloud.bonds.moment(first), count);
    for (int e = 0; e < D * D; ++e) square = square + map.e[e] * (mapped.e[e] + P(2) * off.moment.e[e]);
    store_lanes<P>(mapped + off.moment, moment.data() + first, count);
    store_lanes<P>(map * load_lanes<P>(&cloud.bonds.sum(first), count) + off.pull, pull.data() + first, count);
    store_scalars<P>(square, squares.data() + first, count);
  };
  sums.template stretch<P>(cloud.bonds, cloud.x, {}, keep);
  sums.template pull_of_others<P>(G, c, [&](std::size_t first, int count, const Mat<P, D>&, const Vec<P, D>& f) {
    store_lanes<P>(f, others.data() + first, count);
  });
  for (std::size_t i = 0; i < n; ++i) {
    Mat<double, D> M = Mat<double, D>::zero();
    Vec<double, D> s = Vec<double, D>::zero(), f = s;
    double square = 0;
    for (const Bond<double, D> b : cloud.bonds.from(i)) {
      const Vec<double, D> away = cloud.x[static_cast<std::size_t>(b.other)] - cloud.x[i];
      M += outer(away, b.g), s += away * b.w, square += b.w * dot(away, away);
    }
    for (const Bond<double, D> b : cloud.bonds.to(i)) {
      const auto j = static_cast<std::size_t>(b.other);
      f += (cloud.x[j] - cloud.x[i]) * (c[j] * b.w) - G[j] * b.g;
    }
    EXPECT_LT(norm2(moment[i] - M), 1e-24) << i;
    EXPECT_LT(length(pull[i] - s), 1e-12) << i;
    EXPECT_NEAR(squares[i], square, 1e-12) << i;
    EXPECT_LT(length(others[i] - f), 1e-12) << i;
  }
}

TEST(RestSums, are_those_of_a_loop_over_the_bonds) {
  expect_sums_of_fours<2>();
  expect_sums_of_fours<3>();
}

template <int D>
void check_quadratic_gradient() {
  // All on one side, as at a surface.
  std::vector<Vec<double, D>> q;
  for (int k = 0; k < 40; ++k) {
    q.push_back(random_vector<D>(1));
    q.back()[0] = std::abs(q.back()[0]);
  }
  QuadraticFit<D> fit;
  for (const auto& a : q) fit.add(a, 1 - 0.3 * dot(a, a));
  ASSERT_TRUE(fit.solve());
  const Vec<double, D> slope = random_vector<D>(1);
  const Mat<double, D> bend = random_matrix<D>(1);
  Vec<double, D> gradient = Vec<double, D>::zero();
  for (const auto& a : q) gradient += fit.gradient(a) * ((1 - 0.3 * dot(a, a)) * (dot(slope, a) + dot(a, bend * a)));
  EXPECT_LT(length(gradient - slope), 1e-12);
  // On two lines the square of what is across is a multiple of it.
  QuadraticFit<D> lines;
  for (int k = 0; k < 40; ++k) {
    Vec<double, D> a = random_vector<D>(1);
    a[0] = k % 2 ? 0.5 : 0;
    lines.add(a, 1);
  }
  EXPECT_FALSE(lines.solve());
}
TEST(Gradient, of_a_quadratic_field_is_exact_or_refused) {
  check_quadratic_gradient<2>();
  check_quadratic_gradient<3>();
}

TEST(Gradient, of_sheets_and_threads_turns_without_strain) {
  std::vector<Vec<double, 3>> sheet, thread;
  for (int i = 0; i < 200; ++i) sheet.push_back({uniform(-1, 1), uniform(-1, 1), 0.0});
  for (int i = 0; i < 40; ++i) thread.push_back({uniform(-1, 1), 0.0, 0.0});
  for (const auto& points : {sheet, thread})
    for (double angle : {0.02, 0.4, 1.1, 2.5}) {
      const Svd<double, 3> s = svd(random_matrix<3>(1));
      const double c = std::cos(angle), d = std::sin(angle);
      const Mat<double, 3> tilt = s.U * transpose(s.V);
      const Mat<double, 3> turn{{c, -d, 0, d, c, 0, 0, 0, 1}};
      const Cloud<3> cloud(points, 0.5, tilt * turn);
      for (std::size_t i = 0; i < points.size(); ++i) {
        const Mat<double, 3> E = StrainState<double, 3>::green(cloud.F(i));
        EXPECT_LT(norm2(E), 1e-20) << i << " at " << angle;
        EXPECT_GT(determinant(cloud.F(i)), 0.99);
      }
    }
  // A row of points in 2D.
  std::vector<Vec<double, 2>> row;
  for (int i = 0; i < 30; ++i) row.push_back({0.1 * i, 0.0});
  const Cloud<2> cloud(row, 0.35, Mat<double, 2>{{0.6, -0.8, 0.8, 0.6}});
  for (std::size_t i = 0; i < row.size(); ++i) EXPECT_LT(norm2(StrainState<double, 2>::green(cloud.F(i))), 1e-20);
}

// O'Brien's rule: on the yield surface after one application, traceless, within its cap.
TEST(StrainYield, lands_on_its_surface_and_stays) {
  StrainYieldLaw law;
  law.flow.yield_strain = 0.02;
  const StrainState<double, 3> state(law);
  for (int k = 0; k < 1000; ++k) {
    Mat<double, 3> E = random_matrix<3>(0.1), E_p = Mat<double, 3>::zero();
    E = (E + transpose(E)) * 0.5;
    E_p = state.flowed(E_p, E - E_p, 1e-3);
    Mat<double, 3> e = E - E_p;
    for (int i = 0; i < 3; ++i) e(i, i) -= trace(E - E_p) / 3;
    EXPECT_NEAR(trace(E_p), 0, 1e-16);
    EXPECT_LE(std::sqrt(norm2(e)), 0.02 + 1e-15);
    EXPECT_LT(norm2(state.flowed(E_p, E - E_p, 1e-3) - E_p), 1e-30);
    EXPECT_LE(std::sqrt(norm2(state.flowed(E_p, E * 100, 1e-3))), law.flow.max_strain * (1 + 1e-12));
  }
}

TEST(StrainYield, creep_decays_with_its_rate) {
  StrainYieldLaw law;
  law.flow.yield_strain = 0, law.flow.creep = 3.0;
  const StrainState<double, 3> state(law);
  const Mat<double, 3> E{{0.01, 0.02, 0, 0.02, -0.01, 0, 0, 0, 0}};
  Mat<double, 3> E_p = Mat<double, 3>::zero();
  for (int k = 0; k < 100; ++k) E_p = state.flowed(E_p, E - E_p, 0.01);
  EXPECT_NEAR(std::sqrt(norm2(E - E_p) / norm2(E)), std::exp(-3.0), 1e-12);
}

TEST(StrainYield, stress_is_the_slope_of_the_energy_and_literal_is_four_times_as_stiff) {
  StrainYieldLaw law;
  law.elastic.volume_stiffness = 2e5, law.flow.fibre_young = 3e5, law.flow.fibre = {1, 2, 0.5};
  const StrainState<double, 3> state(law);
  Mat<double, 3> F = Mat<double, 3>::identity() + random_matrix<3>(0.3), E_p = random_matrix<3>(0.05);
  E_p = (E_p + transpose(E_p)) * 0.5;
  const auto energy = [&](const Mat<double, 3>& G) { return state.energy(G, StrainState<double, 3>::green(G) - E_p); };
  const Mat<double, 3> P = state.first(F, state.second(StrainState<double, 3>::green(F) - E_p));
  for (int i = 0; i < 9; ++i) {
    Mat<double, 3> more = F, less = F;
    more.e[i] += 1e-5, less.e[i] -= 1e-5;
    EXPECT_NEAR(P.e[i], (energy(more) - energy(less)) / 2e-5, 1e-8 * law.elastic.young + 1e-8 * std::abs(P.e[i]));
  }
  StrainYieldLaw printed;
  printed.flow.literal = true;
  EXPECT_NEAR((StrainState<double, 3>(printed).mu), 4 * StrainYieldLaw{}.elastic.mu(), 1e-6);
}

// Bargteil's flow: F = F_e F_p, no change of volume, no flow below yield.
template <int D>
void expect_flow() {
  using Law = Elastoplastic<Corotated, YieldFlow, YieldFlowModel>;
  Law law;
  law.flow.yield_stress = 500;
  int flowed = 0;
  for (int k = 0; k < 2000; ++k) {
    using P = Pack<double, 1>;
    Mat<double, D> trial = Mat<double, D>::identity() + random_matrix<D>(k % 2 ? 0.2 : 1e-4);
    Mat<P, D> F{}, T{}, F_p{};
    for (int i = 0; i < D * D; ++i) F.e[i] = trial.e[i];
    auto history = law.initial_history<P>();
    P least{}, most{};
    const P work = update_piola(law, F, history, T, F_p, {0.01, 1}, least, most);
    Mat<double, D> elastic{}, plastic{};
    for (int i = 0; i < D * D; ++i) elastic.e[i] = F.e[i][0], plastic.e[i] = F_p.e[i][0];
    EXPECT_LT(norm2(elastic * plastic - trial), 1e-24 * norm2(trial));
    // Far from rest flow takes volume along, towards rest.
    const double J = determinant(trial);
    if (J > YieldFlow::least_J && J < YieldFlow::most_J)
      EXPECT_NEAR(determinant(plastic), 1, 1e-12);
    else
      EXPECT_TRUE((J > 1) == (determinant(plastic) >= 1));
    EXPECT_GE(history[1][0], 0.0);
    EXPECT_LE(history[1][0], 1.0);
    EXPECT_GE(work[0], -1e-9);
    flowed += history[1][0] > 0;
    if (k % 2 == 0) {
      EXPECT_EQ(history[1][0], 0.0);
    }
  }
  EXPECT_GT(flowed, 900);
}

TEST(YieldFlow, keeps_the_volume_and_splits_the_deformation) {
  expect_flow<2>();
  expect_flow<3>();
}

// Hardening ends with more stress than perfect flow, softening with less (Bargteil 2007).
TEST(YieldFlow, hardens_and_softens) {
  const auto left = [](double hardening) {
    Elastoplastic<Corotated, YieldFlow, YieldFlowModel> law;
    law.flow.yield_stress = 1000, law.flow.hardening = hardening;
    Vec<double, 3> sigma{1.2, 0.95, 0.9};
    auto history = law.initial_history<double>();
    for (int k = 0; k < 1000; ++k) law.project(sigma, history, {1e-3, 1});
    const Vec<double, 3> tau = law.kirchhoff(sigma, history);
    return tau[0] - tau[2];
  };
  EXPECT_GT(left(0.5), 1.05 * left(0));
  EXPECT_LT(left(-0.5), 0.95 * left(0));
}

// With thickening, small stress flows faster than large.
TEST(YieldFlow, thickens) {
  Elastoplastic<Corotated, YieldFlow, YieldFlowModel> law;
  law.flow.yield_stress = 0, law.flow.thickening_stress = 2000.0;
  const auto share = [&](double stretch) {
    Vec<double, 3> sigma{1 + stretch, 1, 1 - stretch};
    auto history = law.initial_history<double>();
    law.project(sigma, history, {1e-4, 1});
    return history[1];
  };
  EXPECT_NEAR(share(0.01) / share(0.1), 10, 0.5);
}

}  // namespace
}  // namespace knead
