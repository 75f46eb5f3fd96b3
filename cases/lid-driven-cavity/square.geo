// Unit square, n x n cells that are finer at the walls: gmsh -2 square.geo -setnumber n 16 -o square.msh
DefineConstant[ n = 16 ];
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = n + 1 Using Bump 0.3;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("walls") = {1, 2, 4};
Physical Curve("lid") = {3};
Physical Surface("gas") = {1};
