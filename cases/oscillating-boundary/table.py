#!/usr/bin/env python3
"""Runs the case on 500,000 triangles, as 8,337 and 125,981 polygons and as they are, and writes the table of the case's README.

--only names the runs, polygons-degree, such as "8337-1,8337-3,all-1"; rows of others stay as they are. --meshes FOLDER keeps the mesh."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import validation

HERE = pathlib.Path(__file__).resolve().parent
RUNS = ["8337-1", "8337-2", "8337-3", "125981-1", "all-1"]
HEADING = "| run | polygons | p | unknowns | non-zeros | iterations | L2 | DG norm | L2 at the end |"


def row(name, report):
    solver, errors = report["solver"], report["errors"]
    return (f"| {name} | {report['mesh']['polytopes']:,} | {name.split('-')[1]} | {report['matrix']['dofs']:,} | {report['matrix']['nonzeros']:,} "
            f"| {solver['iterations']} | {errors['l2']:.3e} | {errors['dg']:.3e} | {errors['l2_end']:.3e} |")


def main():
    chosen = validation.options(__doc__, page="../cases/oscillating-boundary/README.md", only=",".join(RUNS), meshes="")
    mesh = validation.meshes(chosen, HERE / "waves.geo", {"waves-500000": {"h": 0.00215}})["waves-500000"]
    page = pathlib.Path(chosen.page).read_text()
    table = {line.split("|")[1].strip(): line for line in page.splitlines() if line.startswith("| ")}
    for name in chosen.only.split(","):
        polygons, degree = name.split("-")
        settings = {"mesh__agglomerate__simplices": ""} if polygons != "all" else {"mesh__agglomerate": ""}
        if polygons != "all":
            settings["mesh__agglomerate__polytopes"] = polygons
        report = validation.run(chosen, HERE.name, mesh__file=f'"{mesh}"', discretization__order=degree, output__picture="false", **settings)
        table[name] = row(name, report)
        print(table[name], flush=True)
    validation.replace_table(chosen, "oscillating-boundary", "", HEADING, [table[name] for name in RUNS if name in table])


if __name__ == "__main__":
    main()
