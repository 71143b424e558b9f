"""Runs every scene that comes with Knead, at low resolution where it is large, and judges it by its own [[expect]]."""

import csv
import json
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from knead_cli import SOURCE, Case, knead  # noqa: E402

SCENES = sorted((SOURCE / "scenes").rglob("*.toml"))
MOST_PARTICLES = 20000

# Scenes whose outcome needs their own resolution: only the frames that their expectations look at.
SHORTER = {"snowball": ["--frames", "8"], "kinds_2d": ["--frames", "10"]}


def smaller(scene):
    """The arguments that bring a large scene down to a size that a test can run: fewer frames, or a coarser grid."""
    if scene.stem in SHORTER:
        return SHORTER[scene.stem]
    report = json.loads(knead("check", scene, "--json").out)
    if report["particles"] <= MOST_PARTICLES:
        return []
    text = scene.read_text()
    dimension = 2 if "dimension = 2" in text else 3
    dx = next(line for line in text.splitlines() if line.startswith("dx = "))
    number, _, unit = dx.removeprefix("dx = ").strip('"').partition(" ")
    factor = (report["particles"] / MOST_PARTICLES) ** (1 / dimension)
    return ["--set", f'solver.dx="{float(number) * factor:.4g} {unit or "m"}"']


class EveryScene(Case):
    def test_meets_its_expectations(self):
        self.assertGreater(len(SCENES), 10)
        for scene in SCENES:
            with self.subTest(scene=str(scene.relative_to(SOURCE))):
                self.assertIn("[[expect]]", scene.read_text())
                done = knead("run", scene, "--out", self.dir / scene.stem, "--force", "--judge", "-q", *smaller(scene), timeout=300)
                self.assertEqual(done.code, 0, done.out + done.err)


class ParameterStudy(Case):
    """Fumoto, Figure 3: a low critical stretch changes the outcome drastically, the other parameters subtly."""

    def final(self, name):
        run = self.dir / name
        done = knead("run", SOURCE / f"scenes/mpm/snow_study/{name}.toml", "--out", run, "-q")
        self.assertEqual(done.code, 0, done.err)
        with h5py.File(sorted((run / "frames").glob("*.h5"))[-1]) as file:
            return file["particles/x"][:]

    @staticmethod
    def pieces(x, size=0.01):
        """How many groups of particles there are, linked where their squares of half a grid cell share a side."""
        squares = {tuple(c) for c in numpy.floor(x / size).astype(int)}
        count = 0
        while squares:
            count += 1
            todo = [squares.pop()]
            while todo:
                i, j = todo.pop()
                for n in [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]:
                    if n in squares:
                        squares.remove(n)
                        todo.append(n)
        return count

    def test_low_critical_stretch_is_the_drastic_change(self):
        reference = self.final("reference")
        names = ["low_hardening", "low_young", "low_critical_compression", "low_critical_stretch", "tiny_critical_stretch", "low_both"]
        finals = {name: self.final(name) for name in names}
        distance = {name: float(numpy.linalg.norm(x - reference, axis=1).mean()) for name, x in finals.items()}
        print({name: round(d, 4) for name, d in distance.items()})
        for name in names:
            self.assertTrue(math.isfinite(distance[name]))
            self.assertGreater(distance[name], 0, f"{name} changed nothing")
            if name != "tiny_critical_stretch":
                self.assertLess(distance[name], distance["tiny_critical_stretch"], name)
        self.assertGreaterEqual(self.pieces(finals["tiny_critical_stretch"]), 3 * self.pieces(reference))


class FractureResolutions(Case):
    """Wang 2020, Fig. 3.6: cubes of a quarter of the particles and fewer break at about the same time."""

    def break_time(self, name, column, dx):
        """When the grip last feels half of the largest load."""
        run = self.dir / f"{name}_{dx}"
        done = knead("run", SOURCE / f"scenes/mpm/fracture/{name}.toml", "--out", run, "-q", "--set", f"solver.dx={dx}", "--set", "scene.duration=1.5")
        self.assertEqual(done.code, 0, done.err)
        with open(run / "stats.csv", newline="") as file:
            rows = [(float(row["time"]), abs(float(row[column]))) for row in csv.DictReader(file)]
        peak = max(load for _, load in rows)
        return max(time for time, load in rows if load > peak / 2)

    def test_break_time_does_not_depend_on_the_grid(self):
        for name, column in [("twist", "top_torque_y"), ("pull", "top_force_y")]:
            times = {particles: self.break_time(name, column, dx) for particles, dx in [("4K", 0.115), ("8K", 0.0909), ("17K", 0.0714)]}
            print(name, times)
            for particles, time in times.items():
                self.assertLess(time, 1.4, f"{name} {particles} never broke")
                self.assertLess(abs(time / times["17K"] - 1), 0.25, f"{name} {particles}")


if __name__ == "__main__":
    unittest.main()
