// A square of 2 n² triangles with four named sides: gmsh -2 periodic-square.geo -setnumber n 40 -format msh41 -bin -o FILE
DefineConstant[ n = 40 ];
Point(1) = {0, 0, 0};
e1[] = Extrude {1, 0, 0} { Point{1}; Layers{n}; };
e2[] = Extrude {0, 1, 0} { Curve{e1[1]}; Layers{n}; };
Physical Surface("gas") = {e2[1]};
Physical Curve("bottom") = {e1[1]};
Physical Curve("top") = {e2[0]};
Physical Curve("left") = {e2[3]};
Physical Curve("right") = {e2[2]};
