#!/usr/bin/env python3
"""Liftings of BR2: the largest eigenvalue of all sides' liftings together against each alone (docs/theory.md, Viscous terms).

    python3 bench/liftings.py

Jumps are the traces of polynomials on each side of an affine element. Prints, for each shape and p = 1 to 3, the eigenvalue of the
regular element and the largest one of 80 others, some of them pressed flat (numpy).
"""
import itertools

import numpy as np
from numpy.polynomial import legendre

CORNERS = {
    "triangles": [(0, 0), (1, 0), (0, 1)],
    "quadrilaterals": [(0, 0), (1, 0), (1, 1), (0, 1)],
    "tetrahedra": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
    "prisms": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1)],
    "hexahedra": [(i, j, k) for k in (0, 1) for j in (0, 1) for i in (0, 1)],
}
SIDES = {
    "triangles": [(0, 1), (1, 2), (2, 0)],
    "quadrilaterals": [(0, 1), (1, 2), (2, 3), (3, 0)],
    "tetrahedra": [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)],
    "prisms": [(0, 1, 2), (3, 4, 5), (0, 1, 3, 4), (1, 2, 4, 5), (2, 0, 5, 3)],
    "hexahedra": [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (2, 3, 6, 7), (0, 2, 4, 6), (1, 3, 5, 7)],
}
EQUILATERAL = np.array([[1, 0.5, 0.5], [0, np.sqrt(3) / 2, np.sqrt(3) / 6], [0, 0, np.sqrt(2 / 3)]])
REGULAR = {
    "triangles": EQUILATERAL[:2, :2],
    "quadrilaterals": np.eye(2),
    "tetrahedra": EQUILATERAL,
    "prisms": np.block([[EQUILATERAL[:2, :2], np.zeros((2, 1))], [np.zeros((1, 2)), np.eye(1)]]),
    "hexahedra": np.eye(3),
}


def line(n):
    x, w = legendre.leggauss(n)
    return (x[:, None] + 1) / 2, w / 2


def product(first, second):
    (x, v), (y, w) = first, second
    return np.array([(*a, *b) for a in x for b in y]), np.array([a * b for a in v for b in w])


def simplex(dimension, n):
    """Collapsed coordinates."""
    if dimension == 1:
        return line(n)
    x, w = product(simplex(dimension - 1, n), line(n))
    shrink = 1 - x[:, -1]
    return np.column_stack([x[:, :-1] * shrink[:, None], x[:, -1]]), w * shrink ** (dimension - 1)


def volume_rule(name, n):
    if name in ("triangles", "tetrahedra"):
        return simplex(2 if name == "triangles" else 3, n)
    if name == "prisms":
        return product(simplex(2, n), line(n))
    square = product(line(n), line(n))
    return square if name == "quadrilaterals" else product(square, line(n))


def side_rule(corners, n):
    return line(n) if corners == 2 else simplex(2, n) if corners == 3 else product(line(n), line(n))


def monomials(name, p):
    d = len(CORNERS[name][0])
    degree = {"triangles": sum, "tetrahedra": sum, "prisms": lambda e: max(e[0] + e[1], e[2])}.get(name, max)
    return [e for e in itertools.product(range(p + 1), repeat=d) if degree(e) <= p]


def values(powers, x):
    return np.array([np.prod(x**e, axis=1) for e in np.array(powers)]).T


def liftings(name, p):
    """For each side the normal and the lifting of an orthonormal basis of jumps, with the norm 1 in each direction: [mode][jump]."""
    n, powers, corners = p + 3, monomials(name, p), np.array(CORNERS[name], float)
    x, w = volume_rule(name, n)
    to_modes = np.linalg.inv(np.linalg.qr(np.sqrt(w)[:, None] * values(powers, x))[1])
    normals, lifted = [], []
    for side in SIDES[name]:
        c = corners[list(side)]
        q, weights = side_rule(len(side), n)
        tangents = c[1 : c.shape[1]] - c[0]
        normal = np.array([tangents[0, 1], -tangents[0, 0]]) if len(tangents) == 1 else np.cross(*tangents)
        normals.append(normal * np.sign(normal @ (c[0] - corners.mean(0))))
        traces = np.sqrt(weights)[:, None] * values(powers, c[0] + q @ tangents) @ to_modes
        jumps, sizes, _ = np.linalg.svd(traces, full_matrices=False)
        lifting = traces.T @ jumps[:, sizes > 1e-10 * sizes[0]]
        lifted.append(np.linalg.qr(lifting)[0])
    return np.array(normals), lifted


def largest_eigenvalue(name, p, jacobian):
    normals, lifted = liftings(name, p)
    n = normals @ np.linalg.inv(jacobian)
    n /= np.linalg.norm(n, axis=1)[:, None]
    return np.linalg.eigvalsh(np.block([[(a @ b) * s.T @ t for b, t in zip(n, lifted)] for a, s in zip(n, lifted)]))[-1]


def main():
    random = np.random.default_rng(1)
    for name, corners in CORNERS.items():
        d = len(corners[0])
        pressed = [np.diag(10.0 ** random.uniform(-2, 2, d)) for _ in range(40)]
        others = [random.normal(size=(d, d)) for _ in range(40)]
        others += [np.linalg.qr(random.normal(size=(d, d)))[0] @ s @ np.linalg.qr(random.normal(size=(d, d)))[0] for s in pressed]
        for p in (1, 2, 3):
            worst = max(largest_eigenvalue(name, p, a) for a in others)
            print(f"{name:15} {len(SIDES[name])} sides, p = {p}: regular {largest_eigenvalue(name, p, REGULAR[name]):.2f}, any {worst:.2f}")


if __name__ == "__main__":
    main()
