"""Runs every scene that comes with Knead, at low resolution where it is large, and judges it by its own [[expect]]."""

import collections
import csv
import json
import math
import os
import re
import shutil
import sys
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import h5py
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from knead_cli import SOURCE, Case, knead  # noqa: E402

# A third of a minute and more each, two for d3_beam, which `knead validate d3` runs; KNEAD_TEST_SLOW=1 runs them, as continuous integration does.
# Quicker scenes of the same matter are always run: snow in 2D, chocolate, taylor_bar, braid, stretch_mesh, bread, b11_beam, e1_column, candle.
IN_FULL = bool(os.environ.get("KNEAD_TEST_SLOW"))
SLOW = [] if IN_FULL else ["armadillo_twist", "b11_rest", "braid_stiff", "branching", "caramel_coil", "e2_slope", "implicit_slide", "pull", "pull_mesh", "rod_bend", "snowball", "toothpaste", "twist", "twist_von_mises", "walls", "wax_on_plate", "zucchini"]
# Those that other tests below judge, with the runs that they need anyway.
JUDGED_BELOW = ["press", "donut", "twist_mesh", "bunny_on_sphere", "bunny_on_rod", "bust", "cubes_on_bar", "soft", *(scene.stem for scene in (SOURCE / "scenes/mpm/snow_study").iterdir())]
ALL = sorted((SOURCE / "scenes").rglob("*.toml"))
SCENES = [scene for scene in ALL if scene.stem not in [*SLOW, *JUDGED_BELOW, "d3_beam"]]
MOST_PARTICLES = 20000
PATIENCE = 1800  # s, for what takes a minute on a machine that is free

# Scenes whose outcome needs their own resolution: only the frames that their expectations look at, or all.
SHORTER = {"snowball": ["--frames", "8"], "kinds_2d": ["--frames", "10"], "twist_and_back": [], "twist_von_mises": [], "uneven_ball": [] if IN_FULL else ["--frames", "60"],
           "dam_obstacle": [], "dam_obstacle_incompressible": [], "quadruple_dam": [], "explosions": [], "branching": [], "h7_orifice": [], "pull_mesh": [], "plate": [], "notch": [],
           "press": ["--set", "solver.dx=0.025"], "projectile": [], "braid": ["--set", "solver.dx=0.03"], "braid_stiff": ["--set", "solver.dx=0.03"]}
# Those that are run at their own size with KNEAD_TEST_SLOW=1.
OWN_SIZE = ["pull", "twist", "walls", "zucchini"] if IN_FULL else []


def smaller(scene):
    """The arguments that bring a large scene down to a size that a test can run: fewer frames, or a coarser grid."""
    if scene.stem in SHORTER:
        return SHORTER[scene.stem]
    report = json.loads(knead("check", scene, "--json", timeout=PATIENCE).out)
    if report["particles"] <= MOST_PARTICLES:
        return []
    text = scene.read_text()
    dimension = 2 if "dimension = 2" in text else 3
    dx = next(line for line in text.splitlines() if line.startswith("dx = "))
    number, _, unit = dx.removeprefix("dx = ").strip('"').partition(" ")
    factor = (report["particles"] / MOST_PARTICLES) ** (1 / dimension)
    return ["--set", f'solver.dx="{float(number) * factor:.4g} {unit or "m"}"']


def judged_size(name):
    """The arguments that bring a scene, by its name, to the size at which EveryScene judges it, and its controls are run."""
    return [] if Path(name).name in OWN_SIZE else smaller(SOURCE / f"scenes/{name}.toml")


def at_once(f, arguments, cores=int(os.environ.get("KNEAD_TEST_CORES", os.cpu_count()))):
    """f of each of the arguments, as many at a time as there are cores for this test: small scenes gain more from that than from threads."""
    with ThreadPoolExecutor(cores) as pool:
        return list(pool.map(f, arguments))


def run_scene(case, name, out, *arguments):
    """Runs a scene on one thread into a folder of the test and returns the folder and the program's result."""
    run = case.dir / out
    return run, knead("run", SOURCE / f"scenes/{name}.toml", "--out", run, "--force", "-q", "--threads", "1", *arguments, timeout=PATIENCE)


def judge_scene(case, name, *arguments, size=None, out=""):
    """The program's result for a scene that it judges, at the size for tests. The run is not kept: all together they would fill a disk."""
    size = judged_size(name) if size is None else size
    run, done = run_scene(case, name, name.replace("/", "-") + out, "--judge", *size, *arguments)
    shutil.rmtree(run, ignore_errors=True)
    return done


class EveryScene(Case):
    def test_meets_its_expectations(self):
        self.assertGreater(len(SCENES), 10)
        names = [str(scene.relative_to(SOURCE / "scenes").with_suffix("")) for scene in SCENES]
        seconds = {}

        def judge(name):
            start = time.monotonic()
            done = judge_scene(self, name)
            seconds[name] = time.monotonic() - start
            return done

        results = at_once(judge, names, os.cpu_count())
        print("slowest, s:", ", ".join(f"{name} {seconds[name]:.0f}" for name in sorted(seconds, key=seconds.get)[:-11:-1]))
        for scene, done in zip(SCENES, results):
            with self.subTest(scene=str(scene.relative_to(SOURCE))):
                self.assertIn("[[expect]]", scene.read_text())
                self.assertEqual(done.code, 0, done.out + done.err)

    def test_cracks_of_scenes_follow_no_lattice(self):
        for scene in (SOURCE / "scenes/mpm/fracture").glob("*.toml"):
            self.assertNotIn("stuffed", scene.read_text(), f"{scene.name}: such cells are cut from a lattice; `delaunay` ones are not")


class ParameterStudy(Case):
    """Fumoto, Figure 3: a low critical stretch changes the outcome drastically, the other parameters subtly."""

    def final(self, name):
        run, done = run_scene(self, f"mpm/snow_study/{name}", name, "--judge")
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
        names = ["low_hardening", "low_young", "low_critical_compression", "low_critical_stretch", "tiny_critical_stretch", "low_both"]
        reference, *finals = at_once(self.final, ["reference", *names])
        finals = dict(zip(names, finals))
        distance = {name: float(numpy.linalg.norm(x - reference, axis=1).mean()) for name, x in finals.items()}
        print({name: round(d, 4) for name, d in distance.items()})
        for name in names:
            self.assertTrue(math.isfinite(distance[name]))
            self.assertGreater(distance[name], 0, f"{name} changed nothing")
            if name != "tiny_critical_stretch":
                self.assertLess(distance[name], distance["tiny_critical_stretch"], name)
        self.assertGreaterEqual(self.pieces(finals["tiny_critical_stretch"]), 3 * self.pieces(reference))


def last_frame(run):
    return h5py.File(sorted((run / "frames").glob("*.h5"))[-1])


class FractureResolutions(Case):
    """Wang 2020, Figs. 3.6 and 3.7: what bodies of a quarter of the particles and fewer have in common."""

    def broken(self, name, column, dx):
        """When the grip last feels half of the largest load, and the main pieces at the end."""
        run, done = run_scene(self, f"mpm/fracture/{name}", f"{name}_{dx}", "--set", f"solver.dx={dx}")
        self.assertEqual(done.code, 0, done.err)
        with open(run / "stats.csv", newline="") as file:
            rows = [(float(row["time"]), abs(float(row[column])), float(row["cube_main"])) for row in csv.DictReader(file)]
        peak = max(load for _, load, _ in rows)
        return max(time for time, load, _ in rows if load > peak / 2), rows[-1][2]

    @unittest.skipUnless(IN_FULL, "takes more than a minute; KNEAD_TEST_SLOW=1 runs it")
    def test_break_time_and_pieces_do_not_depend_on_the_grid(self):
        for name, column in [("twist", "top_torque_y"), ("pull", "top_force_y")]:
            sizes = {"17K": 0.0714, "8K": 0.0909, "4K": 0.115}
            found = dict(zip(sizes, at_once(lambda dx: self.broken(name, column, dx), sizes.values())))
            print(name, found)
            for particles, (time, pieces) in found.items():
                self.assertLess(time, 1.9, f"{name} {particles} never broke")
                self.assertLess(abs(time / found["17K"][0] - 1), 0.25, f"{name} {particles}")
                self.assertEqual(pieces, found["17K"][1], f"{name} {particles}")

    def test_a_crack_costs_its_energy_in_a_mesh_too(self):
        cells = [word for body in ("bar", "left", "right") for word in ("--set", f'body.{body}.cells="stuffed"')]
        # It bears a strain of 1 %, and its halves part by less than half the length of a cell.
        done = judge_scene(self, "validate/d2_bar", "--set", "solver.dx=0.0125", "--set", "body.bar.crack_stretch=1.1", *cells)
        self.assertEqual(done.code, 0, done.out + done.err)

    def test_grids_finer_than_the_particles_break_more(self):
        """Wang 2020, Fig. 3.18, with the softening of the text."""
        scene = (SOURCE / "scenes/mpm/fracture/twist.toml").read_text().splitlines()
        (self.dir / "twist.toml").write_text("\n".join('softening = "100 kPa"' if line.startswith("fracture_energy") else line for line in scene))

        def broken(dx):
            run = self.dir / f"grid_{dx}"
            done = knead("run", self.dir / "twist.toml", "--set", f"solver.dx={dx}", "--set", "body.cube.edge=0.1", "--frames", "25", "--out", run, "-q")
            self.assertEqual(done.code, 0, done.err)
            with last_frame(run) as frame:
                stretch = frame["edges/0/stretch"][:]
            return float((stretch > 1.5).mean())

        shares = at_once(broken, [0.1, 0.15, 0.2])
        print("broken edges", shares)
        self.assertGreater(shares[0], 1.2 * shares[1])
        self.assertGreater(shares[1], 1.2 * shares[2])

    def test_a_finer_wall_breaks_into_more_fragments(self):
        def count(dx):
            run, done = run_scene(self, "mpm/fracture/projectile", f"wall_{dx}", "--set", f"solver.dx={dx}", "--set", f"body.wall.edge={1.5 * dx}")
            self.assertEqual(done.code, 0, done.err)
            self.assertEqual(knead("mesh", run, "--cracks", "--frames", "37", "--out", run / "cracks", "-q").code, 0)
            volumes = sorted(Surface(run / "cracks/frame.0037.obj").pieces())
            return len(volumes), volumes

        counts = at_once(count, [0.03, 0.022])
        print("fragments", counts)
        self.assertGreater(counts[0][0], 5)
        self.assertGreater(counts[1][0], counts[0][0])
        # Shards of many sizes, and not pellets of one.
        for _, volumes in counts:
            *flying, wall = volumes
            self.assertGreater(wall, 0.9 * 0.04)
            self.assertGreater(flying[-1], 4 * flying[len(flying) // 2])


class Surface:
    """The triangles of an OBJ file."""

    def __init__(self, path):
        corners, triangles = [], []
        for line in path.read_text().splitlines():
            word, *rest = line.split()
            if word == "v":
                corners.append([float(x) for x in rest])
            if word == "f":
                triangles.append([int(x.split("/")[0]) - 1 for x in rest])
        self.x, self.t = numpy.array(corners), numpy.array(triangles)

    def is_closed(self):
        """Whether each edge has one triangle on either side."""
        sides = collections.Counter(tuple(side) for a, b in [(0, 1), (1, 2), (2, 0)] for side in self.t[:, [a, b]].tolist())
        return all(n == 1 and sides[b, a] == 1 for (a, b), n in sides.items())

    def pieces(self):
        """The volumes of those that there are; hollows within them do not count."""
        group = list(range(len(self.x)))

        def find(i):
            while group[i] != i:
                group[i] = group[group[i]]
                i = group[i]
            return i

        for a, b, c in self.t.tolist():
            group[find(a)] = find(b)
            group[find(b)] = find(c)
        volumes = collections.defaultdict(float)
        for a, volume in zip(self.t[:, 0].tolist(), self.volumes()):
            volumes[find(a)] += volume
        return [volume for volume in volumes.values() if volume > 0]

    def volumes(self):
        """Under each triangle, seen from the origin."""
        a, b, c = (self.x[self.t[:, k]] for k in range(3))
        return numpy.einsum("ij,ij->i", a, numpy.cross(b, c)) / 6


class CrackSurface(Case):
    """Wang 2020, Fig. 3.6: the surface of the twisted cube."""

    def test_is_closed_and_holds_the_matter(self):
        run, done = run_scene(self, "mpm/fracture/twist_mesh", "twist_mesh", "--judge")
        self.assertEqual(done.code, 0, done.err)
        done = knead("mesh", run, "--cracks", "--frames", "1:73", "--out", self.dir / "surface", "-q")
        self.assertEqual(done.code, 0, done.err)
        for frame, fewest, off in [(1, 1, 1e-6), (73, 2, 0.03)]:  # cracks narrower than half a cell are drawn as matter
            surface = Surface(self.dir / f"surface/frame.{frame:04}.obj")
            self.assertTrue(surface.is_closed(), f"frame {frame} is not closed and edge-manifold")
            volumes = surface.pieces()
            volume, large = sum(volumes), [v for v in volumes if v > 0.02]
            crumbs = sum(v for v in volumes if v < 1e-3)
            print("frame", frame, "triangles", len(surface.t), "pieces", len(volumes), "large", large, "crumbs", crumbs, "volume", volume)
            self.assertGreaterEqual(len(large), fewest)
            self.assertLessEqual(len(large), 8)
            self.assertGreater(sum(large), 0.9)  # Fig. 3.1: few large pieces with continuous torn surfaces
            self.assertLess(crumbs, 0.05)
            self.assertAlmostEqual(volume, 1, delta=off)

    def test_keeps_the_edges_and_pieces_that_a_skin_of_the_particles_loses(self):
        """Wang 2020, Fig. 3.2: the same particles by the mesh, and by blobs, of 1.2 of their distance where they have come apart."""
        run, done = run_scene(self, "mpm/fracture/twist", "twist", "--set", "solver.dx=0.0909")
        self.assertEqual(done.code, 0, done.err)
        frames = sorted((run / "frames").glob("*.h5"))

        def surface(frame, *kind):
            out = self.dir / "_".join(kind)
            self.assertEqual(knead("mesh", run, *kind, "--frames", str(frame), "--out", out, "-q").code, 0)
            found = Surface(out / f"frame.{frame:04}.obj")
            self.assertTrue(found.is_closed())
            return found

        mesh, skin = surface(1, "--cracks"), surface(1, "--skin")
        with h5py.File(frames[0]) as frame:
            size = float(numpy.cbrt(numpy.median(frame["particles/volume"])))
        ends = [mesh.x.min(axis=0), mesh.x.max(axis=0)]
        corners = [[ends[i][0], ends[j][1], ends[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)]
        away = [max(float(numpy.linalg.norm(s.x - corner, axis=1).min()) / size for corner in corners) for s in (mesh, skin)]
        pieces = [len(surface(len(frames), *kind).pieces()) for kind in (["--cracks"], ["--skin", "--radius", "1.2"])]
        print("corners away, in sizes of a particle", away, "pieces", pieces)
        self.assertLess(away[0], 1e-3)
        self.assertGreater(away[1], 0.5)
        self.assertLess(pieces[1], pieces[0])


class Press(Case):
    """Wang 2020, Fig. 3.3: flesh comes out where the rind has split, and not before."""

    @staticmethod
    def outside(file):
        """The share of the flesh farther from the axis than all rind within 5 degrees and 3 cm of height of it."""
        with h5py.File(file) as frame:
            x, body = frame["particles/x"][:], frame["particles/body"][:]
        sector = numpy.floor(numpy.arctan2(x[:, 2], x[:, 0]) * 36 / math.pi).astype(int) + 36
        layer = numpy.floor(x[:, 1] / 0.03).astype(int) + 2
        radius = numpy.hypot(x[:, 0], x[:, 2])
        reach = numpy.zeros((73, layer.max() + 1))
        numpy.maximum.at(reach, (sector[body == 0], layer[body == 0]), radius[body == 0])
        flesh = body == 1
        return float((radius[flesh] > reach[sector[flesh], layer[flesh]]).mean())

    @unittest.skipUnless(IN_FULL, "takes more than a minute; KNEAD_TEST_SLOW=1 runs it")
    def test_flesh_is_pressed_out_through_the_cracks(self):
        run, done = run_scene(self, "mpm/fracture/press", "press", "--judge")
        self.assertEqual(done.code, 0, done.err)
        frames = sorted((run / "frames").glob("*.h5"))
        early, late = self.outside(frames[10]), self.outside(frames[-1])
        print("flesh outside", early, late)
        self.assertEqual(early, 0)
        self.assertGreater(late, 0.002)  # not single particles: 34 of 17000, which there are with dx = 0.025


class ThreeFormulations(Case):
    """Gerszewski 2014, Fig. 4.8: how far bodies are from their shape after they were pressed and let go."""

    @staticmethod
    def errors(run):
        """Of each body, how far its particles are from the first frame, turned and moved as fits best: the root of the mean square over its size."""
        def places(file):
            with h5py.File(file) as frame:
                order = numpy.argsort(frame["particles/id"][:])
                return frame["particles/x"][:][order].astype(float), frame["particles/body"][:][order]

        frames = sorted((run / "frames").glob("*.h5"))
        (start, body), (end, _) = places(frames[0]), places(frames[-1])
        found = []
        for b in range(3):
            a, c = start[body == b], end[body == b]
            a, c = a - a.mean(0), c - c.mean(0)
            u, _, v = numpy.linalg.svd(c.T @ a)
            turn = u @ numpy.diag([1, 1, numpy.sign(numpy.linalg.det(u @ v))]) @ v
            found.append(float(numpy.sqrt(((c - a @ turn.T) ** 2).sum() / (a**2).sum())))
        return found

    @unittest.skipUnless(IN_FULL, "takes a minute; KNEAD_TEST_SLOW=1 runs it")
    def test_which_comes_back(self):
        names = ["composed", "rest", "additive"]
        runs = at_once(lambda name: run_scene(self, f"meshless/three_formulations/{name}", name), names)
        elastic, spinning, plastic = {}, {}, {}
        for name, (run, done) in zip(names, runs):
            self.assertEqual(done.code, 0, done.err)
            elastic[name], spinning[name], plastic[name] = self.errors(run)
        print("elastic", elastic, "spinning", spinning, "plastic", plastic)
        self.assertLess(elastic["composed"], 0.03)
        self.assertLess(elastic["rest"], 0.01)
        self.assertGreater(elastic["additive"], 2 * elastic["composed"])
        self.assertLess(max(spinning["composed"], spinning["rest"]), 0.03)
        self.assertGreater(spinning["additive"], 0.1)
        self.assertGreater(min(plastic.values()), 0.5)


def euler_number(x, reach, side):
    """Of the cubes of a grid whose middles are within reach of a point: vertices - edges + faces - cubes. A ball has 1, a ring 0."""
    low = x.min(axis=0) - 2 * reach
    solid = numpy.zeros(numpy.ceil((x.max(axis=0) + 2 * reach - low) / side).astype(int), bool)
    around = range(-math.ceil(reach / side), math.ceil(reach / side) + 1)
    at = numpy.floor((x - low) / side).astype(int)
    for step in [(i, j, k) for i in around for j in around for k in around]:
        near = at + step
        near = near[numpy.linalg.norm((near + 0.5) * side + low - x, axis=1) < reach]
        solid[tuple(near.T)] = True

    def count(axes):
        """How many cells of the grid that are flat along these axes belong to a solid cube."""
        cells = numpy.pad(solid, 1)
        for axis in axes:
            size = cells.shape[axis]
            cells = numpy.take(cells, range(size - 1), axis) | numpy.take(cells, range(1, size), axis)
        return int(cells.sum())

    return count([0, 1, 2]) - count([0, 1]) - count([0, 2]) - count([1, 2]) + count([0]) + count([1]) + count([2]) - count([])


class Donut(Case):
    """Mueller 2004, Fig. 7: what was a cuboid closes round the spike and is a ring, in the well and lifted out of it."""

    def test_genus_of_the_body_becomes_one_and_its_shape_stays(self):
        run, done = run_scene(self, "meshless/donut", "donut", "--judge")
        self.assertEqual(done.code, 0, done.err)
        frames = sorted((run / "frames").glob("*.h5"))
        numbers = []
        for file in [frames[0], frames[70], frames[-1]]:
            with h5py.File(file) as frame:
                numbers.append(euler_number(frame["particles/x"][:], 1.2 * 0.08, 0.5 * 0.08))
        self.assertEqual(numbers, [1, 0, 0])
        # How far particles are from the set shape, turned and moved as a whole to fit best (Kabsch), over the ring's
        # thickness, in the mean of the last second: it swings.
        with h5py.File(frames[73]) as frame:
            cast = frame["particles/x"][:].astype(float)
        thickness = cast[:, 1].max() - cast[:, 1].min() + 0.08
        cast -= cast.mean(axis=0)
        off = []
        for file in frames[-24:]:
            with h5py.File(file) as frame:
                x = frame["particles/x"][:].astype(float)
            x -= x.mean(axis=0)
            u, _, v = numpy.linalg.svd(cast.T @ x)
            off.append(math.sqrt(((x - cast @ u @ v) ** 2).sum(axis=1).mean()) / thickness)
        print("distance of the lifted ring from its shape as set, over its thickness", numpy.mean(off), max(off))
        self.assertLess(numpy.mean(off), 0.1)


class Stability(Case):
    """Mueller 2004, section 6.3: implicit steps damp what goes on swinging in explicit ones."""

    def test_implicit_steps_take_nine_tenths_of_the_swinging(self):
        swinging = []
        for name, sets in ("explicit", ["--judge"]), ("implicit", ["--set", 'solver.integrator="implicit"', "--set", "solver.dt=0.01"]):
            run, done = run_scene(self, "meshless/stability/soft", name, *sets)
            self.assertEqual(done.code, 0, done.err)
            with open(run / "stats.csv") as rows:
                about = [float(row["kinetic"]) for row in csv.DictReader(rows) if abs(float(row["time"]) - 3) < 0.3]
            swinging.append(max(about))
        self.assertLess(swinging[1], 0.1 * swinging[0])


class Print(Case):
    """Gerszewski 2014, Fig. 4.3: the print of the sphere is a sphere."""

    def test_print_of_the_sphere_fits_a_sphere(self):
        run, done = run_scene(self, "meshless/bunny_on_sphere", "bunny", "--judge")
        self.assertEqual(done.code, 0, done.err)
        places = []
        for file in sorted((run / "frames").glob("*.h5")):
            with h5py.File(file) as frame:
                places.append(frame["particles/x"][:])
        radius = 0.45 + 0.025  # where particles of a spacing of 0.05 touch
        nearest = numpy.min([numpy.linalg.norm(x - [0.05, 0.1, 0], axis=1) for x in places], axis=0)
        touched = places[-1][nearest < radius + 0.00125]
        self.assertGreater(len(touched), 30)
        # Least squares of |x|^2 = 2 x c + (r^2 - |c|^2).
        fit = numpy.linalg.lstsq(numpy.c_[2 * touched, numpy.ones(len(touched))], (touched**2).sum(axis=1), rcond=None)[0]
        print("print's radius over the sphere's", math.sqrt(fit[3] + (fit[:3] ** 2).sum()) / radius)
        self.assertLess(fit[1], touched[:, 1].mean(), "hollow from below")
        self.assertLess(abs(math.sqrt(fit[3] + (fit[:3] ** 2).sum()) / radius - 1), 0.15)


def away(x, X):
    """How far x is from the shape X, turned and moved to fit best: the root of the mean square (Kabsch)."""
    a, b = x - x.mean(axis=0), X - X.mean(axis=0)
    u, _, v = numpy.linalg.svd(a.T @ b)
    return float(numpy.sqrt(((a @ u @ v - b) ** 2).sum(axis=1).mean()))


class Bust(Case):
    """Mueller 2004, Fig. 3: a dent that stays, and matter ten times as stiff."""

    def test_dent_is_permanent(self):
        run, done = run_scene(self, "meshless/bust", "bust", "--judge")
        self.assertEqual(done.code, 0, done.err)
        off, first = [], None
        for path in sorted((run / "frames").glob("*.h5")):
            with h5py.File(path) as frame:
                x = frame["particles/x"][:].astype(float)
                first = x if first is None else first
                if frame.attrs["time"] > 1.29:  # the stiff phase, from 1.25 s on
                    off.append(away(x, first))
        size = float(numpy.ptp(first[:, 1]))
        print("off from the bust as it was, over its height", min(off) / size, max(off) / size)
        self.assertGreater(min(off), 0.02 * size)
        self.assertLess(max(off), 1.05 * numpy.mean(off))
        self.assertGreater(min(off), 0.95 * numpy.mean(off))

    def test_ten_times_as_stiff_it_swings_faster_by_the_root(self):
        """In flight after the first bounce, with the change to the stiff phase then, and without."""

        def rate(stiff_from):
            sets = ["scene.fps=600", "output.every=600", "event.0.time=9", f"event.1.time={stiff_from}"]
            run, done = run_scene(self, "meshless/bust", f"from_{stiff_from}", "--frames", "445", *(word for one in sets for word in ("--set", one)))
            self.assertEqual(done.code, 0, done.err)
            with open(run / "stats.csv", newline="") as file:
                rows = [(float(row["time"]), float(row["elastic"])) for row in csv.DictReader(file)]
            energy = numpy.array([value for time, value in rows if 0.503 < time < 0.74])  # it comes down at 0.76 s
            at = numpy.arange(len(energy))
            energy = (energy - numpy.polyval(numpy.polyfit(at, energy, 2), at)) * numpy.hanning(len(energy))
            spectrum = numpy.abs(numpy.fft.rfft(energy, 16 * len(energy)))
            return numpy.fft.rfftfreq(16 * len(energy), 1 / 600)[spectrum.argmax()]

        soft, stiff = at_once(rate, [9, 0.5])
        print("its elastic energy swings at", soft, "and", stiff, "Hz")
        self.assertLess(abs(stiff / soft / math.sqrt(10) - 1), 0.15)


class Embedded(Case):
    """Ward 2012, Figs. 4.2 and 4.4: the embedded space has the permanent part of a shape."""

    def shapes(self, name, *changes):
        """Of each body: its particles in the rest space, in the world at the end and at the start, and how far their P are from the identity."""
        run, done = run_scene(self, f"meshless/{name}", name, *(word for change in changes for word in ("--set", change)), *([] if changes else ["--judge"]))
        self.assertEqual(done.code, 0, done.err)
        frames = sorted((run / "frames").glob("*.h5"))
        with h5py.File(frames[0]) as first, h5py.File(frames[-1]) as last:
            start, end = numpy.argsort(first["particles/id"][:]), numpy.argsort(last["particles/id"][:])
            body = first["particles/body"][:][start]
            X = first["particles/x"][:][start].astype(float)
            embedded, x = (last[f"particles/{column}"][:][end].astype(float) for column in ("embedded", "x"))
            offset = numpy.linalg.norm(last["particles/P"][:][end].reshape(-1, 3, 3) - numpy.eye(3), axis=(1, 2))
        return [tuple(column[body == b] for column in (embedded, x, X, offset)) for b in range(body.max() + 1)]

    def test_cubes_keep_what_their_yield_stress_lets_them(self):
        left, centre, right = (away(embedded, X) for embedded, _, X, _ in self.shapes("cubes_on_bar"))
        print("embedded shapes are off from cubes, in edges", left, centre, right)
        # The bounds of the figure's catalogue, and a factor of 1.5 about what mpm says: 0.110 and 0.052, by the command in the scene.
        self.assertGreater(left, 0.1)  # it lies around the bar: a tenth of its edge and more
        self.assertLess(left, 1.5 * 0.110)
        self.assertGreater(centre, 0.052 / 1.5)
        self.assertLess(centre, 1.5 * 0.052)
        self.assertLess(right, 0.02)  # what it shows in the world is elastic

    def test_relaxed_without_gravity_the_world_has_the_embedded_shape(self):
        """To 5 % of an edge, as the catalogue of the figure asks. Gravity ends with the scene, and a drag brings the cubes to rest."""
        force = ", ".join(f'"-8*v{axis}*(t > 1.2){weight}"' for axis, weight in [("x", ""), ("y", " - 9.81*(t < 1.2)"), ("z", "")])
        cubes = self.shapes("cubes_on_bar", "scene.gravity=[0, 0, 0]", f"scene.body_force=[{force}]", "scene.duration=2")
        off = [away(x, embedded) for embedded, x, _, _ in cubes]
        print("relaxed cubes are off from their embedded shapes, in edges", off)
        self.assertLess(max(off), 0.05)
        embedded, _, X, _ = cubes[0]
        self.assertGreater(away(embedded, X), 0.1)  # and not because both are still cubes

    def test_world_shows_elastic_strain_beyond_the_dent(self):
        ((embedded, x, X, offset),) = self.shapes("bunny_on_rod")
        kept, seen = away(embedded, X), away(x, X)
        near = numpy.hypot(X[:, 0] - 0.05, X[:, 1] - 0.62) < 0.2  # of where the rod meets it
        shares = [float((offset[where] > 0.05).mean()) for where in (near, ~near)]
        print("off from its shape, m: embedded", kept, "world", seen, "; rest vectors that differ, by the rod and elsewhere", shares)
        self.assertGreater(kept, 0.01)
        self.assertGreater(seen, kept)
        self.assertGreater(shares[0], 2 * shares[1])


class Pile(Case):
    """Gerszewski 2014, Fig. 4.1: bodies that lie on each other stay apart."""

    def test_no_body_is_in_another(self):
        dx = 0.07
        run, done = run_scene(self, "meshless/pile", "pile", "--set", f"solver.dx={dx}", "--set", "scene.duration=2")
        self.assertEqual(done.code, 0, done.err)
        with last_frame(run) as frame:
            x, body = frame["particles/x"][:], frame["particles/body"][:]
        closest = min(
            float(numpy.linalg.norm(x[body == a][:, None] - x[body == b][None], axis=2).min())
            for a in range(12)
            for b in range(a)
        )
        print("closest particles of two bodies, in spacings", closest / dx)
        self.assertGreater(closest, 0.5 * dx)
        self.assertLess(closest, 1.05 * dx)  # they touch


# What must not pass for the scene's matter: each change takes away what the scene is about.
SWITCHED_OFF = {
    "mpm/food/caramel_coil": ["materials.caramel.viscosity=1"],
    "mpm/food/chocolate": ["materials.chocolate.yield_stress=0", "materials.chocolate.viscosity=0.1"],
    "mpm/food/clay_press": ["materials.clay.yield_stress=1e9"],
    "mpm/food/dough_press": ["materials.dough.yield_stress=1e9"],
    "mpm/food/dough_roll": ["materials.dough.yield_stress=1e9"],
    "mpm/food/toothpaste": ["materials.paste.yield_stress=0", "materials.paste.viscosity=0.1"],
    "mpm/fracture/armadillo_stretch": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/armadillo_tear": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/armadillo_twist": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/branching": ["materials.glass.fracture_energy=1e4"],
    "mpm/fracture/braid": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/braid_stiff": ["materials.ductile.young=1e5"],
    "mpm/fracture/bread": ["materials.crust.tensile_strength=1e9", "materials.crumb.tensile_strength=1e9"],
    "mpm/fracture/notch": ["body.strip.damage=0.4*noise(15*X, 15*Y, 0)"],
    "mpm/fracture/plate": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/press": ["materials.rind.tensile_strength=1e9"],
    "mpm/fracture/projectile": ["materials.ductile.tensile_strength=1e9", "materials.ductile.yield_stress=1e9"],
    "mpm/fracture/pull": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/pull_mesh": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/stretch_coarse": ["solver.dx=0.05"],
    "mpm/fracture/stretch_fine": ["solver.dx=0.0909"],
    "mpm/fracture/stretch_mesh": ["body.cube.cells=none"],
    "mpm/fracture/twist": ["materials.ductile.tensile_strength=1e9"],
    "mpm/fracture/twist_and_back": ["materials.weak.yield_stress=122470", "materials.middle.yield_stress=122470"],
    "mpm/fracture/twist_von_mises": ["materials.weak.yield_stress=122470", "materials.middle.yield_stress=122470"],
    "mpm/fracture/twist_mesh": ["materials.ductile.tensile_strength=1e9", "materials.ductile.yield_stress=1e9"],
    "mpm/fracture/walls": ["materials.ductile.tensile_strength=1e9", "materials.ductile.yield_stress=1e9"],
    "mpm/fracture/zucchini": ["materials.vegetable.tensile_strength=1e9"],
    "mpm/implicit_slide": ["collider.floor.friction=0.2"],
    "mpm/jelly/sand_on_jelly": ["materials.firm.young=5000"],
    "mpm/jelly_cubes": ["materials.soft.young=1e7", "materials.medium.young=1e7", "materials.firm.young=1e7"],
    "mpm/metal/rod_bend": ["materials.metal.yield_stress=1e9"],
    "mpm/metal/taylor_bar": ["materials.copper.yield_stress=1e10"],
    "mpm/sand/column_2d": ['materials.sand.friction_angle="1 deg"'],
    "mpm/sand/column_3d": ['materials.sand.friction_angle="1 deg"'],
    "mpm/sand/hourglass": ['materials.sand.friction_angle="1 deg"'],
    "mpm/free_fall": ["scene.gravity=[0, -9.7, 0]"],
    "mpm/implicit_cantilever": ["materials.rubber.young=1e7"],
    "mpm/rotating_disc": ['solver.transfer="pic"'],
    "mpm/snow/kinds_2d": ["materials.icy.critical_stretch=0.5"],
    "mpm/snow_block_2d": ["materials.snow.critical_stretch=0.9", "materials.snow.critical_compression=0.9"],
    "mpm/snow_disc_2d": ["materials.snow.critical_stretch=0.9", "materials.snow.critical_compression=0.9"],
    "mpm/snow_points_2d": ["materials.snow.critical_stretch=0.9", "materials.snow.critical_compression=0.9"],
    "mpm/snow_study/reference": ["materials.snow.critical_stretch=1e-3"],
    "mpm/snow_study/low_both": ["materials.snow.critical_stretch=0.9", "materials.snow.critical_compression=0.9"],
    "mpm/snow_study/low_critical_compression": ["materials.snow.critical_compression=0.9"],
    "mpm/snow_study/low_critical_stretch": ["materials.snow.critical_stretch=1e-3"],
    "mpm/snow_study/low_hardening": ["materials.snow.hardening=10"],
    "mpm/snow_study/low_young": ["materials.snow.young=140e3"],
    "mpm/snow_study/tiny_critical_stretch": ["materials.snow.critical_stretch=7.5e-3"],
    "mpm/snow_two_discs_2d": ["materials.snow.critical_stretch=0.9", "materials.snow.critical_compression=0.9"],
    "mpm/snowball": ["materials.packed.critical_stretch=0.9", "materials.loose.critical_stretch=0.9"],
    "mpm/water/dam_break_2d": ["materials.water.viscosity=50"],
    "mpm/water/dam_break_pillar": ["materials.water.viscosity=500"],
    "meshless/bust": (["event.0.time=9"], ["event.1.time=9"]),
    "meshless/cornstarch": (["materials.cornstarch.flow_rate=0"], ["materials.cornstarch.thickening_stress=2e4", "--frames=20"]),  # the second flows ten times as fast where it is hit
    "meshless/bar_on_rod": ["materials.putty.yield_stress=1e9"],
    "meshless/bunny_on_rod": ["materials.putty.yield_stress=1e9"],
    "meshless/bunny_on_sphere": ["materials.dough.yield_stress=1e9"],
    "meshless/cubes_on_bar": (["materials.soft.yield_stress=1e9"], ["materials.medium.yield_stress=1e9"]),
    "meshless/cubes_on_ground": ["materials.soft.yield_stress=1e9"],
    "meshless/pile": ["solver.meshless.fuse=true"],
    "meshless/thin_slab": ["materials.soft.yield_stress=1e9"],
    "meshless/tower": ["materials.softening.hardening=0"],
    "meshless/candle": ["materials.wax.melting_temperature=1000"],
    "meshless/wax_on_plate": ["materials.wax.solidifying_temperature=200"],
    "meshless/donut": (["event.0.time=9"], ["event.1.time=9", "event.2.time=9"]),
    "meshless/four_busts": (["event.0.time=9"], ["materials.rubber.young=50e3", "--frames=25"], ["grip.twister.motion={}"]),
    "meshless/melted_bust": ["event.0.time=9"],
    "meshless/mould": ["event.1.time=9"],
    "meshless/split_and_merge": ["materials.wax.melt=false"],
    "meshless/cylinders": (["materials.flowing.flow_rate=0"], ["materials.plastic.flow_rate=0"]),
    "meshless/dough_star": (["materials.dough.yield_stress=1e9"], ["materials.dough.yield_stress=0"]),
    "meshless/hyperelastic_boxes": ["materials.soft.young=5e5"],
    "meshless/plastic_study": (["materials.middle_fast.flow_rate=0"], ["materials.strong_slow.yield_stress=2000"]),
    "meshless/poisson": (["materials.rubber.poisson=0"], ["materials.eraser.volume_stiffness=0"]),
    "meshless/three_formulations/additive": ["materials.elastic.melt_turns=true"],
    "meshless/three_formulations/composed": ["materials.plastic.flow_rate=0"],
    "meshless/three_formulations/rest": ["materials.plastic.yield_stress=1e9"],
    "meshless/stability/explicit": ["solver.dt=8e-3"],  # the limit of this block is 7.8 ms, 2.86 dx over the speed of its waves
    "meshless/stability/implicit": ["materials.rubber.young=1e4"],
    "meshless/stability/soft": ["solver.integrator=\"implicit\"", "solver.dt=0.01"],
    "meshless/uneven_ball": ["materials.putty.yield_stress=1e9", "--frames=60"],
    "liquid/city_flood": ["collider.city.enabled=false"],
    "liquid/dam_obstacle": (["solver.liquid.pressure=incompressible"], ["solver.liquid.flip=1"]),  # the second throws more of it too fast
    "liquid/dam_obstacle_incompressible": ["solver.liquid.pressure=unilateral"],
    "liquid/explosions": ["explosion.second.time=3.5"],
    "liquid/fountain": ["solver.liquid.pressure=incompressible"],
    "liquid/fountain_incompressible": ["solver.liquid.pressure=unilateral"],
    "liquid/pool": ["collider.rim.enabled=false"],
    "liquid/quadruple_dam": ["body.d.velocity=[0, 0, -1]"],
    "liquid/streams": ["source.right.start=0.5"],
    "liquid/terrain": ["collider.ground.enabled=false"],
}
# Those that every test runs, for the time they take; KNEAD_TEST_SLOW=1 runs all.
QUICK = ["mpm/food/toothpaste", "mpm/sand/column_2d", "mpm/sand/hourglass", "mpm/snow/kinds_2d", "mpm/water/dam_break_2d"]


def controls(name):
    """The arguments of each of a scene's controls."""
    several = SWITCHED_OFF[name]
    for changes in [several] if isinstance(several[0], str) else several:
        yield [word for change in changes for word in ([change] if change.startswith("--") else ["--set", change])]


def not_met(done):
    """The expectations that a run does not meet, by name."""
    return set(re.findall(r"'([^\n]*)' is not met", done.err))


class SwitchedOff(Case):
    def judge(self, run):
        """The result of a control, and what the scene does not meet without the change, where no other test judges it at that size."""
        name, i, arguments = run
        frames = [word for word in arguments if word.startswith("--frames")]
        below = Path(name).name in JUDGED_BELOW and judged_size(name)
        unchanged = not_met(judge_scene(self, name, *frames, out=f"-{i}-unchanged")) if IN_FULL and (frames or below) else set()
        return judge_scene(self, name, *arguments, out=f"-{i}"), unchanged

    def test_without_its_physics_a_scene_fails(self):
        runs = [(name, i, arguments) for name in (SWITCHED_OFF if IN_FULL else QUICK) for i, arguments in enumerate(controls(name))]
        results = at_once(self.judge, runs, os.cpu_count())
        for (name, _, arguments), (done, unchanged) in zip(runs, results):
            with self.subTest(scene=name, control=arguments):
                self.assertEqual(done.code, 5, done.out + done.err)
                self.assertIn("is not met", done.err)  # judged, and not stopped by a failing step
                self.assertGreater(not_met(done), unchanged & not_met(done), "it fails only what the scene fails at this size anyway")

    def test_every_scene_has_a_control_or_says_why_not(self):
        cases = [json.loads(line)["case"] for line in knead("validate", "--list", "--json").out.splitlines()]
        for scene in ALL:
            name = str(scene.relative_to(SOURCE / "scenes").with_suffix(""))
            with self.subTest(scene=name):
                said = re.search(r"^# (?:Its control is the wrong input of `knead validate (\w+)`\.|No control: .{20,})$", scene.read_text(), re.MULTILINE)
                self.assertNotEqual(said is None, name not in SWITCHED_OFF, "either SWITCHED_OFF has it or its first lines say why not")
                if said and said[1]:
                    self.assertTrue(any(case.split("-")[0] == said[1] for case in cases), f"there is no case {said[1]}")
        self.assertEqual(set(SWITCHED_OFF) - {str(scene.relative_to(SOURCE / "scenes").with_suffix("")) for scene in ALL}, set())


if __name__ == "__main__":
    unittest.main()
