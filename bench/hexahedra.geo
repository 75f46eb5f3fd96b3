// A cube of n³ hexahedra for throughput in space: gmsh -3 hexahedra.geo -setnumber n 43 -format msh41 -bin -o FILE
DefineConstant[ n = 43 ];
Point(1) = {0, 0, 0};
e1[] = Extrude {1, 0, 0} { Point{1}; Layers{n}; };
e2[] = Extrude {0, 1, 0} { Curve{e1[1]}; Layers{n}; Recombine; };
e3[] = Extrude {0, 0, 1} { Surface{e2[1]}; Layers{n}; Recombine; };
Physical Volume("gas") = {e3[1]};
s[] = Boundary{ Volume{e3[1]}; };
Physical Surface("surface") = {s[]};
