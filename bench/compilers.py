#!/usr/bin/env python3
"""Holds what several compilers make of the kernels of a CPU, for several instruction sets, against one another.

    python3 bench/compilers.py [--build build] [--compilers g++-12,clang++-16] [--sets native,x86-64-v3] [--degrees 1] [--steps 20] [--no-tests]

For each compiler and instruction set: the quick tests of `dg`, which hold all structures of kernels against plain arithmetic, and the force on the walls in the
closed boxes of bench/rotation.py, relative to that of the first pair. Instruction sets that this processor lacks are left out, and named. Exit code 1 if a
test fails or a force differs by more than 1e-12.
"""
import argparse
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside rotation.py
import rotation  # noqa: E402

BOUND = 1e-12
NEEDS = {"native": set(), "x86-64": {"sse2"}, "x86-64-v3": {"avx2", "fma"}, "x86-64-v4": {"avx512f", "avx512dq", "avx512vl"}}  # in /proc/cpuinfo


def compilers_at_hand():
    names = ["g++", *(f"{name}-{version}" for version in range(11, 25) for name in ("g++", "clang++"))]
    files = {}
    for name in names:
        if path := shutil.which(name):
            files.setdefault(os.path.realpath(path), name)
    return list(files.values())


def processor_flags():
    flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return set(flags[1].split()) if flags else set()


def write_compiler(folder, compiler, instructions):
    """A script that compiles for these instructions whatever else is asked for: the last -march counts."""
    folder.mkdir(exist_ok=True)
    script = folder / f"{compiler}-{instructions}"
    script.write_text(f'#!/bin/sh\nexec {compiler} "$@" -march={instructions}\n')
    script.chmod(0o755)
    return script


def run_tests(build):
    """Whether all pass, and how many do; none at all is no success."""
    done = subprocess.run(["ctest", "--output-on-failure", "--parallel", str(os.cpu_count()), "-L", "quick", "-R", "^dg[.]"], cwd=build, capture_output=True, text=True)
    counts = re.search(r"(\d+) tests failed out of (\d+)", done.stdout)
    if done.returncode or not counts:
        print(done.stdout, done.stderr, flush=True)
    return done.returncode == 0 and counts is not None, f"{int(counts[2]) - int(counts[1])} of {counts[2]} pass" if counts else "none"


def forces(options, shapes, order, folder):
    """{name of a flow: force}"""
    unturned = folder / "unturned.msh"
    rotation.write_mesh(shapes, order, unturned)
    dimension = 2 if shapes == "plane" else 3
    return {f"{shapes}, order {order}, {'Navier-Stokes' if viscous else 'Euler'}, p = {degree}":
            rotation.force(options, unturned, folder, dimension, viscous, degree, rotation.IDENTITY)
            for viscous in (False, True) for degree in map(int, options.degrees.split(","))}


def all_forces(options):
    found = {}
    for shapes in options.shapes.split(","):
        for order in (1, 2):
            with tempfile.TemporaryDirectory() as name:
                found |= forces(options, shapes, order, pathlib.Path(name))
    return found


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=rotation.ROOT / "build", help="folder of the program and the tests")
    parser.add_argument("--compilers", default=",".join(compilers_at_hand()))
    parser.add_argument("--sets", default=",".join(NEEDS))
    parser.add_argument("--shapes", default=",".join(["plane", *rotation.CUTS]))
    parser.add_argument("--degrees", default="1")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--no-tests", action="store_true", help="forces alone")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.galerna, options.device = options.build / "galerna", "cpu"
    return options


def main():
    options = parse_arguments()
    sets = [name for name in options.sets.split(",") if NEEDS[name] <= processor_flags()]
    for name in set(options.sets.split(",")) - set(sets):
        print(f"{name} is left out: this processor lacks {', '.join(sorted(NEEDS[name] - processor_flags()))}")
    wrong, first = False, None
    print("| compiler | instructions | tests | forces | largest difference | where |\n| --- | --- | --- | --- | --- | --- |", flush=True)
    for compiler in options.compilers.split(","):
        for name in sets:
            os.environ["CXX"] = str(write_compiler(options.build / "compilers", compiler, name))
            right, said = (True, "-") if options.no_tests else run_tests(options.build)
            found = all_forces(options)
            first = first or found
            differences = {flow: math.dist(force, first[flow]) / math.hypot(*first[flow]) for flow, force in found.items()}
            where = max(differences, key=differences.get)
            wrong = wrong or not right or differences[where] > BOUND
            print(f"| {compiler} | {name} | {said} | {len(found)} | {differences[where]:.1e} | {where} |", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
