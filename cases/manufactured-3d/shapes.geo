// A ball of tetrahedra of order 2, or a cube of prisms beside hexahedra:
// gmsh -3 shapes.geo -setnumber n 3 -setnumber blocks 0 -format msh41 -o shapes.msh
DefineConstant[ n = 3, order = 2, blocks = 0 ];  // n of blocks: even
If (blocks)
  Point(1) = {-0.5, -0.5, -0.5};
  Point(2) = {0.1, -0.5, -0.5};
  Point(3) = {0.5, -0.5, -0.5};
  Point(4) = {0.5, 0.5, -0.5};
  Point(5) = {-0.1, 0.5, -0.5};
  Point(6) = {-0.5, 0.5, -0.5};
  Line(1) = {1, 2};
  Line(2) = {2, 3};
  Line(3) = {3, 4};
  Line(4) = {4, 5};
  Line(5) = {5, 6};
  Line(6) = {6, 1};
  Line(7) = {2, 5};
  Curve Loop(1) = {1, 7, 5, 6};
  Curve Loop(2) = {2, 3, 4, -7};
  Plane Surface(1) = {1};
  Plane Surface(2) = {2};
  Transfinite Curve {1, 2, 4, 5} = n/2 + 1;
  Transfinite Curve {3, 6, 7} = n + 1;
  Transfinite Surface {1} = {1, 2, 5, 6};
  Transfinite Surface {2} = {2, 3, 4, 5} Alternate;
  Recombine Surface {1};
  hexahedra[] = Extrude {0.1, 0, 1} { Surface{1}; Layers{n}; Recombine; };
  prisms[] = Extrude {0.1, 0, 1} { Surface{2}; Layers{n}; Recombine; };
  Physical Surface("rim") = {1, 2, hexahedra[0], hexahedra[2], hexahedra[4], hexahedra[5], prisms[0], prisms[2], prisms[3], prisms[4]};
  Physical Volume("fluid") = {hexahedra[1], prisms[1]};
Else
  SetFactory("OpenCASCADE");
  Sphere(1) = {0, 0, 0, 0.7};
  MeshSize{ PointsOf{ Volume{1}; } } = 1/n;
  Mesh.MeshSizeMax = 1/n;
  Mesh.ElementOrder = order;
  Physical Surface("rim") = {1};
  Physical Volume("fluid") = {1};
EndIf
