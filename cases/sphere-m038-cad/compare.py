#!/usr/bin/env python3
"""Numbers of runs of the sphere at M = 0.38 side by side, a line each: largest speed over the stream's, largest Mach number, c_p at 90 degrees, its difference fore and aft, drag coefficient and
entropy error.

    python3 compare.py OUTPUT…
"""
import csv
import json
import math
import pathlib
import sys

MACH = 0.38


def pressure_at(points, low, high):
    """Mean c_p of the wall between two angles from the point that faces the stream, degrees."""
    chosen = [p for p in points if low <= math.degrees(math.acos(max(-1.0, min(1.0, -p["x"] / math.hypot(p["x"], p["y"], p["z"]))))) <= high]
    return sum(p["cp"] * p["area"] for p in chosen) / sum(p["area"] for p in chosen)


def line(folder):
    report = json.loads((folder / "report.json").read_text())
    with open(folder / "wall_sphere.csv") as file:
        points = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    speed = max(math.hypot(p["velocity_x"], p["velocity_y"], p["velocity_z"]) for p in points) / MACH
    return (f"| {folder.name} | {report['mesh']['elements']['tetrahedra']} | {speed:.4f} | {max(p['mach'] for p in points):.4f} | {pressure_at(points, 85, 95):.3f} | "
            f"{pressure_at(points, 55, 65) - pressure_at(points, 115, 125):.3f} | {report['coefficients']['all']['drag']:.4f} | {report['entropy_error']['l2']:.2e} |")


for name in sys.argv[1:]:
    print(line(pathlib.Path(name)))
