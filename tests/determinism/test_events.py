"""Grips, events, body forces and probes: the same bits on any number of threads, and resumed before or after an event."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

SCENE = """\
format = 1

[scene]
name = "scripted"
dimension = 2
duration = 0.5
fps = 20
body_force = ["-2*(x - X)", "0.5*sin(20*t)", 0]
domain = { min = [0, 0], max = [1, 1] }

[solver]
method = "mpm"
dx = 0.04

[materials.snow]
model = "snow"

[materials.jelly]
model = "neo-hookean"
young = 1e4
density = 400

[[body]]
name = "block"
material = "snow"
velocity = ["-(y - 0.5)", "x - 0.5", 0]
shape = { type = "box", center = [0.5, 0.5], size = [0.3, 0.3] }

[[body]]
name = "other"
material = "jelly"
shape = { type = "box", center = [0.2, 0.15], size = [0.2, 0.2] }

[[collider]]
name = "lid"
enabled = false
shape = { type = "plane", point = [0, 0.6], normal = [0, -1] }

[[grip]]
name = "hand"
shape = { type = "box", center = [0.5, 0.62], size = [0.3, 0.12] }
motion = { translate = ["0.05*sin(10*t)", 0], rotate = "0.2*t", pivot = [0.5, 0.5] }
release = 0.31

[[event]]
time = 0.12
material = "jelly"
set = { young = "20 kPa" }

[[event]]
time = 0.17
body = "block"
material = "jelly"
reset = true

[[event]]
time = 0.22
body = "other"
velocity = [0.3, "0.2*x", 0]
enable = ["lid"]

[[event]]
time = 0.26
gravity = [3, 4]

[[probe]]
name = "pull"
type = "force"
on = "hand"

[[probe]]
name = "floor"
type = "force"
on = "domain y min"

[[probe]]
name = "corner"
type = "particle"
at = [0.36, 0.36]

[[probe]]
name = "low"
type = "region"
shape = { type = "box", center = [0.5, 0.1], size = [1, 0.2] }

[[probe]]
name = "reach"
type = "front"
body = "block"
axis = "y"

[[probe]]
name = "squeeze"
type = "mean"
column = "pressure"

[[expect]]
name = "probes may be judged"
value = "max(abs(pull_force_y)) + last(corner_ux) + last(low_mass) + last(reach_front) + last(squeeze_mean)"
min = -1e9
"""

# Bodies whose particles change places when one gets another material, and matter that becomes stiffer twice.
WITHOUT_A_GRID = """\
format = 1

[scene]
name = "changed"
dimension = 2
duration = 0.4
fps = 25

[solver]
method = "{method}"
dx = 0.05

[materials.a]
model = "{law}"
young = 2e4

[materials.b]
model = "{law}"
young = 4e4

[[body]]
name = "A"
material = "a"
shape = {{ type = "box", center = [0.31, 0.33], size = [0.5, 0.4] }}

[[body]]
name = "B"
material = "b"
shape = {{ type = "box", center = [1.13, 0.37], size = [0.5, 0.4] }}

[[body]]
name = "C"
material = "a"
shape = {{ type = "box", center = [2.07, 0.41], size = [0.5, 0.5] }}

[[collider]]
shape = {{ type = "plane" }}

[[event]]
time = 0.1
body = "A"
material = "b"

[[event]]
time = 0.18
material = "b"
set = {{ young = 6e4 }}

[[event]]
time = 0.26
material = "b"
set = {{ young = 2e5 }}
"""


# By every method: gravity changes between two frames, and at a frame.
HEAVIER = """\
format = 1
[scene]
name = "heavier"
dimension = 2
duration = 0.3
fps = 20
gravity = [0, 0]
domain = {{ min = [-1, 0], max = [1, 1] }}
[solver]
dx = 0.05
{solver}
[materials.m]
{material}
[[body]]
material = "m"
shape = {{ type = "box", center = [0, 0.2], size = [0.8, 0.3] }}
[[event]]
time = 0.07
gravity = [0, -9.81]
[[event]]
time = 0.2
gravity = ["-5 m/s^2", 3]
"""
METHODS = {
    "mpm": ('method = "mpm"\ntransfer = "flip"', 'model = "snow"'),
    "implicit": ('method = "mpm"\nintegrator = "implicit"', 'model = "neo-hookean"\nyoung = 1e5'),
    "mls": ('method = "mls"', 'model = "neo-hookean"\nyoung = 1e5'),
    "mls_implicit": ('method = "mls"\nintegrator = "implicit"', 'model = "strain-yield"\nyoung = 1e5'),
    "melt": ('method = "mls"', 'model = "strain-yield"\nyoung = 1e5\nmelt = true\nmelt_viscosity = 10'),
    "embedded": ('method = "embedded"', 'model = "yield-flow"\nyoung = 1e5\nyield_stress = 1e4'),
    "composed": ('method = "composed"', 'model = "yield-flow"\nyoung = 1e5\nyield_stress = 1e4'),
    "liquid": ('method = "liquid"', 'model = "fluid"'),
}


class Events(cli.Case):
    def test_gravity_that_changes_gives_the_same_bits_resumed(self):
        for name, (solver, material) in METHODS.items():
            scene = self.write(f"{name}.toml", HEAVIER.format(solver=solver, material=material))
            self.run_well("run", scene, "--out", f"{name}_whole", "-q", "--threads", "1")
            expected = cli.results_of(self.dir / f"{name}_whole")
            for frames in (2, 4):  # between the events, and at the second
                with self.subTest(method=name, frames=frames):
                    out = f"{name}_cut{frames}"
                    self.run_well("run", scene, "--out", out, "-q", "--threads", "2", "--frames", str(frames))
                    self.run_well("run", scene, "--out", out, "-q", "--threads", "2", "--resume")
                    self.assertEqual(cli.results_of(self.dir / out), expected)

    def test_the_same_bits_on_any_number_of_threads_and_resumed(self):
        scene = self.write("scripted.toml", SCENE)
        self.run_well("run", scene, "--out", "whole", "-q", "--threads", "1")
        expected = cli.results_of(self.dir / "whole")
        for frames in (2, 4, 8):  # before, between and after the events
            with self.subTest(frames=frames):
                out = f"cut{frames}"
                self.run_well("run", scene, "--out", out, "-q", "--threads", "2", "--frames", str(frames))
                self.run_well("run", scene, "--out", out, "-q", "--threads", "2", "--resume")
                self.assertEqual(cli.results_of(self.dir / out), expected)

    def test_matter_without_a_grid_resumes_after_each_event(self):
        for method, law in (("mls", "strain-yield"), ("embedded", "yield-flow"), ("composed", "yield-flow")):
            scene = self.write(f"{method}.toml", WITHOUT_A_GRID.format(method=method, law=law))
            self.run_well("run", scene, "--out", method, "-q")
            expected = cli.results_of(self.dir / method)
            for frames in (4, 6, 8):
                with self.subTest(method=method, frames=frames):
                    out = f"{method}{frames}"
                    self.run_well("run", scene, "--out", out, "-q", "--frames", str(frames))
                    self.run_well("run", scene, "--out", out, "-q", "--resume")
                    self.assertEqual(cli.results_of(self.dir / out), expected)

    def test_probes_are_columns_of_the_statistics(self):
        scene = self.write("scripted.toml", SCENE)
        self.run_well("run", scene, "--out", "run", "-q")
        header = (self.dir / "run/stats.csv").read_text().splitlines()[0].split(",")
        for name in ("pull_force_x", "pull_torque_z", "corner_x", "corner_vy", "corner_ux", "corner_stress_xy", "corner_J",
                     "low_mass", "low_count", "low_density", "reach_front", "squeeze_mean", "squeeze_max", "body_work"):
            self.assertIn(name, header)
        self.run_well("stats", "run", "--plot", "forces.png", "--columns", "pull_force_y,floor_force_y")


if __name__ == "__main__":
    cli.main()
