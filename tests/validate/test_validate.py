"""The quick cases of `knead validate` pass, and each of them fails with its wrong input; with KNEAD_TEST_SLOW=1 the others do."""

import json
import math
import sys
import unittest
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scene"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from knead_cli import SOURCE, Case, knead, main  # noqa: E402
from test_scenes import IN_FULL, at_once, judge_scene, not_met  # noqa: E402


def objects(text):
    return [json.loads(line) for line in text.splitlines()]


class QuickCases(Case):
    def test_every_number_is_within_its_tolerance(self):
        done = self.knead("validate", "--quick", "--json")
        lines = objects(done.out)
        self.assertGreater(len(lines), 30)
        for line in lines:
            with self.subTest(case=line["case"], metric=line.get("metric")):
                self.assertTrue(line["pass"], line)
        self.assertEqual(done.code, 0, done.err)

    def test_every_case_fails_with_its_wrong_input(self):
        done = self.knead("validate", "--quick", "--control", "--json")
        self.assertEqual(done.code, 0, done.out + done.err)
        failed = defaultdict(bool)
        for line in objects(done.out):
            failed[line["case"]] |= not line["pass"]
        self.assertGreater(len(failed), 5)
        for case, any_failed in failed.items():
            self.assertTrue(any_failed, f"{case} passes with a wrong input")


class WrongInput:
    """A case that is not quick, which with its wrong input must fail. A test each, so that all cores have work."""

    @unittest.skipUnless(IN_FULL, "takes up to half a minute, one case a minute and a half; KNEAD_TEST_SLOW=1 runs it")
    def test_fails_with_its_wrong_input(self):
        done = self.knead("validate", self.case, "--control", "--json", "--threads", "1", timeout=800)
        lines = objects(done.out)
        self.assertEqual(done.code, 0, done.out + done.err)
        self.assertEqual({line["case"] for line in lines}, {self.case})
        self.assertTrue(any(not line["pass"] for line in lines), f"{self.case} passes with a wrong input")
        self.assertTrue(all(line["measured"] is not None for line in lines), f"{self.case} ends before a gate is judged: {lines}")


class B1Bar(WrongInput, Case):
    case = "b1-bar"


class B3Manufactured(WrongInput, Case):
    case = "b3-manufactured"


class B4Vortex(WrongInput, Case):
    case = "b4-vortex"


class B6Discs(WrongInput, Case):
    case = "b6-discs"


class B9Hole(WrongInput, Case):
    case = "b9-hole"


class B11Beam(WrongInput, Case):
    case = "b11-beam"


class B12Taylor(WrongInput, Case):
    case = "b12-taylor"


class C2Patch(WrongInput, Case):
    case = "c2-patch"


class C4Membrane(WrongInput, Case):
    case = "c4-membrane"


class C5Plate(WrongInput, Case):
    case = "c5-plate"


class D1Strength(WrongInput, Case):
    case = "d1-strength"


class D2Energy(WrongInput, Case):
    case = "d2-energy"


class D3Beam(WrongInput, Case):
    case = "d3-beam"


class D5Tear(WrongInput, Case):
    case = "d5-tear"


class E1Column(WrongInput, Case):
    case = "e1-column"


class E2Heap(WrongInput, Case):
    case = "e2-heap"


class E3Piston(WrongInput, Case):
    case = "e3-piston"


class E4Hopper(WrongInput, Case):
    case = "e4-hopper"


class E5Ledger(WrongInput, Case):
    case = "e5-ledger"


class H3Dam(WrongInput, Case):
    case = "h3-dam"


class H4Dam(WrongInput, Case):
    case = "h4-dam"


class H5Slosh(WrongInput, Case):
    case = "h5-slosh"


class H6Ellipse(WrongInput, Case):
    case = "h6-ellipse"


class H8Vortex(WrongInput, Case):
    case = "h8-vortex"


class H9MassFull(WrongInput, Case):
    case = "h9-mass-full"


class J1Slab(WrongInput, Case):
    case = "j1-slab"


class J2HalfSpace(WrongInput, Case):
    case = "j2-half-space"


class J3Stefan(WrongInput, Case):
    case = "j3-stefan"


# Whose wrong inputs take from half a minute to a minute and a half of processor time: their scenes with that input, at the size for tests,
# must not meet their own expectations. tests/scene judges those scenes without it.
COARSER = {
    "b2-cube": ("b2_cube", ["materials.rubber.young=1.2e6"]),
    "b8-cube": ("b8_uniaxial", ["materials.solid.young=1200"]),
    "b10-cylinder": ("b10_cylinder", ["materials.tube.young=1200"]),
    "b11-rest": ("b11_rest", ["materials.beam.young=1.68e6"]),
    "c3-cantilever": ("c3_cantilever", ["materials.beam.young=3.408e7"]),
    "e2-slope": ("e2_slope", ['materials.sand.friction_angle="27 deg"']),
    "f6-slope": ("f6_slope", ["collider.0.friction=0.45"]),
    "h7-orifice": ("h7_orifice", ["scene.gravity=[0, -8.5]"]),
}


class Controls(Case):
    def test_every_case_has_its_control_run(self):
        listed = objects(self.run_well("validate", "--list", "--json").out)
        here = {one.case for one in WrongInput.__subclasses__()}
        self.assertEqual(sorted(line["case"] for line in listed if not line["quick"]), sorted([*here, *COARSER]))

    @unittest.skipUnless(IN_FULL, "takes a minute; KNEAD_TEST_SLOW=1 runs it")
    def test_coarser_scenes_fail_with_the_wrong_inputs_of_their_cases(self):
        def judge(case):
            name, changes = COARSER[case]
            return judge_scene(self, f"validate/{name}", *(word for change in changes for word in ("--set", change)))

        for case, done in zip(COARSER, at_once(judge, COARSER)):
            with self.subTest(case=case):
                self.assertEqual(done.code, 5, done.out + done.err)
                self.assertTrue(not_met(done), done.err)  # judged, and not stopped by a failing step


class Output(Case):
    def test_json_says_what_the_verdict_rests_on(self):
        done = self.run_well("validate", "a3", "b13", "--json")
        for line in objects(done.out):
            for key in ("case", "metric", "measured", "reference", "tolerance", "pass", "source", "seconds"):
                self.assertIn(key, line)
            over = line["measured"] - line["reference"]
            allowed = {"both": abs(over), "at most": over, "at least": -over}[line["side"]] <= line["tolerance"]
            self.assertEqual(line["pass"], allowed, line)

    def test_list_names_every_case_once_with_its_wrong_input(self):
        listed = objects(self.run_well("validate", "--list", "--json").out)
        names = [line["case"] for line in listed]
        self.assertEqual(len(names), len(set(names)))
        for line in listed:
            self.assertTrue(line["control"] and line["source"] and line["title"], line)
        page = (SOURCE / "docs/validation.md").read_text(encoding="utf-8")
        for name in names:
            self.assertIn(f"`{name}`", page, "docs/validation.md does not name it")

    def test_names_choose_cases(self):
        def chosen(*names):
            return [line["case"] for line in objects(self.run_well("validate", *names, "--list", "--json").out)]

        groups = chosen("mpm"), chosen("meshless"), chosen("liquid"), chosen("fracture"), chosen("every")
        self.assertEqual(sorted(sum(groups, [])), sorted(chosen()))
        self.assertIn("b6-discs", groups[0])
        self.assertIn("c1-fields", groups[1])
        self.assertIn("h3-dam", groups[2])
        self.assertIn("d1-strength", groups[3])
        self.assertIn("p1-force", groups[4])
        self.assertEqual(chosen("b1"), ["b1-bar"])  # and not b10, b11, …
        self.assertTrue(all(name.startswith("a") for name in chosen("a")))
        self.refuse(2, ["b6-dics", "did you mean 'b6-discs'"], "validate", "b6-dics")

    def test_plots_and_runs_go_to_the_folder(self):
        self.run_well("validate", "b5", "--out", "out", "--json")
        self.assertGreater((self.dir / "out/b5-rotation.png").stat().st_size, 1000)
        self.assertTrue(list((self.dir / "out/runs").glob("*-b5_rotation/stats.csv")))


class MaterialPoint(Case):
    def rows(self, *arguments):
        return objects(self.run_well("material", *arguments, "--json").out)

    def test_stress_of_a_path(self):
        path = self.write("path.csv", "F11, F33\n1.5, 1  # pulled\n\n1, 1\n")
        pulled, back = self.rows("hencky", "--path", path, "--set", "young=1e6", "--set", "poisson=0.3")
        self.assertAlmostEqual(pulled["cauchy_xx"], 363878.943, delta=1e-3)
        self.assertAlmostEqual(pulled["kirchhoff_xx"], 1.5 * 363878.943, delta=2e-3)
        self.assertLess(abs(back["cauchy_xx"]), 1e-6)

    def test_free_directions_feel_no_stress(self):
        path = self.write("path.csv", "t F11 F22 F33\n0.5 0.7 free free\n1 1.5 free free\n")
        squeezed, pulled = self.rows("neo-hookean", "--path", path, "--set", "young=1 MPa", "--set", "poisson=0.3")
        self.assertAlmostEqual(squeezed["F22"], 1.10793473, delta=1e-8)
        self.assertAlmostEqual(pulled["cauchy_xx"], 488287.861, delta=1e-2)
        self.assertEqual(pulled["t"], 1)

    def test_flat_paths_and_history(self):
        path = self.write("path.csv", "F11;F12;F21;F22\n0.9;0;0;1\n")
        (row,) = self.rows("snow", "--path", path)
        self.assertAlmostEqual(row["J_p"], 0.9 / 0.975, delta=1e-12)
        self.assertNotIn("F33", row)

    def test_presets_are_materials_too(self):
        path = self.write("path.csv", "F11,F33\n0.99,1\n")
        (row,) = self.rows("packed-snow", "--path", path)
        self.assertLess(row["cauchy_xx"], 0)
        self.assertIn("J_p", row)

    def test_a_material_of_a_scene_and_a_table_in_a_file(self):
        path = self.write("path.csv", "F11,F33\n1.1,1\n")
        scene = SOURCE / "scenes/mpm/rotating_disc.toml"
        self.run_well("material", f"{scene}:rubber", "--path", path, "-o", "out.csv")
        header, row = (self.dir / "out.csv").read_text().splitlines()
        values = dict(zip(header.split(","), map(float, row.split(","))))
        self.assertTrue(math.isfinite(values["cauchy_xx"]) and values["cauchy_xx"] > 0)
        self.refuse(3, ["no material 'rubbr'", "rubber"], "material", f"{scene}:rubbr", "--path", path)

    def test_bad_paths_are_refused_with_their_place(self):
        def refuse(text, *needles):
            self.refuse(3, ["path.csv", *needles], "material", "hencky", "--path", self.write("path.csv", text))

        refuse("", "is empty")
        refuse("F11,F22\n", "no rows")
        refuse("F11,F44\n1,1\n", ":1:5", "F44")
        refuse("F11,F11\n1,1\n", ":1:5", "repeated")
        refuse("t\n1\n", ":1:1", "F11")
        refuse("F11,F22\n1,one\n", ":2:3", "not a finite number")
        refuse("F11,F22\n1,nan\n", ":2:3", "not a finite number")
        refuse("F11,F22\n1\n", ":2:1", "2 columns")
        refuse("F11,F22\n1,1,1\n", ":2:5", "2 columns")
        refuse("F11,F12\n1,free\n", ":2:3", "free")
        refuse("F11,F22\n-1,1\n", ":2:1", "det F")
        refuse("t,F11\n1,1\n1,1.1\n", ":3:1", "increase")
        self.refuse(3, ["jelo", "did you mean 'jelly'"], "material", "jelo", "--path", self.write("path.csv", "F11\n1\n"))
        self.refuse(3, ["no_such.csv"], "material", "hencky", "--path", "no_such.csv")
        self.refuse(2, ["--path"], "material", "hencky")
        self.refuse(2, ["material"], "material")


if __name__ == "__main__":
    main()
