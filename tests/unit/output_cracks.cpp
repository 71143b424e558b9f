// The surfaces of cracked bodies from run folders, and their files as readers of other projects see them.
#include "output/crack_sequence.h"

#include "base/parallel.h"
#include "output/rest_mesh.h"
#include "support/output_support.h"
#include "validate/crack_samples.h"

namespace knead {
namespace {

using test::TempFolder;

template <int d>
RestMesh<d> textured(const SimplexMesh<d>& mesh) {
  RestMesh<d> rest;
  rest.body = "a loaf";
  rest.mesh = mesh;
  // Particles are listed in another order than points, and there are others.
  const auto n = static_cast<std::int32_t>(mesh.points.size());
  for (std::int32_t p = 0; p < n; ++p) rest.particles.push_back(n - p);
  const auto complex = make_core_complex(mesh);
  for (std::size_t i = 0; i < complex.sheet.size(); ++i) {
    if (d == 3) rest.surface.push_back(complex.sheet[i].corners);
    std::array<Vec2d, 3> uv{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto X = mesh.points[std::size_t(complex.sheet[i].corners[k])];
      uv[k] = {X[0] / 3 + 0.1, X[1] / 7 + (i % 2 ? 0.2 : 0.5)};
    }
    rest.uv.push_back(uv);
  }
  return rest;
}

// At rest, with what lies beyond x = 0.4 taken away and turned, damaged and at 2 m/s, and at rest again.
template <int d>
World world_of(const RestMesh<d>& rest, int frame) {
  World world;
  world.dimension = d;
  world.clock.frame = frame;
  world.clock.time = (frame - 1) / 24.0;
  const std::size_t n = rest.mesh.points.size();
  world.particles.resize(n + 2);
  auto x = world.particles.add<Vec<float, d>>("x", "m");
  Column& R = world.particles.add("R", Scalar::f32, d == 3 ? 4 : 1);
  auto* r = reinterpret_cast<float*>(R.data.data());
  std::fill_n(r, (n + 2) * std::size_t(R.components), 0.f);
  auto id = world.particles.add<std::int32_t>("id");
  auto v = world.particles.add<Vec<float, d>>("v", "m/s");
  auto damage = world.particles.add<float>("damage");
  for (std::size_t i = 0; i < n + 2; ++i) id[i] = static_cast<std::int32_t>(i), x[i] = {}, v[i] = {}, damage[i] = 0.25f;
  for (std::size_t p = 0; p < n; ++p) {
    const auto row = static_cast<std::size_t>(rest.particles[p]);
    Vec<double, d> at = rest.mesh.points[p];
    const bool moved = frame == 2 && at[0] > 0.4;
    if (d == 3) r[4 * row + (moved ? 2 : 0)] = 1;  // half a turn about y, or none
    if (d == 2) r[row] = moved ? 3.14159265f : 0.f;
    if (moved) {
      v[row] = Vec<float, d>::axis(0) * 2.f, damage[row] = 1;
      at = -at + Vec<double, d>::axis(0) * 3.;
      if (d == 3) at[1] = -at[1];
    }
    x[row] = resized<float, d>(at);
  }
  return world;
}

template <int d>
RunFolder make_run(const TempFolder& temp, const RestMesh<d>& rest) {
  const RunFolder folder(temp.path());
  folder.prepare();
  write_rest_meshes<d>(folder.rest_mesh(), {rest});
  for (int frame : {1, 2, 3}) write_frame(folder.frame(frame), world_of(rest, frame));
  return folder;
}

template <int d>
void check_round_trip(const RestMesh<d>& rest) {
  const TempFolder temp;
  write_rest_meshes<d>(temp / "a.h5", {rest, rest});
  write_rest_meshes<d>(temp / "b.h5", {rest, rest});
  EXPECT_EQ(test::bytes_of(temp / "a.h5"), test::bytes_of(temp / "b.h5"));
  EXPECT_EQ(rest_mesh_dimension(temp / "a.h5"), d);
  const auto read = read_rest_meshes<d>(temp / "a.h5");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].body, rest.body);
  EXPECT_EQ(read[1].index, rest.index);
  EXPECT_TRUE(read[1].mesh.points == rest.mesh.points && read[1].mesh.cells == rest.mesh.cells);
  EXPECT_EQ(read[1].particles, rest.particles);
  EXPECT_TRUE(read[1].surface == rest.surface && read[1].uv == rest.uv);
  EXPECT_EQ(read[1].stretch, rest.stretch);
  EXPECT_EQ(read[1].input_vertices, rest.input_vertices);
  EXPECT_THROW(read_rest_meshes<5 - d>(temp / "a.h5"), Failure);
}

TEST(Cracks, rest_meshes_are_read_back_as_they_were_written) {
  RestMesh<3> solid = textured(samples::box_of_tets(2, 2, 2));
  solid.input_vertices = 3, solid.stretch = 1.25, solid.index = 4;
  check_round_trip(solid);
  check_round_trip(textured(samples::box_of_triangles(3, 2)));
}

TEST(Cracks, rest_meshes_that_contradict_themselves_are_refused) {
  const TempFolder temp;
  RestMesh<3> rest = textured(samples::box_of_tets(1, 1, 1));
  rest.mesh.cells[0][0] = 8;
  write_rest_meshes<3>(temp / "a.h5", {rest});
  EXPECT_THROW(read_rest_meshes<3>(temp / "a.h5"), Failure);
  rest = textured(samples::box_of_tets(1, 1, 1));
  rest.uv.pop_back();
  write_rest_meshes<3>(temp / "a.h5", {rest});
  EXPECT_THROW(read_rest_meshes<3>(temp / "a.h5"), Failure);
}

TEST(Cracks, frames_keep_the_stretch_of_edges) {
  const TempFolder temp;
  const std::vector<float> one{1.5f, 0.25f, 3.f}, two{};
  write_frame(temp / "a.h5", test::awkward_world(3, 10), {}, 0, {one, two});
  const Frame frame = read_frame(temp / "a.h5");
  EXPECT_EQ(frame.edge_stretch, (std::vector<std::vector<float>>{one, two}));
  EXPECT_EQ(frame.particles.count(), 10u);
  write_frame(temp / "b.h5", test::awkward_world(3, 10));
  EXPECT_TRUE(read_frame(temp / "b.h5").edge_stretch.empty());
}

TEST(Cracks, a_crack_opens_and_never_heals) {
  const TempFolder temp;
  const RestMesh<3> rest = textured(samples::box_of_tets(4, 3, 3, 0.2));
  const CrackSequence cracks(make_run(temp, rest), {});
  EXPECT_EQ(cracks.frames(), (std::vector<std::int64_t>{1, 2, 3}));
  const auto cut = samples::cut_at(make_core_complex(rest.mesh), 0.4);
  EXPECT_EQ(cracks.broken_edges(), std::size_t(std::count(cut.begin(), cut.end(), 1)));
  for (int frame : {1, 2, 3}) {
    const SurfaceFrame surface = cracks.surface(frame);
    ASSERT_EQ(surface.bodies.size(), 1u);
    const SurfaceMesh& mesh = surface.bodies[0].mesh;
    EXPECT_EQ(surface.bodies[0].name, "a loaf");
    EXPECT_TRUE(samples::closed_and_manifold(mesh));
    EXPECT_EQ(mesh.outer<mesh.triangles.size(), frame> 1);
    EXPECT_EQ(samples::pieces_of(mesh).count, frame > 1 ? 2 : 1);
    // Both pieces move as one each, so that every point is where its piece has taken it.
    const samples::Pieces pieces = samples::pieces_of(mesh);
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
      const bool moved = frame == 2 && pieces.of_point[p] != pieces.of_point[0];
      const Vec3d X = mesh.rest[p], x = moved ? Vec3d{3 - X[0], X[1], -X[2]} : X;
      EXPECT_LT(length(mesh.points[p] - x), 1e-6);  // single precision of the frames
    }
  }
}

TEST(Cracks, the_stretch_of_steps_counts_before_that_of_frames) {
  const TempFolder temp;
  const RestMesh<3> rest = textured(samples::box_of_tets(3, 2, 2));
  const RunFolder folder = make_run(temp, rest);
  // In frame 1, in a step before it, one edge was torn.
  std::vector<float> stretch(make_core_complex(rest.mesh).edges.size(), 1.f);
  stretch[5] = 1.51f;
  for (int frame : {1, 2, 3}) write_frame(folder.frame(frame), world_of(rest, 1), {}, 0, {stretch});
  const CrackSequence cracks(folder, {});
  EXPECT_EQ(cracks.broken_edges(), 1u);
  EXPECT_GT(cracks.surface(1).bodies[0].mesh.triangles.size(), cracks.surface(1).bodies[0].mesh.outer);
  CrackOptions tougher;
  tougher.stretch = 1.6;
  EXPECT_EQ(CrackSequence(folder, tougher).broken_edges(), 0u);
}

TEST(Cracks, what_is_missing_is_named) {
  const TempFolder temp;
  const RestMesh<3> rest = textured(samples::box_of_tets(1, 1, 1));
  const RunFolder folder = make_run(temp, rest);
  const auto message = [&](auto call) -> std::string {
    try {
      call();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "";
  };
  write_frame(folder.frame(2), world_of(rest, 2), {"x"});
  EXPECT_NE(message([&] { CrackSequence(folder, {}).surface(2); }).find("has no column 'R'"), std::string::npos);
  write_frame(folder.frame(2), world_of(rest, 2), {}, 0, {std::vector<float>(3)});
  EXPECT_NE(message([&] { CrackSequence(folder, {}); }).find("3 edges of the body 'a loaf', which has 19"),
            std::string::npos);
  std::filesystem::remove(folder.rest_mesh());
  EXPECT_NE(message([&] { CrackSequence(folder, {}); }).find("rest_mesh.h5"), std::string::npos);
}

// The first frame's input is compared with what the files say; every triangle's points must close the surface.
const std::string readers = R"(
import sys, re, collections, h5py, numpy as np
folder = sys.argv[1]
rest = h5py.File(folder + '/rest_mesh.h5', 'r')['meshes/0']
surface, uv, points = rest['surface'][:], rest['uv'][:].reshape(-1, 3, 2), rest['points'][:]
def closed(triangles):
    sides = collections.Counter((int(t[k]), int(t[(k + 1) % 3])) for t in triangles for k in range(3))
    assert all(n == 1 and sides[b, a] == 1 for (a, b), n in list(sides.items()))
)";

TEST(Cracks, obj_keeps_order_groups_and_texture_coordinates) {
  const TempFolder temp;
  const RestMesh<3> rest = textured(samples::box_of_tets(3, 3, 3));
  const CrackSequence cracks(make_run(temp, rest), {});
  EXPECT_EQ(write_cracks(cracks, find_mesh_writer("obj"), temp / "obj", {}), 3u);
  test::python(readers + R"(
assert open(folder + '/obj/surface.mtl').read().count('newmtl') == 2
for frame in (1, 2):
    v, vt, vn, faces, group = [], [], [], collections.defaultdict(list), None
    for line in open(folder + '/obj/frame.%04d.obj' % frame):
        w = line.split()
        if w[0] == 'v': v.append([float(a) for a in w[1:]])
        if w[0] == 'vt': vt.append([float(a) for a in w[1:]])
        if w[0] == 'vn': vn.append([float(a) for a in w[1:]])
        if w[0] == 'g': group = w[1]
        if w[0] == 'usemtl': assert w[1] == group
        if w[0] == 'f': faces[group].append([[int(i) - 1 for i in c.split('/')] for c in w[1:]])
    closed([[c[0] for c in f] for g in faces.values() for f in g])
    order = sorted(set(surface.ravel()))
    if frame == 1:
        assert list(faces) == ['outside'] and len(v) == len(order)
        assert np.array_equal(np.float32(v), np.float32(points[order]))
    assert (len(faces['crack']) > 0) == (frame == 2)
    # Input triangles that are still there have their texture coordinates, to the last bit.
    place = {tuple(order.index(p) for p in t): u for t, u in zip(surface, uv)}
    whole = 0
    for f in faces['outside']:
        u = place.get(tuple(c[0] for c in f))
        if u is None: continue
        whole += 1
        assert [vt[c[1]] for c in f] == u.tolist()
    assert whole == len(surface) if frame == 1 else 20 < whole < len(surface), whole
    for f in faces['crack']:
        for c in f:
            assert len(vt[c[1]]) == 3 and 1 / 3 < vt[c[1]][0] < 2 / 3  # the place at rest, between the layers
    for g in faces.values():
        for f in g:
            a, b, c = (np.array(v[i[0]]) for i in f)
            n = np.cross(b - a, c - a)
            for i in f: assert n @ vn[i[2]] > 0
)",
               temp.path());
}

TEST(Cracks, vtp_and_ply_are_read_by_other_readers) {
  const TempFolder temp;
  RestMesh<3> rest = textured(samples::box_of_tets(3, 3, 3));
  const RunFolder folder = make_run(temp, rest);
  RestMesh<3> second = rest;
  second.body = "b", second.index = 1;
  write_rest_meshes<3>(folder.rest_mesh(), {rest, second});
  const CrackSequence cracks(folder, {});
  EXPECT_EQ(write_cracks(cracks, find_mesh_writer("vtp"), temp / "vtp", {}), 3u);
  EXPECT_EQ(write_cracks(cracks, find_mesh_writer("ply"), temp / "ply", {}), 3u);
  test::python(readers + R"(
import vtk
from vtk.util.numpy_support import vtk_to_numpy
r = vtk.vtkXMLPolyDataReader()
errors = []
r.AddObserver('ErrorEvent', lambda o, e: errors.append(e))
r.SetFileName(folder + '/vtp/frame.0002.vtp')
r.Update()
out = r.GetOutput()
assert not errors and r.GetNumberOfPieces() == 2
pd = {out.GetPointData().GetArrayName(i): vtk_to_numpy(out.GetPointData().GetArray(i)) for i in range(out.GetPointData().GetNumberOfArrays())}
cd = {out.GetCellData().GetArrayName(i): vtk_to_numpy(out.GetCellData().GetArray(i)) for i in range(out.GetCellData().GetNumberOfArrays())}
assert set(pd) == {'normal', 'uv', 'rest', 'point', 'v', 'damage'} and set(cd) == {'crack', 'source', 'body'}
assert out.GetPointData().GetTCoords().GetName() == 'uv' and out.GetPointData().GetNormals().GetName() == 'normal'
tri = vtk_to_numpy(out.GetPolys().GetConnectivityArray()).reshape(-1, 3)
assert len(cd['crack']) == len(tri)
x = vtk_to_numpy(out.GetPoints().GetData())
for body in (0, 1): closed(pd['point'][tri[cd['body'] == body]])
# What has been taken away is damaged and moves, on both faces of the crack and outside.
assert set(pd['damage']) == {np.float32(0.25), np.float32(1)} and set(pd['v'][:, 0]) == {0, 2} and not pd['v'][:, 1:].any()
assert np.array_equal(pd['v'][:, 0] == 2, pd['damage'] == 1) and np.array_equal(x[:, 0] > 1.5, pd['damage'] == 1)
half = len(tri) // 2
assert (cd['body'][:half] == 0).all() and (cd['body'][half:] == 1).all()
order = sorted(set(surface.ravel()))
rest_of = pd['rest'][:len(order)]
assert np.array_equal(rest_of, np.float32(points[order]))
n = 0
for t, s, crack in zip(tri[:half], cd['source'], cd['crack']):
    assert (s >= 0) != crack
    if s >= 0 and np.array_equal(pd['point'][t], [order.index(p) for p in surface[s]]):
        n += 1
        assert np.array_equal(pd['uv'][t], np.float32(uv[s]))
assert n > 20
import xml.etree.ElementTree as et
sets = et.parse(folder + '/vtp/frames.pvd').getroot().findall('Collection/DataSet')
assert [s.get('file') for s in sets] == ['frame.000%d.vtp' % i for i in (1, 2, 3)]
# PLY: the same, by VTK and by hand
p = vtk.vtkPLYReader()
p.SetFileName(folder + '/ply/frame.0002.ply')
p.Update()
assert p.GetOutput().GetNumberOfPolys() == len(tri)
assert np.array_equal(vtk_to_numpy(p.GetOutput().GetPoints().GetData()), x)
data = open(folder + '/ply/frame.0002.ply', 'rb').read()
body = data.index(b'end_header\n') + 11
v = np.frombuffer(data, [('f', '<f4', 11), ('point', '<i4'), ('v', '<f4', 3), ('damage', '<f4')], len(x), body)
assert np.array_equal(v['v'], pd['v']) and np.array_equal(v['damage'], pd['damage'])
assert np.array_equal(v['f'][:, 3:], np.hstack([pd['normal'], pd['uv'], pd['rest']]))
f = np.frombuffer(data, [('n', 'u1'), ('v', '<i4', 3), ('crack', 'u1'), ('body', '<i4')], len(tri), body + v.nbytes)
assert body + v.nbytes + f.nbytes == len(data)
assert np.array_equal(f['v'], tri) and np.array_equal(f['crack'], cd['crack']) and np.array_equal(f['body'], cd['body'])
for b in (0, 1): closed(v['point'][f['v'][f['body'] == b]])
)",
               temp.path());
}

TEST(Cracks, usda_has_subsets_and_texture_coordinates_a_corner) {
  const TempFolder temp;
  const CrackSequence cracks(make_run(temp, textured(samples::box_of_tets(3, 3, 3))), {});
  ExportOptions range;
  range.first = 2;
  EXPECT_EQ(write_cracks(cracks, find_mesh_writer("usda"), temp / "usda", range), 2u);
  test::python(readers + R"(
text = open(folder + '/usda/frame.0002.usda').read()
assert text.startswith('#usda 1.0\n')
for a, b in ('()', '[]', '{}'): assert text.count(a) == text.count(b)
def value(name): return eval(re.search(re.escape(name) + r' = (\[.*\])', text).group(1))
counts, indices, st = value('faceVertexCounts'), value('faceVertexIndices'), value('primvars:st')
assert set(counts) == {3} and len(indices) == 3 * len(counts) == len(st) == len(value('normals'))
assert len(value('points')) == len(value('primvars:rest')) == max(indices) + 1
assert len(value('velocities')) == len(value('primvars:damage')) == max(indices) + 1
assert all((v == (2, 0, 0)) == (d == 1) for v, d in zip(value('velocities'), value('primvars:damage'))) and 1 in value('primvars:damage')
closed(np.reshape(indices, (-1, 3)))
subsets = [eval(s) for s in re.findall(r'int\[\] indices = (\[.*\])', text)]
assert len(subsets) == 2 and sorted(subsets[0] + subsets[1]) == list(range(len(counts))) and subsets[1]
assert re.search(r'def Mesh "a_loaf"', text)
first = sorted(set(surface.ravel()))
for i, t in enumerate(np.reshape(indices, (-1, 3))[:len(subsets[0])]):
    for s, u in zip(surface, uv):
        if [first.index(p) for p in s] == t.tolist(): assert np.array_equal(np.float32(st[3 * i:3 * i + 3]), np.float32(u))
)",
               temp.path());
}

TEST(Cracks, files_are_the_same_on_any_number_of_threads_and_go_with_their_run) {
  const TempFolder temp;
  const RunFolder folder = make_run(temp, textured(samples::box_of_tets(4, 3, 3, 0.2)));
  for (const MeshWriter* writer : mesh_writers()) {
    for (const int threads : {1, 3}) {
      const ThreadLimit limit(threads);
      write_cracks(CrackSequence(folder, {}), *writer, temp / (threads == 1 ? "cracks" : "again"), {});
    }
    for (const std::int64_t n : {1, 2, 3}) {
      const std::string name = "/" + numbered_name("frame", n, "." + writer->name());
      EXPECT_EQ(test::bytes_of(temp / ("cracks" + name)), test::bytes_of(temp / ("again" + name)));
    }
  }
  folder.clear();
  EXPECT_FALSE(std::filesystem::exists(temp / "cracks"));
  EXPECT_FALSE(std::filesystem::exists(folder.rest_mesh()));
}

TEST(Cracks, flat_bodies_have_lines) {
  const TempFolder temp;
  const CrackSequence cracks(make_run(temp, textured(samples::box_of_triangles(6, 4))), {});
  for (const MeshWriter* writer : mesh_writers())
    EXPECT_EQ(write_cracks(cracks, *writer, temp / writer->name(), {}), 3u);
  const SurfaceMesh mesh = cracks.surface(2).bodies[0].mesh;
  EXPECT_GT(mesh.lines.size(), mesh.outer_lines);
  test::python(R"(
import sys, vtk
from vtk.util.numpy_support import vtk_to_numpy
r = vtk.vtkXMLPolyDataReader()
r.SetFileName(sys.argv[1] + '/vtp/frame.0002.vtp')
r.Update()
out = r.GetOutput()
crack = vtk_to_numpy(out.GetCellData().GetArray('crack'))
assert out.GetNumberOfLines() > 20 and out.GetNumberOfPolys() > 48
assert len(crack) == out.GetNumberOfLines() + out.GetNumberOfPolys()
assert 0 < crack[:out.GetNumberOfLines()].sum() and crack[out.GetNumberOfLines():].sum() == 0
text = open(sys.argv[1] + '/usda/frame.0002.usda').read()
assert 'BasisCurves' in text and text.count('{') == text.count('}')
)",
               temp.path());
}

TEST(Cracks, an_unknown_format_is_refused_with_the_nearest) {
  try {
    find_mesh_writer("usd");
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, Exit::usage);
    EXPECT_NE(std::string(failure.what()).find("did you mean 'usda'"), std::string::npos) << failure.what();
  }
}

}  // namespace
}  // namespace knead
