#!/usr/bin/env python3
"""Checks the links of the documentation, and the files of this repository that it names as `src/…`. Needs nothing but Python 3.

    python3 scripts/check-links.py    # all pages; exit code 1 if a link leads nowhere
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["*.md", "docs/**/*.md", "cases/**/*.md", "bench/results/*.md"]
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"`((?:src|kernels|tests|bench|scripts|cases|tools)/[\w./-]+)`")


def without_code(text):
    """Of a page, blank lines in place of blocks of code, and nothing in place of code in a line."""
    lines, fenced = [], False
    for line in text.split("\n"):
        fence = line.lstrip().startswith("```")
        lines.append("" if fenced or fence else re.sub(r"`[^`]*`", "", line))
        fenced = fenced != fence
    return lines


def anchors_of(page):
    """The anchors of headings as GitHub makes them, and those of <a id="…">."""
    anchors, fenced = set(), False
    for line in page.read_text().split("\n"):
        fenced = fenced != line.lstrip().startswith("```")
        anchors.update(re.findall(r'<a id="([^"]+)"', line))
        if not fenced and (heading := re.match(r"#+ (.*)", line)):
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
            anchors.add(re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-"))
    return anchors


def problems_of(page):
    for number, line in enumerate(without_code(page.read_text()), 1):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            if not file.exists():
                yield f"{page.relative_to(ROOT)}:{number}: no file {target}"
            elif anchor and anchor not in anchors_of(file):
                yield f"{page.relative_to(ROOT)}:{number}: no heading {target}"


def missing_files_of(page):
    """Files and folders in code spans that are not there; recipes name files that are to be made."""
    if page.parent.name == "recipes":
        return
    for number, line in enumerate(page.read_text().split("\n"), 1):
        for name in NAMED.findall(line):
            if "ROOM" not in name and not any((ROOT / (name + ending)).exists() for ending in ("", ".hpp", ".cpp")):
                yield f"{page.relative_to(ROOT)}:{number}: no file {name}"


def main():
    problems = [problem for pattern in PAGES for page in sorted(ROOT.glob(pattern)) for problem in [*problems_of(page), *missing_files_of(page)]]
    print("\n".join(problems) or "all links lead somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
