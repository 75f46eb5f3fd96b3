#!/usr/bin/env python3
"""Steady flow around a sphere at Re = 100 on a quarter of curved hexahedra: drag with its parts, length of the bubble and angle of separation,
on meshes and at Mach numbers, beside published values, into docs/validation.md.

    python3 cases/sphere-re100/table.py --galerna build/galerna [--device cuda] [--runs "coarse 0.2 1 2; fine 0.2 1 2"]

Runs are mesh, Mach number and degrees, by Newton's method. Makes its meshes with gmsh; --meshes DIR takes
DIR/sphere-re100-coarse.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

MESHES = {"coarse": {"n": 3, "first": 0.08, "growth": 0.25}, "fine": {"n": 5, "first": 0.05, "growth": 0.15}, "far": {"n": 3, "first": 0.08, "growth": 0.25, "far": 80}}
RUNS = "coarse 0.2 1 2 3; fine 0.2 1 2 3; far 0.2 1 2; coarse 0.1 1 2"
FIT = 24 / 100 * (1 + 0.1935 * 100**0.6305)  # R. Clift, J. R. Grace, M. E. Weber, Bubbles, Drops, and Particles, 1978: for 20 < Re < 260
PUBLISHED = [
    f"| Clift, Grace, Weber 1978, fit to experiments and computations | | {FIT:.3f} | | | | |",
    "| Johnson, Patel 1999, incompressible | | 1.087 | | | 0.86-0.88 | 127 |",
]


def separation_angle(report):
    """Of friction along the meridian in the plane z = 0, in degrees from the stagnation point in front: where it turns behind the equator; "-" if it does not."""
    friction = []
    for point in validation.rows(report, "section_meridian.csv"):
        angle = math.atan2(point["y"], -point["x"])
        friction.append((math.degrees(angle), point["shear_x"] * math.sin(angle) + point["shear_y"] * math.cos(angle)))  # towards the rear
    friction.sort()
    for (before, forward), (after, backward) in zip(friction, friction[1:]):
        if before > 90 and forward > 0 >= backward:
            return f"{before + forward / (forward - backward) * (after - before):.1f}"
    return "-"


def row(mesh, mach, degree, report):
    force = report["coefficients"]["sphere"]
    return (f"| {mesh}, {sum(report['mesh']['elements'].values()):,} hexahedra, M = {mach} | {degree} | {force['drag']:.4f} | "
            f"{force['drag_pressure']:.4f} | {force['drag_viscous']:.4f} | {report['bubbles']['wake']:.3f} | {separation_angle(report)} | "
            f"{report['time']['rhs_evaluations']:,} | {report['residual']['relative']:.0e} |")


def main():
    chosen = validation.options(__doc__, runs=RUNS, meshes="")
    runs = [(mesh, float(mach), [int(p) for p in degrees]) for mesh, mach, *degrees in (run.split() for run in chosen.runs.split(";"))]
    paths = validation.meshes(chosen, HERE / "sphere.geo", {f"sphere-re100-{mesh}": MESHES[mesh] for mesh, _, _ in runs})
    table, device = [], ""
    for mesh, mach, degrees in runs:
        for degree in degrees:
            report = validation.run(chosen, "sphere-re100", discretization__order=degree, mesh__file=paths[f"sphere-re100-{mesh}"],
                                    constants__mach=mach, equations__reference_velocity=mach, output__forces__velocity=mach,
                                    picture=("velocity", "sphere-re100.png") if (mesh, mach) == (runs[0][0], 0.2) else None)
            device = report["device"]
            table.append(row(mesh, mach, degree, report))
            print(table[-1], flush=True)
    validation.replace_table(chosen, "sphere-re100",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, Newton's method.",
        "| | p | drag coefficient | of pressure | of friction | bubble / diameter | separation, degrees | right-hand sides, all degrees | residual |",
        [*table, *(row + " | |" for row in PUBLISHED)])


if __name__ == "__main__":
    main()
