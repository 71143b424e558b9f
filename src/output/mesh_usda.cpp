// USD as text: a Mesh a body with texture coordinates a corner, the place at rest a point, and a GeomSubset with a
// material each for its outside and its cracks. In 2D its lines are BasisCurves.
#include "output/mesh_writer.h"

#include <cctype>
#include <iterator>

namespace knead {

namespace {

// A name as USD allows it: letters, digits and underscores, no digit first.
std::string identifier(const std::string& name, std::size_t number) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "body_" + result;
  return number == 0 ? result : fmt::format("{}_{}", result, number);
}

class Text {
 public:
  // A list such as [1, 2] or [(1, 2), (3, 4)], of `n` values that `value(i)` appends.
  template <class Value>
  void list(const char* before, std::size_t n, Value value) {
    text_ += before;
    text_ += " = [";
    for (std::size_t i = 0; i < n; ++i) {
      if (i) text_ += ", ";
      value(i);
    }
    text_ += ']';
  }
  template <class T, int n>
  void tuple(const Vec<T, n>& v) {
    text_ += '(';
    for (int k = 0; k < n; ++k) fmt::format_to(out(), "{}{}", k ? ", " : "", float(v[k]));
    text_ += ')';
  }
  std::back_insert_iterator<std::string> out() { return std::back_inserter(text_); }
  void operator+=(std::string_view more) { text_ += more; }
  const std::string& whole() const { return text_; }

 private:
  std::string text_;
};

void add_subset(Text& text, const char* name, std::size_t begin, std::size_t end) {
  fmt::format_to(
      text.out(),
      "\n\n        def GeomSubset \"{0}\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        "
      ")\n        {{\n            uniform token elementType = \"face\"\n            uniform token familyName = "
      "\"materialBind\"\n",
      name);
  text.list("            int[] indices", end - begin,
            [&](std::size_t i) { fmt::format_to(text.out(), "{}", begin + i); });
  fmt::format_to(text.out(), "\n            rel material:binding = </knead/materials/{}>\n        }}", name);
}

void add_mesh(Text& text, const std::string& name, const SurfaceMesh& mesh) {
  const CornerNormals normals = corner_normals(mesh);
  const std::size_t corners = 3 * mesh.triangles.size();
  fmt::format_to(text.out(),
                 "\n    def Mesh \"{}\"\n    {{\n        uniform token subdivisionScheme = \"none\"\n        uniform "
                 "token subsetFamily:materialBind:familyType = \"partition\"\n",
                 name);
  text.list("        int[] faceVertexCounts", mesh.triangles.size(), [&](std::size_t) { text += "3"; });
  text.list("\n        int[] faceVertexIndices", corners,
            [&](std::size_t i) { fmt::format_to(text.out(), "{}", mesh.triangles[i / 3][int(i % 3)]); });
  text.list("\n        point3f[] points", mesh.points.size(), [&](std::size_t i) { text.tuple(mesh.points[i]); });
  text.list("\n        normal3f[] normals", corners,
            [&](std::size_t i) { text.tuple(normals.normals[std::size_t(normals.of_corner[i / 3][int(i % 3)])]); });
  text += " (\n            interpolation = \"faceVarying\"\n        )";
  if (!mesh.uv.empty()) {
    text.list("\n        texCoord2f[] primvars:st", corners,
              [&](std::size_t i) { text.tuple(i / 3 < mesh.outer ? mesh.uv[i / 3][i % 3] : Vec2d{}); });
    text += " (\n            interpolation = \"faceVarying\"\n        )";
  }
  text.list("\n        point3f[] primvars:rest", mesh.rest.size(), [&](std::size_t i) { text.tuple(mesh.rest[i]); });
  text += " (\n            interpolation = \"vertex\"\n        )";
  add_subset(text, "outside", 0, mesh.outer);
  add_subset(text, "crack", mesh.outer, mesh.triangles.size());
  text += "\n    }\n";
}

void add_lines(Text& text, const std::string& name, const SurfaceMesh& mesh) {
  fmt::format_to(text.out(), "\n    def BasisCurves \"{}_lines\"\n    {{\n        uniform token type = \"linear\"\n",
                 name);
  text.list("        int[] curveVertexCounts", mesh.lines.size(), [&](std::size_t) { text += "2"; });
  text.list("\n        point3f[] points", 2 * mesh.lines.size(),
            [&](std::size_t i) { text.tuple(mesh.points[std::size_t(mesh.lines[i / 2][int(i % 2)])]); });
  text.list("\n        int[] primvars:crack", mesh.lines.size(),
            [&](std::size_t i) { text += i < mesh.outer_lines ? "0" : "1"; });
  text += " (\n            interpolation = \"uniform\"\n        )\n    }\n";
}

void add_material(Text& text, const char* name, const char* color) {
  fmt::format_to(
      text.out(),
      "        def Material \"{0}\"\n        {{\n            token outputs:surface.connect = "
      "</knead/materials/{0}/surface.outputs:surface>\n            def Shader \"surface\"\n            {{\n  "
      "              uniform token info:id = \"UsdPreviewSurface\"\n                color3f "
      "inputs:diffuseColor = {1}\n                token outputs:surface\n            }}\n        }}\n",
      name, color);
}

class Usda final : public MeshWriter {
 public:
  std::string name() const override { return "usda"; }
  std::string doc() const override {
    return "USD as text, with texture coordinates a corner and subsets outside and crack; for Houdini, Blender, "
           "usdview";
  }

  void write(const SurfaceFrame& frame, WholeFile& file) const override {
    file.write(
        fmt::format("#usda 1.0\n(\n    defaultPrim = \"knead\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n    "
                    "customLayerData = {{\n        int frame = {}\n        double time = {}\n    }}\n)\n\ndef Xform "
                    "\"knead\"\n{{",
                    frame.number, frame.time));
    for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
      Text text;
      const std::string name = identifier(frame.bodies[b].name, same_name_before(frame, b));
      add_mesh(text, name, frame.bodies[b].mesh);
      if (!frame.bodies[b].mesh.lines.empty()) add_lines(text, name, frame.bodies[b].mesh);
      file.write(text.whole());
    }
    Text materials;
    materials += "\n    def Scope \"materials\"\n    {\n";
    add_material(materials, "outside", "(0.8, 0.8, 0.8)");
    add_material(materials, "crack", "(0.7, 0.35, 0.2)");
    file.write(materials.whole() + "    }\n}\n");
  }

 private:
  static std::size_t same_name_before(const SurfaceFrame& frame, std::size_t b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < b; ++i)
      count += identifier(frame.bodies[i].name, 0) == identifier(frame.bodies[b].name, 0);
    return count;
  }
};

}  // namespace

const MeshWriter& usda_mesh_writer() {
  static const Usda writer;
  return writer;
}

}  // namespace knead
