#!/usr/bin/env python3
"""Couette flow at degrees 1-3 on three meshes of triangles and three of quadrilaterals: L2 error of density, its order, and its ratio to the
error of the exact density's projection on the same mesh, beside Gao et al.'s table 3, into docs/validation.md.

    python3 cases/couette/convergence.py --galerna build/galerna [--device cuda] [--counts 8,16] [--degrees 1,2]

Makes its meshes with gmsh; --meshes DIR takes DIR/couette-triangles-8.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

SHAPES = ("triangles", "quadrilaterals")
# H. Gao et al., Trans. Nanjing Univ. Aeronaut. Astronaut. 39 (2022) 450, table 3: meshes A-C and D-F, whose sizes are not given.
PUBLISHED = {("triangles", 1): (1.30e-5, 2.98e-6, 7.09e-7), ("quadrilaterals", 1): (1.66e-5, 3.62e-6, 9.30e-7),
             ("triangles", 2): (7.46e-8, 1.01e-8, 1.10e-9), ("quadrilaterals", 2): (1.28e-7, 1.61e-8, 2.02e-9),
             ("triangles", 3): (2.47e-10, 1.95e-11, 1.46e-12), ("quadrilaterals", 3): (4.78e-10, 3.09e-11, 2.35e-12)}


def main():
    chosen = validation.options(__doc__, counts="8,16,32", degrees="1,2,3", meshes="")
    counts = chosen.counts.split(",")
    paths = validation.meshes(chosen, HERE / "channel.geo", {f"couette-{shape}-{count}": {"n": count, "structured": int(shape == "quadrilaterals")}
                                                             for shape in SHAPES for count in counts})
    table, device, settings = [], "", {}
    for shape in SHAPES:
        for degree in map(int, chosen.degrees.split(",")):
            errors, elements = [], []
            for k, count in enumerate(counts):
                settings = {"discretization__order": degree, "mesh__file": paths[f"couette-{shape}-{count}"]}
                projected = validation.run(chosen, "couette", time__end=1e-9, **settings)
                last = shape == "quadrilaterals" and count == counts[-1]
                report = validation.run(chosen, "couette", picture=("temperature", "couette.png") if last else None, **settings)
                device = report["device"]
                errors.append(report["errors"]["density"]["l2_normalized"])
                elements.append(report["mesh"]["elements"][shape])
                ratio = math.sqrt(elements[k] / elements[k - 1]) if k else 1  # of mesh sizes
                published = PUBLISHED.get((shape, degree), ())
                beside = (f"{published[k]:.2e} | " + validation.order(published, k) if k < len(published)
                          else "- | -")
                table.append(f"| {shape} | {degree} | {elements[k]} | {errors[k]:.3e} | {validation.order(errors, k, ratio)} | "
                             f"{errors[k] / projected['errors']['density']['l2_normalized']:.2f} | {beside} | {report['time']['steps']} |")
                print(table[-1], flush=True)
    validation.replace_table(chosen, "couette",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, ssprk54, cfl = 0.9, t = 30. Errors are divided by the root of the area.",
        "| elements | p | number | L2 error of density | order | over projection's | published | order | steps |",
        table)


if __name__ == "__main__":
    main()
