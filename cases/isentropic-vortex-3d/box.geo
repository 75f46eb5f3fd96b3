// Cube of side 8 around the origin, of about 6 n³ tetrahedra:  gmsh -3 box.geo -setnumber n 10 -format msh41 -o box.msh
DefineConstant[ n = 10 ];
SetFactory("OpenCASCADE");
Box(1) = {-4, -4, -4, 8, 8, 8};
MeshSize{ PointsOf{ Volume{1}; } } = 8/n;
Physical Surface("rim") = {1 : 6};
Physical Volume("gas") = {1};
