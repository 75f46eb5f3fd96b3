#!/usr/bin/env python3
"""Times steps on one rank and on several, compares their checkpoints byte by byte, and holds the times against a model.

    python3 bench/scaling.py --galerna build/galerna [--ranks 2,4] [--rows tri1,tri3] [--device auto] [--seconds 1] [--json FILE]
    python3 bench/scaling.py --prepare --meshes FOLDER [--rows …]    # makes the meshes and ends; a machine without Gmsh runs with --meshes FOLDER
    python3 bench/scaling.py --small …                               # the same kinds on small meshes: the bytes alone
    python3 bench/scaling.py --small --device cuda:0 …               # ranks that share one GPU

Weak: R ranks compute about R times the elements of one; times are compared for each element. Strong: one rank computes the mesh of R ranks. A time is that of a step, the loop's seconds over its
steps, the less of two runs.

The model knows one rank and the fewest of several: a step takes s0 + s1 · elements + x0 + x1 · sides, with the elements and the sides at cuts of the
largest part. s0 and s1 come from one rank on both its meshes, x0 from ranks on a mesh of almost no elements, x1 from the fewest ranks. It foretells
the step of more ranks.
"""
import argparse
import hashlib
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parent
SMALL = 2_000  # elements of meshes on which bytes are compared and x0 is measured


class Row:
    def __init__(self, case, order, kind, elements, refined, settings=()):
        """elements of one rank's mesh before it is refined, and how often it is."""
        self.case, self.order, self.kind, self.elements, self.refined, self.settings = case, order, kind, elements, refined, settings

    def mesh_of(self, ranks):
        """Elements and refinements of the mesh of so many ranks: that of one, refined again, where this makes it larger by that factor."""
        factor = 4 if self.kind in SIDES else 8
        more = round(math.log(ranks, factor))
        return (self.elements, self.refined + more) if factor**more == ranks else (ranks * self.elements, self.refined)


FILTER = ('shock.method="filter"',)
VISCOSITY = ('shock.method="viscosity"',)
JUMP = ('initial.pressure="where(x > 0.5, 10, 1)"',)
FACES, VERTICES = (('shock.limiter="barth-jespersen"', f'shock.neighbours="{of}"') for of in ("face", "vertex"))
HIERARCHICAL = ('shock.limiter="hierarchical"', "shock.positivity=true")
REFLECTION = "../cases/double-mach-reflection/case"
NO_PICTURES = ("output.picture=",)
SIDES = {"triangles": 3, "quadrilaterals": 4, "mixture": 7, "channel": 3}
AREA = {"triangles": 232, "quadrilaterals": 29.4, "mixture": 60, "channel": 9.7}  # of the box over elements and their size squared, measured
ROWS = {
    "tri1": Row("euler", 1, "triangles", 122_500, 2),
    "tri2": Row("euler", 2, "triangles", 245_000, 1),
    "tri3": Row("euler", 3, "triangles", 122_500, 1),
    "tri4": Row("euler", 4, "triangles", 122_500, 1),
    "tri5": Row("euler", 5, "triangles", 122_500, 1),
    "quad3": Row("euler", 3, "quadrilaterals", 122_500, 1),
    "mix2": Row("euler", 2, "mixture", 122_500, 1),
    "ns2": Row("navier-stokes", 2, "triangles", 122_500, 1),
    "ns3": Row("navier-stokes", 3, "triangles", 122_500, 1),
    "ns4": Row("navier-stokes", 4, "triangles", 122_500, 1),
    "tet1": Row("euler-space", 1, "tetrahedra", 37_500, 1),
    "tet2": Row("euler-space", 2, "tetrahedra", 18_750, 1),
    "tet3": Row("euler-space", 3, "tetrahedra", 18_750, 1),
    "tet4": Row("euler-space", 4, "tetrahedra", 18_750, 1),
    "tri2f": Row("euler", 2, "triangles", 122_500, 1, FILTER),
    "tet2f": Row("euler-space", 2, "tetrahedra", 18_750, 1, FILTER),
    "hex2f": Row("euler-space", 2, "hexahedra", 80_000, 0, FILTER),
    "hex3": Row("euler-space", 3, "hexahedra", 80_000, 0),
    "dmr1": Row(REFLECTION, 1, "channel", 120_500, 1, NO_PICTURES),
    "dmr1v": Row(REFLECTION, 1, "channel", 120_500, 1, NO_PICTURES + VERTICES),
    "dmr2h": Row(REFLECTION, 2, "channel", 120_500, 1, NO_PICTURES + HIERARCHICAL + ('time.scheme="ssprk33"',)),
    "dmr3h": Row(REFLECTION, 3, "channel", 120_500, 1, NO_PICTURES + HIERARCHICAL + ('time.scheme="ssprk54"',)),
    "dmr2a": Row(REFLECTION, 2, "channel", 120_500, 1, NO_PICTURES + ("shock.limiter=",) + VISCOSITY + ('time.scheme="ssprk33"',)),
    "ns1v": Row("navier-stokes", 1, "triangles", 122_500, 1, JUMP + VERTICES),
    "tet1f": Row("euler-space", 1, "tetrahedra", 37_500, 1, JUMP + FACES),
    "tet2h": Row("euler-space", 2, "tetrahedra", 18_750, 1, JUMP + HIERARCHICAL),
    "hex2a": Row("euler-space", 2, "hexahedra", 80_000, 0, JUMP + VISCOSITY),
}


def mesh_command(kind, elements, file):
    """Gmsh's, of about so many elements."""
    if kind in SIDES:
        size = math.sqrt(AREA[kind] / elements)
        geometry = ROOT / "../cases/double-mach-reflection/channel.geo" if kind == "channel" else ROOT / "box.geo"
        return ["gmsh", "-v", "1", "-2", geometry, "-setnumber", "h", f"{size:.6f}", "-setnumber", "sides", str(SIDES[kind]),
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
        self.words, self.scratch, self.device = words, scratch, None
        self.gpus = 0 if words.device != "auto" else max(int(n) for n in words.ranks.split(","))
        self.meshes = words.meshes or scratch
        self.meshes.mkdir(parents=True, exist_ok=True)

    def command(self, what, row, size, ranks, settings=()):
        words = [self.words.galerna, what, ROOT / f"{row.case}.toml", "--device", self.words.device, "--set", f"discretization.order={row.order}",
                 "--set", f'mesh.file="{mesh(self.meshes, row.kind, size[0])}"', "--set", f"mesh.refine={size[1]}"]
        for setting in (*row.settings, *settings):
            words += ["--set", setting]
        return [str(word) for word in words + (["--ranks", ranks] if ranks > 1 else [])]

    def run(self, row, size, ranks, steps, gpus=None):
        """Seconds of a step, a sum of the checkpoint, elements. gpus: those that the run may see."""
        with tempfile.TemporaryDirectory(dir=self.scratch) as out:
            command = self.command("run", row, size, ranks, (f"time.max_steps={steps}", "output.solution=false")) + ["--quiet", "-o", out]
            seen = os.environ | ({"CUDA_VISIBLE_DEVICES": ",".join(map(str, gpus))} if gpus else {})
            done = subprocess.run(command, capture_output=True, text=True, env=seen)
            if done.returncode != 0:
                raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
            report = json.loads((pathlib.Path(out) / "report.json").read_text())
            self.device = report["device"]
            found = hashlib.sha256((pathlib.Path(out) / "checkpoint_final.h5").read_bytes()).hexdigest()
            return report["time"]["wall_loop"] / report["time"]["steps"], found, sum(report["mesh"]["elements"].values())

    def run_all(self, jobs):
        """run() of each (row, size, ranks, steps): side by side on GPUs of their own, in waves; one after the other on a named device."""
        if not self.gpus:
            return [self.run(*job) for job in jobs]
        waves = []
        for number, job in sorted(enumerate(jobs), key=lambda pair: -pair[1][2]):
            wave = next((w for w in waves if sum(jobs[n][2] for n in w) + job[2] <= self.gpus), None)
            waves.append([number]) if wave is None else wave.append(number)
        found = [None] * len(jobs)
        for wave in waves:
            with ThreadPoolExecutor(len(wave)) as pool:
                first, running = 0, {}
                for number in wave:
                    running[number] = pool.submit(self.run, *jobs[number], range(first, first + jobs[number][2]))
                    first += jobs[number][2]
                for number, one in running.items():
                    found[number] = one.result()
        return found

    def largest_part(self, row, size, ranks):
        """Elements and sides at cuts."""
        if ranks == 1:
            return 0, 0
        words = self.command("check", row, size, ranks)
        words[words.index("--device") + 1] = "cpu"
        text = subprocess.run(words, capture_output=True, text=True).stdout
        return tuple(int(n) for n in re.search(r"at most (\d+) elements, (\d+) sides at cuts", text).groups())


def compare_small(machine, rows, ranks):
    """Whether all numbers of ranks leave the bytes of one, row by row."""
    jobs = [(row, (SMALL, 0), n, 200) for row in rows.values() for n in (1, *ranks)]
    found, same = iter(machine.run_all(jobs)), True
    for name in rows:
        one, *many = [next(found)[1] for _ in (1, *ranks)]
        other = [n for n, bytes_many in zip(ranks, many) if bytes_many != one]
        print(f"{name:6} {SMALL} elements, 1, {', '.join(map(str, ranks))} ranks: {f'OTHER BYTES on {other}' if other else 'same bytes'}", flush=True)
        same &= not other
    return same


def measure(machine, row, ranks):
    """Rows of the table, one of each number of ranks, and microseconds of a step on a small mesh by one rank and the fewest."""
    steps = max(64, int(machine.words.seconds / machine.run(row, row.mesh_of(1), 1, 64)[0]) // 16 * 16)
    sizes = [row.mesh_of(n) for n in ranks]
    jobs = [(row, row.mesh_of(1), 1, steps)] * 2 + [(row, size, 1, steps) for size in sizes] + [(row, size, n, steps) for size, n in zip(sizes, ranks)] * 2
    jobs += [(row, (SMALL, 0), n, 2000) for n in (1, ranks[0])] * 2
    ran = machine.run_all(jobs)
    k = len(ranks)
    alone, whole, many, again, small = ran[:2], ran[2 : 2 + k], ran[2 + k : 2 + 2 * k], ran[2 + 2 * k : 2 + 3 * k], ran[2 + 3 * k :]
    table, one = [], min(alone)[0]
    for n, size, all_, first, second in zip(ranks, sizes, whole, many, again):
        owned, sides = machine.largest_part(row, size, n)
        step = min(first[0], second[0])
        table.append({"ranks": n, "elements": all_[2], "elements_alone": alone[0][2], "steps": steps, "largest_part": owned, "sides_at_cuts": sides,
                      "microseconds_alone": 1e6 * one, "microseconds_one_rank": 1e6 * all_[0], "microseconds": 1e6 * step, "weak": one / step * all_[2] / n / alone[0][2],
                      "strong": all_[0] / step / n, "same_bytes": first[1] == second[1] == all_[1]})
    return table, [1e6 * min(small[i][0], small[i + 2][0]) for i in (0, 1)]


def foretell(rows, empty):
    """Adds to rows of more ranks what the model says of them. empty: microseconds of a step on a small mesh, of one rank and the fewest."""
    first = rows[0]
    s1 = (first["microseconds_one_rank"] - first["microseconds_alone"]) / (first["elements"] - first["elements_alone"])
    s0 = first["microseconds_alone"] - s1 * first["elements_alone"]
    x0 = max(0, empty[1] - empty[0])
    x1 = (first["microseconds"] - s0 - s1 * first["largest_part"] - x0) / first["sides_at_cuts"]
    for row in rows[1:]:
        row["foretold"] = s0 + s1 * row["largest_part"] + x0 + x1 * row["sides_at_cuts"]


def kill_a_rank(machine, row, ranks):
    """kill -9 of one rank amid its steps: what the others do."""
    with tempfile.TemporaryDirectory() as out:
        command = machine.command("run", row, (SMALL, 0), ranks, ("time.max_steps=100000000",)) + ["-o", out]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        time.sleep(8)
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        start = time.time()
        os.kill(int(children[-1]), signal.SIGKILL)
        said = process.communicate(timeout=60)[1]
        print(f"kill -9 of one of {ranks} ranks: exit code {process.returncode} after {time.time() - start:.1f} s: {said.strip()[-200:]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--ranks", default="2", help="numbers of ranks, the fewest first")
    parser.add_argument("--rows", default="tri1,tri2,tri3,tri4,quad3,ns2,tet2,tet3,hex3")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seconds", type=float, default=1, help="that a run's loop takes on one rank, about")
    parser.add_argument("--meshes", type=pathlib.Path)
    parser.add_argument("--prepare", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--kill", action="store_true", help="also kills a rank")
    parser.add_argument("--limit", type=float, default=math.inf, help="seconds after which no row begins")
    parser.add_argument("--json", type=pathlib.Path)
    words = parser.parse_args()
    ranks, rows, start = [int(n) for n in words.ranks.split(",")], {name: ROWS[name] for name in words.rows.split(",")}, time.time()
    with tempfile.TemporaryDirectory() as scratch:
        machine = Machine(words, pathlib.Path(scratch))
        if words.prepare:
            for row in rows.values():
                for elements in {SMALL} if words.small else {SMALL, *(row.mesh_of(n)[0] for n in [1, *ranks])}:
                    mesh(machine.meshes, row.kind, elements)
            return 0
        with ThreadPoolExecutor(len(os.sched_getaffinity(0)) // 2 + 1) as pool:  # kernels of all rows, side by side
            list(pool.map(lambda row: machine.run(row, (SMALL, 0), 1, 1), rows.values()))
        same = compare_small(machine, rows, ranks)
        if words.kill:
            kill_a_rank(machine, next(iter(rows.values())), ranks[-1])
        table = []
        if not words.small:
            for name, row in rows.items():
                if time.time() - start > words.limit:
                    break
                found, empty = measure(machine, row, ranks)
                foretell(found, empty)
                table += [{"row": name} | r for r in found]
                for r in found:
                    told = f", foretold {r['foretold']:.1f} ({100 * (r['foretold'] / r['microseconds'] - 1):+.1f} %)" if "foretold" in r else ""
                    print(f"{name:6} {r['elements']:10,} elements, {r['ranks']} ranks: {r['microseconds']:9.1f} µs a step{told}; one rank "
                          f"{r['microseconds_alone']:9.1f} for {r['elements_alone']:,}, weak {100 * r['weak']:5.1f} %; {r['microseconds_one_rank']:9.1f} for all, "
                          f"strong {100 * r['strong']:5.1f} %; {'same bytes' if r['same_bytes'] else 'OTHER BYTES'} [{time.time() - start:.0f} s]", flush=True)
                if words.json:
                    words.json.write_text(json.dumps({"device": machine.device, "ranks": ranks, "rows": table}, indent=1) + "\n")
    return 0 if same and all(row["same_bytes"] for row in table) else 1


if __name__ == "__main__":
    sys.exit(main())
