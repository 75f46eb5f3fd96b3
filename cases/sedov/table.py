#!/usr/bin/env python3
"""Sedov's blast wave on solids of every shape, with the entropy filter and with positivity alone: does the run reach its end, where is the shock, how well is energy
kept, into docs/validation.md.

    python3 cases/sedov/table.py --galerna build/galerna [--device cuda] [--cells 12] [--degrees 1,2,3,4] [--shapes hexahedra,prisms]

The shock of the exact solution is at r = t^0.4 (J. R. Kamm, F. X. Timmes, LA-UR-07-2849). Here it is where the density along a ray falls through the middle between
its largest value and 1 ahead. Rows of shapes and degrees that are not run stay as they are.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import boxes  # noqa: E402
import validation  # noqa: E402

HEADING = "| elements | p | cells | method | ends | shock at r / exact | largest density | change of energy | filtered | scaled | steps | taken again |"
SOLIDS = ["tetrahedra", "hexahedra", "prisms", "pyramids"]


def radius(line):
    """Of the outermost point at which the density falls through the middle between its largest value and 1."""
    middle = (1 + max(row["density"] for row in line)) / 2
    r = [(row["x"] ** 2 + row["y"] ** 2 + row["z"] ** 2) ** 0.5 for row in line]
    for k in range(len(line) - 1, 0, -1):
        a, b = line[k - 1]["density"], line[k]["density"]
        if a >= middle > b:
            return r[k - 1] + (r[k] - r[k - 1]) * (a - middle) / (a - b)
    return float("nan")


def row(chosen, shape, degree, cells, method):
    mesh = pathlib.Path(validation.SCRATCH.name) / f"sedov-{shape}-{cells}.msh"
    boxes.write(mesh, shape, (cells,) * 3, (1.1,) * 3, ["symmetry", "outside"] * 3)
    shock = {"shock__method": "none", "shock__positivity": "true"} if method == "positivity" else {}
    report = validation.run(chosen, HERE.name, may_fail=True, discretization__order=degree, mesh__file=f'"{mesh}"', output__picture="", **shock)
    line = validation.last_line(report, "ray") if report["status"] == "done" else []
    energy = report["conservation"]["energy"]
    text = (f"| {shape} | {degree} | {cells} | {method} | {report['status']} | "
            + (f"{radius(line) / 0.4 ** 0.4:.4f} | {max(at['density'] for at in line):.2f} | " if line else " | | ")
            + f"{abs(energy['defect'] / energy['start']):.0e} | "
            + (f"{100 * report['limiter']['filtered']:.2f} %" if method == "filter" else "") +
            f" | {100 * report['limiter']['positivity']:.2g} % | {report['time']['steps']} | {report['time'].get('rejected', 0)} |")
    return report["device"], text


def main():
    chosen = validation.options(__doc__, cells=12, degrees="1,2,3,4", shapes=",".join(SOLIDS), methods="filter,positivity")
    table = validation.recorded_rows(chosen, "sedov", 4)
    device = ""
    for shape in chosen.shapes.split(","):
        for degree in chosen.degrees.split(","):
            for method in chosen.methods.split(","):
                device, table[shape, degree, str(chosen.cells), method] = row(chosen, shape, degree, chosen.cells, method)
                print(table[shape, degree, str(chosen.cells), method], flush=True)
    order = [(shape, str(degree), str(cells), method) for shape in SOLIDS for degree in range(1, 5) for cells in (8, 12, 16, 24, 32)
             for method in ("filter", "positivity")]
    validation.replace_table(chosen, "sedov", f"Device: {device}. Local Lax-Friedrichs flux, ssprk33, step from the positivity bound; to t = 0.4.", HEADING,
                             [table[key] for key in order if key in table])


if __name__ == "__main__":
    main()
