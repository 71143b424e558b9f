// Group A: one point of a material against closed forms.
#include "validate/cases.h"
#include "validate/drive_point.h"

#include <algorithm>
#include <numbers>
#include <random>

namespace knead {

namespace {

// E = 1 MPa and nu = 0.3 in most cases; the wrong input is a Young's modulus 1.2 times too large.
constexpr double poisson = 0.3;
constexpr double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), mu = young / (2 * (1 + poisson));
constexpr const char* laws[] = {"neo-hookean", "fixed-corotated", "hencky", "st-venant-kirchhoff"};

Material elastic(const std::string& name, bool wrong = false) {
  return named_material(name, {fmt::format("young={}", young * (wrong ? 1.2 : 1)), fmt::format("poisson={}", poisson)});
}

// The response after one step from rest.
PointResponse response(const Material& material, const Mat3d& F, bool single = false) {
  PathPoint point;
  point.F = F;
  DriveOptions options;
  options.single = single;
  return drive_point(material, {&point, 1}, options)[0];
}

double largest(const Mat3d& m) {
  double most = 0;
  for (double e : m.e) most = std::max(most, std::abs(e));
  return most;
}

constexpr Mat3d stretched(double s) { return Mat3d::diagonal({s, 1, 1}); }
constexpr Mat3d sheared(double gamma) { return {{1, gamma, 0, 0, 1, 0, 0, 0, 1}}; }

// Cauchy stresses of F = diag(s, 1, 1) and of simple shear, straight from each law's definition, without singular
// values: through B = F F^T, Green's strain, and the rotation and logarithm that these two deformations have in closed
// form.
Mat3d closed_form(const std::string& law, const Mat3d& F) {
  const Mat3d I = Mat3d::identity(), B = F * transpose(F);
  const double J = determinant(F), gamma = F(0, 1), s = F(0, 0);
  if (law == "neo-hookean") return (I * (lambda * std::log(J)) + (B - I) * mu) * (1 / J);
  if (law == "st-venant-kirchhoff") {
    const Mat3d E = (transpose(F) * F - I) * 0.5;
    return F * (I * (lambda * trace(E)) + E * (2 * mu)) * transpose(F) * (1 / J);
  }
  if (law == "fixed-corotated") {
    const double r = std::sqrt(4 + gamma * gamma);
    const Mat3d R = {{2 / r, gamma / r, 0, -gamma / r, 2 / r, 0, 0, 0, 1}};  // the rotation in simple shear
    return ((F - (gamma != 0 ? R : I)) * transpose(F) * (2 * mu) + I * (lambda * (J - 1) * J)) * (1 / J);
  }
  Mat3d strain = Mat3d::diagonal({std::log(s), 0, 0});  // Hencky's
  if (gamma != 0) {
    const double root = gamma * std::sqrt(1 + gamma * gamma / 4), larger = 1 + gamma * gamma / 2 + root;
    Mat3d in_plane = I;
    in_plane(2, 2) = 0;
    Mat3d flat = B;
    flat(2, 2) = 0;
    strain = (flat - in_plane * (1 + gamma * gamma / 2)) * (std::log(larger) / (2 * root));
  }
  return (strain * (2 * mu) + I * (lambda * trace(strain))) * (1 / J);
}

std::vector<Measured> elastic_closed_forms(const CaseInput& in) {
  std::vector<Measured> all;
  for (const std::string law : laws) {
    const Material material = elastic(law, in.wrong);
    double worst = 0, worst_single = 0;
    for (const Mat3d& F : {stretched(0.7), stretched(1.5), sheared(0.5)}) {
      const Mat3d exact = closed_form(law, F);
      worst = std::max(worst, largest(response(material, F).cauchy - exact) / largest(exact));
      worst_single = std::max(worst_single, largest(response(material, F, true).cauchy - exact) / largest(exact));
    }
    const double squeezed = response(material, stretched(0.7)).cauchy(0, 0),
                 shear = response(material, sheared(0.5)).cauchy(0, 1);
    all.push_back(relative(law + ", stretch 0.7: stress along it", "Pa", squeezed,
                           closed_form(law, stretched(0.7))(0, 0), 1e-10));
    all.push_back(
        relative(law + ", shear 0.5: shear stress", "Pa", shear, closed_form(law, sheared(0.5))(0, 1), 1e-10));
    all.push_back(at_most(law + ", all stresses, largest error", "", worst, 1e-10));
    all.push_back(at_most(law + ", the same in float", "", worst_single, 1e-5));
  }
  return all;
}

// A random rotation, from a unit quaternion.
Mat3d random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  double q[4], size = 0;
  for (double& c : q) c = normal(random), size += c * c;
  for (double& c : q) c /= std::sqrt(size);
  const auto [w, x, y, z] = q;
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
           1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
           1 - 2 * (x * x + y * y)}};
}

// Stretches in 0.3 to 3, volume in 0.2 to 5 times.
Mat3d random_deformation(std::mt19937_64& random) {
  std::uniform_real_distribution<double> log_stretch(std::log(0.3), std::log(3));
  for (;;) {
    Vec3d s{};
    for (int a = 0; a < 3; ++a) s[a] = std::exp(log_stretch(random));
    if (product(s) < 0.2 || product(s) > 5) continue;
    return random_rotation(random) * Mat3d::diagonal(s) * random_rotation(random);
  }
}

std::vector<Measured> objectivity(const CaseInput& in) {
  std::vector<Measured> all;
  for (const std::string law : laws) {
    const Material material = elastic(law);
    std::mt19937_64 random(1);
    double objective = 0, isotropic = 0, from_energy = 0;
    for (int i = 0; i < 1000; ++i) {
      const Mat3d F = random_deformation(random), Q = random_rotation(random) * (in.wrong ? 1.001 : 1.0);
      const PointResponse r = response(material, F);
      const double size = largest(r.cauchy);
      objective = std::max(objective, largest(response(material, Q * F).cauchy - Q * r.cauchy * transpose(Q)) / size);
      isotropic = std::max(isotropic, largest(response(material, F * Q).cauchy - r.cauchy) / size);
      const Mat3d P = r.kirchhoff * transpose(inverse(F));
      for (int k = 0; k < 9; ++k) {
        constexpr double h = 1e-5;
        Mat3d ahead = F, behind = F;
        ahead.e[k] += h, behind.e[k] -= h;
        const double slope = (response(material, ahead).energy - response(material, behind).energy) / (2 * h);
        from_energy = std::max(from_energy, std::abs(slope - P.e[k]) / std::max(largest(P), 1e-3 * young));
      }
    }
    all.push_back(at_most(law + ", turned: stress turns along", "", objective, 1e-10));
    all.push_back(at_most(law + ", turned before: same stress", "", isotropic, 1e-10));
    all.push_back(at_most(law + ", P against differences of the energy", "", from_energy, 1e-6));
  }
  return all;
}

std::vector<Measured> uniaxial_stress(const CaseInput& in) {
  struct Bar {
    double axial, lateral, cauchy, nominal;
  };
  std::vector<Measured> all;
  const Material material = elastic("neo-hookean", in.wrong);
  for (const Bar& bar :
       {Bar{0.7, 1.10793473, -330121.409, -405230.424}, Bar{1.5, 0.88017459, 488287.861, 378280.176}}) {
    PathPoint point;
    point.F = stretched(bar.axial);
    point.free = {false, true, true};
    const PointResponse r = drive_point(material, {&point, 1})[0];
    const std::string at = fmt::format("stretch {}: ", bar.axial);
    all.push_back(relative(at + "lateral stretch", "", r.F(1, 1), bar.lateral, 1e-8));
    all.push_back(relative(at + "Cauchy stress", "Pa", r.cauchy(0, 0), bar.cauchy, 1e-8));
    all.push_back(relative(at + "nominal stress", "Pa", r.kirchhoff(0, 0) / bar.axial, bar.nominal, 1e-8));
  }
  return all;
}

std::vector<Measured> snow(const CaseInput& in) {
  constexpr double young_0 = 1.4e5, nu = 0.2, squeezed = 0.975, xi = 10;
  const double lame = young_0 * nu / ((1 + nu) * (1 - 2 * nu)), shear = young_0 / (2 * (1 + nu));
  const Material material = named_material("snow", {in.wrong ? "hardening=9" : "hardening=10"});
  std::vector<PathPoint> path;
  for (const double s : {0.98, 0.95, 0.9, 0.8}) path.emplace_back().F = stretched(s);
  const std::vector<PointResponse> responses = drive_point(material, path);
  std::vector<Measured> all;
  for (const PointResponse& r : responses) {
    const double s = r.F(0, 0), held = std::max(s, squeezed), J_p = s / held, h = std::exp(xi * (1 - J_p));
    const std::string at = fmt::format("stretch {}: ", s);
    all.push_back(
        relative(at + "stress along it", "Pa", r.kirchhoff(0, 0), h * (2 * shear + lame) * (held - 1) * held, 1e-10));
    all.push_back(relative(at + "stress across", "Pa", r.kirchhoff(1, 1), h * lame * (held - 1) * held, 1e-10));
    all.push_back(relative(at + "J_p", "", r.history[0], J_p, 1e-10));
  }
  return all;
}

std::vector<Measured> closed_loop(const CaseInput& in) {
  std::vector<Measured> all;
  constexpr int steps = 100000;
  // A loop that winds through random strains and comes back to rest: each entry is a sum of waves that end at zero.
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> amplitude(-0.15, 0.15);
  std::vector<std::array<double, 9>> waves(4);
  for (auto& wave : waves)
    for (double& a : wave) a = amplitude(random);
  std::vector<PathPoint> path(steps);
  for (int i = 0; i < steps; ++i) {
    const double t = double(i + 1) / steps;
    for (int k = 0; k < 9; ++k)
      for (std::size_t w = 0; w < waves.size(); ++w)
        path[static_cast<std::size_t>(i)].F.e[k] +=
            i + 1 == steps ? 0 : waves[w][static_cast<std::size_t>(k)] * std::sin(std::numbers::pi * double(w + 1) * t);
  }
  if (in.wrong) path.back().F(0, 0) += 1e-8;
  for (const std::string law : laws)
    all.push_back(at_most(law + ", stress after the loop over E", "",
                          largest(drive_point(elastic(law), path).back().cauchy) / young, 1e-9));
  return all;
}

}  // namespace

std::span<const Case> material_cases() {
  static const Case cases[] = {
      {"a1-elastic", "Stress of the elastic laws in uniaxial strain and simple shear",
       "closed forms from each law's definition", stiffer, true, elastic_closed_forms},
      {"a2-objectivity", "Elastic stress turns with the body, and is the slope of the energy",
       "theory: objectivity, isotropy, hyperelasticity; 1000 random deformations", "a rotation that stretches by 0.1 %",
       true, objectivity},
      {"a3-uniaxial-stress", "A neo-Hookean bar pulled and squeezed with free sides",
       "closed form, solved to 10 digits", stiffer, true, uniaxial_stress},
      {"a7-snow", "Snow packed in uniaxial strain", "closed form of the law (Stomakhin 2013)",
       "hardening 9 instead of 10", true, snow},
      {"a8-closed-loop", "No stress is left after 10^5 steps around a closed loop of strains", "theory: elasticity",
       "a loop that does not close by 1e-8", true, closed_loop},
  };
  return cases;
}

}  // namespace knead
