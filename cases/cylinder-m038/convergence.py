#!/usr/bin/env python3
"""Inviscid subsonic flow around a cylinder at degrees 1-3 on O-meshes of curved quadrilaterals and triangles: entropy error, drag and lift, all of which
vanish in the exact flow, and the orders of the first two, into docs/validation.md.

    python3 cases/cylinder-m038/convergence.py --galerna build/galerna [--device cuda] [--counts 16,32] [--degrees 1,2]

Makes its meshes with gmsh; --meshes DIR takes DIR/cylinder-m038-triangles-16.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

SHAPES = ("quadrilaterals", "triangles")
TIME = '{scheme = "ssprk54", cfl = 0.9, end = 200, steady = 1e-12}'  # on fine meshes the circulation drifts for ever


def main():
    chosen = validation.options(__doc__, counts="16,32,64", degrees="1,2,3", shapes=",".join(SHAPES), meshes="")
    counts, shapes = chosen.counts.split(","), chosen.shapes.split(",")
    paths = validation.meshes(chosen, HERE / "ogrid.geo",
                              {f"cylinder-m038-{shape}-{count}": {"n": count, "m": int(count) // 2, "triangles": int(shape == "triangles")}
                               for shape in shapes for count in counts})
    table, device = [], ""
    for shape in shapes:
        for degree in map(int, chosen.degrees.split(",")):
            entropies, drags = [], []
            for k, count in enumerate(counts):
                best = (shape, degree, count) == ("quadrilaterals", 3, counts[-1])
                report = validation.run(chosen, "cylinder-m038", discretization__order=degree, mesh__file=paths[f"cylinder-m038-{shape}-{count}"], time=TIME,
                                        picture=("mach", "cylinder-m038.png") if best else None)
                device = report["device"]
                entropies.append(report["entropy_error"]["l2"])
                force = report["coefficients"]["cylinder"]
                drags.append(abs(force["drag"]))
                table.append(f"| {shape} | {degree} | {count} x {int(count) // 2} | {entropies[k]:.3e} | {validation.order(entropies, k)} | {drags[k]:.2e} | "
                             f"{validation.order(drags, k)} | {abs(force['lift']):.0e} | {report['time']['steps']} | {report['residual']['change']:.0e} |")
                print(table[-1], flush=True)
    validation.replace_table(chosen, "cylinder-m038",
        f"Device: {device}. Roe flux, ssprk54, cfl = 0.9, t = 200 or until a step changes nothing by more than 1e-12.",
        "| elements | p | cells | L2 error of entropy | order | drag coefficient, magnitude | order | lift | steps | last change |",
        table)


if __name__ == "__main__":
    main()
