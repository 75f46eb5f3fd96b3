#!/usr/bin/env python3
"""Iterations of Newton's method on stretched elements: a flat plate whose elements at the wall are 1 to 1,000 times as long as high, with each preconditioner.

    python3 bench/stretched.py --galerna build/galerna [--device auto] [--order 2] [--preconditioners ilu,lines,blocks] [--aspects 1,10,100,1000]

Prints a table: aspect of the elements at the plate, preconditioner, whether the residual fell by 1e8, Newton steps and iterations of GMRES at the last degree, right-hand
sides in all, seconds of the loop. Needs Gmsh.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

CASE = pathlib.Path(__file__).resolve().parent.parent / "cases" / "flat-plate-blasius"
ALONG, ACROSS = 24, 16  # elements of the plate, and from it to the far field, which is a length of the plate away
GROWTH = {1: 1.06, 10: 1.305, 100: 1.57, 1000: 1.862}  # of heights, by aspect


def first_height(growth):
    return (growth - 1) / (growth**ACROSS - 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--order", type=int, default=2)
    parser.add_argument("--preconditioners", default="ilu,lines,blocks")
    parser.add_argument("--aspects", default=",".join(map(str, GROWTH)))
    parser.add_argument("--threads", type=int, default=0)
    words = parser.parse_args()
    print("| aspect at the plate | preconditioner | status | steps | GMRES iterations | right-hand sides, all degrees | loop, s |\n" + "| --- " * 7 + "|")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for growth in (GROWTH[int(aspect)] for aspect in words.aspects.split(",")):
            mesh = scratch / "plate.msh"
            subprocess.run(["gmsh", "-v", "1", "-2", CASE / "plate.geo", "-setnumber", "n", str(ALONG), "-setnumber", "m", str(ACROSS), "-setnumber", "along", "1.0001",
                            "-setnumber", "across", str(growth), "-format", "msh41", "-o", mesh], check=True)
            for preconditioner in words.preconditioners.split(","):
                command = [words.galerna, "run", CASE / "case.toml", "--quiet", "--device", words.device, "-o", scratch / "out"]
                command += ["--threads", words.threads] if words.threads else []
                for setting in (f'mesh.file="{mesh}"', f"discretization.order={words.order}", 'time={scheme="newton", steady_residual=1e-8}',
                                f'solver={{preconditioner="{preconditioner}"}}', "output.solution=false"):
                    command += ["--set", setting]
                subprocess.run([str(word) for word in command], capture_output=True)
                report = json.loads((scratch / "out" / "report.json").read_text())
                last = report["newton"]["degrees"][-1]
                print(f"| {1 / ALONG / first_height(growth):.0f} | {preconditioner} | {report['status']} | {last['steps']} | {last['gmres_iterations']} | "
                      f"{report['time']['rhs_evaluations']:,} | {report['time']['wall_loop']:.1f} |", flush=True)


if __name__ == "__main__":
    main()
