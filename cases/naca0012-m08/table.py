#!/usr/bin/env python3
"""NACA 0012 at M = 0.8: forces on four meshes at p = 1 to 4 (3 on fine ones), and from other first CFL numbers, into README.md.

    python3 cases/naca0012-m08/table.py --galerna build/galerna [--device cuda] [--only "triangles: 2: 5; fine triangles: 2: 5"]

Makes its meshes with gmsh; --meshes DIR keeps them. Rows that are not run stay as they are.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

FINE = {"h0": 0.006, "h1": 0.015}
MESHES = {"triangles": {}, "quadrilaterals": {"quads": 1}, "fine triangles": FINE, "fine quadrilaterals": {**FINE, "quads": 1}}
PUBLISHED = " by persson-peraire"
RUNS = [(mesh, degree, 5) for mesh in [*MESHES, "triangles" + PUBLISHED] for degree in (1, 2, 3, 4) if degree < 4 or "fine" not in mesh]
RUNS += [(mesh, degree, cfl) for mesh in ("triangles", "quadrilaterals") for degree in (2, 3) for cfl in (1, 20)]


def row_of(report, mesh, degree, cfl):
    """Forces and what they cost."""
    newton = report["newton"]["degrees"]
    coefficients = report["coefficients"]["all"]
    frozen = ", viscosity frozen" if report["limiter"]["frozen"] else ""
    end = f"{report['residual']['relative']:.1e}{frozen}" if report["status"] == "steady" else report["status"]
    return (f"| {mesh} | {degree} | {cfl} | {coefficients['lift']:.5f} | {coefficients['drag']:.6f} | {sum(d['steps'] for d in newton)} | "
            f"{sum(d['rhs_evaluations'] for d in newton):,} | {end} | {100 * report['limiter']['viscosity']:.1f} % |")


def main():
    chosen = validation.options(__doc__, page="../cases/naca0012-m08/README.md", meshes="", only="; ".join(f"{m}: {p}: {c}" for m, p, c in RUNS))
    meshes = validation.meshes(chosen, HERE / "airfoil.geo", MESHES)
    table = validation.recorded_rows(chosen, "naca0012-m08", 3)
    wanted = [text.strip() for text in chosen.only.split(";")]
    heading = "| mesh | p | first CFL | C_L | C_D | Newton steps | right-hand sides | relative residual | elements with viscosity |"
    for mesh, degree, cfl in RUNS:
        if f"{mesh}: {degree}: {cfl}" not in wanted:
            continue
        sensor = {"shock__sensor": '"persson-peraire"'} if mesh.endswith(PUBLISHED) else {}
        report = validation.run(chosen, "naca0012-m08", may_fail=True, discretization__order=degree, mesh__file=meshes[mesh.removesuffix(PUBLISHED)],
                                solver__first_cfl=cfl, time__max_steps=400, **sensor)
        table[mesh, str(degree), str(cfl)] = row_of(report, mesh, degree, cfl)
        print(table[mesh, str(degree), str(cfl)], flush=True)
        rows = [table[m, str(p), str(c)] for m, p, c in RUNS if (m, str(p), str(c)) in table]
        validation.replace_table(chosen, "naca0012-m08", "", heading, rows)


if __name__ == "__main__":
    main()
