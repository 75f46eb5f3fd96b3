#!/usr/bin/env python3
"""Seconds of 200 iterations of five stages on about 26,000 tetrahedra around the sphere, curved ones of order p, beside table 1 of M. Siebenborn, V. Schulz, S. Schmidt,
Comput. Vis. Sci. 15 (2012) 203, into docs/validation.md.

    python3 cases/sphere-m038/speed.py --galerna build/galerna [--device cuda] [--degrees 2,3] [--repetitions 3]

Makes its meshes with gmsh; --meshes DIR takes DIR/sphere-m038-2-0.088.msh (order, size) and so on instead.
"""
import pathlib
import statistics
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

SIZE = 0.088
PAPER = {2: (34.01, 8.40, 3.52), 3: (92.88, 21.34, 7.96), 4: (278.92, 54.16, 15.27)}  # four cores; Tesla M2050 in double and in single precision
SETTINGS = {"time": '{scheme = "lsrk54", cfl = 0.5, end = 1e9, max_steps = 200}',
            "output__picture": "", "output__section": "", "discretization__riemann": "llf"}


def main():
    chosen = validation.options(__doc__, degrees="2,3,4", repetitions=1, meshes="")
    degrees = [int(p) for p in chosen.degrees.split(",")]
    paths = validation.meshes(chosen, HERE / "sphere.geo",
                              {f"sphere-m038-{p}-{SIZE}": {"order": p, "near": SIZE, "growth": 2 * SIZE} for p in degrees})
    table, device = [], ""
    for p in degrees:
        reports = [validation.run(chosen, "sphere-m038", discretization__order=p, mesh__file=paths[f"sphere-m038-{p}-{SIZE}"], **SETTINGS)
                   for _ in range(chosen.repetitions)]
        device = reports[0]["device"]
        counts = {entry["elements"]: entry for entry in reports[0]["structures"]}
        curved = sum(entry["count"] for elements, entry in counts.items() if not elements.endswith(" 1"))
        rows = ", ".join(sorted({entry["structure"] for entry in counts.values()}))
        seconds = statistics.median(report["time"]["wall_loop"] for report in reports)
        table.append(f"| {p} | {sum(entry['count'] for entry in counts.values()):,} | {curved:,} | {rows} | {seconds:.2f} | " + " | ".join(f"{s:.2f}" for s in PAPER[p]) + " |")
        print(table[-1], flush=True)
    validation.replace_table(chosen, "sphere-m038-speed", f"Device: {device}. Local Lax-Friedrichs flux, lsrk54, one step for all elements, double precision.",
        "| p | tetrahedra | curved ones | structures of kernels | seconds | the paper: 4 cores | Tesla M2050, double | single |", table)


if __name__ == "__main__":
    main()
