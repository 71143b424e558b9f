"""Texture coordinates and vertex order go from a mesh file through a run that tears it to the surfaces of its cracks."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

SCENE = """\
format = 1

[scene]
name = "box"
gravity = [0, 0, 0]
duration = 0.5

[solver]
method = "mpm"
dx = 0.125

[materials.ductile]
model = "rankine"
density = 1000
young = "100 kPa"
poisson = 0.3
tensile_strength = "10 kPa"
fracture_energy = "50 J/m^2"

[[body]]
material = "ductile"
cells = "delaunay"
shape = { type = "mesh", file = "box.obj", scale = 0.01, rotate = [0, 1.5707963267948966, 0], translate = [0, 0.5, 0] }

[[grip]]
shape = { type = "box", center = [0, -0.19, 0], size = [2, 0.62, 2] }

[[grip]]
shape = { type = "box", center = [0, 1.19, 0], size = [2, 0.62, 2] }
motion = { velocity = [0.1, 0.6, 0] }
"""

SIDES = 4  # squares along a side of the box


def textured_box():
    """A box of squares, two of its sides as quads, with a seam along all of its edges: a chart of its own for each side.
    Returns the text of the file and its triangles: corners from 1, and their texture coordinates as the file spells them."""
    places, vt, faces, triangles = {}, [], [], []
    for side in range(6):
        axis, end = side % 3, side // 3
        for i in range(SIDES):
            for j in range(SIDES):
                corners = []
                for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)):
                    at = [0, 0, 0]
                    at[axis], at[(axis + 1) % 3], at[(axis + 2) % 3] = end * SIDES, a, b
                    vt.append((f"{(side + a / SIDES) / 6.1:.17g}", f"{0.1 + b / 7:.9f}"))
                    corners.append((places.setdefault(tuple(at), len(places) + 1), len(vt)))
                if not end:
                    corners = [corners[0]] + corners[:0:-1]
                cut = [corners] if axis == 0 else [[corners[k] for k in t] for t in ((3, 0, 1), (3, 1, 2))]
                faces += cut
                for f in cut:
                    triangles += [[f[0], f[k], f[k + 1]] for k in range(1, len(f) - 1)]
    # Vertices stand in another order than faces use them in.
    order = sorted(places, key=lambda at: (at[1] * 7 + at[0] * 5 + at[2] * 3) % 11)
    renamed = {places[at]: i + 1 for i, at in enumerate(order)}
    lines = [f"v {at[0] * 25 - 50} {at[1] * 25 - 50} {at[2] * 25 - 50}" for at in order]
    lines += [f"vt {u} {v}" for u, v in vt]
    lines += ["f " + " ".join(f"{renamed[v]}/{t}" for v, t in f) for f in faces]
    return "\n".join(lines) + "\n", [[(renamed[v], *vt[t - 1]) for v, t in f] for f in triangles]


def outside_of(path):
    """Vertices, and faces of the group 'outside' like those of textured_box."""
    vertices, vt, faces, group = [], [], [], None
    for line in path.read_text().splitlines():
        word, *rest = line.split()
        if word == "v":
            vertices.append([float(x) for x in rest])
        elif word == "vt":
            vt.append(rest)
        elif word == "g":
            group = rest[0]
        elif word == "f" and group == "outside":
            corners = [[int(i) for i in corner.split("/")] for corner in rest]
            faces.append([(v, *vt[t - 1]) for v, t, _ in corners])
    return vertices, faces


def numbers(triangle):
    """Texts that are read as the same bits become equal."""
    return tuple((v, float(u), float(w)) for v, u, w in triangle)


def texture_area(triangle):
    (_, u, v), (_, u1, v1), (_, u2, v2) = triangle
    return 0.5 * abs((u1 - u) * (v2 - v) - (u2 - u) * (v1 - v))


class Texture(cli.Case):
    def test_outer_triangles_that_no_crack_touches_are_those_of_the_file(self):
        text, triangles = textured_box()
        self.write("box.obj", text)
        self.write("box.toml", SCENE)
        self.run_well("run", "box.toml", "-q")
        said = self.run_well("mesh", "runs/box", "--cracks").out
        broken = int(re.search(r"(\d+) of \d+ edges are broken", said).group(1))
        self.assertGreater(broken, 20)
        files = sorted((self.dir / "runs/box/cracks").glob("*.obj"))
        given = [numbers(t) for t in triangles]
        count = text.count("\nv ") + 1
        self.assertEqual(count, 6 * SIDES**2 + 2)

        # Before it tears: the same triangles in the same order, and vertices where the file has them, scaled, turned, moved.
        vertices, faces = outside_of(files[0])
        self.assertEqual([numbers(f) for f in faces], given)
        self.assertEqual(len(vertices), count)
        for at, line in zip(vertices, text.splitlines()):
            x, y, z = (float(a) / 100 for a in line.split()[1:])
            for one, other in zip(at, (z, y + 0.5, -x)):
                self.assertAlmostEqual(one, other, 6)

        # Torn: a triangle between vertices of the file is one of its triangles; the others are parts of those that are missing.
        _, faces = outside_of(files[-1])
        is_whole = [max(v for v, *_ in f) <= count for f in faces]
        whole = [numbers(f) for f, w in zip(faces, is_whole) if w]
        parts = [numbers(f) for f, w in zip(faces, is_whole) if not w]
        kept = set(whole)
        self.assertEqual(whole, [t for t in given if t in kept])
        self.assertGreater(len(whole), 100)
        self.assertLess(len(whole), len(given) - 10)
        missing = [t for t in given if t not in kept]
        self.assertAlmostEqual(sum(map(texture_area, parts)), sum(map(texture_area, missing)), 12)


if __name__ == "__main__":
    cli.main()
