"""Every command in README and docs runs, every link leads somewhere, every work cited is listed; CITATION.cff is
that of this version.

A ```sh block is run as it stands, in a folder with ./knead and scenes/, unless its first line says ```sh manual. A ```toml
block that opens with a comment naming a file (# jelly.toml) is written to that file first."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import knead_cli as cli

PAGES = sorted([*cli.SOURCE.glob("*.md"), *(cli.SOURCE / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def prose_of(page):
    """The page without its code blocks and code spans."""
    return re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text(encoding="utf-8")))


class Docs(cli.Case):
    def run_page(self, page):
        folder = self.dir / page.stem
        folder.mkdir()
        (folder / "knead").symlink_to(cli.KNEAD)
        (folder / "scenes").symlink_to(cli.SOURCE / "scenes")
        env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        for language, info, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            named = re.match(r"# (\S+\.toml)\n", text)
            if language == "toml" and named:
                (folder / named.group(1)).write_text(text, encoding="utf-8")
            if language == "sh" and "manual" not in info:
                with self.subTest(page=page.name, block=text):
                    done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=folder, env=env, timeout=600,
                                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])

    def test_commands_run(self):
        for page in PAGES:
            self.run_page(page)

    def test_links_lead_somewhere(self):
        for page in PAGES:
            for target in LINK.findall(prose_of(page)):
                if re.match(r"[a-z]+:", target) or target.startswith("#"):
                    continue
                with self.subTest(page=page.name, target=target):
                    self.assertTrue((page.parent / target.split("#")[0]).exists())

    def test_lines_of_prose_end_at_100_columns(self):
        for page in PAGES:
            for line in BLOCK.sub("", page.read_text(encoding="utf-8")).splitlines():
                if len(line) > 100 and not line.startswith(("|", "![", "    ")):
                    with self.subTest(page=str(page.relative_to(cli.SOURCE))):
                        self.fail(line)

    def test_cited_works_are_listed(self):
        bibliography = (cli.SOURCE / "docs/references.bib").read_text(encoding="utf-8")
        listed = set()
        for entry in bibliography.split("\n@")[1:]:
            year = re.search(r"year\s*=\s*{(\d+)}", entry)
            if year:
                names = re.search(r"author\s*=\s*{(.*)},\n", entry).group(1) + " " + entry.split("{", 1)[1].split(",")[0]
                listed |= {(name, year.group(1)) for name in re.findall(r"[A-Z]\w+?(?=\d|\b)", names)}
        months = "January February March April May June July August September October November December".split()
        for source in sorted((cli.SOURCE / "src").rglob("*.*")):
            if source.suffix not in (".h", ".cpp", ".cu"):
                continue
            comments = " ".join(re.findall(r"//[^\n]*", source.read_text(encoding="utf-8")))
            for name, year in re.findall(r"\b([A-Z][a-z]+),? ((?:19|20)\d\d)\b", comments):
                if name not in months:
                    with self.subTest(source=str(source.relative_to(cli.SOURCE))):
                        self.assertIn((name, year), listed)

    def test_the_citation_names_the_version(self):
        def version(name, pattern):
            return re.search(pattern, (cli.SOURCE / name).read_text(encoding="utf-8"), re.MULTILINE).group(1)

        self.assertEqual(version("CITATION.cff", r"^version: (\S+)$"), version("CMakeLists.txt", r"^project\(knead VERSION (\S+)"))


if __name__ == "__main__":
    cli.main()
