// What every check of a scene needs: the scene, the places of its values, and where mistakes go.
#pragma once

#include "scene/node.h"
#include "scene/scene.h"

#include <map>

namespace knead {

class CheckContext {
 public:
  CheckContext(Scene& scene, const Node& root, Mistakes& mistakes)
      : scene_(scene), root_(root), mistakes_(mistakes), dim_(scene.scene.dimension == 2 ? 2 : 3) {}

 protected:
  void wrong(const std::string& path, const std::string& what, Exit code = Exit::bad_input) {
    mistakes_.add(place_at(root_, path), path, what, code);
  }
  void odd(const std::string& path, const std::string& what) { mistakes_.warn(place_at(root_, path), what); }
  // Whether the shape is sound and ready; says why not otherwise.
  bool prepare_shape(Shape&, const std::string& path);
  void check_motion(const Motion&, const std::string& path);
  // Warns of a motion of what matter meets by expressions that jump.
  void check_jumps(const Motion&, const std::string& path);
  // Gives nameless ones their names and refuses a name that is given twice.
  template <class List>
  void name_and_check(List& list, const std::string& section);
  // Fails to find `name` among `names`: "grip.0.body is "x", which is not a body of this scene; it has …".
  void unknown(const std::string& path, const std::string& name, const std::string& kind,
               const std::vector<std::string>& names);
  // That a text is one of `also`, or a quantity of this scene.
  void check_quantity(const std::string& path, const std::string& text, const std::vector<std::string>& also = {});

  Scene& scene_;
  const Node& root_;
  Mistakes& mistakes_;
  int dim_;
};

// How thin a shape is, as far as its bounds or a wall tell.
double thinnest(const Shape& shape, int dim);

// "a, b and 3 more", each once
std::string listed(const std::vector<std::string>& names);

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& entry : list) names.push_back(entry.name);
  return names;
}

template <class List>
void CheckContext::name_and_check(List& list, const std::string& section) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::string& name = list[i].name;
    const std::string path = fmt::format("{}.{}", section, i);
    if (name.size() > 100 || name.find('\n') != std::string::npos)
      wrong(path + ".name", fmt::format("{}.name must be at most 100 characters on one line", path));
    if (name.empty()) name = fmt::format("{}{}", section, i);
    const auto [first, fresh] = seen.emplace(name, i);
    if (!fresh)
      wrong(path + ".name", fmt::format("{}.name is \"{}\", which is also the name of {}.{}; names must differ", path,
                                        name, section, first->second));
  }
}

// Liquids, their sources, drains and explosions; shapes and materials have been checked before.
void check_liquid(Scene&, const Node& root, Mistakes&);
// Grips and probes; the rest of the scene has been checked before.
void check_control(Scene&, const Node& root, Mistakes&);

}  // namespace knead
