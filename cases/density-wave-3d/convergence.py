#!/usr/bin/env python3
"""Density wave in space on hexahedra: what the numerical flux makes of the order at even degrees, into docs/validation.md.

    python3 cases/density-wave-3d/convergence.py --galerna build/galerna [--device cuda] [--counts 4,8,16] [--fluxes llf,hllc] [--degree 2]

Makes its meshes with gmsh, n^3 cubes and the same with all inner nodes moved by up to 12 % of a cube's side.
"""
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

PERIODIC = "[" + ", ".join(f'{{from = "{a}", to = "{b}", translation = {t}}}' for a, b, t in (
    ("left", "right", [1, 0, 0]), ("front", "back", [0, 1, 0]), ("bottom", "top", [0, 0, 1]))) + "]"


def move_nodes(mesh, width):
    """Of the volume of an ASCII mesh, by up to `width` along each axis. Returns the path of the new mesh."""
    generator, lines = random.Random(1), pathlib.Path(mesh).read_text().split("\n")
    at = lines.index("$Nodes") + 1
    blocks, at = int(lines[at].split()[0]), at + 1
    for _ in range(blocks):
        dimension, _, _, count = map(int, lines[at].split())
        first = at + 1 + count
        at = first + count
        for k in range(first, at) if dimension == 3 else ():
            lines[k] = " ".join(repr(float(x) + generator.uniform(-width, width)) for x in lines[k].split())
    path = pathlib.Path(validation.SCRATCH.name) / ("moved-" + pathlib.Path(mesh).name)
    path.write_text("\n".join(lines))
    return str(path)


def main():
    chosen = validation.options(__doc__, counts="4,8,16", fluxes="llf,hllc", degree=2, meshes="")
    counts, table = [int(n) for n in chosen.counts.split(",")], []
    made = validation.meshes(chosen, HERE / "box.geo", {f"density-wave-3d-cubes-{n}": {"n": n, "cubes": 1} for n in counts})
    cubes = [made[f"density-wave-3d-cubes-{n}"] for n in counts]
    for elements, meshes in (("cubes", cubes), ("irregular", [move_nodes(mesh, 0.12 / n) for mesh, n in zip(cubes, counts)])):
        for flux in chosen.fluxes.split(","):
            errors = []
            for k, (n, mesh) in enumerate(zip(counts, meshes)):
                report = validation.run(chosen, "density-wave-3d", mesh__file=f'"{mesh}"', mesh__periodic=PERIODIC, discretization__order=chosen.degree,
                                        discretization__riemann=f'"{flux}"', time__end=0.25, output__picture="")
                errors.append(report["errors"]["density"]["l2"])
                order = validation.order(errors, k, n / counts[k - 1])
                table.append(f"| {elements} | {flux} | {n}³ | {errors[k]:.3e} | {order} | {report['time']['steps']} |")
                print(table[-1], flush=True)
    validation.replace_table(chosen, "density-wave-3d", f"Device: {report['device']}. p = {chosen.degree}, ssprk54, cfl = 0.5, t = 0.25.",
                             "| hexahedra | flux | elements | L2 error of density | order | steps |", table)


if __name__ == "__main__":
    main()
