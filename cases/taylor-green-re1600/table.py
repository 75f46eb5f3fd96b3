#!/usr/bin/env python3
"""The Taylor-Green vortex at Re 1600 beside the spectral reference: peak and time of the loss of kinetic energy, and how far what explains it, viscous dissipation in
resolved vorticity and the work of pressure, lies from it, into docs/validation.md.

    python3 cases/taylor-green-re1600/table.py --galerna build/galerna --device cuda [--runs "hexahedra 48 3; tetrahedra 39 3"]

Runs are shape, n and degree of a box of n^3 cubes. Makes its meshes with gmsh; --meshes DIR takes DIR/taylor-green-re1600-hexahedra-48.msh and so on instead. A run takes minutes on
a large GPU: --finished DIR takes report.json and monitor.csv of DIR/hexahedra-48-3 and so on where they are, from galerna run --output.
"""
import json
import pathlib
import sys
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))
import dissipation  # noqa: E402
import validation  # noqa: E402

RUNS = "hexahedra 48 3; tetrahedra 39 3"
COMPARED_UNTIL = 8
REFERENCE = "| spectral, incompressible, 512³ points | | 0.01286 | 8.97 | | | | |"


def mesh_of(shape, n):
    return f"taylor-green-re1600-{shape}-{n}"


def finished(folder):
    report = json.loads((folder / "report.json").read_text())
    report["csv"] = {"monitor.csv": (folder / "monitor.csv").read_text()}
    return report


def row(shape, degree, report):
    rates = dissipation.rates(report["csv"]["monitor.csv"].splitlines(), 1 / 1600)
    peak = max(rates, key=lambda rate: rate.loss)
    viscous = max(rates, key=lambda rate: rate.viscous)
    early = [rate for rate in rates if rate.time <= COMPARED_UNTIL]
    apart = max(early, key=lambda rate: abs(1 - rate.viscous / rate.loss))
    explained = max(early, key=lambda rate: abs(1 - rate.viscous / (rate.loss + rate.pressure_work)))
    return (f"| {sum(report['mesh']['elements'].values()):,} {shape} | {degree} | {peak.loss:.5f} | {peak.time:.2f} | {viscous.viscous:.5f} | "
            f"{100 * abs(1 - apart.viscous / apart.loss):.1f} % (t = {apart.time:.1f}) | "
            f"{100 * abs(1 - explained.viscous / (explained.loss + explained.pressure_work)):.1f} % (t = {explained.time:.1f}) | "
            f"{report['time']['steps']}, {report['time']['wall_loop']:.0f} s |")


def main():
    chosen = validation.options(__doc__, runs=RUNS, meshes="", finished="")
    runs = [(shape, int(n), int(degree)) for shape, n, degree in (run.split() for run in chosen.runs.split(";"))]
    folders = {(shape, n, degree): pathlib.Path(chosen.finished or ".") / f"{shape}-{n}-{degree}" for shape, n, degree in runs}
    is_there = {run: bool(chosen.finished) and (folder / "report.json").exists() for run, folder in folders.items()}
    paths = validation.meshes(chosen, HERE / "box.geo", {mesh_of(shape, n): {"n": n, "tetrahedra": int(shape == "tetrahedra")}
                                                         for shape, n, degree in runs if not is_there[shape, n, degree]})
    table, device, numbers = [], "", {}
    for run in runs:
        shape, n, degree = run
        report = finished(folders[run]) if is_there[run] else validation.run(
            chosen, "taylor-green-re1600", mesh__file=paths[mesh_of(shape, n)], discretization__order=degree, output__picture="")
        device = report["device"]
        numbers.setdefault(format(tomllib.loads(report["resolved_case"])["time"]["cfl"], "g"), []).append(shape)
        table.append(row(shape, degree, report))
        print(table[-1], flush=True)
    cfl = ", ".join(number + (f" ({' and '.join(shapes)})" if len(numbers) > 1 else "") for number, shapes in numbers.items())
    validation.replace_table(chosen, "taylor-green-re1600",
        f"Device: {device}. M = 0.1, HLLC flux, BR2, ssprk54, cfl = {cfl}, rows of the monitor every 0.1.",
        "| elements | p | peak of −dE/dt | at t | peak of 2 μ ∫ ½ρω² | it and −dE/dt apart, at most up to t = 8 | the same with the work of pressure | steps, time loop |",
        [*table, REFERENCE])


if __name__ == "__main__":
    main()
