#!/usr/bin/env python3
"""Steady cases by Newton's method beside the steps in time that the cases have.

    python3 bench/steady.py --galerna build/galerna [--device auto] [--rows cylinder-m038:3,sphere-re100:2] [--limit 60] [--output FILE.json]

Each case is run as it stands but for its degree and [time], which is scheme = "newton" with steady_residual = 1e-11; then, unless --limit is 0, as it stands, for
so many seconds at most. Prints, as a table: whether the residual fell to that, steps, right-hand sides at all degrees, seconds of the loop, coefficients of the
walls both ways. Meshes are made where they are missing.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ("cylinder-m038", "naca0012-subsonic", "cylinder-re40", "naca0012-re5000", "flat-plate-blasius", "lid-driven-cavity", "sphere-m038", "sphere-re100")
ROWS = ",".join(f"{case}:{degree}" for case in CASES for degree in (1, 2, 3, 4))
TIME = '[time]\nscheme = "newton"\nsteady_residual = 1e-11\n'


def mesh_of(case):
    for geo in case.glob("*.geo"):
        mesh = geo.with_suffix(".msh")
        if not mesh.exists():
            dimension = "3" if "Physical Volume" in geo.read_text() else "2"
            subprocess.run(["gmsh", "-v", "1", f"-{dimension}", geo, "-format", "msh41", "-o", mesh], check=True)


def newton_case(case):
    """The case with Newton's method in place of its [time], beside it."""
    text = (case / "case.toml").read_text()
    changed = re.sub(r"(?ms)^\[time\]$.*?(?=^\[)", TIME + "\n", text)
    file = case / "newton.toml"
    file.write_text(changed)
    return file


def run(arguments, file, degree, limit):
    """The report of a run; None where it was stopped after `limit` seconds without one."""
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.galerna, "run", file, "--device", arguments.device, "--set", f"discretization.order={degree}", "-o", folder]
        # An interrupted run says how far it came.
        process = subprocess.Popen(["timeout", "-s", "INT", str(limit)] + command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log, _ = process.communicate()
        report = pathlib.Path(folder) / "report.json"
        if not report.exists():
            print(log[-2000:])
            return None
        return json.loads(report.read_text())


def row_of(report):
    time = report["time"]
    coefficients = report.get("coefficients", {}).get("all", {})
    return {"status": report["status"], "residual": report.get("residual", {}).get("relative"), "steps": time["steps"],
            "right_hand_sides": time["rhs_evaluations"],
            "of_the_last_degree": report.get("newton", {}).get("degrees", [{}])[-1].get("rhs_evaluations"), "seconds": time["wall_loop"], "drag": coefficients.get("drag"),
            "lift": coefficients.get("lift"), "device": report["device"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", type=pathlib.Path, default=ROOT / "build/galerna")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--rows", default=ROWS)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    results = []
    print("| case | p | way | status | residual | steps | right-hand sides | of the last degree | loop, s | drag | lift |\n" + "| --- " * 11 + "|")
    for row in arguments.rows.split(","):
        name, degree = row.split(":")
        case = ROOT / "cases" / name
        mesh_of(case)
        ways = [("newton", newton_case(case), 300)] + ([("in time", case / "case.toml", arguments.limit)] if arguments.limit else [])
        for way, file, limit in ways:
            report = run(arguments, file, int(degree), limit)
            if way == "newton":
                file.unlink()
            if report is None:
                continue
            result = {"case": name, "degree": int(degree), "way": way, **row_of(report)}
            results.append(result)
            number = lambda value, form: "" if value is None else format(value, form)
            print(f"| {name} | {degree} | {way} | {result['status']} | {number(result['residual'], '.1e')} | {result['steps']} | "
                  f"{result['right_hand_sides']} | {number(result['of_the_last_degree'], 'd')} | {result['seconds']:.2f} | {number(result['drag'], '.9g')} | {number(result['lift'], '.3g')} |", flush=True)
    if arguments.output:
        arguments.output.write_text(json.dumps({"rows": results}, indent=1) + "\n")


if __name__ == "__main__":
    main()
