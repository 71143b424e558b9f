"""All levels of instructions give the same bits: a run does not depend on the processor.

SCENES is the list. A scene is a text, or a file under scenes/, with changes as `knead run --set` takes them; it should end within a
few seconds on the slowest level and use what it is there for: flow, contact, melting, cracks.
"""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

LEVELS = ("plain", "avx2", "avx512")


# Two bodies of unlike numbers of particles that meet on a floor and flow.
def two_bodies(method, dimension, precision="float", material='model = "yield-flow"\nyield_stress = 300', solver="", more=""):
    return f"""\
format = 1
[scene]
name = "two"
dimension = {dimension}
duration = 0.2
fps = 20
[solver]
method = "{method}"
dx = {0.08 if dimension == 3 else 0.03}
precision = "{precision}"
{solver}
{more}
[materials.m]
{material}
[[body]]
name = "a"
material = "m"
velocity = [0.5, -2, 0]
sampling = "jittered"
shape = {{ type = "sphere", center = [0, 0.35, 0], radius = 0.3 }}
[[body]]
name = "b"
material = "m"
velocity = [-1, -3, 0]
spin = [0, 0, 3]
shape = {{ type = "box", center = [0.2, 0.9, 0], size = [0.4, 0.4, 0.4] }}
[[collider]]
name = "floor"
friction = 0.4
shape = {{ type = "plane" }}
"""


MESHLESS = "[solver.meshless]\nviscosity = 1\n"
EMBEDDED = MESHLESS + "fade_steps = 5\nembed_after = 0.005\nself_contact = true\n"
STRAIN_YIELD = 'model = "strain-yield"\nyield_strain = 0.01'


# A dam that meets a box which moves, water from above, and the blast of an explosion.
def dam(dimension, liquid="", precision="float"):
    per_cell, mid = (8, 0.25) if dimension == 3 else (4, 0)
    return f"""\
format = 1
[scene]
name = "dam"
dimension = {dimension}
duration = 0.3
fps = 20
domain = {{ min = [0, 0, 0], max = [2, 1, 0.5], open = ["x max"] }}
[solver]
method = "liquid"
dx = {0.125 if dimension == 3 else 0.0625}
precision = "{precision}"
liquid = {{ {liquid} }}
[materials.water]
model = "fluid"
[[body]]
material = "water"
particles_per_cell = {per_cell}
shape = {{ type = "box", center = [0.25, 0.375, {mid}], size = [0.5, 0.75, 0.5] }}
[[collider]]
shape = {{ type = "box", center = [1, 0.15, {mid}], size = [0.3, 0.3, 0.3] }}
motion = {{ velocity = [-0.5, 0, 0] }}
[[source]]
material = "water"
particles_per_cell = {per_cell}
velocity = [-2, 0, 0]
shape = {{ type = "sphere", center = [1.7, 0.75, {mid}], radius = 0.15 }}
[[explosion]]
center = [0.3, 0.2, {mid}]
time = 0.1
radius = 0.2
"""


# Fracture in a moment: weak matter thrown at the floor, by default as cells that break.
def thrown(material, body='cells = "delaunay"\nedge = 0.16', dimension=3, solver=""):
    return f"""\
format = 1
[scene]
name = "thrown"
dimension = {dimension}
duration = 0.15
fps = 40
[solver]
method = "mpm"
dx = {0.08 if dimension == 3 else 0.04}
{solver}
[materials.m]
{material}
[[body]]
material = "m"
{body}
velocity = [1, -3, 0]
spin = [0, 0, 5]
shape = {{ type = "box", center = [0, 0.45, 0], size = [0.5, 0.5, 0.3] }}
[[collider]]
name = "floor"
friction = 0.4
shape = {{ type = "plane" }}
"""


JELLY = 'model = "fixed-corotated"\nyoung = 1e5'
VON_MISES = 'model = "von-mises"\nyoung = 1e5\nyield_stress = 2e3'
RANKINE = 'model = "rankine"\nyoung = 1e5\ntensile_strength = 1e3\nfracture_energy = 1'
RANKINE_VON_MISES = 'model = "rankine-von-mises"\nyoung = 1e5\ntensile_strength = 3e3\nyield_stress = 6e3\nfracture_energy = 5'
PHASE_FIELD = 'model = "phase-field"\nyoung = 1e5\nfracture_energy = 1\ncrack_length = 0.08'


def file(name, *changes):
    """What a scene without other files says, but for what is expected of it at times that the run may not reach."""
    text = (cli.SOURCE / "scenes" / name).read_text(encoding="utf-8").split("[[expect]]")[0]
    return (text, *(word for change in changes for word in ("--set", change)))


SCENES = {
    "Meshless": {
        **{f"composed_{d}d_{p}": two_bodies("composed", d, p, more=MESHLESS) for d in (2, 3) for p in ("float", "double")},
        **{f"embedded_{d}d_{p}": two_bodies("embedded", d, p, more=EMBEDDED) for d in (2, 3) for p in ("float", "double")},
        **{f"mls_{d}d_{p}": two_bodies("mls", d, p, STRAIN_YIELD, more=MESHLESS) for d in (2, 3) for p in ("float", "double")},
        **{f"mls_implicit_{d}d_{p}": two_bodies("mls", d, p, STRAIN_YIELD, 'integrator = "implicit"\ndt_max = 0.01')
           for d in (2, 3) for p in ("float", "double")},
        "mls_other_law": two_bodies("mls", 3),
        "mls_quadratic": two_bodies("mls", 3, material=STRAIN_YIELD, more='[solver.meshless]\nbasis = "quadratic"\n'),
        "composed_cosine": two_bodies("composed", 3, more='[solver.meshless]\nelastic_force = "cosine"\n'),
        "composed_pressed": two_bodies("composed", 3, more=MESHLESS + "sound_speed = 5\n"),
        "composed_von_mises": two_bodies("composed", 3, material=VON_MISES),
        "melts_and_sets": file("meshless/wax_on_plate.toml", "scene.duration=0.4", "solver.dx=0.05"),
    },
    "Mpm": {
        "jelly_2d": two_bodies("mpm", 2, material=JELLY),
        "jelly_double": two_bodies("mpm", 3, "double", material=JELLY),
        "snow": two_bodies("mpm", 3, material='model = "snow"'),
        "sand": two_bodies("mpm", 3, material='model = "sand"'),
        "pic_linear": two_bodies("mpm", 3, material=JELLY, solver='transfer = "pic"\nkernel = "linear"'),
        "flip_cubic": two_bodies("mpm", 3, material=JELLY, solver='transfer = "flip"\nkernel = "cubic"'),
        "mls_cubic_2d": two_bodies("mpm", 2, material=JELLY, solver='transfer = "mls"\nkernel = "cubic"'),
        **{f"{integrator.replace('-', '_')}_{d}d_{p}": two_bodies("mpm", d, p, JELLY, f'integrator = "{integrator}"\ndt_max = 0.005')
           for integrator in ("implicit", "semi-implicit") for d, p in ((2, "float"), (3, "float"), (3, "double"))},
        "implicit_plastic": two_bodies("mpm", 3, material=VON_MISES, solver='integrator = "implicit"\ndt_max = 0.005'),
    },
    "Fracture": {
        "particles": thrown(RANKINE, ""),
        "cells": thrown(RANKINE),
        "cells_2d": thrown(RANKINE, dimension=2),
        "cells_that_yield": thrown(RANKINE_VON_MISES),
        "phase_field": thrown(PHASE_FIELD, "", 2),
    },
    "Liquid": {
        **{f"{d}d_{p}": dam(d, precision=p) for d in (2, 3) for p in ("float", "double")},
        "apic_mprgp": dam(3, 'transfer = "apic", solver = "mprgp"'),
        "incompressible": dam(3, 'pressure = "incompressible"'),
        "particles_suction": dam(3, 'foresight = "particles", suction = 1e4'),
        "faces_plain": dam(2, 'foresight = "faces", matrix = "plain"'),
        "prescribed_flow": dam(3, 'flow = ["1 - y", "x", "t"]'),
    },
}


def levels_here():
    """Those that the program holds and this processor has."""
    found = []
    for level in LEVELS:
        said = cli.knead("doctor", "--json", env=dict(os.environ, KNEAD_LEVEL=level)).out
        if said and json.loads(said)["vector unit"].split()[0] == level:
            found.append(level)
    return found


def same_on_all(case, scene):
    levels = levels_here()
    if len(levels) < 2:
        case.skipTest(f"this program and processor have one level only: {levels}")
    text, *changes = (scene,) if isinstance(scene, str) else scene
    path = case.write("scene.toml", text)
    first = None
    for level in levels:
        case.run_well("run", path, *changes, "--threads", 2, "--out", level, "-q",
                      env=dict(os.environ, KNEAD_LEVEL=level))
        results = cli.results_of(case.dir / level)
        case.assertGreater(len(results), 2)
        first = first or results
        case.assertEqual(first, results, f"{level} differs from {levels[0]}")


class Meshless(cli.Case):
    pass


class Mpm(cli.Case):
    pass


class Fracture(cli.Case):
    pass


class Liquid(cli.Case):
    pass


for group in (Meshless, Mpm, Fracture, Liquid):
    for name, scene in SCENES[group.__name__].items():
        setattr(group, f"test_{name}", lambda self, scene=scene: same_on_all(self, scene))

if __name__ == "__main__":
    cli.main()
