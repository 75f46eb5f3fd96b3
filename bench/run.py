#!/usr/bin/env python3
"""Throughput by `galerna bench` of the kinds of KINDS for which meshes are given: the Euler and the Navier-Stokes equations on triangles,
quadrilaterals and both side by side, tetrahedra and hexahedra; writes one JSON file a row and a table for each kind into bench/results/.

    python3 bench/run.py --galerna build/galerna --device cuda --large LARGE.msh --small SMALL.msh --quadrilaterals Q.msh --mixed M.msh --name h200
    python3 bench/run.py --galerna build/galerna --device cpu --large BOX.msh --small BOX.msh --refine 0 --name cpu
    python3 bench/run.py --galerna build/galerna --device cuda --tetrahedra T.msh --hexahedra-large H1.msh --hexahedra-small H2.msh --name h200

LARGE is for p <= 2, SMALL for p >= 3 and for Navier-Stokes; with --refine 1 their elements are divided by four, those of M by 16; meshes of solids are not
refined. Meshes: gmsh -2 box.geo -setnumber h H -format msh41 -bin -o FILE, with -setnumber sides 4 for quadrilaterals, 7 for both; H = 0.0307 gives 245,000
triangles, 0.0435 122,000, 0.0685 49,700; H = 0.0153 gives 124,000 quadrilaterals, 0.0306 31,000 triangles beside 15,000 quadrilaterals; gmsh -3 cube.geo
-setnumber h 0.0243 gives 290,000 tetrahedra, gmsh -3 hexahedra.geo -setnumber n 58 195,000 hexahedra, 43 80,000. Beside
the numbers of M stand those that its triangles and quadrilaterals would reach apart. Every row has the ceilings that were measured in the same run: peak of fused
multiply-adds and copy bandwidth.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def small_above_2(large, small):
    return lambda order: large if order <= 2 else small


VISCOUS = ["equations.type=navier-stokes", "equations.mu=0.001"]

# case, degrees, the option that names the mesh of a degree, whether --refine is for it, what is set beside the case
KINDS = {
    "euler-triangles": ("euler.toml", range(1, 6), small_above_2("large", "small"), True, []),
    "euler-quadrilaterals": ("euler.toml", range(1, 6), lambda order: "quadrilaterals", True, []),
    "navier-stokes-triangles": ("navier-stokes.toml", range(1, 5), lambda order: "small", True, []),
    "euler-tetrahedra": ("euler-space.toml", range(1, 5), lambda order: "tetrahedra", False, []),
    "navier-stokes-tetrahedra": ("euler-space.toml", range(1, 5), lambda order: "tetrahedra", False, VISCOUS),
    "euler-hexahedra": ("euler-space.toml", range(1, 6), small_above_2("hexahedra_large", "hexahedra_small"), False, []),
    "navier-stokes-hexahedra": ("euler-space.toml", range(1, 5), small_above_2("hexahedra_large", "hexahedra_small"), False, VISCOUS),
}


def result_file(options, kind, precision, order):
    return pathlib.Path(options.output) / f"{options.name}-{kind}-{precision}-p{order}.json"


def bench(program, case, mesh, settings, *, device, precision, file, extra=()):
    """Runs galerna bench, which writes the JSON file, and returns what that holds."""
    command = [program, "bench", str(case), "--device", device, "--precision", precision, "--json", str(file), *extra]
    for setting in (f"mesh.file={json.dumps(str(pathlib.Path(mesh).resolve()))}", *settings):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(pathlib.Path(file).read_text())


def run(options, kind, case, precision, order, mesh, refine, settings=(), *, only_fill_cache=False):
    """What galerna bench writes; kept as a file."""
    file = result_file(options, kind, precision, order)
    file.parent.mkdir(parents=True, exist_ok=True)
    return bench(options.galerna, HERE / case, mesh, [f"mesh.refine={refine}", f"discretization.order={order}", *settings], device=options.device,
                 precision=precision, file=file, extra=("--repetitions", "1") if only_fill_cache else ())


def write_table(options, kind, results, column, cell):
    """{(precision, order): result} as a page, with cell(precision, order, result) in the last column."""
    rows = [f"| {precision} | {order} | {r['elements']} | {r['dof_per_second'] / 1e9:.3f} | {cell(precision, order, r)} |"
            f" {r['peak_flops'] / 1e9:.0f} | {r['copy_bandwidth'] / 1e9:.1f} |" for (precision, order), r in results.items()]
    print(kind, *rows, sep="\n", flush=True)
    share = "-" if column == "its parts apart" else "floor_share * 100"
    sources = (f"<!-- numbers: {options.name}-{kind}-{{1}}-p{{2}}.json: - ; - ; elements ; dof_per_second / 1e9 ; {share} ; peak_flops / 1e9 ; "
               "copy_bandwidth / 1e9 -->\n")  # for scripts/check-numbers.py
    head = sources + f"| precision | p | elements | GDOF/s | {column} | peak, GFLOP/s | copy, GB/s |\n| --- | --- | --- | --- | --- | --- | --- |"
    (pathlib.Path(options.output) / f"{options.name}-{kind}.md").write_text(
        f"{device(next(iter(results.values())))}\n\n{head}\n" + "\n".join(rows) + "\n")


def device(result):
    """Its name and, of a CPU, what kind it is and whether its threads share cores."""
    processor = result.get("processor")
    if not processor:
        return result["device"]
    kind = [f"{key.replace('_', ' ')} {processor[key]}" for key in ("family", "model_number") if processor[key] is not None]
    cores = f"{processor['threads']} threads on {processor['cores'] or 'an unknown number of'} cores"
    shared = {True: ", which they share", False: "", None: ""}[processor["threads_share_cores"]]
    return ", ".join([processor["model"], *kind, processor["simd"], cores]) + shared


def kept(options, kind, degrees):
    """Results of earlier runs for precisions that are not asked for."""
    asked = options.precisions.split(",")
    files = {(precision, order): result_file(options, kind, precision, order)
             for precision in ("double", "single") if precision not in asked for order in degrees}
    return {key: json.loads(file.read_text()) for key, file in files.items() if file.exists()}


def rows(options, kind):
    """{(precision, degree): what run() takes}; none if a mesh is not given or nobody asks for the kind."""
    if kind not in options.kinds.split(","):
        return {}
    if kind == "euler-mixed":
        return {(precision, order): (kind, "euler.toml", precision, order, options.mixed, options.refine + 1)
                for precision in options.precisions.split(",") for order in range(1, 6) if options.mixed}
    case, degrees, mesh, refined, settings = KINDS[kind]
    meshes = {order: getattr(options, mesh(order)) for order in degrees}
    if not all(meshes.values()):
        return {}
    return {(precision, order): (kind, case, precision, order, meshes[order], options.refine if refined else 0, settings)
            for precision in options.precisions.split(",") for order in degrees}


def fill_cache(options):
    """Kernels of all rows, which compile side by side."""
    chosen = [row for kind in (*KINDS, "euler-mixed") for row in rows(options, kind).values()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda row: run(options, *row, only_fill_cache=True), chosen))


def measure(options, kind):
    """Results for precisions and degrees; none if a mesh is not given."""
    results = {key: run(options, *row) for key, row in rows(options, kind).items()}
    if results:
        results |= kept(options, kind, KINDS[kind][1])
        write_table(options, kind, results, "share of the bandwidth floor", floor_share)
    return results


def floor_share(precision, order, result):
    return f"{100 * result['floor_share']:.0f} %"


def tables_of_kept(options):
    options.precisions = ""
    for kind, (_, degrees, *_) in KINDS.items():
        results = kept(options, kind, degrees)
        if results:
            write_table(options, kind, results, "share of the bandwidth floor", floor_share)


def apart(mixed, order, triangles, quadrilaterals):
    """Degrees of freedom per second that the triangles and quadrilaterals of a mixed mesh would reach one after the other, at the speeds of
    other meshes."""
    modes = {3: (order + 1) * (order + 2) // 2, 4: (order + 1)**2}
    # dof = 4 variables * (modes of triangles * T + modes of quadrilaterals * (elements - T))
    count = (modes[4] * mixed["elements"] - mixed["dof"] / 4) / (modes[4] - modes[3])
    in_triangles = 4 * modes[3] * count
    seconds = in_triangles / triangles["dof_per_second"] + (mixed["dof"] - in_triangles) / quadrilaterals["dof_per_second"]
    return mixed["dof"] / seconds


def measure_mixed(options, triangles, quadrilaterals):
    results = {key: run(options, *row) for key, row in rows(options, "euler-mixed").items()}

    def cell(precision, order, result):
        parts = apart(result, order, triangles[precision, order], quadrilaterals[precision, order])
        return f"{parts / 1e9:.3f}, {round(100 * (1 - result['dof_per_second'] / parts))} % less"
    write_table(options, "euler-mixed", results, "its parts apart", cell)


def add_arguments(parser):
    """Those of rows()."""
    parser.add_argument("--device", default="auto")
    for mesh in ("large", "small", "quadrilaterals", "tetrahedra", "hexahedra-large", "hexahedra-small"):
        parser.add_argument(f"--{mesh}", metavar="MESH")
    parser.add_argument("--mixed", metavar="MESH", help="needs --large, --small and --quadrilaterals")
    parser.add_argument("--refine", type=int, default=1)
    parser.add_argument("--kinds", default=",".join((*KINDS, "euler-mixed")), help="of those whose meshes are given")
    parser.add_argument("--precisions", default="double,single")
    parser.add_argument("--jobs", type=int, default=0, help="first compile the kernels of all rows, so many rows at a time")
    parser.add_argument("--name", required=True, help="how names of files begin")
    parser.add_argument("--output", default=str(HERE / "results"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--galerna", default="galerna")
    parser.add_argument("--tables", action="store_true", help="only write the tables of kept results again")
    options = parser.parse_args()
    if options.mixed and not (options.large and options.small and options.quadrilaterals):
        parser.error("--mixed needs --large, --small and --quadrilaterals")
    pathlib.Path(options.output).mkdir(parents=True, exist_ok=True)
    if options.tables:
        tables_of_kept(options)
        return
    if options.jobs:
        fill_cache(options)
    results = {kind: measure(options, kind) for kind in KINDS}
    if not any(results.values()):
        parser.error("no mesh is given, or one of two that belong together")
    if rows(options, "euler-mixed"):
        measure_mixed(options, results["euler-triangles"], results["euler-quadrilaterals"])


if __name__ == "__main__":
    main()
