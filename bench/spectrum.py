#!/usr/bin/env python3
"""Largest time.cfl with which linear waves are stable on every shape of elements, into docs/theory.md.

    python3 bench/spectrum.py [--degrees 1,2,3,4,5] [--pressed 30] [--flows] [--page FILE]

The discontinuous Galerkin operator of sound in a uniform gas at rest with the local Lax-Friedrichs flux, on a periodic mesh of equal cubes or squares
cut into elements, is assembled for one cube and Bloch waves with phases 0 and pi and five others, and its eigenvalues of largest magnitude are held
against the stability polynomial of each scheme. cfl counts as in the program, in units of h / ((2p + 1) W lambda) (src/dg/geometry/step_limit.hpp).
--pressed F flattens the mesh F times along its last direction. --flows prints, beside, what streams of Mach number 1.2 and infinity along
several directions allow; nothing is written. Knows nothing of the program; needs numpy and scipy.
"""
import argparse
import itertools
import math
import pathlib
import re
import sys

import numpy as np
from numpy.polynomial import Polynomial, legendre
from scipy.sparse.linalg import eigs

CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
PRISM = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)]
REFERENCE = {  # corners, and the corners of sides
    "tetrahedra": ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)]),
    "hexahedra": (CUBE, [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]),
    "prisms": (PRISM, [(0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)]),
    "pyramids": ([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0, 0, 1)], [(0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])}
# What is computed of each shape, and W. In the plane: solids with neither sides nor waves along z.
SHAPES = {"triangles": ("prisms", True, 1), "squares": ("hexahedra", True, 1), "tetrahedra": ("tetrahedra", False, 1.25),
          "prisms": ("prisms", False, 1.5), "pyramids": ("pyramids", False, 1), "hexahedra": ("hexahedra", False, 1.5)}
DIRECTIONS = [(1, 0, 0), (0, 0, 1), (1, 1, 0), (1, -1, 0), (1, 1, 1), (1, -1, 1), (3, -2, 1)]


def ssprk54():
    z, u0 = Polynomial([0, 1]), Polynomial([1])
    u1 = u0 + 0.391752226571890 * z * u0
    u2 = 0.444370493651235 * u0 + 0.555629506348765 * u1 + 0.368410593050371 * z * u1
    u3 = 0.620101851488403 * u0 + 0.379898148511597 * u2 + 0.251891774271694 * z * u2
    u4 = 0.178079954393132 * u0 + 0.821920045606868 * u3 + 0.544974750228521 * z * u3
    return (0.517231671970585 * u2 + 0.096059710526147 * u3 + 0.063692468666290 * z * u3 + 0.386708617503269 * u4
            + 0.226007483236906 * z * u4)


TAYLOR = [1, 1, 1 / 2, 1 / 6, 1 / 24]
SCHEMES = {"ssprk33": Polynomial(TAYLOR[:4]), "ssprk43": Polynomial(TAYLOR[:4] + [1 / 48]), "rk4": Polynomial(TAYLOR),
           "lsrk54": Polynomial(TAYLOR + [1 / 200]), "ssprk54": ssprk54()}


def functions(shape, p, points):
    """A basis of the shape's polynomials (on pyramids rational functions), not orthonormal: [function][point]."""
    x, y, z = points
    up = 1 - z
    if shape == "pyramids":
        x, y = (x / up + 1) / 2, (y / up + 1) / 2
    of = lambda n, s: legendre.legval(2 * s - 1, [0] * n + [1])  # noqa: E731
    rows = []
    for a, b, c in itertools.product(range(p + 1), repeat=3):
        degree = {"tetrahedra": a + b + c, "prisms": a + b, "pyramids": max(a, b) + c, "hexahedra": 0}[shape]
        if degree <= p:
            rows.append(of(a, x) * of(b, y) * of(c, z) * (up**max(a, b) if shape == "pyramids" else 1))
    return np.array(rows)


def gauss(n):
    x, w = legendre.leggauss(n)
    return (x + 1) / 2, w / 2


def volume_rule(shape, n):
    x, w = gauss(n)
    a, b, c = np.meshgrid(x, x, x, indexing="ij")
    weights = w[:, None, None] * w[None, :, None] * w[None, None, :]
    if shape == "prisms":
        a, weights = a * (1 - b), weights * (1 - b)
    elif shape == "tetrahedra":
        weights = weights * (1 - b) * (1 - c)**2
        b = b * (1 - c)
        a = a * (1 - b - c)
    elif shape == "pyramids":
        a, b, weights = (2 * a - 1) * (1 - c), (2 * b - 1) * (1 - c), weights * 4 * (1 - c)**2
    return np.array([v.ravel() for v in (a, b, c)]), weights.ravel()


class Basis:
    """Orthonormal functions of a shape and their gradients (by complex steps)."""

    def __init__(self, shape, p):
        self.shape, self.p = shape, p
        points, weights = volume_rule(shape, p + 3)
        self.change = np.linalg.inv(np.linalg.qr((functions(shape, p, points) * np.sqrt(weights)).T)[1]).T

    def __call__(self, points):
        return self.change @ functions(self.shape, self.p, points)

    def gradient(self, points):
        steps = [points + 1e-30j * np.eye(3)[d][:, None] for d in range(3)]
        return [(self.change @ functions(self.shape, self.p, x)).imag / 1e-30 for x in steps]


def elements(shape):
    """Corners of the elements that a cube is cut into, as mesh::make_box does."""
    if shape == "hexahedra":
        return [np.array(CUBE, float)]
    if shape == "tetrahedra":  # along the edges from one corner to the opposite one, in every order
        return [np.array([sum((np.eye(3)[d] for d in order[:k]), np.zeros(3)) for k in range(4)]) for order in itertools.permutations(range(3))]
    if shape == "prisms":
        return [np.array([(*corner, z) for z in (0, 1) for corner in t], float) for t in ([(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1), (0, 1)])]
    return [np.array([CUBE[k] for k in side] + [(0.5, 0.5, 0.5)], float) for side in REFERENCE["hexahedra"][1]]


class Cube:
    """The operator's parts on one cube of a periodic mesh."""

    def __init__(self, shape, p, planar, pressed):
        basis, self.planar = Basis(shape, p), planar
        self.size = np.array([1, 1 / pressed, 1] if planar else [1, 1, 1 / pressed])
        corners = [c * self.size for c in elements(shape)]
        reference = np.array(REFERENCE[shape][0], float)
        maps = [np.linalg.lstsq(np.c_[reference, np.ones(len(reference))], c, rcond=None)[0] for c in corners]  # [x; 1] -> physical
        inverse = [np.linalg.inv(m[:3].T) for m in maps]
        scale = [math.sqrt(abs(np.linalg.det(i))) for i in inverse]
        points, weights = volume_rule(shape, p + 2)
        values, slopes = basis(points), basis.gradient(points)
        self.modes, self.count, self.h = len(values), len(corners), math.inf
        self.derivatives = [[sum(i[k, d] * (slopes[k] * weights) @ values.T for k in range(3)) for d in range(3)] for i in inverse]
        at = lambda e, x: basis(inverse[e] @ (x - maps[e][3]).T) * scale[e]  # noqa: E731
        sides = []
        for e, c in enumerate(corners):
            own = [(e, *side) for side in map(lambda s: self.side(c, s, p + 2), REFERENCE[shape][1]) if side]
            volume = volume_rule(shape, 3)[1].sum() / scale[e]**2
            self.h = min(self.h, (4 if planar else 6) * volume / sum(w.sum() for *_, w in own))
            sides += own
        self.sides = []
        for e, centre, normal, x, w in sides:
            other, cubes = next((o, np.round((centre - c) / self.size)) for o, c, n, *_ in sides
                                if normal @ n < -0.999 and np.abs((centre - c) / self.size - np.round((centre - c) / self.size)).max() < 1e-9)
            here, there = at(e, x), at(other, x - cubes * self.size)
            self.sides.append((e, other, cubes, normal, (here * w) @ here.T, (here * w) @ there.T))

    def side(self, corners, side, n):
        """Centre, outward normal, points and weights."""
        q, (x, w) = corners[list(side)], gauss(n)
        a, b = (v.ravel() for v in np.meshgrid(x, x, indexing="ij"))
        weights = np.outer(w, w).ravel()
        if len(side) == 3:
            a, weights = a * (1 - b), weights * (1 - b)
        normal = np.cross(q[1] - q[0], q[-1] - q[0])
        area = np.linalg.norm(normal)
        normal = normal / area * np.sign(normal @ (q.mean(0) - corners.mean(0)))
        if self.planar and abs(normal[2]) > 0.5:
            return None
        return q.mean(0), normal, q[0] + np.outer(a, q[1] - q[0]) + np.outer(b, q[-1] - q[0]), weights * area

    def operator(self, phases, matrices, dissipation):
        """Of u_t + sum_d matrices[d] u_d = 0. dissipation(normal, matrix along it) replaces the flux's |A|."""
        m, n = len(matrices[0]), self.count
        result = np.zeros((n, self.modes, m, n, self.modes, m), complex)
        for e in range(n):
            result[e, :, :, e] += sum(np.einsum("ij,ab->iajb", self.derivatives[e][d], matrices[d]) for d in range(3))
        for e, other, cubes, normal, here, there in self.sides:
            along = sum(normal[d] * matrices[d] for d in range(3))
            damping = dissipation(normal, along)
            result[e, :, :, e] -= np.einsum("ij,ab->iajb", here, (along + damping) / 2)
            result[e, :, :, other] -= np.einsum("ij,ab->iajb", there, (along - damping) / 2) * np.exp(1j * phases @ cubes)
        size = n * self.modes * m
        return result.reshape(size, size)

    def eigenvalues(self, velocity, sound):
        """Of acoustic waves in a stream, and of what the stream carries; local Lax-Friedrichs flux."""
        directions = range(2 if self.planar else 3)
        waves = [np.eye(4) * velocity[d] if d in directions else np.zeros((4, 4)) for d in range(3)]
        for d in directions:
            waves[d][0, d + 1] = waves[d][d + 1, 0] = sound
        carried = [np.array([[velocity[d] if d in directions else 0.0]]) for d in range(3)]
        found = []
        for phases in self.phases():
            for matrices in [waves] * (sound > 0) + [carried] * (sound < 1):
                speed = lambda normal, along: (abs(normal @ velocity) + sound) * np.eye(len(along))  # noqa: E731
                found.append(largest(self.operator(phases, matrices, speed)))
        return np.concatenate(found)

    def phases(self):
        random = np.random.default_rng(5)
        result = [np.array(t) for t in itertools.product((0, np.pi), repeat=3)] + list(random.uniform(0, 2 * np.pi, (5, 3)))
        return [t * [1, 1, 0] for t in result if t[2] != np.pi] if self.planar else result


def largest(matrix):
    if np.abs(matrix.imag).max() < 1e-13:
        matrix = matrix.real.copy()
    if len(matrix) < 400:
        return np.linalg.eigvals(matrix)
    start = np.cos(np.arange(len(matrix))**2.0)
    return eigs(matrix, k=24, which="LM", ncv=120, tol=1e-4, maxiter=30, v0=start, return_eigenvectors=False)


def largest_step(polynomial, eigenvalues):
    """Up to which all |R(dt mu)| <= 1, but for rounding of multiple eigenvalues 0."""
    eigenvalues = eigenvalues[np.abs(eigenvalues) > 1e-6 * np.abs(eigenvalues).max()]
    stable = lambda dt: np.abs(polynomial(dt * eigenvalues)).max() <= 1 + 1e-6  # noqa: E731
    low = high = 0.05 / np.abs(eigenvalues).max()
    while stable(high):
        low, high = high, 1.02 * high
    while high > 1.001 * low:
        middle = (low + high) / 2
        low, high = (middle, high) if stable(middle) else (low, middle)
    return low


def limits(name, degree, mach, direction, pressed):
    """Largest cfl of every scheme."""
    shape, planar, factor = SHAPES[name]
    cube = Cube(shape, degree, planar, pressed)
    velocity, sound = np.array(direction) / np.linalg.norm(direction) * (1 if math.isinf(mach) else mach / (1 + mach)), 1 / (1 + mach)
    eigenvalues = cube.eigenvalues(velocity, sound)
    return [largest_step(polynomial, eigenvalues) * (2 * degree + 1) * factor / cube.h for polynomial in SCHEMES.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--page", default=str(pathlib.Path(__file__).resolve().parent.parent / "docs" / "theory.md"))
    parser.add_argument("--degrees", default="1,2,3,4,5")
    parser.add_argument("--pressed", type=float, default=1)
    parser.add_argument("--flows", action="store_true")
    chosen = parser.parse_args()
    degrees, table = [int(p) for p in chosen.degrees.split(",")], []
    show = lambda numbers: " | ".join(f"{n:.2f}" for n in numbers)  # noqa: E731
    for name in SHAPES:
        rows = [limits(name, p, 0, (1, 0, 0), chosen.pressed) for p in degrees]
        for scheme, row in zip(SCHEMES, zip(*rows)):
            table.append(f"| {name} | `{scheme}` | {show(row)} |")
            print(table[-1], flush=True)
        for mach in (1.2, math.inf) if chosen.flows else ():
            directions = [d for d in DIRECTIONS if not (SHAPES[name][1] and d[2])]
            rows = [np.min([limits(name, p, mach, d, chosen.pressed) for d in directions], axis=0) for p in degrees]
            for scheme, row in zip(SCHEMES, zip(*rows)):
                print(f"  Mach {mach}: | {name} | `{scheme}` | {show(row)} |", flush=True)
    if chosen.flows or chosen.pressed != 1:
        return
    page = pathlib.Path(chosen.page)
    head = "| elements | scheme | " + " | ".join(f"p = {p}" for p in degrees) + " |\n|" + " --- |" * (2 + len(degrees))
    text, found = re.subn(r"(<!-- spectrum: begin -->\n).*(<!-- spectrum: end -->)", lambda m: m[1] + "\n".join([head, *table]) + "\n" + m[2], page.read_text(),
                          flags=re.DOTALL)
    if not found:
        sys.exit(f"{page} has no place for the table")
    page.write_text(text)


if __name__ == "__main__":
    main()
