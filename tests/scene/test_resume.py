"""Every scene that comes with Knead, stopped at a random moment and resumed, gives the bits of one that was left alone."""

import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli  # noqa: E402
from test_scenes import IN_FULL, at_once, smaller  # noqa: E402

# Those that every test runs: heat, sources, grips and events, a mesh that breaks, a phase field, an implicit solve. KNEAD_TEST_SLOW=1 runs all.
QUICK = ["meshless/candle", "meshless/stability/implicit", "liquid/streams", "mpm/fracture/stretch_mesh", "mpm/fracture/branching", "mpm/snow_two_discs_2d"]
FRAMES = 3


class Resumed(cli.Case):
    def stopped_and_resumed(self, scene, out, arguments, whole_seconds, choose):
        """Stopped by a signal, or killed, as chance has it, until it ends by itself; what it said where it fails."""
        stops = 0
        while True:
            begun = any((out / "checkpoints").glob("checkpoint.*.h5"))
            process = cli.start("run", scene, "--out", out, "-q", "--threads", "1", *arguments, *(["--resume"] if begun else []))
            try:
                _, err = process.communicate(timeout=choose.uniform(0.2, 1) * whole_seconds if stops < 2 else 1800)
                return process.returncode, err
            except cli.subprocess.TimeoutExpired:
                process.send_signal(choose.choice([signal.SIGTERM, signal.SIGKILL]))
                process.communicate(timeout=300)
                stops += 1

    def check(self, name):
        scene = cli.SOURCE / f"scenes/{name}.toml"
        size = smaller(scene)
        arguments = [*(size if "--frames" not in size else []), "--frames", str(FRAMES)]
        whole, part = (self.dir / f"{kind}-{name.replace('/', '-')}" for kind in ("whole", "part"))
        begin = time.monotonic()
        done = cli.knead("run", scene, "--out", whole, "-q", "--threads", "1", *arguments, timeout=1800)
        seconds = time.monotonic() - begin
        if done.code != 0:
            return f"{name}: {done.err}"
        seed = random.randrange(2**32)
        code, err = self.stopped_and_resumed(scene, part, arguments, seconds, random.Random(seed))
        same = code == 0 and cli.results_of(part) == cli.results_of(whole)
        shutil.rmtree(whole), shutil.rmtree(part)
        return "" if same else f"{name}, seed {seed}: {err or 'other bits'}"

    def test_gives_the_same_bits(self):
        names = [str(path.relative_to(cli.SOURCE / "scenes").with_suffix("")) for path in sorted((cli.SOURCE / "scenes").rglob("*.toml"))]
        self.assertLessEqual(set(QUICK), set(names))
        failures = at_once(self.check, names if IN_FULL else QUICK, os.cpu_count() if IN_FULL else 1)
        self.assertEqual([f for f in failures if f], [])


if __name__ == "__main__":
    cli.main()
