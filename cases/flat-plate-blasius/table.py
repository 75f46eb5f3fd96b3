#!/usr/bin/env python3
"""Boundary layer on a flat plate: friction and profile of velocity at degrees 1-3 beside Blasius's solution, into docs/validation.md.

    python3 cases/flat-plate-blasius/table.py --galerna build/galerna [--device cuda] [--degrees 1,2,3]

By Newton's method. Makes its mesh with gmsh; --meshes DIR takes DIR/flat-plate-blasius.msh instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

REYNOLDS = 10000
PLACES = (0.25, 0.5, 0.75)  # of friction
PROFILE = 0.5               # x of the probe
CURVATURE = 0.332057336215  # f''(0) of Blasius's solution of f''' + f f''/2 = 0, f(0) = f'(0) = 0, f' -> 1


def blasius(end=14.0, steps=2800):
    """Rows of eta and f' by the classical Runge-Kutta method."""
    def slope(f):
        return f[1], f[2], -0.5 * f[0] * f[2]

    h, f, table = end / steps, (0.0, 0.0, CURVATURE), []
    for n in range(steps + 1):
        table.append({"eta": n * h, "velocity": f[1]})
        k1 = slope(f)
        k2 = slope([a + 0.5 * h * b for a, b in zip(f, k1)])
        k3 = slope([a + 0.5 * h * b for a, b in zip(f, k2)])
        k4 = slope([a + h * b for a, b in zip(f, k3)])
        f = tuple(a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(f, k1, k2, k3, k4))
    return table


def profile_difference(report, exact):
    """Largest |u - f'| along the probe where the table reaches."""
    scale = math.sqrt(REYNOLDS / PROFILE)
    return max(abs(row["velocity_x"] - validation.interpolate(exact, "eta", "velocity", row["y"] * scale))
               for row in validation.last_line(report, "profile") if row["y"] * scale <= exact[-1]["eta"])


def main():
    chosen = validation.options(__doc__, degrees="1,2,3", meshes="")
    path = validation.meshes(chosen, HERE / "plate.geo", {"flat-plate-blasius": {}})["flat-plate-blasius"]
    exact, table, device = blasius(), [], ""
    for degree in map(int, chosen.degrees.split(",")):
        report = validation.run(chosen, "flat-plate-blasius", discretization__order=degree, mesh__file=path,
                                picture=("velocity", "flat-plate-blasius.png") if degree == 3 else None)
        device = report["device"]
        wall = validation.rows(report, "wall_plate.csv")
        friction = [validation.interpolate(wall, "x", "cf", x) * math.sqrt(REYNOLDS * x) for x in PLACES]
        drag = report["coefficients"]["plate"]["drag_viscous"] * math.sqrt(REYNOLDS)
        table.append(f"| {degree} | " + " | ".join(f"{value:.4f}" for value in friction) + f" | {drag:.4f} | "
                     f"{profile_difference(report, exact):.4f} | {report['residual']['relative']:.0e} | {report['time']['rhs_evaluations']:,} |")
        print(table[-1], flush=True)
    table.append(f"| Blasius | " + f"{2 * CURVATURE:.4f} | " * len(PLACES) + f"{4 * CURVATURE:.4f} | 0 | | |")
    validation.replace_table(chosen, "flat-plate-blasius",
        f"Device: {device}. {report['mesh']['elements']['quadrilaterals']} quadrilaterals, local Lax-Friedrichs flux, BR2, Newton's method.",
        "| p | " + " | ".join(f"c_f √Re_x at x = {x}" for x in PLACES) + f" | drag √Re | largest difference of u at x = {PROFILE} | residual | "
        "right-hand sides, all degrees |",
        table)


if __name__ == "__main__":
    main()
