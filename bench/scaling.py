#!/usr/bin/env python3
"""Times steps on one rank and on several, and compares their checkpoints byte by byte.

    python3 bench/scaling.py --galerna build/galerna [--ranks 2] [--rows tri1,tri3] [--device auto] [--seconds 2] [--json FILE]
    python3 bench/scaling.py --prepare --meshes FOLDER [--rows …]    # makes the meshes and ends; a machine without Gmsh runs with --meshes FOLDER
    python3 bench/scaling.py --small …                               # the same kinds on small meshes: the bytes alone

Weak: R ranks compute R times the elements of one; strong: the same mesh. A time is that of a step, the loop's seconds over its steps, the middle one
of three runs; the efficiency is that of one rank over that of R ranks, divided by R where the mesh is the same.
"""
import argparse
import hashlib
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent


class Row:
    def __init__(self, case, order, kind, weak, strong, settings=()):
        """weak, strong: elements of one rank's mesh before refinement, and how often it is refined."""
        self.case, self.order, self.kind, self.weak, self.strong, self.settings = case, order, kind, weak, strong, settings


FILTER = ('shock.method="filter"',)
ROWS = {
    "tri1": Row("euler", 1, "triangles", (122_500, 2), (245_000, 2)),
    "tri2": Row("euler", 2, "triangles", (245_000, 1), (122_500, 2)),
    "tri3": Row("euler", 3, "triangles", (122_500, 1), (245_000, 1)),
    "tri4": Row("euler", 4, "triangles", (122_500, 1), (245_000, 1)),
    "tri5": Row("euler", 5, "triangles", (122_500, 1), None),
    "quad3": Row("euler", 3, "quadrilaterals", (122_500, 1), (245_000, 1)),
    "mix2": Row("euler", 2, "mixture", (122_500, 1), None),
    "ns2": Row("navier-stokes", 2, "triangles", (122_500, 1), (245_000, 1)),
    "ns3": Row("navier-stokes", 3, "triangles", (122_500, 1), None),
    "ns4": Row("navier-stokes", 4, "triangles", (122_500, 1), None),
    "tet1": Row("euler-space", 1, "tetrahedra", (37_500, 1), None),
    "tet2": Row("euler-space", 2, "tetrahedra", (37_500, 1), None),
    "tet3": Row("euler-space", 3, "tetrahedra", (18_750, 1), (75_000, 1)),
    "tet4": Row("euler-space", 4, "tetrahedra", (18_750, 1), None),
    "tri2f": Row("euler", 2, "triangles", (122_500, 1), (245_000, 1), FILTER),
    "tet2f": Row("euler-space", 2, "tetrahedra", (37_500, 1), None, FILTER),
    "hex2f": Row("euler-space", 2, "hexahedra", (80_000, 0), None, FILTER),
    "hex3": Row("euler-space", 3, "hexahedra", (80_000, 0), (160_000, 0)),
}
SIDES = {"triangles": 3, "quadrilaterals": 4, "mixture": 7}
AREA = {"triangles": 232, "quadrilaterals": 29.4, "mixture": 60}  # of the box over elements and their size squared, measured


def mesh_command(kind, elements, file):
    """Gmsh's, of about so many elements."""
    if kind in SIDES:
        size = math.sqrt(AREA[kind] / elements)
        return ["gmsh", "-v", "1", "-2", ROOT / "box.geo", "-setnumber", "h", f"{size:.6f}", "-setnumber", "sides", str(SIDES[kind]),
                "-format", "msh41", "-bin", "-o", file]
    if kind == "tetrahedra":
        size = (4.02 / elements) ** (1 / 3)
        return ["gmsh", "-v", "1", "-3", ROOT / "cube.geo", "-setnumber", "h", f"{size:.6f}", "-format", "msh41", "-bin", "-o", file]
    return ["gmsh", "-v", "1", "-3", ROOT / "hexahedra.geo", "-setnumber", "n", str(round(elements ** (1 / 3))), "-format", "msh41", "-bin", "-o", file]


def mesh(folder, kind, elements):
    file = folder / f"{kind}-{elements}.msh"
    if not file.exists():
        subprocess.run(mesh_command(kind, elements, file), check=True)
    return file


class Machine:
    def __init__(self, words, scratch):
        self.words, self.scratch = words, scratch

    def run(self, row, file, refine, ranks, steps):
        """Seconds of the loop, and a sum of the checkpoint."""
        out = self.scratch / "out"
        command = [self.words.galerna, "run", ROOT / f"{row.case}.toml", "--quiet", "--device", self.words.device, "-o", out,
                   "--set", f'mesh.file="{file}"', "--set", f"mesh.refine={refine}", "--set", f"discretization.order={row.order}",
                   "--set", f"time.max_steps={steps}", "--set", "output.solution=false"]
        for setting in row.settings:
            command += ["--set", setting]
        if ranks > 1:
            command += ["--ranks", str(ranks)]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(str(word) for word in command)}\n{done.stdout}{done.stderr}")
        report = json.loads((out / "report.json").read_text())
        self.device, self.elements = report["device"], sum(report["mesh"]["elements"].values())
        return report["time"]["wall_loop"], hashlib.sha256((out / "checkpoint_final.h5").read_bytes()).hexdigest()

    def step(self, row, file, refine, ranks, steps=None):
        """Seconds of a step, how many were taken, and the checkpoint's sum. Without a number of steps as many as take the wanted time."""
        if self.words.small:
            return 0, 40, self.run(row, file, refine, ranks, 40)[1]
        if steps is None:
            steps = 64
            while (seconds := self.run(row, file, refine, ranks, steps)[0]) < 0.25 * self.words.seconds and steps < 50_000:
                steps *= 4
            steps = max(64, int(steps * self.words.seconds / seconds) // 16 * 16)
        runs = [self.run(row, file, refine, ranks, steps) for _ in range(3)]
        if len({found for _, found in runs}) > 1:
            sys.exit(f"{file}: three runs on {ranks} ranks leave different checkpoints")
        return statistics.median(seconds for seconds, _ in runs) / steps, steps, runs[0][1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rows", default="tri1,tri2,tri3,tri4,quad3,ns2,tet2,tet3,hex3")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=float, default=2, help="that a run's loop takes, about")
    parser.add_argument("--meshes", type=pathlib.Path)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    words = parser.parse_args()
    rows = {name: ROWS[name] for name in words.rows.split(",")}
    with tempfile.TemporaryDirectory() as scratch:
        machine = Machine(words, pathlib.Path(scratch))
        meshes = words.meshes or machine.scratch
        meshes.mkdir(parents=True, exist_ok=True)
        table, failed = [], False
        for name, row in rows.items():
            for way, one in (("weak", row.weak), ("strong", row.strong)):
                if one is None or (words.small and way == "strong"):
                    continue
                elements, refine = (2_000, 0) if words.small else one
                files = [mesh(meshes, row.kind, elements)]
                files.append(mesh(meshes, row.kind, words.ranks * elements) if way == "weak" and not words.small else files[0])
                if words.prepare:
                    continue
                alone, steps, sum_alone = machine.step(row, files[0], refine, 1)
                many, _, found = machine.step(row, files[1], refine, words.ranks, steps)
                expected = sum_alone if files[0] == files[1] else machine.run(row, files[1], refine, 1, steps)[1]
                same = found == expected
                failed |= not same
                result = {"row": name, "way": way, "elements": machine.elements, "steps": steps, "microseconds_alone": 1e6 * alone,
                          "microseconds": 1e6 * many, "same_bytes": same}
                if many > 0:
                    result["efficiency"] = alone / many / (words.ranks if way == "strong" else 1)
                table.append(result)
                print(f"{name:6} {way:6} {machine.elements:9,} elements, {words.ranks} ranks: {1e6 * alone:9.1f} -> {1e6 * many:9.1f} µs a step, "
                      f"{100 * result.get('efficiency', 0):5.1f} %, {'same bytes' if same else 'OTHER BYTES'}", flush=True)
        if words.json:
            words.json.write_text(json.dumps({"device": machine.device, "ranks": words.ranks, "rows": table}, indent=1) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
