#!/usr/bin/env python3
"""Viscous shock tube at Re = 1000 at t = 1: extremes of the density and friction on the floor, height of the triple point, beside those of Daru and
Tenaud, into docs/validation.md.

    python3 cases/viscous-shock-tube/table.py --galerna build/galerna [--device cuda] [--only "1: 125; 2: 125"]

--only takes pairs of degree and squares along the tube. Makes its meshes with gmsh; --meshes DIR takes DIR/viscous-shock-tube-125.msh and so on instead.
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import validation  # noqa: E402

RUNS = "1: 125; 1: 250; 2: 125; 2: 250"
# Extremes on the floor: name, greatest or least, where, and (x, density) of V. Daru, C. Tenaud, Comput. Fluids 38 (2009) 664, scheme OSMP7
# on 4,000 x 2,000 points, read off their plot of the density along the wall.
EXTREMES = [("foot of the shock", max, (0.43, 0.55), (0.479, 60.4)), ("behind it", min, (0.55, 0.66), (0.639, 30.9)),
            ("first stagnation point", max, (0.66, 0.735), (0.710, 94.3)), ("last stagnation point", max, (0.84, 0.95), (0.882, 119.1))]

# Friction τ on the floor where the layer is laminar, ahead of the foot, read off their plot of it; and the height of the triple point.
FRICTION = [(0.33, 0.092), (0.36, 0.099), (0.40, 0.110), (0.43, 0.115)]
TRIPLE_POINT = 0.158
HEIGHTS = [round(0.04 + 0.005 * k, 3) for k in range(45)]


def name_of(height):
    return f"at{round(1000 * height):03d}"


def probes(lines):
    """Settings for probes on lines: of each name begin, end and number of points."""
    return {f"output__probe__{name}__{key}": value for name, of_line in lines.items() for key, value in zip(("point", "end", "points"), of_line)}


def lines():
    """Settings for probes on horizontal lines that the shock crosses."""
    return probes({name_of(y): (f"[0.3, {y}]", f"[0.9, {y}]", 1201) for y in HEIGHTS})


def front(line):
    """Where the flow from the left meets the shock: the density has risen by a fifth."""
    start = line[0]["density"]
    return next(row["x"] for row in line if row["density"] > 1.2 * start)


def triple_point(report):
    """Height at which the front bends: of the two straight lines that fit it best, the foot's and the stem's, where they meet."""
    fronts = [(y, front(validation.last_line(report, name_of(y)))) for y in HEIGHTS]

    def fit(points):
        n, sy, sx = len(points), sum(y for y, _ in points), sum(x for _, x in points)
        syy, sxy = sum(y * y for y, _ in points), sum(x * y for y, x in points)
        slope = (n * sxy - sx * sy) / (n * syy - sy * sy)
        start = (sx - slope * sy) / n
        return slope, start, sum((x - start - slope * y) ** 2 for y, x in points)

    pairs = [(fit(fronts[:k]), fit(fronts[k:])) for k in range(4, len(fronts) - 3)]
    (a, b, _), (c, d, _) = min(pairs, key=lambda pair: pair[0][2] + pair[1][2])
    return (d - b) / (a - c)


def extreme(line, kind, between):
    """(x, density) of the greatest or least density between two places."""
    row = kind((row for row in line if between[0] <= row["x"] <= between[1]), key=lambda row: row["density"])
    return row["x"], row["density"]


def cells(places):
    return " | ".join(f"{density:.1f} at {x:.3f}" for x, density in places)


def friction_cells(report):
    """Friction on the floor at the places of FRICTION."""
    wall = sorted(validation.rows(report, "wall_floor.csv"), key=lambda row: row["x"])
    return " | ".join(f"{validation.interpolate(wall, 'x', 'shear', x):.3f}" for x, _ in FRICTION)


def main():
    chosen = validation.options(__doc__, only=RUNS, meshes="")
    runs = [tuple(map(int, words.split(":"))) for words in chosen.only.split(";")]
    names = {squares: f"viscous-shock-tube-{squares}" for _, squares in runs}
    paths = validation.meshes(chosen, HERE / "box.geo", {name: {"n": squares} for squares, name in names.items()})
    table, device = [], ""
    for degree, squares in runs:
        report = validation.run(chosen, "viscous-shock-tube", discretization__order=degree, mesh__file=paths[names[squares]], **lines(),
                                picture=("density", "viscous-shock-tube.png") if (degree, squares) == runs[-1] else None)
        device, line = report["device"], validation.last_line(report, "floor")
        elements = report["mesh"]["elements"]["triangles"]
        table.append(f"| {elements} triangles | {degree} | {cells(extreme(line, kind, between) for _, kind, between, _ in EXTREMES)} | "
                     f"{friction_cells(report)} | {triple_point(report):.3f} | "
                     f"{100 * report['limiter']['slopes']:.1f} % | {report['time']['steps']} |")
        print(table[-1], flush=True)
    validation.replace_table(chosen, "viscous-shock-tube",
        f"Device: {device}. Local Lax-Friedrichs flux, BR2, hierarchical limiter of characteristic variables, ssprk33, cfl = 0.9.",
        "| | p | " + " | ".join(name for name, *_ in EXTREMES) + " | " + " | ".join(f"friction at {x}" for x, _ in FRICTION) +
        " | triple point | slopes cut | steps |",
        [*table,
        f"| Daru, Tenaud 2009, 4,000 x 2,000 | | {cells(published for *_, published in EXTREMES)} | "
        f"{' | '.join(f'{tau:.3f}' for _, tau in FRICTION)} | {TRIPLE_POINT} | | |"])


if __name__ == "__main__":
    main()
