"""Ctrl-C and SIGTERM stop a run after its step with a checkpoint, print how to go on, and cost no bit of the result."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

LONG = cli.BLOCK.replace("duration = 0.5", "duration = 0.75")


class Signals(cli.Case):
    def setUp(self):
        super().setUp()
        self.scene = self.write("block.toml", LONG)
        self.run_well("run", self.scene, "--out", "whole", "-q")
        self.expected = cli.results_of(self.dir / "whole")

    def stop_with(self, number, out, frames=3):
        """Runs until a few frames are there, sends the signal; returns the exit code and what was said."""
        process = cli.start("run", self.scene, "--out", out, "--threads", "1", "--judge", cwd=self.dir)
        folder = self.dir / out / "frames"
        end = time.monotonic() + 60
        while len(list(folder.glob("*.h5"))) < frames:
            self.assertLess(time.monotonic(), end, "no frame appears")
            self.assertIsNone(process.poll(), "the run ended too early")
            time.sleep(0.002)
        process.send_signal(number)
        said, err = process.communicate(timeout=60)
        return process.returncode, said + err

    def resume_as_told(self, said, out):
        lines = [line for line in said.splitlines() if "--resume" in line]
        self.assertTrue(lines, said)
        for flag in ("--threads 1", "--judge"):
            self.assertIn(flag, lines[-1])
        words = shlex.split(lines[-1][lines[-1].index("knead run"):])
        done = subprocess.run([cli.KNEAD, *words[1:]], cwd=self.dir, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(cli.results_of(self.dir / out), self.expected)

    def test_interrupt_ends_with_130_and_resumes_to_the_same_bits(self):
        code, said = self.stop_with(signal.SIGINT, "interrupted run")  # a name that the printed command must quote
        self.assertEqual(code, 130, said)
        self.assertLess(len(cli.results_of(self.dir / "interrupted run")), len(self.expected))
        self.resume_as_told(said, "interrupted run")

    def test_terminate_ends_with_143_and_resumes_to_the_same_bits(self):
        code, said = self.stop_with(signal.SIGTERM, "terminated")
        self.assertEqual(code, 143, said)
        self.resume_as_told(said, "terminated")

    def test_from_an_earlier_frame_gives_the_same_bits(self):
        code, said = self.stop_with(signal.SIGINT, "again", frames=6)
        self.assertEqual(code, 130, said)
        numbers = sorted(int(p.name.split(".")[1]) for p in (self.dir / "again/checkpoints").glob("*.h5"))
        self.run_well("run", self.scene, "--out", "again", "--from", numbers[0], "-q")
        self.assertEqual(cli.results_of(self.dir / "again"), self.expected)

    def test_a_finished_run_resumed_changes_nothing(self):
        times = {p: p.stat().st_mtime_ns for p in (self.dir / "whole/frames").iterdir()}
        self.run_well("run", self.scene, "--out", "whole", "--resume", "-q")
        self.assertEqual(cli.results_of(self.dir / "whole"), self.expected)
        self.assertEqual({p: p.stat().st_mtime_ns for p in (self.dir / "whole/frames").iterdir()}, times)


if __name__ == "__main__":
    cli.main()
