"""A run killed at any moment and resumed ends with the same bits as one that was left alone."""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

KILLS = 10


class KillResume(cli.Case):
    def test_ten_kills_at_random_moments(self):
        scene = self.write("block.toml", cli.BLOCK)
        begin = time.monotonic()
        self.run_well("run", scene, "--out", "whole", "-q")
        whole_seconds = time.monotonic() - begin
        expected = cli.results_of(self.dir / "whole")

        seed = random.randrange(2**32)
        print(f"seed {seed}, an undisturbed run takes {whole_seconds:.2f} s")
        choose = random.Random(seed)
        kills, runs, calls = 0, 0, 0
        while kills < KILLS:
            runs += 1
            out = self.dir / f"killed{runs}"
            while True:
                calls += 1
                self.assertLess(calls, 20 * KILLS, "the run does not get on")
                # Early moments matter most: frame files, checkpoints and statistics are written at every frame.
                process = cli.start(*self.command(scene, out), cwd=self.dir)
                try:
                    _, err = process.communicate(timeout=choose.uniform(0, 0.4) * whole_seconds if kills < KILLS else 300)
                except cli.subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    kills += 1
                    continue
                self.assertEqual(process.returncode, 0, err)
                break
            self.assertEqual(cli.results_of(out), expected)
        print(f"{kills} kills in {runs} runs")

    def command(self, scene, out):
        begun = any((out / "checkpoints").glob("checkpoint.*.h5"))
        return ["run", scene, "--out", out, "-q"] + (["--resume"] if begun else [])

    def test_killed_runs_leave_only_whole_files(self):
        scene = self.write("block.toml", cli.BLOCK)
        process = cli.start("run", scene, "--out", "out", "-q", cwd=self.dir)
        frames = self.dir / "out/frames"
        wait_until(lambda: frames.is_dir() and len(list(frames.glob("*.h5"))) >= 4)
        process.kill()
        process.communicate()
        done = sorted(frames.glob("frame.*.h5"))
        self.run_well("export", "out", "--to", "csv", "-q")  # reads every frame
        self.assertEqual(len(list((self.dir / "out/csv").glob("*.csv"))), len(done))


def wait_until(true, seconds=60):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise TimeoutError("it did not happen within a minute")
        time.sleep(0.005)


if __name__ == "__main__":
    cli.main()
