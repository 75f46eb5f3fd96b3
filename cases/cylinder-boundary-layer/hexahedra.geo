// Hexahedra round a cylinder of diameter 1 and length `long`: `layers` rings, the first of height `first`, each `growth` times as high as the one below it. `round` elements in a quarter,
// `along` along the axis. With `cad` it writes the cylinder as CAD instead.
//   gmsh - hexahedra.geo -setnumber cad 1
//   gmsh -3 hexahedra.geo -format msh41 -o hexahedra.msh
DefineConstant[ first = 1e-4, growth = 1.2, layers = 45, round = 6, along = 4, long = 1, cad = 0 ];
If (cad)
  SetFactory("OpenCASCADE");
  Cylinder(1) = {0, 0, 0, 0, 0, long, 0.5};
  Save "cylinder.step";
  Exit;
EndIf
outer = 0.5 + first*(growth^layers - 1)/(growth - 1);
Point(1) = {0, 0, 0};
For q In {0 : 3}
  Point(10 + q) = {0.5*Cos(q*Pi/2), 0.5*Sin(q*Pi/2), 0};
  Point(20 + q) = {outer*Cos(q*Pi/2), outer*Sin(q*Pi/2), 0};
EndFor
For q In {0 : 3}
  n = (q + 1) % 4;
  Circle(10 + q) = {10 + q, 1, 10 + n};
  Circle(20 + q) = {20 + q, 1, 20 + n};
  Line(30 + q) = {10 + q, 20 + q};
EndFor
Transfinite Curve {10 : 13, 20 : 23} = round + 1;
Transfinite Curve {30 : 33} = layers + 1 Using Progression growth;
For q In {0 : 3}
  n = (q + 1) % 4;
  Curve Loop(q + 1) = {30 + q, 20 + q, -(30 + n), -(10 + q)};
  Plane Surface(q + 1) = {q + 1};
EndFor
Transfinite Surface {1 : 4};
Recombine Surface {1 : 4};
For q In {1 : 4}
  all() = Extrude {0, 0, long} { Surface{q}; Layers{along}; Recombine; };
  ends() += {q, all(0)};
  far() += all(3);
  wall() += all(5);
  gas() += all(1);
EndFor
Physical Surface("cylinder") = wall();
Physical Surface("ends") = ends();
Physical Surface("far") = far();
Physical Volume("gas") = gas();
