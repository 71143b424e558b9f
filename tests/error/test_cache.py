"""Damaged and foreign files in a run folder: named, passed over where that is safe, and never believed."""

import csv
import shutil
import struct
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import frames
import knead_cli as cli


class Cache(cli.Case):
    """Each test gets a copy of one run that ended half way, and the results of the whole run."""

    @classmethod
    def setUpClass(cls):
        cls.shared = Path(tempfile.mkdtemp(prefix="knead-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        (cls.shared / "block.toml").write_text(cli.BLOCK)
        for out, frames in (("whole", 8), ("half", 4)):
            done = cli.knead("run", "block.toml", "--frames", frames, "--out", out, "-q", cwd=cls.shared)
            assert done.code == 0, done.err
        cls.expected = cli.results_of(cls.shared / "whole")

    def setUp(self):
        super().setUp()
        self.folder = self.dir / "run"
        shutil.copytree(self.shared / "half", self.folder)
        self.scene = self.write("block.toml", cli.BLOCK)

    def checkpoints(self):
        return sorted((self.folder / "checkpoints").glob("checkpoint.*.h5"))

    def resume(self, *more):
        return self.knead("run", self.scene, "--out", self.folder, "--resume", "--frames", "8", *more)

    def resumes_to_the_same_bits(self, *needles):
        result = self.resume()
        self.assertEqual(result.code, 0, result.err)
        for needle in needles:
            self.assertIn(needle, result.err)
        self.assertEqual(cli.results_of(self.folder), self.expected)

    def test_undamaged(self):
        self.resumes_to_the_same_bits()

    def test_damaged_last_checkpoint_is_passed_over(self):
        size = self.checkpoints()[-1].stat().st_size
        for number, damage in enumerate((b"", b"\0" * 4096, None)):
            with self.subTest(number):
                shutil.rmtree(self.folder)
                shutil.copytree(self.shared / "half", self.folder)
                last = self.checkpoints()[-1]
                content = last.read_bytes()
                last.write_bytes(content[: size // 2] if damage is None else damage)
                self.resumes_to_the_same_bits(last.name)

    def test_flipped_bit_in_a_checkpoint_is_noticed(self):
        last = self.checkpoints()[-1]
        content = bytearray(last.read_bytes())
        content[len(content) * 3 // 4] ^= 1
        last.write_bytes(content)
        self.resumes_to_the_same_bits(last.name)

    def test_without_a_good_checkpoint_nothing_is_touched(self):
        for checkpoint in self.checkpoints():
            checkpoint.write_bytes(b"nonsense")
        before = cli.results_of(self.folder)
        self.refuse(3, ["checkpoint", str(self.folder)], "run", self.scene, "--out", self.folder, "--resume", leaves_nothing=False)
        self.assertEqual(cli.results_of(self.folder), before)

    def test_checkpoint_of_another_scene_lists_the_differences(self):
        self.scene.write_text(cli.BLOCK.replace("velocity = [0.5, -2]", "velocity = [0.5, -3]"))
        before = cli.results_of(self.folder)
        self.refuse(3, ["--force-scene", "velocity"], "run", self.scene, "--out", self.folder, "--resume", leaves_nothing=False)
        self.assertEqual(cli.results_of(self.folder), before)
        result = self.resume("--force-scene")
        self.assertEqual(result.code, 0, result.err)

    def test_frames_after_the_checkpoint_are_written_anew(self):
        frames = self.folder / "frames"
        shutil.copy(frames / "frame.0002.h5", frames / "frame.0007.h5")
        shutil.copy(frames / "frame.0002.h5", frames / "frame.0099.h5")
        self.resumes_to_the_same_bits()

    def test_unfinished_line_of_the_statistics_is_dropped(self):
        with open(self.folder / "stats.csv", "a") as stats:
            stats.write("6,0.2,1,")
        self.resumes_to_the_same_bits()

    def test_damaged_frames_are_named(self):
        damaged = self.folder / "frames/frame.0003.h5"
        damaged.write_bytes(damaged.read_bytes()[:1000])
        self.refuse(3, "frame.0003.h5", "render", self.folder, "--frames", "3", "-o", "x.png")
        (self.folder / "frames/frame.0004.h5").write_bytes(b"")
        result = self.knead("export", self.folder, "--to", "csv")
        self.assertEqual(result.code, 3, result.err)  # the others are there, but not all that was asked for
        self.assertIn("frame.0003.h5", result.err)
        self.assertIn("frame.0004.h5", result.err)
        self.assertEqual(len(list((self.folder / "csv").glob("*.csv"))), 3)

    def test_frames_that_no_matter_can_have_are_refused_by_all_that_read_them(self):
        self.run_well("export", self.folder, "--to", "csv", "--frames", "3", "-o", "good", "-q")
        with open(next((self.dir / "good").glob("*.csv"))) as file:
            rows = list(csv.DictReader(file))
        ids = struct.pack(f"<{len(rows)}i", *range(len(rows)))
        frame = self.folder / "frames/frame.0003.h5"
        whole = frame.read_bytes()
        x, mass = float(rows[5]["x"]), float(rows[0]["mass"])
        place = struct.pack("<2f", x, float(rows[5]["y"]))
        masses = struct.pack("<f", mass) * len(rows)
        strain = struct.pack("<4f", *(float(rows[5][f"F_{i}{j}"]) for i in "xy" for j in "xy"))
        forged = {"'x' of particle 5 is not a finite number": (place, struct.pack("<2f", float("nan"), 0)),
                  "'id' has a repeated or negative number": (ids, ids[:8] + ids[4:8] + ids[12:]),
                  "'mass' of particle 0 is negative": (masses, struct.pack("<f", -1) + masses[4:]),
                  "'F' of particle 5 is not a finite number": (strain, struct.pack("<f", float("nan")) + strain[4:])}
        for said, (old, new) in forged.items():
            frame.write_bytes(whole)
            frames.replace(frame, old, new)
            for command in (["render", "--frames", "3", "-o", "x.png"], ["render", "--skin", "--frames", "3", "-o", "x.png"],
                            ["render", "-o", "film.%04d.png", "-q"], ["export", "--to", "vtp", "-o", "out"],
                            ["mesh", "--skin", "-o", "out"], ["mesh", "--skin", "--add", "speed", "-o", "out", "-q"]):
                with self.subTest(said=said, command=command):
                    result = self.knead(command[0], self.folder, *command[1:])
                    self.assertEqual(result.code, 3, result.err)
                    self.assertIn("frame.0003.h5", result.err)
                    self.assertIn(said, result.err)
                    self.assertFalse((self.dir / "x.png").exists())

    def test_matter_of_no_body_of_the_scene_is_refused(self):
        frame = self.folder / "frames/frame.0003.h5"
        whole = frame.read_bytes()
        for body in (99, -1, 1):
            def forge(file):
                file["particles/body"][7] = body

            frame.write_bytes(whole)
            frames.change(frame, forge)
            for command in (["render", "--frames", "3", "-o", "x.png"], ["export", "--to", "csv", "-o", "out"], ["mesh", "--skin", "-o", "out"]):
                with self.subTest(body=body, command=command):
                    result = self.knead(command[0], self.folder, *command[1:])
                    self.assertEqual(result.code, 3, result.err)
                    self.assertIn(f"frame.0003.h5' is damaged: particle 7 is of body {body}", result.err)

    def test_frames_that_are_read_without_end_end_the_command(self):
        frames.make_endless(self.folder / "frames/frame.0003.h5")
        commands = (["render", self.folder, "--frames", "3", "-o", "x.png"], ["export", self.folder, "--to", "csv", "-o", "out"], ["mesh", self.folder, "--skin", "-o", "skin"])
        for process in [cli.start(*command, cwd=self.dir) for command in commands]:
            _, err = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 3, err)
            self.assertIn("frame.0003.h5' is damaged: reading it does not end", err)

    def test_a_frame_that_is_gone_is_told_by_all_that_leave_it_out(self):
        (self.folder / "frames/frame.0003.h5").unlink()
        for command in (["render", "-o", "film.%04d.png"], ["render", "-o", "film.%04d.png", "-q"], ["export", "--to", "csv", "-o", "out"],
                        ["export", "--to", "csv", "-o", "out", "--frames", "2:4"], ["mesh", "--skin", "-o", "out"], ["mesh", "--skin", "-o", "out", "-q"]):
            with self.subTest(command=command):
                result = self.knead(command[0], self.folder, *command[1:])
                self.assertEqual(result.code, 3, result.err)
                self.assertIn("1 frame is missing", result.err)
                self.assertIn("left out: 3", result.err)
        for command in (["render", "-o", "x.png"], ["render", "-o", "film.%04d.png", "--frames", "1:2"], ["export", "--to", "csv", "-o", "out", "--frames", "4:"],
                        ["mesh", "--skin", "-o", "out", "--frames", ":2"]):
            self.assertNotIn("missing", self.run_well(command[0], self.folder, *command[1:]).err)

    def test_damaged_statistics_are_told(self):
        stats = self.folder / "stats.csv"
        whole = stats.read_text()
        for damage, said in ((b"", "stats.csv"), (whole.encode()[:20], "stats.csv"), (b"\0" * 500, "stats.csv"),
                             (whole.encode() + b"6,nonsense\n", "stats.csv"), (b"\xff\x1b[31m\n1,2\n", "stats.csv")):
            stats.write_bytes(damage)
            with self.subTest(damage[-40:]):
                self.refuse(3, said, "stats", self.folder, leaves_nothing=False)

    def test_what_has_happened_to_earlier_files_is_told(self):
        self.assertNotIn("warning", self.resume().err)
        frames, stats = self.folder / "frames", self.folder / "stats.csv"
        (frames / "frame.0002.h5").unlink()
        content = bytearray((frames / "frame.0003.h5").read_bytes())
        content[len(content) // 2] ^= 1
        (frames / "frame.0003.h5").write_bytes(content)
        rows = stats.read_text().splitlines(keepends=True)
        stats.write_text("".join(rows[:2] + rows[3:]))
        result = self.resume()
        self.assertEqual(result.code, 0, result.err)
        for needle in ("1 frame up to frame 9 is missing: 2", "frame.0003.h5' is damaged", "stats.csv' is not as the run left it", "without --resume"):
            self.assertIn(needle, result.err)
        self.assertEqual(self.resume("--strict").code, 3)

    def test_a_changed_number_in_the_statistics_is_told(self):
        stats = self.folder / "stats.csv"
        rows = stats.read_text().splitlines(keepends=True)
        cells = rows[2].split(",")
        cells[1] = "0.123"
        stats.write_text("".join([*rows[:2], ",".join(cells), *rows[3:]]))
        self.assertIn("stats.csv' is not as the run left it up to frame 5", self.resume().err)
        stats.unlink()
        self.assertIn("stats.csv' is not as the run left it", self.resume().err)

    def test_checkpoints_with_a_clock_of_no_run_are_refused(self):
        last = self.checkpoints()[-1]
        whole, before = last.read_bytes(), cli.results_of(self.folder)
        for name, value, said in (("time", -1.0, "its time, -1 s, is not between"), ("time", 0.01, "its time, 0.01 s,"), ("time", 1e9, "its time, 1e+09 s,"),
                                  ("time", 5 / 24, "is not between frame 5 (0.166667 s) and frame 6 (0.208333 s)"), ("frame", -5, "it is of frame -5, the run has frames 1 to 13"),
                                  ("frame", 10**15, "it is of frame 1000000000000000"), ("frame", 4, "not of the one in its name"),
                                  ("step", -1, "-1 steps"), ("events", -1, "-1 events")):
            with self.subTest(name=name, value=value):
                last.write_bytes(whole)
                frames.change(last, lambda file: file.attrs.modify(name, value))
                self.refuse(3, [last.name, "is damaged", said], "run", self.scene, "--out", self.folder, "--resume", leaves_nothing=False)
                self.assertEqual(cli.results_of(self.folder), before)

    def test_a_checkpoint_of_another_frame_rate_does_not_fit_the_scene(self):
        for change in ("fps = 30", "start_frame = 6"):
            self.scene.write_text(cli.BLOCK.replace("duration = 0.5", "duration = 0.5\n" + change))
            said = ["checkpoint.0005.h5' does not fit the scene", "scene.fps or scene.start_frame has changed; frame 5 was at 0.166667 s"]
            result = self.refuse(3, said, "run", self.scene, "--out", self.folder, "--resume", "--force-scene", leaves_nothing=False)
            self.assertNotIn("damaged", result.err)

    def test_a_checkpoint_some_steps_past_its_frame_is_taken(self):
        frames.change(self.checkpoints()[-1], lambda file: file.attrs.modify("time", 4.5 / 24))
        self.assertEqual(self.resume().code, 0)

    def test_a_run_longer_than_its_scene_resumes(self):
        self.run_well("run", self.scene, "--out", self.folder, "--resume", "--frames", "14", "-q")
        for _ in range(2):
            self.assertIn("frame 15 is the last", self.run_well("run", self.scene, "--out", self.folder, "--resume").err)

    def test_matter_without_mass_is_refused(self):
        last = self.checkpoints()[-1]
        for column in ("mass", "volume"):
            frames.change(last, lambda file: file[f"particles/{column}"].write_direct(0 * file[f"particles/{column}"][:]))
            self.refuse(3, [last.name, "of particle", "is 0"], "run", self.scene, "--out", self.folder, "--from", "5", leaves_nothing=False)

    def test_frames_under_names_of_others_are_told(self):
        shutil.copy(self.folder / "frames/frame.0002.h5", self.folder / "frames/frame.0003.h5")
        result = self.resume()
        self.assertEqual(result.code, 0, result.err)
        self.assertIn("frame.0003.h5' holds frame 2 at t = 0.0416667 s, not frame 3 at 0.0833333 s", result.err)

    def test_frames_changed_and_sealed_again_are_told(self):
        frames.change(self.folder / "frames/frame.0003.h5", lambda file: file["particles/v"].write_direct(2 * file["particles/v"][:]))
        told = f"the frames in '{self.folder / 'frames'}' up to frame 5 are not as the run left them"
        self.assertIn(told, self.knead("run", self.scene, "--out", self.folder, "--resume", "--strict").err)
        self.assertIn(told, self.resume().err)

    def test_checkpoints_of_older_programs_have_no_sums(self):
        def forget(file):
            del file.attrs["frames_sum"], file.attrs["stats_sum"]

        frames.change(self.checkpoints()[-1], forget)
        result = self.resume()
        self.assertEqual(result.code, 0, result.err)
        self.assertNotIn("warning", result.err)
        self.assertEqual(cli.results_of(self.folder), self.expected)

    def test_thousands_of_stray_files_do_not_disturb_a_resume(self):
        for folder in ("frames", "checkpoints"):
            for i in range(5000):
                (self.folder / folder / f"stray.{i}").touch()
        self.resumes_to_the_same_bits()

    def test_folder_taken_away_during_the_run_ends_it(self):
        self.scene.write_text(cli.BLOCK.replace("duration = 0.5", "duration = 20"))
        process = cli.start("run", self.scene, "--out", "out", cwd=self.dir)
        end = time.monotonic() + 60
        while len(list((self.dir / "out/frames").glob("*.h5"))) < 3 and time.monotonic() < end:
            time.sleep(0.005)
        (self.dir / "out").rename(self.dir / "moved")
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, err)
        self.assertRegex(err, r"\bout\b")

    def test_out_folder_replaced_by_a_link_is_refused(self):
        (self.folder / "frames").rename(self.dir / "elsewhere")
        (self.folder / "frames").symlink_to(self.dir / "elsewhere")
        result = self.resume()
        self.assertEqual(result.code, 4, result.err)
        self.assertIn("frames", result.err)


class Forged(cli.Case):
    """Runs of one kind of method each, in whose files one number is changed under a good seal."""

    SCENES = {"mesh": ("mpm/fracture/stretch_mesh.toml", "solver.dx=0.1", "body.cube.edge=0.3"),
              "embedded": ("meshless/cubes_on_bar.toml", "solver.dx=0.25"),
              "liquid": ("liquid/streams.toml", "solver.dx=0.16")}
    # No state, but checksums of earlier files, whose change a run only tells.
    SUMS = ("frames_sum", "stats_sum")

    @classmethod
    def setUpClass(cls):
        cls.shared = Path(tempfile.mkdtemp(prefix="knead-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        for name in cls.SCENES:
            done = cli.knead("run", *cls.scene_of(name), "--frames", 2, "--out", name, "-q", cwd=cls.shared)
            assert done.code == 0, done.err

    @classmethod
    def scene_of(cls, name):
        scene, *sets = cls.SCENES[name]
        return [cli.SOURCE / "scenes" / scene, *(word for s in sets for word in ("--set", s))]

    def copy(self, name):
        shutil.rmtree(self.dir / name, ignore_errors=True)
        return shutil.copytree(self.shared / name, self.dir / name)

    @staticmethod
    def numbers_in(file):
        """The names of all numbers: attributes, and datasets with the places of which one is to be changed."""
        found = []

        def look(path, thing):
            found.extend((path, key, None) for key, value in thing.attrs.items() if not isinstance(value, str))
            if isinstance(thing, h5py.Dataset):
                places = range(thing.size) if path.endswith("batches") else [thing.size // 2]
                found.extend((path, None, place) for place in places)

        look("/", file["/"])
        file.visititems(look)
        return found

    @staticmethod
    def change(file, number, value):
        """Whether it was another before."""
        path, key, place = number
        numbers = np.array(file[path].attrs[key] if key else file[path][()])
        before = numbers.copy()
        numbers.ravel()[0 if key else place] = np.array(value).astype(numbers.dtype)
        if key:
            file[path].attrs.modify(key, numbers[()])
        else:
            file[path][...] = numbers
        return not np.array_equal(before, numbers)

    def forgeries(self, checkpoint):
        """Writes checkpoints in which one number is none that this run can have had, and tells which."""
        whole = checkpoint.read_bytes()
        with h5py.File(checkpoint) as file:
            numbers = [(n, np.array(file[n[0]].attrs[n[1]] if n[1] else file[n[0]]).dtype.kind == "f") for n in self.numbers_in(file)]
        for number, real in numbers:
            for value in (np.inf, np.nan) if real else (-1, 2**30):
                checkpoint.write_bytes(whole)
                changed = []
                frames.change(checkpoint, lambda file: changed.append(self.change(file, number, value)))
                if changed[0]:
                    yield number, value

    def refuses_all_forgeries(self, name):
        folder = self.copy(name)
        count = 0
        for number, value in self.forgeries(folder / "checkpoints/checkpoint.0002.h5"):
            count += 1
            with self.subTest(number=number, value=value):
                result = self.knead("run", *self.scene_of(name), "--out", folder, "--from", 2, "--frames", 2)
                if number[1] in self.SUMS:
                    self.assertEqual(result.code, 0, result.err)
                    self.assertRegex(result.err, "not as the run left (it|them)")
                    self.copy(name)
                else:
                    self.assertEqual(result.code, 3, result.err)
                    self.assertIn(str(folder), result.err)
        self.assertGreater(count, 100)

    def test_meshes_believe_no_number_that_cannot_be(self):
        self.refuses_all_forgeries("mesh")

    def test_bonds_believe_no_number_that_cannot_be(self):
        self.refuses_all_forgeries("embedded")

    def test_liquids_believe_no_number_that_cannot_be(self):
        self.refuses_all_forgeries("liquid")

    def test_more_steps_than_the_frame_had_are_refused(self):
        folder = self.copy("mesh")
        frames.change(folder / "checkpoints/checkpoint.0003.h5", lambda file: file.attrs.modify("step", 2**40))
        self.refuse(3, ["checkpoint.0003.h5", "1099511627776 steps"], "run", *self.scene_of("mesh"), "--out", folder, "--resume", leaves_nothing=False)

    def test_stretches_that_no_edge_has_are_refused_by_all_that_read_them(self):
        folder = self.copy("mesh")
        frame = folder / "frames/frame.0002.h5"
        whole = frame.read_bytes()
        commands = (["export", "--to", "csv", "-o", "out"], ["render", "--frames", "2", "-o", "x.png"], ["render", "--cracks", "--frames", "2", "-o", "x.png"],
                    ["render", "--cracks", "-o", "film.%04d.png", "-q"], ["mesh", "--cracks", "-o", "out"])
        for value in (np.nan, np.inf, -1):
            frame.write_bytes(whole)
            frames.change(frame, lambda file: self.change(file, ("edges/0/stretch", None, 5), value))
            for command in commands:
                with self.subTest(value=value, command=command):
                    result = self.knead(command[0], folder, *command[1:])
                    self.assertEqual(result.code, 3, result.err)
                    self.assertIn("frame.0002.h5' is damaged: the stretch of edge 5 of mesh 0 is", result.err)
                    self.assertFalse((self.dir / "x.png").exists())

    def test_frames_of_other_meshes_have_no_cracks(self):
        def fewer(file):
            stretch = file["edges/0/stretch"][:-3]
            del file["edges/0/stretch"]
            file["edges/0/stretch"] = stretch

        def another(file):
            file["particles/id"][7] = 2**30

        for edit, said in ((fewer, "has the stretch of 628 edges of the body 'cube', which has 631"), (another, "lacks particle 7 of the body 'cube'")):
            folder = self.copy("mesh")
            frames.change(folder / "frames/frame.0002.h5", edit)
            for command in (["render", "--cracks", "--frames", "2", "-o", "x.png"], ["render", "--cracks", "-o", "film.%04d.png", "-q"], ["mesh", "--cracks", "-o", "out"]):
                with self.subTest(said=said, command=command):
                    result = self.knead(command[0], folder, *command[1:])
                    self.assertEqual(result.code, 3, result.err)
                    self.assertIn("frame 2 " + said, result.err)


if __name__ == "__main__":
    cli.main()
