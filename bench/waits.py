#!/usr/bin/env python3
"""What a person waits for: seconds of whole processes that take one step, with an empty cache of kernels and with a full one.

    python3 bench/waits.py --galerna build/galerna [--device cuda] --triangles T.msh --hexahedra H.msh [--repetitions 3]

T is a mesh of 122,600 triangles (gmsh -2 box.geo -setnumber h 0.0435 -format msh41 -bin), H one of 80,000 hexahedra (gmsh -3 hexahedra.geo -setnumber n 43). Prints a
table: one cold process, the median of warm ones, and the parts of both by report.json. The first row pays for what the system reads from its disk for the first time.

--intervals: what files cost a run of T, p = 1 ... 5, that writes solution and checkpoint during the steps: at intervals of twice what writing one takes, and each
100 steps; beside a run that writes at its end alone. Put --folder into a file system in memory.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROWS = (("triangles", 1), ("triangles", 3), ("triangles", 5), ("hexahedra", 3))
CASES = {"triangles": "euler.toml", "hexahedra": "euler-space.toml"}
PARTS = {"compile": "compiling", "tuning": "choosing", "prepare": "preparing", "upload": "upload", "output": "output", "wait": "waiting for files"}


def run(options, case, mesh, order, folder):
    """Seconds of the process, and the times of its report.json."""
    command = [options.galerna, "run", HERE / case, "--device", options.device, "--quiet", "-o", folder / "out", "--set", f"mesh.file={json.dumps(str(mesh.resolve()))}",
               "--set", f"discretization.order={order}", "--set", "time.max_steps=1"]
    begin = time.perf_counter()
    subprocess.run(command, check=True, env={**os.environ, "GALERNA_CACHE": str(folder / "kernels"), "GALERNA_PROGRAMS": str(folder)})
    return time.perf_counter() - begin, json.loads((folder / "out/report.json").read_text())["time"]


def parts(times):
    return ", ".join(f"{name} {times['wall_' + part]:.2f}" for part, name in PARTS.items() if times["wall_" + part] >= 0.05)


def run_steps(options, order, steps, folder, every=0):
    """Times of a run's report.json; with `every`, files each so many steps."""
    command = [options.galerna, "run", HERE / "euler.toml", "--device", options.device, "--quiet", "-o", folder / "out", "--set", f"mesh.file={json.dumps(str(options.triangles.resolve()))}",
               "--set", f"discretization.order={order}", "--set", f"time.max_steps={steps}"]
    if every:
        command += ["--set", f"output.solution.steps={every}", "--set", f"output.checkpoint.steps={every}"]
    subprocess.run(command, check=True)
    times = json.loads((folder / "out/report.json").read_text())["time"]
    for file in (folder / "out").iterdir():
        file.unlink()
    return times


def measure_intervals(options, order, folder):
    """A line of the table: seconds that writing takes, and what it adds to runs; medians of the repetitions."""

    def seconds(steps, every=0):
        runs = [run_steps(options, order, steps, folder, every) for _ in range(options.repetitions)]
        return [statistics.median(one[part] for one in runs) for part in ("wall_total", "wall_loop")]

    run_steps(options, order, 1, folder)  # compiles
    plain, loop = seconds(200)
    each = loop / 200
    often = 10
    writing = (seconds(often, 1)[0] - seconds(often)[0]) / (often - 1)  # the last files are there in both
    every = max(1, round(2 * writing / each))
    losses = []
    for times, interval in ((10, every), (20, 100)):
        (alone, loop), (beside, _) = seconds(times * interval), seconds(times * interval, interval)
        losses.append(f"{beside - alone:.2f} of {loop:.2f} ({100 * (beside - alone) / loop:.1f} %)")
    return f"| {order} | {each * 1e6:.0f} | {writing:.3f} | {every} | {losses[0]} | {losses[1]} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--triangles", type=pathlib.Path)
    parser.add_argument("--hexahedra", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--intervals", action="store_true")
    parser.add_argument("--folder", help="for the files of --intervals")
    options = parser.parse_args()
    if options.intervals:
        print("| p | µs a step | writing once, s | interval, steps | 10 times at this interval: longer by, s | 20 times each 100 steps: longer by, s |\n| --- | --- | --- | --- | --- | --- |")
        with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
            for order in range(1, 6):
                print(measure_intervals(options, order, pathlib.Path(scratch)), flush=True)
        return
    print("| one step | cold, s | warm, s | parts of the cold one | parts of the last warm one |\n| --- | --- | --- | --- | --- |")
    for kind, order in ROWS:
        mesh = getattr(options, kind)
        if not mesh:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            cold, cold_times = run(options, CASES[kind], mesh, order, folder)
            warm = [run(options, CASES[kind], mesh, order, folder) for _ in range(options.repetitions)]
        print(f"| {kind}, p = {order} | {cold:.2f} | {statistics.median(seconds for seconds, _ in warm):.2f} | {parts(cold_times)} | {parts(warm[-1][1])} |", flush=True)


if __name__ == "__main__":
    main()
