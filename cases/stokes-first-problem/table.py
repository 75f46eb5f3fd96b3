#!/usr/bin/env python3
"""Stokes' first problem: friction, momentum and errors with and without what is done at shocks, into docs/validation.md.

    python3 cases/stokes-first-problem/table.py --galerna build/galerna [--device cuda] [--only "1: filter; 2: viscosity"]

Makes its mesh with gmsh; --meshes DIR takes DIR/stokes-first-problem.msh instead. Rows that are not run stay as they are.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

VISCOSITY, SPEED, WIDTH, START, END = 0.001, 0.05, 0.08, 0.1, 1.0
METHODS = {"none": {}, "filter": {"shock__method": "filter"}, "viscosity": {"shock__method": "viscosity"}, "Barth-Jespersen": {"shock__limiter": "barth-jespersen", "shock__variables": "characteristic"},
           "hierarchical": {"shock__limiter": "hierarchical", "shock__variables": "characteristic"}}
RUNS = [(1, "none"), (1, "Barth-Jespersen"), (1, "hierarchical"), (1, "filter"), (1, "viscosity"), (2, "none"), (2, "hierarchical"), (2, "filter"),
        (2, "viscosity"), (3, "none"), (3, "hierarchical"), (3, "filter"), (3, "viscosity")]


def shear(time):
    """Friction of the exact solution on the floor, per unit of area."""
    return VISCOSITY * SPEED / math.sqrt(math.pi * VISCOSITY * time)


def main():
    chosen = validation.options(__doc__, meshes="", only="; ".join(f"{degree}: {method}" for degree, method in RUNS))
    mesh = validation.meshes(chosen, HERE / "strip.geo", {"stokes-first-problem": {}})["stokes-first-problem"]
    exact_loss = 2 * WIDTH * (shear(1) * math.sqrt(END) - shear(1) * math.sqrt(START))
    table = validation.recorded_rows(chosen, "stokes-first-problem", 2)
    wanted = [text.strip() for text in chosen.only.split(";")]
    for degree, method in RUNS:
        if f"{degree}: {method}" not in wanted:
            continue
        report = validation.run(chosen, "stokes-first-problem", discretization__order=degree, mesh__file=mesh, **METHODS[method])
        momentum = report["conservation"]["momentum_x"]
        lost = momentum["start"] - momentum["end"]
        wall = validation.rows(report, "wall_floor.csv")
        friction = sum(row["shear"] for row in wall) / len(wall)
        shares = report.get("limiter", {})
        cut = "".join(f"{100 * shares[name]:.1f} %" for name in ("slopes", "filtered", "viscosity") if name in shares)
        device = report["device"].split(",")[0]
        table[str(degree), method] = (f"| {degree} | {method} | {100 * (friction / shear(END) - 1):+.2f} % | {100 * (lost / exact_loss - 1):+.2f} % | "
                                      f"{report['errors']['momentum_x']['l1']:.2e} | {cut} | {report['time']['steps']} | {device} |")
        print(table[str(degree), method], flush=True)
    validation.replace_table(chosen, "stokes-first-problem", "Local Lax-Friedrichs flux, BR2, limiters of characteristic variables, ssprk33, cfl = 0.9.",
        "| p | method | friction at the end | momentum lost since the start | L1 error of momentum | elements changed | steps | device |",
        [table[str(degree), method] for degree, method in RUNS if (str(degree), method) in table])


if __name__ == "__main__":
    main()
