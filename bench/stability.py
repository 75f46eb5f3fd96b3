#!/usr/bin/env python3
"""Largest time.cfl with which a density wave along the diagonal of a periodic box of 16 x 16 squares, or of their halves, stays bounded, into
docs/user-guide.md.

    python3 bench/stability.py --galerna build/galerna

Each number is bracketed to 5 %; the lower end is printed. Takes minutes. Needs gmsh.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cases"))
import validation  # noqa: E402

SCHEMES, DEGREES, SHAPES = ("ssprk33", "rk4", "ssprk54"), (0, 1, 2, 3, 4), ("triangles", "squares")
BOX = """
DefineConstant[ squares = 0 ];
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1 : 4}; Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = 17; Transfinite Surface {1};
If (squares) Recombine Surface {1}; EndIf
Physical Curve("bottom") = {1}; Physical Curve("right") = {2}; Physical Curve("top") = {3}; Physical Curve("left") = {4};
Physical Surface("gas") = {1};
"""
WAVE = 'density = "wave"\nvelocity_x = 1\nvelocity_y = 1\npressure = 1\n'
CASE = f"""
[mesh]
file = "box.msh"
periodic = [ {{ from = "left", to = "right", translation = [1, 0] }}, {{ from = "bottom", to = "top", translation = [0, 1] }} ]
[functions]
wave = "1 + 0.2*sin(2*pi*(x - t))*cos(2*pi*(y - t))"
[equations]
type = "euler"
[discretization]
order = 1
[time]
end = 5
[initial]
{WAVE}
[exact]
{WAVE}
[output]
solution = false
"""


def is_stable(galerna, folder, mesh, degree, scheme, cfl):
    settings = [f'mesh.file="{mesh}"', f"discretization.order={degree}", f'time.scheme="{scheme}"', f"time.cfl={cfl}"]
    command = [galerna, "run", str(folder / "case.toml"), "--device", "cpu", "--quiet", "--output", str(folder / "out")]
    if subprocess.run(command + [word for s in settings for word in ("--set", s)], capture_output=True).returncode:
        return False
    report = json.loads((folder / "out" / "report.json").read_text())
    # Constants wear the wave down to nothing: what is left of it is not judged.
    bound = 0.05 if degree > 0 else 0.2
    return report["status"] == "done" and report["errors"]["density"]["l2"] < bound


def largest(galerna, folder, mesh, degree, scheme):
    stable, unstable = 0.2, 4.0
    while unstable > 1.05 * stable:
        cfl = (stable * unstable)**0.5
        if is_stable(galerna, folder, mesh, degree, scheme, cfl):
            stable = cfl
        else:
            unstable = cfl
    return stable


def main():
    chosen = validation.options(__doc__, page="user-guide.md")
    folder = pathlib.Path(tempfile.mkdtemp(dir=validation.SCRATCH.name))
    (folder / "case.toml").write_text(CASE)
    (folder / "box.geo").write_text(BOX)
    table = []
    for squares, shape in enumerate(SHAPES):
        mesh = folder / f"{shape}.msh"
        subprocess.run(["gmsh", "-v", "1", "-2", str(folder / "box.geo"), "-setnumber", "squares", str(squares), "-o", str(mesh)], check=True)
        for scheme in SCHEMES:
            limits = [f"{largest(chosen.galerna, folder, mesh, degree, scheme):.2f}" for degree in DEGREES]
            table.append(f"| {shape} | `{scheme}` | " + " | ".join(limits) + " |")
            print(table[-1], flush=True)
    validation.replace_table(chosen, "stability", "", "| elements | scheme | " + " | ".join(f"p = {p}" for p in DEGREES) + " |", table)


if __name__ == "__main__":
    main()
