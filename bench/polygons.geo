// Unit square of unstructured triangles of size h: gmsh -2 polygons.geo -setnumber h 0.01 -format msh41 -bin -o polygons.msh
DefineConstant[ h = 0.01 ];
Point(1) = {0, 0, 0, h};
Point(2) = {1, 0, 0, h};
Point(3) = {1, 1, 0, h};
Point(4) = {0, 1, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Line("boundary") = {1, 2, 3, 4};
Physical Surface("domain") = {1};
Mesh.Algorithm = 6;
