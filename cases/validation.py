"""What the scripts of the cases share: making meshes, running galerna, writing tables into docs/validation.md. Needs nothing but Python 3."""
import argparse
import csv
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = tempfile.TemporaryDirectory()  # of meshes that nobody asked to keep, and of outputs


def options(description, page="validation.md", **defaults):
    """Command line --galerna, --device, --page, --images, --set and one option for each of `defaults`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default=str(ROOT / "build" / "galerna"), help="the program")
    parser.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N")
    parser.add_argument("--page", default=str(ROOT / "docs" / page), help="page that the table is written into")
    parser.add_argument("--images", default=str(ROOT / "docs" / "images"), help="folder of the pictures in the documentation")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="replaces a setting in all runs")
    if defaults.get("meshes") == "":
        parser.add_argument("--prepare", action="store_true", help="make the meshes in the folder --meshes and end")
    for name, value in defaults.items():
        parser.add_argument("--" + name, default=value, type=type(value))
    return parser.parse_args()


def meshes(chosen, geometry, wanted):
    """Makes the meshes `wanted`, {name: {number of the .geo: value}}, from the Gmsh file `geometry` where --meshes has none of that name yet
    (without --meshes, in a temporary folder). Returns {name: path}; ends the program with --prepare."""
    folder = pathlib.Path(chosen.meshes or SCRATCH.name)
    folder.mkdir(parents=True, exist_ok=True)
    paths = {name: folder / f"{name}.msh" for name in wanted}
    dimension = "-3" if "Physical Volume" in pathlib.Path(geometry).read_text() else "-2"
    for name, numbers in wanted.items():
        if not paths[name].exists():
            numbers = [word for key, value in numbers.items() for word in ("-setnumber", key, str(value))]
            subprocess.run(["gmsh", "-v", "1", dimension, str(geometry), *numbers, "-format", "msh41", "-o", str(paths[name])], check=True)
    if chosen.prepare:
        sys.exit()
    return {name: str(path.resolve()) for name, path in paths.items()}


def run(chosen, case, restart=None, picture=None, may_fail=False, **settings):
    """Runs cases/CASE/case.toml with settings such as mesh__refine=2 replaced (mesh.refine) and returns its report.json. Beside what that
    holds there is "csv", the text of every CSV file by name, and "checkpoint", the path of the last state: another run's `restart`, until the
    script ends. `picture` = (NAME, FILE) keeps the case's picture NAME as --images/FILE. A run that fails ends the script unless it `may_fail`: then its
    report says so in "status"."""
    report = run_file(chosen, ROOT / "cases" / case / "case.toml", restart, may_fail, **settings)
    if picture and report["status"] != "failed":
        keep_picture(chosen, report, *picture)
    return report


def keep_picture(chosen, report, name, file):
    """The picture `name` of a run's case as --images/FILE."""
    shutil.copy(pathlib.Path(report["checkpoint"]).parent / f"picture_{name}.png", pathlib.Path(chosen.images) / file)


def run_file(chosen, file, restart=None, may_fail=False, **settings):
    """The same of any case file."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=SCRATCH.name))
    command = [chosen.galerna, "run", str(file), "--quiet", "--device", chosen.device, "--output", str(folder), "--set", "output.solution=false"]
    for setting in [f"{key.replace('__', '.')}={value}" for key, value in settings.items()] + chosen.set:
        command += ["--set", setting]
    if restart:
        command += ["--restart", restart]
    subprocess.run(command, check=not may_fail)
    report = json.loads((folder / "report.json").read_text())
    report["csv"] = {file.name: file.read_text() for file in folder.glob("*.csv")}
    report["checkpoint"] = str(folder / "checkpoint_final.h5")
    return report


def rows(report, name):
    """The file NAME.csv of a run as a list of dicts of numbers."""
    return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(report["csv"][name].splitlines())]


def last_line(report, name):
    """The rows of a probe's line at the last time."""
    table = rows(report, f"probe_{name}.csv")
    return [row for row in table if row["time"] == table[-1]["time"]]


def interpolate(table, x, y, at):
    """Of column y over the increasing column x, linearly at the place `at`."""
    for a, b in zip(table, table[1:]):
        if a[x] <= at <= b[x]:
            return a[y] + (b[y] - a[y]) * (at - a[x]) / (b[x] - a[x])
    raise ValueError(f"{at} is outside of {x}")


def oscillation(chosen, report, column, periods, stream):
    """What galerna frequency prints about a column of a run's monitor.csv, {name: number}, for the length and velocity of `stream`; empty where it finds too few periods."""
    monitor = pathlib.Path(report["checkpoint"]).parent / "monitor.csv"
    text = subprocess.run([chosen.galerna, "frequency", str(monitor), column, "--periods", str(periods),
                           "--length", str(stream["length"]), "--velocity", str(stream["velocity"])], capture_output=True, text=True).stdout
    return {name: float(number) for name, number in re.findall(r"^  ([a-zA-Z][a-zA-Z ]*?) +([-+.\d][-+.\de]*)", text, re.MULTILINE)}


def order(errors, k, ratio=2):
    """Text of the order of convergence of the k-th error, from the one before on elements `ratio` times as wide; empty for the first."""
    return f"{math.log(errors[k - 1] / errors[k]) / math.log(ratio):.2f}" if k else ""


def recorded_rows(chosen, name, cells):
    """The rows between the marks of `name` on the page, by their first cells, so that those which are not run again can stay."""
    block = pathlib.Path(chosen.page).read_text().split(f"<!-- {name}: begin -->")[1].split(f"<!-- {name}: end -->")[0]
    return {tuple(word.strip() for word in line.split("|")[1:cells + 1]): line for line in block.splitlines() if line.startswith("| ")}


def curve(chosen, mesh, cad, boundaries, order, output, held=None):
    """`galerna curve`: the walls `boundaries` (blanks between them) of a straight mesh onto the faces of a CAD file, at geometry order `order`. Returns what it says: "curved" and "elements", "nodes" of walls, "held" back and by
    at most "farthest", "unknowns", "ratio", the smallest min J / max J, and "seconds"; the file `held` lists the nodes that were held back. That all elements are valid is asked of `galerna info`, and ends the script where they are not."""
    start = time.time()
    text = subprocess.run([chosen.galerna, "curve", mesh, "--cad", cad, *[word for name in boundaries.split() for word in ("--boundary", name)],
                           "--order", str(order), "-o", output, *(["--held", held] if held else [])], check=True, capture_output=True, text=True).stdout
    numbers = {"seconds": time.time() - start, "text": text}
    for pattern in (r"curved: (?P<curved>\d+) of (?P<elements>\d+) elements, (?P<nodes>\d+) nodes on walls, (?P<unknowns>\d+) unknowns", r"min J / max J (?P<ratio>[\d.e+-]*\d)",
                    r"held back: (?P<held>\d+) of"):
        numbers |= {key: float(value) for key, value in re.search(pattern, text).groupdict().items()}
    far = re.search(r", (\S+) from its shape", text)
    numbers["farthest"] = float(far.group(1)) if far else 0.0
    said = subprocess.run([chosen.galerna, "info", output], capture_output=True, text=True)
    if said.returncode != 0 or "folded" in said.stdout + said.stderr:
        sys.exit(f"{output}: {said.stdout}{said.stderr}")
    return numbers


def replace_table(chosen, name, caption, heading, rows):
    """Puts a table between the marks of `name` on the page: the line `caption`, if any, the `heading` "| a | b |" and `rows` of the same form."""
    page = pathlib.Path(chosen.page)
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    head, rest = page.read_text().split(begin)
    lines = [begin, *([caption, ""] if caption else []), heading, "| " + "--- | " * (heading.count("|") - 1), *rows, end]
    page.write_text(head + "\n".join(line.rstrip() for line in lines) + rest.split(end)[1])
