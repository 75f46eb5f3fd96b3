#!/usr/bin/env python3
"""Vortices behind a sphere at Re = 300: Strouhal number of the lift, mean drag and lift over its last periods, beside published values, into docs/validation.md.

    python3 cases/sphere-re300/table.py --galerna build/galerna --device cuda [--runs "coarse 2 700 3 1000"] [--pieces 4] [--periods 6]

Runs are a mesh, and degrees with the time at which each ends; each degree starts from the result of the one before, and is run in --pieces, each from the state of
the one before. Means are over the last --periods of lift. Without runs, --runs "", only the published values are written. Makes its meshes with gmsh; --meshes DIR takes DIR/sphere-re300-coarse.msh and so on.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

MESHES = {"coarse": {"parts": 4, "n": 4, "first": 0.06, "growth": 0.2}, "fine": {"parts": 4, "n": 6, "first": 0.04, "growth": 0.12}}
RUNS = "coarse 2 700 3 1000; fine 2 700 3 1000"
STREAM = {"length": 1, "velocity": 0.2}
FORCE = 0.5 * STREAM["velocity"] ** 2 * math.pi / 8  # of half a sphere, for coefficients
CFL = {1: 0.9, 2: 0.9, 3: 0.75}
PUBLISHED = [
    "| Johnson, Patel 1999 | | 0.137 | 0.656 | 0.069 |",
    "| Tomboulides, Orszag, Karniadakis 1993 | | 0.136 | 0.671 | - |",
    "| Kim, Kim, Choi 2001 | | 0.134 | 0.657 | 0.067 |",
    "| Constantinescu, Squires 2003 | | 0.136 | 0.655 | 0.065 |",
]


def mean(rows, column, since):
    values = [row[column] for row in rows if row["time"] > since]
    return sum(values) / len(values) / FORCE


def measured(chosen, report):
    """Cells of the table."""
    lift = validation.oscillation(chosen, report, "force_sphere_y", chosen.periods, STREAM)
    if not lift:
        return "not periodic | - | -"
    rows = validation.rows(report, "monitor.csv")
    since = rows[-1]["time"] - chosen.periods / lift["frequency"]
    return f"{lift['Strouhal number']:.4f} | {mean(rows, 'force_sphere_x', since):.4f} | {abs(mean(rows, 'force_sphere_y', since)):.4f}"


def main():
    chosen = validation.options(__doc__, runs=RUNS, pieces=1, periods=6, meshes="")
    runs = [run.split() for run in chosen.runs.split(";") if run.strip()]
    paths = validation.meshes(chosen, HERE / "sphere.geo", {f"sphere-re300-{mesh}": MESHES[mesh] for mesh, *_ in runs})
    table, caption = [], "Not computed yet."
    for mesh, *stages in runs:
        restart, begin = None, 0.0
        for degree, end in ((int(stages[k]), float(stages[k + 1])) for k in range(0, len(stages), 2)):
            for piece in range(1, chosen.pieces + 1):
                report = validation.run(chosen, "sphere-re300", restart=restart, discretization__order=degree, time__cfl=CFL[degree],
                                        time__end=begin + (end - begin) * piece / chosen.pieces, mesh__file=paths[f"sphere-re300-{mesh}"],
                                        picture=("velocity", "sphere-re300.png"))
                restart = report["checkpoint"]
            begin = end
            caption = f"Device: {report['device']}. Local Lax-Friedrichs flux, BR2, ssprk54; the last {chosen.periods} periods of lift."
            table.append(f"| {mesh}, {sum(report['mesh']['elements'].values()):,} hexahedra | {degree} | {measured(chosen, report)} |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "sphere-re300", caption, "| | p | Strouhal number | mean drag | mean lift |", [*table, *PUBLISHED])


if __name__ == "__main__":
    main()
