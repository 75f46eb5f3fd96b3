#!/usr/bin/env python3
"""Throughput of two builds of galerna beside each other: every row of run.py for which meshes are given, the double Mach reflection and a small mesh, each
measured with both in turn; writes the table NAME-before-after.md into bench/results/. Exit code 1 if a row is more than --slower slower.

    python3 bench/compare.py --before OLD/galerna --after NEW/galerna --device cuda --large L.msh --small S.msh --quadrilaterals Q.msh --mixed M.msh --name h200

Meshes are those of run.py; --double-mach takes one of cases/double-mach-reflection/channel.geo, --mini the small mesh of bench/results/README.md. A row's number is the
median of processes of each program, which take turns, each with the median of its own repetitions: one of each where the new program is no slower, --rounds where it
seems to be.
"""
import argparse
import concurrent.futures
import statistics
import sys
import tempfile
import typing

sys.dont_write_bytecode = True  # beside run.py
import run  # noqa: E402

DOUBLE_MACH = run.HERE.parent / "cases/double-mach-reflection/case.toml"


class Row(typing.NamedTuple):
    name: str
    precision: str
    case: str
    mesh: str
    settings: tuple


def rows(options):
    for kind in (*run.KINDS, "euler-mixed"):
        for _, case, precision, order, mesh, refine, *more in run.rows(options, kind).values():
            settings = (f"mesh.refine={refine}", f"discretization.order={order}", *(setting for some in more for setting in some))
            yield Row(f"{kind} p = {order}", precision, str(run.HERE / case), mesh, settings)
    if options.double_mach:
        yield Row("double-mach-reflection", "double", str(DOUBLE_MACH), options.double_mach, ())
    if options.mini:
        settings = (f"mesh.refine={options.refine}", "discretization.order=1", "time.scheme=rk2-heun")
        yield Row("small mesh p = 1", "double", str(run.HERE / "euler.toml"), options.mini, settings)


def measure(options, which, row, *arguments):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        return run.bench(getattr(options, which), row.case, row.mesh, row.settings, device=options.device, precision=row.precision, file=file.name, extra=arguments)


def fill_cache(options, chosen):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(lambda pair: measure(options, *pair, "--repetitions", "1"), [(which, row) for row in chosen for which in ("before", "after")]))


def compare(options, row):
    """(GDOF/s before, after, what was measured last)"""
    found = {"before": [], "after": []}
    for _ in range(options.rounds):
        for which in found:
            found[which].append(measure(options, which, row))
        before, after = (statistics.median(one["dof_per_second"] / 1e9 for one in found[which]) for which in found)
        if after > (1 - options.slower / 2) * before:
            break
    return before, after, found["after"][-1]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    run.add_arguments(parser)
    parser.add_argument("--before", required=True, metavar="PROGRAM")
    parser.add_argument("--after", required=True, metavar="PROGRAM")
    parser.add_argument("--double-mach", metavar="MESH")
    parser.add_argument("--mini", metavar="MESH")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--slower", type=float, default=0.02)
    return parser.parse_args()


def main():
    options = parse_arguments()
    chosen = list(rows(options))
    if not chosen:
        raise SystemExit("no mesh is given")
    if options.jobs:
        fill_cache(options, chosen)
    run.pathlib.Path(options.output).mkdir(parents=True, exist_ok=True)
    lines, slower = [], 0
    for row in chosen:
        before, after, last = compare(options, row)
        lines.append(f"| {row.name} | {row.precision} | {before:.3f} | {after:.3f} | {after / before:.3f} |")
        print(lines[-1], flush=True)
        slower += after < (1 - options.slower) * before
        head = f"{run.device(last)}\n\n| | precision | before, GDOF/s | after | after / before |\n| --- | --- | --- | --- | --- |\n"
        (run.pathlib.Path(options.output) / f"{options.name}-before-after.md").write_text(head + "\n".join(lines) + "\n")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
