#!/usr/bin/env python3
"""Bow shock of a cylinder at Mach 3: pressure at the stagnation point and stand-off of the shock on two meshes of quadrilaterals and triangles, by Newton's method with
artificial viscosity and in time with the entropy filter, into README.md.

    python3 cases/blunt-body/table.py --galerna build/galerna [--device cuda] [--only "16 quadrilaterals: 2: viscosity; 16 triangles: 2: viscosity"]

Makes its meshes with gmsh; --meshes DIR keeps them. Rows that are not run stay as they are.
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

MACH, GAMMA = 3, 1.4
NAMES = [f"{n} {shape}" for n in (8, 16) for shape in ("quadrilaterals", "triangles")]
RUNS = [(name, degree, "viscosity") for name in NAMES for degree in (1, 2, 3)] + [(name, 2, "persson-peraire") for name in NAMES]
RUNS += [(name, 2, "filter") for name in NAMES[:2]]
METHODS = {"viscosity": {}, "persson-peraire": {"shock__sensor": '"persson-peraire"'},
           "filter": {"shock__method": '"filter"', "time__scheme": '"ssprk33"', "time__steady_residual": "", "time__max_steps": "", "time__end": 12}}
HEADING = "| elements along the cylinder | p | method | pressure at the stagnation point / p∞ | error | stand-off / R | change of total enthalpy there | relative residual | elements changed | steps |"


def pitot():
    """Rayleigh's formula: J. W. Strutt, Proc. R. Soc. Lond. A 84 (1910) 247."""
    square = MACH ** 2
    behind = ((GAMMA + 1) ** 2 * square / (4 * GAMMA * square - 2 * (GAMMA - 1))) ** (GAMMA / (GAMMA - 1))
    return behind * (1 - GAMMA + 2 * GAMMA * square) / (GAMMA + 1)


def stand_off(line):
    """Where the density has risen by half of the jump of a normal shock, from the cylinder."""
    middle = (1 + (GAMMA + 1) * MACH ** 2 / ((GAMMA - 1) * MACH ** 2 + 2)) / 2
    for a, b in zip(line, line[1:]):
        if a["density"] < middle <= b["density"]:
            return -1 - (a["x"] + (b["x"] - a["x"]) * (middle - a["density"]) / (b["density"] - a["density"]))
    return float("nan")


def row_of(report, name, degree, method):
    line = validation.last_line(report, "axis")
    end = line[-1]
    pressure = GAMMA * end["pressure"]
    enthalpy = end["pressure"] / end["density"] * GAMMA / (GAMMA - 1) / (1 / (GAMMA - 1) + MACH ** 2 / 2) - 1
    limited = report["limiter"]
    residual = f"{report['residual']['relative']:.1e}" + (", viscosity frozen" if limited.get("frozen") else "") if method != "filter" else ""
    return (f"| {name} | {degree} | {method} | {pressure:.3f} | {100 * (pressure / pitot() - 1):+.2f} % | {stand_off(line):.3f} | {100 * enthalpy:+.2f} % | "
            f"{residual if report['status'] != 'failed' else 'failed'} | {100 * limited.get('filtered', limited.get('viscosity', 0)):.1f} % | {report['time']['steps']} |")


def main():
    chosen = validation.options(__doc__, page="../cases/blunt-body/README.md", meshes="", only="; ".join(f"{m}: {p}: {c}" for m, p, c in RUNS))
    wanted = {name: {"n": name.split()[0], "triangles": int("triangles" in name)} for name in NAMES}
    files = validation.meshes(chosen, HERE / "cylinder.geo", {name.replace(" ", "-"): numbers for name, numbers in wanted.items()})
    table = validation.recorded_rows(chosen, "blunt-body", 3)
    asked = [text.strip() for text in chosen.only.split(";")]
    for name, degree, method in RUNS:
        if f"{name}: {degree}: {method}" not in asked:
            continue
        report = validation.run(chosen, "blunt-body", may_fail=True, discretization__order=degree, mesh__file=f'"{files[name.replace(" ", "-")]}"',
                                picture=("mach", "blunt-body.png") if (name, degree, method) == ("16 quadrilaterals", 2, "viscosity") else None, **METHODS[method])
        table[name, str(degree), method] = row_of(report, name, degree, method)
        print(table[name, str(degree), method], flush=True)
        known = f"| exact, and F. S. Billig's fit | | | {pitot():.3f} | | {0.386 * math.exp(4.67 / MACH ** 2):.3f} | | | | |"
        validation.replace_table(chosen, "blunt-body", "", HEADING, [table[key] for key in ((m, str(p), c) for m, p, c in RUNS) if key in table] + [known])


if __name__ == "__main__":
    main()
