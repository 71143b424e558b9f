"""Messages can be printed and read: nothing in them steers a terminal, none is endless, and all are the program's own words."""

import os
import re
import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

# Escape, a C1 control, an override of direction and its end, an isolate, a line separator.
MARKS = "\x1b[31m\x9b5n\u202e\u202c\u2066\u2028"
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Printable(cli.Case):
    def refuse_safely(self, code, needles, *arguments, **options):
        result = self.refuse(code, needles, *arguments, **options)
        self.assertIsNone(STEERS.search(result.err + result.out), ascii(result.err))
        return result

    def test_what_scene_files_say(self):
        key = '"fri\\u001b[31mction\\u202e"'
        self.refuse_safely(3, ["bad.toml:22:1", "fri\\x1b[31mction\\u202e"], "check", self.write("bad.toml", cli.BLOCK + key + " = 1\n"))
        for text in (cli.BLOCK.replace('material = "snow"', f'material = "{MARKS[6:]}"'),
                     cli.BLOCK.replace("[materials.snow]", f'[materials."{MARKS[6:]}"]'),
                     cli.BLOCK.replace("dx = 0.02", f'dx = "1 {MARKS[6:]}"'),
                     cli.BLOCK.replace('type = "box"', f'type = "{MARKS[6:]}"'),
                     cli.BLOCK.replace("velocity = [0.5, -2]", f'velocity = ["x+{MARKS[6:]}", 0]')):
            self.refuse_safely(3, "bad.toml:", "check", self.write("bad.toml", text))

    def test_names_of_files_and_arguments(self):
        for arguments in (["run", f"{MARKS}.toml"], ["render", MARKS], ["export", MARKS, "--to", "vtp"], ["view", MARKS],
                          ["material", "snow", "--path", MARKS], ["lcp", "--problem", MARKS], ["mesh", MARKS, "--skin"]):
            with self.subTest(arguments[0]):
                result = self.knead(*arguments)
                self.assertIn(result.code, (3, 4))
                self.assertIn("\\x1b[31m\\u009b5n\\u202e", result.err)
                self.assertIsNone(STEERS.search(result.err), ascii(result.err))
        for arguments in ([MARKS], ["run", f"--{MARKS}"], ["help", MARKS], ["list", MARKS], ["render", "a", "--frames", MARKS],
                          ["run", "a", "--set", f"{MARKS}=1"], ["material", MARKS, "--path", "a"], ["bench", MARKS]):
            self.assertIsNone(STEERS.search(self.knead(*arguments).err), ascii(arguments))
        self.write("points.csv", f"x,{MARKS}\n1,2\n")
        text = cli.BLOCK.replace('sampling = "jittered"', 'sampling = "file"\npoints = "points.csv"')
        self.refuse_safely(3, "points.csv", "check", self.write("bad.toml", text))

    def test_results_and_the_log_of_a_run(self):
        scene = self.write(f"a{MARKS}.toml", cli.BLOCK.replace('name = "block"\ndim', "dim").replace(
            'name = "block"', f'name = "{MARKS[6:]}"') + 2 * cli.BLOCK[cli.BLOCK.index("[[body]]"):].replace('name = "block"\n', ""))
        for command in (["check", scene], ["run", scene, "--frames", "1"], ["list", "scenes", "--scenes", self.dir]):
            result = self.run_well(*command)
            self.assertIsNone(STEERS.search(result.err + result.out), ascii(result.err + result.out))
        log, = self.dir.glob("runs/*/log.txt")
        self.assertIn("overlap", log.read_text())
        self.assertIsNone(STEERS.search(log.read_text()))

    def test_no_value_makes_a_line_of_its_own(self):
        forged = "m\nknead: warning: forged"

        def one_voice(result):
            lines = (result.err + result.out).splitlines()
            self.assertEqual([line for line in lines if line.startswith("knead: warning: forged")], [], result.err)
            return result.err

        said = r"m\nknead: warning: forged"
        toml = '"' + said + '"'
        for text in (cli.BLOCK.replace('method = "mpm"', f"method = {toml}"), cli.BLOCK.replace('type = "box"', f"type = {toml}"),
                     cli.BLOCK.replace("dx = 0.02", f"dx = {toml}"), cli.BLOCK + f"{toml} = 1\n",
                     cli.BLOCK.replace("velocity = [0.5, -2]", f"velocity = [{toml}, 0]")):
            self.assertIn(said, one_voice(self.refuse(3, "bad.toml:", "check", self.write("bad.toml", text), leaves_nothing=False)))
        self.write("a.toml", cli.BLOCK)
        for arguments in (["run", f"{forged}.toml"], ["render", forged], ["export", forged, "--to", "vtp"], ["view", forged], [forged],
                          ["material", "snow", "--path", f"{forged}/x"], ["lcp", "--problem", forged], ["mesh", forged, "--skin"],
                          ["render", "a", "--frames", forged], ["check", "a.toml", "--set", f"{forged}=1"], ["bench", forged]):
            with self.subTest(arguments):
                self.assertIn(said, one_voice(self.knead(*arguments)))
        result = self.knead("run", "a.toml", "--frames", "1", "--out", forged)
        self.assertEqual(result.code, 0, result.err)
        one_voice(result)
        self.assertIn(said, result.out)
        for command in (["stats", forged], ["export", forged, "--to", "csv"], ["render", forged, "-o", f"{forged}.png"]):
            one_voice(self.knead(*command))
        # The lines of a message stay.
        self.write("bad.toml", cli.BLOCK.replace("dx = 0.02", "dx = true").replace('"jittered"', '"jitter"'))
        self.assertEqual(self.knead("check", "bad.toml").err.count("\nbad.toml:"), 1)

    def test_bytes_that_are_no_text(self):
        done = self.knead(b"\xff\x1b".decode(errors="surrogateescape"))
        self.assertIn("'\\xff\\x1b'", done.err)

    def test_what_is_quoted_has_an_end(self):
        long = "x" * 1_000_000
        for text in (cli.BLOCK + f"{long} = 1\n", cli.BLOCK.replace('material = "snow"', f'material = "{long}"'),
                     cli.BLOCK.replace("[materials.snow]", f"[materials.{long}]"), cli.BLOCK.replace("dx = 0.02", f"dx = {long}"),
                     cli.BLOCK.replace("dx = 0.02", f'dx = "{long}"'), cli.BLOCK + f"[{long}\n", cli.BLOCK + "a b " * 250_000,
                     cli.BLOCK.replace('model = "snow"', f'model = "{long}"'), cli.BLOCK + f"{long}\n"):
            result = self.refuse(3, "bad.toml:", "check", self.write("bad.toml", text))
            self.assertLess(len(result.err), 4000)
        result = self.refuse(2, "--set", "check", "bad.toml", "--set", "x" * 100_000)
        self.assertLess(len(result.err), 4000)


class Words(cli.Case):
    def test_no_library_speaks(self):
        self.write("deep.toml", cli.BLOCK + "a = " + "[" * 2000 + "]" * 2000 + "\n")
        self.refuse(3, ["deep.toml:22:", "nested more than 100 levels deep"], "check", "deep.toml")
        self.write("open.toml", cli.BLOCK + "a =")
        for problem, needles in (("{", "line 1, column 2: unexpected end of the text"), ("nul\n", "line 1: not a JSON value: 'nul'"), ("[nul]", "line 1, column 5: not a JSON value: 'nul'"),
                                 ("[1\n, nope]", "line 2, column 4: not a JSON value: 'no'"),
                                 ('{"size": 1,}', "expected a text in quotes, found '}'"), ("[1 2]", "expected ']', found a number"), ('{"matrix": [[0, 0, 1e999]]}', "out of range"),
                                 ('{"size": 1, "b": [1], "matrix": ' + "[" * 100_000 + "]" * 100_000 + "}", "a list of lists")):
            self.refuse(3, ["p.json", needles], "lcp", "--problem", self.write("p.json", problem))
        for arguments in (["check", "deep.toml"], ["check", "open.toml"], ["lcp", "--problem", self.write("p.json", "nope")],
                          ["check", "a", "--json=maybe"], ["render", "a", "--low", "abc"], ["lcp", "--problem", "a", "--method", "foo"],
                          ["mesh", "a", "--skin", "--radius", "99"]):
            said = self.knead(*arguments).err
            for word in ("TOML_", "json.exception", "syntax error while parsing", "end-of-file", "Could not convert", "not in {",
                         "not in range", "allowed value for", "last read", "literal", "U+00"):
                self.assertNotIn(word, said)

    def test_mistakes_of_toml_are_worded_plainly(self):
        for line, said in (("a = { x = 1,, y = 2 }", "expected KEY = VALUE or '}', found ','"),
                           ("a = { x = 1, }", "expected KEY = VALUE, found '}' after a ','"),
                           ("a = { x = 1 y = 2 }", "expected ',' or '}', found 'y'"), ("a = [1,, 2]", "expected a value or ']', found ','"),
                           ("a = [1 2]", "expected ',' or ']', found '2'"), ('a = "\x01"', "control character; only tabs are allowed"),
                           ("# \x02", "control character; only tabs"), ("a = '\x03'", "control character; only tabs"),
                           ("a = 1 b", "the end of the"), ("= 1", "expected a key or a [table], found '='"), ("a.= 1", "expected a name, found '='"),
                           ("[]", "the name in the brackets is missing"), ("[ [a]]", "without spaces"), ("a = 01", "must not start with 0"),
                           ("a = 1_", "expected the end of the line, found '_'"), ('a = "\\q"', "unknown escape sequence '\\q'"),
                           ("a = 2001-13-01", "month between 1 and 12"), ("a b = 1", "expected '=', found 'b'"),
                           ("a = tru", "expected 'true', found 'tru'"), ("a = fal", "expected 'false', found 'fal'")):
            with self.subTest(line=line):
                said_all = self.refuse(3, ["bad.toml:", said], "check", self.write("bad.toml", cli.BLOCK + line + "\n"), leaves_nothing=False).err
                for word in ("explicitly prohibited", "key-value", "saw", "EOF", "bare key", "terminator", "whitespace", "(inclusive)", "dangling", "U+0009"):
                    self.assertNotIn(word, said_all)

    def test_other_colours_than_quantities_are_named(self):
        self.write("block.toml", cli.BLOCK)
        self.run_well("run", "block.toml", "--frames", "1", "--out", "run")
        self.refuse(3, "a colour may also be material or plain", "render", "run", "-o", "a.png", "--color", "a")

    def test_numbers_of_flags_are_numbers(self):
        for arguments in (["mesh", "a", "--skin", "--radius"], ["mesh", "a", "--skin", "--cell"], ["mesh", "a", "--cracks", "--stretch"],
                          ["render", "a", "--low"], ["render", "a", "--high"], ["render", "a", "--skin", "--radius"],
                          ["material", "snow", "--path", "a", "--dx"], ["lcp", "--problem", "a", "--tolerance"]):
            for value in ("nan", "-nan", "NaN", "inf", "-inf", "1e999", "abc", "", "1 2"):
                with self.subTest(arguments=arguments, value=value):
                    self.refuse(2, [arguments[-1], "number"], *arguments[:-1], f"{arguments[-1]}={value}" if value else arguments[-1], *([""] if not value else []))

    def test_a_wrong_method_is_answered_with_the_nearest(self):
        self.refuse(2, ["'pgd'", "multigrid, mprgp, pgs", "did you mean 'pgs'"], "lcp", "--problem", "a", "--method", "pgd")

    def test_flags_take_no_value(self):
        self.refuse(2, "--json takes no value", "check", "a", "--json=maybe")
        self.refuse(2, "-=abc", "run", "a", "-q=abc")

    def test_two_hyphens_end_the_flags(self):
        self.write("-odd.toml", cli.BLOCK)
        self.assertIn("block: 2D", self.run_well("check", "--", "-odd.toml").out)
        self.assertIn("block: 2D", self.run_well("check", "--set", "solver.cfl=0.4", "--", "-odd.toml").out)
        self.refuse(2, "needs a scene file", "check", "--")
        self.refuse(2, "-more", "check", "--", "-odd.toml", "-more")
        for flag in ("--json", "--help", "--version", "-h"):
            for arguments in (["check", "--", "-odd.toml", flag], ["check", "-odd.toml"[1:], "--", flag], ["doctor", "--", flag]):
                self.refuse(2, f"'{flag}' is one argument too many; see 'knead {arguments[0]} --help'", *arguments)
        self.refuse(2, "no command given", "--", "--help")
        self.refuse(2, "one run folder, not 2", "stats", "--", "-a", "-b")

    def test_unknown_entries_are_answered_with_those_there_are(self):
        block = cli.BLOCK[cli.BLOCK.index("[[body]]"):]
        path = self.write("two.toml", cli.BLOCK + block.replace('"block"', '"ball"'))
        self.refuse(2, ["no entry named 'bal'", "did you mean 'ball'", "it has ball, block"], "check", path, "--set", "body.bal.spin=1")

    def test_both_places_of_a_key_are_named(self):
        self.refuse(3, ["bad.toml:22:", "'velocity' is defined twice (first on line 20)"], "check", self.write("bad.toml", cli.BLOCK + "velocity = [0, 0]\n"))
        self.refuse(3, ["bad.toml:22:", "'solver' is defined twice (first on line 9)"], "check", self.write("bad.toml", cli.BLOCK + "[solver]\n"))


class FileSize(cli.Case):
    """A limit on the size of files (ulimit -f) is like a full disk."""

    def test_runs_end_with_a_message_and_no_half_file(self):
        path = self.write("block.toml", cli.BLOCK)
        for limit in (100, 3000, 20_000):
            with self.subTest(limit):
                out = self.dir / str(limit)
                result = self.knead("run", path, "--frames", "2", "--out", out,
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(result.code, 4, result.err)
                self.assertIn("File too large", result.err)
                self.assertIn("ulimit -f", result.err)
                self.assertEqual([str(p) for p in out.rglob("*.part")], [])

    def test_pictures_too_large_are_to_be_made_smaller(self):
        path = self.write("block.toml", cli.BLOCK)
        self.run_well("run", path, "--frames", "2", "--out", "run")
        for command, said in ((["render", "run", "-o", "a.png"], "make a smaller picture"), (["stats", "run", "--plot", "a.png"], "make a smaller picture"),
                              (["stats", "run", "--plot", "a.svg"], "draw fewer curves")):
            result = self.knead(*command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)))
            self.assertEqual(result.code, 4, result.err)
            self.assertIn(f"ulimit -f), or {said}", result.err)

    def test_films_are_whole_or_not_there(self):
        path, out = self.write("block.toml", cli.BLOCK), self.dir / "run"
        self.run_well("run", path, "--frames", "3", "--out", out)
        film = self.dir / "film.mp4"
        for limit in (1024, 3000):
            with self.subTest(limit):
                result = self.knead("render", out, "-o", film, "--width", "320", "--height", "240",
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertEqual(result.code, 4, result.err)
                for needle in ("cannot write the film", "film.mp4", "File too large", "ulimit -f", "--width"):
                    self.assertIn(needle, result.err)
                self.assertEqual([p.name for p in self.dir.glob(".*")] + [p.name for p in self.dir.glob("*.mp4")], [])


if __name__ == "__main__":
    cli.main()
