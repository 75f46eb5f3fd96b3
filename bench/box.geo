// Periodic square [-5, 5]^2 of unstructured triangles (sides = 3), of quadrilaterals (4) or of both, half the square
// each (7); h sets their size: gmsh -2 box.geo -setnumber h 0.065 -setnumber sides 4 -format msh41 -bin -o box.msh
DefineConstant[ h = 0.1, sides = 3 ];
// Quadrilaterals are three to a triangle, or four to a quadrilateral, of a mesh twice as coarse.
size = (sides == 3) ? h : 2 * h;
Point(1) = {-5, -5, 0, size};
Point(2) = {5, -5, 0, size};
Point(3) = {5, 5, 0, size};
Point(4) = {-5, 5, 0, size};
Point(5) = {0, -5, 0, size};
Point(6) = {0, 5, 0, size};
Line(1) = {1, 5};
Line(2) = {5, 2};
Line(3) = {2, 3};
Line(4) = {4, 6};
Line(5) = {6, 3};
Line(6) = {1, 4};
Line(7) = {5, 6};
Curve Loop(1) = {1, 7, -4, -6};
Curve Loop(2) = {2, 3, -5, -7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Periodic Line {4} = {1} Translate {0, 10, 0};
Periodic Line {5} = {2} Translate {0, 10, 0};
Periodic Line {3} = {6} Translate {10, 0, 0};
Physical Line("bottom") = {1, 2};
Physical Line("right") = {3};
Physical Line("top") = {4, 5};
Physical Line("left") = {6};
Physical Surface("gas") = {1, 2};
Mesh.Algorithm = 6;
If (sides > 3)
  Mesh.RecombinationAlgorithm = 1;
  Recombine Surface {1};
EndIf
If (sides == 4)
  Recombine Surface {2};
EndIf
