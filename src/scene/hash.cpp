#include "scene/hash.h"

#include "base/fnv.h"
#include "scene/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>

namespace knead {

namespace {

std::uint64_t hash_file(const std::filesystem::path& path) {
  std::uint64_t h = fnv_start;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return h;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(1 << 16);
  while (file.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || file.gcount() > 0)
    h = fnv({buffer.data(), static_cast<std::size_t>(file.gcount())}, h);
  return h;
}

// The scene with everything that does not matter to the particles made equal.
Scene physics_of(Scene scene) {
  scene.scene.name.clear();
  scene.scene.description.clear();
  scene.scene.duration = General{}.duration;
  for (Body& b : scene.bodies) b.name.clear(), b.color.reset();
  for (Collider& c : scene.colliders) c.name.clear(), c.color.reset(), c.visible = true, c.opacity = 1;
  for (Grip& g : scene.grips) g.name.clear();
  for (Source& s : scene.sources) s.name.clear(), s.color.reset();
  for (Drain& d : scene.drains) d.name.clear();
  for (Explosion& e : scene.explosions) e.name.clear();
  scene.probes.clear();
  scene.output = {};
  scene.camera = {};
  scene.expects.clear();
  return scene;
}

std::vector<SceneValue> physics_values(const Scene& scene) {
  return list_values(physics_of(scene), [&](const std::string& path) {
    const std::filesystem::path file(path);
    return fmt::format("{} ({:016x})", file.filename().string(), hash_file(scene.folder / file));
  });
}

}  // namespace

std::uint64_t scene_hash(const Scene& scene) {
  std::uint64_t h = fnv_start;
  for (const SceneValue& v : physics_values(scene)) h = fnv(v.path + " = " + v.text + "\n", h);
  return h;
}

std::vector<std::string> differences(const Scene& now, const Scene& before) {
  const std::vector<SceneValue> a = physics_values(now), b = physics_values(before);
  std::map<std::string, std::string> old, fresh;
  for (const SceneValue& v : b) old[v.path] = v.text;
  for (const SceneValue& v : a) fresh[v.path] = v.text;
  std::vector<std::string> out;
  for (const SceneValue& v : a) {
    const auto was = old.find(v.path);
    if (was == old.end())
      out.push_back(fmt::format("{} is {}, was not there", v.path, v.text));
    else if (was->second != v.text)
      out.push_back(fmt::format("{} is {}, was {}", v.path, v.text, was->second));
  }
  for (const SceneValue& v : b)
    if (!fresh.contains(v.path)) out.push_back(fmt::format("{} was {}, is no longer there", v.path, v.text));
  return out;
}

}  // namespace knead
