#!/usr/bin/env python3
"""The spherical explosion at degrees 1-3 on a mesh and its uniform refinements beside the solution in the radius, radial.csv: L1 error of density as a mean over the ball
r < 0.95, sampled along 60 directions, its ratio from mesh to mesh, and where shock and contact are, into docs/validation.md.

    python3 cases/explosion-3d/convergence.py --galerna build/galerna [--device cuda] [--refine 0,1] [--degrees 1,2] [--h 0.1] [--sector 1]

Makes its mesh with gmsh, of the octant or of a sixth of it; --meshes DIR takes DIR/octant.msh or DIR/sector.msh instead.
"""
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

DIRECTIONS, POINTS, END = 60, 951, 0.95


def directions(sector):
    """Unit vectors evenly spread over the octant, z in steps of equal area, angles by the golden ratio; mirrored into the sector x > y > z of it."""
    golden = (math.sqrt(5) - 1) / 2
    for k in range(DIRECTIONS):
        z, angle = (k + 0.5) / DIRECTIONS, (0.5 + k * golden) % 1 * math.pi / 2
        direction = (math.sqrt(1 - z * z) * math.cos(angle), math.sqrt(1 - z * z) * math.sin(angle), z)
        yield sorted(direction, reverse=True) if sector else direction


def probes(sector):
    settings = {}
    for k, direction in enumerate(directions(sector)):
        probe = f"output__probe__d{k}__"
        settings |= {probe + "point": [1e-6 * x for x in direction], probe + "end": [END * x for x in direction], probe + "points": POINTS,
                     probe + "fields": '["density"]'}
    return settings


def reference():
    """Density at the points of the probes."""
    with open(HERE / "radial.csv", newline="", encoding="utf-8") as file:
        table = [(float(row["r"]), float(row["density"])) for row in csv.DictReader(file)]
    values, at = [], 0
    for k in range(POINTS):
        r = END * k / (POINTS - 1)
        while at + 2 < len(table) and table[at + 1][0] < r:
            at += 1
        (a, before), (b, after) = table[at], table[at + 1]
        values.append(before if r < a else before + (after - before) * (r - a) / (b - a))
    return values


def falls_through(values, level, begin, end):
    """The largest radius between begin and end at which the values fall through the level."""
    step = END / (POINTS - 1)
    for k in range(round(end / step), round(begin / step), -1):
        if values[k] < level <= values[k - 1]:
            return step * (k - (level - values[k]) / (values[k - 1] - values[k]))
    raise ValueError(f"no fall through {level}")


def level(exact, at):
    """Midway between the densities of the solution on both sides of a jump at the radius `at`."""
    step = END / (POINTS - 1)
    return 0.5 * (exact[round(at / step) - 5] + exact[round(at / step) + 5])


def main():
    chosen = validation.options(__doc__, refine="0,1", degrees="1,2,3", meshes="", h=0.1, sector=0)
    mesh = "sector" if chosen.sector else "octant"
    path = validation.meshes(chosen, HERE / "octant.geo", {mesh: {"h": chosen.h, "sector": chosen.sector}})[mesh]
    exact = reference()
    weights = [(k / (POINTS - 1))**2 for k in range(POINTS)]
    table, device = [], ""
    for degree in chosen.degrees.split(","):
        previous = None
        for refine in chosen.refine.split(","):
            shown = degree == "2" and refine == chosen.refine.split(",")[-1]
            report = validation.run(chosen, "explosion-3d", picture=("density", "explosion-3d.png") if shown else None, discretization__order=degree,
                                    mesh__file=path, mesh__refine=refine, **probes(chosen.sector))
            device = report["device"]
            profiles = [[row["density"] for row in validation.last_line(report, f"d{k}")] for k in range(DIRECTIONS)]
            error = sum(w * abs(profile[k] - exact[k]) for profile in profiles for k, w in enumerate(weights)) / sum(weights) / DIRECTIONS
            mean = [sum(values) / DIRECTIONS for values in zip(*profiles)]
            shock, contact = falls_through(mean, level(exact, 0.7931), 0.7, 0.9), falls_through(mean, level(exact, 0.6065), 0.5, 0.7)
            ratio = "" if previous is None else f"{previous / error:.2f}"
            table.append(f"| {degree} | {sum(report['mesh']['elements'].values()):,} | {error:.3e} | {ratio} | {shock:.4f} | {contact:.4f} | "
                         f"{100 * report['limiter']['slopes']:.0f} % | {100 * report['limiter']['positivity']:.1g} % | {report['time']['steps']} |")
            print(table[-1], flush=True)
            previous = error
    validation.replace_table(chosen, "explosion-3d",
        f"Device: {device}. HLLC flux, hierarchical limiter in characteristic variables, positivity, ssprk33, step from the positivity bound.",
        "| p | tetrahedra | L1 error of density | ratio | shock at r | contact at r | elements limited | scaled | steps |", table)


if __name__ == "__main__":
    main()
