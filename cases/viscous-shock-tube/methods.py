#!/usr/bin/env python3
"""Viscous shock tube at Re = 200 and 1000 with each method for shocks, on small meshes: extremes of the density and friction on the floor at t = 1, into README.md.

    python3 cases/viscous-shock-tube/methods.py --galerna build/galerna [--device cuda] [--squares 60] [--degree 1] [--only "200: filter; 1000: filter"]

Makes its mesh with gmsh; --meshes DIR keeps it. Rows that are not run stay as they are.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import table  # noqa: E402
import validation  # noqa: E402

LIMITER_OFF = {"shock__limiter": "", "shock__variables": "", "shock__positivity": ""}
METHODS = {"limiter": {}, "filter": {**LIMITER_OFF, "shock__method": '"filter"'}, "viscosity": {**LIMITER_OFF, "shock__method": '"viscosity"'},
           "persson-peraire": {**LIMITER_OFF, "shock__method": '"viscosity"', "shock__sensor": '"persson-peraire"'}}
COLUMNS = [round(0.7 + 0.01 * k, 2) for k in range(21)]


def column_name(x):
    return f"column{round(100 * x):02d}"


def columns():
    """Settings for probes on vertical lines through the large vortex."""
    return table.probes({column_name(x): (f"[{x}, 0.0001]", f"[{x}, 0.25]", 501) for x in COLUMNS})


def vortex_height(report):
    """The largest height at which the density on such a line is below nine tenths of its mean over 0.2 < y < 0.25, above the vortex."""
    heights = []
    for x in COLUMNS:
        line = validation.last_line(report, column_name(x))
        above = [at["density"] for at in line if at["y"] > 0.2]
        heights += [at["y"] for at in line if at["y"] <= 0.2 and at["density"] < 0.9 * sum(above) / len(above)]
    return max(heights)


HEADING = ("| Re | method | squares along the tube | p | " + " | ".join(name for name, *_ in table.EXTREMES) + " | " +
           " | ".join(f"friction at {x}" for x, _ in table.FRICTION) + " | vortex height | elements changed | steps |")


def row_of(report, reynolds, method, squares, degree):
    line, limited = validation.last_line(report, "floor"), report["limiter"]
    changed = limited.get("filtered", limited.get("slopes", limited.get("viscosity", 0)))
    return (f"| {reynolds} | {method} | {squares} | {degree} | {table.cells(table.extreme(line, kind, between) for _, kind, between, _ in table.EXTREMES)} | "
            f"{table.friction_cells(report)} | {vortex_height(report):.3f} | {100 * changed:.1f} % | {report['time']['steps']} |")


def main():
    runs = [(reynolds, method) for reynolds in (200, 1000) for method in METHODS]
    chosen = validation.options(__doc__, page="../cases/viscous-shock-tube/README.md", meshes="", squares=60, degree=1,
                                only="; ".join(f"{reynolds}: {method}" for reynolds, method in runs))
    name = f"viscous-shock-tube-{chosen.squares}"
    mesh = validation.meshes(chosen, HERE / "box.geo", {name: {"n": chosen.squares}})[name]
    rows = validation.recorded_rows(chosen, "methods", 4)
    asked = [text.strip() for text in chosen.only.split(";")]
    for reynolds, method in runs:
        if f"{reynolds}: {method}" not in asked:
            continue
        report = validation.run(chosen, "viscous-shock-tube", discretization__order=chosen.degree, mesh__file=f'"{mesh}"', equations__mu=1 / reynolds,
                                output__picture="", **columns(), **METHODS[method])
        rows[str(reynolds), method, str(chosen.squares), str(chosen.degree)] = row_of(report, reynolds, method, chosen.squares, chosen.degree)
        print(rows[str(reynolds), method, str(chosen.squares), str(chosen.degree)], flush=True)
        order = {key: k for k, key in enumerate((str(reynolds), method) for reynolds, method in runs)}
        kept = sorted((key for key in rows if key[:2] in order), key=lambda key: (order[key[:2]], int(key[2]), int(key[3])))
        validation.replace_table(chosen, "methods", "", HEADING, [rows[key] for key in kept])


if __name__ == "__main__":
    main()
