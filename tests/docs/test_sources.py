"""Habits of the sources that no compiler checks."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

# What simulates. Pictures and the viewer may differ in the last bit, and so may the closed forms that results are judged by.
SIMULATES = "base geometry grid material scene sample world mpm meshless liquid surface output run".split()
FUNCTIONS = ("exp exp2 expm1 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh sincos "
             "cbrt hypot erf erfc tgamma lgamma").split()
ANY = "|".join(FUNCTIONS)
# With std::, with :: alone or as a float's, and without a name space: there, exp and log are those of base/math.h.
LIBRARY = re.compile(rf"\bstd::(?:{ANY})[fl]?\b|(?<![\w>])::(?:{ANY})[fl]?\s*\(|(?<![\w.:>])(?:{ANY})[fl]\s*\("
                     rf"|(?<![\w.:>])(?:{'|'.join(f for f in FUNCTIONS if f not in ('exp', 'log'))})\s*\(|\b__builtin_(?:{ANY})")
NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


def calls(text):
    """The lines of a source that call the C library's elementary functions, with what they call."""
    bare = NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    return [(bare.count("\n", 0, found.start()) + 1, found.group()) for found in LIBRARY.finditer(bare)]


class ElementaryFunctions(cli.Case):
    def test_no_simulation_calls_those_of_the_c_library(self):
        for folder in SIMULATES:
            for source in sorted((cli.SOURCE / "src" / folder).rglob("*.[hc]*")):
                if source.stem == "elementary":
                    continue
                found = [f"{source.relative_to(cli.SOURCE)}:{line}: {call}" for line, call in calls(source.read_text(encoding="utf-8"))]
                self.assertEqual(found, [], "their last bit depends on the processor; use those of base/elementary.h")

    def test_a_call_is_found(self):
        for text in ["x = std::exp(1);", "std::transform(a, b, c, std::log);", "::sin(x)", "return pow(x, 2);", "expf(x)", "y = -atan2(x, 1);"]:
            self.assertEqual(len(calls("int a;\n" + text)), 1, text)
            self.assertEqual(calls("int a;\n" + text)[0][0], 2)
        for text in ["elementary::exp(x)", "exp(x) + log(y)", "// std::sin(x)", '"sin(t)"', "folder.log()", "std::expected", "std::sqrt(x)",
                     "TextLog log(file)", "elementary::power(x, 2)"]:
            self.assertEqual(calls(text), [], text)


class Methods(cli.Case):
    """What a method takes and offers stands in scene/method.cpp: adding one must not mean to look for others."""

    def test_only_solvers_ask_which_method_it_is(self):
        asks = re.compile(r"(?<![A-Za-z])Method::(?:mpm|mls|embedded|composed|liquid)\b")
        know = ["scene/method.cpp", "levels/solver_set.cpp"]
        for source in sorted((cli.SOURCE / "src").rglob("*.[hc]*")):
            path = source.relative_to(cli.SOURCE / "src").as_posix()
            if path in know or path.split("/")[0] in ("mpm", "meshless", "liquid"):
                continue
            found = [m for m in asks.findall(NO_CODE.sub("", source.read_text(encoding="utf-8")))]
            default = 1 if path == "scene/solver_spec.h" else 0
            self.assertEqual(len(found), default, f"{path}: ask scene.solver.traits() for the property instead")


class Printing(cli.Case):
    """The library gives data and tells observers; what becomes of it on a terminal is up to apps/."""

    def test_the_library_prints_nothing(self):
        prints = re.compile(r"fmt::print\(|std::c(?:out|err|log)\b|\bf?(?:printf|puts|putc|putchar)\(")
        for source in sorted((cli.SOURCE / "src").rglob("*.[hc]*")):
            bare = NO_CODE.sub("", source.read_text(encoding="utf-8"))
            self.assertEqual(prints.findall(bare), [], source.relative_to(cli.SOURCE))


if __name__ == "__main__":
    cli.main()
