// [0, 2 pi] x [0, 2 pi] in n x n squares or, with triangles = 1, in triangles: gmsh -2 square.geo -setnumber n 16 -o square.msh
DefineConstant[ n = 16, triangles = 0 ];
h = 2*Pi/n;
Point(1) = {0, 0, 0, h};
Point(2) = {2*Pi, 0, 0, h};
Point(3) = {2*Pi, 2*Pi, 0, h};
Point(4) = {0, 2*Pi, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = n + 1;
If (!triangles)
  Transfinite Surface {1};
  Recombine Surface {1};
EndIf
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("gas") = {1};
Mesh.Algorithm = 6;
