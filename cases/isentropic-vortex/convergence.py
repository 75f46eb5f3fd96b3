#!/usr/bin/env python3
"""Order of accuracy on unstructured meshes: runs the vortex for degrees 1-5 on a Gmsh mesh and its uniform refinements and writes the
table into docs/validation.md.

    python3 cases/isentropic-vortex/convergence.py --galerna build/galerna [--device cuda]

Needs Python 3 and the mesh (gmsh -2 box.geo -setnumber h 1 -format msh41 -o box.msh).
"""
import argparse
import json
import math
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(options, degree, refine):
    with tempfile.TemporaryDirectory() as folder:
        cfl = "0.5" if degree < 4 else "0.2"  # the error of the fourth-order steps must stay below that of the mesh
        command = [options.galerna, "run", str(HERE / "case.toml"), "--quiet", "--device", options.device, "--output", folder,
                   "--set", f"discretization.order={degree}", "--set", f"mesh.refine={refine}", "--set", f"time.cfl={cfl}",
                   "--set", "time.end=1", "--set", "output.solution=false"]
        subprocess.run(command, check=True)
        return json.loads((pathlib.Path(folder) / "report.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="galerna")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--levels", type=int, default=4)
    parser.add_argument("--output", default=str(HERE.parent.parent / "docs" / "validation.md"))
    options = parser.parse_args()

    rows = []
    for degree in range(1, 6):
        previous = None
        for refine in range(options.levels):
            report = run(options, degree, refine)
            error = report["errors"]["density"]["l2"]
            order = "" if previous is None else f"{math.log2(previous / error):.2f}"
            drift = max(abs(c["end"] - c["start"]) / abs(c["start"]) for c in report["conservation"].values())
            rows.append(f"| {degree} | {sum(report['mesh']['elements'].values())} | {error:.3e} | {order} | {drift:.1e} |")
            print(rows[-1], flush=True)
            previous = error
            device = report["device"]
    text = "\n".join([f"Device: {device}. HLLC flux, ssprk54, t = 1.", "",
                      "| p | triangles | L2 error of density | order | largest relative drift of mass, momentum, energy |",
                      "| --- | --- | --- | --- | --- |", *rows])
    path = pathlib.Path(options.output)
    begin, end = "<!-- isentropic-vortex: begin -->", "<!-- isentropic-vortex: end -->"
    page = path.read_text()
    head, rest = page.split(begin)
    path.write_text(head + begin + "\n" + text + "\n" + end + rest.split(end)[1])


if __name__ == "__main__":
    main()
