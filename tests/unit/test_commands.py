"""The commands do what their help says: through the real program, on one small run."""

import json
import math
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

MASS = """
[[expect]]
name = "mass is kept"
value = "drift(mass) / first(mass)"
max = 1e-6
source = "conservation of mass"
"""
IMPOSSIBLE = """
[[expect]]
name = "energy from nothing"
value = "last(kinetic) / first(kinetic)"
min = 1000
source = "a perpetuum mobile"
"""


class Commands(cli.Case):
    @classmethod
    def setUpClass(cls):
        cls.shared = Path(tempfile.mkdtemp(prefix="knead-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        (cls.shared / "block.toml").write_text(cli.BLOCK + MASS)
        cls.first = cli.knead("run", "block.toml", "--frames", 4, cwd=cls.shared)
        assert cls.first.code == 0, cls.first.err
        cls.made = cls.shared / "runs/block"

    def json_lines(self, *arguments):
        return [json.loads(line) for line in self.run_well(*arguments).out.splitlines()]

    def test_a_run_says_where_its_results_are_and_what_to_do_next(self):
        for text in ("runs/block", "5 frames", "knead render runs/block", "mass is kept", "met"):
            self.assertIn(text, self.first.out)
        self.assertEqual(sorted(p.name for p in self.made.iterdir()),
                         ["checkpoints", "frames", "log.txt", "run.json", "scene.toml", "stats.csv"])

    def test_json_is_one_object_a_line(self):
        lines = self.json_lines("run", self.shared / "block.toml", "--frames", "2", "--json")
        self.assertEqual([line["frame"] for line in lines if "frame" in line], [2, 3])
        results = [line for line in lines if line.get("event") == "results"]
        self.assertEqual(results[0]["folder"], "runs/block")
        self.assertEqual([line["met"] for line in lines if "expect" in line], [True])
        self.assertEqual(len(self.json_lines("check", self.shared / "block.toml", "--json")), 1)
        self.assertEqual(len(self.json_lines("doctor", "--json")), 1)
        self.assertIn("snow", [line["name"] for line in self.json_lines("list", "materials", "--json")])
        self.assertEqual(["obj", "ply", "vtp", "usda"], [line["name"] for line in self.json_lines("list", "surfaces", "--json")])
        self.assertIn("mass", [line.get("column") for line in self.json_lines("stats", self.made, "--json")])

    def test_pictures_take_set_for_what_concerns_them(self):
        def picture(name, *sets):
            self.run_well("render", self.made, "-o", name, "--width", 64, "--height", 48, "-q", *[a for s in sets for a in ("--set", s)])
            return (self.dir / name).read_bytes()

        plain = picture("plain.png")
        self.assertNotEqual(plain, picture("colour.png", "camera.color=v.x", "camera.colormap=magma"))
        self.assertNotEqual(plain, picture("target.png", "camera.target=[0.4, 0.2]"))
        self.assertNotEqual(plain, picture("body.png", "body.block.color=[1, 0, 0]"))
        render = ("render", self.made, "-o", "a.png", "--set")
        self.refuse(3, ["--set camera.fovv=1", "unknown key 'fovv'", "did you mean 'fov'"], *render, "camera.fovv=1")
        self.refuse(3, ["camera.color", "did you mean 'pressure'"], *render, "camera.color=presure")
        self.refuse(2, ["solver.dx=0.1", "the run is finished", "camera.KEY"], *render, "solver.dx=0.1")
        self.refuse(2, "has no '='", *render, "camera.fov")

    def test_pictures_let_see_through_colliders(self):
        scene = self.write("glass.toml", cli.BLOCK + '[[collider]]\nname = "pane"\nshape = '
                           '{ type = "box", center = [0.85, 0.6], size = [0.2, 0.2] }\n')
        self.run_well("run", scene, "--frames", "1", "--out", "glass")

        def picture(name, *sets):
            self.run_well("render", "glass", "-o", name, "--width", 64, "--height", 48, "-q", *[a for s in sets for a in ("--set", s)])
            return (self.dir / name).read_bytes()

        opaque, glass, none = picture("a.png"), picture("b.png", "collider.pane.opacity=0.3"), picture("c.png", "collider.pane.visible=false")
        self.assertEqual(len({opaque, glass, none}), 3)
        self.refuse(3, ["wrong.toml", "opacity", "1.5"], "check", self.write("wrong.toml", scene.read_text() + "opacity = 1.5\n"))
        for set in ("body.block.opacity=0.3", "body.block.visible=false"):  # keys that bodies do not have
            self.refuse(2, ["run is finished", "opacity and visible of a collider"], "render", "glass", "-o", "d.png", "--set", set)

    def test_quantities_have_one_language(self):
        listed = self.run_well("list", "quantities").out
        for name in ("speed", "J", "pressure", "von_mises", "stress_xx"):
            self.assertIn(name, listed)
        for name in ("v.x", "temperature", "0.5 * mass * speed^2"):
            self.assertIn(name, self.run_well("help", "quantities").out)
        for color in ("speed", "v.x", "pressure", "von_mises", "J", "J_p", "0.5 * mass * v^2"):
            self.run_well("render", self.made, "-o", "a.png", "--width", 64, "--height", 48, "-q", "--color", color)
        self.refuse(3, ["presure", "did you mean 'pressure'"], "render", self.made, "-o", "b.png", "--color", "presure")
        self.refuse(3, "did you mean 'v' or 'speed'", "render", self.made, "-o", "b.png", "--color", "velocity")
        self.run_well("export", self.made, "--to", "csv", "-o", "csv", "-q", "--frames", 5, "--add", "von_mises", "--add", "ke=0.5*mass*speed^2")
        rows = [line.split(",") for line in (self.dir / "csv/frame.0005.csv").read_text().splitlines()]
        self.assertEqual(rows[0][-2:], ["von_mises", "ke"])
        at = {name: rows[0].index(name) for name in ("vx", "vy", "mass", "ke")}
        for row in rows[1:50]:
            vx, vy, mass, ke = (float(row[at[n]]) for n in ("vx", "vy", "mass", "ke"))
            self.assertAlmostEqual(ke / (0.5 * mass * (vx * vx + vy * vy)), 1, 5)
        # The kinetic energy of the frame is that of the statistics, but for what affine particles carry besides.
        stats = [line.split(",") for line in (self.made / "stats.csv").read_text().splitlines()]
        kinetic = float(stats[5][stats[0].index("kinetic")])
        self.assertAlmostEqual(sum(float(r[at["ke"]]) for r in rows[1:]) / kinetic, 1, 1)
        export = ("export", self.made, "--to", "csv", "-o", "no", "--add")
        self.refuse(2, ["presure", "did you mean 'pressure'"], *export, "presure", leaves_nothing=False)
        self.refuse(2, "needs a name", *export, "2*mass", leaves_nothing=False)
        self.refuse(2, "already", *export, "mass=1", leaves_nothing=False)

    def test_statistics_are_listed_with_their_units_and_without_what_is_zero_throughout(self):
        shown, every = (self.run_well("stats", self.made, *more).out for more in ((), ("--all",)))
        self.assertRegex(shown, r"\n  kinetic +J +")
        self.assertRegex(shown, r"\d+ columns that are zero throughout are left out; --all shows them\n")
        self.assertNotIn("lcp_residual", shown)
        self.assertIn("lcp_residual", every)
        self.assertNotIn("left out", every)
        self.assertIn("lcp_residual", self.run_well("stats", self.made, "--columns", "lcp_residual").out)
        units = {line["column"]: line["unit"] for line in self.json_lines("stats", self.made, "--json") if "column" in line}
        self.assertEqual([units[c] for c in ("mass", "volume_clamped", "momentum_x", "dt_min")], ["kg", "", "kg m/s", "s"])

    def test_several_runs_are_plotted_together(self):
        shutil.copytree(self.made, self.dir / "other")
        self.run_well("stats", self.made, "other", "--plot", "a.svg", "--columns", "kinetic,max_speed", "--x", "center_y")
        plot = (self.dir / "a.svg").read_text()
        for words in ("runs/block: kinetic", "other: max_speed", "center_y [m]", "kinetic [J]", "max_speed [m/s]"):
            self.assertIn(words, plot)
        self.refuse(2, "--plot", "stats", self.made, "other")

    def test_a_plot_of_three_units_is_warned_about(self):
        plot = ("stats", self.made, "--plot", "a.svg", "--columns")
        self.assertIn("three units (J, m/s, kg) but only two axes; choose columns with at most two units", self.run_well(*plot, "kinetic,max_speed,mass").err)
        self.assertNotIn("warning", self.run_well(*plot, "kinetic,max_speed").err)

    def test_a_folder_without_what_the_run_noted_still_says_what_is_missing(self):
        left = shutil.copytree(self.made, self.dir / "left")
        for name in ("stats.csv", "run.json", "frames/frame.0003.h5"):
            (left / name).unlink()
        said = self.refuse(3, ["left has no statistics", "there is no stats.csv"], "stats", "left")
        self.assertNotIn("imported", said.err)
        self.refuse(3, "1 frame is missing in left/frames and is left out: 3", "export", "left", "--to", "csv", "-q", leaves_nothing=False)

    def test_geo_files_are_played_back(self):
        self.run_well("export", self.made, "--to", "geo", "-o", "saved", "-q")
        self.run_well("export", self.made, "--to", "geo", "-q")
        self.assertIn("in runs/block-geo;", self.run_well("import", self.made / "geo").out)
        shutil.rmtree(self.dir / "runs/block-geo"), shutil.rmtree(self.made / "geo")
        said = self.run_well("import", "saved", "--out", "played").out
        self.assertIn("5 frames in played", said)
        self.refuse(3, ["played has no statistics", "imported"], "stats", "played")
        self.run_well("render", "played", "-o", "a.png", "--width", 64, "--height", 48, "-q", "--color", "speed")
        for folder in (self.made, "played"):
            self.run_well("export", folder, "--to", "csv", "-o", Path(folder).name + "-csv", "-q")
        for number in (1, 5):
            a, b = ([line.split(",") for line in (self.dir / f"{f}-csv/frame.000{number}.csv").read_text().splitlines()]
                    for f in ("block", "played"))
            for name in ("x", "y", "vx", "vy", "mass", "body"):
                self.assertEqual([float(r[a[0].index(name)]) for r in a[1:]], [float(r[b[0].index(name)]) for r in b[1:]], name)
        # Places alone, as another program saves them, and at a rate of its own.
        bare = self.dir / "bare"
        bare.mkdir()
        for n in (10, 20):
            (bare / f"p{n}.geo").write_text("PGEOMETRY V5\nNPoints 2 NPrims 0\nNPointGroups 0 NPrimGroups 0\nNPointAttrib 0 NVertexAttrib 0 "
                                            f"NPrimAttrib 0 NAttrib 0\n0 {n} 0 1\n1 {n} 0.5 1\nbeginExtra\nendExtra\n")
        self.run_well("import", "bare", "--fps", 20, "-q")
        self.run_well("export", "runs/bare", "--to", "csv", "-o", "bare-csv", "-q")
        rows = [line.split(",") for line in (self.dir / "bare-csv/frame.0010.csv").read_text().splitlines()]
        self.assertEqual([float(r[rows[0].index("vy")]) for r in rows[1:]], [20, 20])  # 10 m in 10 frames of 1/20 s
        self.refuse(3, "holds a run already", "import", "bare")
        self.refuse(3, "holds no .geo files", "import", "runs")
        self.refuse(3, "cannot open the folder 'nope': ", "import", "nope")
        (bare / "q10.geo").write_text("PGEOMETRY V6")
        self.refuse(3, "are both of frame 10", "import", "bare", "--out", "no")

    def geo(self, path, points, sizes=None):
        """A file of points, and a column of their sizes, as another program saves it."""
        head = "PGEOMETRY V5\nNPoints {} NPrims 0\nNPointGroups 0 NPrimGroups 0\nNPointAttrib {} NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"
        text = head.format(len(points), 1 if sizes else 0) + ("PointAttrib\npscale 1 float 0\n" if sizes else "")
        for i, (x, y, z) in enumerate(points):
            text += f"{x} {y} {z} 1" + (f" ({sizes[i]})" if sizes else "") + "\n"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + "beginExtra\nendExtra\n")

    def rows_of(self, path):
        """A .csv file by columns."""
        names, *rows = (line.split(",") for line in path.read_text().splitlines())
        return {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}

    def test_geo_files_may_begin_with_an_empty_one(self):
        self.geo(self.dir / "points/p1.geo", [])
        self.geo(self.dir / "points/p2.geo", [(0, 0, 0), (1, 0, 0)])
        self.geo(self.dir / "points/p3.geo", [(0, 0, 3), (1, 0, 4)])
        self.run_well("import", "points", "--out", "made", "-q")
        self.run_well("export", "made", "--to", "csv", "-o", "csv", "-q")
        self.assertEqual(self.rows_of(self.dir / "csv/frame.0003.csv")["z"], [3, 4])
        self.assertIn("dx = 2\n", (self.dir / "made/scene.toml").read_text())

    def test_thin_matter_of_geo_files_can_be_looked_at_by_its_own_columns(self):
        sheet = [(0.1 * x, 1, 0.1 * z) for x in range(10) for z in range(10)]
        self.geo(self.dir / "points/p1.geo", sheet, [0.01 * i for i in range(100)])
        self.run_well("import", "points", "--out", "made", "-q")
        for color in ("pscale", "2*pscale"):
            self.run_well("render", "made", "-o", "a.png", "--width", 64, "--height", 48, "-q", "--color", color)
        self.refuse(3, ["there is no 'pscal'", "did you mean 'pscale'"], "render", "made", "-o", "b.png", "--color", "pscal", "-q")

    def test_geo_files_that_are_no_frames_are_refused_as_frames_are(self):
        head = "PGEOMETRY V5\nNPoints 2 NPrims 0\nNPointGroups 0 NPrimGroups 0\nNPointAttrib {} NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"
        bare, massive = head.format(0), head.format(2) + "PointAttrib\nid 1 int 0\nmass 1 float 0\n"
        folder = self.dir / "geo"
        folder.mkdir()
        for second, needles in ((bare + "0 0 0 1\n1 nan 0 1\n", ["b2.geo:6:", "'nan'"]),
                                (massive + "0 0 0 1 (0 1)\n1 0 0 1 (1 -2)\n", ["b2.geo:", "'mass' of particle 1 is negative"]),
                                (massive + "0 0 0 1 (3 1)\n1 0 0 1 (3 1)\n", ["b2.geo:", "'id' has a repeated"])):
            for name, text in (("b1", bare + "0 0 0 1\n1 0 0 1\n"), ("b2", second)):
                (folder / f"{name}.geo").write_text(text + "beginExtra\nendExtra\n")
            with self.subTest(needles[1]):
                self.refuse(3, needles, "import", "geo", "--out", "made", "-q")
                self.assertFalse((self.dir / "made").exists())
        (folder / "b2.geo").unlink()
        for size in ("nan", "inf", "0", "-1"):
            self.refuse(2, f"--size: '{size}' is not a number from 1e-09 to 1e+09", "import", "geo", "--out", "made", "--size", size)
        self.refuse(2, "--fps: '0' is not a number from 0.001 to 1e+09", "import", "geo", "--out", "made", "--fps", "0")
        self.assertIn("1 frame in made", self.run_well("import", "geo", "--out", "made").out)
        words = self.run_well("import", "--help").out
        self.assertIn("Frames per second", words)
        self.assertNotIn("FLOAT", words)
        self.refuse(2, "--by: 'bdy' is not one of body, material (did you mean 'body'?)", "mesh", "made", "--skin", "--by", "bdy")

    def test_skins_know_where_matter_was_and_what_colour_it_has(self):
        two = cli.BLOCK + '[[body]]\nname = "a ball"\nmaterial = "snow"\ncolor = [1, 0.5, 0]\nshape = { type = "disc", center = [0.5, 0.7], radius = 0.1 }\n'
        self.run_well("run", self.write("two.toml", two), "--frames", "3", "--out", "two")
        self.run_well("mesh", "two", "--skin", "--format", "usda", "-q")
        places = []
        for number in (1, 4):
            text = (self.dir / f"two/skin/frame.000{number}.usda").read_text()
            meshes = text.split("def Mesh")[1:]
            points, rest = ([eval(re.search(rf"point3f\[\] {name} = (\[.*\])", m).group(1)) for m in meshes] for name in ("points", "primvars:rest"))
            self.assertEqual([len(p) for p in points], [len(r) for r in rest])
            self.assertEqual(len(rest), 2)
            places.append([max(math.dist(a, b) for a, b in zip(p, r)) for p, r in zip(points, rest)])
            # 0.5 in sRGB is ((0.5 + 0.055) / 1.055)^2.4 of the light.
            colors = [eval(c) for c in re.findall(r"displayColor = \[(.*)\]", text)]
            self.assertEqual(len(set(colors)), 2)
            for got, wanted in zip(colors[1], (1, ((0.5 + 0.055) / 1.055) ** 2.4, 0)):
                self.assertAlmostEqual(got, wanted, delta=0.005)
            for words in ('def Material "a_ball"', "materials/a_ball>", 'def Material "block"', 'def Material "crack"'):
                self.assertIn(words, text)
        # A point of the skin is 0.68 sizes of 1 cm from the mean of the particles that make it, give or take a cell of half a size.
        self.assertLess(max(places[0]), 0.012)
        self.assertGreater(places[1][0], 0.1)  # the block falls at 2 m/s for 3 frames and lands
        self.run_well("mesh", "two", "--skin", "--format", "obj", "-q")
        kinds = dict(re.findall(r"newmtl (\S+)\nKd (.*)", (self.dir / "two/skin/surface.mtl").read_text()))
        self.assertEqual(sorted(kinds), ["a_ball", "block", "crack"])
        self.assertEqual(kinds["a_ball"].split()[0], "1")
        used = re.findall(r"o (.*)\n(?:v.*\n)*g outside\nusemtl (\S+)", (self.dir / "two/skin/frame.0004.obj").read_text())
        self.assertEqual(used, [("block", "block"), ("a ball", "a_ball")])
        # Without the run's first frame nobody knows.
        (self.dir / "two/frames/frame.0001.h5").unlink()
        self.run_well("mesh", "two", "--skin", "--frames", "2:", "--format", "usda", "-q", "-o", "later")
        self.assertNotIn("primvars:rest", (self.dir / "later/frame.0004.usda").read_text())

    def skin_of(self, scene):
        """The skin of its second frame, as USD."""
        self.run_well("run", self.write("skinned.toml", scene), "--frames", "1", "--out", "skinned", "-q")
        self.run_well("mesh", "skinned", "--skin", "--format", "usda", "-q")
        return (self.dir / "skinned/skin/frame.0002.usda").read_text()

    def test_a_body_called_crack_does_not_take_the_material_of_cracks(self):
        text = self.skin_of(cli.BLOCK.replace('"block"\nmaterial', '"crack"\nmaterial'))
        self.assertEqual(sorted(re.findall(r'def Material "(.*)"', text)), ["crack", "crack_1"])
        self.assertIn("materials/crack_1>", text)

    def test_skins_of_displaced_bodies_have_no_rest_position(self):
        displaced = cli.BLOCK.replace("velocity = [0.5, -2]", "displacement = [0.1, 0]")
        self.assertNotIn("primvars:rest", self.skin_of(displaced))

    def test_a_run_tells_that_its_film_lacks_frames(self):
        scene = self.write("short.toml", cli.BLOCK + "[camera]\nwidth = 64\nheight = 48\n" + MASS)
        self.run_well("run", scene, "--frames", "3", "--out", "short", "-q")
        (self.dir / "short/frames/frame.0002.h5").unlink()
        for more in (("-q",), ("--judge",), ()):
            done = self.knead("run", scene, "--frames", "3", "--out", "short", "--resume", "--film", *more)
            self.assertEqual(done.code, 3, done.err)

    def test_frames_of_a_forged_scene_are_not_counted_without_end(self):
        self.run_well("run", self.shared / "block.toml", "--frames", "2", "--out", "run", "-q")
        path = self.dir / "run/scene.toml"
        text = path.read_text()
        for key, value in (("start_frame", -9_000_000_000_000_000_000), ("every", 9_000_000_000_000_000_000)):
            changed, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
            self.assertEqual(count, 1, key)
            path.write_text(changed)
            self.assertEqual(self.knead("export", "run", "--to", "csv", "-q", timeout=60).code, 0)

    def test_a_failed_expectation_is_shown_and_judged_on_request(self):
        scene = self.write("wish.toml", cli.BLOCK + MASS + IMPOSSIBLE)
        shown = self.run_well("run", scene, "--frames", "2", "--out", "out")
        self.assertRegex(shown.out, r"energy from nothing .* NOT MET")
        self.assertEqual(self.knead("run", scene, "--frames", "2", "--out", "out", "--judge").code, 5)
        self.assertEqual(self.knead("stats", "out", "--judge").code, 5)
        self.assertEqual(self.knead("stats", self.made, "--judge").code, 0)

    def test_what_a_shortened_run_does_not_reach_is_not_judged(self):
        late = MASS.replace("mass is kept", "late").replace("drift(mass) / first(mass)", "at(mass, 0.4)").replace("1e-6", "-1")
        scene = self.write("late.toml", cli.BLOCK + MASS + late)
        shown = self.run_well("run", scene, "--frames", "2", "--out", "out", "--judge")
        self.assertRegex(shown.out, r"late .* not judged: the run was cut short")
        self.assertRegex(shown.out, r"mass is kept .* met")
        self.run_well("stats", "out", "--judge")
        self.run_well("run", scene, "--out", "out", "--resume", "-q")
        failed = self.knead("run", scene, "--out", "out", "--resume", "-q", "--judge")
        self.assertEqual((failed.code, failed.out), (5, ""))
        self.assertIn("'late' is not met", failed.err)

    def test_every_nth_frame_and_the_last_are_written(self):
        self.run_well("run", self.shared / "block.toml", "--frames", "6", "--set", "output.every=4", "--set", 'output.formats=["csv"]')
        for folder, ending in (("frames", "h5"), ("csv", "csv")):
            self.assertEqual(sorted(p.name for p in (self.dir / "runs/block" / folder).iterdir()),
                             [f"frame.000{n}.{ending}" for n in (1, 5, 7)])

    def test_the_written_scene_gives_the_same_run(self):
        self.run_well("run", self.made / "scene.toml", "--frames", "4", "--out", "again", "-q")
        self.assertEqual(cli.results_of(self.dir / "again"), cli.results_of(self.made))

    def test_set_changes_one_value(self):
        checked = self.run_well("check", self.shared / "block.toml", "--set", "solver.dx=0.01").out
        self.assertIn("3600", checked)  # 4 particles a cell, 30 x 30 cells of 1 cm

    def check(self, text, *sets):
        (self.dir / "c.toml").write_text(text)
        result = self.run_well("check", "c.toml", "--json", *[a for s in sets for a in ("--set", s)])
        return json.loads(result.out), result.err

    def test_check_knows_events_that_stiffen(self):
        plain, _ = self.check(cli.BLOCK)
        event = '[[event]]\ntime = 0.25\nmaterial = "snow"\nset = { young = "14 MPa" }\n'
        stiff, _ = self.check(cli.BLOCK + event)
        self.assertAlmostEqual(stiff["dt"], plain["dt"])
        self.assertAlmostEqual(stiff["least_dt"] / plain["dt"], 0.1, 6)  # 100 times the modulus, 10 times the wave
        self.assertAlmostEqual(stiff["steps"] / plain["steps"], 5.5, 1)  # half of the time in steps of a tenth
        self.assertIn("after the event at 0.25 s (c.toml:22:1)", self.run_well("check", "c.toml").out)

    def test_check_counts_formats_and_the_frames_that_bound_steps(self):
        plain, _ = self.check(cli.BLOCK)
        more, _ = self.check(cli.BLOCK, 'output.formats=["csv", "npz"]')
        self.assertGreater(more["disk"], 2.5 * plain["disk"])
        self.run_well("run", "c.toml", "--set", 'output.formats=["csv", "npz"]', "--out", "all", "-q")
        wrote = sum(p.stat().st_size for p in (self.dir / "all").rglob("*") if p.suffix in (".h5", ".csv", ".npz"))
        self.assertLess(abs(more["disk"] / wrote - 1), 0.2)
        # A step that is longer than a frame is cut to it.
        fixed, said = self.check(cli.BLOCK, "solver.dt=0.5")
        self.assertEqual(fixed["steps"], 12)
        self.assertIn("longer than a frame", said)

    def test_check_warns_of_a_full_disk(self):
        said = self.check(cli.BLOCK, "scene.fps=1e7", "scene.duration=0.9")[1]
        self.assertIn("are free on this disk", said)

    def test_check_notes_what_new_users_stumble_over(self):
        self.assertNotIn("note", self.check(cli.BLOCK)[1])
        open_below = cli.BLOCK.replace("domain", "# domain")
        self.assertIn("falling forever", self.check(open_below)[1])
        floor = '[[collider]]\nshape = { type = "plane" }\n'
        self.assertNotIn("falling forever", self.check(open_below + floor)[1])
        other = cli.BLOCK[cli.BLOCK.index("[materials"):].replace("snow", "jam").replace("model = \"jam", "model = \"snow")
        self.assertIn("stick together", self.check(cli.BLOCK + other.replace("[0.5, 0.3]", "[0.5, 0.7]")
                                                   .replace('name = "block"', 'name = "top"'))[1])
        self.assertIn('integrator = "implicit"', self.check(cli.BLOCK, 'materials.snow.young="1 TPa"')[1])

    def test_schema_is_json(self):
        schema = json.loads(self.run_well("schema").out)
        self.assertIn("solver", schema["properties"])

    def test_check_names_the_longest_step_of_liquids_and_no_wave_where_there_is_none(self):
        liquid = self.write("liquid.toml", cli.BLOCK.replace('"mpm"', '"liquid"').replace('"snow"\n\n', '"fluid"\n\n')
                            .replace("velocity = [0.5, -2]\n", "").replace('sampling = "jittered"\n', "").replace(', contact = "slip"', ""))
        said = self.run_well("check", liquid, "--threads", "1").out
        self.assertIn("first step     0.01667 s, set by: longest step of liquids", said)
        self.assertNotIn("wave speed", said)
        self.assertNotIn("longest step", self.run_well("check", liquid, "--set", "solver.dt_max=0.01").out)
        self.assertRegex(said, r"time +about ([\d.]+ s|\d+ min)")
        self.assertIn("wave speed", self.run_well("check", self.shared / "block.toml").out)

    def test_check_notes_a_lattice_in_matter_that_flows(self):
        note = "body block: it starts on a lattice"
        sand = cli.BLOCK.replace('model = "snow"', 'model = "sand"')
        self.assertNotIn(note, self.run_well("check", self.write("a.toml", sand)).err)
        self.assertIn(note, self.run_well("check", self.write("b.toml", sand.replace("jittered", "lattice"))).err)
        self.assertNotIn(note, self.run_well("check", self.write("c.toml", cli.BLOCK.replace("jittered", "lattice"))).err)

    def test_scenes_that_come_with_knead_are_found_by_name_from_anywhere(self):
        for name in ("snow_two_discs_2d", "mpm/snow_two_discs_2d.toml", "scenes/mpm/snow_two_discs_2d.toml"):
            said = self.run_well("check", name)
            self.assertIn("snow_two_discs_2d.toml", said.err)
        self.refuse(3, "no such file", "check", "snow_two_discs_2d.toml")  # the user's own
        self.refuse(3, "no such file", "check", "snow_three_discs")

    def test_scenes_of_validation_are_listed_on_request(self):
        listed, every = (self.run_well("list", "scenes", *more).out for more in ((), ("--all",)))
        self.assertNotIn("b1_bar", listed)
        self.assertIn("knead list scenes --all", listed)
        self.assertIn("b1_bar", every)
        self.assertLessEqual(max(map(len, self.run_well("list").out.splitlines())), 100)

    def test_help_on_a_command_that_is_also_a_shape_explains_both(self):
        said = self.run_well("help", "mesh").out
        for words in ("Usage: knead mesh", "--skin", 'type = "mesh"', "  scale "):
            self.assertIn(words, said)
        self.assertIn("presets of materials", self.run_well("help").out)

    def test_list_finds_scenes_of_a_folder(self):
        (self.dir / "broken.toml").write_text("nonsense")
        shutil.copy(self.shared / "block.toml", self.dir)
        listed = self.run_well("list", "scenes", "--scenes", self.dir).out
        self.assertIn("block.toml", listed)
        self.assertRegex(listed, r"broken\.toml +cannot be read")

    def test_statistics_are_plotted(self):
        self.assertEqual(self.run_well("stats", self.made, "--plot", "energy.svg").out, "energy.svg\n")
        xml.etree.ElementTree.parse(self.dir / "energy.svg")
        self.run_well("stats", self.made, "--plot", "some.png", "--columns", "kinetic,mass")
        self.assertEqual((self.dir / "some.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_pictures_and_films(self):
        small = ("--width", "64", "--height", "48", "--samples", "1", "-q")
        said = self.run_well("render", self.made, "-o", "one.png", "--frames", "2", *small[:-1])
        self.assertEqual(said.out, "one.png\n")
        self.assertEqual((self.dir / "one.png").read_bytes()[16:24], bytes([0, 0, 0, 64, 0, 0, 0, 48]))
        said = self.run_well("render", self.made, "-o", "last.png", *small[:-1])
        last = max(int(p.name.split(".")[1]) for p in (self.made / "frames").iterdir())
        self.assertEqual(said.out, f"last.png (frame {last})\n")
        self.run_well("render", self.made, "-o", "all.%04d.png", "--frames", "2:4", "--every", "2", *small)
        self.assertEqual(len(list(self.dir.glob("all.*.png"))), 2)
        self.run_well("render", self.made, "-o", "film.mp4", *small)
        self.assertEqual((self.dir / "film.mp4").read_bytes()[4:8], b"ftyp")

    def test_export_takes_a_range(self):
        self.run_well("export", self.made, "--to", "ply", "--frames", "2:3", "-o", "out")
        self.assertEqual(sorted(p.name for p in (self.dir / "out").iterdir()), ["frame.0002.ply", "frame.0003.ply"])

    def test_skins_in_every_format_and_in_pictures(self):
        for kind in ("obj", "ply", "vtp", "usda"):
            self.run_well("mesh", self.made, "--skin", "--format", kind, "--frames", "2:3", "-o", kind)
            self.assertEqual(len(list((self.dir / kind).glob(f"frame.000[23].{kind}"))), 2)
        small = ("--frames", "2", "--width", "64", "--height", "48", "--samples", "1", "-q")
        self.run_well("render", self.made, "-o", "beads.png", *small)
        self.run_well("render", self.made, "-o", "skin.png", "--skin", *small)
        self.assertNotEqual((self.dir / "beads.png").read_bytes(), (self.dir / "skin.png").read_bytes())

    def test_a_skin_needs_volumes_and_says_so_once(self):
        (self.dir / "bare.toml").write_text(cli.BLOCK + '[output]\ncolumns = ["v"]\n')
        self.run_well("run", "bare.toml", "--frames", 3, "--out", "bare", "-q")
        done = cli.knead("mesh", "bare", "--skin", cwd=self.dir)
        self.assertEqual(done.code, 2)
        self.assertEqual(done.err.count("no column 'volume'"), 1, done.err)


if __name__ == "__main__":
    cli.main()
