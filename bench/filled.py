#!/usr/bin/env python3
"""Fills a card: smooth waves on periodic meshes as large as the memory of a device takes, with SSPRK(2,2); prints a table of what stands around the loop.

    python3 bench/filled.py --galerna build/galerna --device cuda --memory 80GB --share 0.9
    python3 bench/filled.py --galerna build/galerna --device cpu --memory 2GB --rows triangles-p5,hexahedra-p3
    python3 bench/filled.py --galerna build/galerna --memory 80GB --save FOLDER     # where Gmsh is: meshes for --meshes FOLDER elsewhere

It makes its own meshes: a small one of Gmsh, refined by mesh.refine. `galerna check --memory` says which n of the small mesh fits, so the table is that of a
card of any size. Kernels are compiled first, by runs of the small meshes. Columns: seconds until the first word, the longest silence, seconds until the first
step, seconds of all steps, peak of the host's memory, the plan of it by `check`, the checkpoint, and the throughput over that of the same row on a mesh of 64
times fewer elements. Errors of both are those of equally many elements a wavelength.

--restart ROW: a run that is broken in the middle leaves the numbers of one that is not.
--limits ROW (on a GPU): another process takes memory until the row takes 96 % of what is left, which runs; then 101 %, which is refused.
A row that fails, or for which --seconds leave no time, is said to be so, and the others follow. The JSON is written after each of them.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
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
LEAST, MOST = 8, {2: 60, 3: 20}  # n of the meshes of Gmsh
CELLS_A_WAVE = 6
COARSER = {2: 3, 3: 2}  # refinements less: 64 times fewer elements


class Failure(Exception):
    pass


def case_text(row, waves, steps):
    _, dimension, _, equations, order, _ = ROWS[row]
    axes = "xyz"[:dimension]
    pairs = ", ".join(f'{{ from = "{a}", to = "{b}", translation = {[1 if d == k else 0 for d in range(dimension)]} }}' for a, b, k in SIDES[dimension])
    state = "".join(f"velocity_{axis} = 0.25\n" for axis in axes)
    wave = f'density = "1 + 0.2*sin(2*pi*{waves}*({" + ".join(axes)} - {0.25 * dimension}*t))"\n{state}pressure = 1\n'
    viscous = "mu = 1e-6\nprandtl = 0.72\n" if equations == "navier-stokes" else ""
    exact = "" if viscous else f"[exact]\n{wave}"
    return (f'title = "Filled card: {row}"\n[mesh]\nfile = "mesh.msh"\nperiodic = [ {pairs} ]\n[equations]\ntype = "{equations}"\n{viscous}'
            f'[discretization]\norder = {order}\nriemann = "hllc"\n[time]\nscheme = "ssprk22"\ncfl = 0.3\nmax_steps = {steps}\nend = 1\n'
            f"[initial]\n{wave}{exact}[output]\nsolution = false\n")


def write_mesh(options, row, n, folder):
    """From --meshes, or by Gmsh."""
    if options.meshes:
        saved = options.meshes / f"{row}-{n}.msh"
        if not saved.exists():
            raise Failure(f"{saved} is missing: make it with --save, for the same --memory and --share")
        return shutil.copy(saved, folder / "mesh.msh")
    geometry, dimension, settings, *_ = ROWS[row]
    return subprocess.run(["gmsh", f"-{dimension}", str(HERE / geometry), "-setnumber", "n", str(n), *settings, "-format", "msh41", "-bin", "-v", "1",
                           "-o", str(folder / "mesh.msh")], check=True)


def write_case(row, n, refine, steps, folder):
    waves = max(1, round(n / CELLS_A_WAVE)) * 2**refine
    (folder / "case.toml").write_text(case_text(row, waves, steps))


def check(options, row, folder, refine, memory):
    command = [options.galerna, "check", str(folder / "case.toml"), "--precision", ROWS[row][5], "--device", options.device, "--memory", memory,
               "--set", f"mesh.refine={refine}"]
    return subprocess.run(command, capture_output=True, text=True)


def bytes_of(text):
    number, prefix, binary = re.fullmatch(r"([0-9.e+]+)([kMGT]?)(i?)B", text).groups()
    return float(number) * (1024 if binary else 1000)**("kMGT".index(prefix) + 1 if prefix else 0)


def plan_of(options, row, folder, refine):
    """Bytes for each element, elements, bytes on the device with what is there for a while, bytes of the process."""
    found = check(options, row, folder, refine, "10TB").stdout
    held = re.search(r"^  all +([0-9.]+) +([0-9.]+)", found, re.M)
    beside = re.search(r"^  beside, while formulas are evaluated +[0-9.]+ +([0-9.]+)", found, re.M)
    elements = re.search(r"no errors; (\d+) elements", found)
    process = re.search(r"process: ([0-9.]+) MB", found)
    if not (held and beside and elements and process):
        raise Failure(found)
    return float(held[1]), int(elements[1]), (float(held[2]) + float(beside[1])) * 1e6, float(process[1]) * 1e6


def cells_of(n, refine):
    return n * 2**refine


def fit(options, row, folder):
    """n and mesh.refine of the largest mesh that takes no more than the share of the memory. By the bytes of meshes large enough that constants do not count."""
    dimension = ROWS[row][1]
    saved = options.meshes / "sizes.json" if options.meshes else None
    if saved and saved.exists():
        return json.loads(saved.read_text())[row]
    write_mesh(options, row, LEAST, folder)
    write_case(row, LEAST, 1, 4, folder)
    each, elements, *_ = plan_of(options, row, folder, 1)
    of_one = elements / 2**dimension / LEAST**dimension  # elements a cell
    cells = (bytes_of(options.memory) * options.share / each / of_one)**(1 / dimension)
    refine = 0
    while cells / 2**refine > MOST[dimension] + 1:
        refine += 1
    return max(2, int(cells / 2**refine)), refine


class Run:
    """A process, with the times of its words."""

    def __init__(self, options, arguments):
        began = time.time()
        self.words = []
        left = options.deadline - began
        if left < 1:
            raise Failure("no time left")
        process = subprocess.Popen([options.galerna, *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, start_new_session=True)
        clock = threading.Timer(left, lambda: os.killpg(process.pid, 9))
        clock.start()
        for line in process.stderr:
            self.words.append((time.time() - began, line.rstrip()))
        _, status, usage = os.wait4(process.pid, 0)
        clock.cancel()
        self.code = process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.time() - began
        self.peak = usage.ru_maxrss * 1024
        self.processor = usage.ru_utime + usage.ru_stime
        times = [0] + [t for t, _ in self.words]
        self.silence = max((b - a for a, b in zip(times, times[1:])), default=self.seconds)
        self.first_word = times[1] if len(times) > 1 else self.seconds

    def text(self):
        return "\n".join(text for _, text in self.words)


def run(options, row, folder, refine, steps=None, out="out", more=(), code=0):
    arguments = ["run", str(folder / "case.toml"), "--precision", ROWS[row][5], "--device", options.device, "--set", f"mesh.refine={refine}", "-o",
                 str(folder / out), *more]
    if steps:
        arguments += ["--set", f"time.max_steps={steps}"]
    done = Run(options, arguments)
    if done.code != code:
        raise Failure(f"exit code {done.code} after {done.seconds:.1f} s: {done.text()}")
    return done


def report_of(folder, out="out"):
    return json.loads((folder / out / "report.json").read_text())


def error_squared(report):
    return report.get("errors", {}).get("density", {}).get("l2", 0)**2


def steps_of_coarser(options):
    return options.steps * 64


def compile_kernels(options, row, folder):
    write_mesh(options, row, options.sizes[row][0], folder)
    write_case(row, options.sizes[row][0], 0, 1, folder)
    run(options, row, folder, 0)
    return {"row": row}


def measure(options, row, folder):
    n, refine = options.sizes[row]
    write_mesh(options, row, n, folder)
    write_case(row, n, refine, options.steps, folder)
    _, elements, device, host = plan_of(options, row, folder, refine)
    large = run(options, row, folder, refine)
    report = report_of(folder)
    wall = report["time"]
    checkpoint = folder / "out/checkpoint_final.h5"
    phases = {phase["doing"]: phase["seconds"] for phase in wall["phases"]}
    before_steps = wall["wall_total"] - wall["wall_loop"] - wall["wall_watch"] - wall["wall_wait"] - wall["wall_output"] - wall["wall_finish"]
    result = {"row": row, "elements": elements, "numbers": report["dof"], "device_bytes": report["performance"]["device_memory_bytes"],
              "device_plan": device, "host_peak": large.peak, "host_plan": host, "first_word": large.first_word, "silence": large.silence,
              "first_step": before_steps, "steps": wall["wall_loop"], "checkpoint_bytes": checkpoint.stat().st_size,
              "checkpoint": phases.get("writing the checkpoint", 0), "process": large.seconds, "processor": large.processor,
              "rate": report["performance"]["dof_per_second"], "error_squared": error_squared(report), "phases": phases,
              "memory": {phase["doing"]: phase["memory_bytes"] for phase in wall["phases"]}}
    if refine >= COARSER[ROWS[row][1]]:
        try:
            result |= measure_coarser(options, row, folder, n, refine - COARSER[ROWS[row][1]])
            result["rate_of_coarser"] = result["rate"] / result["coarser_rate"]
        except Failure as failure:
            print(f"coarser mesh of {row}: {failure}", flush=True)
    return result


def measure_coarser(options, row, folder, n, refine):
    """The same row where a card is hardly filled: the error of as many steps, and the rate of as many right-hand sides of an element."""
    write_case(row, n, refine, options.steps, folder)
    run(options, row, folder, refine, out="coarser")
    error = error_squared(report_of(folder, "coarser"))
    shutil.rmtree(folder / "coarser")
    run(options, row, folder, refine, steps=steps_of_coarser(options), out="coarser")
    report = report_of(folder, "coarser")
    shutil.rmtree(folder / "coarser")
    return {"coarser_numbers": report["dof"], "coarser_error_squared": error, "coarser_rate": report["performance"]["dof_per_second"]}


def differing_pieces(one, other):
    """Offsets of megabytes in which two files differ."""
    piece, found = 1 << 20, []
    if one.stat().st_size != other.stat().st_size:
        return ["their sizes"]
    with one.open("rb") as a, other.open("rb") as b:
        while left := a.read(64 * piece):
            right = b.read(64 * piece)
            if left != right:
                at = a.tell() - len(left)
                found += [at + k for k in range(0, len(left), piece) if left[k:k + piece] != right[k:k + piece]]
    return found


def measure_restart(options, row, folder):
    """A run of all steps, one of half of them and its restart, which reads the checkpoint and leaves the same one."""
    n, refine = options.sizes[row]
    whole = folder / "out/checkpoint_final.h5"  # of measure()
    write_case(row, n, refine, options.steps, folder)
    run(options, row, folder, refine, steps=options.steps // 2, out="half")
    half = folder / "half/checkpoint_final.h5"
    restarted = run(options, row, folder, refine, out="rest", more=["--restart", str(half)])
    phases = {phase["doing"]: phase["seconds"] for phase in report_of(folder, "rest")["time"]["phases"]}
    # The texts at the beginning of a file name its folder.
    different = differing_pieces(whole, folder / "rest/checkpoint_final.h5")
    return {"row": row, "differing": different, "same": not [at for at in different if at != 0], "first_step": restarted.seconds,
            "reading": phases.get("reading the checkpoint", 0), "state": phases.get("state of the checkpoint", 0), "host_peak": restarted.peak,
            "silence": restarted.silence}


BALLAST = """
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
context, device = ctypes.c_void_p(), ctypes.c_int()
def call(name, *arguments):
    if code := getattr(cuda, name)(*arguments): sys.exit(f"{name} fails with {code}")
call("cuInit", 0)
call("cuDeviceGet", ctypes.byref(device), 0)
call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
call("cuCtxSetCurrent", context)
def free():
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    return free.value
held = []
for line in sys.stdin:  # bytes that are to be left
    for one in held: call("cuMemFree_v2", one)
    held.clear()
    for piece in (1 << 30, 1 << 21):
        while free() - int(line) > piece:
            held.append(ctypes.c_uint64())
            call("cuMemAlloc_v2", ctypes.byref(held[-1]), ctypes.c_size_t(piece))
    print(free(), flush=True)
"""


class Ballast:
    """A process that takes memory of the first GPU."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-c", BALLAST], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def leave(self, wanted):
        print(int(wanted), file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise Failure("the other process on the GPU fails")
        return int(answer)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def measure_limits(options, row, folder):
    n, refine = options.sizes[row]
    write_mesh(options, row, n, folder)
    write_case(row, n, refine, 4, folder)
    *_, device, _ = plan_of(options, row, folder, refine)
    result = {"row": row, "device_plan": device}
    with Ballast() as ballast:
        # What the program takes before it looks is found by a first refusal.
        left = ballast.leave(device * 0.5)
        text = run(options, row, folder, refine, code=4).text()
        seen = bytes_of("".join(re.search(r", ([0-9.]+) (MB|GB) free", text).groups()))
        own = left - seen
        for share, code in ((1.01, 4), (0.96, 0)):
            ballast.leave(device / share + own)
            done = run(options, row, folder, refine, code=code)
            result[f"{round(100 * share)} %"] = {"code": done.code, "seconds": done.seconds, "words": [text for _, text in done.words][-6:]}
    checked = check(options, row, folder, refine, f"{device / 1.01:.0f}B")
    result["check"] = {"code": checked.returncode, "words": checked.stderr.strip().splitlines()[-1:]}
    return result


COLUMNS = (("row", "{row}"), ("elements", "{elements}"), ("numbers", "{numbers:.3g}"), ("device, GB", "{device_gb:.2f}"), ("host at its peak, GB", "{peak_gb:.2f}"),
           ("plan of it, GB", "{plan_gb:.2f}"), ("first word, s", "{first_word:.2f}"), ("longest silence, s", "{silence:.2f}"),
           ("until the first step, s", "{first_step:.2f}"), ("steps, s", "{steps:.2f}"), ("checkpoint, GB", "{checkpoint_gb:.2f}"),
           ("checkpoint, s", "{checkpoint:.2f}"), ("process, s", "{process:.1f}"), ("processor, s", "{processor:.1f}"), ("GDOF/s", "{grate:.3g}"),
           ("of the coarser mesh's", "{rate_of_coarser:.3f}"), ("error squared", "{error_squared:.4e}"), ("of the coarser mesh", "{coarser_error_squared:.4e}"))


def table_row(result):
    sizes = {name: result[key] / 1e9 for name, key in (("device_gb", "device_bytes"), ("peak_gb", "host_peak"), ("plan_gb", "host_plan"),
                                                       ("checkpoint_gb", "checkpoint_bytes"), ("grate", "rate"))}
    known = {"rate_of_coarser": float("nan"), "coarser_error_squared": 0} | result | sizes
    return "| " + " | ".join(form.format(**known) for _, form in COLUMNS) + " |"


def save_meshes(options):
    options.save.mkdir(parents=True, exist_ok=True)
    (options.save / "sizes.json").write_text(json.dumps(options.sizes) + "\n")
    for row, (n, _) in options.sizes.items():
        write_mesh(options, row, n, options.save)
        (options.save / "mesh.msh").rename(options.save / f"{row}-{n}.msh")


def attempt(options, results, name, row, work, folder):
    """What works out is kept; what does not is told and kept, too."""
    began = time.time()
    try:
        results.setdefault(name, []).append(work(options, row, folder))
    except (Failure, OSError, subprocess.SubprocessError, KeyError, ValueError, AttributeError) as failure:
        results.setdefault(name, []).append({"row": row, "failed": f"{type(failure).__name__}: {failure}"})
    last = results[name][-1]
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    if "failed" in last:
        print(f"{name} {row}, after {time.time() - began:.1f} s: {last['failed']}", flush=True)
    return last


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--memory", required=True, help="of the card: 80GB")
    parser.add_argument("--share", type=float, default=0.9, help="of the memory that is to be filled")
    parser.add_argument("--rows", default=",".join(ROWS))
    parser.add_argument("--steps", type=int, default=4)
    parser.add_argument("--restart", choices=list(ROWS), help="of the rows, the one that is broken and continued")
    parser.add_argument("--limits", choices=list(ROWS), help="of the rows, the one that takes 96 and 101 %% of a GPU's free memory")
    parser.add_argument("--meshes", type=pathlib.Path, help="folder with meshes of --save, where there is no Gmsh")
    parser.add_argument("--save", type=pathlib.Path, help="write the meshes of all rows there, and end")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which nothing more is begun, and what runs is ended")
    parser.add_argument("--folder", help="for meshes and outputs; on a memory file system where the disk is not to be measured")
    parser.add_argument("--json", help="file for all numbers")
    options = parser.parse_args()
    options.galerna = str(pathlib.Path(options.galerna).resolve())
    options.deadline = time.time() + options.seconds
    rows = options.rows.split(",")
    results = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        folders = {row: pathlib.Path(folder) / row for row in rows}
        for of_row in folders.values():
            of_row.mkdir()
        options.sizes = {row: fit(options, row, folders[row]) for row in rows}
        if options.save:
            return save_meshes(options)
        # One beside the other: NVRTC takes a core for each program.
        compiling = [threading.Thread(target=attempt, args=(options, {}, "compiling", row, compile_kernels, folders[row])) for row in rows]
        for thread in compiling:
            thread.start()
        for thread in compiling:
            thread.join()
        print("| " + " | ".join(name for name, _ in COLUMNS) + " |\n|" + " --- |" * len(COLUMNS), flush=True)
        for row in rows:
            result = attempt(options, results, "rows", row, measure, folders[row])
            if "failed" not in result:
                print(table_row(result), flush=True)
                if row == options.restart:
                    print(f"<!-- restart of {row}: {attempt(options, results, 'restart', row, measure_restart, folders[row])} -->", flush=True)
            if row == options.limits:
                print(f"<!-- limits of {row}: {attempt(options, results, 'limits', row, measure_limits, folders[row])} -->", flush=True)
            shutil.rmtree(folders[row])


if __name__ == "__main__":
    main()
