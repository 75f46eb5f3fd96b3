#!/usr/bin/env python3
"""Manufactured flow in space by the Navier-Stokes and the Euler equations, on curved tetrahedra, on prisms beside hexahedra and on a mixture of all curved
shapes: errors and their orders, into docs/validation.md.

    python3 cases/manufactured-3d/convergence.py --galerna build/galerna [--device cuda] [--counts 3,6] [--degrees 1,2] [--kinds ball]
    python3 cases/manufactured-3d/convergence.py --galerna build/galerna --kinds mixture [--orders 2,3,4] [--counts 4,6] [--degrees 1,2]

Makes its meshes with gmsh; --meshes DIR takes DIR/manufactured-3d-ball-3.msh, DIR/manufactured-3d-mixture-order2-4.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import mixture  # noqa: E402
import validation  # noqa: E402

EQUATIONS = {"navier-stokes": {}, "euler": {"equations__type": "euler", "equations__mu": "", "equations__prandtl": "", "constants__mu": 0}}


def errors_of(report):
    """L2 errors of density, momentum and energy."""
    l2 = {name: error["l2"] for name, error in report["errors"].items()}
    return l2["density"], math.hypot(l2["momentum_x"], l2["momentum_y"], l2["momentum_z"]), l2["energy"]


def convergence(chosen, equations, degree, paths, name, picture=None):
    """Rows of the table for a sequence of meshes, and the device. `name` stands after the equations; `picture` is of the last mesh."""
    errors, sizes, rows, device = [], [], [], ""
    for k, path in enumerate(paths):
        report = validation.run(chosen, "manufactured-3d", discretization__order=degree, mesh__file=path, picture=picture if k == len(paths) - 1 else None,
                                **EQUATIONS[equations])
        device, elements = report["device"], report["mesh"]["elements"]
        errors.append(errors_of(report))
        sizes.append(sum(elements.values()))
        ratio = (sizes[k] / sizes[k - 1])**(1 / 3) if k else 1
        cells = [f"{error:.3e} | {validation.order(column, k, ratio)}" for error, column in zip(errors[k], zip(*errors))]
        rows.append(f"| {equations} | {name(elements)} | {degree} | {' | '.join(cells)} | {report['time']['steps']} |")
        print(rows[-1], flush=True)
    return rows, device


def count_text(elements):
    return " + ".join(f"{number} {name}" for name, number in elements.items() if number)


COLUMNS = "p | L2 error of density | order | of momentum | order | of energy | order | steps |"
FLOW = "mu = 1e-3, HLLC flux, BR2, ssprk54, cfl = 0.5, t = 0.2. Orders are those in the cube root of the number of elements."


def mixtures(chosen, counts):
    """The table of the mixture of curved elements."""
    table, device = [], ""
    folder = pathlib.Path(chosen.meshes or validation.SCRATCH.name)
    folder.mkdir(parents=True, exist_ok=True)
    for degree in map(int, chosen.degrees.split(",")):
        for order in map(int, chosen.orders.split(",")):
            paths = [folder / f"manufactured-3d-mixture-order{order}-{count}.msh" for count in counts]
            for path, count in zip(paths, counts):
                if not path.exists():
                    mixture.write(int(count), order, path)
            for equations in EQUATIONS if not chosen.prepare else []:
                rows, device = convergence(chosen, equations, degree, [str(path.resolve()) for path in paths],
                                           lambda elements: f"{order} | {sum(elements.values())}")
                table += rows
    if not chosen.prepare:
        validation.replace_table(chosen, "manufactured-3d-mixture", f"Device: {device}. Of 34 elements 20 are pyramids, 8 tetrahedra, 4 prisms and 2 hexahedra; {FLOW}",
                                 f"| equations | geometry order | elements | {COLUMNS}", table)


def main():
    chosen = validation.options(__doc__, counts="3,6", degrees="1,2,3", kinds="ball,blocks", orders="2,3,4", meshes="")
    counts, kinds, table, device = chosen.counts.split(","), chosen.kinds.split(","), [], ""
    if kinds == ["mixture"]:
        return mixtures(chosen, counts)
    paths = validation.meshes(chosen, HERE / "shapes.geo",
                              {f"manufactured-3d-{kind}-{count}": {"n": int(count) if kind == "ball" else 2 * int(count), "blocks": int(kind == "blocks")}
                               for kind in kinds for count in counts})
    for kind in kinds:
        for equations in EQUATIONS:
            for degree in map(int, chosen.degrees.split(",")):
                if kind == "blocks" and degree > 2:
                    continue  # compilers take minutes for the code of hexahedra
                shown = (kind, equations, degree) == ("ball", "navier-stokes", 2)
                rows, device = convergence(chosen, equations, degree, [paths[f"manufactured-3d-{kind}-{count}"] for count in counts], count_text,
                                           ("density", "manufactured-3d.png") if shown else None)
                table += rows
    validation.replace_table(chosen, "manufactured-3d", f"Device: {device}. Tetrahedra of geometry order 2, prisms and hexahedra straight; {FLOW}",
                             f"| equations | elements | {COLUMNS}", table)


if __name__ == "__main__":
    main()
