#!/usr/bin/env python3
"""Turns whole problems in space by 37 degrees about (1, 2, 2)/3, or in the plane about the origin, and compares the forces on the walls after equal steps.

    python3 bench/rotation.py --galerna build/galerna [--device cpu] [--degrees 1,2,3,4] [--steps 200] [--shapes plane,mixture]
    python3 bench/rotation.py --prepare --meshes FOLDER [--shapes plane,mixture]     # makes the meshes and ends; a machine without Gmsh runs with --meshes FOLDER

A pulse of pressure and a shear flow in a closed box: the square with triangles beside quadrilaterals, the cube of cases/manufactured-3d with tetrahedra, prisms,
pyramids or hexahedra alone, or all of them side by side, of geometry orders 1 and 2. Euler's equations with slip walls, the Navier-Stokes equations with walls that hold the
flow. Prints the change of the force, turned back, relative to the force; exit code 1 if one is over 1e-12.
"""
import argparse
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cases" / "manufactured-3d"))
import mixture  # noqa: E402

ANGLE = math.radians(37)
BOUND = 1e-12

CASE = """
[mesh]
file = "mesh.msh"
[equations]
type = "{equations}"
{viscosity}
[functions]
a = "{a}"
b = "{b}"
c = "{c}"
p0 = "1 + 0.3*exp(-8*((a - 0.1)^2 + (b + 0.05)^2 + (c - 0.15)^2))"
u = "0.2*cos(2*b)*cos(3*c)"
v = "0.1*sin(3*a + c)"
w = "{w}"
[discretization]
order = {degree}
riemann = "hllc"
[time]
scheme = "ssprk33"
step = {step}
end = 1e6
max_steps = {steps}
[initial]
density = "1 + 0.1*sin(2*a + b)"
{velocity}
pressure = "p0"
[boundary.rim]
type = "{wall}"
[output]
directory = "out"
"""


def rotation(dimension):
    """Rows of the matrix."""
    n = (1 / 3, 2 / 3, 2 / 3) if dimension == 3 else (0, 0, 1)
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    cross = ((0, -n[2], n[1]), (n[2], 0, -n[0]), (-n[1], n[0], 0))
    return [[c * (i == j) + (1 - c) * n[i] * n[j] + s * cross[i][j] for j in range(3)] for i in range(3)]


# How a cube is cut, with the corners of cases/manufactured-3d/mixture.py: tetrahedra lie around its diagonal, pyramids have their tips in its centre.
CUTS = {
    "tetrahedra": lambda *_: [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6)],
    "prisms": lambda *_: [(0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)],
    "pyramids": lambda *_: [(0, 1, 2, 3, 8), (7, 6, 5, 4, 8), *((*side[::-1], 8) for side in mixture.SIDES[2:])],
    "hexahedra": lambda *_: [tuple(range(8))],
    "mixture": mixture.solids_of,
}
IDENTITY = [[float(i == j) for j in range(3)] for i in range(3)]


def turned(matrix, x):
    return [sum(row[j] * x[j] for j in range(3)) for row in matrix]


def turn_mesh(source, matrix, target):
    """Of a Gmsh file, version 2.2, text."""
    lines = source.read_text().split("\n")
    first = lines.index("$Nodes") + 2
    for m in range(first, lines.index("$EndNodes")):
        number, *place = lines[m].split()
        lines[m] = " ".join([number, *map(repr, turned(matrix, [float(x) for x in place]))])
    target.write_text("\n".join(lines))


def linear(weights, names):
    return " + ".join(f"({weight!r})*{name}" for weight, name in zip(weights, names))


def write_square(order, path):
    """Triangles beside quadrilaterals, with bent sides where order is 2."""
    geometry = path.with_suffix(".geo")
    geometry.write_text("""
Point(1) = {-.5, -.5, 0}; Point(2) = {0, -.5, 0}; Point(3) = {.5, -.5, 0}; Point(4) = {.5, .5, 0}; Point(5) = {0.05, .5, 0}; Point(6) = {-.5, .5, 0};
Point(7) = {0.75, 0, 0}; Line(1) = {1, 2}; Line(2) = {2, 3}; Spline(3) = {3, 7, 4}; Line(4) = {4, 5}; Line(5) = {5, 6}; Line(6) = {6, 1}; Line(7) = {2, 5};
Transfinite Line{1:7} = 5; Line Loop(1) = {1, 7, 5, 6}; Line Loop(2) = {2, 3, 4, -7}; Plane Surface(1) = {1}; Plane Surface(2) = {2};
Transfinite Surface{1}; Recombine Surface{1}; Physical Line("rim") = {1:6}; Physical Surface("fluid") = {1, 2};
""")
    subprocess.run(["gmsh", "-v", "1", "-2", "-order", str(order), geometry, "-format", "msh22", "-o", path], check=True)
    geometry.unlink()


def write_mesh(shapes, order, path):
    if shapes == "plane":
        write_square(order, path)
    else:
        mixture.write(2 if shapes == "mixture" else 3, order, path, CUTS[shapes])


def mesh_of(shapes, order, meshes):
    """In the folder `meshes`, made where it is not there yet."""
    path = meshes / f"rotation-{shapes}-{order}.msh"
    if not path.exists():
        meshes.mkdir(parents=True, exist_ok=True)
        write_mesh(shapes, order, path)
    return path


def force(options, unturned, folder, dimension, viscous, degree, matrix):
    """On the wall, turned back."""
    turn_mesh(unturned, matrix, folder / "mesh.msh")
    back = [[matrix[j][i] for j in range(3)] for i in range(3)]
    space = dimension == 3
    a, b, c = (linear(row[:dimension], "xyz") for row in back)
    velocity = "\n".join(f'velocity_{"xyz"[i]} = "{linear(matrix[i][:dimension], "uvw")}"' for i in range(dimension))
    (folder / "case.toml").write_text(CASE.format(
        equations="navier-stokes" if viscous else "euler", viscosity="mu = 0.01" if viscous else "", a=a, b=b, c=c if space else "0",
        w="0.1*cos(2*a - b)" if space else "0", degree=degree, step=2e-4 / (2 * degree + 1) if viscous else 2e-3 / (2 * degree + 1), steps=options.steps,
        velocity=velocity, wall="no-slip-adiabatic" if viscous else "slip-wall"))
    done = subprocess.run([options.galerna, "run", folder / "case.toml", "--device", options.device, "-o", folder / "out", "--quiet"],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    found = json.loads((folder / "out" / "report.json").read_text())["forces"]["rim"]
    return turned(back, [*found, 0][:3])


def changes(options, unturned, folder, shapes, order):
    """Of the force, by equations and degree."""
    dimension = 2 if shapes == "plane" else 3
    for viscous, degree in itertools.product((False, True), map(int, options.degrees.split(","))):
        before, after = (force(options, unturned, folder, dimension, viscous, degree, m) for m in (IDENTITY, rotation(dimension)))
        change = math.dist(before, after) / math.hypot(*before)
        print(f"{shapes}, order {order}, {'Navier-Stokes' if viscous else 'Euler'}, p = {degree}: force {math.hypot(*before):.6e}, "
              f"change {change:.2e}", flush=True)
        yield change


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", type=pathlib.Path, default=ROOT / "build" / "galerna")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--degrees", default="1,2,3,4")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--shapes", default=",".join(["plane", *CUTS]))
    parser.add_argument("--meshes", type=pathlib.Path, help="folder of meshes, used where they are there")
    parser.add_argument("--prepare", action="store_true", help="make the meshes in the folder --meshes and end")
    options = parser.parse_args()
    if options.prepare and not options.meshes:
        parser.error("--prepare needs --meshes FOLDER")
    options.galerna = options.galerna.resolve()
    right = True
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for shapes, order in itertools.product(options.shapes.split(","), (1, 2)):
            unturned = mesh_of(shapes, order, options.meshes or folder)
            if not options.prepare:
                right &= all([change <= BOUND for change in changes(options, unturned, folder, shapes, order)])  # all rows, and none of them NaN
    return not right


if __name__ == "__main__":
    sys.exit(main())
