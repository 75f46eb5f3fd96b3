#!/usr/bin/env python3
"""Curves the mesh of this case at geometry orders 2 and 3, computes the flow, and writes what came of both into README.md.

    python3 cases/wing-body/table.py --galerna build/galerna [--orders 2,3] [--output FOLDER]

--output takes a run of wing-body.toml that is there already. Beside the lift stands that of the wing alone by E. C. Polhamus (NACA TN 1862, 1949), beside the drag the induced drag of an elliptic
distribution of that lift. Ends with an error where an element is not valid, or the lift is not within a fifth of that of the wing.
"""
import json
import math
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

MACH, ANGLE, SPAN, AREA, TAPER, SWEEP = 0.5, math.radians(2), 4.0, 3.0, 0.5, math.radians(30)  # of the whole wing; sweep of the leading edge
ASPECT = SPAN**2 / AREA


def lift_of_wing():
    """C_L = 2 pi A alpha / (2 + sqrt(A^2 beta^2 (1 + tan^2 of the sweep at half the chord / beta^2) + 4)), with 2 pi as the slope of the section."""
    beta2 = 1 - MACH**2
    tangent = math.tan(SWEEP) - 2 / ASPECT * (1 - TAPER) / (1 + TAPER)
    return 2 * math.pi * ASPECT * ANGLE / (2 + math.sqrt(ASPECT**2 * beta2 * (1 + tangent**2 / beta2) + 4))


def main():
    chosen = validation.options(__doc__, page=HERE / "README.md", orders="2,3", output="", meshes="")
    subprocess.run(["gmsh", "-v", "1", "-", HERE / "body.geo"], check=True, stdout=subprocess.DEVNULL)
    mesh = validation.meshes(chosen, HERE / "wing-body.geo", {"wing-body": {}})["wing-body"]
    rows = []
    for order in map(int, chosen.orders.split(",")):
        said = validation.curve(chosen, mesh, HERE / "wing-body.step", "wing body", order, pathlib.Path(validation.SCRATCH.name) / "curved.msh")
        rows.append(f"| {order} | {said['elements']:,.0f} | {said['curved']:,.0f} | {said['unknowns']:,.0f} | {said['ratio']:.2g} | {said['held']:.0f} of {said['nodes']:,.0f} |")
        print(rows[-1], f"{said['seconds']:.0f} s", flush=True)
    validation.replace_table(chosen, "wing-body-curving", "", "| order | tetrahedra | curved | unknowns of elasticity | smallest min J / max J | wall nodes held back |", rows)

    report = json.loads((pathlib.Path(chosen.output) / "report.json").read_text()) if chosen.output else validation.run_file(chosen, HERE / "wing-body.toml", mesh__file=f'"{mesh}"')
    force = report["coefficients"]
    lift, drag, steps = force["all"]["lift"], force["all"]["drag"], report["newton"]["degrees"]
    rows = [f"| {what} | {force[name]['lift']:.4f} | {force[name]['drag']:.4f} |" for what, name in (("wing", "wing"), ("body", "body"), ("both", "all"))]
    rows.append(f"| wing alone, Polhamus; induced drag of an elliptic distribution of the lift of both | {lift_of_wing():.4f} | {lift**2 / (math.pi * ASPECT):.4f} |")
    caption = f"p = {report['order']}, {sum(s['steps'] for s in steps)} steps of Newton's method, {sum(s['rhs_evaluations'] for s in steps):,} right-hand sides."
    validation.replace_table(chosen, "wing-body-flow", caption, "| | C_L | C_D |", rows)
    print(caption, *rows, sep="\n")
    if abs(lift / lift_of_wing() - 1) > 0.2:
        sys.exit("the lift is another one")


if __name__ == "__main__":
    main()
