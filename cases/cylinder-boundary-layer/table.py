#!/usr/bin/env python3
"""Curves the meshes of this case at geometry orders 2 and 3, and writes what came of it into README.md.

    python3 cases/cylinder-boundary-layer/table.py --galerna build/galerna [--orders 2,3]

Heights of the first layer are those of all nodes of its far side over the cylinder. The script ends with an error where an element is not valid, an element is missing, a node was held back, or a
height is off by a fifth.
"""
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

FIRST, RADIUS = 1e-4, 0.5
SHAPES = ("hexahedra", "prisms")


def read(file):
    """{node: distance from the axis}, [nodes of an element in space]; MSH 4.1, text."""
    lines = iter(pathlib.Path(file).read_text().splitlines())
    section = lambda name: next(line for line in lines if line == name) and [int(word) for word in next(lines).split()]  # noqa: E731
    heights, elements = {}, []
    for _ in range(section("$Nodes")[0]):
        count = int(next(lines).split()[3])
        tags = [int(next(lines)) for _ in range(count)]
        for tag in tags:
            x, y, _ = map(float, next(lines).split()[:3])
            heights[tag] = math.hypot(x, y) - RADIUS
    for _ in range(section("$Elements")[0]):
        dimension, _, _, count = map(int, next(lines).split())
        rows = [list(map(int, next(lines).split()[1:])) for _ in range(count)]
        if dimension == 3:
            elements += rows
    return heights, elements


def first_heights(file):
    """Number of elements, and the least and largest height of the first layer."""
    heights, elements = read(file)
    layer = [heights[n] for nodes in elements if min(abs(heights[n]) for n in nodes) < 1e-9 for n in nodes if heights[n] > 0.75 * FIRST]
    return len(elements), min(layer), max(layer)


def main():
    chosen = validation.options(__doc__, page=HERE / "README.md", orders="2,3", meshes="")
    scratch = pathlib.Path(validation.SCRATCH.name)
    subprocess.run(["gmsh", "-v", "1", "-", HERE / "hexahedra.geo", "-setnumber", "cad", "1"], check=True, stdout=subprocess.DEVNULL)
    rows = []
    for shape in SHAPES:
        straight = validation.meshes(chosen, HERE / f"{shape}.geo", {shape: {}})[shape]
        before = len(read(straight)[1])
        for order in map(int, chosen.orders.split(",")):
            curved = scratch / f"{shape}-{order}.msh"
            said = validation.curve(chosen, straight, HERE / "cylinder.step", "cylinder", order, curved)
            after, least, most = first_heights(curved)
            rows.append(f"| {shape} | {order} | {after:,} | {said['curved']:,.0f} | {said['unknowns']:,.0f} | {said['nodes']:,.0f} | {said['held']:.0f} | {said['ratio']:.2f} | {least:.3e} | {most:.3e} |")
            print(rows[-1], f"{said['seconds']:.1f} s", flush=True)
            if after != before or said["held"] > 0 or not 0.8 * FIRST < least <= most < 1.2 * FIRST:
                sys.exit(f"{shape} of order {order}: {before} elements before\n{said['text']}")
    validation.replace_table(chosen, "cylinder-boundary-layer", "",
                             "| shape | order | elements | curved | unknowns of elasticity | wall nodes | held back | smallest min J / max J | least height of the first layer | largest |", rows)


if __name__ == "__main__":
    main()
