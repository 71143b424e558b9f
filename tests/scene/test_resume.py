"""Every scene that comes with Knead, those of bench/ too, stopped at a random moment and resumed, gives the bits of one that was left alone."""

import math
import os
import random
import shutil
import signal
import sys
import time
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli  # noqa: E402
from test_scenes import IN_FULL, at_once, smaller  # noqa: E402

# Those that every test runs: heat, sources, grips, an event, a mesh that breaks, a phase field, an implicit solve. KNEAD_TEST_SLOW=1 runs all.
QUICK = ["meshless/candle", "meshless/donut", "meshless/stability/implicit", "liquid/streams", "mpm/fracture/stretch_mesh", "mpm/fracture/branching", "mpm/snow_two_discs_2d"]
FRAMES = 3
# Whose first event after the start comes so late that a test would wait minutes for it; tests/determinism/test_events.py has such events in small scenes.
EVENT_TOO_LATE = ["meshless/mould"]
TRIES = 10


def path_of(name):
    return cli.SOURCE / ("" if name.startswith("bench/") else "scenes") / f"{name}.toml"


def arguments_of_size(scene):
    """Those that bring it to the size for tests: scenes of bench/, which take small steps, to an eighth of their particles."""
    if scene.parent.name != "bench":
        return smaller(scene)
    return ["--set", f"solver.dx={2 * tomllib.loads(scene.read_text())['solver']['dx']}"]


def event_frame(scene):
    """The frame that first shows an event after the start; 0 where there is none, or only one that takes too long to reach."""
    said = tomllib.loads(scene.read_text())
    times = [event["time"] for event in said.get("event", []) if event["time"] > 0]
    late = not times or any(str(scene).endswith(f"{name}.toml") for name in EVENT_TOO_LATE)
    return 0 if late else math.ceil(min(times) * said["scene"].get("fps", 24))


def newest_checkpoint(run):
    """The frame of the last one; -1 before the first."""
    return max((int(path.stem.split(".")[1]) for path in (run / "checkpoints").glob("checkpoint.*.h5")), default=-1)


def resumes(run):
    """How often a run went on from a checkpoint before the last frame."""
    return (run / "log.txt").read_text().count("resuming after frame")


def stop(process, choose, seconds, due=lambda: True):
    """Ends it by a signal, or kills it, as chance has it, so long after it is due; False where it ended by itself before."""
    while not due() and process.poll() is None:
        time.sleep(0.002)
    try:
        process.communicate(timeout=seconds)
        return False
    except cli.subprocess.TimeoutExpired:
        process.send_signal(choose.choice([signal.SIGTERM, signal.SIGKILL]))
        process.communicate(timeout=300)
        return process.returncode != 0


class Resumed(cli.Case):
    def stopped_and_resumed(self, run, out, after, frame_seconds, choose):
        """Stopped after the checkpoint of frame `after`, and perhaps again, until it ends by itself; its result, and how often it was resumed."""
        for attempt in range(TRIES):
            shutil.rmtree(out, ignore_errors=True)
            wait = 1.5 * frame_seconds / 2**attempt
            if not stop(cli.start(*run), choose, choose.uniform(0, wait), lambda: newest_checkpoint(out) >= after):
                continue
            stop(cli.start(*run, "--resume"), choose, choose.uniform(0, wait))
            done = cli.knead(*run, "--resume", timeout=1800)
            if done.code != 0 or resumes(out) > 0:
                return done, resumes(out)
        return done, 0

    def check(self, name):
        scene = path_of(name)
        size = arguments_of_size(scene)
        after = event_frame(scene)
        frames = after + 2 if after else FRAMES
        whole, part = (self.dir / f"{kind}-{name.replace('/', '-')}" for kind in ("whole", "part"))
        run = ["run", scene, "-q", "--threads", "1", *(size if "--frames" not in size else []), "--frames", str(frames), "--out"]
        begin = time.monotonic()
        done = cli.knead(*run, whole, timeout=1800)
        seconds = time.monotonic() - begin
        if done.code != 0:
            return f"{name}: {done.err}"
        seed = random.randrange(2**32)
        done, count = self.stopped_and_resumed([*run, part], part, after, seconds / frames, random.Random(seed))
        same = done.code == 0 and cli.results_of(part) == cli.results_of(whole)
        shutil.rmtree(whole), shutil.rmtree(part)
        print(f"{name}: {frames} frames in {seconds:.1f} s, resumed {count} times after frame {after}", flush=True)
        if not count:
            return f"{name}, seed {seed}: never resumed in {TRIES} tries {done.err}"
        return "" if same else f"{name}, seed {seed}: {done.err or 'other bits'}"

    def test_gives_the_same_bits(self):
        names = [str(path.relative_to(cli.SOURCE / "scenes").with_suffix("")) for path in sorted((cli.SOURCE / "scenes").rglob("*.toml"))]
        names += [f"bench/{path.stem}" for path in sorted((cli.SOURCE / "bench").glob("*.toml"))]
        self.assertLessEqual({*QUICK, *EVENT_TOO_LATE}, set(names))
        failures = at_once(self.check, names if IN_FULL else QUICK, os.cpu_count() if IN_FULL else 1)
        self.assertEqual([f for f in failures if f], [])


if __name__ == "__main__":
    cli.main()
