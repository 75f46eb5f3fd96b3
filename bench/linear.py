#!/usr/bin/env python3
"""Counts elements whose linear solutions a slope limiter at vertices cuts: those with a vertex whose value lies outside the means around it.

    python3 bench/linear.py    # the table under Barth-Jespersen in docs/theory.md; needs gmsh and numpy

Meshes of Gmsh of the unit square and cube, 60 random gradients each. The means of a linear function are its values at centroids.
"""
import pathlib
import subprocess
import tempfile

import numpy

HERE = pathlib.Path(__file__).resolve().parent
SQUARE = """
Point(1) = {{0, 0, 0, {h}}}; Point(2) = {{1, 0, 0, {h}}}; Point(3) = {{1, 1, 0, {h}}}; Point(4) = {{0, 1, 0, {h}}};
Line(1) = {{1, 2}}; Line(2) = {{2, 3}}; Line(3) = {{3, 4}}; Line(4) = {{4, 1}}; Line Loop(1) = {{1, 2, 3, 4}}; Plane Surface(1) = {{1}};
Physical Surface(1) = {{1}};
"""


def mesh(dimension, h):
    """Places of nodes, and the nodes of elements."""
    with tempfile.TemporaryDirectory() as folder:
        geometry, file = pathlib.Path(folder, "square.geo"), pathlib.Path(folder, "mesh.msh")
        geometry.write_text(SQUARE.format(h=h))
        subprocess.run(["gmsh", "-v", "1", f"-{dimension}", geometry if dimension == 2 else HERE / "cube.geo", "-setnumber", "h", str(h), "-format", "msh22",
                        "-o", file], check=True)
        lines = file.read_text().split("\n")
    section = lambda name: [line.split() for line in lines[lines.index(f"${name}") + 2:lines.index(f"$End{name}")]]  # noqa: E731
    nodes = section("Nodes")
    number = {node[0]: n for n, node in enumerate(nodes)}
    corners = [[number[node] for node in element[-dimension - 1:]] for element in section("Elements") if element[1] == {2: "2", 3: "4"}[dimension]]
    return numpy.array([node[1:1 + dimension] for node in nodes], float), numpy.array(corners)


def is_cut(nodes, elements, gradient):
    """[element]"""
    values, means = nodes @ gradient, nodes[elements].mean(1) @ gradient
    least, most = numpy.full(len(nodes), numpy.inf), numpy.full(len(nodes), -numpy.inf)
    for corners in elements.T:
        numpy.minimum.at(least, corners, means)
        numpy.maximum.at(most, corners, means)
    return ((values < least - 1e-12) | (values > most + 1e-12))[elements].any(1)


def main():
    random = numpy.random.default_rng(1)
    for dimension, h in ((2, 0.1), (2, 0.05), (2, 0.025), (3, 0.2), (3, 0.1)):
        nodes, elements = mesh(dimension, h)
        outer = ((nodes < 1e-9) | (nodes > 1 - 1e-9)).any(1)[elements].any(1)
        cuts = [is_cut(nodes, elements, random.normal(size=dimension)) for _ in range(60)]
        shares = [cut.mean() for cut in cuts]
        print(f"| {'triangles' if dimension == 2 else 'tetrahedra'}, h = {h} | {len(elements):,} | {outer.mean():.0%} | {numpy.mean(shares):.0%} | "
              f"{max(shares):.0%} | {max((cut & ~outer).sum() for cut in cuts)} |".replace("%", " %"))


if __name__ == "__main__":
    main()
