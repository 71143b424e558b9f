// A step gives the same bits on any number of threads and after being copied, and allocates nothing once it is warm.
#include "base/parallel.h"
#include "levels/make_solver.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <functional>

long allocations_so_far();  // count_allocations.cpp

namespace knead::test {
namespace {

// Two materials, a collider, snow and jelly in contact: every stage has work to do.
std::string mixed_scene(int dimension, const char* transfer, const char* integrator = "explicit") {
  return "format = 1\n[scene]\nname = \"mixed\"\ndimension = " + std::to_string(dimension) +
         "\n[solver]\nmethod = \"mpm\"\ndx = 0.05\nintegrator = \"" + integrator + "\"\ntransfer = \"" + transfer +
         "\"\n[materials.snow]\nmodel = \"snow\"\n[materials.jelly]\nmodel = \"neo-hookean\"\n"
         "[[body]]\nname = \"a\"\nmaterial = \"snow\"\nvelocity = [0.5, -2, 0]\nsampling = \"jittered\"\n"
         "shape = { type = \"sphere\", center = [0, 0.31, 0], radius = 0.3 }\n"
         "[[body]]\nname = \"b\"\nmaterial = \"jelly\"\nvelocity = [-1, -3, 0]\nspin = [0, 0, 3]\n"
         "shape = { type = \"box\", center = [0.3, 0.85, 0], size = [0.4, 0.4, 0.4] }\n"
         "[[collider]]\nname = \"floor\"\nfriction = 0.4\nshape = { type = \"plane\" }\n";
}

std::vector<std::byte> bits(const World& world) {
  std::vector<std::byte> all;
  for (const Particles* columns : {&world.particles, &world.mesh.cells, &world.mesh.edges})
    for (const Column& c : columns->columns()) all.insert(all.end(), c.data.data(), c.data.data() + c.data.size());
  return all;
}

// A mesh that is torn.
std::string torn_scene() {
  return one_body(3, "dx = 0.1", "model = \"rankine\"\nyoung = 1e5\ntensile_strength = 5e3\nsoftening = 2e5",
                  "cells = \"stuffed\"\nshape = { type = \"box\", size = [0.6, 0.4, 0.4] }", "gravity = [0, 0, 0]",
                  "[[grip]]\nname = \"left\"\nshape = { type = \"box\", center = [-0.3, 0, 0], size = [0.3, 1, 1] }\n"
                  "[[grip]]\nname = \"right\"\nshape = { type = \"box\", center = [0.3, 0, 0], size = [0.3, 1, 1] }\n"
                  "motion = { velocity = [0.5, 0.2, 0] }\n");
}

TEST(Step, gives_the_same_bits_on_any_number_of_threads) {
  for (int dimension : {2, 3})
    for (const char* transfer : {"flip", "apic"}) {
      std::vector<std::byte> first;
      for (int threads : {1, 2, 7}) {
        const ThreadLimit limit(threads);
        Simulation s(mixed_scene(dimension, transfer));
        ASSERT_TRUE(s.run_steps(120));
        if (threads == 1) first = bits(s.world);
        EXPECT_TRUE(bits(s.world) == first) << dimension << "D " << transfer << ", " << threads << " threads";
      }
    }
}

TEST(ImplicitStep, gives_the_same_bits_on_any_number_of_threads) {
  for (const char* integrator : {"implicit", "semi-implicit"}) {
    std::vector<std::byte> first;
    for (int threads : {1, 2, 7}) {
      const ThreadLimit limit(threads);
      Simulation s(mixed_scene(3, "apic", integrator));
      ASSERT_TRUE(s.run_steps(8));
      if (threads == 1) first = bits(s.world);
      EXPECT_TRUE(bits(s.world) == first) << integrator << ", " << threads << " threads";
    }
  }
}

TEST(Step, goes_on_with_the_same_bits_from_a_copy_in_a_new_solver) {
  Simulation s(mixed_scene(3, "apic"));
  ASSERT_TRUE(s.run_steps(37));  // not a multiple of the steps between two sortings
  World copy = s.world;
  const std::unique_ptr<Solver> other = make_solver(s.scene());
  other->prepare(copy);
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(s.run_steps(1));
    ASSERT_TRUE(other->step(copy, other->max_dt(copy).dt).ok());
  }
  EXPECT_TRUE(bits(copy) == bits(s.world));
  EXPECT_EQ(copy.tally.dissipated, s.world.tally.dissipated);
  EXPECT_EQ(copy.clock.time, s.world.clock.time);
}

// On any number of threads, and from a copy half way; `broken` says whether anything has broken by the end.
void expect_same_bits(const std::string& scene, const std::function<bool(const World&)>& broken) {
  std::vector<std::byte> first;
  for (int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    Simulation s(scene);
    ASSERT_TRUE(s.run_steps(101));
    World copy = s.world;
    const std::unique_ptr<Solver> other = make_solver(s.scene());
    other->prepare(copy);
    for (int i = 0; i < 40; ++i) {
      ASSERT_TRUE(s.run_steps(1));
      ASSERT_TRUE(other->step(copy, other->max_dt(copy).dt).ok());
    }
    if (threads == 1) first = bits(s.world);
    EXPECT_TRUE(bits(s.world) == first) << threads << " threads";
    EXPECT_TRUE(bits(copy) == first) << threads << " threads, from a copy";
    EXPECT_TRUE(broken(s.world));
  }
}

TEST(Step, of_a_mesh_gives_the_same_bits_on_any_number_of_threads_and_from_a_copy) {
  expect_same_bits(torn_scene(), [](const World& world) {
    const auto failed = world.mesh.cells.get<std::int32_t>("failed");
    return std::count(failed.begin(), failed.end(), 1) > 0;
  });
}

// A bar that a phase field breaks.
std::string cracked_scene(int dimension) {
  return one_body(dimension, "dx = 0.05",
                  "model = \"phase-field\"\nyoung = 1e5\nfracture_energy = 20\ncrack_length = 0.1",
                  "shape = { type = \"box\", size = [0.8, 0.3, 0.2] }", "gravity = [0, 0, 0]",
                  "[[grip]]\nname = \"left\"\nshape = { type = \"box\", center = [-0.4, 0, 0], size = [0.2, 1, 1] }\n"
                  "[[grip]]\nname = \"right\"\nshape = { type = \"box\", center = [0.4, 0, 0], size = [0.2, 1, 1] }\n"
                  "motion = { velocity = [2, 1, 0] }\n");
}

TEST(Step, of_a_phase_field_gives_the_same_bits_on_any_number_of_threads_and_from_a_copy) {
  for (int dimension : {2, 3})
    expect_same_bits(cracked_scene(dimension), [](const World& world) {
      const auto damage = world.particles.get<float>("damage");
      return *std::max_element(damage.begin(), damage.end()) > 0.5f;
    });
}

// A grip that turns a block in a field of force, measured.
std::string scripted_scene() {
  return one_body(3, "dx = 0.05", "model = \"neo-hookean\"",
                  "velocity = [\"-y\", \"x\", 0]\nshape = { type = \"box\", size = [0.5, 0.4, 0.3] }",
                  "gravity = [0, 0, 0]\nbody_force = [\"-4*x\", \"-4*y\", \"X - x\"]",
                  "[[grip]]\nname = \"hand\"\nshape = { type = \"box\", center = [0.2, 0, 0], size = [0.2, 1, 1] }\n"
                  "motion = { rotate = [\"0.5*sin(3*t)\", 0, 0] }\n[[probe]]\nname = \"pull\"\ntype = \"force\"\n"
                  "on = \"hand\"\n");
}

TEST(Step, measures_the_same_bits_on_any_number_of_threads) {
  std::vector<std::byte> first;
  Reaction reaction;
  for (int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    Simulation s(scripted_scene());
    ASSERT_TRUE(s.run_steps(60));
    if (threads == 1) first = bits(s.world), reaction = s.world.reactions[0];
    EXPECT_TRUE(bits(s.world) == first) << threads << " threads";
    EXPECT_EQ(s.world.reactions[0].impulse, reaction.impulse) << threads << " threads";
    EXPECT_EQ(s.world.reactions[0].turn, reaction.turn) << threads << " threads";
    EXPECT_GT(length(reaction.turn), 0);
  }
}

TEST(Step, allocates_nothing_once_it_is_warm) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer takes memory itself";
#endif
  {
    Simulation s(scripted_scene());
    ASSERT_TRUE(s.run_steps(400));
    const long before = allocations_so_far();
    ASSERT_TRUE(s.run_steps(64));
    EXPECT_EQ(allocations_so_far() - before, 0) << "with a grip, a body force and a probe";
  }
  {
    Simulation s(torn_scene());
    ASSERT_TRUE(s.run_steps(200, 1e-3));
    const long before = allocations_so_far();
    ASSERT_TRUE(s.run_steps(16, 1e-6));
    EXPECT_EQ(allocations_so_far() - before, 0) << "of a mesh";
  }
  {
    Simulation s(cracked_scene(2));
    ASSERT_TRUE(s.run_steps(200));
    const long before = allocations_so_far();
    ASSERT_TRUE(s.run_steps(16, 1e-6));
    EXPECT_EQ(allocations_so_far() - before, 0) << "of a phase field";
  }
  // Implicit steps of a block that lies on a rough floor in a field of force, against a mirror, measured.
  for (const char* integrator : {"implicit", "semi-implicit"}) {
    Simulation s(one_body(2, std::string("dx = 0.05\nintegrator = \"") + integrator + "\"", "model = \"snow\"",
                          "shape = { type = \"box\", center = [0.2, 0.1], size = [0.4, 0.2] }",
                          "body_force = [\"X - x\", 0]",
                          "[[collider]]\nname = \"floor\"\nfriction = 0.5\nshape = { type = \"plane\" }\n"
                          "[[collider]]\ncontact = \"symmetry\"\nshape = { type = \"plane\", normal = [1, 0, 0] }\n"
                          "[[probe]]\nname = \"push\"\ntype = \"force\"\non = \"floor\"\n"));
    ASSERT_TRUE(s.run_steps(200, 1e-3));
    const long before = allocations_so_far();
    ASSERT_TRUE(s.run_steps(32, 1e-3));
    EXPECT_EQ(allocations_so_far() - before, 0) << integrator;
  }
  // A body that turns in place: blocks come and go, but never more than there were.
  Simulation s(one_body(3, "dx = 0.05", "model = \"snow\"",
                        "spin = [1, 2, 6]\nshape = { type = \"box\", size = [0.5, 0.4, 0.3] }", "gravity = [0, 0, 0]"));
  ASSERT_TRUE(s.run_steps(2000));
  const long before = allocations_so_far();
  ASSERT_TRUE(s.run_steps(64));
  EXPECT_EQ(allocations_so_far() - before, 0);
}

}  // namespace
}  // namespace knead::test
