#!/usr/bin/env python3
"""Sod's shock tube at degrees 1-3 on 100, 200 and 400 elements along x: L1 error of density against the exact solution, its ratio from mesh to
mesh, and how far the density leaves the range of the exact solution, into docs/validation.md.

    python3 cases/sod/convergence.py --galerna build/galerna [--device cuda] [--counts 100,200] [--degrees 1,2]

Makes its meshes with gmsh; --meshes DIR takes DIR/sodN.msh instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

JUMP = 1 - 0.125


def overshoot(line):
    """Largest excess over the exact solution's plateaus near them, over the whole jump: above 1, and above 0.2656 between contact and shock."""
    top = max(row["density"] for row in line) - 1
    behind_shock = max(row["density"] for row in line if 0.72 < row["x"] < 0.86) - 0.2655737117
    bottom = 0.125 - min(row["density"] for row in line)
    return max(top, behind_shock, bottom) / JUMP


def main():
    chosen = validation.options(__doc__, counts="100,200,400", degrees="1,2,3", meshes="")
    counts = chosen.counts.split(",")
    paths = validation.meshes(chosen, HERE / "strip.geo", {f"sod{count}": {"n": count} for count in counts})
    rows, device = [], ""
    for degree in chosen.degrees.split(","):
        previous = None
        for count in counts:
            height = 2 / int(count)
            report = validation.run(chosen, "sod", discretization__order=degree, mesh__file=paths[f"sod{count}"],
                                    output__probe__axis__point=f"[0, {height}]", output__probe__axis__end=f"[1, {height}]")
            device = report["device"]
            error = report["errors"]["density"]["l1_normalized"]
            ratio = "" if previous is None else f"{previous / error:.2f}"
            rows.append(f"| {degree} | {count} | {error:.3e} | {ratio} | {100 * overshoot(validation.last_line(report, 'axis')):.2f} % | "
                        f"{100 * report['limiter']['slopes']:.1f} % | {report['time']['steps']} |")
            print(rows[-1], flush=True)
            previous = error
    validation.replace_table(chosen, "sod",
        f"Device: {device}. HLLC flux, hierarchical limiter in characteristic variables, ssprk33, step from the positivity bound.",
        "| p | elements along x | L1 error of density | ratio | overshoot / jump | elements limited | steps |",
        rows)


if __name__ == "__main__":
    main()
