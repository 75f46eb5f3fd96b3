// A circle of diameter 1 in [-15, 30] x [-15, 15]: four sectors of quadrilaterals to radius `layer`, triangles beyond.
// n: cells along a quarter of the circle, m: across the layer: gmsh -2 disc.geo -setnumber n 16 -setnumber m 10 -o disc.msh
DefineConstant[ n = 16, m = 10, layer = 1.5, growth = 1.15, wake = 0.25, far = 3, x0 = -15, x1 = 30, y1 = 15 ];
Point(1) = {0, 0, 0};
For i In {0 : 3}
  c = Cos(Pi/4 + i*Pi/2);
  s = Sin(Pi/4 + i*Pi/2);
  Point(11 + i) = {0.5*c, 0.5*s, 0};
  Point(21 + i) = {layer*c, layer*s, 0};
  Line(31 + i) = {11 + i, 21 + i};
EndFor
For i In {0 : 3}
  j = (i + 1) % 4;
  Circle(11 + i) = {11 + i, 1, 11 + j};
  Circle(21 + i) = {21 + i, 1, 21 + j};
EndFor
Transfinite Curve {11 : 14, 21 : 24} = n + 1;
Transfinite Curve {31 : 34} = m + 1 Using Progression growth;
For i In {0 : 3}
  j = (i + 1) % 4;
  Curve Loop(11 + i) = {31 + i, 21 + i, -(31 + j), -(11 + i)};
  Plane Surface(11 + i) = {11 + i};
  Transfinite Surface {11 + i};
  Recombine Surface {11 + i};
EndFor
Point(41) = {x0, -y1, 0, far};
Point(42) = {x1, -y1, 0, far};
Point(43) = {x1, y1, 0, far};
Point(44) = {x0, y1, 0, far};
Line(41) = {41, 42};
Line(42) = {42, 43};
Line(43) = {43, 44};
Line(44) = {44, 41};
Curve Loop(1) = {41 : 44};
Curve Loop(2) = {21 : 24};
Plane Surface(1) = {1, 2};
// Fine in the wake, coarser with the distance from the circle.
Field[1] = MathEval;
Field[1].F = Sprintf("%g + 0.12*Max(0, Sqrt(x*x + y*y) - %g)", wake, layer);
Field[2] = Box;
Field[2].VIn = 2*wake;
Field[2].VOut = far;
Field[2].XMin = 0;
Field[2].XMax = 12;
Field[2].YMin = -2;
Field[2].YMax = 2;
Field[2].Thickness = 12;
Field[3] = Min;
Field[3].FieldsList = {1, 2};
Background Field = 3;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeMax = far;
Physical Curve("cylinder") = {11 : 14};
Physical Curve("far") = {41 : 44};
Physical Surface("gas") = {1, 11 : 14};
Mesh.Algorithm = 6;
