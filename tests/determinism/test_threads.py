"""The same scene gives the same bits on any number of threads."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

# Large enough that several blocks of the grid are worked on at the same time; two bodies of unlike materials collide.
JELLY_3D = """\
format = 1

[scene]
name = "jelly"
duration = 0.25

[solver]
method = "mpm"
dx = 0.04

[materials.jelly]
model = "fixed-corotated"
young = 1e5

[materials.snow]
model = "snow"

[[body]]
material = "jelly"
shape = { type = "box", center = [0, 0.3, 0], size = [0.4, 0.4, 0.4] }
velocity = [0.5, -2, 0]

[[body]]
material = "snow"
shape = { type = "sphere", center = [0.6, 0.4, 0], radius = 0.2 }
velocity = [-3, -1, 0]
sampling = "poisson"

[[collider]]
shape = { type = "plane", point = [0, 0, 0], normal = [0, 1, 0] }
friction = 0.3
"""


class Threads(cli.Case):
    def same_on_all(self, text):
        scene = self.write("scene.toml", text)
        results = {}
        for threads in (1, 2, 7):
            self.run_well("run", scene, "--threads", threads, "--out", f"on{threads}", "-q")
            results[threads] = cli.results_of(self.dir / f"on{threads}")
        self.assertGreater(len(results[1]), 5)
        self.assertEqual(results[1], results[2])
        self.assertEqual(results[1], results[7])

    def test_2d_snow(self):
        self.same_on_all(cli.BLOCK)

    def test_3d_jelly_and_snow(self):
        self.same_on_all(JELLY_3D)


if __name__ == "__main__":
    cli.main()
