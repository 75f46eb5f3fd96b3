#!/usr/bin/env python3
"""Viscous shock tube at Re = 1000: extremes of the density on the floor at t = 1 beside those of Daru and Tenaud, into docs/validation.md.

    python3 cases/viscous-shock-tube/table.py --galerna build/galerna [--device cuda] [--only "1: 125; 2: 125"]

--only takes pairs of degree and squares along the tube. Makes its meshes with gmsh; --meshes DIR takes DIR/viscous-shock-tube-125.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

RUNS = "1: 125; 1: 250; 2: 125; 2: 250"
# Extremes on the floor: name, greatest or least, where, and (x, density) of V. Daru, C. Tenaud, Comput. Fluids 38 (2009) 664, scheme OSMP7
# on 4,000 x 2,000 points, read off their plot of the density along the wall.
EXTREMES = [("foot of the shock", max, (0.43, 0.55), (0.479, 60.4)), ("behind it", min, (0.55, 0.66), (0.639, 30.9)),
            ("first stagnation point", max, (0.66, 0.735), (0.710, 94.3)), ("last stagnation point", max, (0.84, 0.95), (0.882, 119.1))]


def extreme(line, kind, between):
    """(x, density) of the greatest or least density between two places."""
    row = kind((row for row in line if between[0] <= row["x"] <= between[1]), key=lambda row: row["density"])
    return row["x"], row["density"]


def cells(places):
    return " | ".join(f"{density:.1f} at {x:.3f}" for x, density in places)


def main():
    chosen = validation.options(__doc__, only=RUNS, meshes="")
    runs = [tuple(map(int, words.split(":"))) for words in chosen.only.split(";")]
    names = {squares: f"viscous-shock-tube-{squares}" for _, squares in runs}
    paths = validation.meshes(chosen, HERE / "box.geo", {name: {"n": squares} for squares, name in names.items()})
    table, device = [], ""
    for degree, squares in runs:
        report = validation.run(chosen, "viscous-shock-tube", discretization__order=degree, mesh__file=paths[names[squares]],
                                picture=("density", "viscous-shock-tube.png") if (degree, squares) == runs[-1] else None)
        device, line = report["device"], validation.last_line(report, "floor")
        elements = report["mesh"]["elements"]["triangles"]
        table.append(f"| {elements} triangles | {degree} | {cells(extreme(line, kind, between) for _, kind, between, _ in EXTREMES)} | "
                     f"{100 * report['limiter']['slopes']:.1f} % | {report['time']['steps']} |")
        print(table[-1], flush=True)
    validation.replace_table(chosen, "viscous-shock-tube", [
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, hierarchical limiter of characteristic variables, ssprk33, cfl = 0.9.", "",
        "| | p | " + " | ".join(name for name, *_ in EXTREMES) + " | slopes cut | steps |",
        "| --- | --- | " + "--- | " * len(EXTREMES) + "--- | --- |", *table,
        f"| Daru, Tenaud 2009, 4,000 x 2,000 | | {cells(published for *_, published in EXTREMES)} | | |"])


if __name__ == "__main__":
    main()
