// The methods without a grid give the same bits on any number of threads, and go on with them from a copy.
#include "base/parallel.h"
#include "levels/make_solver.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

namespace knead::test {
namespace {

// Two bodies that meet on a floor, so that every stage has work to do.
std::string two_blocks(const std::string& method, const std::string& precision) {
  const std::string material = method == "mls" ? "model = \"strain-yield\"\nyield_strain = 0.01\n"
                                               : "model = \"yield-flow\"\nyield_stress = 300\n";
  const std::string contact = method == "composed" ? "" : "self_contact = true\n";
  return "format = 1\n[scene]\nname = \"two\"\nbody_force = [0, \"-3*y\", 0]\n[solver]\nmethod = \"" + method +
         "\"\ndx = 0.08\nprecision = \"" + precision +
         "\"\n[solver.meshless]\nviscosity = 1\nfade_steps = 5\nembed_after = 0.005\n" + contact + "[materials.m]\n" +
         material +
         "[[body]]\nname = \"a\"\nmaterial = \"m\"\nvelocity = [0.5, -2, 0]\nsampling = \"jittered\"\n"
         "shape = { type = \"sphere\", center = [0, 0.35, 0], radius = 0.3 }\n"
         "[[body]]\nname = \"b\"\nmaterial = \"m\"\nvelocity = [-1, -3, 0]\nspin = [0, 0, 3]\n"
         "shape = { type = \"box\", center = [0.2, 0.95, 0], size = [0.4, 0.4, 0.4] }\n"
         "[[collider]]\nname = \"floor\"\nfriction = 0.4\nshape = { type = \"plane\" }\n";
}

std::vector<std::byte> bits(const World& world) {
  std::vector<std::byte> all;
  for (const Column& c : world.particles.columns()) all.insert(all.end(), c.data.data(), c.data.data() + c.data.size());
  return all;
}

TEST(MeshlessStep, gives_the_same_bits_on_any_number_of_threads) {
  for (const char* method : {"mls", "embedded", "composed"})
    for (const char* precision : {"float", "double"}) {
      std::vector<std::byte> first;
      for (int threads : {1, 2, 7}) {
        const ThreadLimit limit(threads);
        Simulation s(two_blocks(method, precision));
        ASSERT_TRUE(s.run_steps(100)) << method;
        if (threads == 1) first = bits(s.world);
        EXPECT_TRUE(bits(s.world) == first) << method << ", " << threads << " threads";
      }
    }
}

TEST(MeshlessStep, goes_on_with_the_same_bits_from_a_copy_in_a_new_solver) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    Simulation s(two_blocks(method, "float"));
    ASSERT_TRUE(s.run_steps(83));
    World copy = s.world;
    const std::unique_ptr<Solver> other = make_solver(s.scene());
    other->prepare(copy);
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(s.run_steps(1));
      ASSERT_TRUE(other->step(copy, other->max_dt(copy).dt).ok());
    }
    EXPECT_TRUE(bits(copy) == bits(s.world)) << method;
  }
}

TEST(MeshlessStep, goes_on_with_what_an_event_left_to_the_stabilizer_and_the_pressure) {
  for (const char* method : {"mls", "embedded", "composed"}) {
    Simulation s(two_blocks(method, "float") + "[[event]]\ntime = 0.1\nmaterial = \"m\"\nset = { young = 1e7 }\n");
    ASSERT_TRUE(s.run_until(0.1)) << method;
    const auto held = s.world.particles.get<float>(method[0] == 'c' ? ".held_density" : ".held_slope");
    EXPECT_GT(*std::max_element(held.begin(), held.end()), 0) << method;
    World copy = s.world;
    const std::unique_ptr<Solver> other = make_solver(s.scene());
    other->prepare(copy);
    for (int i = 0; i < 20; ++i) {
      ASSERT_TRUE(s.run_steps(1));
      ASSERT_TRUE(other->step(copy, other->max_dt(copy).dt).ok());
    }
    EXPECT_TRUE(bits(copy) == bits(s.world)) << method;
  }
}

}  // namespace
}  // namespace knead::test
