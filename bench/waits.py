#!/usr/bin/env python3
"""What a person waits for: seconds of whole processes that take one step, with an empty cache of kernels and with a full one.

    python3 bench/waits.py --galerna build/galerna [--device cuda] --triangles T.msh --hexahedra H.msh [--repetitions 3]

T is a mesh of 122,600 triangles (gmsh -2 box.geo -setnumber h 0.0435 -format msh41 -bin), H one of 80,000 hexahedra (gmsh -3 hexahedra.geo -setnumber n 43). Prints a
table: one cold process, the median of warm ones, and the parts of both by report.json. The first row pays for what the system reads from its disk for the first time.
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--triangles", type=pathlib.Path)
    parser.add_argument("--hexahedra", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
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
