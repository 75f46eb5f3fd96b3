#!/usr/bin/env python3
"""Curves three meshes of the wing at geometry orders 2 and 3, and writes what came of it into README.md. Needs onera-m6-sharp-te.stp in this folder, or --cad.

    python3 cases/onera-m6/curving.py --galerna build/galerna [--cad FILE] [--orders 2,3] [--sizes 0.04,0.025,0.016]

Ends with an error where an element is not valid. Nodes that were held back farther than a tenth of the tip's chord from its trailing edge are listed.
"""
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

TIP, TIP_CHORD = (1.413, 1.476, 0), 0.5623  # trailing edge of the tip, in root chords


def main():
    chosen = validation.options(__doc__, page=HERE / "README.md", cad=str(HERE / "onera-m6-sharp-te.stp"), orders="2,3", sizes="0.04,0.025,0.016", meshes="")
    if not pathlib.Path(chosen.cad).exists():
        print(f"{chosen.cad}: no such file: README.md says where it comes from; nothing is curved")
        return
    scratch = pathlib.Path(validation.SCRATCH.name)
    (scratch / "wing.geo").write_text((HERE / "wing.geo").read_text())
    (scratch / "onera-m6-sharp-te.stp").symlink_to(pathlib.Path(chosen.cad).resolve())
    meshes = validation.meshes(chosen, scratch / "wing.geo", {f"onera-m6-{size}": {"near": size} for size in chosen.sizes.split(",")})
    rows = []
    for name, straight in meshes.items():
        for order in map(int, chosen.orders.split(",")):
            said = validation.curve(chosen, straight, chosen.cad, "wing", order, scratch / f"{name}-{order}.msh", held=scratch / "held.csv")
            with open(scratch / "held.csv") as file:
                held = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
            rows.append(f"| {name.split('-')[-1]} | {said['elements']:,.0f} | {order} | {said['curved']:,.0f} | {said['unknowns']:,.0f} | {said['ratio']:.2g} | {said['held']:,.0f} of {said['nodes']:,.0f} | "
                        f"{said['farthest']:.1e} |")
            print(rows[-1], f"{said['seconds']:.0f} s", flush=True)
            for node in held:
                if math.dist((node["x"], node["y"], node["z"]), TIP) > 0.1*TIP_CHORD:
                    print(f"  far from the tip's trailing edge: {node}", flush=True)
    validation.replace_table(chosen, "onera-m6-curving", "", "| near | tetrahedra | order | curved | unknowns of elasticity | smallest min J / max J | wall nodes held back | by at most |", rows)


if __name__ == "__main__":
    main()
