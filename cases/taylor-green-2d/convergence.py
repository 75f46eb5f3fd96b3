#!/usr/bin/env python3
"""Decaying Taylor-Green vortices at degrees 1-3 on three meshes: error of momentum, its order, and the rate of decay of kinetic energy beside the
incompressible one, 4 nu, into docs/validation.md.

    python3 cases/taylor-green-2d/convergence.py --galerna build/galerna [--device cuda] [--counts 8,16] [--degrees 1,2]

Makes its meshes with gmsh; --meshes DIR takes DIR/taylor-green-2d-8.msh and so on instead.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

VISCOSITY, START_ENERGY = 0.05, math.pi**2  # of the case; the integral of (u^2 + v^2)/2 at t = 0 with density 1
MACH, END = 0.01, 1


def main():
    chosen = validation.options(__doc__, counts="8,16,32", degrees="1,2,3", meshes="")
    counts = chosen.counts.split(",")
    paths = validation.meshes(chosen, HERE / "square.geo", {f"taylor-green-2d-{count}": {"n": count} for count in counts})
    table, device = [], ""
    for degree in map(int, chosen.degrees.split(",")):
        errors = []
        for k, count in enumerate(counts):
            last = (degree, count) == (3, counts[-1])
            report = validation.run(chosen, "taylor-green-2d", discretization__order=degree, mesh__file=paths[f"taylor-green-2d-{count}"],
                                    constants__mach=MACH, time__end=END, picture=("velocity", "taylor-green-2d.png") if last else None)
            device = report["device"]
            errors.append(report["errors"]["momentum_x"]["l2_normalized"])
            rate = math.log(START_ENERGY / report["kinetic_energy"]) / END
            table.append(f"| {degree} | {count} x {count} | {errors[k]:.3e} | {validation.order(errors, k)} | {rate:.6f} | {rate / (4 * VISCOSITY) - 1:.1e} | "
                         f"{report['time']['steps']} |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "taylor-green-2d",
        f"Device: {device}. M = {MACH}, nu = {VISCOSITY}, t = {END}; local Lax-Friedrichs flux, BR2, ssprk54, cfl = 0.9.",
        "| p | squares | L2 error of momentum per area | order | rate of decay of kinetic energy | over 4 nu, less 1 | steps |",
        table)


if __name__ == "__main__":
    main()
