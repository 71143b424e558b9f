"""What `cmake --install` gives: programs of others, as docs/library.md shows them, and a tree that can be moved."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

BUILD = Path(cli.KNEAD).parents[1]
CACHE = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
SANITIZERS = re.search(r"^KNEAD_SANITIZE:STRING=(.*)$", CACHE, re.MULTILINE).group(1)
# With warnings that we do not use ourselves: ours must be kept from others.
FLAGS = "-O0 -Wall -Wextra -Wpedantic -Wconversion -Werror" + (f" -fsanitize={SANITIZERS}" if SANITIZERS else "")


def blocks(page, language):
    """The code blocks of a page that open with a comment naming a file, by that name."""
    text = (cli.SOURCE / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n((?://|#) (\S+)\n.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return {name: block for block, name in found}


class Install(cli.Case):
    def do(self, *words, **options):
        env = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH")}
        done = subprocess.run([*map(str, words)], cwd=self.dir, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=300, **options)
        self.assertEqual(done.returncode, 0, f"{words}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout

    def setUp(self):
        super().setUp()
        self.do("cmake", "--install", BUILD, "--prefix", self.dir / "first")
        # Everything is found from where the tree lies now.
        self.prefix = (self.dir / "first").rename(self.dir / "moved")

    def build(self):
        """Configures and builds the program in self.dir."""
        self.do("cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_FLAGS={FLAGS}")
        self.do("cmake", "--build", "build")

    def test_programs_of_the_page_print_what_it_says(self):
        for name, text in {**blocks("library.md", "cpp"), **blocks("library.md", "cmake")}.items():
            self.write(name, text)
        self.build()
        jelly = self.write("jelly.toml", blocks("getting-started.md", "toml")["jelly.toml"])
        page = (cli.SOURCE / "docs/library.md").read_text(encoding="utf-8")
        said = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        self.assertEqual([self.do("build/drop", jelly), self.do("build/push")], said)

    def test_every_header_can_be_included_and_only_ours_are_installed(self):
        include = self.prefix / "include"
        self.assertEqual([path.name for path in include.iterdir()], ["knead"])
        headers = [path.relative_to(include) for path in sorted(include.rglob("*.h"))]
        self.assertGreater(len(headers), 100)
        self.write("headers.cpp", "".join(f"#include <{header}>\n" for header in headers) + "int main() {}\n")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\nproject(headers LANGUAGES CXX)\n"
                   "find_package(knead 0.1 REQUIRED)\nadd_executable(headers headers.cpp)\n"
                   "target_link_libraries(headers knead::knead)\n")
        self.build()
        # Nor do our flags reach others.
        flags = (self.prefix / "lib/cmake/knead/knead-targets.cmake").read_text(encoding="utf-8")
        for flag in ("-march", "-W", "-f"):
            self.assertNotIn(flag, flags.replace("-fsanitize", ""))

    def test_the_program_finds_its_scenes_beside_it(self):
        listed = self.do(self.prefix / "bin/knead", "list", "scenes", "--json")
        self.assertIn('"moved/share/knead/scenes/mpm/snowball.toml"', listed)
        self.assertIn("1 of 1 cases pass", self.do(self.prefix / "bin/knead", "validate", "b13-fall"))
        for path in ("share/doc/knead/LICENSE", "share/doc/knead/docs/library.md"):
            self.assertTrue((self.prefix / path).is_file(), path)


if __name__ == "__main__":
    cli.main()
