// The checks of a scene as a whole, beyond what reading single values shows. Internal to check.cpp and
// check_bodies.cpp.
#pragma once

#include "scene/check_context.h"

#include <map>

namespace knead {

constexpr const char* axis_names[] = {"x", "y", "z"};

class Checker : CheckContext {
 public:
  using CheckContext::CheckContext;

  void run() {
    check_general();
    check_domain();
    check_solver();
    check_materials();
    name_and_check(scene_.bodies, "body");
    name_and_check(scene_.colliders, "collider");
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) check_body(scene_.bodies[i], fmt::format("body.{}", i));
    for (std::size_t i = 0; i < scene_.colliders.size(); ++i)
      check_collider(scene_.colliders[i], fmt::format("collider.{}", i));
    for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
      for (std::size_t c = 0; c < scene_.colliders.size() && pairs_left_ > 0; ++c) check_pair(b, c);
    check_heat();
    check_output();
    check_camera();
    check_expects();
  }

 private:
  void check_general();
  void check_domain();
  void check_solver();
  void check_materials();
  void check_law(const MaterialEntry&);
  void check_crack(const MaterialEntry&);
  void check_crack_length(const MaterialEntry&);
  void check_body(Body&, const std::string& path);
  void check_points(const Body&, const std::string& path);
  void check_start(const Body&, const std::string& path);
  void check_damage(Body&, const std::string& key);
  void check_cells(const Body&, const std::string& path);
  void check_file(const std::string& path, const std::string& name);
  void check_fit(const Body&, const std::string& path);
  void check_thickness(const Bounds&, const std::string& path);
  void check_inside(const Bounds&, const std::string& path);
  void check_precision(const Bounds&, const std::string& path);
  void check_pair(std::size_t body, std::size_t collider);
  void check_friction(Contact, double friction, const std::string& path);
  void check_wall(const Collider&, const std::string& path);
  void check_symmetry(const Collider&, const std::string& path);
  void check_mirror(int axis, double at, const std::string& path);
  void check_collider(Collider&, const std::string& path);
  void check_heat();
  void check_output();
  void check_camera();
  void check_expects();

  std::map<std::string, int> material_index_;
  int pairs_left_ = 1000;  // of bodies and colliders that are compared point by point
};

}  // namespace knead
