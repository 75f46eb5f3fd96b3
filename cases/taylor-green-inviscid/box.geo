// The box of ../taylor-green-re1600, its Physical Volume "gas" of n³ cubes, here hexahedra: gmsh -3 box.geo -format msh41 -o box.msh
DefineConstant[ n = 24, tetrahedra = 0 ];
Include "../taylor-green-re1600/box.geo";
