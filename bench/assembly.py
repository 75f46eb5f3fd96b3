#!/usr/bin/env python3
"""Ways to assemble matrices on polygons and polyhedra, by `galerna bench --assembly`: advection, diffusion and reaction with variable coefficients; writes one
JSON file a row and their table into bench/results/.

    gmsh -2 bench/polygons.geo -setnumber h 0.0056 -format msh41 -bin -o polygons.msh    # 74,274 triangles
    gmsh -3 bench/cube.geo -format msh41 -bin -o cube.msh                             # some 290,000 tetrahedra
    python3 bench/assembly.py --galerna build/galerna --device cuda --plane polygons.msh --space cube.msh --name h200

The paper's ways are measured with its penalty, `capped`, which takes no eigenvalues.
"""
import argparse
import json
import pathlib
import subprocess

from run import HERE, device

OWN = "moments"
#       dimension, simplices a polytope, p, refinements, way
ROWS = [(2, 3, 1, 1, OWN), (2, 3, 3, 0, OWN), (2, 12, 1, 2, OWN), (2, 12, 2, 1, OWN), (2, 12, 3, 1, OWN), (2, 12, 4, 1, OWN), (2, 12, 5, 1, OWN), (2, 60, 3, 1, OWN),
        (3, 12, 1, 0, OWN), (3, 12, 2, 0, OWN), (3, 12, 3, 0, OWN), (3, 12, 4, 0, OWN), (3, 12, 5, 0, OWN), (2, 12, 1, 2, "atomics"), (2, 12, 1, 2, "sorted-slots")]
HEAD = ("| dimension | simplices a polytope | p | way | unknowns | assembly, ms | of a million unknowns, ms | volume, µs | facets, µs | interfaces, µs |\n"
        + "| --- " * 10 + "|\n")


def measure(options, row):
    dimension, simplices, order, refine, way = row
    way = options.own if way == OWN else way
    file = pathlib.Path(options.output) / f"{options.name}-assembly-{dimension}d-{simplices}-p{order}-{way}.json"
    if not options.tables:
        case, mesh = ("polytopic.toml", options.plane) if dimension == 2 else ("polytopic-space.toml", options.space)
        penalty = ["--set", 'discretization.penalty="capped"'] if way in ("atomics", "sorted-slots") else []
        subprocess.run([options.galerna, "bench", str(HERE / case), "--device", options.device, "--assembly", way, "--repetitions", "3", "--json", str(file),
                        "--set", f'mesh.file="{pathlib.Path(mesh).resolve()}"', "--set", f"mesh.refine={refine}",
                        "--set", f"mesh.agglomerate.simplices={simplices}", "--set", f"discretization.order={order}", *penalty], check=True, stdout=subprocess.DEVNULL)
    return json.loads(file.read_text())


def row_text(row, result):
    dimension, simplices, order, _, way = row
    seconds = result["assembly_seconds"]["median"]

    def kernel(*names):
        times = [k["seconds"] * k["launches_per_step"] for k in result["kernels"] if k["name"].startswith(names)]
        return f"{sum(times) * 1e6:.0f}" if times else ""

    return (f"| {dimension} | {simplices} | {order} | {result['assembly']} | {result['dof']:,} | {seconds * 1e3:.3f} | {seconds / result['dof'] * 1e9:.2f} "
            f"| {kernel('volume', 'certified_volume', 'eigenvalues', 'scatter_simplex')} | {kernel('facets', 'scatter_facet')} | {kernel('interface')} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--own", default=OWN, help="galerna's own way: moments on GPUs with matrix units, volume-first on CPUs")
    parser.add_argument("--plane", help="what bench/polygons.geo gives")
    parser.add_argument("--space", help="what bench/cube.geo gives")
    parser.add_argument("--name", required=True, help="how the files' names begin")
    parser.add_argument("--output", default=str(HERE / "results"))
    parser.add_argument("--tables", action="store_true", help="the table again, from the files")
    options = parser.parse_args()
    results = [measure(options, row) for row in ROWS]
    table = HEAD + "".join(map(row_text, ROWS, results))
    print(table, end="")
    (pathlib.Path(options.output) / f"{options.name}-assembly.md").write_text(
        f"{device(results[0])}\n\nAdvection, diffusion and reaction with variable coefficients; certified penalty, of `atomics` and `sorted-slots` the capped one.\n\n{table}")


main()
