"""What watching costs a simulation: the same scene by `knead view`, with nobody looking and with a page that follows it, in turn.

    python3 tests/web/watch_cost.py SCENE [--frames N] [--threads N] [--pairs N]

Tells the wall time between the second frame and the last and the CPU time of the thread that simulates, of each run, and by how much the
medians differ. The page draws without a GPU here, so that it takes a core of its own: leave it one. On a machine where others work too, believe the CPU time."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import viewer

PAGE = """
import { openBrowser, openPage } from "%s/browser.mjs";
const browser = await openBrowser();
const page = await openPage(browser, process.argv[2]);
await page.evaluate(() => knead.order("play"));
await page.waitForFunction(() => knead.state?.live?.phase === "done", null, { timeout: 600000, polling: 500 });
console.log(await page.evaluate(() => knead.stage.drawn));
await browser.close();
"""


def cpu_of_simulation(pid):
    """Seconds of the busiest thread, which is the one that simulates."""
    ticks = os.sysconf("SC_CLK_TCK")
    times = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        numbers = (task / "stat").read_text().rsplit(")", 1)[1].split()
        times.append((int(numbers[11]) + int(numbers[12])) / ticks)
    return max(times)


def run(scene, frames, threads, watched, folder):
    shown = viewer.Viewer(scene, "--out", folder / "run", "--force", "--paused", "-q", "--frames", frames, "--threads", threads)
    try:
        shown.until(lambda s: s["live"]["phase"] == "paused")
        if watched:
            script = folder / "page.mjs"
            script.write_text(PAGE % Path(__file__).resolve().parent)
            pictures = int(subprocess.run(["node", script, shown.url], capture_output=True, text=True, check=True).stdout)
        else:
            pictures = 0
            shown.command(do="play")
        while json.loads((folder / "run/run.json").read_text())["status"] != "done":
            time.sleep(0.2)
        times = [path.stat().st_mtime for path in sorted((folder / "run/frames").glob("*.h5"))]
        return times[-1] - times[1], cpu_of_simulation(shown.process.pid), pictures
    finally:
        shown.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scene", type=Path)
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3)
    arguments = parser.parse_args()
    times = {False: [], True: []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.pairs):
            for watched in times:
                wall, cpu, pictures = run(arguments.scene, arguments.frames, arguments.threads, watched, Path(folder))
                times[watched].append((wall, cpu))
                print(f"{'watched' if watched else 'alone  '}  wall {wall:7.2f} s   CPU {cpu:7.2f} s   {pictures} pictures", flush=True)
    for i, name in enumerate(("wall", "CPU")):
        alone, watched = (statistics.median(t[i] for t in times[w]) for w in (False, True))
        print(f"{name}: {100 * (watched / alone - 1):+.1f} %")


if __name__ == "__main__":
    main()
