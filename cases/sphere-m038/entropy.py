#!/usr/bin/env python3
"""Where the error of entropy of the sphere at M = 0.38 is made: its order at the wall and away from it, on a mesh and the same divided once, with the maps of
curved elements that Gmsh makes and those of mesh.geometry_order, into docs/validation.md.

    python3 cases/sphere-m038/entropy.py --galerna build/galerna [--device cuda] [--runs "3 4 gmsh; 4 4 galerna"]

Runs are degree, geometry order, and whose maps. By Newton's method. Makes its meshes with gmsh; --meshes DIR takes DIR/sphere-m038-1-0.11.msh (order, size) and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

RUNS = "3 3 gmsh; 3 4 gmsh; 3 3 galerna; 4 4 galerna"
SQUARE = "(gamma*pressure/density^gamma - 1)^2"  # the stream has p = 1/gamma and density 1
PARTS = {"all": "1", "wall": "where(x < 0 and x^2 + y^2 + z^2 < 0.36, 1, 0)", "away": "where(x < 0 and x^2 + y^2 + z^2 > 0.36, 1, 0)"}


def entropies(chosen, mesh, degree, geometry, maps, level):
    """The run's report and the L2 errors of entropy over PARTS when it ends."""
    settings = {f"output__integral__{name}__formula": f"{SQUARE}*{part}" for name, part in PARTS.items()}
    if maps == "galerna":
        settings["mesh__geometry_order"] = geometry
    report = validation.run(chosen, "sphere-m038", discretization__order=degree, mesh__file=mesh, mesh__refine=level, **settings)
    last = validation.rows(report, "monitor.csv")[-1]
    return report, [last[name]**0.5 for name in PARTS]


def main():
    chosen = validation.options(__doc__, size=0.11, runs=RUNS, meshes="")
    runs = []
    for run in chosen.runs.split(";"):
        degree, geometry, maps = run.split()
        runs.append((int(degree), int(geometry), maps))
    order = {(geometry, maps): geometry if maps == "gmsh" else 1 for _, geometry, maps in runs}
    paths = validation.meshes(chosen, HERE / "sphere.geo", {f"sphere-m038-{n}-{chosen.size}": {"order": n, "near": chosen.size, "growth": 2 * chosen.size}
                                                            for n in sorted(set(order.values()))})
    table, device = [], ""
    for degree, geometry, maps in runs:
        mesh = paths[f"sphere-m038-{order[geometry, maps]}-{chosen.size}"]
        (_, coarse), (report, fine) = (entropies(chosen, mesh, degree, geometry, maps, level) for level in (0, 1))
        device = report["device"]
        whose = "Gmsh" if maps == "gmsh" else "`mesh.geometry_order`"
        table.append(f"| {degree} | {geometry}, {whose} | " + " | ".join(validation.order(errors, 1) for errors in zip(coarse, fine)) + " |")
        print(table[-1], flush=True)
    validation.replace_table(chosen, "sphere-m038-entropy",
        f"Device: {device}. Roe flux, Newton's method; the finer mesh has eight times as many tetrahedra.",
        "| p | geometry order, maps of | order of entropy, all | x < 0, r < 0.6: at the wall | x < 0, r > 0.6: away from it |",
        table)


if __name__ == "__main__":
    main()
