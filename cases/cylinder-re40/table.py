#!/usr/bin/env python3
"""Steady flow around a cylinder at Re = 40: drag, lift (an error), length of the bubble and angle of separation at degrees 1-3 on two meshes of the
domain of Gao et al., on a large domain and there at half the Mach number, beside published values, into docs/validation.md.

    python3 cases/cylinder-re40/table.py --galerna build/galerna [--device cuda] [--degrees 1,2] [--only "coarse; fine"]

By Newton's method. Makes its meshes with gmsh; --meshes DIR takes DIR/cylinder-re40-coarse.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

COARSE = {"n": 8, "m": 6, "wake": 0.25}
LARGE = {"x0": -60, "x1": 60, "y1": 60, "far": 8}
MESHES = {"coarse": COARSE, "fine": {"n": 12, "m": 9, "wake": 0.18}, "large": {**COARSE, **LARGE}}
# Name: mesh, Mach number.
RUNS = {"coarse": ("coarse", 0.2), "fine": ("fine", 0.2), "large": ("large", 0.2), "large, M = 0.1": ("large", 0.1)}
PUBLISHED = [
    "| Gao et al. 2022, [-15, 30] x [-15, 15], M = 0.2, 4,894 elements | 1 | 1.563 | | 2.09 | - |",
    "| | 2 | 1.554 | | 2.32 | - |",
    "| | 3 | 1.553 | | 2.32 | - |",
    "| Gautier, Biau, Lamballais 2013, incompressible, radius 40 | spectral | 1.493 | | 2.236 | 126.4 |",
    "| Dennis, Chang 1970, incompressible | | 1.52 | | 2.35 | 126 |",
    "| Fornberg 1980, incompressible | | 1.50 | | 2.24 | - |",
]


def separation_angle(report):
    """Mean of both sides, in degrees from the stagnation point in front."""
    points = [p for p in report["separation"]["cylinder"] if p["kind"] == "separation"]
    return sum(180 - math.degrees(math.atan2(abs(p["y"]), p["x"])) for p in points) / len(points)


def main():
    chosen = validation.options(__doc__, degrees="1,2,3", only="; ".join(RUNS), meshes="")
    needed = dict.fromkeys(RUNS[name][0] for name in chosen.only.split("; "))
    paths = validation.meshes(chosen, HERE / "disc.geo", {f"cylinder-re40-{name}": MESHES[name] for name in needed})
    table, device = [], ""
    for name in chosen.only.split("; "):
        mesh, mach = RUNS[name]
        for degree in map(int, chosen.degrees.split(",")):
            report = validation.run(chosen, "cylinder-re40", discretization__order=degree, mesh__file=paths[f"cylinder-re40-{mesh}"],
                                    mesh__geometry_order=3, constants__mach=mach, equations__reference_velocity=mach, output__forces__velocity=mach,
                                    picture=("velocity", "cylinder-re40.png") if (name, degree) == ("fine", 3) else None)
            device = report["device"]
            force = report["coefficients"]["cylinder"]
            table.append(f"| {name}, {sum(report['mesh']['elements'].values())} elements | {degree} | "
                         f"{force['drag']:.4f} | {force['lift']:.1e} | {report['bubbles']['wake']:.3f} | "
                         f"{separation_angle(report):.1f} | {report['time']['rhs_evaluations']:,} | {report['residual']['relative']:.0e} |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "cylinder-re40",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, Newton's method.",
        "| | p | drag coefficient | lift coefficient | bubble / diameter | separation, degrees | right-hand sides, all degrees | residual |",
        [*table, *(row + " | |" for row in PUBLISHED)])


if __name__ == "__main__":
    main()
