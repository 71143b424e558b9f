#include "scene/write.h"

#include "scene/value_text.h"

#include <fmt/format.h>

namespace knead {

namespace {

// The keys of a section, a line each.
std::string lines(const Table& table, void* object, const ValueStyle& style) {
  std::string text;
  for (const Field& f : table.fields)
    if (void* value = value_of(f, object)) text += fmt::format("{} = {}\n", f.name, member_text(f, value, style));
  return text;
}

std::string material_sections(Scene& scene, const ValueStyle& style) {
  std::string text;
  for (MaterialEntry& m : scene.materials) {
    const OneOf& one_of = Material::alternatives();
    const auto [table, object] = current(one_of, &m.material);
    text += fmt::format("\n[materials.{}]\n{} = {}\n{}", key_text(m.name), one_of.tag, quoted_text(table->name),
                        lines(*table, object, style));
  }
  return text;
}

std::string section(const Field& field, void* value, const ValueStyle& style) {
  const Table& table = field.type.table();
  if (!field.type.list) return fmt::format("\n[{}]\n{}", field.name, lines(table, value, style));
  std::string text;
  for (std::size_t i = 0; i < field.type.count(value); ++i)
    text += fmt::format("\n[[{}]]\n{}", field.name, lines(table, field.type.item(value, i), style));
  return text;
}

void list_struct(const Table&, void* object, const std::string& path, const ValueStyle&, std::vector<SceneValue>& out);

void list_item(const Field& field, void* value, const std::string& path, const ValueStyle& style,
               std::vector<SceneValue>& out) {
  if (field.type.kind == Kind::table) return list_struct(field.type.table(), value, path, style, out);
  if (field.type.kind == Kind::one_of) {
    const auto [table, object] = current(field.type.one_of(), value);
    out.push_back({path + "." + field.type.one_of().tag, quoted_text(table->name)});
    return list_struct(*table, object, path, style, out);
  }
  out.push_back({path, item_text(field, value, style)});
}

void list_struct(const Table& table, void* object, const std::string& path, const ValueStyle& style,
                 std::vector<SceneValue>& out) {
  for (const Field& f : table.fields) {
    void* value = value_of(f, object);
    if (!value) continue;
    const std::string inner = path.empty() ? f.name : path + "." + f.name;
    const bool tables = f.type.kind == Kind::table || f.type.kind == Kind::one_of;
    if (!f.type.list)
      list_item(f, value, inner, style, out);
    else if (!tables)
      out.push_back({inner, member_text(f, value, style)});
    else
      for (std::size_t i = 0; i < f.type.count(value); ++i)
        list_item(f, f.type.item(value, i), fmt::format("{}.{}", inner, i), style, out);
  }
}

}  // namespace

Scene resolved(Scene scene) {
  scene.scene.gravity = scene.gravity();
  if (scene.solver.traits().transfers) scene.solver.elastic_cfl = scene.solver.elastic_cfl_number();
  for (Body& b : scene.bodies) b.particles_per_cell = scene.particles_per_cell(b);
  for (Source& s : scene.sources) s.particles_per_cell = scene.particles_per_cell(s);
  return scene;
}

std::string to_toml(const Scene& given) {
  Scene scene = resolved(given);
  const ValueStyle style{scene.scene.dimension, [&](const std::string& path) {
                           return std::filesystem::absolute(scene.folder / path).lexically_normal().string();
                         }};
  std::string text = fmt::format("format = {}\n", scene.format);
  for (const Field& f : Scene::table().fields) {
    if (f.type.kind == Kind::table) text += section(f, value_of(f, &scene), style);
    if (f.name == "solver") text += material_sections(scene, style);
  }
  return text;
}

std::vector<SceneValue> list_values(const Scene& given, const PathText& path_text) {
  Scene scene = resolved(given);
  const ValueStyle style{scene.scene.dimension, path_text};
  std::vector<SceneValue> out;
  list_struct(Scene::table(), &scene, "", style, out);
  for (MaterialEntry& m : scene.materials) {
    const std::string path = "materials." + key_text(m.name);
    const auto [table, object] = current(Material::alternatives(), &m.material);
    out.push_back({path + "." + Material::alternatives().tag, quoted_text(table->name)});
    list_struct(*table, object, path, style, out);
  }
  return out;
}

}  // namespace knead
