#!/usr/bin/env python3
"""Manufactured viscous flow on curved quadrilaterals beside curved triangles at degrees 1-5 on three meshes: errors and their orders, into
docs/validation.md.

    python3 cases/manufactured-flow/convergence.py --galerna build/galerna [--device cuda] [--counts 3,6] [--degrees 1,2]

Makes its meshes with gmsh; --meshes DIR takes DIR/manufactured-flow-3.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402


def errors_of(report):
    """L2 errors of density, momentum and energy."""
    l2 = {name: error["l2"] for name, error in report["errors"].items()}
    return l2["density"], math.hypot(l2["momentum_x"], l2["momentum_y"]), l2["energy"]


def main():
    chosen = validation.options(__doc__, counts="3,6,12", degrees="1,2,3,4,5", meshes="")
    counts = chosen.counts.split(",")
    paths = validation.meshes(chosen, HERE / "mixed.geo", {f"manufactured-flow-{count}": {"n": count} for count in counts})
    table, device = [], ""
    for degree in map(int, chosen.degrees.split(",")):
        errors = []
        for k, count in enumerate(counts):
            report = validation.run(chosen, "manufactured-flow", discretization__order=degree, mesh__file=paths[f"manufactured-flow-{count}"],
                                    picture=("density", "manufactured-flow.png") if (degree, k) == (3, 1) else None)
            device, elements = report["device"], report["mesh"]["elements"]
            errors.append(errors_of(report))
            cells = [f"{error:.3e} | {validation.order(column, k)}" for error, column in zip(errors[k], zip(*errors))]
            table.append(f"| {degree} | {elements['quadrilaterals']} + {elements['triangles']} | {' | '.join(cells)} | {report['time']['steps']} |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "manufactured-flow",
        f"Device: {device}. Geometry order 2, mu = 1e-4, HLLC flux, BR2, ssprk54, cfl = 0.5, t = 0.2.",
        "| p | quadrilaterals + triangles | L2 error of density | order | of momentum | order | of energy | order | steps |",
        table)


if __name__ == "__main__":
    main()
