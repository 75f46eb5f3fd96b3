#!/usr/bin/env python3
"""Order of accuracy on unstructured meshes: runs the vortex for degrees 1-5 on a Gmsh mesh and its uniform refinements and writes the
table into docs/validation.md.

    python3 cases/isentropic-vortex/convergence.py --galerna build/galerna [--device cuda] [--levels 3]

The mesh: gmsh -2 box.geo -format msh41 -o box.msh.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation  # noqa: E402


def main():
    chosen = validation.options(__doc__, levels=4)
    rows, device = [], ""
    for degree in range(1, 6):
        errors = []
        for refine in range(chosen.levels):
            cfl = 0.5 if degree < 4 else 0.2  # the error of the fourth-order steps must stay below that of the mesh
            report = validation.run(chosen, "isentropic-vortex", discretization__order=degree, mesh__refine=refine, time__cfl=cfl,
                                    time__end=1)
            device = report["device"]
            errors.append(report["errors"]["density"]["l2"])
            drift = max(abs(c["end"] - c["start"]) / abs(c["start"]) for c in report["conservation"].values())
            rows.append(f"| {degree} | {report['mesh']['elements']['triangles']} | {errors[refine]:.3e} | {validation.order(errors, refine)} | {drift:.1e} |")
            print(rows[-1], flush=True)
    validation.replace_table(chosen, "isentropic-vortex",
        f"Device: {device}. HLLC flux, ssprk54, t = 1.",
        "| p | triangles | L2 error of density | order | largest relative drift of mass, momentum, energy |",
        rows)


if __name__ == "__main__":
    main()
