#!/usr/bin/env python3
"""Sod's shock tube with the entropy filter on elements of every shape: L1 error of density against the exact solution, its ratio from mesh to mesh, how far
the density leaves the range of the exact solution, and the plateau behind the shock, into docs/validation.md.

    python3 cases/sod/shapes.py --galerna build/galerna [--device cuda] [--counts 50,100] [--degrees 1,2,3,4,5] [--shapes triangles,hexahedra]

The tube is n cells long, two wide in the plane and one wide in space. Rows of shapes and degrees that are not run stay as they are.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import boxes  # noqa: E402
import validation  # noqa: E402

JUMP, PLATEAU = 1 - 0.125, 0.2655737117
HEADING = "| elements | p | cells along x | L1 error of density | ratio | beyond the range / jump | plateau | filtered | steps |"


def beyond(line):
    """How far the density lies above 1, above the plateau near the shock, or below 0.125, over the jump."""
    behind_shock = max(row["density"] for row in line if 0.72 < row["x"] < 0.86) - PLATEAU
    return max(max(row["density"] for row in line) - 1, behind_shock, 0.125 - min(row["density"] for row in line)) / JUMP


def plateau(line):
    """The mean density between contact and shock, relative to the exact one."""
    values = [row["density"] for row in line if 0.72 < row["x"] < 0.83]
    return sum(values) / len(values) / PLATEAU - 1


def run(chosen, shape, degree, count):
    plane = shape in ("triangles", "quadrilaterals")
    mesh = pathlib.Path(validation.SCRATCH.name) / f"{shape}-{count}.msh"
    h = 1 / count
    boxes.write(mesh, shape, (count, 2) if plane else (count, 1, 1), (1, 2 * h) if plane else (1, h, h))
    at = [0.9 * h] if plane else [0.45 * h, 0.4 * h]
    more = {} if plane else {"initial__velocity_z": 0, "exact__velocity_z": 0, "boundary__front__type": "slip-wall", "boundary__back__type": "slip-wall"}
    return validation.run(chosen, "sod", discretization__order=degree, mesh__file=f'"{mesh}"', shock__limiter="", shock__variables="",
                          shock__method="filter", output__picture="", output__probe__axis__point=[0, *at], output__probe__axis__end=[1, *at], **more)


def main():
    chosen = validation.options(__doc__, counts="50,100", degrees="1,2,3,4,5", shapes=",".join(boxes.SHAPES))
    table = validation.recorded_rows(chosen, "sod-shapes", 3)
    device = ""
    for shape in chosen.shapes.split(","):
        for degree in chosen.degrees.split(","):
            previous = None
            for count in chosen.counts.split(","):
                report = run(chosen, shape, degree, int(count))
                device, line = report["device"], validation.last_line(report, "axis")
                error = report["errors"]["density"]["l1_normalized"]
                ratio = "" if previous is None else f"{previous / error:.2f}"
                table[shape, degree, count] = (f"| {shape} | {degree} | {count} | {error:.3e} | {ratio} | {100 * beyond(line):.2f} % | {100 * plateau(line):+.2f} % | "
                                               f"{100 * report['limiter']['filtered']:.2f} % | {report['time']['steps']} |")
                print(table[shape, degree, count], flush=True)
                previous = error
    order = [(shape, str(degree), count) for shape in boxes.SHAPES for degree in range(1, 7) for count in ("50", "100", "200", "400")]
    validation.replace_table(chosen, "sod-shapes", f"Device: {device}. HLLC flux, entropy filter, ssprk33, step from the positivity bound.", HEADING,
                             [table[key] for key in order if key in table])


if __name__ == "__main__":
    main()
