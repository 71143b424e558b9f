// Group C: elastic solids without a grid.
#include "validate/cases.h"
#include "validate/meshless_sets.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {

namespace {

// The largest entry of F - exact(X, Y) over the particles for which wanted(X, Y) holds.
template <class Exact, class Wanted>
double gradient_error(const SceneRun& run, Exact&& exact, Wanted&& wanted) {
  const Column &F = run.particles("F"), &X = run.particles("X");
  double most = 0;
  for (std::size_t i = 0; i < F.count(); ++i) {
    const double x = X.value(i, 0), y = X.value(i, 1);
    if (!wanted(x, y)) continue;
    const std::array<double, 4> right = exact(x, y);
    for (int e = 0; e < 4; ++e) most = std::max(most, std::abs(F.value(i, e) - right[static_cast<std::size_t>(e)]));
  }
  return most;
}
template <class Exact>
double gradient_error(const SceneRun& run, Exact&& exact) {
  return gradient_error(run, exact, [](double, double) { return true; });
}

// C1. The methods need gradients only, not the values between particles: that a translation has none is what a
// partition of unity is elsewhere. All particles are looked at, those of the surface too.
std::vector<Measured> fields(const CaseInput& in) {
  using Gradient = std::array<double, 4>;
  const auto led = [&](const char* method, const char* x, const char* y, const char* more = "scene.seed=2") {
    // A share of 1e-6 too much of a field that is not linear.
    const char* bent = in.wrong ? " + 1e-6*X^3" : "";
    return in.scenes.run(
        "c1_fields", {method_is(method), more,
                      fmt::format("grip.all.displacement=[\"min(t, 1) * ({}{})\", \"min(t, 1) * ({})\"]", x, bent, y)});
  };
  std::vector<Measured> all;
  for (const char* method : methods) {
    const std::string name = method;
    const SceneRun moved = led(method, "0.3", "-0.2"), linear = led(method, "0.1 + 0.05*X - 0.1*Y", "0.08*X + 0.12*Y");
    all.push_back(at_most(name + ", gradient of a translation", "",
                          gradient_error(moved,
                                         [](double, double) {
                                           return Gradient{1, 0, 0, 1};
                                         }),
                          1e-12));
    all.push_back(at_most(name + ", error of the gradient of a linear field", "",
                          gradient_error(linear,
                                         [](double, double) {
                                           return Gradient{1.05, -0.1, 0.08, 1.12};
                                         }),
                          1e-9));
  }
  const SceneRun quadratic = led("mls", "0.1*X^2 + 0.2*X*Y", "0.1*Y^2 - 0.05*X*Y + 0.03*X", quadratic_basis);
  all.push_back(
      at_most("mls, quadratic basis: error of the gradient of x^2, x y, y^2", "",
              gradient_error(quadratic,
                             [](double X, double Y) {
                               return Gradient{1 + 0.2 * X + 0.2 * Y, 0.2 * X, 0.03 - 0.05 * Y, 1 + 0.2 * Y - 0.05 * X};
                             }),
              1e-9));
  // A thread: nobody can tell what happens across it. It is counted in stats.csv, and turns along.
  const SceneRun thread = in.scenes.run(
      "c1_fields",
      {"body.square.sampling=\"lattice\"", "body.square.shape.size=[1.0, 0.05]", "solver.dx=0.05",
       fmt::format("grip.all.displacement=[\"-{}*min(t, 1)*X\", \"{}*min(t, 1)*X\"]", in.wrong ? 0.19 : 0.2, 0.6)});
  all.push_back(at_most("thread along x, led to (0.8, 0.6) x: error of its gradient", "",
                        gradient_error(thread,
                                       [](double, double) {
                                         return Gradient{0.8, -0.6, 0.6, 0.8};
                                       }),
                        1e-9));
  all.push_back(within("thread: its particles that are reported in a step", "",
                       thread("last(turned) / last(steps) / last(particles)"), 1, 0));
  return all;
}

// C2. The strain of all particles, held and free. Composed strain is left out: it is right to its own square only.
std::vector<Measured> patch(const CaseInput& in) {
  std::vector<Measured> all;
  for (const char* name : {"mls", "mls, quadratic basis", "embedded"})
    for (const int cells : {30, 50}) {
      std::vector<std::string> sets = sets_of(name);
      sets.push_back(set_number("solver.dx", 1.0 / cells));
      if (in.wrong)
        sets.push_back("grip.rim.displacement=[\"1e-6 + 2e-6*X + 3e-6*Y + 1e-10*Y^2\", \"4e-6 + 5e-6*X + 6e-6*Y\"]");
      const SceneRun run = in.scenes.run("c2_patch", sets);
      const Column& F = run.particles("F");
      double most = 0;
      for (std::size_t i = 0; i < F.count(); ++i)
        most = std::max({most, std::abs(F.value(i, 0) - 1 - 2e-6), std::abs(F.value(i, 3) - 1 - 6e-6),
                         std::abs(0.5 * (F.value(i, 1) + F.value(i, 2)) - 4e-6)});
      all.push_back(at_most(fmt::format("{}, h = 1/{}: error of the strain over the largest", name, cells), "",
                            most / 6e-6, 1e-6));
    }
  return all;
}

// C3. The scene says how its ends are held and loaded.
std::vector<Measured> cantilever(const CaseInput& in) {
  constexpr double tip = -0.0089, share = 0.01;
  const auto bend = [&](double across) {
    const double dx = 12 / across;
    return in.scenes.run(
        "c3_cantilever",
        {set_number("solver.dx", dx), set_number("materials.beam.young", (in.wrong ? 1.2 : 1) * 3e7 * 1.6 / 1.69),
         fmt::format("body.beam.shape={{ type = \"box\", center = [{}, 0.0], size = [{}, 12.0] }}", 24 - 3 * dx,
                     48 + 7 * dx),
         fmt::format("scene.body_force=[\"-50*vx\", \"-50*vy - (X > {}) * 1000/(2*144) * (36 - Y^2 - {}) / {}\"]",
                     48 - dx / 2, dx * dx / 12, dx)});
  };
  const SceneRun coarse = bend(12), fine = bend(24);
  const auto error = [&](const SceneRun& run) { return std::abs(run("last(tip_uy)") / tip - 1); };
  in.drawings.push_back({"c3-cantilever",
                         {"A cantilever comes to rest", "time", "s", "displacement of the tip", ""},
                         {{"49 x 12 particles", coarse.column("time"), coarse.column("tip_uy")},
                          {"97 x 24 particles", fine.column("time"), fine.column("tip_uy")}}});
  return {relative("tip, 49 x 12 particles", "", coarse("last(tip_uy)"), tip, share),
          relative("tip, 97 x 24 particles", "", fine("last(tip_uy)"), tip, share),
          at_least("order of convergence", "", std::log2(error(coarse) / error(fine)), 2, 1.8)};
}

// C4. The displacement of the corner itself is extrapolated from the two particles below it.
std::vector<Measured> membrane(const CaseInput& in) {
  constexpr double corner = 0.03224, share = 0.02;
  const auto rise = [&](double columns) {
    const double dx = 0.048 / columns;
    const SceneRun run = in.scenes.run(
        "c4_membrane",
        {set_number("solver.dx", dx), set_number("materials.panel.young", in.wrong ? 84e6 : 70e6),
         fmt::format("body.panel.shape={{ type = \"polygon\", points = [[{0}, 0.0], [0.0, 0.0], [0.048, 0.044], [{1}, "
                     "0.044], [{1}, 0.06], [0.048, 0.06], [0.0, 0.044], [{0}, 0.044]] }}",
                     -6.5 * dx, 0.048 + 0.5 * dx),
         fmt::format("grip.clamp.shape={{ type = \"box\", center = [{}, 0.02], size = [0.02, 0.2] }}", dx / 4 - 0.01),
         fmt::format("scene.body_force=[\"-5500*vx\", \"-5500*vy + (X > {}) * {}\"]", 0.048 - dx / 2, 6.25 / dx)});
    const Column &x = run.particles("x"), &X = run.particles("X");
    double top = 0, below = 0, height = 0;
    for (std::size_t i = 0; i < x.count(); ++i) {
      if (X.value(i, 0) < 0.048 - dx / 2 || X.value(i, 1) <= height) continue;
      // Particles of a column are not in the order of their heights.
      height = X.value(i, 1), top = x.value(i, 1) - height;
    }
    for (std::size_t i = 0; i < x.count(); ++i)
      if (X.value(i, 0) > 0.048 - dx / 2 && std::abs(X.value(i, 1) - height + dx) < 0.1 * dx)
        below = x.value(i, 1) - X.value(i, 1);
    return 1000 * (top + (top - below) * (0.06 - height) / dx);
  };
  const double coarse = rise(48), fine = rise(96);
  return {relative("corner, 97 columns", "m", fine, corner, share),
          does_not_grow("error", std::abs(coarse - corner), std::abs(fine - corner), share * corner)};
}

// C5, with the quadratic basis; docs/validation.md says how far off the other fits are.
std::vector<Measured> plate(const CaseInput& in) {
  constexpr double reference = 0.25403, share = 0.06;
  const auto swing = [&](double across) {
    return in.scenes.run("c5_plate", {set_number("solver.dx", 0.02 / across),
                                      set_number("materials.plate.young", in.wrong ? 2.4e6 : 2e6)});
  };
  const auto period = [](const SceneRun& run) { return mean_period(run.column("time"), run.column("tip_uy")); };
  const SceneRun coarse = swing(6), fine = swing(12);
  in.drawings.push_back({"c5-plate",
                         {"A clamped plate swings", "time", "s", "displacement of its end", "m"},
                         {{"6 particles across", coarse.column("time"), coarse.column("tip_uy")},
                          {"12 particles across", fine.column("time"), fine.column("tip_uy")}}});
  return {relative("period with 12 particles across", "s", period(fine), reference, share),
          does_not_grow("error", std::abs(period(coarse) - reference), std::abs(period(fine) - reference),
                        share * reference)};
}

// C6.
std::vector<Measured> rotation(const CaseInput& in) {
  std::vector<Measured> all;
  const std::string angle = "100*pi/180*t", growth = in.wrong ? "(1 + 1e-6*t)*" : "";
  const auto stress = [&](const std::string& scene, const char* method, const std::string& more) {
    const std::string name = scene == "c6_sphere" ? ", 0]" : "]";
    const SceneRun run = in.scenes.run(
        scene, {method_is(method), more,
                fmt::format("grip.all.displacement=[\"{0}(X*cos({1}) - Y*sin({1})) - X\", \"{0}(X*sin({1}) + "
                            "Y*cos({1})) - Y\"{2}",
                            growth, angle, name)});
    const Column& tau = run.particles("tau");
    double most = 0;
    for (std::size_t i = 0; i < tau.count(); ++i)
      for (int c = 0; c < tau.components; ++c) most = std::max(most, std::abs(tau.value(i, c)));
    return most / 2e11;
  };
  for (const char* method : methods) {
    const auto gate = [&](const std::string& body, double value) {
      all.push_back(at_most(fmt::format("{}, {}: largest stress over E", method, body), "", value, 1e-8));
    };
    gate("square", stress("c6_rotation", method, "solver.dx=0.05"));
    gate("square, half the distance", stress("c6_rotation", method, "solver.dx=0.025"));
    gate("disc", stress("c6_rotation", method, "body.block.shape={ type = \"disc\", radius = 0.5 }"));
    gate("ball", stress("c6_sphere", method, "solver.dx=0.1"));
  }
  return all;
}

}  // namespace

std::span<const Case> mls_cases() {
  static const Case cases[] = {
      {"c1-fields", "Gradients of given fields on irregular particles", "the field's own gradient",
       "a field that is not linear by 1e-6", true, fields},
      {"c2-patch", "The patch test: a quadrilateral whose rim is led by a linear field",
       "the field's own strain (set-up of solids4foam)", "a field that is not linear by 1e-10 m", false, patch},
      {"c3-cantilever", "Timoshenko and Goodier's cantilever in plane stress",
       "closed form: -0.0089 (Timoshenko and Goodier 1970; set-up of Belytschko and others 1994)",
       "Young's modulus 1.2 times too large", false, cantilever},
      {"c4-membrane", "Cook's membrane", "32.20 to 32.28 mm: Calculix, Code_Aster, Elmer (CoFEA), plane strain",
       "Young's modulus 1.2 times too large", false, membrane},
      {"c5-plate", "A plate clamped at one end swings in its first mode",
       "thin plate, Landau and Lifshitz 1986: 0.25403 s; set-up of Gray, Monaghan and Swift 2001",
       "Young's modulus 1.2 times too large", false, plate},
      {"c6-rotation", "Bodies led through a rotation by 100 degrees", "theory: a rotation is no strain",
       "a rotation that stretches by 1e-6", true, rotation},
  };
  return cases;
}

}  // namespace knead
