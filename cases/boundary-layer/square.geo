// Unit square, triangles of size h, finer towards the layers at the right and at the top: gmsh -2 square.geo -o square.msh
DefineConstant[ h = 0.06 ];
Point(1) = {0, 0, 0, h};
Point(2) = {1, 0, 0, h/4};
Point(3) = {1, 1, 0, h/4};
Point(4) = {0, 1, 0, h/4};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("boundary") = {1, 2, 3, 4};
Physical Surface("domain") = {1};
Mesh.Algorithm = 6;
