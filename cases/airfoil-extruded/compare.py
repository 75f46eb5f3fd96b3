#!/usr/bin/env python3
"""Runs the airfoil in the plane and extruded, on the same mesh of triangles, or of quadrilaterals and some triangles, and writes how far drag, lift and the error of entropy differ into docs/validation.md: step by step up to
a time, and at the degrees --steady of the steady flow. Ends with an error where they differ by more than 1e-6 of their size.

    python3 cases/airfoil-extruded/compare.py --galerna build/galerna [--degrees 1,2] [--steady 1] [--end 0.3] [--meshes FOLDER]
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation  # noqa: E402

GEOMETRY = pathlib.Path(__file__).resolve().parent / "airfoil.geo"
QUADS = {"quads": 1, "h0": 0.01}
MESHES = {"plane": {"space": 0}, "extruded": {"space": 1}, "plane-quads": {"space": 0} | QUADS, "extruded-quads": {"space": 1} | QUADS}
# What the case says of space alone: no value takes a key or a section out.
OF_SPACE = ["boundary__ends", "initial__velocity_z", "boundary__far__velocity_z", "output__forces__area", "output__forces__stream", "output__forces__up", "output__picture",
            "output__section"]
STEPS = {1: 1e-3, 2: 6e-4}  # below the largest stable ones


def numbers(chosen, meshes, name, degree, steady):
    settings = dict.fromkeys(OF_SPACE if name.startswith("plane") else ["output__picture"], "")
    if steady:
        settings |= {"time__steady": 1e-13}
    else:
        settings |= dict.fromkeys(["time__local", "time__steady", "time__cfl"], "") | {"time__step": STEPS[degree] / (4 if "quads" in name else 1), "time__end": chosen.end}
    report = validation.run(chosen, "airfoil-extruded", mesh__file=f'"{meshes[name]}"', discretization__order=degree, discretization__face_quadrature=2 * degree + 1,
                            **settings)
    forces = report["coefficients"]["airfoil"]
    return {"drag": forces["drag"], "lift": forces["lift"], "entropy": report["entropy_error"]["l2"]}, report


def main():
    chosen = validation.options(__doc__, degrees="1,2", steady="1", end=0.3, meshes="")
    meshes = validation.meshes(chosen, GEOMETRY, MESHES)
    rows, worst, device = [], 0, ""
    runs = [(int(degree), False, "") for degree in chosen.degrees.split(",")] + [(int(degree), True, "") for degree in chosen.steady.split(",") if degree]
    for degree, steady, kind in runs + [(1, False, "-quads")]:
        plane, report = numbers(chosen, meshes, "plane" + kind, degree, steady)
        extruded, of_space = numbers(chosen, meshes, "extruded" + kind, degree, steady)
        device, elements = report["device"], ", ".join(f"{count} {shape}" for shape, count in of_space["mesh"]["elements"].items())
        # Lift is what the triangles' lack of symmetry makes of zero: it is compared with the drag.
        size = {"drag": abs(plane["drag"]), "lift": abs(plane["drag"]), "entropy": plane["entropy"]}
        differences = [abs(extruded[key] - plane[key]) / size[key] for key in plane]
        worst = max(worst, *differences)
        rows.append(f"| {elements} | {degree} | {'steady' if steady else f't = {chosen.end:g}'} | {plane['drag']:.8f} | {plane['lift']:.8f} | {plane['entropy']:.8e} | " + " | ".join(f"{value:.1e}" for value in differences) + " |")
        print(rows[-1], flush=True)
    validation.replace_table(chosen, "airfoil-extruded",
        f"Device: {device}. Elements of geometry order 2, Roe flux, ssprk54; steps of " +
        " and ".join(f"{STEPS[int(degree)]:g}" for degree in chosen.degrees.split(",")) +
        f" (with hexahedra a quarter) up to t = {chosen.end:g}, local steps to a change of 1e-13.",
        "| in space | p | state | C_D in the plane | C_L | entropy error (L2) | difference of C_D | of C_L (by C_D) | of the entropy error |", rows)
    if worst > 1e-6:
        sys.exit(f"the extruded flow differs from that in the plane by {worst:.1e}")


if __name__ == "__main__":
    main()
