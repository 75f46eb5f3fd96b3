// Unit cube of tetrahedra of size h: gmsh -3 cube.geo -setnumber h 0.2 -o cube.msh
DefineConstant[ h = 0.2 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Physical Surface("boundary") = {1, 2, 3, 4, 5, 6};
Physical Volume("domain") = {1};
