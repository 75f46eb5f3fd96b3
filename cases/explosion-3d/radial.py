#!/usr/bin/env python3
"""The spherical explosion of case.toml as a function of the radius: the Euler equations in spherical shells by second-order finite volumes (linear in each cell in
primitive variables with van Leer's slopes, HLLC flux, two-stage Runge-Kutta method), without any of galerna's code. Prints where shock and contact are, how far the density on
half as many cells is from it, and writes radial.csv, thinned to what linear interpolation needs. Takes half a minute and needs numpy.

    python3 cases/explosion-3d/radial.py [--cells 10000]
"""
import argparse
import pathlib

import numpy

GAMMA, END, EDGE = 1.4, 0.25, 0.4


def conservative(w):
    return numpy.array([w[0], w[0] * w[1], w[2] / (GAMMA - 1) + 0.5 * w[0] * w[1]**2])


def primitive(u):
    velocity = u[1] / u[0]
    return numpy.array([u[0], velocity, (GAMMA - 1) * (u[2] - 0.5 * u[1] * velocity)])


def hllc(left, right):
    """E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 2009, 10.4, with the wave speeds of Davis."""
    flux, states, speeds = [], [], []
    for w in (left, right):
        u = conservative(w)
        states.append(u)
        flux.append(numpy.array([u[1], u[1] * w[1] + w[2], (u[2] + w[2]) * w[1]]))
        speeds.append(numpy.sqrt(GAMMA * w[2] / w[0]))
    slow = numpy.minimum(left[1] - speeds[0], right[1] - speeds[1])
    fast = numpy.maximum(left[1] + speeds[0], right[1] + speeds[1])
    to_slow, to_fast = left[0] * (slow - left[1]), right[0] * (fast - right[1])
    middle = (right[2] - left[2] + to_slow * left[1] - to_fast * right[1]) / (to_slow - to_fast)
    star = []
    for w, u, speed in ((left, states[0], slow), (right, states[1], fast)):
        density = w[0] * (speed - w[1]) / (speed - middle)
        energy = u[2] / w[0] + (middle - w[1]) * (middle + w[2] / (w[0] * (speed - w[1])))
        star.append(density * numpy.array([numpy.ones_like(middle), middle, energy]))
    beside = numpy.where(middle > 0, flux[0] + slow * (star[0] - states[0]), flux[1] + fast * (star[1] - states[1]))
    return numpy.where(slow > 0, flux[0], numpy.where(fast < 0, flux[1], beside))


def solve(cells):
    """Radii of the cells' centres and density, velocity and pressure there at the end."""
    edge = numpy.linspace(0, 1, cells + 1)
    area, volume = edge**2, (edge[1:]**3 - edge[:-1]**3) / 3
    centre = (edge[1:] + edge[:-1]) / 2
    inside = (numpy.clip(EDGE, edge[:-1], edge[1:])**3 - edge[:-1]**3) / 3 / volume  # share of a cell in the sphere
    u = conservative(numpy.array([0.125 + 0.875 * inside, 0 * inside, 0.1 + 0.9 * inside]))

    def rate(u):
        w = primitive(u)
        # Beyond the centre the flow is mirrored, beyond the end it is as before.
        ghosts = numpy.concatenate([w[:, :1] * numpy.array([[1], [-1], [1]]), w, w[:, -1:]], axis=1)
        difference = ghosts[:, 1:] - ghosts[:, :-1]
        product = difference[:, 1:] * difference[:, :-1]
        slope = numpy.where(product > 0, 2 * product / numpy.where(product > 0, difference[:, 1:] + difference[:, :-1], 1), 0)
        left = numpy.concatenate([ghosts[:, :1], w + 0.5 * slope], axis=1)
        right = numpy.concatenate([w - 0.5 * slope, ghosts[:, -1:]], axis=1)
        flux = hllc(left, right) * area
        change = (flux[:, :-1] - flux[:, 1:]) / volume
        change[1] += w[2] * (area[1:] - area[:-1]) / volume
        return change

    time = 0
    while time < END:
        w = primitive(u)
        step = min(0.4 / cells / numpy.max(numpy.abs(w[1]) + numpy.sqrt(GAMMA * w[2] / w[0])), END - time)
        first = u + step * rate(u)
        u = 0.5 * (u + first + step * rate(first))
        time += step
    return centre, primitive(u)


def steepest(r, values, begin, end):
    """The radius between begin and end at which the values fall most steeply."""
    chosen = (r[:-1] > begin) & (r[1:] < end)
    k = numpy.argmin(numpy.where(chosen, values[1:] - values[:-1], 0))
    return 0.5 * (r[k] + r[k + 1])


def thinned(r, values, tolerance):
    """Numbers of the points between which all values are linear up to the tolerance."""
    kept, parts = {0, len(r) - 1}, [(0, len(r) - 1)]
    while parts:
        a, b = parts.pop()
        if b - a < 2:
            continue
        line = values[:, a:a + 1] + (values[:, b:b + 1] - values[:, a:a + 1]) * (r[a:b + 1] - r[a]) / (r[b] - r[a])
        away = numpy.max(numpy.abs(values[:, a:b + 1] - line), axis=0)
        k = a + int(numpy.argmax(away))
        if away[k - a] > tolerance and a < k < b:
            kept.add(k)
            parts += [(a, k), (k, b)]
    return sorted(kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=10000)
    parser.add_argument("--output", default=str(pathlib.Path(__file__).resolve().parent / "radial.csv"))
    chosen = parser.parse_args()
    r, w = solve(chosen.cells)
    coarse, of_coarse = solve(chosen.cells // 2)
    difference = numpy.sum(3 * r**2 * numpy.abs(w[0] - numpy.interp(r, coarse, of_coarse[0]))) / chosen.cells
    print(f"shock at r = {steepest(r, w[2], 0.7, 0.9):.5f}, contact at r = {steepest(r, w[0], 0.5, 0.7):.5f}")
    print(f"{chosen.cells // 2} cells differ by {difference:.2e} in density, as a mean over the unit ball")
    with open(chosen.output, "w", encoding="utf-8") as file:
        file.write("r,density,velocity,pressure\n")
        for k in thinned(r, w, 1e-4):
            file.write(f"{r[k]:.6f},{w[0, k]:.5f},{w[1, k]:.5f},{w[2, k]:.5f}\n")


if __name__ == "__main__":
    main()
