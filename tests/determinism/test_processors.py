"""One program for all x86-64: under qemu, which plays other processors, it gives the bits that it gives here."""

import json
import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

# Each without what the next level needs.
PROCESSORS = {"plain": "Nehalem", "avx2": "Haswell"}
SCENE = cli.BLOCK.replace("duration = 0.5", "duration = 0.1").replace("dx = 0.02", "dx = 0.04")


def level_used(**env):
    said = cli.knead("doctor", "--json", env=dict(os.environ, **env)).out
    return json.loads(said)["vector unit"].split()[0] if said else None


@unittest.skipUnless(shutil.which("qemu-x86_64"), "there is no qemu-x86_64")
class Processors(cli.Case):
    def on(self, processor, *arguments):
        return cli.knead(*arguments, through=("qemu-x86_64", "-cpu", processor))

    def test_give_the_same_bits(self):
        scene = self.write("scene.toml", SCENE)
        self.run_well("run", scene, "--out", self.dir / "here", "-q")
        here = cli.results_of(self.dir / "here")
        self.assertGreater(len(here), 2)
        for level, processor in PROCESSORS.items():
            with self.subTest(processor=processor):
                done = self.on(processor, "run", scene, "--out", self.dir / processor, "-q")
                if level_used(KNEAD_LEVEL=level) == level:
                    self.assertEqual(done.code, 0, done.err)
                    self.assertEqual(cli.results_of(self.dir / processor), here)
                else:  # a program of one level
                    self.assertEqual(done.code, 7, done.err)
                    self.assertIn("knead: ", done.err)

    def test_too_old_are_told_so(self):
        done = self.on("core2duo", "--version")
        self.assertEqual(done.code, 7, done.err)
        self.assertEqual(done.out, "")
        self.assertIn("processor", done.err)


if __name__ == "__main__":
    cli.main()
