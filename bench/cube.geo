// A cube for throughput in space: gmsh -3 cube.geo -setnumber h H -format msh41 -bin -o FILE; H = 0.0243 gives about 280,000 tetrahedra.
If (!Exists(h))
  h = 0.0243;
EndIf
SetFactory("Built-in");
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
sides[] = Extrude {0, 0, 1} { Surface{1}; };
Physical Volume("gas") = {sides[1]};
Physical Surface("surface") = {1, sides[0], sides[2], sides[3], sides[4], sides[5]};
Mesh.Algorithm3D = 10;
