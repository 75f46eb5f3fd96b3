// The mesh of ../sphere-re100, its Physical Volume "gas" the half z > 0: gmsh -3 sphere.geo -format msh41 -o sphere.msh
DefineConstant[ parts = 4 ];
Include "../sphere-re100/sphere.geo";
