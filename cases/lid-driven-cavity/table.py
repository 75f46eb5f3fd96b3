#!/usr/bin/env python3
"""Lid-driven cavity at Re = 100 and 1000: velocities on the centre lines beside published ones of incompressible flow, into docs/validation.md.

    python3 cases/lid-driven-cavity/table.py --galerna build/galerna [--device cuda] [--only 100]

By Newton's method. Makes its meshes with gmsh; --meshes DIR takes DIR/lid-driven-cavity-100.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

CELLS = {100: 8, 1000: 16}  # along a side, by Reynolds number
# U. Ghia, K. N. Ghia, C. T. Shin, J. Comput. Phys. 48 (1982) 387, tables I and II: u over y at x = 0.5 and v over x at y = 0.5.
GHIA_Y = (0.0547, 0.0625, 0.0703, 0.1016, 0.1719, 0.2813, 0.4531, 0.5, 0.6172, 0.7344, 0.8516, 0.9531, 0.9609, 0.9688, 0.9766)
GHIA_U = {100: (-0.03717, -0.04192, -0.04775, -0.06434, -0.10150, -0.15662, -0.21090, -0.20581, -0.13641, 0.00332, 0.23151, 0.68717, 0.73722,
                0.78871, 0.84123),
          1000: (-0.18109, -0.20196, -0.22220, -0.29730, -0.38289, -0.27805, -0.10648, -0.06080, 0.05702, 0.18719, 0.33304, 0.46604, 0.51117,
                 0.57492, 0.65928)}
GHIA_X = (0.0625, 0.0703, 0.0781, 0.0938, 0.1563, 0.2266, 0.2344, 0.5, 0.8047, 0.8594, 0.9063, 0.9453, 0.9531, 0.9609, 0.9688)
GHIA_V = {100: (0.09233, 0.10091, 0.10890, 0.12317, 0.16077, 0.17507, 0.17527, 0.05454, -0.24533, -0.22445, -0.16914, -0.10313, -0.08864,
                -0.07391, -0.05906),
          1000: (0.27485, 0.29012, 0.30353, 0.32627, 0.37095, 0.33075, 0.32235, 0.02526, -0.31966, -0.42665, -0.51550, -0.39188, -0.33714,
                 -0.27669, -0.21388)}
# Least u, greatest and least v on these lines. Re = 1000: O. Botella, R. Peyret, Comput. Fluids 27 (1998) 421, spectral. Re = 100: Ghia et al.
EXTREMES = {100: ("Ghia et al.", (-0.21090, 0.17527, -0.24533)), 1000: ("Botella, Peyret", (-0.38857, 0.37694, -0.52708))}


def root_mean_square(line, x, y, places, values):
    """Of the differences from the published `values` at `places`, and the largest of them."""
    differences = [validation.interpolate(line, x, y, at) - value for at, value in zip(places, values)]
    return (sum(d * d for d in differences) / len(differences))**0.5, max(map(abs, differences))


def main():
    chosen = validation.options(__doc__, only=",".join(map(str, CELLS)), meshes="")
    reynolds = [int(word) for word in chosen.only.split(",")]
    paths = validation.meshes(chosen, HERE / "square.geo", {f"lid-driven-cavity-{re}": {"n": CELLS[re]} for re in reynolds})
    table, device = [], ""
    for re in reynolds:
        for degree in (1, 3):
            picture = ("velocity", "lid-driven-cavity.png") if (re, degree) == (1000, 3) else None
            report = validation.run(chosen, "lid-driven-cavity", picture=picture, equations__reynolds=re, discretization__order=degree,
                                    mesh__file=paths[f"lid-driven-cavity-{re}"])
            device = report["device"]
            vertical, horizontal = validation.last_line(report, "vertical"), validation.last_line(report, "horizontal")
            u = root_mean_square(vertical, "y", "velocity_x", GHIA_Y, GHIA_U[re])
            v = root_mean_square(horizontal, "x", "velocity_y", GHIA_X, GHIA_V[re])
            cross = [row["velocity_y"] for row in horizontal]
            extremes = (min(row["velocity_x"] for row in vertical), max(cross), min(cross))
            table.append(f"| {re} | {CELLS[re]} x {CELLS[re]}, p = {degree} | {u[0]:.4f} ({u[1]:.4f}) | {v[0]:.4f} ({v[1]:.4f}) | "
                         + " | ".join(f"{value:.4f}" for value in extremes)
                         + f" | {report['residual']['relative']:.0e} | {report['time']['rhs_evaluations']:,} |")
            print(table[-1], flush=True)
        name, values = EXTREMES[re]
        table.append(f"| {re} | {name} | | | " + " | ".join(f"{value:.4f}" for value in values) + " | | |")
    validation.replace_table(chosen, "lid-driven-cavity",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, Newton's method. Differences from Ghia, Ghia and Shin: root mean square (largest).",
        "| Re | cells | difference of u | difference of v | least u | greatest v | least v | residual | right-hand sides, all degrees |",
        table)


if __name__ == "__main__":
    main()
