// [0, 1] x [0, 0.5] in n x n/2 squares of two triangles each: gmsh -2 box.geo -setnumber n 125 -o box.msh
DefineConstant[ n = 125, height = 0.5 ];
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, height, 0};
Point(4) = {0, height, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1 : 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = n + 1;
Transfinite Curve {2, 4} = Round(n*height) + 1;
Transfinite Surface {1} Alternate;
Physical Curve("floor") = {1};
Physical Curve("ends") = {2, 4};
Physical Curve("symmetry") = {3};
Physical Surface("gas") = {1};
