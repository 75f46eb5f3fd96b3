#!/usr/bin/env python3
"""Compares the numbers of tables in the documentation with the files that they come from. Needs nothing but Python 3.

    python3 scripts/check-numbers.py                         # all pages; exit code 1 if a number is not that of its source
    python3 scripts/check-numbers.py --record build/galerna  # runs the cases of cases/as-they-are.json again and writes that file

A table names its sources in comments before it (page and source in one folder here):

    <!-- numbers: h200-{1}-double-p{column}.json: dof_per_second / 1e9 -->
    <!-- numbers in rows TEXT: FILE[p={2}]: EXPRESSION ; - ; EXPRESSION -->

FILE is relative to the page: JSON (A|B: one of them), or a page, of which the first row of a table counts that has the cells in brackets. {1}, {2}, ... are the cells of the row in
small letters with dashes, {column} is the number in the head of a column. One expression is for all columns with a number in their heads, several are for the
columns in turn; "-" is not compared. An expression is made of keys of the source (a.b: nested) and numbers with " / " and " * " between them. "in rows TEXT" is
for rows with TEXT in their first cell. A number agrees if it is the source's, rounded to the digits that it shows; the first one of a cell counts.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["README.md", "CHANGELOG.md", "docs/*.md", "cases/*/README.md", "bench/results/*.md"]
RECORD = ROOT / "cases" / "as-they-are.json"
COMMENT = re.compile(r"<!-- numbers(?: in rows (?P<rows>.+?))?: (?P<file>[^\s\[:]+)(?:\[(?P<where>[^\]]*)\])?: (?P<what>.*?) -->")
NUMBER = re.compile(r"[-−]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables_of(text):
    """[(comments right before it, head, [(line number, cells)])]"""
    tables, comments, rows = [], [], None
    for number, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith("|"):
            if rows is None:
                rows = []
                tables.append((comments, cells_of(line), rows))
                comments = []
            elif not re.fullmatch(r"[| :-]+", line):
                rows.append((number, cells_of(line)))
            continue
        rows, found = None, COMMENT.search(line)
        if found:
            comments.append(found)
        elif comments or line.startswith("<!-- numbers"):
            raise SystemExit(f"line {number}: a comment about numbers that is not of the form above, or no table right behind it: {line}")
    return tables


def shown_name(path):
    return path.relative_to(ROOT) if path.is_relative_to(ROOT) else path


def slug(cell):
    """"Navier–Stokes, triangles" as in names of files: navier-stokes-triangles"""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell).lower().replace("–", "-").replace("fp64", "double").replace("fp32", "single")
    return re.sub(r"[^a-z0-9.]+", "-", words).strip("-")


def number_in(cell):
    """The first number of a cell, and half a unit of its last digit; None if there is none."""
    found = NUMBER.search(re.sub(r"\]\([^)]*\)|`[^`]*`", "", cell))
    if not found:
        return None
    text = found.group().replace("−", "-").replace(",", "")
    digits, _, power = text.partition("e")
    decimals = len(digits.partition(".")[2])
    return float(text), 0.5 * 10.0**(int(power or 0) - decimals)


class Source:
    """A JSON file, or rows of the tables of a page."""

    def __init__(self, path, where, fill):
        self.path = path
        text = path.read_text()
        if path.suffix == ".json":
            self.values = json.loads(text)
            return
        wanted = dict(part.split("=", 1) for part in fill(where or "").split(";") if part)
        wanted = {key.strip(): value.strip() for key, value in wanted.items()}
        for _, head, rows in tables_of(text):
            for _, cells in rows:
                row = dict(zip(head, cells))
                if all(slug(row.get(key, "")) == slug(value) for key, value in wanted.items()):
                    self.values = row
                    return
        raise ValueError(f"{path.name} has no row with {wanted}")

    def value(self, expression):
        parts = re.split(r" ([*/]) ", expression)
        result = self.term(parts[0])
        for operation, part in zip(parts[1::2], parts[2::2]):
            result = result * self.term(part) if operation == "*" else result / self.term(part)
        return result

    def term(self, text):
        text = text.strip()
        try:
            return float(text)
        except ValueError:
            pass
        value = self.values
        for key in [text] if text in self.values else text.split("."):
            value = value[key]
        return value if isinstance(value, (int, float)) else number_in(value)[0]


def check_cell(page, comment, fill, expression, cell):
    """What is wrong, or None."""
    shown, half = number_in(cell)
    files = [(page.parent / name).resolve() for name in fill(comment["file"]).split("|")]
    values = [Source(file, comment["where"], fill).value(fill(expression)) for file in files if file.exists() or len(files) == 1]
    if any(abs(shown - value) <= half * (1 + 1e-9) + 1e-12 * abs(value) for value in values):
        return None
    return f"{cell}, but {shown_name(files[0])} has {', '.join(f'{value:.6g}' for value in values)}"


def check_row(page, comment, head, cells):
    """For each number that has a source: what is wrong, or None."""
    expressions = [part.strip() for part in comment["what"].split(" ; ")]
    if comment["rows"] and comment["rows"] not in cells[0]:
        return
    for k, cell in enumerate(cells[:len(head)]):
        column = NUMBER.search(head[k])
        expression = (expressions[0] if column else "-") if len(expressions) == 1 else (expressions + ["-"] * len(head))[k]
        if expression == "-" or not number_in(cell):
            continue

        def fill(text):
            for place, other in enumerate(cells, 1):
                text = text.replace(f"{{{place}}}", slug(other))
            return text.replace("{column}", column.group() if column else "")

        try:
            yield check_cell(page, comment, fill, expression, cell)
        except (OSError, KeyError, TypeError, ValueError) as error:
            yield f"{cell}: {type(error).__name__}: {error}"


def check_page(page):
    """Prints what is wrong. \\return numbers of cells compared and wrong"""
    compared = wrong = 0
    for comments, head, rows in tables_of(page.read_text()):
        for comment in comments:
            used = False
            for line, cells in rows:
                for problem in check_row(page, comment, head, cells):
                    compared, used = compared + 1, True
                    if problem:
                        wrong += 1
                        print(f"{shown_name(page)}:{line}: {problem}")
            if not used:
                wrong += 1
                print(f"{shown_name(page)}: nothing to compare: {comment.group()}")
    return compared, wrong


def record(galerna):
    """Runs every case of the file as it is, by the gmsh command of its page."""
    cases = json.loads(RECORD.read_text())
    for name in cases:
        folder = RECORD.parent / name
        words = re.search(r"^    gmsh (.*)$", (folder / "README.md").read_text(), re.M).group(1).split()
        with tempfile.TemporaryDirectory() as work:
            for file in folder.iterdir():
                if file.suffix in (".geo", ".toml", ".hpp"):
                    (pathlib.Path(work) / file.name).write_bytes(file.read_bytes())
            subprocess.run(["gmsh", "-v", "1", *words], cwd=work, check=True)
            subprocess.run([str(pathlib.Path(galerna).resolve()), "run", "case.toml", "--output", "out", "--quiet"], cwd=work, check=True)
            report = json.loads((pathlib.Path(work) / "out" / "report.json").read_text())
        cases[name] = {"polytopes": report["mesh"]["polytopes"], "unknowns": report["matrix"]["dofs"], "nonzeros": report["matrix"]["nonzeros"],
                       "iterations": report["solver"]["iterations"], **{key: report.get("errors", {}).get(key) for key in ("l2", "h1_seminorm", "dg")}}
        print(name, cases[name], flush=True)
    RECORD.write_text(json.dumps(cases, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", metavar="GALERNA", help="run the recorded cases again")
    parser.add_argument("pages", nargs="*", type=pathlib.Path, help="these pages only")
    options = parser.parse_args()
    if options.record:
        record(options.record)
        return 0
    pages = [page.resolve() for page in options.pages] or [page for pattern in PAGES for page in sorted(ROOT.glob(pattern))]
    results = [check_page(page) for page in pages]
    compared, wrong = (sum(numbers) for numbers in zip(*results))
    print(f"{compared} numbers compared, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
