#!/usr/bin/env python3
"""Generates src/basis/quadrature_tables_tetrahedron.cpp: symmetric quadrature rules with interior points and positive weights on the tetrahedron.

For each degree the number of points is that of published rules (L. Zhang, T. Cui, H. Liu, J. Comput. Math. 27 (2009) 89; F. D. Witherden,
P. E. Vincent, Comput. Math. Appl. 69 (2015) 1232). A rule that is symmetric is exact if it is exact for symmetric polynomials, which are those
of the elementary symmetric functions e2, e3, e4 of the barycentric coordinates (e1 = 1). These moment equations are solved by
Levenberg-Marquardt from seeded random starts and polished in 40 digits. Above degree 8 random starts find nothing: rules come from
search_tetrahedron_rules.cpp, in tetrahedron_starts.txt, and are polished here.

Needs numpy, scipy and mpmath:  python3 tools/quadrature/generate_tetrahedron_rules.py > src/basis/quadrature_tables_tetrahedron.cpp
"""
import itertools
import math
import pathlib
import sys
from fractions import Fraction

import mpmath
import numpy as np
from scipy.optimize import least_squares

# degree: (centroid, orbits of 4, of 6, of 12, of 24)
STRUCTURES = {1: (1, 0, 0, 0, 0), 2: (0, 1, 0, 0, 0), 3: (0, 2, 0, 0, 0), 5: (0, 2, 1, 0, 0), 6: (0, 3, 0, 1, 0), 7: (1, 1, 1, 2, 0),
              8: (0, 4, 1, 2, 0)}
SIZES = (1, 4, 6, 12, 24)
FREE = (0, 1, 1, 2, 3)  # coordinates of an orbit's first point that are unknown
mpmath.mp.dps = 40


def coordinates(kind, free):
    """Barycentric coordinates of the first point of an orbit."""
    if kind == 1:
        return (free[0],) * 3 + (1 - 3 * free[0],)
    if kind == 2:
        return (free[0], free[0], (1 - 2 * free[0]) / 2, (1 - 2 * free[0]) / 2)
    if kind == 3:
        return (free[0], free[0], free[1], 1 - 2 * free[0] - free[1])
    return (free[0], free[1], free[2], 1 - free[0] - free[1] - free[2])


def orbits_of(x, structure):
    """Unknowns -> list of (kind, weight of a point, barycentric coordinates)."""
    result, k = [], 0
    for kind, count in enumerate(structure):
        for _ in range(count):
            quarter = mpmath.mpf(1) / 4 if isinstance(x[k], mpmath.mpf) else 0.25
            at = coordinates(kind, x[k + 1:k + 1 + FREE[kind]]) if kind > 0 else (quarter,) * 4
            result.append((kind, x[k], at))
            k += 1 + FREE[kind]
    return result


def exponents(degree):
    return [(a, b, c) for a in range(degree // 2 + 1) for b in range(degree // 3 + 1) for c in range(degree // 4 + 1)
            if 2 * a + 3 * b + 4 * c <= degree]


def product(p, q):
    result = {}
    for (a, u), (b, v) in itertools.product(p.items(), q.items()):
        key = tuple(i + j for i, j in zip(a, b))
        result[key] = result.get(key, 0) + u * v
    return result


def integral(powers):
    """Of e2^a e3^b e4^c over the tetrahedron of volume 1/6, exact."""
    elementary = [{tuple(1 if i in chosen else 0 for i in range(4)): 1 for chosen in itertools.combinations(range(4), k)} for k in (2, 3, 4)]
    polynomial = {(0, 0, 0, 0): 1}
    for factor, power in zip(elementary, powers):
        for _ in range(power):
            polynomial = product(polynomial, factor)
    return sum(Fraction(c * math.prod(map(math.factorial, m)), math.factorial(sum(m) + 3)) for m, c in polynomial.items())


def symmetric(at):
    e2 = sum(at[i] * at[j] for i, j in itertools.combinations(range(4), 2))
    e3 = sum(at[i] * at[j] * at[k] for i, j, k in itertools.combinations(range(4), 3))
    return e2, e3, at[0] * at[1] * at[2] * at[3]


def residual(x, structure, moments):
    """Of every moment equation, relative to the moment."""
    sums = [0] * len(moments)
    for kind, weight, at in orbits_of(x, structure):
        e2, e3, e4 = symmetric(at)
        for i, ((a, b, c), _) in enumerate(moments):
            sums[i] += SIZES[kind] * weight * e2**a * e3**b * e4**c
    return [s / m - 1 for s, (_, m) in zip(sums, moments)]


def inside(x, structure):
    return all(weight > 1e-7 and min(at) > 1e-4 for _, weight, at in orbits_of(x, structure))


def polish(x, structure, degree):
    """Newton's method in 40 digits; where there are more unknowns than equations, the least change that solves these."""
    moments = [(e, mpmath.mpf(m.numerator) / m.denominator) for e in exponents(degree) for m in [integral(e)]]
    x = [mpmath.mpf(float(v)) for v in x]
    for _ in range(8):
        f = residual(x, structure, moments)
        jacobian = mpmath.matrix(len(f), len(x))
        for k in range(len(x)):
            step = mpmath.mpf(10) ** -18
            y = list(x)
            y[k] += step
            for i, g in enumerate(residual(y, structure, moments)):
                jacobian[i, k] = (g - f[i]) / step
        if len(x) < len(f):  # more equations than unknowns, which agree all the same
            change = mpmath.lu_solve(jacobian.T * jacobian, jacobian.T * mpmath.matrix(f))
        else:
            change = jacobian.T * mpmath.lu_solve(jacobian * jacobian.T, mpmath.matrix(f))
        x = [v - change[k] for k, v in enumerate(x)]
    assert max(abs(v) for v in residual(x, structure, moments)) < mpmath.mpf(10) ** -30, degree
    return x


def random_start(structure, generator):
    number = sum(s * c for s, c in zip(SIZES, structure))
    start = []
    for kind, count in enumerate(structure):
        for _ in range(count):
            start.append(generator.uniform(0.3, 1.5) / 6 / number)
            if kind == 3:
                a = generator.uniform(0.01, 0.49)
                start += [a, generator.uniform(0, 1 - 2 * a)]
            else:
                start += list(generator.uniform(0.01, (1, 0.33, 0.49, 0, 0.5)[kind], FREE[kind]))
    return np.array(start)


def solve(degree, structure):
    moments = [(e, float(integral(e))) for e in exponents(degree)]
    generator = np.random.default_rng(degree)
    for _ in range(20000):
        start = random_start(structure, generator)
        # Levenberg-Marquardt asks for as many equations as unknowns.
        padding = [0.0] * max(0, len(start) - len(moments))
        found = least_squares(lambda x: residual(x, structure, moments) + padding, start, method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15,
                              max_nfev=3000)
        if np.max(np.abs(found.fun)) < 1e-10 and inside(found.x, structure):
            return polish(found.x, structure, degree)
    raise RuntimeError(f"no rule of degree {degree} found")


def searched():
    """Rules of tetrahedron_starts.txt: [(degree, structure, unknowns)]."""
    rules, orbits = [], []
    for line in (pathlib.Path(__file__).resolve().parent / "tetrahedron_starts.txt").read_text().splitlines():
        words = line.split()
        if words[0] == "degree":
            orbits = []
            rules.append((int(words[1]), orbits))
            continue
        kind, weight, at = SIZES.index(int(words[0])), float(words[1]), [float(word) for word in words[2:]]
        orbits.append((kind, [weight, *([], at[:1], at[:1], [at[0], at[2]], at[:3])[kind]]))
    return [(degree, tuple(sum(kind == k for kind, _ in orbits) for k in range(5)), [v for _, unknowns in orbits for v in unknowns])
            for degree, orbits in rules]


def main():
    print("// Generated by tools/quadrature/generate_tetrahedron_rules.py: do not edit.")
    print('#include "basis/quadrature_tables.hpp"\n\nnamespace galerna::basis {\n')
    print("const std::vector<TetrahedronTable>& tetrahedron_tables() {\n  static const std::vector<TetrahedronTable> tables = {")
    solved = [(degree, structure, solve(degree, structure)) for degree, structure in STRUCTURES.items()]
    for degree, structure, x in solved + [(degree, structure, polish(x, structure, degree)) for degree, structure, x in searched()]:
        print(f"degree {degree}: {sum(s * c for s, c in zip(SIZES, structure))} points", file=sys.stderr, flush=True)
        rows = [f"{{{SIZES[kind]}, {mpmath.nstr(weight, 20)}, {{{', '.join(mpmath.nstr(v, 20) for v in at)}}}}}"
                for kind, weight, at in orbits_of(x, structure)]
        print(f"      {{{degree},\n       {{" + ",\n        ".join(rows) + "}},", flush=True)
    print("  };\n  return tables;\n}\n\n}  // namespace galerna::basis")


if __name__ == "__main__":
    main()
