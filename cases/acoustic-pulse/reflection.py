#!/usr/bin/env python3
"""How much of the pulse the far field sends back: compares the pressure at the centre with the exact solution of linear acoustics in
the unbounded plane and writes the table into docs/validation.md.

    python3 cases/acoustic-pulse/reflection.py --galerna build/galerna [--device cuda]

The mesh: gmsh -2 disc.geo -format msh41 -o disc.msh.
"""
import csv
import io
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation  # noqa: E402

AMPLITUDE, WIDTH, RADIUS = 1e-3, 0.2, 2.0  # as in case.toml and disc.geo; the speed of sound is 1


def exact_centre(time):
    """Pressure at the centre, over the amplitude: integral of k exp(-k^2/2) cos(k t/width) over k > 0 (the pulse's Hankel transform),
    by the trapezoidal rule."""
    n, k_max = 4000, 9.0
    h = k_max / n
    return sum(h * k * math.exp(-k * k / 2) * math.cos(k * time / WIDTH) for k in (h * i for i in range(1, n)))


def main():
    chosen = validation.options(__doc__, degrees="1,2,3")
    rows, device = [], ""
    for degree in map(int, chosen.degrees.split(",")):
        report = validation.run(chosen, "acoustic-pulse", discretization__order=degree)
        device = report["device"]
        table = list(csv.DictReader(io.StringIO(report["csv"]["probe_centre.csv"])))
        errors = [(float(row["time"]), abs((float(row["pressure"]) - 1 / 1.4) / AMPLITUDE - exact_centre(float(row["time"]))))
                  for row in table]
        before = max(e for t, e in errors if t < 2 * RADIUS - 5 * WIDTH)
        after = max(e for t, e in errors if t >= 2 * RADIUS - 5 * WIDTH)
        rows.append(f"| {degree} | {report['mesh']['elements']['triangles']} | {before:.1e} | {after:.1e} |")
        print(rows[-1], flush=True)
    validation.replace_table(chosen, "acoustic-pulse",
        f"Device: {device}. Differences of the pressure at the centre from linear acoustics, over the amplitude of the pulse.",
        "| p | triangles | before an echo can arrive | when the echo of the boundary arrives |",
        rows)


if __name__ == "__main__":
    main()
