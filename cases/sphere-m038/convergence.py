#!/usr/bin/env python3
"""Inviscid subsonic flow around a sphere at degrees 1-4 on nested meshes of tetrahedra whose geometry is of the same order: largest speed and Mach number on the
wall, c_p at 90 degrees, its difference fore and aft, entropy error and drag, into docs/validation.md.

    python3 cases/sphere-m038/convergence.py --galerna build/galerna [--device cuda] [--levels 0] [--degrees 1,2]

--levels are refinements of a mesh whose edges at the sphere have the length --size. By Newton's method. Makes its meshes with gmsh;
--meshes DIR takes DIR/sphere-m038-2-0.11.msh (order, size) and so on instead.
"""
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

MACH = 0.38


def pressure_at(points, low, high):
    """Mean c_p of the wall between two angles from the point that faces the stream, degrees."""
    sums = [0.0, 0.0]
    for point in points:
        angle = math.degrees(math.acos(max(-1.0, min(1.0, -point["x"] / math.hypot(point["x"], point["y"], point["z"])))))
        if low <= angle <= high:
            sums[0] += point["cp"] * point["area"]
            sums[1] += point["area"]
    return sums[0] / sums[1]


def main():
    chosen = validation.options(__doc__, size=0.11, levels="0,1", degrees="1,2,3,4", meshes="")
    levels, degrees = [int(level) for level in chosen.levels.split(",")], [int(p) for p in chosen.degrees.split(",")]
    order = {degree: min(max(degree, 2), 4) for degree in degrees}
    paths = validation.meshes(chosen, HERE / "sphere.geo",
                              {f"sphere-m038-{n}-{chosen.size}": {"order": n, "near": chosen.size, "growth": 2 * chosen.size}
                               for n in sorted(set(order.values()))})
    table, device = [], ""
    for degree in degrees:
        entropies, drags = [], []
        for k, level in enumerate(levels):
            picture = ("mach", "sphere-m038.png") if (degree, level) == (3, levels[-1]) else None
            report = validation.run(chosen, "sphere-m038", discretization__order=degree, mesh__refine=level,
                                    mesh__file=paths[f"sphere-m038-{order[degree]}-{chosen.size}"], picture=picture)
            device = report["device"]
            points = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(report["csv"]["wall_sphere.csv"].splitlines())]
            speed = max(math.hypot(p["velocity_x"], p["velocity_y"], p["velocity_z"]) for p in points) / MACH
            entropies.append(report["entropy_error"]["l2"])
            drags.append(abs(report["coefficients"]["all"]["drag"]))
            table.append(f"| {degree} | {report['mesh']['elements']['tetrahedra']} | {speed:.4f} | {max(p['mach'] for p in points):.4f} | "
                         f"{pressure_at(points, 85, 95):.3f} | {pressure_at(points, 55, 65) - pressure_at(points, 115, 125):.3f} | "
                         f"{entropies[k]:.3e} | {validation.order(entropies, k)} | {drags[k]:.2e} | {validation.order(drags, k)} | "
                         f"{report['time']['rhs_evaluations']:,} | {report['residual']['relative']:.0e} |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "sphere-m038",
        f"Device: {device}. Roe flux, Newton's method.",
        "| p | tetrahedra | largest speed over the stream's | largest Mach number | c_p at 90° | c_p at 60° less that at 120° | L2 error of entropy | order | "
        "drag coefficient, magnitude | order | right-hand sides, all degrees | residual |",
        table)


if __name__ == "__main__":
    main()
