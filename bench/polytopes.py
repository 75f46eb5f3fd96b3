#!/usr/bin/env python3
"""Assembly and solution on polygons by `galerna bench`: advection, diffusion and reaction with variable coefficients on about a million
unknowns, 12 triangles a polygon; writes one JSON file a degree and their table into bench/results/.

    gmsh -2 bench/polygons.geo -setnumber h 0.0056 -format msh41 -bin -o polygons.msh    # 74,274 triangles
    python3 bench/polytopes.py --galerna build/galerna --device cpu --mesh polygons.msh --name cpu-zen4-2-cores

Triangles are divided by 64 at p = 1, by 16 at p = 3.
"""
import argparse
import json
import pathlib
import subprocess

from run import HERE, device

REFINEMENTS = {1: 3, 3: 2}
HEAD = ("| p | polygons | unknowns | assembly, ms | its processor time, ms | of a million unknowns, s | pattern, ms | set-up, s | solution, s | iterations"
        " | peak, GFLOP/s | copy, GB/s |\n" + "| --- " * 12 + "|\n")


def measure(options, order):
    file = pathlib.Path(options.output) / f"{options.name}-polygons-double-p{order}.json"
    if not options.tables:
        subprocess.run([options.galerna, "bench", str(HERE / "polytopic.toml"), "--device", options.device, "--repetitions", "3", "--json", str(file),
                        "--set", f'mesh.file="{pathlib.Path(options.mesh).resolve()}"', "--set", f"mesh.refine={REFINEMENTS[order]}",
                        "--set", f"discretization.order={order}"], check=True, stdout=subprocess.DEVNULL)
    return json.loads(file.read_text())


def row(result):
    assembly = result["assembly_seconds"]["median"]
    return (f"| {result['order']} | {result['polytopes']} | {result['dof']} | {assembly * 1e3:.0f} | {result['assembly_processor_seconds'] * 1e3:.0f} |"
            f" {assembly / result['dof'] * 1e6:.2f} | {result['pattern_seconds'] * 1e3:.1f} | {result['set_up_seconds']:.2f} | {result['solution_seconds']:.2f} |"
            f" {result['iterations']} | {result['peak_flops'] / 1e9:.0f} | {result['copy_bandwidth'] / 1e9:.0f} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--mesh", help="what bench/polygons.geo gives")
    parser.add_argument("--name", required=True, help="how the files' names begin")
    parser.add_argument("--output", default=str(HERE / "results"))
    parser.add_argument("--tables", action="store_true", help="the table again, from the files")
    options = parser.parse_args()
    results = [measure(options, order) for order in REFINEMENTS]
    sources = (f"<!-- numbers: {options.name}-polygons-double-p{{1}}.json: order ; polytopes ; dof ; assembly_seconds.median * 1e3 ; "
               "assembly_processor_seconds * 1e3 ; assembly_seconds.median * 1e6 / dof ; pattern_seconds * 1e3 ; set_up_seconds ; solution_seconds ; iterations ; "
               "peak_flops / 1e9 ; copy_bandwidth / 1e9 -->\n")  # for scripts/check-numbers.py
    table = sources + HEAD + "".join(map(row, results))
    print(table, end="")
    (pathlib.Path(options.output) / f"{options.name}-polygons.md").write_text(
        f"{device(results[0])}\n\nAdvection, diffusion and reaction with variable coefficients, 12 triangles a polygon, certified penalty, solved to 1e-10.\n\n{table}")


main()
