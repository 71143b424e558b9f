"""Mistakes in motions, grips, events, probes and expressions: one message that names the place, and nothing is lost."""

import json
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

LINES = cli.BLOCK.count("\n")
GRIP = '[[grip]]\nname = "hand"\nshape = { type = "box", center = [0.5, 0.4], size = [0.3, 0.1] }\n'

# A scene without a grid, up to its only material; a square of it is to follow.
MLS_SQUARE = """\
format = 1
[scene]
dimension = 2
duration = 0.1
fps = 20
[solver]
method = "mls"
dx = 0.1
[materials.m]
model = "neo-hookean"
young = 1e5
"""


class Control(cli.Case):
    def refuse_text(self, text, needles, code=3, out="out", **options):
        path = self.write("bad.toml", text)
        return self.refuse(code, needles, "run", path, "--out", out, **options)

    def refuse_added(self, added, line, needles):
        """What is added to the block scene is refused at that line of it."""
        return self.refuse_text(cli.BLOCK + added, [f"bad.toml:{LINES + line}:", *needles])

    def warned(self, added, needle):
        """What is added is warned about, and with --strict refused."""
        path = self.write("odd.toml", cli.BLOCK + added)
        said = self.run_well("run", path, "--out", "odd", "--frames", "1", "--force")
        self.assertIn(needle, said.err)
        self.refuse(3, [needle, "--strict"], "run", path, "--out", "strict", "--frames", "1", "--strict")

    def test_events_name_what_is_there(self):
        event = "[[event]]\ntime = 0.1\n"
        self.refuse_added(event + 'body = "blok"\nvelocity = [0, 1]\n', 3, ["blok", "not a body", "did you mean 'block'"])
        self.refuse_added(event + 'body = "block"\nmaterial = "snwo"\n', 4, ["not a material", "did you mean 'snow'"])
        self.refuse_added(GRIP + event + 'release = ["hnad"]\n', 6, ["not a grip or collider", "did you mean 'hand'"])
        self.refuse_added(event + 'material = "snow"\nset = { yung = 1 }\n', 4, ["yung", "did you mean 'young'"])
        self.refuse_added(event + 'material = "snow"\nset = { poisson = 0.7 }\n', 4, ["poisson", "(-1, 0.5)"])
        self.refuse_added(event + 'material = "snow"\nset = { density = 7 }\n', 4, ["density", "mass is constant"])
        self.refuse_added(event, 1, ["changes nothing"])
        self.refuse_added("[[event]]\ntime = -1\n", 2, ["time"])

    def test_keyframes_stand_in_the_order_of_time(self):
        self.refuse_added(GRIP + "motion = { keyframes = [{ time = 1 }, { time = 0.5 }] }\n", 4,
                          ["keyframes must be in order of time", "keyframe 1 is at 1 s", "keyframe 2 at 0.5 s"])

    def test_motions_by_expressions_that_jump_are_warned_about(self):
        ball = '[[collider]]\nshape = { type = "disc", center = [0.2, 0.8], radius = 0.05 }\nmotion = { '
        for motion, said in (('translate = ["0.4*step(t - 0.0123)", 0]', "translate jumps at t = 0.0123 s"), ('translate = [0, "-0.1*floor(4*t)"]', "jumps at t = 0.25 s"),
                             ('translate = ["0.2*(t > 0.3)", 0]', "jumps at t = 0.3 s"), ('rotate = "2*step(t - 0.1)"', "rotate jumps at t = 0.1 s")):
            self.warned(ball + motion + " }\n", said)
            self.warned(GRIP + "motion = { " + motion + " }\n", said)
        # However steep, this is none.
        for motion in ("0.2*step(t - 0.1)*(t - 0.1)", "0.1*tanh(1e6*(t - 0.2))", "0.1*sin(3e4*t)", "5*t"):
            path = self.write("good.toml", cli.BLOCK + ball + f'translate = ["{motion}", 0] }}\n')
            self.assertNotIn("jump", self.run_well("check", path).err + self.run_well("check", path).out)

    def test_frames_without_end_are_warned_about(self):
        ball = '[[collider]]\nshape = { type = "disc", center = [0.5, 0.3], radius = 0.05 }\n'
        path = self.write("fast.toml", cli.BLOCK + ball + "motion = { pivot = [0.5, 0.3], keyframes = [{ time = 0.05 }, { time = 0.4, rotate = [0, 0, 1e9] }] }\n")
        process = cli.start("run", path, "--out", "fast", "--threads", "1", cwd=self.dir)
        log, end = self.dir / "fast/log.txt", time.monotonic() + 300
        while time.monotonic() < end and not (log.exists() and "more; something is too fast" in log.read_text()):
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        process.communicate()
        said = log.read_text()
        self.assertEqual(said.count("more; something is too fast"), 1, said)
        self.assertIn("(set by: collider speed): frame 3 needs", said)

    def test_grips(self):
        self.refuse_added("[[grip]]\n", 1, ["either a shape or a body"])
        self.refuse_added('[[grip]]\nbody = "blck"\n', 2, ["not a body", "did you mean 'block'"])
        self.refuse_added(GRIP + 'axes = ["z"]\n', 4, ["one of x, y"])
        self.warned(GRIP.replace("0.4]", "0.9]"), "holds nothing")
        self.warned(GRIP.replace("0.1]", "0.01]"), "less than a cell")
        self.warned(GRIP.replace("0.4]", "0.495]"), "reaches a cell or less into the matter")
        for middle, shallow in [("0.48", True), ("0.46", False)]:  # a cell deep, and two
            text = (cli.BLOCK + GRIP.replace("0.4]", f"{middle}]")).replace("jittered", "lattice")
            said = self.run_well("run", self.write("deep.toml", text), "--out", "deep", "--frames", "1", "--force").err
            self.assertEqual("reaches a cell or less into the matter" in said, shallow, said)

    def test_grips_that_contradict_each_other(self):
        other = GRIP.replace("hand", "other").replace("center = [0.5", "center = [0.6")
        moving = other + "motion = { velocity = [0.1, 0] }\n"
        self.refuse_added(GRIP + moving, 4, ["'other'", "'hand'", f"line {LINES + 1}", "differently", "axes"])
        turning = other + 'motion = { translate = [0, "0.1*step(t - 0.2)*t"] }\n'
        self.refuse_added(GRIP + turning, 4, ["'hand'", "differently"])

        def accepted(text):
            path = self.write("good.toml", cli.BLOCK + text)
            self.run_well("check", path)

        accepted(GRIP + other)  # both at rest
        accepted(GRIP + 'axes = ["y"]\n' + moving + 'axes = ["x"]\n')
        accepted(GRIP + moving.replace("0.6", "0.9"))  # apart
        accepted(GRIP + "release = 0.2\n" + other + "motion = { keyframes = [{ time = 0.3 }, { time = 0.4, translate = [0.1, 0] }] }\n")

    def test_events_after_the_end(self):
        self.warned(GRIP + '[[event]]\ntime = 100\nrelease = ["hand"]\n', "it will never happen")
        self.warned(GRIP + "release = 100\n", "it will never happen")

    def test_probes(self):
        probe = '[[probe]]\nname = "a"\n'
        self.refuse_added(probe + 'type = "forc"\n', 3, ["did you mean 'force'"])
        self.refuse_added(probe + 'type = "force"\non = "domain y mim"\n', 4, ["did you mean 'domain y min'"])
        self.refuse_added(probe + 'type = "mean"\ncolumn = "pressur"\n', 4, ["did you mean 'pressure'"])
        self.refuse_added(probe + 'type = "particle"\n', 1, ["`at`"])
        self.refuse_added(probe + 'type = "region"\n', 1, ["shape"])
        self.refuse_added('[[probe]]\nname = "a b"\ntype = "front"\n', 2, ["letters"])
        self.warned(probe + 'type = "particle"\nat = [0.9, 0.9]\n', "more than a cell")
        self.refuse_text(cli.BLOCK + '[[probe]]\nname = "min"\ntype = "particle"\nat = [0, 0]\n', ["'min_x'", "another name"])

    def test_expressions(self):
        def body(velocity):
            return cli.BLOCK.replace("velocity = [0.5, -2]", f"velocity = {velocity}")

        self.refuse_text(body('["system(1)", "0"]'), ["bad.toml:", "unknown function 'system'", "x, y, z"])
        self.refuse_text(body('["xx", "0"]'), ["unknown name 'xx'"])
        self.refuse_text(body('["2 kg", "0"]'), ["mass"])
        self.refuse_text(body('["1/0", "0"]'), ["bad.toml:", "not a finite number at (", "t = 0"])

    def test_body_forces_that_are_no_numbers(self):
        def force(expression):
            return cli.BLOCK.replace("duration = 0.5", f'duration = 0.5\nbody_force = ["{expression}", 0]')

        self.refuse_text(force("sqrt(-1 - x)"), ["bad.toml:", "body_force", "not a finite number at (", "t = 0"])
        late = self.refuse_text(force("sqrt(0.1 - t)"), ["body_force is not a finite number", "frames up to 3 are intact"],
                                code=5, leaves_nothing=False)
        self.assertNotIn("nan", late.out)
        self.assertIn("correct the expression at", late.err)
        self.assertNotIn("halved", late.err, "no smaller step helps")
        rows = (self.dir / "out/stats.csv").read_text().splitlines()
        self.assertEqual(len(rows), 1 + 3, "the frames before the failure are kept")

    def test_a_step_that_cannot_be_done_without_a_grid(self):
        def pushed(method, expression):
            model = "strain-yield" if method == "mls" else "yield-flow"
            return (cli.BLOCK.replace('"mpm"', f'"{method}"').replace('model = "snow"', f'model = "{model}"').replace("dx = 0.02", "dx = 0.05")
                    .replace("duration = 0.5", f'duration = 0.5\nbody_force = ["{expression}", 0]'))

        for method in ("mls", "embedded", "composed"):
            with self.subTest(method):
                self.refuse_text(pushed(method, "1e15*step(t - 0.1)"),
                                 ["neighbours, whose moments are as 1 :", "particle", "block", "halved 12 times", "solver.dt_max of ", "viscosity",
                                  "frames up to 3 are intact"], code=5, out=method, leaves_nothing=False)
                late = self.refuse_text(pushed(method, "sqrt(0.1 - t)"), ["body_force is not a finite number", "correct the expression at"],
                                        code=5, out=f"{method} late", leaves_nothing=False)
                self.assertNotIn("halved", late.err, "no smaller step helps")

    def test_steps_that_do_not_move_the_clock(self):
        """Heat that flows at once."""
        scene = MLS_SQUARE + """\
conductivity = 1e15
heat_capacity = 1e-9
[[body]]
material = "m"
shape = { type = "box", center = [0.5, 0.4], size = [0.4, 0.4] }
temperature = 1e6
"""
        path = self.write("heat.toml", scene)
        self.refuse(5, ["too short to move the clock", "heat", "try: a lower conductivity or a larger heat_capacity"], "run", path, "--out", "out", "-q", leaves_nothing=False)
        report = self.knead("check", path, "--json")
        self.assertEqual(report.code, 0, report.err)
        self.assertGreater(json.loads(report.out)["steps"], 1e15)
        self.assertIn("would never finish; check the units", self.knead("check", path).err)

    def test_points_that_coincide_leave_no_step(self):
        """Neighbourhoods without a size: a step of exactly 0."""
        self.write("points.csv", "x,y\n0.5,0.5\n0.5,0.5\n")
        path = self.write("points.toml", MLS_SQUARE + """\
[[body]]
material = "m"
shape = { type = "box", center = [0.5, 0.4], size = [0.4, 0.4] }
sampling = "file"
points = "points.csv"
""")
        said = ["the largest stable step is 0 s, too short to move the clock", "try: remove points that coincide"]
        self.refuse(5, said, "run", path, "--out", "out", "-q", leaves_nothing=False)
        report = self.knead("check", path, "--json")
        self.assertEqual(report.code, 0, report.err)
        told = json.loads(report.out)
        self.assertEqual((told["dt"], told["steps"], told["seconds"]), (0, None, None))

    def test_liquid_whose_result_is_none_is_warned_of_once(self):
        text = """format = 1
[scene]
dimension = 2
duration = 0.6
fps = 10
domain = { min = [0, 0], max = [2, 2] }
[solver]
method = "liquid"
dx = 0.1
[materials.water]
model = "fluid"
[[body]]
material = "water"
shape = { type = "box", center = [0.25, 0.5], size = [0.5, 1] }
"""
        path = self.write("dam.toml", text)

        def warned(*sets):
            arguments = [word for change in sets for word in ("--set", change)]
            return self.run_well("run", path, "--force", "--out", "out", *arguments).err

        self.assertNotIn("warning", warned("solver.dx=0.05"))
        self.assertEqual(warned("solver.dt=0.1").count("the energy of the liquid rose by"), 1)
        unsolved = warned("solver.liquid.iterations=1", "solver.liquid.tolerance=1e-10")
        self.assertEqual(unsolved.count("pressure solves of the liquid were stopped"), 1)

    def test_motions_that_become_no_numbers(self):
        self.refuse_added(GRIP + 'motion = { translate = ["log(t)", 0] }\n', 4, ["translate", "t = 0"])
        self.refuse_added(GRIP + 'motion = { translate = ["x", 0] }\n', 4, ["unknown name 'x'"])
        late = self.refuse_text(cli.BLOCK + GRIP + 'motion = { translate = ["0.01*sqrt(0.1 - t)", 0] }\n',
                                ["the motion of 'hand' is not a finite number", "correct the expressions of its motion"],
                                code=5, leaves_nothing=False)
        for nonsense in ("place:", "halved", "softer"):
            self.assertNotIn(nonsense, late.err)


if __name__ == "__main__":
    cli.main()
