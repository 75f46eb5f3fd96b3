// A quarter of the flow ahead of a cylinder of radius 1: from the axis y = 0 to the plane x = 0, out to an ellipse ahead of the shock.
// n elements along the cylinder, 3n/2 across; `triangles` = 1 divides them. Elements are of order 2.
//   gmsh -2 cylinder.geo -setnumber n 16 -format msh41 -o cylinder.msh
DefineConstant[ n = 16, triangles = 0 ];
Point(1) = {0, 0, 0};
Point(2) = {-1, 0, 0};
Point(3) = {0, 1, 0};
Point(4) = {-2.1, 0, 0};
Point(5) = {0, 4.4, 0};
Point(6) = {0, 2, 0};
Circle(1) = {2, 1, 3};
Line(2) = {3, 5};
Ellipse(3) = {5, 1, 6, 4};
Line(4) = {4, 2};
Transfinite Curve{1, 3} = n + 1;
Transfinite Curve{2, 4} = 3*n/2 + 1;
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Surface{1};
If (triangles == 0)
  Recombine Surface{1};
EndIf
Mesh.ElementOrder = 2;
Physical Curve("cylinder") = {1};
Physical Curve("outflow") = {2};
Physical Curve("inflow") = {3};
Physical Curve("axis") = {4};
Physical Surface("gas") = {1};
