"""A cube of curved tetrahedra, hexahedra, prisms and pyramids side by side, with boundary rim: cubes are cut into elements, whose order Gmsh raises, and every node is
moved by a smooth map. Refined, it is the same pattern of smaller cubes."""
import itertools
import math
import pathlib
import subprocess
import tempfile

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
SIDES = [(0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]  # the lowest, the highest, those around
CENTRE = 8
TYPES = {(3, 3): 2, (3, 4): 3, (4, 4): 4, (4, 8): 5, (4, 6): 6, (4, 5): 7}  # Gmsh's, of (corners of a side or 4, corners)
GROUP = {2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 2}
FACES = {4: [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)], 5: [(0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)],
         6: [(0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)], 8: SIDES}  # of (corners of an element)


def solids_of(i, j, k):
    """Corners of the elements of a cube, numbered as above: columns of hexahedra, of two prisms, and of pyramids around the centre of a cube, above or below
    two tetrahedra by turns."""
    if i % 2 == 0 and j % 2 == 0:
        return [tuple(range(8))]
    if j % 2 == 0:
        return [(0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)]
    cut = 1 - k % 2
    a, b, c, d = SIDES[cut]
    inward = [side if s != 1 else side[::-1] for s, side in enumerate(SIDES)]
    turn = 1 if cut == 0 else -1
    return [(*side, CENTRE) for s, side in enumerate(inward) if s != cut] + [(*triangle[::turn], CENTRE) for triangle in ((a, b, c), (a, c, d))]


def bent(x, y, z):
    """Of a point of the straight cube; no face stays flat."""
    return (x + 0.04 * math.sin(3 * y + 1) * math.cos(3 * z), y + 0.05 * math.cos(3 * x) * math.sin(3 * z + 2), z + 0.04 * math.sin(3 * (x + y)))


def write_straight(n, path, cut=solids_of):
    """The cube [-1/2, 1/2]^3 of n^3 cubes as a mesh of order 1; n is even where the cut into solids has solids_of()'s pattern."""
    number, places, elements = {}, [], []

    def node(*place):
        if place not in number:
            number[place] = len(places) + 1
            places.append([x / (2 * n) - 0.5 for x in place])
        return number[place]

    for i, j, k in itertools.product(range(n), repeat=3):
        corners = [node(2 * (i + a), 2 * (j + b), 2 * (k + c)) for a, b, c in CORNERS] + [node(2 * i + 1, 2 * j + 1, 2 * k + 1)]
        outer = [s for s, at in enumerate((k, k - n + 1, j, i - n + 1, j - n + 1, i)) if at == 0]
        solids = cut(i, j, k)
        for solid in solids:
            elements.append((TYPES[4, len(solid)], [corners[c] for c in solid]))
        for s in outer:
            for face in ([solid[c] for c in face] for solid in solids for face in FACES[len(solid)]):
                if set(face) <= set(SIDES[s]):
                    elements.append((TYPES[3, len(face)], [corners[c] for c in face]))
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", '2 1 "rim"', '3 2 "fluid"', "$EndPhysicalNames", "$Nodes", str(len(places))]
    lines += [f"{m + 1} {x!r} {y!r} {z!r}" for m, (x, y, z) in enumerate(places)]
    lines += ["$EndNodes", "$Elements", str(len(elements))]
    lines += [f"{m + 1} {kind} 2 {GROUP[kind]} {GROUP[kind]} {' '.join(map(str, nodes))}" for m, (kind, nodes) in enumerate(elements)]
    pathlib.Path(path).write_text("\n".join([*lines, "$EndElements", ""]))


def write(n, order, path, cut=solids_of):
    """The bent cube of elements of a geometry order, a Gmsh file."""
    with tempfile.TemporaryDirectory() as folder:
        straight, raised = pathlib.Path(folder, "straight.msh"), pathlib.Path(folder, "raised.msh")
        write_straight(n, straight, cut)
        recipe = pathlib.Path(folder, "raise.geo")
        recipe.write_text(f'Merge "{straight}";\nSetOrder {order};\n')
        subprocess.run(["gmsh", "-v", "1", "-0", str(recipe), "-format", "msh22", "-o", str(raised)], check=True)
        lines = raised.read_text().splitlines()
    first = lines.index("$Nodes") + 2
    for m in range(first, lines.index("$EndNodes")):
        tag, *place = lines[m].split()
        lines[m] = " ".join([tag, *map(repr, bent(*map(float, place)))])
    pathlib.Path(path).write_text("\n".join([*lines, ""]))
