"""The viewer in a real browser, playing a finished run and following a live one; and its page as web/ builds it.

Needs Node, Chromium and what web/package-lock.json names, which is fetched once where npm can; where one of them is missing, the tests
are skipped."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli
import viewer

WEB = cli.SOURCE / "web"
HERE = Path(__file__).resolve().parent

DEEP = """\
format = 1
[scene]
name = "deep"
description = 'A ball beside a post. <img src=x onerror="document.title=0">'
duration = 0.1
[solver]
method = "mpm"
dx = 0.1
[materials.jelly]
model = "neo-hookean"
young = 1e4
[[body]]
name = "ball"
material = "jelly"
shape = { type = "sphere", center = [0, 0.6, 0], radius = 0.4 }
[[collider]]
name = "floor"
shape = { type = "plane", point = [0, 0, 0], normal = [0, 1, 0] }
[[collider]]
name = "post"
shape = { type = "cylinder", center = [0.8, 0.5, 0], axis = [0, 1, 0], radius = 0.1, height = 1 }
"""


# A bar of tetrahedra that tears, and a ball without a mesh beside it.
TORN = """\
format = 1
[scene]
name = "torn"
duration = 0.5
fps = 20
gravity = [0, 0, 0]
[solver]
method = "mpm"
dx = 0.2
[materials.soft]
model = "rankine"
density = 1000
young = 1e4
poisson = 0.3
tensile_strength = 1000
softening = 5
[[body]]
name = "bar"
material = "soft"
cells = "stuffed"
edge = 0.2
shape = { type = "box", center = [0, 0, 0], size = [0.8, 1.6, 0.8] }
velocity = ["0", "2 * y", "0"]
[[body]]
name = "ball"
material = "soft"
shape = { type = "sphere", center = [1.2, 0, 0], radius = 0.3 }
"""


def missing():
    """What the page's tests lack here; nothing where all is there."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "Node and npm"
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout
    if int(version.strip().lstrip("v").split(".")[0]) < 20:
        return f"Node 20 or later; this is {version.strip()}"
    if not (WEB / "node_modules/.package-lock.json").exists():
        done = subprocess.run(["npm", "install", "--no-save", "--no-audit", "--no-fund"], cwd=WEB, capture_output=True, text=True, timeout=240)
        if done.returncode:
            return f"the packages of web/package-lock.json, which npm could not fetch: {done.stderr.strip()[-200:]}"
    return ""


MISSING = missing()


@unittest.skipIf(MISSING, f"needs {MISSING}")
class Page(cli.Case):
    def test_the_page_in_the_program_is_what_web_builds(self):
        built = self.dir / "page.html"
        done = subprocess.run(["npx", "--no-install", "vite", "build", "--logLevel", "error"], cwd=WEB, capture_output=True, text=True,
                              env={**os.environ, "KNEAD_PAGE": str(built)}, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        # The program, or the library that it is linked to.
        build = pathlib.Path(cli.KNEAD).resolve().parents[1]
        parts = [pathlib.Path(cli.KNEAD), *build.rglob("libknead.so")]
        self.assertTrue(any(built.read_bytes() in part.read_bytes() for part in parts),
                        "the program's page is not what web/ builds; run tools/build-page and build again")

    def set_status(self, status):
        path = self.dir / "written/run.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"status": status}))

    def put_frame(self, number, status):
        name = f"frame.{number:04}.h5"
        (self.dir / "kept" / name).rename(self.dir / "written/frames" / name)
        self.set_status(status)

    @unittest.skipUnless(shutil.which("chromium") or os.environ.get("CHROMIUM"), "needs Chromium")
    def test_in_a_browser(self):
        self.write("flat.toml", cli.BLOCK)
        self.write("deep.toml", DEEP)
        self.write("other.toml", cli.BLOCK.replace("velocity = [0.5, -2]", "velocity = [0.5, 2]"))
        torn = self.write("torn.toml", TORN)
        for name, frames in (("flat", 8), ("deep", 2), ("other", 4), ("torn", 10)):
            done = self.knead("run", f"{name}.toml", "--out", name, "--frames", frames, "-q")
            self.assertEqual(done.code, 0, done.err)
        (self.dir / "kept").mkdir()
        shutil.copytree(self.dir / "flat", self.dir / "written")
        for number in range(4, 10):
            (self.dir / f"written/frames/frame.{number:04}.h5").rename(self.dir / f"kept/frame.{number:04}.h5")
        self.set_status("running")
        live = self.write("live.toml", cli.BLOCK.replace("duration = 0.5", "duration = 20") + "particles_per_cell = 9\n")
        viewers = {"flat": viewer.Viewer("flat", "--beside", "other", cwd=self.dir), "deep": viewer.Viewer("deep", cwd=self.dir)}
        viewers["written"] = viewer.Viewer("written", cwd=self.dir)
        viewers["torn"] = viewer.Viewer("torn", cwd=self.dir)
        viewers["tearing"] = viewer.Viewer(torn, "--out", "tearing", "--paused", "--threads", "1", cwd=self.dir)
        viewers["short"] = viewer.Viewer(self.write("short.toml", cli.BLOCK.replace("duration = 0.5", "duration = 0.2")), "--out", "short",
                                         "--paused", "--threads", "1", cwd=self.dir)
        pool = self.write("pool.toml", viewer.POOL)
        viewers["pool"] = viewer.Viewer(pool, "--out", "pool", "--paused", "--threads", "1", cwd=self.dir)
        viewers["live"] = viewer.Viewer(live, "--out", "live", "--paused", "--threads", "1", cwd=self.dir)
        viewers["going"] = viewer.Viewer(live, "--out", "going", "--paused", "--threads", "1", cwd=self.dir)
        for v in viewers.values():
            self.addCleanup(v.end)
        pictures = Path(os.environ.get("KNEAD_PICTURES", self.dir / "pictures"))
        pictures.mkdir(exist_ok=True)
        urls = {name: v.url for name, v in viewers.items()} | {"stats": str(self.dir / "flat/stats.csv"), "flat_folder": str(self.dir / "flat")}
        process = subprocess.Popen(["node", str(HERE / "page.mjs"), json.dumps(urls), str(pictures)], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        end = time.monotonic() + 600  # where other work takes the cores; most of a minute where not
        while process.poll() is None and time.monotonic() < end:
            if (pictures / "end-live").exists():
                (pictures / "end-live").unlink()
                viewers["live"].end()
            for number in (4, 5):  # of a run that another process writes
                if (pictures / f"write-{number}").exists():
                    (pictures / f"write-{number}").unlink()
                    self.put_frame(number, "running" if number < 5 else "stopped")
            if (pictures / "start-live").exists():
                (pictures / "start-live").unlink()
                again = viewer.Viewer(live, "--out", "live", "--force", "--paused", cwd=self.dir, port=viewers["live"].port)
                self.addCleanup(again.end)
                (pictures / "new-url.part").write_text(again.url)
                (pictures / "new-url.part").rename(pictures / "new-url")
            time.sleep(0.1)
        if process.poll() is None:
            process.kill()
        output = process.communicate()[0]
        print(output)
        self.assertEqual(process.returncode, 0, output)


if __name__ == "__main__":
    cli.main()
