#!/usr/bin/env python3
"""Generates src/basis/quadrature_tables.cpp: symmetric quadrature rules with interior points and positive weights on the triangle.

For each degree the numbers of orbits are those of published rules (D. A. Dunavant, Int. J. Numer. Meth. Engng 21 (1985) 1129; L. Zhang,
T. Cui, H. Liu, J. Comput. Math. 27 (2009) 89; F. D. Witherden, P. E. Vincent, Comput. Math. Appl. 69 (2015) 1232). The moment equations
in the orthonormal basis are solved by Levenberg-Marquardt from seeded random starts and polished in 40 digits.

Needs numpy, scipy and mpmath:  python3 tools/quadrature/generate_triangle_rules.py > src/basis/quadrature_tables.cpp
"""
import sys

import mpmath
import numpy as np
from scipy.optimize import least_squares

# degree: (centroid, orbits of 3, orbits of 6)
STRUCTURES = {1: (1, 0, 0), 2: (0, 1, 0), 4: (0, 2, 0), 5: (1, 2, 0), 6: (0, 2, 1), 8: (1, 3, 1), 10: (1, 2, 3), 12: (0, 5, 3),
              13: (1, 6, 3), 14: (0, 6, 4)}
mpmath.mp.dps = 40


def unpack(x, structure):
    """Unknowns -> list of (size, weight, a, b)."""
    centroid, threes, sixes = structure
    orbits, k = [], 0
    if centroid:
        orbits.append((1, x[0], mpmath.mpf(1) / 3, mpmath.mpf(1) / 3))
        k = 1
    for _ in range(threes):
        orbits.append((3, x[k], x[k + 1], x[k + 1]))
        k += 2
    for _ in range(sixes):
        orbits.append((6, x[k], x[k + 1], x[k + 2]))
        k += 3
    return orbits


def points(orbit):
    size, weight, a, b = orbit
    if size == 1:
        return [(a, a)]
    c = 1 - a - b
    if size == 3:
        return [(a, a), (a, c), (c, a)]
    return [(a, b), (b, a), (a, c), (c, a), (b, c), (c, b)]


def legendre_products(degree, r, s):
    """Koornwinder's polynomials of total degree <= degree, in homogeneous recurrences (no division)."""
    edge = 1 - s
    first = [1 + 0 * r, 2 * r - edge]
    for i in range(1, degree):
        first.append(((2 * i + 1) * (2 * r - edge) * first[i] - i * edge * edge * first[i - 1]) / (i + 1))
    values = []
    for i in range(degree + 1):
        a, x = 2 * i + 1, 2 * s - 1
        second = [1 + 0 * s, ((a + 2) * x + a) / 2]
        for k in range(1, degree - i):
            q = 2 * k + a
            second.append(((q + 1) * ((q + 2) * q * x + a * a) * second[k] - 2 * k * (k + a) * (q + 2) * second[k - 1])
                          / (2 * (k + 1) * (k + 1 + a) * q))
        for j in range(degree - i + 1):
            square = (2 * i + 1) * (2 * i + 2 * j + 2)
            scale = mpmath.sqrt(square) if isinstance(r, mpmath.mpf) else square ** 0.5
            values.append(scale * first[i] * second[j])
    return values


def residual(x, structure, degree):
    """Sum of weight * polynomial over the points, minus its integral; numpy arrays, or mpmath numbers."""
    pairs = [(orbit[1], point) for orbit in unpack(x, structure) for point in points(orbit)]
    if isinstance(x[0], mpmath.mpf):
        total = [mpmath.mpf(0)] * ((degree + 1) * (degree + 2) // 2)
        for weight, (r, s) in pairs:
            total = [t + weight * v for t, v in zip(total, legendre_products(degree, r, s))]
        total[0] -= mpmath.sqrt(mpmath.mpf(1) / 2)
        return total
    weights = np.array([float(w) for w, _ in pairs])
    r, s = (np.array([float(p[k]) for _, p in pairs]) for k in (0, 1))
    total = np.array([weights @ v for v in legendre_products(degree, r, s)])
    total[0] -= 0.5 ** 0.5
    return total


def inside(orbits):
    return all(w > 1e-6 and a > 1e-4 and b > 1e-4 and 1 - a - b > 1e-4 for _, w, a, b in orbits)


def polish(x, structure, degree):
    """Gauss-Newton in 40 digits."""
    x = mpmath.matrix([mpmath.mpf(float(v)) for v in x])
    for _ in range(8):
        f = mpmath.matrix(residual(list(x), structure, degree))
        jacobian = mpmath.matrix(len(f), len(x))
        for k in range(len(x)):
            step = mpmath.mpf(10) ** -18
            y = list(x)
            y[k] += step
            g = residual(y, structure, degree)
            for i in range(len(f)):
                jacobian[i, k] = (g[i] - f[i]) / step
        x -= mpmath.lu_solve(jacobian.T * jacobian, jacobian.T * f)
    largest = max(abs(v) for v in residual(list(x), structure, degree))
    assert largest < mpmath.mpf(10) ** -30, (degree, largest)
    return list(x)


def solve(degree, structure):
    centroid, threes, sixes = structure
    number = centroid + 3 * threes + 6 * sixes
    generator = np.random.default_rng(degree)
    for _ in range(20000):
        start = []
        if centroid:
            start.append(0.5 / number)
        for _ in range(threes):
            start += [0.5 / number * generator.uniform(0.3, 1.5), generator.uniform(0.01, 0.49)]
        for _ in range(sixes):
            a = generator.dirichlet((1, 1, 1))
            start += [0.5 / number * generator.uniform(0.3, 1.5), a[0], a[1]]
        found = least_squares(residual, start, args=(structure, degree), method="trf", xtol=1e-15, ftol=1e-15, gtol=1e-15,
                              max_nfev=200)
        if found.cost < 1e-26 and inside(unpack(list(found.x), structure)):
            return polish(found.x, structure, degree)
    sys.exit(f"no rule of degree {degree} found")


def main():
    print("// Generated by tools/quadrature/generate_triangle_rules.py, which names the sources; do not edit.")
    print('#include "basis/quadrature_tables.hpp"\n')
    print("namespace galerna::basis {\n")
    print("const std::vector<TriangleTable>& triangle_tables() {")
    print("  static const std::vector<TriangleTable> tables = {")
    for degree, structure in STRUCTURES.items():
        print(f"degree {degree}", file=sys.stderr)
        print(f"      {{{degree},\n       {{")
        for size, weight, a, b in unpack(solve(degree, structure), structure):
            numbers = ", ".join(mpmath.nstr(v, 20) for v in (weight, a, b))
            print(f"           {{{size}, {numbers}}},")
        print("       }},")
    print("  };\n  return tables;\n}\n\n}  // namespace galerna::basis")


if __name__ == "__main__":
    main()
