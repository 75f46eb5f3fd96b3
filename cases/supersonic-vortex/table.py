#!/usr/bin/env python3
"""Runs the supersonic vortex on meshes A-D and degrees 1-5 and writes the table of density errors into docs/validation.md.

    python3 cases/supersonic-vortex/table.py --galerna build/galerna [--device cuda] [--degrees 1,2,3] [--meshes A,B,C]

The mesh: gmsh -2 annulus.geo -format msh41 -o annulus.msh.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation  # noqa: E402

# Fuhry, Giuliani, Krivodonova, Int. J. Numer. Meth. Fluids 76 (2014) 982, table 3: L2 errors of density.
PUBLISHED = {1: [4.934e-3, 1.226e-3, 3.267e-4, 8.695e-5], 2: [3.708e-4, 6.003e-5, 8.077e-6, 1.043e-6],
             3: [8.695e-6, 5.598e-7, 3.237e-8, 1.904e-9], 4: [4.719e-7, 1.887e-8, 6.925e-10, 2.189e-11]}
MESHES = "ABCD"


def main():
    chosen = validation.options(__doc__, degrees="1,2,3,4,5", meshes="A,B,C,D")
    rows, device = [], ""
    for degree in map(int, chosen.degrees.split(",")):
        errors = []
        for k, mesh in enumerate(chosen.meshes.split(",")):
            refine = MESHES.index(mesh)
            # At p = 5 on mesh D the projection of the exact solution already changes by less than 1e-14 a step: run on.
            report = validation.run(chosen, "supersonic-vortex", discretization__order=degree, mesh__refine=refine,
                                    time__steady=1e-14 if degree < 5 else 1e-16)
            device = report["device"]
            errors.append(report["errors"]["density"]["l2"])
            published = PUBLISHED.get(degree, [None] * 4)[refine]
            beside = f"{published:.3e} | {100 * errors[k] / published:.0f} %" if published else "- | -"
            rows.append(f"| {degree} | {mesh} ({report['mesh']['elements']['triangles']}) | {errors[k]:.3e} | {validation.order(errors, k)} | {beside} | "
                        f"{report['time']['steps']} | {report['residual']['change']:.1e} ({report['steady_by']}) |")
            print(rows[-1], flush=True)
    validation.replace_table(chosen, "supersonic-vortex",
        f"Device: {device}. Local Lax-Friedrichs flux, ssprk54, cfl = 0.9.",
        "| p | mesh | L2 error of density | order | published | ours / published | steps | last change |",
        rows)


if __name__ == "__main__":
    main()
