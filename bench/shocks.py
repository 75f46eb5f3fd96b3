#!/usr/bin/env python3
"""Shocks on elements of every shape: shock tubes against the exact Riemann solution, flows that have none against finite volumes, blasts, a jet and Noh's
implosion. Says of each run whether it ends, and how far it is from what is known, into bench/results/shocks.md.

    python3 bench/shocks.py --galerna build/galerna [--device cuda] [--rows '^(sod|lax) .* 3 100 filter'] [--list]

Rows are chosen by a regular expression over "problem shape p cells method". Rows that are not run stay as they are.
"""
import argparse
import math
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "cases")]
import boxes  # noqa: E402
import riemann  # noqa: E402
import validation  # noqa: E402

PLANE = ["triangles", "quadrilaterals"]
SOLIDS = ["tetrahedra", "hexahedra", "prisms", "pyramids"]
GAS = 1.4
# Problem: states (density, velocity, pressure) left and right, where they meet, when it ends, gamma. The tube is [0, 1].
TUBES = {
    "sod": ((1, 0, 1), (0.125, 0, 0.1), 0.5, 0.2, GAS),
    "lax": ((0.445, 0.698, 3.528), (0.5, 0, 0.571), 0.5, 0.13, GAS),
    "toro-1": ((1, 0.75, 1), (0.125, 0, 0.1), 0.3, 0.2, GAS),
    "toro-2": ((1, -2, 0.4), (1, 2, 0.4), 0.5, 0.15, GAS),
    "toro-3": ((1, 0, 1000), (1, 0, 0.01), 0.5, 0.012, GAS),
    "toro-4": ((5.99924, 19.5975, 460.894), (5.99242, -6.19633, 46.095), 0.4, 0.035, GAS),
    "toro-5": ((1, -19.59745, 1000), (1, -19.59745, 0.01), 0.8, 0.012, GAS),
    "leblanc": ((1, 0, 0.2 / 3), (1e-3, 0, 0.2e-9 / 3), 1 / 3, 2 / 3, 5 / 3),
    "near-vacuum": ((1, -3.6, 0.4), (1, 3.6, 0.4), 0.5, 0.1, GAS),
    "mach-20": ((5.925925925925926, 19.437, 466.5), (1, 0, 1), 0.2, 0.03, GAS),  # a shock alone
    "pressure-1e6": ((1, 0, 1e5), (0.125, 0, 0.1), 0.4, 7e-4, GAS),
    "noh-tube": ((1, 1, 1e-6), (1, -1, 1e-6), 0.5, 1.0, 5 / 3),
}
STATE = "density = {0}\nvelocity_x = {1}\nvelocity_y = {2}\n{3}pressure = {4}\n"


def state(density, velocity_x, pressure, velocity_y=0, velocity_z=None):
    """Lines of a state; of formulas or numbers."""
    quoted = [f'"{x}"' if isinstance(x, str) else repr(x) for x in (density, velocity_x, velocity_y, pressure)]
    third = "" if velocity_z is None else "velocity_z = " + (f'"{velocity_z}"' if isinstance(velocity_z, str) else repr(velocity_z)) + "\n"
    return STATE.format(quoted[0], quoted[1], quoted[2], third, quoted[3])


class Row:
    def __init__(self, problem, shape, degree, cells, method):
        self.problem, self.shape, self.degree, self.cells, self.method = problem, shape, degree, cells, method
        self.key = (problem, shape, str(degree), str(cells), method)
        self.curved = shape.startswith("curved ")
        self.elements = shape.removeprefix("curved ")
        self.plane = self.elements in PLANE
        self.velocity_z = None if self.plane else 0

    def mesh(self, cells, lengths, names=None):
        """Writes a box; sine waves bend its inside where elements are curved."""
        file = pathlib.Path(validation.SCRATCH.name) / "box.msh"

        def bend(at):
            inside = [at[d] / lengths[d] for d in range(len(lengths))]
            moved = list(at)
            for d in range(len(lengths)):
                wave = math.prod(math.sin(math.pi * s) for s in inside)
                moved[d] = at[d] + 0.06 * min(lengths) * wave * math.cos(math.pi * inside[(d + 1) % len(lengths)])
            return moved

        boxes.write(file, self.elements, cells, lengths, names, bend=bend if self.curved else None)
        return file

    def case(self, mesh, sections, end, gamma, flux="llf"):
        method = 'method = "none"\npositivity = true' if self.method == "positivity" else f'method = "{self.method}"'
        if self.method == "persson-peraire":
            method = 'method = "viscosity"\nsensor = "persson-peraire"'
        if self.method == "limiter":
            method = 'limiter = "hierarchical"\nvariables = "characteristic"'
        file = pathlib.Path(validation.SCRATCH.name) / "case.toml"
        file.write_text(f'[mesh]\nfile = "{mesh}"\n[equations]\ntype = "euler"\ngamma = {gamma!r}\n'
                        f'[discretization]\norder = {self.degree}\nriemann = "{flux}"\n[shock]\n{method}\n'
                        f'[time]\nscheme = "ssprk33"\nend = {end!r}\n{sections}')
        return file

    def walls(self, conditions):
        """Slip walls where no condition is given."""
        names = ["left", "right", "bottom", "top"] if self.plane else boxes.NAMES
        return "".join(f"[boundary.{name}]\n" + conditions.get(name, 'type = "slip-wall"\n') for name in names)


def tube_mesh(row, length=1.0):
    h = length / row.cells
    return row.mesh((row.cells, 2) if row.plane else (row.cells, 1, 1), (length, 2 * h) if row.plane else (length, h, h))


def axis(row, ends, length=1.0, points=2001):
    h = length / row.cells
    beside = [0.9 * h] if row.plane else [0.45 * h, 0.4 * h]
    return f"[output.probe.axis]\npoint = {[ends[0], *beside]}\nend = {[ends[1], *beside]}\npoints = {points}\n"


def tube(row):
    left, right, x0, end, gamma = TUBES[row.problem]
    jump = [f"where(x < {x0!r}, {a!r}, {b!r})" for a, b in zip(left, right)]
    z = row.velocity_z
    sections = "[initial]\n" + state(*jump, velocity_z=z) + axis(row, (0, 1))
    sections += row.walls({"left": 'type = "dirichlet"\n' + state(*left, velocity_z=z),
                           "right": 'type = "dirichlet"\n' + state(*right, velocity_z=z)})
    return row.case(tube_mesh(row), sections, end, gamma)


def judge_tube(row, line):
    left, right, x0, end, gamma = TUBES[row.problem]
    exact = riemann.Riemann(left, right, gamma)
    wanted = [exact.density((at["x"] - x0) / end) for at in line]
    found = [at["density"] for at in line]
    error = sum(abs(a - b) for a, b in zip(found, wanted)) / len(line)
    beyond = max(max(found) - max(wanted), min(wanted) - min(found)) / (max(wanted) - min(wanted))
    # The half in the middle of the longer plateau beside the contact.
    contact, best = x0 + exact.u * end, (0, 0, 0)
    for side in (0, 1):
        edges = sorted((contact, x0 + exact.speeds(side)[1] * end))
        best = max(best, (edges[1] - edges[0], side, edges[0]))
    width, side, first = best
    inside = [a for a, at in zip(found, line) if first + width / 4 < at["x"] < first + 3 * width / 4]
    plateau = sum(inside) / len(inside) / exact.middle_density(side) - 1 if len(inside) > 3 else float("nan")
    return error, f"beyond the range {100 * beyond:.2f} %, plateau {100 * plateau:+.2f} %"


def shu_osher(row):
    waves, z = "1 + 0.2*sin(5*(x - 5))", row.velocity_z
    jump = [f"where(x < 1, {a}, {b})" for a, b in (("3.857143", waves), ("2.629369", "0"), ("10.333333", "1"))]
    sections = "[initial]\n" + state(*jump, velocity_z=z) + axis(row, (0, 10), 10.0)
    sections += row.walls({"left": 'type = "supersonic-inflow"\n' + state(3.857143, 2.629369, 10.333333, velocity_z=z),
                           "right": 'type = "dirichlet"\n' + state(waves, 0, 1, velocity_z=z)})
    return row.case(tube_mesh(row, 10.0), sections, 1.8, GAS)


def woodward_colella(row):
    z = row.velocity_z
    pressure = "where(x < 0.1, 1000, where(x < 0.9, 0.01, 100))"
    return row.case(tube_mesh(row), "[initial]\n" + state(1, 0, pressure, velocity_z=z) + axis(row, (0, 1)) + row.walls({}), 0.038, GAS)


REFERENCES = {
    "shu-osher": lambda: riemann.finite_volumes(lambda x: (3.857143, 2.629369, 10.333333) if x < 1 else (1 + 0.2 * math.sin(5 * (x - 5)), 0, 1),
                                                (0, 10), 2000, 1.8, GAS, False),
    "woodward-colella": lambda: riemann.finite_volumes(lambda x: (1, 0, 1000 if x < 0.1 else 0.01 if x < 0.9 else 100), (0, 1), 2000, 0.038, GAS, True),
}
KNOWN = {}


def judge_by_volumes(row, line):
    if row.problem not in KNOWN:
        KNOWN[row.problem] = REFERENCES[row.problem]()
    known = KNOWN[row.problem]
    length = 10.0 if row.problem == "shu-osher" else 1.0
    error = sum(abs(at["density"] - known[min(int(at["x"] / length * len(known)), len(known) - 1)]) for at in line) / len(line)
    return error, f"largest density {max(at['density'] for at in line):.3f}, {max(known):.3f} by finite volumes"


def octant(row, length, names):
    """A square or cube, for flows that are the same in all directions."""
    count = 2 if row.plane else 3
    return row.mesh((row.cells,) * count, (length,) * count, names), "x^2 + y^2" + ("" if row.plane else " + z^2")


def ray(row, length):
    at = [0.999 * length / (2 if row.plane else 3) ** 0.5] * (2 if row.plane else 3)
    return f"[output.probe.axis]\npoint = {[1e-6] * len(at)}\nend = {at}\npoints = 801\n"


def sedov(row):
    mesh, square = octant(row, 1.1, ["symmetry", "outside"] * (2 if row.plane else 3))
    energy, volume = (0.311357, "pi") if row.plane else (0.851072, "pi^1.5")
    width = 0.12
    peak = f"{GAS - 1}*{energy}/({volume}*{width}^{2 if row.plane else 3})"
    sections = "[initial]\n" + state(1, 0, f"1e-5 + {peak}*exp(0 - ({square})/{width}^2)", velocity_z=row.velocity_z) + ray(row, 1.1)
    sections += '[boundary.symmetry]\ntype = "symmetry"\n[boundary.outside]\ntype = "supersonic-outflow"\n'
    return row.case(mesh, sections, 0.4, GAS)


def radius_of(line, ahead):
    """Of the outermost point at which the density falls through the middle between its largest value and that ahead."""
    r = [math.dist((0, 0, 0), (at["x"], at["y"], at.get("z", 0))) for at in line]
    middle = (max(at["density"] for at in line) + ahead) / 2
    for k in range(len(line) - 1, 0, -1):
        a, b = line[k - 1]["density"], line[k]["density"]
        if a >= middle > b:
            return r[k - 1] + (r[k] - r[k - 1]) * (a - middle) / (a - b)
    return float("nan")


def blast_energy(row):
    """Of the quarter or octant that is computed, of which the exact radius is that below."""
    return 0.311357 / 4 if row.plane else 0.851072 / 8


def judge_sedov(row, line):
    exact = 0.75 * 0.4 ** 0.5 if row.plane else 0.4 ** 0.4
    return abs(radius_of(line, 1) / exact - 1), f"shock at {radius_of(line, 1) / exact:.4f} of the exact radius, largest density {max(at['density'] for at in line):.2f}"


def noh(row):
    mesh, square = octant(row, 0.5, ["symmetry", "outside"] * (2 if row.plane else 3))
    inward = [f"0 - {x}/max(sqrt({square}), 1e-9)" for x in "xyz"]
    ahead = f"(1 + t/max(sqrt({square}), 1e-9))^{1 if row.plane else 2}"
    velocities = {"velocity_y": inward[1], "velocity_z": None if row.plane else inward[2]}
    sections = "[initial]\n" + state(1, inward[0], 1e-6, **velocities) + ray(row, 0.5)
    sections += '[boundary.symmetry]\ntype = "symmetry"\n[boundary.outside]\ntype = "dirichlet"\n' + state(ahead, inward[0], 1e-6, **velocities)
    return row.case(mesh, sections, 0.6, 5 / 3)


def judge_noh(row, line):
    """Density and pressure behind the shock at r = 0.2, relative to the exact ones. Near the origin density is too low and pressure right where the wall is heated."""
    plateau = 16 if row.plane else 64

    def mean(column, exact, first, last):
        inside = [at[column] for at in line if first < math.dist((0, 0, 0), (at["x"], at["y"], at.get("z", 0))) < last]
        return sum(inside) / len(inside) / exact

    density = mean("density", plateau, 0.12, 0.18)
    return abs(density - 1), (f"for 0.12 < r < 0.18 density {density:.3f} and pressure {mean('pressure', plateau / 3, 0.12, 0.18):.3f} of the exact ones, "
                              f"for r < 0.04 {mean('density', plateau, 0, 0.04):.3f} and {mean('pressure', plateau / 3, 0, 0.04):.3f}")


def jet(row, mach=100):
    """Half of a jet into gas at rest: X. Zhang, C.-W. Shu, J. Comput. Phys. 229 (2010) 8918, at a lower Mach number."""
    speed = mach * math.sqrt(5 / 3 * 0.4127 / 5)
    n = row.cells
    mesh = row.mesh((n, n // 2), (1.0, 0.5))
    entry = [f"where(y < 0.05, {a!r}, {b!r})" for a, b in ((5, 0.5), (speed, 0), (0.4127, 0.4127))]
    sections = "[initial]\n" + state(0.5, 0, 0.4127) + "[output.probe.axis]\npoint = [0, 0.001]\nend = [1, 0.001]\npoints = 801\n"
    outflow = 'type = "supersonic-outflow"\n'
    sections += row.walls({"left": 'type = "dirichlet"\n' + state(*entry), "right": outflow, "top": outflow, "bottom": 'type = "symmetry"\n'})
    return row.case(mesh, sections, 0.8 / speed * 1.2, 5 / 3)


def judge_jet(row, line):
    head = max((at["x"] for at in line if at["density"] > 0.6), default=0)
    return float("nan"), f"head at x = {head:.3f}, largest density {max(at['density'] for at in line):.2f}"


CLOSED = {"sedov"}  # problems of which no energy leaves the box

PROBLEMS = {name: (tube, judge_tube) for name in TUBES} | {
    "shu-osher": (shu_osher, judge_by_volumes), "woodward-colella": (woodward_colella, judge_by_volumes), "sedov": (sedov, judge_sedov),
    "noh": (noh, judge_noh), "jet": (jet, judge_jet)}


def all_rows():
    rows = [Row("sod", shape, p, cells, method) for shape in PLANE + SOLIDS for p in range(1, 6) for cells in (50, 100, 200)
            for method in ("filter", "viscosity")]
    rows += [Row(name, shape, p, 100, method) for name in list(TUBES)[1:] + ["woodward-colella"] for shape in PLANE + SOLIDS for p in range(1, 6)
             for method in ("filter", "positivity", "viscosity")]
    rows += [Row(name, shape, p, 100, "persson-peraire") for name in ("sod", "lax", "shu-osher") for shape in PLANE for p in range(1, 5)]
    rows += [Row("shu-osher", shape, p, 100, "viscosity") for shape in PLANE for p in range(1, 5)]
    rows += [Row("shu-osher", shape, p, cells, "filter") for shape in PLANE + SOLIDS for p in range(1, 6) for cells in (100, 200)]
    rows += [Row("sedov", word + shape, p, cells, method) for word in ("", "curved ") for shape in PLANE + SOLIDS for p in range(1, 5) for cells in (4, 6, 8, 10, 12, 16)
             for method in ("filter", "positivity")]
    rows += [Row("noh", word + shape, p, cells, "filter") for word in ("", "curved ") for shape in PLANE + SOLIDS for p in range(1, 5) for cells in (8, 16, 32)]
    rows += [Row("jet", word + shape, p, cells, method) for word in ("", "curved ") for shape in PLANE for p in range(1, 6) for cells in (20, 40, 80)
             for method in ("filter", "positivity")]
    return rows


HEADING = ["problem", "elements", "p", "cells", "method", "ends", "error", "ratio", "beside", "changed", "scaled", "steps", "taken again", "s"]


def run(chosen, row):
    """Its cells of the table behind the key."""
    write, judge = PROBLEMS[row.problem]
    begin = time.time()
    report = validation.run_file(chosen, write(row), may_fail=True)
    error, words = float("nan"), report.get("failure", {}).get("what", "")
    if report["status"] == "done":
        error, words = judge(row, validation.last_line(report, "axis"))
        if row.problem in CLOSED:
            energy = report["conservation"]["energy"]
            words += f", energy {energy['start'] / blast_energy(row):.3f} of the exact one, kept to {abs(energy['defect'] / energy['start']):.0e}"
    limited = report.get("limiter", {})
    changed = limited.get("filtered", limited.get("slopes", limited.get("viscosity", 0)))
    return [report["status"], f"{error:.3e}" if error == error else "", "", words, f"{100 * changed:.2f} %", f"{100 * limited.get('positivity', 0):.2g} %",
            str(report["time"]["steps"]), str(report["time"].get("rejected", 0)), f"{time.time() - begin:.0f}"], report["device"]


def read_table(page):
    """{key: cells} of the rows on a page."""
    if not page.exists():
        return {}
    rows = [[word.strip() for word in line.split("|")[1:-1]] for line in page.read_text().splitlines() if line.startswith("| ")]
    return {tuple(cells[:5]): cells[5:] for cells in rows if cells[0] in PROBLEMS}


def write_table(page, table, device):
    """Rows in the order of all_rows(), with the ratio of errors from half as many cells to these."""
    lines = ["# Shocks on elements of every shape", "", f"`python3 bench/shocks.py`, device of the last rows: {device}. Local Lax-Friedrichs flux, ssprk33, step from the "
             "positivity bound (viscosity: with its own limit).", "",
             "The error is the mean of the density's deviation along the axis; of sedov that of the shock's radius, of noh that of the plateau.", "",
             "| " + " | ".join(HEADING) + " |", "| " + "--- | " * len(HEADING)]
    order = {row.key: k for k, row in enumerate(all_rows())}
    for key in sorted(table, key=lambda key: (order.get(key, len(order)), key)):
        cells = list(table[key])
        coarse = table.get((*key[:3], str(int(key[3]) // 2), key[4]))
        if coarse and coarse[1] and cells[1] and key[0] in ("sod",):
            cells[2] = f"{float(coarse[1]) / float(cells[1]):.2f}"
        lines.append("| " + " | ".join([*key, *cells]) + " |")
    page.write_text("\n".join(line.replace("|  |", "| |").rstrip() for line in lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--galerna", default=str(ROOT / "build" / "galerna"))
    parser.add_argument("--device", default="auto")
    parser.add_argument("--rows", default=".", help="a regular expression")
    parser.add_argument("--page", default=str(ROOT / "bench" / "results" / "shocks.md"))
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="replaces a setting in all runs")
    parser.add_argument("--list", action="store_true", help="print the chosen rows and end")
    chosen = parser.parse_args()
    page = pathlib.Path(chosen.page)
    for row in all_rows():
        if not re.search(chosen.rows, " ".join(row.key)):
            continue
        if chosen.list:
            print(*row.key)
            continue
        cells, device = run(chosen, row)
        table = read_table(page)
        table[row.key] = cells
        write_table(page, table, device)
        print("| " + " | ".join([*row.key, *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
