#!/usr/bin/env python3
"""Vortex street behind a cylinder at Re = 100: Strouhal number, mean drag and amplitude of lift at degrees 2 and 3 on two meshes, beside published
values, into docs/validation.md.

    python3 cases/cylinder-re100/table.py --galerna build/galerna [--device cuda] [--only coarse]

Degree 3 starts from the result of degree 2. Makes its meshes with gmsh; --meshes DIR takes DIR/cylinder-re100-coarse.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

DOMAIN = {"x0": -20, "x1": 40, "y1": 20}
MESHES = {"coarse": {"n": 8, "m": 6, "wake": 0.25, **DOMAIN}, "fine": {"n": 12, "m": 9, "wake": 0.18, **DOMAIN}}
STREAM = {"length": 1, "velocity": 0.2}
DYNAMIC_PRESSURE = 0.5 * STREAM["velocity"] ** 2
PERIODS = 6  # of lift, at the end
PUBLISHED = [
    "| Williamson 1988, fit to experiments | | 0.1643 | - | - |",
    "| Park, Kwon, Choi 1998, incompressible | | 0.165 | 1.33 | - |",
    "| Ding et al. 2004, incompressible | | 0.164 | 1.325 | 0.28 |",
]


def mean_drag(report, frequency):
    """Of the rows of monitor.csv, which are equally spaced, within the last periods."""
    monitor = validation.rows(report, "monitor.csv")
    start = monitor[-1]["time"] - PERIODS / frequency
    forces = [row["force_cylinder_x"] for row in monitor if row["time"] > start]
    return sum(forces) / len(forces) / DYNAMIC_PRESSURE


def measured(report, lift):
    """Cells of the table."""
    if not lift:
        return "not periodic | - | - | -"
    return (f"{lift['Strouhal number']:.4f} | {mean_drag(report, lift['frequency']):.4f} | {lift['amplitude'] / DYNAMIC_PRESSURE:.4f} | "
            f"{lift['spread of period']:.0e}")


def main():
    chosen = validation.options(__doc__, only=",".join(MESHES), ends="700,1000", meshes="")
    ends = [float(end) for end in chosen.ends.split(",")]
    paths = validation.meshes(chosen, HERE.parent / "cylinder-re40" / "disc.geo",
                              {f"cylinder-re100-{name}": MESHES[name] for name in chosen.only.split(",")})
    table, device = [], ""
    for name in chosen.only.split(","):
        restart = None
        for degree, end in zip((2, 3), ends):
            report = validation.run(chosen, "cylinder-re100", restart=restart, discretization__order=degree,
                                    mesh__file=paths[f"cylinder-re100-{name}"], mesh__geometry_order=3, time__end=end,
                                    picture=("velocity", "cylinder-re100.png") if (name, degree) == ("fine", 3) else None)
            device, restart = report["device"], report["checkpoint"]
            lift = validation.oscillation(chosen, report, "force_cylinder_y", PERIODS, STREAM)
            table.append(f"| {name}, {sum(report['mesh']['elements'].values())} elements | {degree} | "
                         f"{measured(report, lift)} | {report['time']['steps']} |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "cylinder-re100",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, ssprk54, cfl = 2; the last {PERIODS} periods before t = {chosen.ends}.",
        "| | p | Strouhal number | mean drag | amplitude of lift | spread of period | steps, both degrees |",
        [*table, *(row + " | |" for row in PUBLISHED)])


if __name__ == "__main__":
    main()
