#!/usr/bin/env python3
"""The drag of the section from CAD beside that of the same section by formula (../naca0012-re5000), on the same mesh, into README.md. Ends with an error where they differ by more than 1e-6.

    python3 cases/naca0012-cad/compare.py --galerna build/galerna [--degrees 2,3,4]
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

FORMULA = HERE.parent / "naca0012-re5000"
RUNS = {"formula": (FORMULA / "case.toml", {}), "formula, as an elastic body": (FORMULA / "case.toml", {"mesh__elasticity": "{}"}), "CAD": (HERE / "cad.toml", {})}


def main():
    chosen = validation.options(__doc__, page=HERE / "README.md", degrees="2,3,4", meshes="")
    mesh = validation.meshes(chosen, FORMULA / "airfoil.geo", {"naca0012-re5000": {}})["naca0012-re5000"]
    subprocess.run(["gmsh", "-v", "1", "-", HERE / "section.geo"], check=True, stdout=subprocess.DEVNULL)
    rows = []
    for degree in map(int, chosen.degrees.split(",")):
        first = None
        for name, (case, settings) in RUNS.items():
            report = validation.run_file(chosen, case, mesh__file=f'"{mesh}"', discretization__order=degree, output__picture="", **settings)
            drag = report["coefficients"]["airfoil"]
            first = first or drag["drag"]
            rows.append(f"| {degree} | {name} | {drag['drag_pressure']:.6f} | {drag['drag_viscous']:.6f} | {drag['drag']:.8f} | {drag['drag'] - first:.1e} | {report['residual']['relative']:.0e} |")
            print(rows[-1], flush=True)
            if abs(drag["drag"] - first) > 1e-6:
                sys.exit("the drag from CAD is another one")
    validation.replace_table(chosen, "naca0012-cad", f"Device: {report['device']}.", "| p | section | pressure drag | friction drag | drag | less that by formula | residual |", rows)


if __name__ == "__main__":
    main()
