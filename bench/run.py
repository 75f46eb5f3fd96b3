#!/usr/bin/env python3
"""Throughput by `galerna bench`: the Euler equations on triangles (p = 1 to 5), on quadrilaterals if a mesh of them is given, and the
Navier-Stokes equations on triangles (p = 1 to 4); writes one JSON file a row and a table for each into bench/results/.

    python3 bench/run.py --galerna build/galerna --device cuda --large LARGE.msh --small SMALL.msh --quadrilaterals Q.msh --name h200
    python3 bench/run.py --galerna build/galerna --device cpu --large BOX.msh --small BOX.msh --refine 0 --name cpu

LARGE is for p <= 2, SMALL for p >= 3 and for Navier-Stokes; with --refine 1 their elements are divided by four. Meshes: gmsh -2 box.geo
-setnumber h H -format msh41 -bin -o FILE, with -setnumber sides 4 for quadrilaterals; H = 0.0307 gives 245,000 triangles, 0.0435
122,000, 0.0685 49,700; H = 0.0153 gives 124,000 quadrilaterals.
"""
import argparse
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def measure(options, kind, case, degrees, mesh_of):
    """Rows of a table for precisions and degrees; mesh_of(degree) is a file."""
    output = pathlib.Path(options.output)
    output.mkdir(parents=True, exist_ok=True)
    rows = []
    for precision in options.precisions.split(","):
        for order in degrees:
            file = output / f"{options.name}-{kind}-{precision}-p{order}.json"
            mesh = pathlib.Path(mesh_of(order)).resolve()
            command = [options.galerna, "bench", str(HERE / case), "--device", options.device, "--precision", precision,
                       "--json", str(file), "--set", f'mesh.file="{mesh}"', "--set", f"mesh.refine={options.refine}",
                       "--set", f"discretization.order={order}"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            result = json.loads(file.read_text())
            rows.append(f"| {precision} | {order} | {result['elements']} | {result['dof_per_second'] / 1e9:.3f} | "
                        f"{100 * result['floor_share']:.0f} % |")
            print(kind, rows[-1], flush=True)
    head = "| precision | p | elements | GDOF/s | share of the bandwidth floor |\n| --- | --- | --- | --- | --- |"
    (output / f"{options.name}-{kind}.md").write_text(f"{result['device']}\n\n{head}\n" + "\n".join(rows) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="galerna")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--large", required=True)
    parser.add_argument("--small", required=True)
    parser.add_argument("--quadrilaterals")
    parser.add_argument("--refine", type=int, default=1)
    parser.add_argument("--precisions", default="double,single")
    parser.add_argument("--name", required=True)
    parser.add_argument("--output", default=str(HERE / "results"))
    options = parser.parse_args()
    measure(options, "euler-triangles", "euler.toml", range(1, 6), lambda p: options.large if p <= 2 else options.small)
    if options.quadrilaterals:
        measure(options, "euler-quadrilaterals", "euler.toml", range(1, 6), lambda p: options.quadrilaterals)
    measure(options, "navier-stokes-triangles", "navier-stokes.toml", range(1, 5), lambda p: options.small)


if __name__ == "__main__":
    main()
