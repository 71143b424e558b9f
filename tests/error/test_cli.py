"""Mistakes on the command line, and hostile surroundings, get one clear message and the right exit code."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli


class Usage(cli.Case):
    def test_no_arguments_print_the_usage_and_end_with_2(self):
        self.refuse(2, ["no command given", "Usage: knead", "run", "doctor"])

    def test_help_and_version_are_results(self):
        for arguments in (["--help"], ["-h"], ["--version"], ["run", "--help"], ["help", "run"], ["help"], ["help", "scene"]):
            with self.subTest(arguments):
                result = self.run_well(*arguments)
                self.assertTrue(result.out.strip())
                self.assertEqual(result.err, "")
        self.assertRegex(self.run_well("--version").out, r"^knead \d+\.\d+\.\d+\n$")

    def test_every_command_has_help(self):
        for command in "run check list help schema render export mesh stats bench doctor".split():
            with self.subTest(command):
                self.assertIn("Usage: knead " + command, self.run_well(command, "--help").out)

    def test_a_level_that_does_not_exist_is_refused(self):
        self.refuse(2, ["KNEAD_LEVEL", '"sse9"', "plain, avx2, avx512"], "doctor", env={**os.environ, "KNEAD_LEVEL": "sse9"})

    def test_unknown_names_are_answered_with_the_nearest(self):
        self.refuse(2, ["unknown command 'rnu'", "did you mean 'run'"], "rnu")
        self.refuse(2, ["unknown flag '--thrads'", "did you mean '--threads'"], "run", "a.toml", "--thrads", "3")
        self.refuse(2, ["unknown flag '--too'", "did you mean '--to'"], "export", "a", "--too", "vtp")
        self.refuse(2, "unknown flag '--frobnicate'", "--frobnicate")
        said = self.refuse(2, ["scne", "did you mean 'scene'"], "help", "scne")
        self.assertEqual(said.err.count("\n"), 1, said.err)
        self.refuse(2, ["nothing to list called 'shpaes'", "did you mean 'shapes'"], "list", "shpaes")
        self.refuse(2, "no format 'abc' for surfaces; the formats are", "mesh", "a", "--skin", "--format", "abc")
        self.refuse(2, "knead mesh DIR --skin --format usda", "export", "a", "--to", "usd")

    def test_bench_of_an_unknown_method_or_case(self):
        self.refuse(2, ["no benchmark of 'fem'", "mpm, meshless"], "bench", "fem")
        self.refuse(2, ["--set", "scene file"], "bench", "meshless", "--set", "solver.dx=1")
        self.refuse(2, ["--case", "scene file"], "bench", "a.toml", "--case", "jelly3d")
        self.refuse(2, ["no benchmark 'jelly3d'", "composed3d"], "bench", "meshless", "--case", "jelly3d")

    def test_bench_prints_an_object_a_case_whose_stages_sum_to_the_step(self):
        for method, count in (("mpm", 1000), ("meshless", 125), ("fracture", 1000)):
            cases = {"mpm": ["jelly3d"], "meshless": ["composed3d", "embedded3d", "mls3d", "mls3d-implicit"], "fracture": ["pull3d", "pull3d-mesh"]}[method]
            named = [word for case in cases for word in ("--case", case)]
            result = self.run_well("bench", method, *named, "--particles", str(count), "--steps", "3", "--runs", "1",
                                   "--threads", "1", "--json")
            lines = [json.loads(line) for line in result.out.splitlines()]
            self.assertEqual([b["case"] for b in lines], cases)
            for b in lines:
                with self.subTest(b["case"]):
                    self.assertEqual(b["threads"], 1)
                    if b["case"] == "pull3d-mesh":  # cells as they come
                        self.assertIn("mesh stress", b["stages"])
                    else:
                        self.assertEqual(b["particles"], count)
                    self.assertGreater(sum(b["stages"].values()), 0)
                    # Stages are parts of the step.
                    self.assertLessEqual(sum(b["stages"].values()), 1.01 * b["ns_per_particle_step"])

    def test_missing_values_and_arguments(self):
        self.refuse(2, "--threads needs a value", "run", "a.toml", "--threads")
        self.refuse(2, "--out needs a value", "run", "a.toml", "--out")
        self.refuse(2, "needs a scene file", "run")
        self.refuse(2, "needs a scene file", "check")
        self.refuse(2, "needs a run folder", "render")
        self.refuse(2, "--to FORMAT", "export", "a")
        self.refuse(2, ["needs --skin", "--cracks"], "mesh", "a")
        self.refuse(2, "--radius requires --skin", "mesh", "a", "--cracks", "--radius", "1")
        self.refuse(2, "--outside requires --cracks", "render", "a", "--outside", "wood")
        self.refuse(2, "one argument too many", "run", "a.toml", "b.toml")
        self.refuse(2, ["--set", "KEY=VALUE"], "run", "a.toml", "--set", "solver.dx")

    def test_contradictory_flags(self):
        self.refuse(2, ["--resume", "--from", "contradict"], "run", "a.toml", "--resume", "--from", "3")
        self.refuse(2, ["--resume", "--force", "contradict"], "run", "a.toml", "--resume", "--force")
        self.refuse(2, ["--skin", "--cracks"], "mesh", "a", "--skin", "--cracks")
        self.refuse(2, ["--quiet", "--verbose", "contradict"], "run", "a.toml", "-q", "-v")
        self.refuse(2, "--threads was given more than once", "run", "a.toml", "--threads", "1", "--threads", "2")
        self.refuse(2, "--out was given more than once", "run", "a.toml", "--out", "a", "--out", "b")

    def test_numbers_out_of_range(self):
        for text in ("0", "-3", "1e3", "abc", "99999999999", "1025", "2.5", "", " ", "0x10g", "4 5"):
            with self.subTest(text):
                self.refuse(2, ["--threads", "1 to 1024"], "run", "a.toml", "--threads", text)
        for text in ("0", "-1", "many"):
            with self.subTest(text):
                self.refuse(2, "--frames", "run", "a.toml", "--frames", text)
        for text in ("3:1", "x", "1:2:3", "-1", ":x", "99999999999"):
            with self.subTest(text):
                self.refuse(2, "--frames", "render", "a", "--frames", text)

    def test_huge_arguments(self):
        longest = "x" * (128 * 1024 - 1)  # what Linux lets through in one argument
        result = self.refuse(2, "unknown command", longest)
        self.assertLess(len(result.err), 1000)
        self.refuse(2, "unknown flag", "run", "--" + longest[2:])
        self.refuse(2, "too many", "run", *["a.toml"] * 10000)
        self.refuse(2, "did you mean '--threads'", "run", *["--thrads"] * 10000)


class Paths(cli.Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write("block.toml", cli.BLOCK)

    def run_into(self, out, code, needles):
        return self.refuse(code, needles, "run", self.scene, "--frames", "1", "--out", out)

    def test_scene_that_is_not_there(self):
        self.refuse(3, "nothing.toml", "run", "nothing.toml")
        self.refuse(3, "nothing.toml", "check", "nothing.toml")

    def test_out_that_cannot_be_a_folder(self):
        self.run_into("", 2, "--out")
        self.write("file", "text")
        self.run_into("file", 4, "it is a file, not a folder")
        self.run_into("file/below", 4, "file")
        self.run_into("/proc/knead", 4, "/proc/knead")
        self.run_into("x" * 10000, 4, "name too long")
        self.assertEqual((self.dir / "file").read_text(), "text")

    def test_out_without_permission(self):
        (self.dir / "locked").mkdir(mode=0o500)
        self.dir.chmod(0o755)
        # Root may write everywhere, so it becomes somebody else for this one.
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        self.refuse(4, ["locked", "permission"], "run", self.scene, "--frames", "1", "--out", "locked/run", **other)

    def test_run_folders_that_are_none(self):
        for command in (["render"], ["export", "--to", "vtp"], ["mesh", "--cracks"], ["stats"]):
            for folder in ("nothing", self.dir):
                with self.subTest(command=command, folder=folder):
                    self.refuse(3, [str(folder), "is not a run folder"], command[0], folder, *command[1:])
        self.assertEqual(cli.files_of(self.dir), ["block.toml"])

    def test_what_is_no_run_folder_names_those_there_are(self):
        self.run_well("run", self.scene, "--frames", "1", "-q")
        for command in ("mesh", "render"):
            self.refuse(3, ["rest_mesh.h5", "only runs with mesh bodies", 'cells = "delaunay"'], command, "runs/block", "--cracks")
        self.refuse(3, ["blok is not a run folder", "with the name of its scene", "there are runs/block"], "stats", "blok")
        self.refuse(3, ["no column 'nope'", "they have frame, time"], "stats", "runs/block", "--columns", "nope")
        self.refuse(3, ["no column 'kinetik'", "did you mean 'kinetic'"], "stats", "runs/block", "--columns", "kinetik")
        for file in (self.dir / "runs/block/checkpoints").iterdir():
            file.write_bytes(b"damaged")
        self.refuse(3, ["none of the checkpoints", "without --resume"], "run", self.scene, "--resume")

    def test_a_folder_takes_one_run_at_a_time(self):
        first = cli.start("run", self.scene, "--out", "out", "--set", "solver.dx=0.005", "-q", cwd=self.dir)
        try:
            while not (self.dir / "out/frames/frame.0002.h5").exists() and first.poll() is None:
                time.sleep(0.01)
            self.assertIsNone(first.poll())
            self.refuse(3, [f"process {first.pid}", "another --out"], "run", self.scene, "--out", "out", "--force",
                        leaves_nothing=False)
            self.assertIsNone(first.poll())
        finally:
            first.kill()
            first.communicate()
        # What a killed run leaves holds nobody up, and a run that ends leaves no lock.
        self.run_well("run", self.scene, "--out", "out", "--frames", "1", "--force", "-q")
        self.assertFalse((self.dir / "out/.lock").exists())

    def test_materials_by_name(self):
        path = self.write("path.csv", "F11, F22\n1.1, 1\n")
        self.refuse(3, ["no material 'sno'", "did you mean 'snow'", "presets: ", "rubber"], "material", "sno", "--path", path)
        said = self.refuse(3, ["--set yung=1", "did you mean 'young'", "knead help snow"], "material", "snow", "--path",
                           path, "--set", "yung=1").err
        self.assertNotIn("materials.m", said)
        self.assertIn("plane strain (2D)", self.run_well("material", "snow", "--path", path).err)
        solid = self.write("solid.csv", "F11, F33\n1.1, 1\n")
        self.assertEqual(self.run_well("material", "snow", "--path", solid).err, "")

    def test_unknown_export_format_names_the_nearest(self):
        self.refuse(2, ["vpt", "vtp"], "export", self.dir, "--to", "vpt")
        self.refuse(2, ["vpt", "vtp"], "mesh", self.dir, "--cracks", "--format", "vpt")

    def test_resume_without_checkpoint_says_where_it_looked(self):
        self.refuse(3, ["checkpoint", "elsewhere"], "run", self.scene, "--resume", "--out", "elsewhere")

    def test_from_takes_exactly_the_checkpoint_asked_for(self):
        self.run_well("run", self.scene, "--frames", "4", "--out", "out", "--set", "output.keep_checkpoints=3")
        for frame in ("2", "9"):
            self.refuse(3, [f"no checkpoint of frame {frame}", "3, 4, 5"], "run", self.scene, "--out", "out", "--from", frame)
        expected = cli.results_of(self.dir / "out")
        self.run_well("run", self.scene, "--frames", "3", "--out", "out", "--from", "3")
        self.assertEqual(len(list((self.dir / "out/frames").iterdir())), 4)
        self.run_well("run", self.scene, "--frames", "4", "--out", "out", "--resume")
        self.assertEqual(cli.results_of(self.dir / "out"), expected)

    def test_unusable_checkpoints_are_named_with_the_reason(self):
        self.run_well("run", self.scene, "--frames", "2", "--out", "out")
        for checkpoint in (self.dir / "out/checkpoints").iterdir():
            checkpoint.write_bytes(checkpoint.read_bytes()[:3000])
        self.refuse(3, ["checkpoint.0002.h5", "checkpoint.0003.h5", "is truncated"], "run", self.scene, "--out", "out", "--resume")

    def test_a_checkpoint_that_does_not_fit_the_scene_is_refused_even_when_forced(self):
        two = self.write("two.toml", cli.BLOCK + """
[materials.jelly]
model = "fixed-corotated"
young = 1e5

[[body]]
material = "jelly"
shape = { type = "box", center = [0.5, 0.7], size = [0.2, 0.2] }
""")
        self.run_well("run", two, "--frames", "1", "--out", "out")
        forced = ("--out", "out", "--resume", "--force-scene")
        self.refuse(3, ["checkpoint.0002.h5", "does not fit", "the scene has 1"], "run", self.scene, *forced)
        self.refuse(3, ["does not fit", "precision"], "run", two, "--set", "solver.precision=double", *forced)

    def test_a_longer_run_is_kept(self):
        self.run_well("run", self.scene, "--frames", "4", "--out", "out")
        self.refuse(3, ["lose frames 3 to 5", "--force", "--resume"], "run", self.scene, "--frames", "1", "--out", "out")
        self.run_well("run", self.scene, "--frames", "4", "--out", "out")
        self.run_well("run", self.scene, "--frames", "1", "--out", "out", "--force")

    def test_a_folder_in_which_nothing_was_written_yet_can_be_used(self):
        for part in ("frames", "checkpoints"):
            (self.dir / "out" / part).mkdir(parents=True)
        self.run_well("run", self.scene, "--frames", "1", "--out", "out")

    def test_folder_of_another_scene_is_kept(self):
        self.run_well("run", self.scene, "--frames", "1", "--out", "out")
        kept = cli.results_of(self.dir / "out")
        other = self.write("other.toml", cli.BLOCK.replace('"block"\ndim', '"other"\ndim').replace("0.02", "0.025"))
        self.refuse(3, ["out", "--force"], "run", other, "--frames", "1", "--out", "out")
        self.assertEqual(cli.results_of(self.dir / "out"), kept)
        self.run_well("run", other, "--frames", "1", "--out", "out", "--force")
        self.assertNotEqual(cli.results_of(self.dir / "out"), kept)

    def test_out_folders_with_odd_names_work(self):
        for name in ("with space", "ünï cödé", "quo'te\"", "-dash"):
            with self.subTest(name):
                self.run_well("run", self.scene, "--frames", "1", f"--out={name}")
                self.assertEqual(len(list((self.dir / name / "frames").iterdir())), 2)


class Surroundings(cli.Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write("block.toml", cli.BLOCK)

    def test_stdout_that_cannot_be_written(self):
        for command in (["--help"], ["list"], ["schema"], ["check", self.scene],
                        ["run", self.scene, "--frames", "1", "--out", self.dir / "json", "--json", "--quiet"]):
            with self.subTest(command), open("/dev/full", "w") as full:
                done = subprocess.run([cli.KNEAD, *map(str, command)], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn("stdout", done.stderr)

    def test_a_run_goes_on_when_nobody_listens(self):
        plain = self.dir / "plain"
        self.run_well("run", self.scene, "--frames", "2", "--out", plain)
        for name, redirection in (("full", ">/dev/full 2>/dev/full"), ("closed", "<&- >&- 2>&-"),
                                  ("pipe", "--json -v 2>&1 | true")):
            with self.subTest(name):
                script = f'"$KNEAD" run block.toml --frames 2 --out {name} {redirection}; exit ${{PIPESTATUS[0]}}'
                done = subprocess.run(["bash", "-c", script], cwd=self.dir, env={**os.environ, "KNEAD": cli.KNEAD},
                                      timeout=60, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(cli.results_of(self.dir / name), cli.results_of(plain))

    def test_odd_environments_change_nothing(self):
        self.run_well("run", self.scene, "--frames", "1", "--out", "plain")
        odd = [{"PATH": os.environ["PATH"]},
               {**os.environ, "HOME": "/nowhere", "TMPDIR": "/nowhere"},
               {**os.environ, **{f"LONG{i}": "x" * 100_000 for i in range(10)}},
               {**os.environ, "OMP_NUM_THREADS": "-5"},
               {**os.environ, "OMP_NUM_THREADS": "1000000000"},
               {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "nonsense"}]
        for number, env in enumerate(odd):
            with self.subTest(number):
                self.run_well("run", self.scene, "--frames", "1", "--out", str(number), env=env)
                self.assertEqual(cli.results_of(self.dir / str(number)), cli.results_of(self.dir / "plain"))

    def test_without_a_terminal_there_are_no_colours(self):
        result = self.run_well("run", self.scene, "--frames", "1")
        for text in (result.out, result.err, self.run_well("list").out):
            self.assertNotIn("\033", text)

    def test_quiet_runs_say_nothing(self):
        result = self.run_well("run", self.scene, "--frames", "1", "-q", *self.UNSTABLE)
        self.assertEqual(result.err, "")

    UNSTABLE = ("--set", "solver.dt=6e-4")

    def test_run_and_check_warn_of_the_same(self):
        for command in (["check"], ["run", "--frames", "1"]):
            with self.subTest(command):
                result = self.run_well(command[0], self.scene, *command[1:], *self.UNSTABLE)
                self.assertIn("above the stability limit", result.err)
        for command in (["check"], ["run", "--frames", "1", "--out", "strict"]):
            with self.subTest(command):
                self.refuse(3, ["above the stability limit", "--strict"], command[0], self.scene, *command[1:], *self.UNSTABLE, "--strict")

    def test_a_stable_step_of_a_method_without_a_grid_is_not_warned_of(self):
        scene = Path(__file__).resolve().parents[2] / "scenes/meshless/hyperelastic_boxes.toml"
        self.assertNotIn("stability limit", self.run_well("check", str(scene), "--set", "solver.dt=1e-4").err)
        self.assertIn("above the stability limit", self.run_well("check", str(scene), "--set", "solver.dt=0.02").err)

    def test_verbose_runs_tell_of_every_step(self):
        result = self.run_well("run", self.scene, "--frames", "1", "-v")
        steps = [line for line in result.err.splitlines() if line.startswith("step ")]
        self.assertIn(f"{len(steps)} steps", result.err)
        for word in ("t ", "dt ", "retries"):
            self.assertIn(word, steps[0])

    def test_a_run_that_cannot_write_is_marked_as_failed_and_says_how_to_go_on(self):
        process = cli.start("run", self.scene, "--out", "out", "--set", "scene.duration=50", cwd=self.dir)
        frames = self.dir / "out/frames"
        while len(list(frames.glob("*.h5"))) < 3 and process.poll() is None:
            time.sleep(0.01)
        frames.rename(self.dir / "elsewhere")
        frames.write_text("in the way")
        err = process.communicate(timeout=60)[1]
        self.assertEqual(process.returncode, 4, err)
        self.assertIn("--resume", err)
        self.assertEqual(json.loads((self.dir / "out/run.json").read_text())["status"], "failed")


if __name__ == "__main__":
    cli.main()
