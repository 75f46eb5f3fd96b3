#!/usr/bin/env python3
"""Stokes' first problem: friction, momentum and errors with and without limiters, into docs/validation.md.

    python3 cases/stokes-first-problem/table.py --galerna build/galerna [--device cuda]

Makes its mesh with gmsh; --meshes DIR takes DIR/stokes-first-problem.msh instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

VISCOSITY, SPEED, WIDTH, START, END = 0.001, 0.05, 0.08, 0.1, 1.0
LIMITERS = {"none": {}, "Barth-Jespersen": {"shock__limiter": "barth-jespersen", "shock__variables": "characteristic"},
            "hierarchical": {"shock__limiter": "hierarchical", "shock__variables": "characteristic"}}
RUNS = [(1, "none"), (1, "Barth-Jespersen"), (1, "hierarchical"), (2, "none"), (2, "hierarchical"), (3, "none"), (3, "hierarchical")]


def shear(time):
    """Friction of the exact solution on the floor, per unit of area."""
    return VISCOSITY * SPEED / math.sqrt(math.pi * VISCOSITY * time)


def main():
    chosen = validation.options(__doc__, meshes="")
    mesh = validation.meshes(chosen, HERE / "strip.geo", {"stokes-first-problem": {}})["stokes-first-problem"]
    exact_loss = 2 * WIDTH * (shear(1) * math.sqrt(END) - shear(1) * math.sqrt(START))
    table, device = [], ""
    for degree, limiter in RUNS:
        report = validation.run(chosen, "stokes-first-problem", discretization__order=degree, mesh__file=mesh, **LIMITERS[limiter])
        device = report["device"]
        momentum = report["conservation"]["momentum_x"]
        lost = momentum["start"] - momentum["end"]
        wall = validation.rows(report, "wall_floor.csv")
        friction = sum(row["shear"] for row in wall) / len(wall)
        cut = f"{100 * report['limiter']['slopes']:.1f} %" if "limiter" in report else ""
        table.append(f"| {degree} | {limiter} | {100 * (friction / shear(END) - 1):+.2f} % | {100 * (lost / exact_loss - 1):+.2f} % | "
                     f"{report['errors']['momentum_x']['l1']:.2e} | {cut} | {report['time']['steps']} |")
        print(table[-1], flush=True)
    validation.replace_table(chosen, "stokes-first-problem",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, limiters of characteristic variables, ssprk33, cfl = 0.9.",
        "| p | limiter | friction at the end | momentum lost since the start | L1 error of momentum | slopes cut | steps |",
        table)


if __name__ == "__main__":
    main()
