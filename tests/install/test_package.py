"""What tools/package makes: a .deb that names what it needs, and an archive that brings it along."""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

BUILD = Path(cli.KNEAD).parents[1]


class Packages(cli.Case):
    def test_they_name_what_they_need_or_bring_it_along(self):
        done = subprocess.run([cli.SOURCE / "tools/package", BUILD, self.dir], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (deb,), (tar,) = self.dir.glob("knead_*.deb"), self.dir.glob("knead-*.tar.gz")
        control = subprocess.check_output(["dpkg-deb", "--field", deb, "Depends", "Recommends"], text=True)
        for package in ("libembree3-3", "libhdf5-103", "libc6 (>=", "Recommends: ffmpeg"):
            self.assertIn(package, control)
        inside = subprocess.check_output(["dpkg-deb", "--contents", deb], text=True)
        for path in ("./usr/bin/knead", "./usr/lib/libknead.so.0.1", "./usr/include/knead/knead.h", "./usr/share/knead/scenes/"):
            self.assertIn(f" {path}", inside)
        # Of the archive, every library is in it, but for those of the C library.
        subprocess.run(["tar", "-C", self.dir, "-xzf", tar], check=True)
        (folder,) = [path for path in self.dir.iterdir() if path.is_dir()]
        found = subprocess.check_output(["ldd", folder / "bin/knead"], text=True)
        outside = re.findall(r"^\t(\S+) => (?!%s/)" % re.escape(str(folder)), found, re.MULTILINE)
        self.assertLessEqual(set(outside), {"libc.so.6", "libm.so.6", "libresolv.so.2", "libdl.so.2", "libpthread.so.0"})
        scenes = subprocess.run([folder / "bin/knead", "list", "scenes", "--json"], cwd=self.dir, capture_output=True, text=True)
        self.assertIn(f"{folder.name}/share/knead/scenes/mpm/snowball.toml", scenes.stdout)


if __name__ == "__main__":
    cli.main()
