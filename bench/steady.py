#!/usr/bin/env python3
"""Steady cases by Newton's method beside steps in time.

    python3 bench/steady.py --galerna build/galerna [--device auto] [--rows cylinder-m038:3,sphere-re100:2] [--limit 60] [--output FILE.json]

Each case is run as it stands but for its degree and steady_residual = 1e-11; then, unless --limit is 0, with the steps of IN_TIME, for so many seconds at most. Prints, as a table: whether the residual fell to that, steps, right-hand sides at all degrees, seconds of the loop, coefficients of the
walls both ways. Meshes are made where they are missing.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
IN_TIME = {
    "cylinder-m038": '{scheme = "ssprk54", cfl = 0.9, end = 200, steady = 1e-12}',
    "naca0012-subsonic": '{scheme = "ssprk54", cfl = 0.9, steady = 1e-8}',
    "cylinder-re40": '{scheme = "ssprk54", cfl = 2, steady = 1e-10}',
    "naca0012-re5000": '{scheme = "ssprk54", cfl = 2, steady = 1e-9}',
    "flat-plate-blasius": '{scheme = "ssprk54", cfl = 1.2, steady = 1e-8}',
    "lid-driven-cavity": '{scheme = "ssprk54", cfl = 1.5, steady = 1e-9}',
    "sphere-m038": '{scheme = "ssprk54", cfl = 0.9, local = true, steady = 1e-9}',
    "sphere-re100": '{scheme = "ssprk54", cfl = 0.9, local = true, sequence = [1], sequence_steady = 1e-5, steady = 1e-7}',
}
NEWTON = '{scheme = "newton", steady_residual = 1e-11}'
ROWS = ",".join(f"{case}:{degree}" for case in IN_TIME for degree in (1, 2, 3, 4))


def mesh_of(case):
    for geo in case.glob("*.geo"):
        mesh = geo.with_suffix(".msh")
        if not mesh.exists():
            dimension = "3" if "Physical Volume" in geo.read_text() else "2"
            subprocess.run(["gmsh", "-v", "1", f"-{dimension}", geo, "-format", "msh41", "-o", mesh], check=True)


def run(arguments, case, degree, time, limit):
    """The report of a run; None where it was stopped after `limit` seconds without one."""
    with tempfile.TemporaryDirectory() as folder:
        command = [arguments.galerna, "run", case / "case.toml", "--device", arguments.device, "--set", f"discretization.order={degree}",
                   "--set", f"time={time}", "-o", folder]
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
        ways = [("newton", NEWTON, 300)] + ([("in time", IN_TIME[name], arguments.limit)] if arguments.limit else [])
        for way, time, limit in ways:
            report = run(arguments, case, int(degree), time, limit)
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
