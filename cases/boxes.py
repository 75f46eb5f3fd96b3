"""Boxes of elements of one shape as Gmsh files: each cell of nx × ny × nz (nz = 0: in the plane) is divided into elements of the shape."""
import random

# Gmsh's numbers of types; the elements of a cell by its corners (bits of x, y, z in Gmsh's order of a hexahedron), "c" is its centre.
CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
FACES = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
SHAPES = {
    "triangles": (2, [(0, 1, 2), (0, 2, 3)]),
    "quadrilaterals": (3, [(0, 1, 2, 3)]),
    "tetrahedra": (4, [(0, a, b, 6) for a, b in ((1, 2), (2, 3), (3, 7), (7, 4), (4, 5), (5, 1))]),
    "hexahedra": (5, [tuple(range(8))]),
    "prisms": (6, [(0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7)]),
    "pyramids": (7, [(*reversed(face), "c") for face in FACES]),
}
SIDES = {2: [(0, 1), (1, 2), (2, 0)], 3: [(0, 1), (1, 2), (2, 3), (3, 0)], 4: [(0, 1, 2), (0, 1, 3), (1, 2, 3), (0, 2, 3)], 5: FACES,
         6: [(0, 1, 2), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5)], 7: [(0, 1, 2, 3), (0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)]}
NAMES = ["left", "right", "front", "back", "bottom", "top"]
# Of elements of order 2: Gmsh's number of the type, and the corners whose mean each further node is, in Gmsh's order.
EDGES = {
    1: (8, [(0, 1)]),
    2: (9, [(0, 1), (1, 2), (2, 0)]),
    3: (10, [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1, 2, 3)]),
    4: (11, [(0, 1), (1, 2), (0, 2), (0, 3), (2, 3), (1, 3)]),
    5: (12, [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7), (0, 1, 2, 3), (0, 1, 4, 5), (0, 3, 4, 7),
             (1, 2, 5, 6), (2, 3, 6, 7), (4, 5, 6, 7), tuple(range(8))]),
    6: (13, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5), (0, 1, 3, 4), (0, 2, 3, 5), (1, 2, 4, 5)]),
    7: (14, [(0, 1), (0, 3), (0, 4), (1, 2), (1, 4), (2, 3), (2, 4), (3, 4), (0, 1, 2, 3)]),
}


def write(path, shape, cells, lengths, names=None, jitter=0.0, bend=None):
    """Writes the box [0, lengths] of cells = (nx, ny[, nz]) to `path`. `names` are those of its sides, in space of x = 0, x = 1, y = 0, …;
    in the plane left, right, bottom, top. Nodes inside move at random by up to `jitter` of a cell's width along each axis. With `bend`, where a point [x, y, z] goes, elements are
    curved, of order 2."""
    plane = len(cells) == 2
    cells, lengths = (*cells, 0)[:3], (*lengths, 1.0)[:3]
    names = names or (["left", "right", "bottom", "top"] if plane else NAMES)
    chance = random.Random(1)
    counts = [n + 1 for n in cells]
    nodes = []
    for k in range(counts[2]):
        for j in range(counts[1]):
            for i in range(counts[0]):
                at = [lengths[d] * c / max(cells[d], 1) for d, c in enumerate((i, j, k))]
                for d, c in enumerate((i, j, k)):
                    if 0 < c < cells[d]:
                        at[d] += jitter * lengths[d] / cells[d] * (2 * chance.random() - 1)
                if plane:
                    at[2] = 0.0
                nodes.append(at)
    kind, parts = SHAPES[shape]
    elements, sides = [], []
    for k in range(max(cells[2], 1)):
        for j in range(cells[1]):
            for i in range(cells[0]):
                corner = [i + a + counts[0] * (j + b + counts[1] * (k + c)) for a, b, c in CORNERS[:4 if plane else 8]]
                if shape == "pyramids":
                    nodes.append([sum(nodes[n][d] for n in corner) / 8 for d in range(3)])
                elements += [[len(nodes) - 1 if c == "c" else corner[c] for c in part] for part in parts]
    on = [(d, value, name) for d, value, name in zip((0, 0, 1, 1, 2, 2), (0, lengths[0], 0, lengths[1], 0, lengths[2]), names)]
    for element in elements:
        for side in SIDES[kind]:
            corner = [element[c] for c in side]
            for d, value, name in on:
                if all(abs(nodes[n][d] - value) < 1e-9 * lengths[d] for n in corner):
                    sides.append(({2: 1, 3: 2, 4: 3}[len(corner)], name, corner))
    if bend:
        kind, nodes, sides, elements = curved(kind, nodes, sides, elements, bend)
    write_gmsh(path, 2 if plane else 3, nodes, sides, kind, elements)


def curved(kind, nodes, sides, elements, bend):
    """The same with further nodes, all of them moved."""
    numbers = {}

    def of_order_2(kind, corners):
        for part in EDGES[kind][1]:
            ends = frozenset(corners[c] for c in part)
            if ends not in numbers:
                numbers[ends] = len(nodes)
                nodes.append([sum(nodes[n][d] for n in ends) / len(ends) for d in range(3)])
            corners = [*corners, numbers[ends]]
        return corners

    elements = [of_order_2(kind, element) for element in elements]
    sides = [(EDGES[t][0], name, of_order_2(t, corner)) for t, name, corner in sides]
    return EDGES[kind][0], [bend(at) for at in nodes], sides, elements


def write_gmsh(path, dimension, nodes, sides, kind, elements):
    groups = sorted({name for _, name, _ in sides})
    with open(path, "w") as out:
        out.write(f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{len(groups) + 1}\n")
        for tag, name in enumerate(groups, 1):
            out.write(f'{dimension - 1} {tag} "{name}"\n')
        out.write(f'{dimension} {len(groups) + 1} "gas"\n$EndPhysicalNames\n$Nodes\n{len(nodes)}\n')
        for number, at in enumerate(nodes, 1):
            out.write(f"{number} {at[0]!r} {at[1]!r} {at[2]!r}\n")
        out.write(f"$EndNodes\n$Elements\n{len(sides) + len(elements)}\n")
        rows = [(t, groups.index(name) + 1, corner) for t, name, corner in sides]
        rows += [(kind, len(groups) + 1, element) for element in elements]
        for number, (t, tag, corner) in enumerate(rows, 1):
            out.write(f"{number} {t} 2 {tag} {tag} {' '.join(str(c + 1) for c in corner)}\n")
        out.write("$EndElements\n")
