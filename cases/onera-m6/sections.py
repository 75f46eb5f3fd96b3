#!/usr/bin/env python3
"""Sections of a run of wing.toml beside the experiment (AGARD AR-138, test 2308; experiment.csv): where shocks of the upper side lie, and how far c_p is from the measured one.

    python3 sections.py OUTPUT [PICTURE.png]

Prints a line for each y/b: x/l of the steepest rises of c_p behind x/l = 0.2 above, in the run and between two taps of the experiment, the largest suction both ways, and the root of the mean
square of the difference at the taps, above and below. A picture needs matplotlib. The experiment is viscous and not corrected for walls: shocks of inviscid flow lie farther back.
"""
import csv
import pathlib
import sys

SECTIONS = {0.20: "y20", 0.44: "y44", 0.65: "y65", 0.80: "y80", 0.90: "y90"}


def computed(folder, name):
    """(x/l, c_p) along the upper and the lower side, by x/l."""
    with open(folder / f"section_{name}.csv") as file:
        points = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    upper = sorted((p["x_c"], p["cp"]) for p in points if p["z"] >= 0)
    lower = sorted((p["x_c"], p["cp"]) for p in points if p["z"] < 0)
    return upper, lower


def measured(place):
    with open(pathlib.Path(__file__).with_name("experiment.csv")) as file:
        taps = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    taps = [t for t in taps if abs(t["y_b"] - place) < 1e-6]
    return sorted((t["x_l"], t["cp"]) for t in taps if t["z_l"] >= 0), sorted((t["x_l"], t["cp"]) for t in taps if t["z_l"] < 0)


def at(curve, x):
    """Linear between the two neighbours of x."""
    for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
        if x0 <= x <= x1:
            return y0 if x1 == x0 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return curve[0][1] if x < curve[0][0] else curve[-1][1]


def shock(curve, width):
    """x/l where c_p rises most over a width, behind the first shock of the inner sections."""
    ends = [0.2 + 0.005 * k for k in range(156) if 0.2 + 0.005 * k + width < 0.98]
    begin = max(ends, key=lambda x: at(curve, x + width) - at(curve, x))
    return begin + width / 2


def difference(run, taps):
    return (sum((at(run, x) - cp) ** 2 for x, cp in taps) / len(taps)) ** 0.5


def main():
    folder = pathlib.Path(sys.argv[1])
    print("| y/b | shock at x/l | experiment | least c_p | experiment | difference above | below |\n" + "| --- " * 7 + "|")
    curves = {}
    for place, name in SECTIONS.items():
        upper, lower = computed(folder, name)
        taps_above, taps_below = measured(place)
        curves[place] = upper, lower, taps_above, taps_below
        print(f"| {place:.2f} | {shock(upper, 0.04):.2f} | {shock(taps_above, 0.06):.2f} | {min(cp for _, cp in upper):.2f} | {min(cp for _, cp in taps_above):.2f} | "
              f"{difference(upper, taps_above):.3f} | {difference(lower, taps_below):.3f} |")
    if len(sys.argv) > 2:
        draw(curves, sys.argv[2])


def draw(curves, picture):
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(1, len(curves), figsize=(4 * len(curves), 4), sharey=True)
    for axis, (place, (upper, lower, taps_above, taps_below)) in zip(axes, curves.items()):
        for curve in (upper, lower):
            axis.plot(*zip(*curve), "k-", linewidth=1)
        axis.plot(*zip(*taps_above), "o", *zip(*taps_below), "s", markersize=4)
        axis.set(title=f"y/b = {place:.2f}", xlabel="x/l")
    axes[0].set_ylabel("$c_p$")
    axes[0].invert_yaxis()
    figure.savefig(picture, dpi=120, bbox_inches="tight")


main()
