// [0, 4] x [0, 2] in triangles, or in n x n/2 quadrilaterals with structured = 1: gmsh -2 channel.geo -setnumber n 16 -o channel.msh
DefineConstant[ n = 16, structured = 0 ];
h = 4/n;
Point(1) = {0, 0, 0, h};
Point(2) = {4, 0, 0, h};
Point(3) = {4, 2, 0, h};
Point(4) = {0, 2, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Periodic Curve {2} = {-4} Translate {4, 0, 0};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = n + 1;
Transfinite Curve {2, 4} = n/2 + 1;
If (structured)
  Transfinite Surface {1};
  Recombine Surface {1};
EndIf
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("gas") = {1};
Mesh.Algorithm = 6;
