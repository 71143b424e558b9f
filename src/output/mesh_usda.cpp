// USD as text: one Mesh per body with its colour, texture coordinates per corner, the place at rest per point, and one
// GeomSubset with a material for its outside and one for its cracks. In 2D its lines are BasisCurves.
#include "output/mesh_writer.h"
#include "output/text_stream.h"

namespace knead {

namespace {

// A list such as [1, 2] or [(1, 2), (3, 4)], of `n` values that `value(i)` appends.
template <class Value>
void add_list(TextStream& text, std::string_view before, std::size_t n, Value value) {
  text.put(before);
  text.put(" = [");
  for (std::size_t i = 0; i < n; ++i) {
    if (i) text.put(", ");
    value(i);
  }
  text.put("]");
}
template <class T>
void add_tuple(TextStream& text, const Vec<T, 2>& v) {
  text.add(FMT_COMPILE("({}, {})"), float(v[0]), float(v[1]));
}
template <class T>
void add_tuple(TextStream& text, const Vec<T, 3>& v) {
  text.add(FMT_COMPILE("({}, {}, {})"), float(v[0]), float(v[1]), float(v[2]));
}

void add_subset(TextStream& text, const char* name, const char* material, std::size_t begin, std::size_t end) {
  text.add(
      FMT_COMPILE(
          "\n\n        def GeomSubset \"{0}\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        "
          ")\n        {{\n            uniform token elementType = \"face\"\n            uniform token familyName = "
          "\"materialBind\"\n"),
      name);
  add_list(text, "            int[] indices", end - begin,
           [&](std::size_t i) { text.add(FMT_COMPILE("{}"), begin + i); });
  text.add(FMT_COMPILE("\n            rel material:binding = </knead/materials/{}>\n        }}"), material);
}

void add_mesh(TextStream& text, const std::string& name, const NamedSurface& body,
              const std::vector<PointColumn>& columns) {
  const SurfaceMesh& mesh = body.mesh;
  const CornerNormals normals = corner_normals(mesh);
  const std::size_t corners = 3 * mesh.triangles.size();
  text.add(
      FMT_COMPILE("\n    def Mesh \"{}\"\n    {{\n        uniform token subdivisionScheme = \"none\"\n        uniform "
                  "token subsetFamily:materialBind:familyType = \"partition\"\n"),
      name);
  add_list(text, "        int[] faceVertexCounts", mesh.triangles.size(), [&](std::size_t) { text.put("3"); });
  add_list(text, "\n        int[] faceVertexIndices", corners,
           [&](std::size_t i) { text.add(FMT_COMPILE("{}"), mesh.triangles[i / 3][int(i % 3)]); });
  add_list(text, "\n        point3f[] points", mesh.points.size(),
           [&](std::size_t i) { add_tuple(text, mesh.points[i]); });
  add_list(text, "\n        normal3f[] normals", corners,
           [&](std::size_t i) { add_tuple(text, normals.normals[std::size_t(normals.of_corner[i / 3][int(i % 3)])]); });
  text.put(" (\n            interpolation = \"faceVarying\"\n        )");
  if (!mesh.uv.empty()) {
    add_list(text, "\n        texCoord2f[] primvars:st", corners,
             [&](std::size_t i) { add_tuple(text, i / 3 < mesh.outer ? mesh.uv[i / 3][i % 3] : Vec2d{}); });
    text.put(" (\n            interpolation = \"faceVarying\"\n        )");
  }
  if (mesh.rest.size() == mesh.points.size()) {
    add_list(text, "\n        point3f[] primvars:rest", mesh.rest.size(),
             [&](std::size_t i) { add_tuple(text, mesh.rest[i]); });
    text.put(" (\n            interpolation = \"vertex\"\n        )");
  }
  for (const PointColumn& c : columns) {
    const auto n = static_cast<std::size_t>(c.components);
    const auto vector = [&](std::size_t i) {
      add_tuple(text, Vec3f{c.values[3 * i], c.values[3 * i + 1], c.values[3 * i + 2]});
    };
    const auto number = [&](std::size_t i) { text.add(FMT_COMPILE("{}"), c.values[i]); };
    if (c.name == "v" && n == 3) {
      add_list(text, "\n        vector3f[] velocities", mesh.points.size(), vector);
      continue;
    }
    const std::string primvar = "primvars:" + identifier(c.name, 0);
    if (n == 3)
      add_list(text, "\n        vector3f[] " + primvar, mesh.points.size(), vector);
    else
      add_list(text, "\n        float[] " + primvar, c.values.size(), number);
    text.put(" (\n            interpolation = \"vertex\"");
    if (n != 3 && n != 1) text.add(FMT_COMPILE("\n            elementSize = {}"), n);
    text.put("\n        )");
  }
  if (body.outside) {
    text.put("\n        color3f[] primvars:displayColor = [");
    add_tuple(text, body.outside->color);
    text.put("] (\n            interpolation = \"constant\"\n        )");
  }
  add_subset(text, "outside", material_of_outside(body), 0, mesh.outer);
  add_subset(text, "crack", crack_material, mesh.outer, mesh.triangles.size());
  text.put("\n    }\n");
}

void add_lines(TextStream& text, const std::string& name, const SurfaceMesh& mesh) {
  text.add(FMT_COMPILE("\n    def BasisCurves \"{}_lines\"\n    {{\n        uniform token type = \"linear\"\n"), name);
  add_list(text, "        int[] curveVertexCounts", mesh.lines.size(), [&](std::size_t) { text.put("2"); });
  add_list(text, "\n        point3f[] points", 2 * mesh.lines.size(),
           [&](std::size_t i) { add_tuple(text, mesh.points[std::size_t(mesh.lines[i / 2][int(i % 2)])]); });
  add_list(text, "\n        int[] primvars:crack", mesh.lines.size(),
           [&](std::size_t i) { text.put(i < mesh.outer_lines ? "0" : "1"); });
  text.put(" (\n            interpolation = \"uniform\"\n        )\n    }\n");
}

void add_material(TextStream& text, const std::string& name, const Vec3f& color) {
  text.add(
      FMT_COMPILE(
          "        def Material \"{0}\"\n        {{\n            token outputs:surface.connect = "
          "</knead/materials/{0}/surface.outputs:surface>\n            def Shader \"surface\"\n            {{\n  "
          "              uniform token info:id = \"UsdPreviewSurface\"\n                color3f "
          "inputs:diffuseColor = ({1}, {2}, {3})\n                token outputs:surface\n            }}\n        }}\n"),
      name, color[0], color[1], color[2]);
}

class Usda final : public MeshWriter {
 public:
  std::string name() const override { return "usda"; }
  std::string doc() const override {
    return "USD as text, with colours, texture coordinates per corner and subsets outside and crack; for Houdini, "
           "Blender, usdview";
  }

  void write(const SurfaceFrame& frame, WholeFile& file) const override {
    TextStream text(file);
    text.add(
        FMT_COMPILE("#usda 1.0\n(\n    defaultPrim = \"knead\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n    "
                    "customLayerData = {{\n        int frame = {}\n        double time = {}\n    }}\n)\n\ndef Xform "
                    "\"knead\"\n{{"),
        frame.number, frame.time);
    const std::vector<std::vector<PointColumn>> columns = point_columns(frame);
    for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
      const std::string name = identifier(frame.bodies[b].name, same_name_before(frame, b));
      add_mesh(text, name, frame.bodies[b], columns[b]);
      if (!frame.bodies[b].mesh.lines.empty()) add_lines(text, name, frame.bodies[b].mesh);
    }
    text.put("\n    def Scope \"materials\"\n    {\n");
    std::map<std::string, Vec3f> colors;
    for (const NamedSurface& body : frame.bodies)
      colors[material_of_outside(body)] = body.outside ? body.outside->color : plain_color;
    for (const auto& [material, color] : colors) add_material(text, material, color);
    add_material(text, crack_material, crack_color);
    text.put("    }\n}\n");
    text.flush();
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
