#!/usr/bin/env python3
"""Runs the 160 computations of tests/polytopic/data/errors.csv, made by an independent program, and writes how well they agree into docs/validation.md.

--groups names those to be run (poisson2d, agglomeration, poisson3d, adr2d, hp2d, heat, heatvar); the table is written where all of them are."""
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation

DATA = validation.ROOT / "tests" / "polytopic" / "data"
SQUARE, WHOLE = ["bottom", "right", "top", "left"], ["boundary"]
BUMP = "exp(-5*((x - 1/2)^2 + (y - 1/2)^2))"


def poisson(dimension):
    sines = "*".join(f"sin(pi*{x})" for x in "xyz"[:dimension])
    return {"exact": sines, "diffusion": "1", "source": f"{dimension}*pi^2*({sines})"}


ADVECTION = {
    "exact": "s", "diffusion": [["1 + x^2", "x*y/2"], ["x*y/2", "1 + y^2"]], "velocity": ["2 - y^2 + x/2", "1 + x/2"], "reaction": "1 + x + y",
    "functions": {"s": "exp(x)*sin(pi*y + x/2)", "c": "exp(x)*cos(pi*y + x/2)", "ux": "s + c/2", "uy": "pi*c", "uxx": "3*s/4 + c",
                  "uyy": "-pi^2*s", "uxy": "pi*(c - s/2)"},
    "source": "-(2*x*ux + (1 + x^2)*uxx + y*uy/2 + x*y*uxy/2 + x*ux/2 + x*y*uxy/2 + 2*y*uy + (1 + y^2)*uyy)"
              " + (2 - y^2 + x/2)*ux + (1 + x/2)*uy + (1 + x + y)*s",
    "flux": {"right": "(1 + x^2)*ux + x*y/2*uy"}}
HEAT = {"exact": "u", "diffusion": "1", "functions": {"u": f"sin(2*pi*t)*{BUMP}", "r2": "(x - 1/2)^2 + (y - 1/2)^2"},
        "source": f"2*pi*cos(2*pi*t)*{BUMP} - u*(100*r2 - 20)"}
HEATVAR = {
    "exact": "u", "diffusion": [["1 + x*t", "0"], ["0", "1 + y*t"]], "velocity": ["1", "1/2"],
    "functions": {"u": f"sin(2*pi*t)*{BUMP}", "ux": "-10*(x - 1/2)*u", "uy": "-10*(y - 1/2)*u", "uxx": "(100*(x - 1/2)^2 - 10)*u",
                  "uyy": "(100*(y - 1/2)^2 - 10)*u"},
    "source": f"2*pi*cos(2*pi*t)*{BUMP} - (t*ux + (1 + x*t)*uxx + t*uy + (1 + y*t)*uyy) + ux + uy/2"}
PROBLEMS = {"poisson2d": poisson(2), "agglomeration": poisson(2), "poisson3d": poisson(3), "adr2d": ADVECTION, "hp2d": ADVECTION, "heat": HEAT,
            "heatvar": HEATVAR}


def case_text(row, folder):
    """The case file of a row; files that it needs are written beside it."""
    problem = PROBLEMS[row["group"]]
    mesh = DATA / (row["mesh"].split("-")[0] + ".msh")
    space = row["group"] == "poisson3d"
    hp = row["group"] == "hp2d"
    p = 4 if hp else int(row["p"])
    points = p + (7 if space else 6)
    lines = ["[functions]"] + [f'{name} = "{text}"' for name, text in problem.get("functions", {}).items()]
    lines += ["[mesh]", f'file = "{mesh}"', "[mesh.agglomerate]", f'file = "{DATA / (row["mesh"] + ".agg")}"']
    lines += ["[equations]", 'type = "advection-diffusion-reaction"'] + [f"{key} = {json.dumps(problem[key])}" for key in
                                                                         ("diffusion", "velocity", "reaction", "source") if key in problem]
    lines += ["[discretization]", f'penalty = "{row["penalty"]}"', f"penalty_factor = {row['C']}"]
    lines += [f"{rule}_quadrature = {2 * points - 1}" for rule in ("volume", "face")]
    if hp:
        (folder / "orders.txt").write_text("\n".join(str(1 + k % 4) for k in range(int(row["polytopes"]))))
        lines.append('order_file = "orders.txt"')
    else:
        lines.append(f"order = {p}")
    if row["steps"]:
        lines += [f"time_quadrature = {2 * (p + 5) - 1}", "[time]", 'type = "slabs"', "end = 0.5", f"slabs = {row['steps']}",
                  f'space = "{row["space"]}"', "[initial]", 'value = "0"']
    for name in WHOLE if space or row["mesh"] == "wavy" else SQUARE:
        flux = problem.get("flux", {}).get(name)
        lines += [f"[boundary.{name}]", f'type = "neumann"\nflux = "{flux}"' if flux else f'type = "dirichlet"\nvalue = "{problem["exact"]}"']
    lines += ["[exact]", f'value = "{problem["exact"]}"', "[solver]", 'type = "direct"', "[output]", "solution = false", "picture = false"]
    return "\n".join(lines) + "\n"


def run(chosen, row):
    folder = pathlib.Path(tempfile.mkdtemp(dir=validation.SCRATCH.name))
    (folder / "case.toml").write_text(case_text(row, folder))
    subprocess.run([chosen.galerna, "run", str(folder / "case.toml"), "--quiet", "--device", chosen.device, "--output", str(folder)], check=True)
    return json.loads((folder / "report.json").read_text())


def digits(a, b):
    return 16.0 if a == b else -math.log10(abs(a - b) / abs(b))


def missing(row, report):
    """Of each number, by how many digits it misses what the tables promise; ≤ 0 is right."""
    space = row["group"] == "poisson3d"
    held = {"L2": min(10, float(row["digits_L2"]) - 1.5), "H1semi": min(10, float(row["digits_DG"]) - 2.5),
            "DG": min(10, float(row["digits_DG"]) - 1.5), "energy": min(10, float(row["digits_energy"]) - 1.5),
            "integral_uh": min(10, float(row["digits_L2"]) - 1.5) if space else 10, "sigma_min": 12, "sigma_max": 12}
    errors = report["errors"]
    got = {"L2": errors["l2"], "H1semi": errors["h1_seminorm"], "DG": errors["dg"], "energy": report["energy"], "integral_uh": report["integral"],
           "sigma_min": report["penalty"]["least"], "sigma_max": report["penalty"]["largest"]}
    if row["L2_end"]:
        # As many decimals as L2 has, of which it is a part.
        held["L2_end"], got["L2_end"] = held["L2"] - max(0, math.log10(float(row["L2"]) / float(row["L2_end"]))), errors["l2_end"]
    result = {name: held[name] - digits(got[name], float(row[name])) for name in held}
    for name, value in (("dofs", report["matrix"]["dofs"]), ("nnz", report["matrix"]["nonzeros"])):
        result[name] = 0 if value == int(row[name]) else 99
    return result


def main():
    chosen = validation.options(__doc__, groups="all")
    rows = list(csv.DictReader(open(DATA / "errors.csv")))
    groups = list(PROBLEMS) if chosen.groups == "all" else chosen.groups.split(",")
    table, wrong = [], 0
    for row in (r for r in rows if r["group"] in groups):
        report = run(chosen, row)
        misses = {name: value for name, value in missing(row, report).items() if value > 0}
        wrong += bool(misses)
        error = report["errors"]
        least = min(digits(error["l2"], float(row["L2"])), digits(error["dg"], float(row["DG"])))
        note = ", ".join(f"{name} {value:.1f} digits short" for name, value in misses.items())
        table.append(f"| {row['group']} | {row['mesh']} | {row['space']} | {row['p']} | {row['penalty']} | {report['matrix']['dofs']} | "
                     f"{report['matrix']['nonzeros']} | {error['l2']:.6e} | {error['dg']:.6e} | {least:.1f} | {note or 'yes'} |")
        print(table[-1], flush=True)
    device = report["device"]
    if chosen.groups == "all":
        validation.replace_table(chosen, "polytopic-reference", f"Device: {device}. {len(table) - wrong} of {len(table)} rows agree.",
                                 "| group | mesh | space | p | penalty | unknowns | non-zeros | L2 | DG norm | common digits | to the digits promised |",
                                 table)
    sys.exit(1 if wrong else 0)


main()
