#!/usr/bin/env python3
"""Ways to assemble matrices on polygons and polyhedra, by `galerna bench --assembly`, of about a million unknowns (with --large of ten million): advection,
diffusion and reaction with variable coefficients; writes one JSON file a row and their table into bench/results/.

    python3 bench/assembly.py --prepare                              # meshes, by gmsh, in the folder that --meshes names
    python3 bench/assembly.py --galerna build/galerna --device cuda --name h200
    python3 bench/assembly.py --galerna build/galerna --device cuda --name h200 --only 2-12-3 3-12-2 --jobs 4

Coarse meshes are refined: a million unknowns are up to 20 million triangles (60 a polygon, p = 1), which take a hundred times as long to prepare as to
measure on. --jobs of them are prepared side by side; they are measured one after the other. The paper's ways are measured with its penalty, `capped`, which
takes no eigenvalues. --tables writes the table again, from the files.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import subprocess

from run import HERE, device

OWN = "moments"
#       (dimension, simplices a polytope): refinements and the time that a million unknowns should take, ms, at p = 1 … 5
ROWS = {(2, 3): ((3, 2, 2, 2, 1), (0.30, 0.35, 0.50, 0.75, 1.0)), (2, 12): ((3, 3, 3, 2, 2), (0.5, 0.5, 0.8, 1.2, 2.0)),
        (2, 60): ((4, 4, 4, 3, 3), (1.3, 1.5, 3.0, 4.3, 7.0)), (3, 12): ((2, 2, 2, 1, 1), (0.9, 2, 5, 11, 25))}
OTHER_WAYS = [(2, 12, 1, "atomics"), (2, 12, 1, "sorted-slots")]
LARGE = [(2, 12, 3), (3, 12, 2)]
MILLION, MANY = 1_000_000, 10_000_000
HEAD = ("| dimension | simplices a polytope | p | way | unknowns | pattern, ms | assembly, ms | of a million unknowns, ms | at most | volume, µs "
        + "| eigenvalues, µs | facets, µs | interfaces, µs |\n" + "| --- " * 13 + "|\n")


class Row:
    def __init__(self, dimension, simplices, order, way=OWN, unknowns=MILLION):
        self.dimension, self.simplices, self.order, self.way, self.unknowns = dimension, simplices, order, way, unknowns
        self.refine = ROWS[dimension, simplices][0][order - 1] + (1 if unknowns == MANY else 0)

    def key(self):
        size = "-10m" if self.unknowns == MANY else ""
        return f"{self.dimension}-{self.simplices}-{self.order}{size}"

    def must(self):
        return ROWS[self.dimension, self.simplices][1][self.order - 1] * (11 if self.unknowns == MANY else 1) if self.way == OWN else None

    def elements(self):
        """Of the coarse mesh."""
        modes = math.comb(self.order + self.dimension, self.dimension)
        return self.unknowns / modes * self.simplices / (2**self.dimension)**self.refine

    def mesh(self, folder):
        # What gmsh makes of a size: 2.33 / h² triangles, 4.16 / h³ tetrahedra.
        size = (2.33 / self.elements())**0.5 if self.dimension == 2 else (4.16 / self.elements())**(1 / 3)
        geometry = "polygons" if self.dimension == 2 else "cube"
        file = pathlib.Path(folder) / f"{geometry}-{size:.4f}.msh"
        return file, ["gmsh", f"-{self.dimension}", str(HERE / f"{geometry}.geo"), "-setnumber", "h", f"{size:.4f}", "-format", "msh41", "-bin", "-o", str(file)]


def all_rows(options):
    rows = [Row(dimension, simplices, order) for dimension, simplices in ROWS for order in range(1, 6)] + [Row(*row) for row in OTHER_WAYS]
    if options.large:
        rows += [Row(*row, unknowns=MANY) for row in LARGE]
    return [row for row in rows if not options.only or row.key() in options.only]


def prepare(options):
    pathlib.Path(options.meshes).mkdir(parents=True, exist_ok=True)
    for row in all_rows(options):
        file, command = row.mesh(options.meshes)
        if not file.exists():
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def file_of(options, row):
    size = "-10m" if row.unknowns == MANY else ""
    way = options.own if row.way == OWN else row.way
    return pathlib.Path(options.output) / f"{options.name}-assembly-{row.dimension}d-{row.simplices}-p{row.order}{size}-{way}.json"


def measure(options, row):
    case = "polytopic.toml" if row.dimension == 2 else "polytopic-space.toml"
    mesh = row.mesh(options.meshes)[0].resolve()
    penalty = [] if row.way == OWN else ["--set", 'discretization.penalty="capped"']
    subprocess.run([options.galerna, "bench", str(HERE / case), "--device", options.device, "--assembly", options.own if row.way == OWN else row.way,
                    "--repetitions", str(options.repetitions), "--exclusive", str(pathlib.Path(options.meshes) / "measured"), "--json", str(file_of(options, row)),
                    "--set", f'mesh.file="{mesh}"', "--set", f"mesh.refine={row.refine}", "--set", f"mesh.agglomerate.simplices={row.simplices}",
                    "--set", f"discretization.order={row.order}", *penalty], check=True, stdout=subprocess.DEVNULL)


def row_text(row, result):
    seconds = result["assembly_seconds"]["median"]

    def kernel(*names):
        times = [k["seconds"] * k["launches_per_step"] for k in result["kernels"] if k["name"].startswith(names)]
        return f"{sum(times) * 1e6:.0f}" if times else ""

    must = f"{row.must():.2f}" if row.must() else ""
    scale = MILLION / result["dof"] * (10 if row.unknowns == MANY else 1)
    return (f"| {row.dimension} | {row.simplices} | {row.order} | {result['assembly']} | {result['dof']:,} | {result['pattern_seconds'] * 1e3:.1f} "
            f"| {seconds * 1e3:.3f} | {seconds * 1e3 * scale:.2f} | {must} | {kernel('volume', 'certified_volume', 'scatter_simplex')} | {kernel('eigenvalues')} "
            f"| {kernel('facets', 'scatter_facet')} | {kernel('interface')} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--own", default=OWN, help="galerna's own way: moments on GPUs with matrix units, volume-first on CPUs")
    parser.add_argument("--meshes", default="assembly-meshes", help="folder of the coarse meshes")
    parser.add_argument("--prepare", action="store_true", help="make them and end")
    parser.add_argument("--only", nargs="*", help="rows DIMENSION-SIMPLICES-P; all others are left as they are")
    parser.add_argument("--large", action="store_true", help="with rows of ten million unknowns, DIMENSION-SIMPLICES-P-10m")
    parser.add_argument("--jobs", type=int, default=1, help="meshes that are prepared side by side")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--name", default="gpu", help="how the files' names begin")
    parser.add_argument("--output", default=str(HERE / "results"))
    parser.add_argument("--tables", action="store_true", help="the table again, from the files")
    options = parser.parse_args()
    if options.prepare:
        return prepare(options)
    if not options.tables:
        # The largest meshes first: others are measured while they are prepared.
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(lambda row: measure(options, row), sorted(all_rows(options), key=lambda row: -row.elements() * 4**row.refine)))
    options.only = None
    options.large = True
    there = [(row, json.loads(file_of(options, row).read_text())) for row in all_rows(options) if file_of(options, row).exists()]
    file = f"{options.name}-assembly-{{1}}d-{{2}}-p{{3}}"
    sources = (f"<!-- numbers: {file}-{{4}}.json|{file}-10m-{{4}}.json: dimension ; - ; order ; - ; dof ; pattern_seconds * 1e3 ; assembly_seconds.median * 1e3 ; "
               "- -->\n")  # for scripts/check-numbers.py
    table = sources + HEAD + "".join(row_text(row, result) for row, result in there)
    print(table, end="")
    (pathlib.Path(options.output) / f"{options.name}-assembly.md").write_text(
        f"{device(there[0][1])}\n\nAdvection, diffusion and reaction with variable coefficients; certified penalty, of `atomics` and `sorted-slots` the capped one."
        f" *At most* is what a million unknowns (ten million) should take on an H200.\n\n{table}")


main()
