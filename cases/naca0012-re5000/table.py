#!/usr/bin/env python3
"""Laminar flow around the NACA 0012 section at M = 0.5, Re = 5000: parts of the drag at degrees 1-4 beside Gao et al.'s table 5, into
docs/validation.md.

    python3 cases/naca0012-re5000/table.py --galerna build/galerna [--device cuda] [--degrees 1,2,3,4]

By Newton's method. Makes its mesh with gmsh; --meshes DIR takes DIR/naca0012-re5000.msh instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

# H. Gao et al., Trans. Nanjing Univ. Aeronaut. Astronaut. 39 (2022) 450, table 5; 170 x 30 quadrilaterals.
PUBLISHED = {1: (0.01615, 0.03749, 0.05364), 2: (0.02177, 0.03400, 0.05577), 3: (0.02273, 0.03323, 0.05596), 4: (0.02287, 0.03313, 0.05600)}
# F. Bassi, S. Rebay, J. Comput. Phys. 131 (1997) 267 (BR1) and X. Yang et al. 2016 (DDG), as the same table quotes them.
OTHERS = {("Bassi, Rebay 1997, BR1", 3): (0.02208, 0.03301, 0.05509), ("Yang et al. 2016, DDG", 2): (0.02252, 0.03290, 0.05542)}


def main():
    chosen = validation.options(__doc__, degrees="1,2,3,4", meshes="")
    path = validation.meshes(chosen, HERE / "airfoil.geo", {"naca0012-re5000": {}})["naca0012-re5000"]
    table, device, elements = [], "", 0
    for degree in map(int, chosen.degrees.split(",")):
        report = validation.run(chosen, "naca0012-re5000", discretization__order=degree, mesh__file=path, mesh__geometry_order=4,
                                picture=("mach", "naca0012-re5000.png") if degree == 4 else None)
        device, elements = report["device"], report["mesh"]["elements"]["quadrilaterals"]
        drag = report["coefficients"]["airfoil"]
        points = [p["x"] for p in report["separation"]["airfoil"] if p["kind"] == "separation"]
        table.append(f"| this, {elements} quadrilaterals | {degree} | {drag['drag_pressure']:.5f} | {drag['drag_viscous']:.5f} | "
                     f"{drag['drag']:.5f} | {drag['lift']:.1e} | {', '.join(f'{x:.3f}' for x in points)} | {report['residual']['relative']:.0e} | "
                     f"{report['time']['rhs_evaluations']:,} |")
        print(table[-1], flush=True)
    published = [*((("Gao et al. 2022, 5,100 quadrilaterals", p), values) for p, values in PUBLISHED.items()), *OTHERS.items()]
    validation.replace_table(chosen, "naca0012-re5000",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, Newton's method.",
        "| | p | pressure drag | friction drag | drag | lift | separation, x | residual | right-hand sides, all degrees |",
        [*table,
        *(f"| {name} | {p} | " + " | ".join(f"{value:.5f}" for value in values) + " | | | | |" for (name, p), values in published)])


if __name__ == "__main__":
    main()
