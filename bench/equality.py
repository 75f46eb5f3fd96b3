#!/usr/bin/env python3
"""Holds two builds of galerna against each other: runs the cases of cases/ on coarse meshes and a matrix of equations, degrees, elements and options
with both, and compares the last checkpoints bit for bit, but for versions and texts. Prints one line a row; exit code 1 if a row differs or fails.

    python3 bench/equality.py --before OLD/galerna --after NEW/galerna [--device cuda] [--steps 20] [--only 'matrix/euler-*-p3*'] [--jobs 4]

Where results differ, both are run for one step, too, and the largest difference of coefficients, time and step is printed, relative to the
largest number of their kind. --allow FILE lists rows that may differ: lines of a PATTERN of names, the largest relative difference after one step (1e-13 or
less) and the reason; # begins a comment. bench/equality-allowed.txt is such a list. Both programs take their kernels from GALERNA_CACHE, which the first run fills. Where a GPU's
fastest structure of kernels was not the same for both, both start from a checkpoint of the old one, which carries its choice.
"""
import argparse
import array
import concurrent.futures
import fnmatch
import functools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import typing

sys.dont_write_bytecode = True  # beside checkpoints.py and steady.py
import checkpoints  # noqa: E402
import steady  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
TEXTS = {"galerna_version", "build", "format_version", "case", "mesh_file"}  # may differ
ADDED = {"state/wall_force_x", "state/wall_force_y", "state/boundary_flux_before", "state/boundary_flux_faces", "state/limiter"}  # of newer checkpoints
CHOICE = "state/tile_elements"
MEASURED = {"coefficients", "time", "dt"}  # all else follows from them, and some of it is the small difference of large numbers
LARGEST_ALLOWED = 1e-13


class Geometry(typing.NamedTuple):
    file: pathlib.Path
    numbers: tuple  # of the .geo: (name, value)


class Row(typing.NamedTuple):
    name: str
    case: pathlib.Path
    geometry: Geometry
    settings: tuple
    arguments: tuple = ()


# Of each case: numbers of the .geo that make few elements, degrees, settings.
CASES = {
    "acoustic-pulse": ({"h": 0.3}, (1, 2, 3), ()),
    "advection-diffusion": ({"h": 0.2}, (3,), ()),
    "couette": ({"n": 8}, (1, 2, 3), ()),
    "cylinder-m038": ({"n": 16, "m": 8}, (1, 2, 3), ()),
    "cylinder-re100": ({"n": 6, "m": 4, "wake": 0.5, "far": 6}, (2, 3), ()),
    "cylinder-re40": ({"n": 6, "m": 4, "wake": 0.5, "far": 6}, (1, 2, 3), ()),
    "double-mach-reflection": ({"h": 0.07}, (1,), ()),
    "flat-plate-blasius": ({"n": 8, "m": 6}, (1, 2, 3), ()),
    "forward-facing-step": ({"h": 0.1}, (2,), ()),
    "isentropic-vortex": ({"h": 2}, (1, 2, 3, 4, 5), ()),
    "kelvin-helmholtz": ({"h": 0.2}, (3,), ()),
    "lid-driven-cavity": ({"n": 8}, (3,), ()),
    "manufactured-flow": ({"n": 3}, (1, 2, 3, 4, 5), ()),
    "naca0012-re5000": ({"n": 12, "k": 8, "m": 8}, (1, 2), ()),
    "naca0012-subsonic": ({"h0": 0.05, "h1": 0.1}, (1, 2, 3), ()),
    "riemann-2d": ({"h": 0.1}, (2,), ()),
    "shallow-water": ({"h": 0.1}, (1,), ()),
    "shock-vortex": ({"h": 0.1}, (3,), ()),
    "shu-osher": ({"n": 100}, (2,), ()),
    "sod": ({"n": 50}, (1, 2, 3), ()),
    "stokes-first-problem": ({"n": 50}, (2,), ()),
    "supersonic-vortex": ({}, (1, 2, 3, 4, 5), ("mesh.refine=0",)),
    "taylor-green-2d": ({"n": 6}, (1, 2, 3), ()),
    "viscous-shock-tube": ({"n": 24}, (2,), ()),
}


# In space and on polytopes: nothing was there before that they could be held against.
NEW_CASES = {"airfoil-extruded", "boundary-layer", "changing-type", "checkerboard", "density-wave-3d", "explosion-3d", "heat-slabs", "isentropic-vortex-3d", "l-shape-hp", "manufactured-3d", "naca0012-m08",
             "oscillating-boundary", "poisson-polygons", "reaction-3d", "sedov", "sphere-m038", "sphere-re100", "sphere-re300", "taylor-green-inviscid",
             "taylor-green-re1600"}


def rows_of_cases():
    for file in sorted(ROOT.glob("cases/*/case.toml")):
        case = file.parent.name
        if case in NEW_CASES:
            continue
        if case not in CASES:
            raise SystemExit(f"{file} has no coarse mesh in CASES of bench/equality.py: add it there.")
        numbers, degrees, settings = CASES[case]
        geometry = Geometry(next(file.parent.glob("*.geo")), tuple(numbers.items()))
        for degree in degrees:
            in_time = (f"time={steady.IN_TIME[case]}",) if case in steady.IN_TIME else ()  # the program before may know no other way
            yield Row(f"cases/{case}-p{degree}", file, geometry, (f"discretization.order={degree}", *in_time, *settings, "output.picture="))


def box(sides, h):
    """Periodic; of triangles (3), quadrilaterals (4) or both (7)."""
    return Geometry(HERE / "box.geo", (("sides", sides), ("h", h)))


def arcs(order):
    """Quadrilaterals beside triangles between arcs."""
    return Geometry(ROOT / "cases/manufactured-flow/mixed.geo", (("n", 3), ("order", order)))


MESHES = {"triangles": box(3, 1.2), "quadrilaterals": box(4, 0.7), "mixed": box(7, 0.8), "curved-2": arcs(2), "curved-3": arcs(3)}
PULSE = "1 + exp(-r2)"
STATE = {"density": "temperature^2.5", "velocity_x": "1 - swirl*y", "velocity_y": "1 + swirl*x", "pressure": "temperature^3.5"}


def section(name, **values):
    return tuple(f"{name}.{key}={json.dumps(value)}" for key, value in values.items())


# Boundary conditions: the vortex with which the run begins, or where waves run from a jump into gas at rest, that gas and walls.
RIM = ("mesh.periodic=", *section("boundary.rim", type="dirichlet", **STATE))
JUMP = {"density": "where(x < 0.7 + 0.3*y, 1, 0.25)", "velocity_x": 0, "velocity_y": 0, "pressure": "where(x < 0.7 + 0.3*y, 1, 0.2)"}
TUBE = ("mesh.periodic=", *section("initial", **JUMP), *section("boundary.left", type="dirichlet", **JUMP),
        *section("boundary.right", type="supersonic-outflow"), *section("boundary.bottom", type="slip-wall"))
TUBE_MESH = Geometry(ROOT / "cases/shock-vortex/box.geo", (("h", 0.15),))
INVISCID_TUBE = (*TUBE, *section("boundary.top", type="slip-wall"))
VISCOUS_TUBE = (*TUBE, *section("boundary.top", type="no-slip-adiabatic"))
STEADY = ("time.steady=1e-30", "time.local=true")


def matrix_row(name, equations, mesh, degree, *settings, arguments=()):
    rim = RIM if mesh.file.name == "mixed.geo" else ()
    return Row(f"matrix/{name}-p{degree}", HERE / f"{equations}.toml", mesh, (f"discretization.order={degree}", *rim, *settings), arguments)


def rows_of_matrix():
    for equations in ("euler", "navier-stokes"):
        for name, mesh in MESHES.items():
            for degree in range(7):
                yield matrix_row(f"{equations}-{name}", equations, mesh, degree)
    triangles = MESHES["triangles"]
    for equations, tube in (("euler", INVISCID_TUBE), ("navier-stokes", VISCOUS_TUBE)):
        for neighbours in ("face", "vertex"):
            yield matrix_row(f"{equations}-barth-jespersen-{neighbours}", equations, TUBE_MESH, 1, *tube, "time.scheme=\"rk2-heun\"", "time.cfl=0.3",
                             *section("shock", limiter="barth-jespersen", neighbours=neighbours))
        for degree in (1, 2, 3, 5):
            variables = {1: "conservative", 2: "primitive"}.get(degree, "characteristic")
            yield matrix_row(f"{equations}-hierarchical-{variables}", equations, TUBE_MESH, degree, *tube, "time.scheme=\"ssprk33\"", "time.cfl=0.3",
                             *section("shock", limiter="hierarchical", variables=variables))
        for name, mesh in MESHES.items():
            for degree in (1, 3):
                yield matrix_row(f"{equations}-local-steps-{name}", equations, mesh, degree, *STEADY)
        for name in ("triangles", "mixed", "curved-2"):
            yield matrix_row(f"{equations}-tolerance-{name}", equations, MESHES[name], 2, "time.scheme=\"ssprk43\"", "time.cfl=", "time.tolerance=1e-6")
            yield matrix_row(f"{equations}-averages-{name}", equations, MESHES[name], 2, "output.averages.start=0.05")
            yield matrix_row(f"{equations}-steady-{name}", equations, MESHES[name], 2, "time.steady=1e-30", "time.steady_norm=\"residual\"")
            for degree in (1, 2, 3, 4):
                yield matrix_row(f"{equations}-single-{name}", equations, MESHES[name], degree, arguments=("--precision", "single"))
                yield matrix_row(f"{equations}-source-{name}", equations, MESHES[name], degree,
                                 *section("source", momentum_y="-0.1*density", energy="-0.1*momentum_y + 0.01*exp(-r2 - t)"))
        yield matrix_row(f"{equations}-sequence", equations, triangles, 2, "time.steady=1e-30", "time.sequence=[0, 1]", "time.sequence_steps=30")
        for degree in (1, 2, 3):  # above this size a GPU launches its kernels one by one
            yield matrix_row(f"{equations}-many-triangles", equations, box(3, 0.092), degree)
    for flux in ("hllc", "roe"):
        yield matrix_row(f"euler-{flux}", "euler", triangles, 2, *section("discretization", riemann=flux))
    for scheme in ("euler", "rk2-midpoint", "rk2-heun", "ssprk22", "ssprk33", "ssprk54", "lsrk54", "ssprk43"):
        yield matrix_row(f"euler-{scheme}", "euler", triangles, 1, *section("time", scheme=scheme), "time.cfl=0.2")
    yield matrix_row("euler-fixed-step", "euler", triangles, 2, "time.cfl=", "time.step=0.01")


class Runs:
    """Both programs on any row; meshes and results stay in a folder."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.lock = threading.Lock()  # of meshes and of the HDF5 library

    @functools.cache
    def make_mesh(self, geometry):
        words = [f"{key}-{value}" for key, value in geometry.numbers]
        file = self.folder / "meshes" / f"{'-'.join([geometry.file.parent.name, geometry.file.stem, *words])}.msh"
        numbers = [word for key, value in geometry.numbers for word in ("-setnumber", key, str(value))]
        file.parent.mkdir(exist_ok=True)
        subprocess.run(["gmsh", "-v", "1", "-2", str(geometry.file), *numbers, "-format", "msh41", "-o", str(file)], check=True)
        return file

    def mesh(self, geometry):
        with self.lock:
            return self.make_mesh(geometry)

    def __call__(self, which, row, steps, restart=None):
        """The last checkpoint as {name: array} and its file. Raises RuntimeError with what the program said."""
        output = self.folder / row.name / f"{which}-{steps}{'-restarted' if restart else ''}"
        command = [getattr(self.options, which), "run", str(row.case), "--quiet", "--device", self.options.device, "--output", str(output), *row.arguments]
        for setting in (f"mesh.file={json.dumps(str(self.mesh(row.geometry)))}", *row.settings, "output.solution=false", f"time.max_steps={steps}"):
            command += ["--set", setting]
        if restart:
            command += ["--restart", str(restart)]
        done = subprocess.run(command, capture_output=True, text=True)
        file = output / "checkpoint_final.h5"
        if done.returncode != 0 or not file.exists():
            said = [line for line in done.stderr.splitlines() if line.strip()] or [f"exit code {done.returncode}"]
            raise RuntimeError(f"{which}: {said[0]}")
        with self.lock:
            return checkpoints.read(file), file


def groups_of(name, found):
    """Parts of an array that are measured by their own largest number: where there is one shape, the variables of coefficients [element][variable][mode], the
    components of momentum together: one of them may be nothing but rounding errors."""
    values = found[name]
    counts = [key for key in found if key.startswith("elements/") and key != "elements/shapes"]
    if name != "coefficients" or len(counts) != 1:
        return [values]
    variables = json.loads(found["variables"].tobytes())
    kinds = ["momentum" if variable.startswith("momentum") else variable for variable in variables]
    modes = len(values) // len(variables) // int.from_bytes(found[counts[0]].tobytes(), sys.byteorder)
    return [array.array("d", (values[i] for i in range(len(values)) if kinds[i // modes % len(variables)] == kind)) for kind in dict.fromkeys(kinds)]


def relative_difference(name, before, after):
    if before[name].typecode != "d" or len(before[name]) != len(after[name]):
        return math.inf
    largest = 0.0
    for a, b in zip(groups_of(name, before), groups_of(name, after)):
        difference = max((abs(x - y) for x, y in zip(a, b) if x != y), default=0.0)
        if difference > 0 or any(x != x or y != y for x, y in zip(a, b)):
            largest = max(largest, difference / max(map(abs, a)) if math.isfinite(difference) and any(a) else math.inf)
    return largest


def differences(before, after):
    """{name: relative difference, 0 where it is not measured} of what is not the same bit for bit; infinite for what only one of them has."""
    found = {}
    for name in sorted((before.keys() | after.keys()) - TEXTS - {CHOICE} - (ADDED - before.keys())):
        if name not in before or name not in after:
            found[name] = math.inf
        elif before[name].tobytes() != after[name].tobytes():
            found[name] = relative_difference(name, before, after) if name in MEASURED else 0.0
    return found


def compare(runs, row):
    """(verdict, remark, largest relative difference after one step)"""
    steps = runs.options.steps
    (before, _), (after, _) = runs("before", row, steps), runs("after", row, steps)
    remark, start = "", None
    if CHOICE in before and CHOICE in after and before[CHOICE] != after[CHOICE]:
        start = runs("before", row, 1)[1]
        before, after = (runs(which, row, steps, start)[0] for which in ("before", "after"))
        remark = f"from a checkpoint with {before[CHOICE][0]:.0f} elements in a tile"
    if not differences(before, after):
        return "equal", remark, 0.0
    first = [runs(which, row, 2 if start else 1, start)[0] for which in ("before", "after")]
    after_one = differences(*first)
    largest = max(after_one.values(), default=0.0)
    late = differences(before, after)
    names = ", ".join(sorted(late, key=late.get, reverse=True)[:4])
    return "DIFFERENT", f"{largest:.1e} after one step; {max(late.values()):.1e} after {steps}, in {names} {remark}".rstrip(), largest


def read_allowed(file):
    """[(pattern, bound, reason)]"""
    allowed = []
    for number, line in enumerate(pathlib.Path(file).read_text().splitlines() if file else [], 1):
        words = line.split("#")[0].split(maxsplit=2)
        if not words:
            continue
        try:
            pattern, bound, reason = words[0], float(words[1]), words[2]
        except (IndexError, ValueError):
            raise SystemExit(f"{file}:{number}: a line is a pattern, a bound and a reason") from None
        if not 0 <= bound <= LARGEST_ALLOWED:
            raise SystemExit(f"{file}:{number}: the bound {bound:g} is larger than {LARGEST_ALLOWED:g}")
        allowed.append((pattern, bound, reason))
    return allowed


def judge(runs, row, allowed):
    """(verdict, remark)"""
    try:
        verdict, remark, difference = compare(runs, row)
    except (RuntimeError, ValueError, subprocess.CalledProcessError) as error:
        return "FAILED", str(error)
    if verdict == "DIFFERENT":
        for pattern, bound, reason in allowed:
            if fnmatch.fnmatch(row.name, pattern) and difference <= bound:
                return "allowed", f"{remark}: {reason}"
    return verdict, remark


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", help="the program whose results count")
    parser.add_argument("--after", help="the program that should have the same")
    parser.add_argument("--device", default="cpu", help="auto, cpu, cuda or cuda:N (default cpu)")
    parser.add_argument("--steps", type=int, default=200, help="of each run (default 200)")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="rows, such as 'cases/*' or '*-p3'; may be given again")
    parser.add_argument("--jobs", type=int, default=1, help="rows at a time (default 1)")
    parser.add_argument("--allow", metavar="FILE", help="rows that may differ")
    parser.add_argument("--output", metavar="FOLDER", help="keeps meshes and results there")
    parser.add_argument("--list", action="store_true", help="print the names of the rows and end")
    options = parser.parse_args()
    if not options.list and not (options.before and options.after):
        parser.error("--before and --after are needed")
    for which in ("before", "after"):
        program = getattr(options, which)
        if program and not os.access(program, os.X_OK):
            parser.error(f"--{which}: {program} is not a program")
    if options.steps < 1 or options.jobs < 1:
        parser.error("--steps and --jobs are 1 or more")
    return options


def chosen_rows(options):
    rows = [*rows_of_cases(), *rows_of_matrix()]
    chosen = [row for row in rows if not options.only or any(fnmatch.fnmatch(row.name, pattern) for pattern in options.only)]
    if not chosen:
        raise SystemExit("No row has a name like that; --list prints them.")
    return chosen


def main():
    options = parse_arguments()
    rows, allowed = chosen_rows(options), read_allowed(options.allow)
    if options.list:
        print(*(row.name for row in rows), sep="\n")
        return 0
    begin = time.monotonic()
    counts = {"equal": 0, "allowed": 0, "DIFFERENT": 0, "FAILED": 0}
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        runs = Runs(options, pathlib.Path(options.output or scratch).resolve())
        runs.folder.mkdir(parents=True, exist_ok=True)
        for row, (verdict, remark) in zip(rows, pool.map(lambda row: judge(runs, row, allowed), rows)):
            counts[verdict] += 1
            print(f"{verdict:<10}{row.name}{': ' if remark else ''}{remark}", flush=True)
    print(f"{len(rows)} rows in {time.monotonic() - begin:.0f} s: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count))
    return 1 if counts["DIFFERENT"] or counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
