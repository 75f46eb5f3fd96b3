#!/usr/bin/env python3
"""Double Mach reflection on three meshes of the sizes of Fuhry, Giuliani and Krivodonova's table 4: steps, time and memory beside theirs, into
docs/validation.md; and p = 2, 3 on the smallest mesh.

    python3 cases/double-mach-reflection/table.py --galerna build/galerna [--device cuda] [--sizes A,B]

Makes its meshes with gmsh; --meshes DIR takes DIR/dmrA.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

# h of channel.geo; published: elements, MB, minutes, steps on a GTX 580.
SIZES = {"A": (0.01165, (68622, 43.64, 0.71, 3961)), "B": (0.00626, (236964, 176.48, 8.71, 12120)),
         "C": (0.0031, (964338, 717.82, 68.32, 23160))}
HIGHER = {"shock__limiter": "hierarchical", "shock__variables": "characteristic", "time__scheme": "ssprk33"}


def main():
    chosen = validation.options(__doc__, sizes="A,B,C", meshes="")
    degrees = {1: chosen.sizes.split(","), 2: ["A"], 3: ["A"]}
    paths = validation.meshes(chosen, HERE / "channel.geo", {f"dmr{size}": {"h": SIZES[size][0]} for size in {"A", *degrees[1]}})
    rows, device = [], ""
    for degree, sizes in degrees.items():
        for size in sizes:
            elements, memory, minutes, steps = SIZES[size][1]
            settings = dict(HIGHER) if degree > 1 else {}
            report = validation.run(chosen, "double-mach-reflection", discretization__order=degree, mesh__file=paths[f"dmr{size}"], **settings)
            device = report["device"]
            count, time = report["mesh"]["elements"]["triangles"], report["time"]
            published = f"{elements} | {steps} | {60 * minutes:.0f} s | {memory:.0f} MB" if degree == 1 else "- | - | - | -"
            rows.append(f"| {degree} | {size} | {count} | {time['steps']} | {time['wall_loop']:.2f} s | "
                        f"{1e9 * time['wall_loop'] / (count * time['steps']):.2f} ns | "
                        f"{report['performance']['device_memory_bytes'] / 1e6:.0f} MB | {report['status']} | {published} |")
            print(rows[-1], flush=True)
    validation.replace_table(chosen, "double-mach-reflection",
        f"Device: {device}. p = 1: local Lax-Friedrichs, Barth-Jespersen limiter, Heun's RK2; p = 2, 3: hierarchical limiter in characteristic "
        "variables, ssprk33. Steps from the positivity bound. Published: p = 1 on a GTX 580.",
        "| p | mesh | triangles | steps | time loop | per element and step | device memory | ends | published triangles | steps | time | memory |",
        rows)


if __name__ == "__main__":
    main()
