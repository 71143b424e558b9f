#include "output/export.h"

#include "support/output_support.h"

namespace knead {
namespace {

using test::TempFolder;

// Every export is compared with the HDF5 frame by readers of other projects.
class Export : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    folder.prepare();
    for (int frame : {1, 2, 4}) {
      World world = test::awkward_world(GetParam(), 200, static_cast<unsigned>(frame));
      world.clock.frame = frame;
      world.clock.time = (frame - 1) / 24.0;
      write_frame(folder.frame(frame), world, {}, 0.25);
    }
  }
  std::size_t run(const char* format) { return export_run(folder, find_exporter(format), temp / format); }

  TempFolder temp;
  RunFolder folder{temp.path()};
};

const std::string load_frame = R"(
import sys, csv, h5py, numpy as np
folder = sys.argv[1]
f = h5py.File(folder + '/frames/frame.0002.h5', 'r')
d = f.attrs['dimension']
p = {k: f['particles'][k][:] for k in f['particles']}
def pad(a, name=''):
    if a.ndim == 1: return a
    if a.ndim == 3:
        out = np.zeros((len(a), 3, 3), a.dtype); out[:, 2, 2] = name == 'F'; out[:, :d, :d] = a
        return out.reshape(len(a), 9)
    if a.shape[1] == d:
        out = np.zeros((len(a), 3), a.dtype); out[:, :d] = a; return out
    out = np.zeros((len(a), 3, 3), a.dtype)
    places = [(0,0),(1,1),(0,1)] if d == 2 else [(0,0),(1,1),(2,2),(0,1),(0,2),(1,2)]
    for c, (i, j) in enumerate(places): out[:, i, j] = out[:, j, i] = a[:, c]
    return out.reshape(len(a), 9)
def same(a, b): assert a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes(), (a.dtype, b.dtype, a.shape, b.shape)
)";

TEST_P(Export, vtp_is_read_by_vtk) {
  EXPECT_EQ(run("vtp"), 3u);
  test::python(load_frame + R"(
import vtk
from vtk.util.numpy_support import vtk_to_numpy
r = vtk.vtkXMLPolyDataReader()
r.SetFileName(folder + '/vtp/frame.0002.vtp')
errors = []
r.AddObserver('ErrorEvent', lambda o, e: errors.append(e))
r.Update()
assert not errors
out = r.GetOutput()
n = len(p['x'])
assert out.GetNumberOfPoints() == n and out.GetNumberOfVerts() == n
assert [out.GetVerts().GetCellSize(i) for i in (0, n - 1)] == [1, 1]
same(vtk_to_numpy(out.GetPoints().GetData()), pad(p['x']))
names = [out.GetPointData().GetArrayName(i) for i in range(out.GetPointData().GetNumberOfArrays())]
assert sorted(names) == sorted(k for k in p if k != 'x'), names
for k in names: same(vtk_to_numpy(out.GetPointData().GetArray(k)), pad(p[k], k))
assert out.GetFieldData().GetArray('TimeValue').GetValue(0) == 1 / 24
import xml.etree.ElementTree as et
sets = et.parse(folder + '/vtp/frames.pvd').getroot().findall('Collection/DataSet')
assert [(float(s.get('timestep')), s.get('file')) for s in sets] == [
    (0, 'frame.0001.vtp'), (1 / 24, 'frame.0002.vtp'), (3 / 24, 'frame.0004.vtp')]
)",
               temp.path());
}

TEST_P(Export, npz_is_read_by_numpy) {
  EXPECT_EQ(run("npz"), 3u);
  test::python(load_frame + R"(
import zipfile
path = folder + '/npz/frame.0002.npz'
assert zipfile.ZipFile(path).testzip() is None
z = np.load(path)
for k in p: same(z[k], p[k])
assert z['time'] == 1 / 24 and z['frame'] == 2 and z['dimension'] == d and z['dx'] == 0.25 and z['step'] == f.attrs['step']
assert set(z.files) == set(p) | {'time', 'frame', 'dimension', 'dx', 'step'}
)",
               temp.path());
}

TEST_P(Export, csv_is_read_by_the_csv_module) {
  EXPECT_EQ(run("csv"), 3u);
  test::python(load_frame + R"(
rows = list(csv.DictReader(open(folder + '/csv/frame.0002.csv')))
axes = 'xyz'[:d]
assert len(rows) == len(p['x'])
def column(name, kind): return np.array([r[name] for r in rows], kind)
for i, a in enumerate(axes):
    same(column(a, '<f4'), p['x'][:, i].copy())
    same(column('v' + a, '<f4'), p['v'][:, i].copy())
    for j, b in enumerate(axes): same(column('F_' + a + b, '<f4'), p['F'][:, i, j].copy())
same(column('stress_xy', '<f4'), p['stress'][:, d].copy())
same(column('mass', '<f8'), p['mass'])
same(column('id', '<i4'), p['id'])
)",
               temp.path());
}

TEST_P(Export, ply_is_read_by_vtk_and_by_its_own_header) {
  EXPECT_EQ(run("ply"), 3u);
  test::python(load_frame + R"(
import vtk
from vtk.util.numpy_support import vtk_to_numpy
path = folder + '/ply/frame.0002.ply'
r = vtk.vtkPLYReader()
r.SetFileName(path)
r.Update()
same(vtk_to_numpy(r.GetOutput().GetPoints().GetData()), pad(p['x']))
data = open(path, 'rb').read()
head, body = data.split(b'end_header\n', 1)
lines = head.decode().split('\n')
assert lines[:2] == ['ply', 'format binary_little_endian 1.0']
kinds = {'float': '<f4', 'double': '<f8', 'int': '<i4'}
a = np.frombuffer(body, [(l.split()[2], kinds[l.split()[1]]) for l in lines if l.startswith('property')])
assert len(a) == len(p['x']) and a.dtype.names[:6] == ('x', 'y', 'z', 'vx', 'vy', 'vz')
same(a['vy'].copy(), p['v'][:, 1].copy())
same(a['F_yx'].copy(), p['F'][:, 1, 0].copy())
if d == 2: assert np.all(a['F_zz'] == 1) and np.all(a['F_xz'] == 0)
same(a['stress_yx'].copy(), p['stress'][:, d].copy())
same(a['mass'].copy(), p['mass'])
)",
               temp.path());
}

// M23: playback of a saved sequence shows the positions as they were when saved.
TEST_P(Export, geo_plays_back_to_the_same_bits) {
  EXPECT_EQ(run("geo"), 3u);
  for (int number : {1, 2, 4}) {
    const Frame saved = read_frame(folder.frame(number));
    const auto path = temp / "geo" / numbered_name("frame", number, ".geo");
    const Frame played = read_geo(path, GetParam());
    ASSERT_EQ(played.particles.count(), saved.particles.count());
    const Column &a = *saved.particles.find("x"), &b = *played.particles.find("x");
    for (std::size_t i = 0; i < a.count(); ++i)
      for (int k = 0; k < a.components; ++k) {
        const auto back = static_cast<float>(b.value(i, k)), before = static_cast<float>(a.value(i, k));
        ASSERT_EQ(std::memcmp(&back, &before, 4), 0) << i << " " << k;
      }
    const Column &id = *saved.particles.find("id"), &played_id = *played.particles.find("id");
    EXPECT_EQ(std::memcmp(played_id.data.data(), id.data.data(), id.data.size()), 0);
    const Column &speed = *saved.particles.find("v"), &mass = *saved.particles.find("mass");
    for (std::size_t i = 0; i < a.count(); ++i) {
      ASSERT_EQ(played.particles.find("mass")->value(i), mass.value(i));
      for (int k = 0; k < GetParam(); ++k)
        ASSERT_EQ(float(played.particles.find("v")->value(i, k)), float(speed.value(i, k)));
    }
    // Saved once more, what was played back gives the same file.
    write_whole(temp / "again.geo", [&](WholeFile& file) { find_exporter("geo").write(played, file); });
    EXPECT_EQ(test::bytes_of(temp / "again.geo"), test::bytes_of(path));
  }
}

TEST_P(Export, positions_in_double_keep_their_bits_too) {
  Frame frame;
  frame.dimension = GetParam();
  frame.particles.resize(100);
  Column& x = frame.particles.add("x", Scalar::f64, GetParam(), "m");
  std::mt19937_64 random(3);
  for (std::size_t i = 0; i < x.data.size() / 8; ++i)
    reinterpret_cast<double*>(x.data.data())[i] = std::ldexp(double(random()), -70);
  write_whole(temp / "a.geo", [&](WholeFile& file) { find_exporter("geo").write(frame, file); });
  const Frame played = read_geo(temp / "a.geo", GetParam());
  EXPECT_EQ(std::memcmp(played.particles.find("x")->data.data(), x.data.data(), x.data.size()), 0);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Export, ::testing::Values(2, 3));

TEST(ExportRun, takes_a_range_passes_over_damaged_frames_and_tells) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  for (int frame = 1; frame <= 9; ++frame) {
    World world = test::awkward_world(2, 5);
    world.clock.frame = frame;
    write_frame(folder.frame(frame), world);
  }
  test::put_bytes(folder.frame(4), "");
  ExportOptions options;
  options.first = 2;
  options.last = 8;
  options.every = 2;
  std::vector<std::string> warnings;
  options.warn = [&](const std::string& w) { warnings.push_back(w); };
  EXPECT_EQ(export_run(folder, find_exporter("csv"), temp / "csv", options), 3u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0], "'" + folder.frame(4).string() + "' is empty; it is left out");
  EXPECT_EQ(numbered_files(temp / "csv", "frame", ".csv"), (std::vector<std::int64_t>{2, 6, 8}));
  options.first = 20;
  options.last = 30;
  EXPECT_THROW(export_run(folder, find_exporter("csv"), temp / "csv", options), Failure);
}

TEST(ExportRun, the_page_on_output_names_every_format) {
  const std::string page = test::bytes_of(KNEAD_SOURCE_DIR "/docs/output.md");
  for (const Exporter* e : exporters()) EXPECT_NE(page.find("| `" + e->name() + "` |"), std::string::npos) << e->name();
}

TEST(ExportRun, an_unknown_format_gets_the_nearest_name) {
  try {
    find_exporter("vtpp");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::usage);
    EXPECT_STREQ(f.what(), "there is no format 'vtpp' (did you mean 'vtp'?); the formats are vtp, ply, csv, npz, geo");
  }
}

TEST(ExportRun, a_format_of_surfaces_names_the_command_that_writes_it) {
  for (const auto& [name, format] : {std::pair("usd", "usda"), {"usda", "usda"}, {"obj", "obj"}}) {
    try {
      find_exporter(name);
      FAIL() << name;
    } catch (const Failure& f) {
      EXPECT_EQ(f.what(), fmt::format("there is no format '{}'; the formats are vtp, ply, csv, npz, geo; surfaces come "
                                      "from `knead mesh DIR --skin --format {}`",
                                      name, format));
    }
  }
}

TEST(ExportSequence, a_resumed_sequence_has_an_index_without_doubles) {
  const TempFolder temp;
  auto write = [&](ExportSequence& sequence, int number) {
    Frame frame = make_frame(test::awkward_world(3, 3));
    frame.number = number;
    frame.time = number / 24.0;
    sequence.write(frame);
  };
  ExportSequence first(find_exporter("vtp"), temp / "a");
  for (int n : {1, 2, 3}) write(first, n);
  ExportSequence second(find_exporter("vtp"), temp / "a");
  for (int n : {2, 3, 4}) write(second, n);
  ExportSequence whole(find_exporter("vtp"), temp / "b");
  for (int n : {1, 2, 3, 4}) write(whole, n);
  EXPECT_EQ(test::bytes_of(temp / "a" / "frames.pvd"), test::bytes_of(temp / "b" / "frames.pvd"));
}

TEST(ExportRun, an_empty_frame_can_be_exported) {
  const TempFolder temp;
  for (const Exporter* e : exporters()) {
    ExportSequence(*e, temp.path()).write(make_frame(test::awkward_world(3, 0)));
    EXPECT_TRUE(std::filesystem::exists(temp / ("frame.0007." + e->name())));
  }
  EXPECT_EQ(read_geo(temp / "frame.0007.geo").particles.count(), 0u);
}

}  // namespace
}  // namespace knead
