"""Faulty scene files, through the real program: the code is 3, the message names the place, and nothing is written."""

import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli


def with_line(old, new):
    """The block scene with one text replaced, and the number of the line where it stands."""
    assert cli.BLOCK.count(old) == 1, old
    return cli.BLOCK.replace(old, new), cli.BLOCK[: cli.BLOCK.index(old)].count("\n") + 1


class SceneFiles(cli.Case):
    def refuse_scene(self, content, needles):
        path = self.write("bad.toml", content)
        needles = [needles] if isinstance(needles, str) else needles
        return self.refuse(3, ["bad.toml", *needles], "run", path)

    def refuse_line(self, old, new, needles):
        text, line = with_line(old, new)
        needles = [needles] if isinstance(needles, str) else list(needles)
        return self.refuse_scene(text, [f"bad.toml:{line}:", *needles])

    def test_files_that_are_no_text(self):
        self.refuse_scene(b"", "empty scene")
        self.refuse_scene(b"\0", "offset 0")
        self.refuse_scene(b"\0" * 65536, "offset 0")
        self.refuse_scene(bytes(range(256)) * 16, "offset")
        self.refuse_scene(cli.BLOCK.encode("utf-16"), "not UTF-8")
        self.refuse_scene(cli.BLOCK.encode().replace(b'"block"', b'"bl\xffck"', 1), ["bad.toml:4:", "UTF-8"])

    def test_byte_order_marks_and_line_endings_are_accepted(self):
        for number, content in enumerate([b"\xef\xbb\xbf" + cli.BLOCK.encode(), cli.BLOCK.replace("\n", "\r\n").encode(),
                                          cli.BLOCK.replace(" = ", "\t=\t").encode()]):
            with self.subTest(number):
                self.run_well("check", self.write("good.toml", content))

    def test_syntax(self):
        self.refuse_line('name = "block"\ndim', 'name = "block\ndim', "")
        self.refuse_line("domain = {", "domain = {{", "")
        self.refuse_scene(cli.BLOCK + "]]\n", f"bad.toml:{cli.BLOCK.count(chr(10)) + 1}:")

    def test_unknown_keys_are_answered_with_the_nearest(self):
        self.refuse_line("duration = 0.5", "durration = 0.5", ["durration", "did you mean 'duration'"])
        self.refuse_line('model = "snow"', 'model = "snwo"', ["snwo", "did you mean 'snow'"])
        self.refuse_line('material = "snow"', 'material = "snowy"', ["snowy", "did you mean 'snow'"])
        self.refuse_line('type = "box"', 'type = "boks"', ["boks", "did you mean 'box'"])

    def test_all_mistakes_are_reported_together(self):
        text = cli.BLOCK.replace("duration = 0.5", "durration = 0.5").replace("dx = 0.02", "dx = -1")
        result = self.refuse_scene(text, ["durration", "dx"])
        self.assertGreaterEqual(result.err.count("bad.toml:"), 2)

    def test_wrong_types_and_numbers(self):
        for value in ('"fast"', "true", "[1, 2]", '"2 kg"'):
            with self.subTest(value):
                self.refuse_line("dx = 0.02", f"dx = {value}", "dx")
        for value in ("1e999", "nan", "inf", "-inf", "0", "-0.02"):
            with self.subTest(value):
                self.refuse_line("dx = 0.02", f"dx = {value}", "")
        self.refuse_line("dimension = 2", "dimension = 9223372036854775808", "")
        self.refuse_line("dimension = 2", "dimension = 4", "dimension")
        self.refuse_line("duration = 0.5", "duration = 0", "duration")
        self.refuse_line("duration = 0.5", "fps = 0", "fps")

    def test_step_sizes(self):
        for value in ("0", "-1e-4", "1e-320"):
            with self.subTest(value):
                text, line = with_line("dx = 0.02", f"dx = 0.02\ndt = {value}")
                self.refuse_scene(text, [f"bad.toml:{line + 1}:", "dt"])

    def test_material_parameters_name_their_range(self):
        for key, value in (("poisson", "0.5"), ("poisson", "-1"), ("poisson", "0.7"), ("density", "0"), ("density", "-400"),
                           ("young", "0"), ("young", '"140 kg"')):
            with self.subTest(key=key, value=value):
                text, line = with_line('model = "snow"', f'model = "snow"\n{key} = {value}')
                self.refuse_scene(text, [f"bad.toml:{line + 1}:", key])

    def test_geometry(self):
        self.refuse_line("size = [0.3, 0.3]", "size = [0.3, -0.3]", "size")
        self.refuse_line("size = [0.3, 0.3]", "size = [0.3, 0.001]", "")
        self.refuse_line("center = [0.5, 0.3]", "center = [50, 50]", "domain")
        self.refuse_line("max = [1, 1]", "max = [-1, 1]", "")
        self.refuse_line('type = "box", center = [0.5, 0.3], size = [0.3, 0.3]', 'type = "mesh", file = "nothing.obj"', "")

    def test_newer_formats_are_named(self):
        self.refuse_line("format = 1", "format = 7", ["7", "1"])

    def test_what_is_not_a_regular_file_is_not_opened(self):
        self.refuse(3, "folder", "run", self.dir)
        fifo = self.dir / "pipe.toml"
        os.mkfifo(fifo)
        self.refuse(3, "pipe.toml", "run", fifo)
        self.refuse(3, "/dev/zero", "run", "/dev/zero")

    def test_set_names_its_flag(self):
        path = self.write("good.toml", cli.BLOCK)
        self.refuse(3, ["--set", "solver.dxx", "dx"], "check", path, "--set", "solver.dxx=1")
        self.refuse(3, ["--set", "solver.dx"], "check", path, "--set", "solver.dx=-1")
        self.refuse(3, ["--set"], "check", path, "--set", "nothing.here=1")
        self.run_well("check", path, "--set", 'materials.snow.young="200 kPa"', "--set", "body.0.velocity=[1, 0]")

    def test_too_many_particles_are_refused_before_they_cost_memory(self):
        path = self.write("huge.toml", cli.BLOCK.replace("dx = 0.02", "dx = 2e-6"))
        self.refuse(6, ["particles", "iB"], "run", path)

    def test_strict_makes_warnings_errors(self):
        body = cli.BLOCK[cli.BLOCK.index("[[body]]"):]
        twice = self.write("twice.toml", cli.BLOCK + "\n" + body.replace('name = "block"', 'name = "other"'))
        warned = self.run_well("run", twice, "--frames", "1", "--out", "out")
        self.assertIn("overlap", warned.err)
        self.refuse(3, "overlap", "run", twice, "--strict", "--frames", "1", "--out", "strict")

    def test_expectations_name_their_line(self):
        text = cli.BLOCK + '[[expect]]\nname = "a"\nvalue = "last(kinetik)"\nmax = 1\n'
        self.refuse_scene(text, [f"bad.toml:{cli.BLOCK.count(chr(10)) + 3}:", "did you mean 'kinetic'"])

    def test_all_expectations_are_reported_with_all_other_mistakes(self):
        text = (cli.BLOCK.replace("dx = 0.02", "dx = 0.02\ncfl = -1") +
                '[[expect]]\nname = "a"\nvalue = "last(kinetik)"\nmax = 1\n[[expect]]\nname = "b"\nvalue = "last("\nmax = 1\n')
        said = self.refuse_scene(text, ["solver.cfl", "'kinetic'", "[[expect]] 'b'"])
        self.assertEqual(said.err.count("bad.toml:"), 3, said.err)

    def test_expectations_are_reported_beside_mistakes_of_the_scene_and_of_probes(self):
        expects = '[[expect]]\nname = "a"\nvalue = "last(kinetik) + at(mass, 9)"\nmax = 1\n'
        self.refuse_scene(cli.BLOCK.replace("[scene]", "[scene]\nfps = 0\ngravty = 1") + expects, ["'gravity'", "scene.fps", "'kinetic'"])
        probe = '[[probe]]\nname = "near"\ntype = "region"\n{}'
        self.refuse_scene(cli.BLOCK + probe.format('shape = { type = "sphre" }\n') + expects, ["'sphere'", "'kinetic'"])

    def test_warnings_have_their_place(self):
        body = cli.BLOCK[cli.BLOCK.index("[[body]]"):]
        text = cli.BLOCK + body.replace('name = "block"', 'name = "other"') + \
            '[[grip]]\nname = "far"\nshape = { type = "box", center = [0.1, 0.9], size = [0.1, 0.1] }\n'
        said = self.run_well("check", self.write("odd.toml", text), "--set", "solver.dt=0.004").err
        lines = cli.BLOCK.count("\n")
        self.assertRegex(said, f"odd.toml:{lines + 1}:1: bodies 'block' and 'other' overlap.*move one of them")
        self.assertRegex(said, f"odd.toml:{lines + 7}:1: grip 'far' holds nothing")
        self.assertRegex(said, "--set solver.dt=0.004: solver.dt = 0.004 s is above the stability limit")

    def test_angles_in_degrees(self):
        text = cli.BLOCK.replace('model = "snow"', 'model = "sand"\nfriction_angle = 45')
        self.refuse_scene(text, ["friction_angle is 45 rad", 'write "45 deg"'])

    def test_cells_too_large_for_the_fracture_energy(self):
        # 4 mu G_f/tau^2 = 4 * 1e6/2.6 * 10/1e8 m is the most that a crack may be wide; it is 1.75 cells wide.
        text = cli.BLOCK.replace('model = "snow"', 'model = "rankine"\nyoung = 1e6\npoisson = 0.3\n'
                                 'tensile_strength = 1e4\nfracture_energy = 10')
        fits = self.run_well("check", self.write("fits.toml", text)).err
        self.assertNotIn("fracture_energy", fits)
        said = self.run_well("check", self.write("odd.toml", text.replace("= 10", "= 1"))).err
        self.assertRegex(said, r"odd.toml:18:\d+: materials.snow.fracture_energy .* at most 0.00879 m")

    def test_shapes_that_cannot_be_filled_name_their_body(self):
        text = cli.BLOCK.replace('type = "box"', 'type = "shell", thickness = 0.001, of = { type = "box"').replace("size = [0.3, 0.3] }", "size = [0.3, 0.3] } }")
        text = text.replace('sampling = "jittered"\n', "")
        self.refuse_scene(text + 'cells = "stuffed"\nedge = 0.1\n', ["bad.toml:16:1: body 'block': ", "too thin", "m or less"])

    def test_cells_too_large_for_a_thin_shape(self):
        shell = cli.BLOCK[:cli.BLOCK.index("shape =")] + """cells = "stuffed"
edge = EDGE
shape = { type = "shell", thickness = 0.03, of = { type = "sphere", center = [0.5, 0.5], radius = 0.4 } }
"""
        said = self.run_well("check", self.write("thin.toml", shell.replace("EDGE", "0.045"))).err
        self.assertRegex(said, r"thin.toml:\d+:1: the cells of body 'block' fall into \d+ parts .* give a smaller `edge`")
        self.assertNotIn("parts", self.run_well("check", self.write("fine.toml", shell.replace("EDGE", "0.02"))).err)

    def test_odd_points_of_files_and_their_overlaps_are_told_once(self):
        self.write("p.csv", "x,y\n0.5,0.3\n0.5,0.3\n0.52,0.3\n1.2,0.3\n")
        scene = self.write("points.toml", cli.BLOCK + '[[body]]\nname = "dots"\nmaterial = "snow"\nsampling = "file"\n'
                           'points = "p.csv"\nshape = { type = "box", center = [0.5, 0.3], size = [0.1, 0.1] }\n')
        said = self.run_well("run", scene, "--frames", "1", "--out", "points").err
        for needle in ("outside scene.domain", "outside the body's shape", "coincide with another point", "overlap"):
            self.assertEqual(said.count(needle), 1, said)

    LIQUID = """\
format = 1
[scene]
dimension = 2
duration = 0.4
fps = 10
domain = { min = [0, 0], max = [2, 2] }
[solver]
method = "liquid"
dx = 0.05
[materials.w]
preset = "water"
[[source]]
name = "jet"
material = "w"
shape = { type = "box", center = [0.5, 1.8], size = [0.2, 0.2] }
velocity = [0, -1]
stop = 0.25
"""

    def test_check_counts_what_sources_bring(self):
        pool = '[[body]]\nmaterial = "w"\nshape = { type = "box", center = [1, 0.1], size = [2, 0.2] }\n'
        for name, text in (("jet", self.LIQUID), ("pool", self.LIQUID + pool)):
            scene = self.write(f"{name}.toml", text)
            foreseen = json.loads(self.run_well("check", scene, "--json").out)
            self.run_well("run", scene, "-q")
            counts = json.loads(self.run_well("stats", f"runs/{name}", "--json", "--columns", "mass").out.splitlines()[0])
            # Rows of 4 cells by 3, a cell's third apart, for a quarter of a second: 12 times 15 particles.
            self.assertEqual(foreseen["from_sources"], 180)
            self.assertAlmostEqual((counts["last"] - counts["first"]) / (1000 * (0.05 / 3) ** 2), 180, delta=0.01)
            frames = sum(f.stat().st_size for f in (self.dir / f"runs/{name}/frames").iterdir())
            self.assertGreater(foreseen["disk"], 0.5 * frames if name == "pool" else 0)
            self.assertIn("180 from sources", self.run_well("check", scene).out)

    def test_a_preset_is_not_warned_of_its_own_values(self):
        for change, warned in ((("", ""), False), (("[[source]]", "viscosity = 0.001\n[[source]]"), True), (("water", "honey"), True)):
            said = self.run_well("check", self.write("jet.toml", self.LIQUID.replace(*change))).err
            self.assertEqual("viscosity has no effect" in said, warned, said)

    def test_a_method_without_a_grid_has_none(self):
        for method, grid in (("mls", False), ("mpm", True)):
            said = self.run_well("check", self.write("block.toml", cli.BLOCK.replace('"mpm"', f'"{method}"').replace(
                'model = "snow"', 'model = "neo-hookean"\nyoung = 1e5').replace(', contact = "slip"', ""))).out
            self.assertEqual("nodes at the start" in said, grid, said)
            self.assertEqual("no grid" in said, not grid, said)

    def test_a_stabilizer_needs_a_shape_that_is_remembered(self):
        block = cli.BLOCK.replace('model = "snow"', 'model = "neo-hookean"\nyoung = 1e5').replace(', contact = "slip"', "")
        for method, option, warned in (("composed", "meshless = { stabilizer = 0.3 }", True), ("composed", "", False),
                                       ("composed", "meshless = { stabilizer = 0 }", False),
                                       ("mls", "meshless = { stabilizer = 0.3 }", False),
                                       ("embedded", "meshless = { stabilizer = 0.3 }", False)):
            scene = self.write("block.toml", block.replace('"mpm"', f'"{method}"\n{option}'))
            said = self.run_well("check", scene).err
            self.assertEqual("solver.meshless.stabilizer has no effect" in said, warned, said)
            self.assertEqual("composed matter remembers no shape" in said, warned, said)
        self.refuse(3, ["solver.meshless.stabilizer", "remembers no shape", "--strict"], "run",
                    self.write("block.toml", block.replace('"mpm"', '"composed"\nmeshless = { stabilizer = 0.3 }')),
                    "--strict", "--out", "strict")

    def test_z_none_of_them_took_much_memory(self):
        self.assertLess(cli.peak_memory_of_children(), 256 << 20)


if __name__ == "__main__":
    cli.main()
