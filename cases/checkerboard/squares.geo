// Unit square of four squares, each a group, of triangles of size h: gmsh -2 squares.geo -setnumber h 0.05 -o squares.msh
DefineConstant[ h = 0.05 ];
For j In {0:2}
  For i In {0:2}
    Point(1 + i + 3*j) = {i/2, j/2, 0, h};
  EndFor
EndFor
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {4, 5}; Line(4) = {5, 6}; Line(5) = {7, 8}; Line(6) = {8, 9};
Line(7) = {1, 4}; Line(8) = {2, 5}; Line(9) = {3, 6}; Line(10) = {4, 7}; Line(11) = {5, 8}; Line(12) = {6, 9};
Curve Loop(1) = {1, 8, -3, -7};
Curve Loop(2) = {2, 9, -4, -8};
Curve Loop(3) = {3, 11, -5, -10};
Curve Loop(4) = {4, 12, -6, -11};
Plane Surface(1) = {1}; Plane Surface(2) = {2}; Plane Surface(3) = {3}; Plane Surface(4) = {4};
Physical Curve("boundary") = {1, 2, 5, 6, 7, 9, 10, 12};
Physical Surface("conducting") = {1, 4};
Physical Surface("insulating") = {2, 3};
Mesh.Algorithm = 6;
