#!/usr/bin/env python3
"""Runs the airfoil at degrees 1-3 and writes drag and lift into docs/validation.md; both vanish in the exact flow.

    python3 cases/naca0012-subsonic/drag.py --galerna build/galerna [--device cuda] [--degrees 1,2]

The mesh: gmsh -2 airfoil.geo -format msh41 -o airfoil.msh.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation  # noqa: E402

DYNAMIC_PRESSURE = 0.5 * 0.4**2  # of the free stream: density 1, speed of sound 1, M = 0.4; the chord is 1


def main():
    chosen = validation.options(__doc__, degrees="1,2,3")
    rows, device = [], ""
    for degree in map(int, chosen.degrees.split(",")):
        report = validation.run(chosen, "naca0012-subsonic", discretization__order=degree)
        device = report["device"]
        drag, lift = (force / DYNAMIC_PRESSURE for force in report["forces"]["airfoil"][:2])
        rows.append(f"| {degree} | {report['mesh']['elements']['triangles']} | {drag:.2e} | {lift:.2e} | {report['time']['rhs_evaluations']:,} |")
        print(rows[-1], flush=True)
    validation.replace_table(chosen, "naca0012-subsonic",
        f"Device: {device}. Roe flux, Newton's method.",
        "| p | triangles | drag coefficient | lift coefficient | right-hand sides, all degrees |",
        rows)


if __name__ == "__main__":
    main()
