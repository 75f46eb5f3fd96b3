// Octant [0, 1.1]³ of n³ hexahedra: gmsh -3 octant.geo -format msh41 -o octant.msh
DefineConstant[ n = 12 ];
L = 1.1;
Point(1) = {0, 0, 0};
line[] = Extrude {L, 0, 0} { Point{1}; Layers{n}; };
square[] = Extrude {0, L, 0} { Line{line[1]}; Layers{n}; Recombine; };
cube[] = Extrude {0, 0, L} { Surface{square[1]}; Layers{n}; Recombine; };
e = 1e-6;
Physical Surface("symmetry") = { Surface In BoundingBox {-e, -e, -e, e, L + e, L + e}, Surface In BoundingBox {-e, -e, -e, L + e, e, L + e}, Surface In BoundingBox {-e, -e, -e, L + e, L + e, e} };
Physical Surface("outside") = { Surface In BoundingBox {L - e, -e, -e, L + e, L + e, L + e}, Surface In BoundingBox {-e, L - e, -e, L + e, L + e, L + e}, Surface In BoundingBox {-e, -e, L - e, L + e, L + e, L + e} };
Physical Volume("gas") = {cube[1]};
