"""A build that fails says where, with which compiler, and what to try: tools/setup.sh, as ./knead uses it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.25)
project(small CXX)
add_library(small STATIC src/well.cpp src/ill.cpp)
set_target_properties(small PROPERTIES UNITY_BUILD ON)
"""
PRESETS = {"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}]}


class FailedBuild(cli.Case):
    def build(self, source, lists=CMAKE_LISTS):
        """Builds a small project with the project's own script; `source` is what one of its files says."""
        (self.dir / "tools").mkdir(exist_ok=True)
        (self.dir / "src").mkdir(exist_ok=True)
        shutil.copy(cli.SOURCE / "tools" / "setup.sh", self.dir / "tools")
        self.write("CMakeLists.txt", lists)
        self.write("CMakePresets.json", json.dumps(PRESETS))
        self.write("src/well.cpp", "int well() { return 1; }\n")
        self.write("src/ill.cpp", source)
        done = subprocess.run(["bash", "-c", f"set -euo pipefail; root={self.dir}; source $root/tools/setup.sh; build_release OFF all"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stderr

    def test_names_the_file_and_the_compiler(self):
        code, said = self.build("int ill() { return nothing; }\n")
        self.assertEqual(code, 1, said)
        self.assertIn("was not declared", said)
        last = said.splitlines()[-2:]
        self.assertRegex(last[0], r"the build failed at src/ill\.cpp with .*\d+\.\d+\.\d+.* \(/.*\)")
        self.assertIn("CXX=g++-12", last[1])

    def test_of_a_program_that_cannot_be_linked_names_what_could_not_be_made(self):
        code, said = self.build("int main() { return 0; }\n", CMAKE_LISTS.replace("add_library(small STATIC", "add_executable(small")
                                + "target_link_libraries(small PRIVATE knows_nobody)\n")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"the build failed at small with ")

    def test_of_cmake_names_the_compiler(self):
        code, said = self.build("", CMAKE_LISTS + "find_package(knows_nobody REQUIRED)\n")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"cmake failed with .*\d+\.\d+\.\d+.* \(/.*\)")


if __name__ == "__main__":
    cli.main()
