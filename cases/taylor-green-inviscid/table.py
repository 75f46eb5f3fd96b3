#!/usr/bin/env python3
"""The Taylor-Green vortex without viscosity on meshes too coarse for it: how far a run gets, whether kinetic energy ever rises, what is left of it at the
end and what entropy has grown by, into docs/validation.md.

    python3 cases/taylor-green-inviscid/table.py --galerna build/galerna [--device cuda] [--runs "hexahedra 24 2; tetrahedra 17 1 riemann=hllc"]

Runs are shape, n and degree of a box of n^3 cubes, and settings of [discretization]. Makes its meshes with gmsh; --meshes DIR takes
DIR/taylor-green-inviscid-hexahedra-24.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

RUNS = ("hexahedra 24 1; hexahedra 24 2; hexahedra 24 3; hexahedra 24 4; tetrahedra 17 1; tetrahedra 18 2; tetrahedra 19 3; tetrahedra 20 4")
CFL = {"hexahedra": {1: 0.9, 2: 0.9, 3: 0.7, 4: 0.6}, "tetrahedra": {1: 1.4, 2: 1.4, 3: 1.4, 4: 1.3}}  # three quarters of what is stable
GAMMA, TEMPERATURE = 1.4, 1 / (1.4 * 0.1**2)  # p/rho at the start


def mesh_of(shape, n):
    return f"taylor-green-inviscid-{shape}-{n}"


def largest_rise(values):
    """The most by which a later value exceeds an earlier one; 0 if none does."""
    rise, least = 0.0, values[0]
    for value in values:
        least = min(least, value)
        rise = max(rise, value - least)
    return rise


def measured(report):
    """Cells of the table: time, rise, remaining energy, and the energy that the growth of entropy amounts to as heat, the last three over the energy at the start."""
    rows = validation.rows(report, "monitor.csv")
    energy = [row["kinetic_energy"] for row in rows]
    entropy = (rows[-1]["entropy"] - rows[0]["entropy"]) * TEMPERATURE / (GAMMA - 1) / energy[0]
    rise = largest_rise(energy) / energy[0]
    failed = report["status"] == "failed"
    return (f"{report['time']['t']:.2f}{' (failed)' if failed else ''} | {f'no, {rise:.1e}' if rise else 'yes'} | "
            f"{energy[-1] / energy[0]:.4f} | {'-' if failed else format(entropy, '.4f')} | {report['time']['steps']}")


def main():
    chosen = validation.options(__doc__, runs=RUNS, meshes="")
    runs = [(shape, int(n), int(degree), settings) for shape, n, degree, *settings in (run.split() for run in chosen.runs.split(";"))]
    paths = validation.meshes(chosen, HERE / "box.geo",
                              {mesh_of(shape, n): {"n": n, "tetrahedra": int(shape == "tetrahedra")} for shape, n, _, _ in runs})
    table, device = [], ""
    for shape, n, degree, settings in runs:
        choices = dict(setting.split("=") for setting in settings)
        report = validation.run(chosen, "taylor-green-inviscid", may_fail=True, mesh__file=paths[mesh_of(shape, n)], discretization__order=degree,
                                time__cfl=CFL[shape][degree], **{"discretization__" + key: value for key, value in choices.items()},
                                picture=("vorticity", "taylor-green-inviscid.png") if (shape, degree, settings) == ("hexahedra", 2, []) else None)
        device = report["device"]
        rule = choices.get("volume_quadrature", "2p")
        table.append(f"| {sum(report['mesh']['elements'].values()):,} {shape} | {degree} | {choices.get('riemann', 'llf')} | {rule} | {measured(report)} |")
        print(table[-1], flush=True)
    validation.replace_table(chosen, "taylor-green-inviscid",
        f"Device: {device}. M = 0.1, ssprk54, rows of the monitor every 0.1.",
        "| elements | p | flux | degree of the volume rule | reached t | energy falls, or largest rise | energy left | heat of the entropy's growth | steps |",
        table)


if __name__ == "__main__":
    main()
