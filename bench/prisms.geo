// A cube of triangles extruded into n layers of prisms, for throughput: gmsh -3 prisms.geo -setnumber n 40 -format msh41 -bin -o FILE
DefineConstant[ n = 40 ];
Point(1) = {0, 0, 0, 1/n};
e1[] = Extrude {1, 0, 0} { Point{1}; };
e2[] = Extrude {0, 1, 0} { Curve{e1[1]}; };
Mesh.MeshSizeMax = 1/n;
e3[] = Extrude {0, 0, 1} { Surface{e2[1]}; Layers{n}; Recombine; };
Physical Volume("gas") = {e3[1]};
s[] = Boundary{ Volume{e3[1]}; };
Physical Surface("surface") = {s[]};
