// Matter that yields: the return maps of group A, the metal rod of group B, and group E, sand and snow.
#include "validate/cases.h"
#include "validate/drive_point.h"

#include <algorithm>
#include <numbers>
#include <random>

namespace knead {

namespace {

PathPoint stretch(double x, double y, double z) {
  PathPoint p;
  p.F = Mat3d::diagonal({x, y, z});
  return p;
}

Mat3d stress(const Material& material, const std::vector<PathPoint>& path, int dimension = 3) {
  DriveOptions options;
  options.dimension = dimension;
  return drive_point(material, path, options).back().kirchhoff;
}

// A4. Hencky elasticity makes the closed forms of small strains exact in Kirchhoff stress and logarithmic strain.
std::vector<Measured> j2_return(const CaseInput& in) {
  constexpr double yield = 1e4, H = 2e5, poisson = 0.3, bulk = young / (3 * (1 - 2 * poisson));
  const auto metal = [&](double hardening) {
    return named_material(
        "von-mises", {set_number("young", young), set_number("poisson", poisson),
                      set_number("yield_stress", in.wrong ? 1.1 * yield : yield), set_number("hardening", hardening)});
  };
  std::vector<Measured> all;
  // (i) Pulled with free sides, in ten steps.
  std::vector<PathPoint> pulled;
  for (int i = 1; i <= 10; ++i) {
    pulled.push_back(stretch(1 + 0.005 * i, 1, 1));
    pulled.back().free = {false, true, true};
  }
  const double strain = std::log(1.05), line = yield + young * H / (young + H) * (strain - yield / young);
  all.push_back(
      relative("free sides, hardening: stress at strain 0.0488", "Pa", stress(metal(H), pulled)(0, 0), line, 1e-9));
  // (ii) Held sides, no hardening.
  for (const double s : {0.9, 1.1}) {
    const double sign = s < 1 ? -1 : 1;
    const Mat3d tau = stress(metal(0), {stretch(s, 1, 1)});
    const std::string at = fmt::format("held sides, stretch {}: ", s);
    all.push_back(relative(at + "stress along", "Pa", tau(0, 0), bulk * std::log(s) + sign * 2.0 / 3 * yield, 1e-10));
    all.push_back(relative(at + "stress across", "Pa", tau(1, 1), bulk * std::log(s) - sign / 3.0 * yield, 1e-10));
  }
  // (iii) Pure shear.
  all.push_back(relative("pure shear saturates", "Pa", stress(metal(0), {stretch(1.2, 1 / 1.2, 1)})(0, 0),
                         yield / std::numbers::sqrt3, 1e-10));
  // (iv) Flow keeps the volume: what is left of the volume change is elastic.
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> entry(-0.01, 0.01);
  std::vector<PathPoint> wander(10000);
  Mat3d F = Mat3d::identity();
  for (PathPoint& p : wander) {
    for (double& e : F.e) e += entry(random);
    // Drawn back to rest, so that the walk does not run away.
    F = F + (Mat3d::identity() - F) * 0.02;
    p.F = F;
  }
  const PointResponse last = drive_point(metal(0), wander).back();
  all.push_back(at_most("volume change of 10^4 random plastic steps", "",
                        std::abs(determinant(last.F) / determinant(last.F_elastic) - 1), 1e-12));
  return all;
}

// A5.
std::vector<Measured> sand_return(const CaseInput& in) {
  const auto sand = [&](double poisson, const char* match, int dimension = 3) {
    return named_material(
        "sand",
        {set_number("young", young), set_number("poisson", poisson),
         fmt::format("friction_angle=\"{} deg\"", in.wrong ? 33 : 30), fmt::format("match=\"{}\"", match)},
        dimension);
  };
  constexpr double M = 1.2, bulk = young / (3 * (1 - 2 * 0.1));
  std::vector<Measured> all;
  const auto size = [](const Mat3d& m) { return std::sqrt(norm2(m)); };
  all.push_back(
      at_most("no stress where it comes apart", "Pa", size(stress(sand(0.3, "triaxial"), {stretch(1.01, 1, 1)})), 0));
  // Triaxial compression beyond yield.
  const Mat3d squeezed = stress(sand(0.3, "triaxial"), {stretch(0.97, 1.005, 1.005)});
  all.push_back(relative("triaxial compression: q / p", "", (squeezed(1, 1) - squeezed(0, 0)) / (-trace(squeezed) / 3),
                         M, 1e-10));
  // Confined compression.
  const double p = -bulk * std::log(0.99);
  const Mat3d confined = stress(sand(0.1, "triaxial"), {stretch(0.99, 1, 1)});
  all.push_back(relative("confined compression: vertical stress", "Pa", -confined(0, 0), p * (1 + 2 * M / 3), 1e-10));
  all.push_back(
      relative("confined compression: sides over vertical", "", confined(1, 1) / confined(0, 0), 1.0 / 3, 1e-10));
  all.push_back(relative("pressure kept by the return", "Pa", -trace(confined) / 3, p, 1e-12));
  const Mat3d again = stress(sand(0.1, "triaxial"), {stretch(0.99, 1, 1), stretch(0.99, 1, 1)});
  all.push_back(at_most("a second return changes the stress by", "", size(again - confined) / size(confined), 1e-12));
  // Flow within a plane: Mohr and Coulomb's law, sin(phi) = (t1 - t2) / (t1 + t2).
  const auto sine = [](const Mat3d& t) { return (t(1, 1) - t(0, 0)) / -(t(0, 0) + t(1, 1)); };
  all.push_back(relative("2D, mohr-coulomb-2d: sin(phi)", "",
                         sine(stress(sand(0.3, "mohr-coulomb-2d", 2), {stretch(0.97, 1.02, 1)}, 2)), 0.5, 1e-10));
  return all;
}

// B12. The outermost particle lies half a spacing inside the surface and is carried outwards in proportion.
std::vector<Measured> taylor_bar(const CaseInput& in) {
  struct Rod {
    double length, radius, kinetic, volume;
  };
  const auto rod = [&](double dx) {
    const SceneRun run = in.scenes.run(
        "b12_taylor",
        {set_number("solver.dx", dx), set_number("materials.copper.yield_stress", in.wrong ? 480e6 : 400e6)});
    in.drawings.push_back(
        {fmt::format("b12-taylor-{:.1f}mm", dx * 1e3),
         {"A copper rod hits a wall", "time", "s", "radius of the foot and length", "m"},
         {{"radius", run.column("time"), run.column("max_x")}, {"length", run.column("time"), run.column("max_y")}}});
    return Rod{run("last(max_y) + 0.0324 - first(max_y)"), run("last(max_x) / first(max_x)") * 0.0032,
               run("last(kinetic) / first(kinetic)"), run("abs(last(volume) / first(volume) - 1)")};
  };
  const Rod coarse = rod(0.8e-3), fine = rod(0.4e-3);
  return {relative("final length", "m", fine.length, 0.02142, 0.02),
          relative("final radius of the foot", "m", fine.radius, 0.00722, 0.05),
          at_most("kinetic energy left", "", fine.kinetic, 0.06), at_most("change of volume", "", fine.volume, 0.01),
          does_not_grow("error of the length", std::abs(coarse.length - 0.02142), std::abs(fine.length - 0.02142),
                        0.02 * 0.02142)};
}

double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

struct Heap {
  double aspect, run_out, height, kinetic;
};

// A column of sand after its collapse; lengths over the width at the start.
Heap collapsed(const CaseInput& in, double aspect) {
  constexpr double width = 0.1;
  const double height = aspect * width, duration = 6 * std::sqrt(height / 9.81);
  const SceneRun run = in.scenes.run(
      "e1_column", {fmt::format("body.0.shape.center=[{}, {}]", width / 2, height / 2),
                    fmt::format("body.0.shape.size=[{}, {}]", width, height), set_number("scene.duration", duration),
                    fmt::format("materials.sand.friction_angle=\"{} deg\"", in.wrong ? 63 : 30)});
  const Column& x = run.particles("x");
  std::vector<double> fronts;
  double top = 0;
  for (std::size_t i = 0; i < x.count(); ++i) {
    fronts.push_back(x.value(i, 0));
    if (x.value(i, 0) < 0.1 * width) top = std::max(top, x.value(i, 1));
  }
  return {aspect, quantile(fronts, 0.995) / width - 1, top / width, run("last(kinetic) / first(gravitational)")};
}

// E1.
std::vector<Measured> column_collapse(const CaseInput& in) {
  std::vector<Heap> heaps;
  for (const double aspect : {1.0, 2.0, 3.0, 5.0}) heaps.push_back(collapsed(in, aspect));
  std::vector<Measured> all;
  Drawing drawing{"e1-column", {"Run-out of a column of sand", "aspect ratio", "", "run-out over width", ""}, {}};
  drawing.series = {{"measured", {}, {}}, {"Lube 2005", {}, {}}, {"Lajeunesse 2005", {}, {}}};
  for (const Heap& h : heaps) {
    const double a = h.aspect, power = std::pow(a, 2.0 / 3);
    const double lube = a < 1.8 ? 1.2 * a : a > 2.8 ? 1.9 * power : std::max(1.2 * a, 1.9 * power);
    const double lajeunesse = a < 3 ? 1.8 * a : 2.3 * power;
    all.push_back(
        between(fmt::format("aspect ratio {}: run-out over width", a), "", h.run_out, 0.85 * lube, 1.15 * lajeunesse));
    for (auto& [series, y] :
         {std::pair(&drawing.series[0], h.run_out), {&drawing.series[1], lube}, {&drawing.series[2], lajeunesse}})
      series->x.push_back(a), series->y.push_back(y);
  }
  in.drawings.push_back(drawing);
  const Heap &two = heaps[1], &five = heaps[3];
  all.push_back(between("exponent from aspect ratio 2 to 5", "", std::log(five.run_out / two.run_out) / std::log(2.5),
                        0.55, 1.0));
  all.push_back(between("aspect ratio 2: height at the wall over width", "", two.height, 0.8, 1.7));
  for (const Heap& h : heaps)
    all.push_back(at_most(fmt::format("aspect ratio {}: kinetic energy left", h.aspect), "", h.kinetic, 1e-3));
  return all;
}

// E2. The mean speed of the upper half, four metres up from the lower end: at the lower end the slab slumps, and
// that slump works its way upwards.
std::vector<Measured> slope(const CaseInput& in) {
  const auto speed = [&](double tangent, double dx) {
    const double angle = std::atan(tangent);
    const SceneRun run = in.scenes.run(
        "e2_slope",
        {fmt::format("scene.body_force=[\"{} * (t >= 0.5) * (1 - cos(2 * pi * min(t - 0.5, 0.5))) / 2\", \"{} * (1 - "
                     "cos(2 * pi * min(t, 0.5))) / 2\"]",
                     9.81 * std::sin(angle), -9.81 * std::cos(angle)),
         set_number("solver.dx", dx), fmt::format("materials.sand.friction_angle=\"{} deg\"", in.wrong ? 27 : 30)});
    const Column &x = run.particles("x"), &v = run.particles("v");
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < x.count(); ++i)
      if (std::abs(x.value(i, 0) + 2) < 0.5 && x.value(i, 1) > 0.1)
        sum += std::hypot(v.value(i, 0), v.value(i, 1)), ++count;
    return sum / count;
  };
  const double faster = 9.81 * (std::sin(std::atan(0.53)) - 0.5 * std::cos(std::atan(0.53)));
  return {at_most("tan(slope) 0.47: speed after 1 s", "m/s", speed(0.47, 0.02), 1e-3),
          at_most("tan(slope) 0.47, half the cells: speed after 1 s", "m/s", speed(0.47, 0.01), 1e-3),
          at_least("tan(slope) 0.53: speed after 1 s", "m/s", speed(0.53, 0.02), faster, 1e-3)};
}

// E2, poured: the flanks of the heap, away from its top and its feet. The uppermost particle of each column of cells is
// its surface.
std::vector<Measured> heap(const CaseInput& in) {
  const auto flank = [&](double dx) {
    const SceneRun run = in.scenes.run(
        "e2_heap",
        {set_number("solver.dx", dx), fmt::format("materials.sand.friction_angle=\"{} deg\"", in.wrong ? 60 : 30)});
    const Column& x = run.particles("x");
    constexpr double from = 0.1, to = 0.25;
    std::vector<double> place, surface;
    for (int i = 0; i < std::lround((to - from) / dx); ++i)
      place.push_back(from + (i + 0.5) * dx), surface.push_back(0);
    for (std::size_t i = 0; i < x.count(); ++i) {
      const double column = (std::abs(x.value(i, 0)) - from) / dx;
      if (column < 0 || column >= double(place.size())) continue;
      double& top = surface[static_cast<std::size_t>(column)];
      top = std::max(top, x.value(i, 1));
    }
    return std::atan(-slope_between(place, surface, from, to)) * 180 / std::numbers::pi;
  };
  return {{"slope of the flanks", "deg", flank(0.01), 30, 2, Side::at_most},
          {"slope of the flanks, half the cells", "deg", flank(0.005), 30, 2, Side::at_most}};
}

// E3. The force is the mean over a frame, so that it goes with the stretch in the frame's middle.
std::vector<Measured> snow_piston(const CaseInput& in) {
  constexpr double young_0 = 1.4e5, nu = 0.2, squeezed = 0.975, xi = 10, width = 0.2, half_frame = 0.005;
  const double lame = young_0 * nu / ((1 + nu) * (1 - 2 * nu)), shear = young_0 / (2 * (1 + nu));
  const auto stress = [&](double s) {
    return -std::exp(xi * (1 - s / squeezed)) * (2 * shear + lame) * (squeezed - 1) * squeezed / s;
  };
  const auto worst = [&](double dx) {
    const SceneRun run = in.scenes.run(
        "e3_piston", {set_number("solver.dx", dx), set_number("materials.snow.hardening", in.wrong ? 9 : 10)});
    Drawing drawing{
        fmt::format("e3-piston-{:.1f}mm", dx * 1e3), {"Snow is pressed", "stretch", "", "stress", "Pa"}, {}};
    drawing.series = {{"on the floor", {}, {}}, {"closed form", {}, {}}};
    double most = 0;
    for (std::size_t i = 0; i < run.column("time").size(); ++i) {
      const double s = 0.9 + 0.1 * std::cos(std::numbers::pi * (run.column("time")[i] - half_frame));
      if (s > 0.95) continue;
      const double measured = -run.column("floor_force_y")[i] / width;
      most = std::max(most, std::abs(measured / stress(s) - 1));
      for (auto& [series, y] : {std::pair(&drawing.series[0], measured), {&drawing.series[1], stress(s)}})
        series->x.push_back(s), series->y.push_back(y);
    }
    in.drawings.push_back(drawing);
    return most;
  };
  const double coarse = worst(0.025), fine = worst(0.0125);
  return {at_most("largest error of the stress from stretch 0.95 to 0.8", "", fine, 0.03),
          does_not_grow("error", coarse, fine, 0.03)};
}

// E4. The rate of flow from line fits over the first and the second half of the way from 70 to 30 % of the fill.
std::vector<Measured> hopper(const CaseInput& in) {
  const SceneRun run =
      in.scenes.run("e4_hopper", {fmt::format("materials.sand.friction_angle=\"{} deg\"", in.wrong ? 1 : 30)});
  const std::vector<double>&time = run.column("time"), &mass = run.column("silo_mass");
  const auto when = [&](double share) {
    for (std::size_t i = 0; i < time.size(); ++i)
      if (mass[i] <= share * mass[0]) return time[i];
    return std::nan("");
  };
  in.drawings.push_back({"e4-hopper", {"Sand in a silo", "time", "s", "mass", "kg"}, {{"above the slot", time, mass}}});
  const double early = -slope_between(time, mass, when(0.7), when(0.5)),
               late = -slope_between(time, mass, when(0.5), when(0.3));
  return {relative("rate below half the fill over the rate above it", "", late / early, 1, 0.1)};
}

// E5. The wrong ledger leaves out what is lost between particles and grid.
std::vector<Measured> energy_ledger(const CaseInput& in) {
  const auto gap = [&](double dx) {
    const SceneRun run = in.scenes.run("e5_ledger", {set_number("solver.dx", dx)});
    const std::vector<double>& time = run.column("time");
    in.drawings.push_back({fmt::format("e5-ledger-{:.0f}mm", dx * 1e3),
                           {"Energy of a collapsing column", "time", "s", "energy", "J"},
                           {{"kinetic, elastic and potential", time, run.column("total")},
                            {"plastic flow", time, run.column("dissipated")},
                            {"transfer", time, run.column("lost_transfer")},
                            {"impact", time, run.column("lost_impact")}}});
    return run(fmt::format("drift(total + dissipated - contact_work + lost_impact{}) / first(gravitational)",
                           in.wrong ? "" : " + lost_transfer"));
  };
  // A frame a step.
  const SceneRun steps = in.scenes.run("e5_ledger", {"solver.dx=0.01", "scene.fps=10000"});
  const std::vector<double>&plastic = steps.column("dissipated"), &friction = steps.column("contact_work");
  double backward = 0;
  for (std::size_t i = 1; i < plastic.size(); ++i)
    backward = std::max({backward, plastic[i - 1] - plastic[i], friction[i] - friction[i - 1]});
  const double coarse = gap(0.005), fine = gap(0.0025);
  return {at_most("20 cells per width: energy unaccounted for, over the first potential energy", "", coarse, 0.03),
          at_most("40 cells per width: energy unaccounted for, over the first potential energy", "", fine, 0.03),
          does_not_grow("energy unaccounted for", coarse, fine, 0.03),
          at_most("steps per frame where every step is looked at", "", steps("max(steps)"), 1),
          at_most("dissipation taken back in a step, over the first potential energy", "",
                  backward / steps("first(gravitational)"), 1e-9)};
}

}  // namespace

std::span<const Case> plastic_cases() {
  static const Case cases[] = {
      {"a4-metal", "Return map of von Mises' law", "closed forms; Simo and Hughes 1998, box 3.1",
       "yield stress 1.1 times too large", true, j2_return},
      {"a5-sand", "Return map of Drucker and Prager's law", "closed forms; Rankine's ratio; Klar and others 2016",
       "friction angle 33 instead of 30 degrees", true, sand_return},
      {"b12-taylor", "A copper rod mushrooms at a wall (Taylor's test)",
       "7.22 mm and 21.42 mm: converged finite elements (Foulk and others 2021)", "yield stress 1.2 times too large",
       false, taylor_bar},
      {"e1-column", "Collapse of columns of sand", "experiments: Lube and others 2005, Lajeunesse and others 2005",
       "friction angle 63 degrees", false, column_collapse},
      {"e2-slope", "A slab of sand stays below its angle of repose and flows above",
       "Davis 1968: tan(slope) = sin(phi)", "friction angle 27 instead of 30 degrees", false, slope},
      {"e2-heap", "A heap of sand poured from a slot is no steeper than its friction angle",
       "Coulomb: at most the friction angle; 2 degrees more", "friction angle 60 degrees", false, heap},
      {"e3-piston", "A block of snow is pressed together by a fifth", "closed form of the law (a7)",
       "hardening 9 instead of 10", false, snow_piston},
      {"e4-hopper", "A silo empties at a steady rate", "Janssen, Beverloo: the rate does not depend on the fill",
       "friction angle 1 degree: nearly a liquid", false, hopper},
      {"e5-ledger", "Where the energy of a collapsing column of sand goes", "energy is kept; dissipation has a sign",
       "a ledger without what is lost between particles and grid", false, energy_ledger},
  };
  return cases;
}

}  // namespace knead
