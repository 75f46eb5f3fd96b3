#!/usr/bin/env python3
"""The airfoil with curved elements along it, at degrees 1-3 on a coarse mesh and its uniform refinements: entropy error, drag and lift, all of which
vanish in the exact flow, and the orders of the first two, into docs/validation.md.

    python3 cases/naca0012-subsonic/convergence.py --galerna build/galerna [--device cuda] [--refinements 0,1] [--degrees 1,2,3]

By Newton's method. Makes its mesh with gmsh; --meshes DIR takes DIR/naca0012-subsonic-coarse.msh instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

CURVED = {"mesh__curve__airfoil__shape": '"naca4"', "mesh__curve__airfoil__code": '"0012"', "mesh__curve__airfoil__trailing_edge": '"closed"',
          "boundary__airfoil__curved": "false"}
NAME = "naca0012-subsonic-coarse"


def main():
    chosen = validation.options(__doc__, refinements="0,1,2", degrees="1,2,3", meshes="")
    refinements = [int(word) for word in chosen.refinements.split(",")]
    path = validation.meshes(chosen, HERE / "airfoil.geo", {NAME: {"h0": 0.024, "h1": 0.1}})[NAME]
    degrees = [int(word) for word in chosen.degrees.split(",")]
    reports = {degree: [] for degree in degrees}
    for refine in refinements:
        for degree in degrees:
            report = validation.run(chosen, "naca0012-subsonic", discretization__order=degree, mesh__file=path, mesh__refine=refine, mesh__geometry_order=4, **CURVED)
            reports[degree].append(report)
            print(f"p = {degree}, {report['mesh']['elements']['triangles']} triangles: residual {report['residual']['relative']:.0e}", flush=True)
    table = []
    for degree in degrees:
        entropies = [report["entropy_error"]["l2"] for report in reports[degree]]
        drags = [abs(report["coefficients"]["airfoil"]["drag"]) for report in reports[degree]]
        for k, report in enumerate(reports[degree]):
            lift = abs(report["coefficients"]["airfoil"]["lift"])
            table.append(f"| {degree} | {report['mesh']['elements']['triangles']} | {entropies[k]:.3e} | {validation.order(entropies, k)} | {drags[k]:.2e} | "
                         f"{validation.order(drags, k)} | {lift:.0e} | {report['time']['rhs_evaluations']:,} | {report['residual']['relative']:.0e} |")
    print("\n".join(table))
    validation.replace_table(chosen, "naca0012-subsonic-curved",
        f"Device: {report['device']}. Roe flux, Newton's method; triangles of order 4 along the airfoil.",
        "| p | triangles | L2 error of entropy | order | drag coefficient, magnitude | order | lift | right-hand sides, all degrees | residual |",
        table)


if __name__ == "__main__":
    main()
