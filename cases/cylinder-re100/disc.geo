// The mesh of ../cylinder-re40 in [-20, 40] x [-20, 20], finer at the cylinder: gmsh -2 disc.geo -o disc.msh
DefineConstant[ n = 12, m = 9, wake = 0.18, x0 = -20, x1 = 40, y1 = 20 ];
Include "../cylinder-re40/disc.geo";
