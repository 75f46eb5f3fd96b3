// Disc of radius 2 of unstructured triangles of size h: gmsh -2 disc.geo -o disc.msh
DefineConstant[ h = 0.08 ];
Point(1) = {0, 0, 0, h};
Point(2) = {2, 0, 0, h};
Point(3) = {0, 2, 0, h};
Point(4) = {-2, 0, 0, h};
Point(5) = {0, -2, 0, h};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("far") = {1, 2, 3, 4};
Physical Surface("gas") = {1};
Mesh.Algorithm = 6;
