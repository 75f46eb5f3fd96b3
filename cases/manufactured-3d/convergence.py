#!/usr/bin/env python3
"""Manufactured flow in space by the Navier-Stokes and the Euler equations, on curved tetrahedra and on prisms beside hexahedra: errors and their orders, into
docs/validation.md.

    python3 cases/manufactured-3d/convergence.py --galerna build/galerna [--device cuda] [--counts 3,6] [--degrees 1,2] [--kinds ball]

Makes its meshes with gmsh; --meshes DIR takes DIR/manufactured-3d-ball-3.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

EQUATIONS = {"navier-stokes": {}, "euler": {"equations__type": "euler", "equations__mu": "", "equations__prandtl": "", "constants__mu": 0}}


def errors_of(report):
    """L2 errors of density, momentum and energy."""
    l2 = {name: error["l2"] for name, error in report["errors"].items()}
    return l2["density"], math.hypot(l2["momentum_x"], l2["momentum_y"], l2["momentum_z"]), l2["energy"]


def main():
    chosen = validation.options(__doc__, counts="3,6", degrees="1,2,3", kinds="ball,blocks", meshes="")
    counts, kinds, table, device = chosen.counts.split(","), chosen.kinds.split(","), [], ""
    paths = validation.meshes(chosen, HERE / "shapes.geo",
                              {f"manufactured-3d-{kind}-{count}": {"n": int(count) if kind == "ball" else 2 * int(count), "blocks": int(kind == "blocks")}
                               for kind in kinds for count in counts})
    for kind in kinds:
        for equations, settings in EQUATIONS.items():
            for degree in map(int, chosen.degrees.split(",")):
                if kind == "blocks" and degree > 2:
                    continue  # compilers take minutes for the code of hexahedra
                errors, sizes = [], []
                for k, count in enumerate(counts):
                    shown = (kind, equations, degree, k) == ("ball", "navier-stokes", 2, len(counts) - 1)
                    report = validation.run(chosen, "manufactured-3d", discretization__order=degree, mesh__file=paths[f"manufactured-3d-{kind}-{count}"],
                                            picture=("density", "manufactured-3d.png") if shown else None, **settings)
                    device, elements = report["device"], report["mesh"]["elements"]
                    errors.append(errors_of(report))
                    sizes.append(sum(elements.values()))
                    ratio = (sizes[k] / sizes[k - 1])**(1 / 3) if k else 1
                    cells = [f"{error:.3e} | {validation.order(column, k, ratio)}" for error, column in zip(errors[k], zip(*errors))]
                    count_text = " + ".join(f"{number} {name}" for name, number in elements.items() if number)
                    table.append(f"| {equations} | {count_text} | {degree} | {' | '.join(cells)} | {report['time']['steps']} |")
                    print(table[-1], flush=True)
    validation.replace_table(chosen, "manufactured-3d",
        f"Device: {device}. Tetrahedra of geometry order 2, prisms and hexahedra straight; mu = 1e-3, HLLC flux, BR2, ssprk54, cfl = 0.5, t = 0.2. Orders are "
        "those in the cube root of the number of elements.",
        "| equations | elements | p | L2 error of density | order | of momentum | order | of energy | order | steps |",
        table)


if __name__ == "__main__":
    main()
