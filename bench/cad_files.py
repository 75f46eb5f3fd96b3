#!/usr/bin/env python3
"""Curves a mesh of every CAD file in some folders, and lists what came of it: whether all elements are valid, nodes that were held back and their distance from the CAD, seconds.

    ninja -C build galerna_cad_bodies && build/galerna_cad_bodies bodies
    python3 bench/cad_files.py bodies FOLDER… --json bench/results/cad-files.json

Gmsh meshes the largest solid of each file, or with --outside the space between all solids and a box around them. Its whole surface is the wall that follows the CAD.
Where there is a twin in another format, twins/NAME.brep, the mesh is made from that.
A mesh counts as valid if `galerna info` finds no fault in the file that `galerna curve` wrote. Files that Gmsh cannot mesh are listed, and no fault of galerna. --tables writes the table again.
Exit code 1: a mesh was refused, or is not valid.
"""
import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ENDINGS = {".step", ".stp", ".iges", ".igs", ".brep"}
ORDERS = (2, 3)
SMOOTH, COARSE = 10, 8  # elements round a circle, and along the diagonal

HEAD = "| file | tetrahedra | order | valid | wall nodes | held back | farthest, of the box | smallest min J / max J | seconds |\n" + "| --- " * 9 + "|\n"

SOLID = """
s = 0;
For i In {0 : #v() - 1}
  b() = BoundingBox Volume{v(i)};
  t = (b(3) - b(0))*(b(4) - b(1))*(b(5) - b(2));
  If (t > s)
    s = t; best = v(i);
  EndIf
EndFor
Physical Surface("wall") = Abs(Boundary{ Volume{best}; });
Physical Volume("inside") = {best};
"""

AROUND = """
d = 1.5*diagonal;
w() = Abs(CombinedBoundary{ Volume{v()}; });
Box(9999) = {(a(0) + a(3))/2 - d, (a(1) + a(4))/2 - d, (a(2) + a(5))/2 - d, 2*d, 2*d, 2*d};
o() = BooleanDifference{ Volume{9999}; Delete; }{ Volume{v()}; Delete; };
all() = Abs(Boundary{ Volume{o()}; });
For i In {0 : #all() - 1}
  b() = BoundingBox Surface{all(i)};
  far = 0;
  For k In {0 : 2}
    If (b(k + 3) - b(k) > 1.9*d)
      far = far + 1;
    EndIf
  EndFor
  If (far >= 2)
    Physical Surface("far") += {all(i)};
  Else
    Physical Surface("wall") += {all(i)};
  EndIf
EndFor
Physical Volume("gas") = {o()};
"""


def geo(file, outside):
    sew = "Geometry.OCCSewFaces = 1;\n" if file.suffix.lower() in (".igs", ".iges") else ""
    return (f'SetFactory("OpenCASCADE");\n{sew}Merge "{file}";\nv() = Volume{{:}};\n'
            "If (#v() == 0)\n  Surface Loop(1) = {Surface{:}};\n  Volume(1) = {1};\n  v() = {1};\nEndIf\nBoundingBox;\n"
            "a() = {General.MinX, General.MinY, General.MinZ, General.MaxX, General.MaxY, General.MaxZ};\ndiagonal = Sqrt((a(3) - a(0))^2 + (a(4) - a(1))^2 + (a(5) - a(2))^2);\n"
            + (AROUND if outside else SOLID)
            + f"Mesh.MeshSizeMax = diagonal*{3 if outside else 1}/{COARSE};\nMesh.MeshSizeMin = diagonal/150;\n"
            f"Mesh.MeshSizeFromCurvature = {SMOOTH};\nMesh.MeshSizeFromPoints = 0;\n")


def call(words, seconds):
    """Exit code and text; code None after so many seconds."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, errors="replace")
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, f"no end after {seconds} s"


def first_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[0][:300] if lines else ""


def number(pattern, text, kind=float):
    found = re.search(pattern, text)
    return kind(found.group(1).replace(",", "")) if found else None


def curve(options, file, mesh, order, output):
    words = [options.galerna, "curve", mesh, "--cad", file, "--boundary", "wall", "--order", str(order), "-o", output]
    start = time.time()
    code, text = call(words, options.seconds)
    scale = re.search(r"set mesh\.cad\.scale = ([^\s:]+)", text) if code == 2 else None  # Gmsh meshes in mm, whatever the file's unit
    if scale:
        start = time.time()
        code, text = call(words + ["--set", f"mesh.cad.scale={scale.group(1)}"], options.seconds)
    result = {"order": order, "seconds": round(time.time() - start, 2), "scale": float(scale.group(1)) if scale else 1}
    if code != 0:
        return {**result, "valid": False, "message": first_line(text)}
    check, said = call([options.galerna, "info", output], options.seconds)
    result.update(valid=check == 0 and "folded" not in said and "invalid" not in said, wall_nodes=number(r"held back: \d+ of (\d+)", text, int), held=number(r"held back: (\d+) of", text, int),
                  farthest=number(r", (\S+) from its shape", text) or 0, ratio=number(r"min J / max J ([\d.e+-]*\d)", text),
                  split=number(r"split: (\d+)", text, int) or 0)
    return result if result["valid"] else {**result, "message": first_line(said)}


def measure(options, file):
    result = {"file": file.name, "outside": options.outside}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        twin = file.parent / "twins" / (file.stem + ".brep")  # the same body, for Gmsh
        (folder / "body.geo").write_text(geo(twin if twin.exists() else file, options.outside))
        mesh = folder / "body.msh"
        code, text = call(["gmsh", "-3", folder / "body.geo", "-format", "msh41", "-o", mesh, "-nt", "1"], options.seconds)
        said, size = call([options.galerna, "info", mesh], options.seconds) if mesh.exists() else (1, "")
        result["tetrahedra"] = number(r"([\d,]+) tetrahedra", size, int)
        if said != 0 or not result["tetrahedra"]:
            faults = [line for line in text.splitlines() if line.startswith("Error")] or [first_line(size) or first_line(text)]
            return {**result, "unmeshed": faults[0][:200], "code": code}
        result["extent"] = extent(size)
        result["curved"] = [curve(options, file, mesh, order, folder / "curved.msh") for order in ORDERS]
    return result


def extent(text):
    box = re.search(r"bounding box\s+\(([^)]*)\) to \(([^)]*)\)", text)
    low, high = ([float(x) for x in part.split(",")] for part in box.groups())
    return sum((b - a)**2 for a, b in zip(low, high))**0.5


def rows(result):
    name = result["file"] + (", outside" if result["outside"] else "")
    if "unmeshed" in result:
        return f"| {name} | Gmsh: {result['unmeshed']} | | | | | | | |\n"
    return "".join(f"| {name} | {result['tetrahedra']:,} | {c['order']} | " + (
        f"yes | {c['wall_nodes']:,} | {c['held']} | {c['farthest'] / result['extent']:.1e} | {c['ratio']:.2g} | {c['seconds']:.1f} |\n" if c["valid"]
        else f"**no**: {c['message']} | | | | | {c['seconds']:.1f} |\n") for c in result["curved"])


def summary(results):
    meshed = [r for r in results if "curved" in r]
    text = f"{len(results)} files, {len(meshed)} meshed by Gmsh.\n\n| order | meshes | valid | without a held node | wall nodes | held back | seconds, all |\n" + "| --- " * 7 + "|\n"
    for k, order in enumerate(ORDERS):
        of = [r["curved"][k] for r in meshed]
        valid = [c for c in of if c["valid"]]
        text += (f"| {order} | {len(of)} | {len(valid)} | {sum(c['held'] == 0 for c in valid)} | {sum(c['wall_nodes'] for c in valid):,} | {sum(c['held'] for c in valid):,} | "
                 f"{sum(c['seconds'] for c in of):.0f} |\n")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--galerna", default="build/galerna")
    parser.add_argument("--outside", action="store_true", help="mesh the space around the bodies")
    parser.add_argument("--seconds", type=float, default=300, help="after which a program is stopped")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path, required=True, help="results; the table goes beside it as .md")
    parser.add_argument("--tables", action="store_true", help="the table again, from the results")
    options = parser.parse_args()
    if options.tables:
        results = json.loads(options.json.read_text())
    else:
        files = sorted(f.resolve() for folder in options.folders for f in folder.iterdir() if f.suffix.lower() in ENDINGS)
        results = []
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(lambda f: measure(options, f), files):
                results.append(result)
                print(rows(result), end="", flush=True)
                options.json.write_text("[\n" + ",\n".join(json.dumps(r) for r in results) + "\n]\n")
    options.json.with_suffix(".md").write_text(f"{summary(results)}\nFile by file, by `bench/cad_files.py`:\n\n{HEAD}{''.join(map(rows, results))}")
    return 0 if all(c["valid"] for r in results for c in r.get("curved", [])) else 1


sys.exit(main())
