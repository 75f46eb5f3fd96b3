#!/usr/bin/env python3
"""Fills a card: smooth waves on periodic meshes as large as the memory of a device takes, four steps of SSPRK(2,2); prints a table of what stands around the loop.

    python3 bench/filled.py --galerna build/galerna --device cuda --memory 80GB --share 0.9
    python3 bench/filled.py --galerna build/galerna --device cpu --memory 2GB --rows triangles-p5,hexahedra-p3

It makes its own meshes: a small one of Gmsh, refined by mesh.refine. `galerna check --memory` says which n of the small mesh fits, so the table is that of a
card of any size. The second run of each row is measured, with compiled kernels. Columns: seconds until the first word, the longest silence, seconds until the first
step, seconds of all steps, peak of the host's memory, the plan of it by `check`, and the checkpoint.
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

# name: (geometry, dimension, its options, equations, p, precision)
ROWS = {
    "triangles-p5": ("periodic-square.geo", 2, [], "euler", 5, "double"),
    "tetrahedra-p4": ("periodic-cube.geo", 3, ["-setnumber", "sides", "4"], "euler", 4, "single"),
    "hexahedra-p4": ("periodic-cube.geo", 3, ["-setnumber", "sides", "6"], "euler", 4, "single"),
    "hexahedra-p3": ("periodic-cube.geo", 3, ["-setnumber", "sides", "6"], "navier-stokes", 3, "single"),
    "viscous-triangles-p4": ("periodic-square.geo", 2, [], "navier-stokes", 4, "single"),
}
SIDES = {2: [("left", "right", 0), ("bottom", "top", 1)], 3: [("left", "right", 0), ("bottom", "top", 1), ("back", "front", 2)]}
LEAST, MOST = 8, 60  # n of the meshes of Gmsh


def case_text(row):
    _, dimension, _, equations, order, _ = ROWS[row]
    axes = "xyz"[:dimension]
    pairs = ", ".join(f'{{ from = "{a}", to = "{b}", translation = {[1 if d == k else 0 for d in range(dimension)]} }}' for a, b, k in SIDES[dimension])
    state = "".join(f"velocity_{axis} = 0.25\n" for axis in axes)
    wave = f'density = "1 + 0.2*sin(2*pi*({" + ".join(axes)} - {0.25 * dimension}*t))"\n{state}pressure = 1\n'
    viscous = "mu = 1e-6\nprandtl = 0.72\n" if equations == "navier-stokes" else ""
    exact = "" if viscous else f"[exact]\n{wave}"
    return (f'title = "Filled card: {row}"\n[mesh]\nfile = "mesh.msh"\nperiodic = [ {pairs} ]\n[equations]\ntype = "{equations}"\n{viscous}'
            f'[discretization]\norder = {order}\nriemann = "hllc"\n[time]\nscheme = "ssprk22"\ncfl = 0.3\nmax_steps = 4\nend = 1\n'
            f"[initial]\n{wave}{exact}[output]\nsolution = false\n")


def make_mesh(row, n, folder):
    geometry, dimension, options, *_ = ROWS[row]
    subprocess.run(["gmsh", f"-{dimension}", str(HERE / geometry), "-setnumber", "n", str(n), *options, "-format", "msh41", "-bin", "-v", "1",
                    "-o", str(folder / "mesh.msh")], check=True)


def check(options, row, folder, refine, memory):
    command = [options.galerna, "check", str(folder / "case.toml"), "--precision", ROWS[row][5], "--device", options.device, "--memory", memory,
               "--set", f"mesh.refine={refine}"]
    return subprocess.run(command, capture_output=True, text=True)


def bytes_of(text):
    number, prefix, binary = re.fullmatch(r"([0-9.e+]+)([kMGT]?)(i?)B", text).groups()
    return float(number) * (1024 if binary else 1000)**("kMGT".index(prefix) + 1 if prefix else 0)


def device_bytes_per_element(options, row, folder):
    """Of meshes large enough that constants do not count."""
    found = check(options, row, folder, 1, "10TB").stdout
    held = re.search(r"^  all +([0-9.]+)", found, re.M)
    elements = re.search(r"no errors; (\d+) elements", found)
    if not held or not elements:
        raise SystemExit(f"{row}: {found}")
    return float(held[1]), int(elements[1])


def fit(options, row, folder):
    """n and mesh.refine of the largest mesh that takes no more than the share of the memory."""
    dimension = ROWS[row][1]
    make_mesh(row, LEAST, folder)
    each, elements = device_bytes_per_element(options, row, folder)
    of_one = elements / 2**dimension / LEAST**dimension  # elements a cell
    wanted = bytes_of(options.memory) * options.share / each / of_one
    cells = int(wanted**(1 / dimension))
    refine = 0
    while cells / 2**refine > (MOST if dimension == 2 else MOST / 3):
        refine += 1
    return max(2, int(cells / 2**refine)), refine


class Run:
    """A process, with the times of its words."""

    def __init__(self, command):
        began = time.time()
        self.words = []
        self.peak = 0
        process = subprocess.Popen(["/usr/bin/time", "-f", "peak %M\nprocessor %U %S", *command], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in process.stderr:
            self.words.append((time.time() - began, line.rstrip()))
        self.code = process.wait()
        self.seconds = time.time() - began
        for _, line in self.words:
            if found := re.match(r"peak (\d+)", line):
                self.peak = int(found[1]) * 1024
            if found := re.match(r"processor ([0-9.]+) ([0-9.]+)", line):
                self.processor = float(found[1]) + float(found[2])
        times = [0] + [t for t, _ in self.words]
        self.silence = max(b - a for a, b in zip(times, times[1:]))
        self.first_word = times[1] if len(times) > 1 else self.seconds


def measure(options, row, folder):
    n, refine = fit(options, row, folder)
    make_mesh(row, n, folder)
    checked = check(options, row, folder, refine, options.memory)
    if checked.returncode:
        raise SystemExit(checked.stderr)
    command = [options.galerna, "run", str(folder / "case.toml"), "--precision", ROWS[row][5], "--device", options.device, "--set", f"mesh.refine={refine}",
               "-o", str(folder / "out")]
    for run in (Run(command + ["--set", "mesh.refine=0"]), Run(command)):  # the first one compiles
        if run.code:
            raise SystemExit("\n".join(text for _, text in run.words))
    report = json.loads((folder / "out/report.json").read_text())
    wall = report["time"]
    elements = sum(report["mesh"]["elements"].values())
    checkpoint = folder / "out/checkpoint_final.h5"
    phases = {phase["doing"]: phase["seconds"] for phase in wall["phases"]}
    errors = {name: error["l2"] for name, error in report.get("errors", {}).items()}
    plan = re.search(r"process: ([0-9.]+) MB", checked.stdout)
    before_steps = wall["wall_total"] - wall["wall_loop"] - wall["wall_watch"] - wall["wall_wait"] - wall["wall_output"] - wall["wall_finish"]
    return {"row": row, "elements": elements, "numbers": report["dof"], "device_bytes": report["performance"]["device_memory_bytes"],
            "host_peak": run.peak, "host_plan": float(plan[1]) * 1e6, "first_word": run.first_word, "silence": run.silence, "first_step": before_steps,
            "steps": wall["wall_loop"], "checkpoint_bytes": checkpoint.stat().st_size, "checkpoint": phases.get("writing the checkpoint", 0),
            "process": run.seconds, "processor": run.processor, "errors": errors, "phases": phases}


COLUMNS = (("row", "{row}"), ("elements", "{elements}"), ("numbers", "{numbers:.3g}"), ("device, GB", "{device_gb:.2f}"), ("host at its peak, GB", "{peak_gb:.2f}"),
           ("plan of it, GB", "{plan_gb:.2f}"), ("first word, s", "{first_word:.2f}"), ("longest silence, s", "{silence:.2f}"),
           ("until the first step, s", "{first_step:.2f}"), ("four steps, s", "{steps:.2f}"), ("checkpoint, GB", "{checkpoint_gb:.2f}"),
           ("checkpoint, s", "{checkpoint:.2f}"), ("process, s", "{process:.1f}"), ("processor, s", "{processor:.1f}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--memory", required=True, help="of the card: 80GB")
    parser.add_argument("--share", type=float, default=0.9, help="of the memory that is to be filled")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--folder", help="for meshes and outputs; on a memory file system where the disk is not to be measured")
    parser.add_argument("--json", help="file for all numbers")
    options = parser.parse_args()
    options.galerna = str(pathlib.Path(options.galerna).resolve())
    print("| " + " | ".join(name for name, _ in COLUMNS) + " |\n|" + " --- |" * len(COLUMNS), flush=True)
    results = []
    for row in options.rows.split(","):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            folder = pathlib.Path(folder)
            (folder / "case.toml").write_text(case_text(row))
            result = measure(options, row, folder)
        results.append(result)
        sizes = {name: result[key] / 1e9 for name, key in (("device_gb", "device_bytes"), ("peak_gb", "host_peak"), ("plan_gb", "host_plan"),
                                                           ("checkpoint_gb", "checkpoint_bytes"))}
        print("| " + " | ".join(form.format(**result, **sizes) for _, form in COLUMNS) + " |", flush=True)
        if result["errors"]:
            print(f"<!-- {row}: L2 error squared of the density {result['errors']['density']**2:.4e} -->", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
