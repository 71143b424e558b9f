"""Runs the real program for tests: temporary folders, time limits, small scenes, comparison of run folders."""

import hashlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(os.environ.get("KNEAD_SOURCE", Path(__file__).resolve().parents[2]))
KNEAD = os.environ.get("KNEAD", str(SOURCE / "build/release/apps/knead"))

# A 2D block of snow that hits the floor: all layers are used, and a frame takes a fraction of a second.
BLOCK = """\
format = 1

[scene]
name = "block"
dimension = 2
duration = 0.5
domain = { min = [0, 0], max = [1, 1], contact = "slip" }

[solver]
method = "mpm"
dx = 0.02

[materials.snow]
model = "snow"

[[body]]
name = "block"
material = "snow"
shape = { type = "box", center = [0.5, 0.3], size = [0.3, 0.3] }
velocity = [0.5, -2]
sampling = "jittered"
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


def knead(*arguments, through=(), cwd=None, timeout=1800, env=None, **popen):
    """Runs `knead ARGUMENTS` and waits for it, if asked `through` another program. Past `timeout` seconds, which no slow machine takes, it
    hangs: it is killed and the test fails."""
    done = subprocess.run([*through, KNEAD, *map(str, arguments)], cwd=cwd, timeout=timeout, env=env, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="replace", **popen)
    return Result(done.returncode, done.stdout, done.stderr)


def start(*arguments, cwd=None):
    """Starts `knead ARGUMENTS` and returns at once with the process."""
    return subprocess.Popen([KNEAD, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def files_of(folder):
    """Relative paths of all files under a folder, sorted."""
    folder = Path(folder)
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if not p.is_dir())


def results_of(run):
    """Name and SHA-256 of what a run computes: its frames and its statistics."""
    run = Path(run)
    paths = sorted((run / "frames").glob("*.h5")) + [run / "stats.csv"]
    return {str(p.relative_to(run)): hashlib.sha256(p.read_bytes()).hexdigest() for p in paths}


class Case(unittest.TestCase):
    """A test with a folder of its own, in which programs run."""

    maxDiff = None

    def setUp(self):
        self.dir = Path(tempfile.mkdtemp(prefix="knead-test-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def write(self, name, content):
        path = self.dir / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    def knead(self, *arguments, **options):
        return knead(*arguments, cwd=self.dir, **options)

    def run_well(self, *arguments, **options):
        """Runs the program, which must succeed."""
        result = self.knead(*arguments, **options)
        self.assertEqual(result.code, 0, f"knead {arguments} failed:\n{result.err}")
        return result

    def refuse(self, code, needles, *arguments, leaves_nothing=True, **options):
        """Runs the program, which must end with `code`, a message on stderr that contains every needle, no results on
        stdout, and (unless told otherwise) no file more than before."""
        before = files_of(self.dir)
        result = self.knead(*arguments, timeout=30, **options)
        shown = f"knead {[str(a)[:80] for a in arguments]} ended with {result.code}:\n{result.err[:2000]}"
        self.assertEqual(result.code, code, shown)
        for needle in [needles] if isinstance(needles, str) else needles:
            self.assertIn(needle.lower(), result.err.lower(), shown)
        for word in ("terminate called", "assert", "segmentation", "std::", "#0 "):
            self.assertNotIn(word, result.err.lower(), shown)
        if leaves_nothing:
            self.assertEqual(files_of(self.dir), before, shown)
        return result


def peak_memory_of_children():
    """Bytes: the largest memory that any program run so far has used."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def main():
    if not os.access(KNEAD, os.X_OK):
        sys.exit(f"there is no program at {KNEAD}; set KNEAD, or build with ./test")
    unittest.main(verbosity=2)
