// Bodies that are meshes (Wang 2020, section 3.5.3): momentum is kept, cells break and hand over to the particles
// inside. That forces are those of the energy, the validation case m16 tells.
#include "support/output_support.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <random>

namespace knead::test {
namespace {

std::string meshed(int dimension, const std::string& material, const std::string& body = "",
                   const std::string& rest = "", const std::string& solver = "") {
  return one_body(
      dimension, "dx = 0.1\nprecision = \"double\"\n" + solver, material,
      "cells = \"stuffed\"\nshape = { type = \"box\", center = [0, 0, 0], size = [0.4, 0.3, 0.3] }\n" + body,
      "gravity = [0, 0, 0]", rest);
}

// Stretched, sheared and shaken: no cell is at rest.
template <int D>
void deform(World& world) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> noise(-0.005, 0.005);
  for (Vec<double, D>& x : world.particles.get<Vec<double, D>>("x")) {
    x[0] += 0.1 * x[0] + 0.2 * x[1];
    for (int a = 0; a < D; ++a) x[a] += noise(random);
  }
}

template <int D>
void steps_keep_momentum() {
  Simulation s(meshed(D, "model = \"fixed-corotated\"\nyoung = 1e4\ndensity = 100",
                      std::string("velocity = [0.7, -0.3") + (D == 3 ? ", 0.5]" : "]") + "\nspin = [0, 0, 3]"));
  deform<D>(s.world);
  ASSERT_TRUE(s.run_steps(1, 1e-9));  // makes the stress
  const Ledger before = s.ledger();
  ASSERT_TRUE(s.run_steps(60, 2e-4));
  const Ledger after = s.ledger();
  const double scale = before.mass;
  EXPECT_NEAR(after.mass, before.mass, 1e-12 * scale);
  EXPECT_LT(length(after.momentum - before.momentum), 1e-12 * scale);
  EXPECT_LT(length(after.angular_momentum - before.angular_momentum), 1e-12 * scale);
  EXPECT_GT(before.elastic, 0);
  const double energy = before.kinetic + before.elastic;
  EXPECT_LT(after.kinetic + after.elastic, 1.001 * energy);
}
TEST(MpmMesh, steps_keep_momentum_2d) { steps_keep_momentum<2>(); }
TEST(MpmMesh, steps_keep_momentum_3d) { steps_keep_momentum<3>(); }

// Others pay nothing for what cells need to tell small strains.
TEST(MpmMesh, only_cells_that_bear_keep_what_a_float_loses_of_places) {
  const auto keeps = [](const std::string& precision, const std::string& cells) {
    const Simulation s(one_body(2, "dx = 0.1\nprecision = \"" + precision + "\"", "model = \"neo-hookean\"",
                                "shape = { type = \"box\", size = [0.4, 0.3], center = [7, 0] }\n" + cells));
    return s.world.particles.find(low_column) != nullptr;
  };
  EXPECT_TRUE(keeps("float", "cells = \"stuffed\""));
  EXPECT_FALSE(keeps("double", "cells = \"stuffed\""));
  EXPECT_FALSE(keeps("float", "cells = \"stuffed\"\ncells_bear = false"));
  EXPECT_FALSE(keeps("float", ""));
}

const std::string grips =
    "[[grip]]\nname = \"left\"\nshape = { type = \"box\", center = [-0.3, 0, 0], size = [0.32, 1, 1] }\n"
    "[[grip]]\nname = \"right\"\nshape = { type = \"box\", center = [0.3, 0, 0], size = [0.32, 1, 1] }\n"
    "motion = { velocity = [1, 0, 0] }\n";

// M17: without limit of strength nothing comes apart, with one it does, and all of the matter stays.
TEST(MpmMesh, breaks_by_damage_only) {
  const auto pieces = [](const Simulation& s) {
    std::vector<std::size_t> group(s.world.particles.count());
    std::iota(group.begin(), group.end(), 0u);
    const auto find = [&](std::size_t i) {
      while (group[i] != i) i = group[i] = group[group[i]];
      return i;
    };
    EXPECT_TRUE(s.solver->for_each_bond(s.world, -1, [&](std::size_t i, std::size_t j) { group[find(i)] = find(j); }));
    std::size_t count = 0;
    for (std::size_t i = 0; i < group.size(); ++i) count += find(i) == i;
    return count;
  };
  for (const bool breaks : {false, true}) {
    Simulation s(meshed(2,
                        breaks
                            ? "model = \"rankine\"\nyoung = 1e4\ndensity = 100\ntensile_strength = 500\nsoftening = 2e4"
                            : "model = \"fixed-corotated\"\nyoung = 1e4\ndensity = 100",
                        "", grips));
    const double mass = s.ledger().mass;
    EXPECT_EQ(pieces(s), 1u);
    ASSERT_TRUE(s.run_until(0.6));
    const auto failed = s.world.mesh.cells.get<std::int32_t>("failed");
    const auto count = std::count(failed.begin(), failed.end(), 1);
    const auto awake = s.world.particles.get<double>("awake");
    EXPECT_EQ(std::count(awake.begin(), awake.end(), 1.0), 3 * count);
    EXPECT_NEAR(s.ledger().mass, mass, 1e-12 * mass);
    EXPECT_EQ(count > 0, breaks);
    EXPECT_EQ(pieces(s) > 1, breaks);
    const auto stretch = s.world.mesh.edges.get<float>("stretch");
    EXPECT_GT(*std::max_element(stretch.begin(), stretch.end()), 1.5f);
  }
}

// Wang 2020, Eq. 3.28: an edge breaks by its own stretch and not because the cells around it have failed. For pictures
// and probes a corner is as damaged as the worst cell around it.
TEST(MpmMesh, edges_break_by_their_own_stretch_alone) {
  Simulation s(
      meshed(2, "model = \"rankine\"\nyoung = 1e4\ndensity = 100\ntensile_strength = 500\nsoftening = 2e4", "", grips));
  const auto ends = s.world.mesh.edges.get<Vec<std::int32_t, 2>>("ends");
  const auto rest = s.world.mesh.edges.get<double>("length");
  std::vector<double> longest(ends.size(), 1);
  std::vector<std::size_t> at(s.world.particles.count());
  while (s.world.clock.time < 0.3) {
    ASSERT_TRUE(s.run_steps(1, 4e-4));
    const auto id = s.world.particles.get<std::int32_t>("id");
    const auto x = s.world.particles.get<Vec2d>("x");
    for (std::size_t i = 0; i < id.size(); ++i) at[static_cast<std::size_t>(id[i])] = i;
    const auto place = [&](std::int32_t of) { return x[at[static_cast<std::size_t>(of)]]; };
    for (std::size_t e = 0; e < ends.size(); ++e)
      longest[e] = std::max(longest[e], length(place(ends[e][1]) - place(ends[e][0])) / rest[e]);
  }
  const auto failed = s.world.mesh.cells.get<std::int32_t>("failed");
  ASSERT_GT(std::count(failed.begin(), failed.end(), 1), 10);
  const auto stretch = s.world.mesh.edges.get<float>("stretch");
  for (std::size_t e = 0; e < ends.size(); ++e) EXPECT_NEAR(double(stretch[e]), longest[e], 1e-6);  // floats

  const auto corners = s.world.mesh.cells.get<Vec<std::int32_t, 3>>("corners");
  const auto of_cells = s.world.mesh.cells.get<double>("damage"),
             of_particles = s.world.particles.get<double>("damage");
  std::vector<double> worst(at.size(), 0);
  for (std::size_t c = 0; c < corners.size(); ++c)
    for (int k = 0; k < 3; ++k) {
      double& most = worst[static_cast<std::size_t>(corners[c][k])];
      most = std::max(most, of_cells[c]);
    }
  for (std::size_t c = 0; c < corners.size(); ++c)
    for (int k = 0; k < 3; ++k) {
      const auto id = static_cast<std::size_t>(corners[c][k]);
      EXPECT_EQ(of_particles[at[id]], worst[id]);
    }
}

// What is not accounted for is the error of the steps, of first order in their size.
template <int D>
void losses_of_transfers_are_in_the_ledger() {
  const auto gap = [](double dt) {
    Simulation s(meshed(D, "model = \"neo-hookean\"\nyoung = 1e4\ndensity = 100", "spin = [0, 0, 3]", losses_probe));
    deform<D>(s.world);
    EXPECT_TRUE(s.run_steps(1, 1e-12));  // makes the stress
    const Ledger before = s.ledger();
    EXPECT_TRUE(s.run_until(0.04, dt));
    const Ledger after = s.ledger();
    EXPECT_GT(after.transfer_loss - before.transfer_loss, 0.01 * before.elastic);
    return std::abs(all_energy(after) - all_energy(before)) / before.elastic;
  };
  const double coarse = gap(4e-4), fine = gap(1e-4);
  EXPECT_LE(fine, 0.5 * coarse);
  EXPECT_LE(fine, 0.02);
}
TEST(MpmMesh, losses_of_transfers_are_in_the_ledger_2d) { losses_of_transfers_are_in_the_ledger<2>(); }
TEST(MpmMesh, losses_of_transfers_are_in_the_ledger_3d) { losses_of_transfers_are_in_the_ledger<3>(); }

// Whatever acts on particles before they are brought to the grid, and whatever asks for the velocities before that.
TEST(MpmMesh, measuring_losses_changes_no_motion) {
  const std::pair<const char*, const char*> ways[] = {
      {"apic", "cells = \"stuffed\"\n"}, {"mls", "cells = \"stuffed\"\n"}, {"apic", ""}, {"flip", ""}};
  for (const auto& [transfer, cells] : ways) {
    const auto places = [&, &transfer = transfer, &cells = cells](const char* probe) {
      Simulation s(one_body(2, std::string("dx = 0.1\nprecision = \"double\"\ntransfer = \"") + transfer + "\"",
                            "model = \"neo-hookean\"\nyoung = 1e5",
                            std::string(cells) + "shape = { type = \"box\", center = [0, 0.5], size = [1, 1] }\n"
                                                 "velocity = [\"x\", \"-y\"]",
                            "gravity = [0, 0]\nbody_force = [\"-x\", -9.81]",
                            std::string("[[collider]]\nshape = { type = \"plane\" }\n") + probe));
      EXPECT_TRUE(s.run_steps(100, 5e-4)) << transfer;
      const auto x = s.world.particles.get<Vec2d>("x");
      return std::vector<Vec2d>(x.begin(), x.end());
    };
    const std::vector<Vec2d> plain = places(""), measured = places(losses_probe);
    ASSERT_EQ(plain.size(), measured.size());
    double most = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) most = std::max(most, length(plain[i] - measured[i]));
    EXPECT_EQ(most, 0) << transfer << cells;
  }
}

// The floor stops nothing of a block that lies on it under a body force, and the ledger closes.
TEST(MpmMesh, matter_at_rest_loses_nothing_in_impacts) {
  for (const char* solver : {"transfer = \"mls\"", "transfer = \"flip\"", "integrator = \"implicit\""}) {
    Simulation s(one_body(2, std::string("dx = 0.1\nprecision = \"double\"\n") + solver,
                          "model = \"neo-hookean\"\nyoung = 1e5",
                          "shape = { type = \"box\", center = [0, 0.2], size = [0.8, 0.4] }",
                          "gravity = [0, 0]\nbody_force = [\"-60*vx\", \"-9.81 - 60*vy\"]",
                          std::string("[[collider]]\nshape = { type = \"plane\" }\n") + losses_probe));
    ASSERT_TRUE(s.run_until(3, 1e-3)) << solver;
    const Ledger before = s.ledger();
    ASSERT_TRUE(s.run_until(4, 1e-3)) << solver;
    const Ledger after = s.ledger();
    const double small = 1e-6 * after.mass * 9.81 * 0.4;
    EXPECT_NEAR(after.impact_loss, before.impact_loss, small) << solver;
    EXPECT_NEAR(after.body_work, before.body_work, small) << solver;
    EXPECT_NEAR(all_energy(after), all_energy(before), small) << solver;
  }
}

// A free square that vibrates for a second, some twenty periods: what it loses is lost in
// transfers, in every step about the same share, and less on a finer grid. The rest is the error of the steps, which
// swings.
TEST(MpmMesh, a_free_body_loses_its_vibration_in_transfers) {
  const auto left = [](const char* solver) {
    Simulation s(
        one_body(2, std::string("precision = \"double\"\n") + solver, "model = \"neo-hookean\"\nyoung = 1e6",
                 "cells = \"stuffed\"\nshape = { type = \"box\", size = [1, 1, 1] }\nvelocity = [\"x\", \"-y\"]",
                 "gravity = [0, 0]", losses_probe));
    const Ledger start = s.ledger();
    EXPECT_TRUE(s.run_until(1)) << solver;
    const Ledger end = s.ledger();
    EXPECT_NEAR((end.kinetic + end.elastic + end.transfer_loss) / start.kinetic, 1, 0.03) << solver;
    return (end.kinetic + end.elastic) / start.kinetic;
  };
  const double usual = left("dx = 0.1"), long_steps = left("dx = 0.1\nelastic_cfl = 0.8"), fine = left("dx = 0.05");
  EXPECT_LT(usual, 0.4);
  EXPECT_NEAR(long_steps, std::sqrt(usual), 0.1) << "half as many steps, half the exponent";
  EXPECT_GT(fine, usual + 0.1);
}

// A square metre of triangles, `across` along x and `up` along y, in Medit's format. The points of every other row lie
// between those of its neighbours, so that nodes of the grid do not see both.
void write_layers(const std::filesystem::path& path, int across, int up) {
  std::ofstream file(path);
  file << "MeshVersionFormatted 2\nDimension 2\nVertices\n" << (across + 1) * (up + 1) << '\n';
  for (int j = 0; j <= up; ++j)
    for (int i = 0; i <= across; ++i)
      file << (i + (j % 2 && i > 0 && i < across ? 0.45 : 0)) / across << ' ' << double(j) / up << " 0\n";
  file << "Triangles\n" << 2 * across * up << '\n';
  for (int j = 0; j < up; ++j)
    for (int i = 0; i < across; ++i) {
      const int a = j * (across + 1) + i + 1, c = a + across + 1;
      file << a << ' ' << a + 1 << ' ' << c + 1 << " 0\n" << a << ' ' << c + 1 << ' ' << c << " 0\n";
    }
  file << "End\n";
}

// Steps as long as the cells let the grid swing stably: of cells much flatter than those of the grid, or much finer;
// and where the matter is pulled to three times its length. The energy of symplectic Euler swings by half of omega dt,
// here up to 6 %.
TEST(MpmMesh, the_steps_chosen_are_stable_however_flat_cells_are) {
  const TempFolder folder;
  const auto growth = [&](int across, int up, bool measured) {
    write_layers(folder.path() / "layers.mesh", across, up);
    Simulation s(one_body(
        2, "precision = \"double\"\ndx = 0.05", "model = \"neo-hookean\"\nyoung = 1e6",
        fmt::format(
            "cells = \"file\"\ncells_file = \"{}\"\n"
            "shape = {{ type = \"box\", center = [0.5, 0.5], size = [1, 1] }}\nvelocity = [\"0.1*x\", \"-0.1*y\"]",
            (folder.path() / "layers.mesh").string()),
        "gravity = [0, 0]"));
    if (!measured) s.world.tally.swing = 1;
    const Ledger start = s.ledger();
    double most = 0;
    for (double t = 0.01; t < 0.2; t += 0.01) {
      if (!s.run_until(t)) return std::numeric_limits<double>::infinity();
      const Ledger now = s.ledger();
      most = std::max(most, (now.kinetic + now.elastic) / start.kinetic);
    }
    return most;
  };
  for (const auto& [across, up] :
       {std::pair{20, 20}, std::pair{60, 60}, std::pair{8, 8}, std::pair{4, 40}, std::pair{2, 80}})
    EXPECT_LT(growth(across, up, true), 1.07) << across << " by " << up;
  EXPECT_GT(growth(2, 80, false), 10) << "steps of the wave alone";

  Simulation s(meshed(2, "model = \"neo-hookean\"\nyoung = 1e4\ndensity = 100", "",
                      std::string("[[grip]]\nshape = { type = \"box\", center = [-0.3, 0, 0], size = [0.5, 1, 1] }\n"
                                  "[[grip]]\nshape = { type = \"box\", center = [0.3, 0, 0], size = [0.5, 1, 1] }\n"
                                  "motion = { velocity = [1, 0, 0] }\n") +
                          losses_probe));
  ASSERT_TRUE(s.run_until(0.8));
  const Ledger l = s.ledger();
  EXPECT_GT(l.max[0] - l.min[0], 2.9 * 0.4);
  EXPECT_NEAR(all_energy(l), 0, 0.02 * l.contact_work);
}

// What grips do to a body is stored in it, spent on breaking it, or lost on the way, also after cells have failed.
TEST(MpmMesh, breaking_leaves_no_energy_unaccounted_for) {
  Simulation s(meshed(2, "model = \"rankine\"\nyoung = 1e4\ndensity = 100\ntensile_strength = 500\nsoftening = 4e3", "",
                      grips + losses_probe));
  ASSERT_TRUE(s.run_until(0.6, 1e-4));
  const auto failed = s.world.mesh.cells.get<std::int32_t>("failed");
  EXPECT_GT(std::count(failed.begin(), failed.end(), 1), 10);
  const Ledger l = s.ledger();
  EXPECT_GT(l.dissipated, 0.3 * l.contact_work);
  EXPECT_NEAR(all_energy(l), 0, 0.01 * l.contact_work);
}

// The strain comes from where the corners are, and is exact for an even stretch.
TEST(MpmMesh, an_even_stretch_has_the_volume_that_it_has) {
  Simulation s(meshed(3, "model = \"neo-hookean\"\nyoung = 1e4\ndensity = 100"));
  const double before = s.ledger().volume;
  EXPECT_NEAR(before, 0.4 * 0.3 * 0.3, 1e-9);
  for (Vec3d& x : s.world.particles.get<Vec3d>("x")) x[0] *= 1.25;
  ASSERT_TRUE(s.run_steps(1, 1e-12));
  EXPECT_NEAR(s.ledger().volume, 1.25 * before, 1e-9);
}

const std::string implicit = "integrator = \"implicit\"\nnewton_tolerance = 1e-10\ncg_iterations = 1000";

// Where the same step ends from the same start: both ways differ by what is of second order in it.
template <int D>
void implicit_steps_are_explicit_ones_when_short() {
  const auto speeds = [](const std::string& solver, double dt) {
    Simulation s(meshed(D, "model = \"neo-hookean\"\nyoung = 1e4\ndensity = 100", "", "", solver));
    deform<D>(s.world);
    EXPECT_TRUE(s.run_steps(1, 1e-12));  // makes the stress
    EXPECT_TRUE(s.run_steps(1, dt));
    const auto v = s.world.particles.get<Vec<double, D>>("v");
    std::vector<Vec<double, D>> by_id(v.size());
    const auto id = s.world.particles.get<std::int32_t>("id");
    for (std::size_t i = 0; i < v.size(); ++i) by_id[static_cast<std::size_t>(id[i])] = v[i];
    return by_id;
  };
  std::vector<double> apart;
  for (const double dt : {4e-4, 2e-4, 1e-4}) {
    const auto a = speeds("", dt), b = speeds(implicit, dt);
    double sum = 0, whole = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i] - b[i], a[i] - b[i]), whole += dot(a[i], a[i]);
    apart.push_back(std::sqrt(sum / whole));
  }
  EXPECT_LT(apart[2], 0.02);
  // Relative to a velocity that grows with the step it is the square of the step.
  EXPECT_NEAR(std::log2(apart[1] / apart[2]), 2, 0.15);
  EXPECT_NEAR(std::log2(apart[0] / apart[1]), 2, 0.3);
}
TEST(MpmMesh, implicit_steps_are_explicit_ones_when_short_2d) { implicit_steps_are_explicit_ones_when_short<2>(); }
TEST(MpmMesh, implicit_steps_are_explicit_ones_when_short_3d) { implicit_steps_are_explicit_ones_when_short<3>(); }

// Twenty times the explicit step, of matter that moves, turns and swings.
TEST(MpmMesh, implicit_steps_keep_momentum_and_gain_no_energy) {
  Simulation s(meshed(3, "model = \"fixed-corotated\"\nyoung = 1e4\ndensity = 100",
                      "velocity = [0.7, -0.3, 0.5]\nspin = [0, 0, 3]", "", implicit));
  deform<3>(s.world);
  ASSERT_TRUE(s.run_steps(1, 1e-12));
  const Ledger before = s.ledger();
  double energy = before.kinetic + before.elastic;
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(s.run_steps(1, 0.02));
    const Ledger now = s.ledger();
    EXPECT_LT(length(now.momentum - before.momentum), 1e-7 * before.mass);
    EXPECT_LE(now.kinetic + now.elastic, energy * (1 + 1e-9));
    energy = now.kinetic + now.elastic;
  }
}

// A column on the ground under its own weight ends as high as the integral of its strain says, with steps of twenty
// times what waves would allow and transfers that damp.
TEST(MpmMesh, implicit_steps_end_where_forces_balance) {
  Simulation s(one_body(2, "dx = 0.05\nprecision = \"double\"\ndamping = 0.2\n" + implicit,
                        "model = \"hencky\"\nyoung = 1e5\npoisson = 0\ndensity = 1000",
                        "cells = \"stuffed\"\nshape = { type = \"box\", center = [0, 0.5, 0], size = [0.4, 1, 1] }",
                        "gravity = [0, -10]",
                        "[[collider]]\nname = \"floor\"\ncontact = \"slip\"\nshape = { type = \"plane\" }"));
  ASSERT_TRUE(s.run_until(3, 0.02));
  EXPECT_LT(s.ledger().max_speed, 2e-3);
  // tau = E ln(lambda) = -rho g (H - X), as load a metre of the width at rest times lambda; to second order.
  const double load = 1000 * 10 / 1e5;
  EXPECT_NEAR(1 - s.ledger().max[1], load / 2 - load * load / 2, 0.06 * load / 2);
}

}  // namespace
}  // namespace knead::test
