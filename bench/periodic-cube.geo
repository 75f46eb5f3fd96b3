// A cube of n³ hexahedra (sides = 6), or of tetrahedra (4), with six named sides: gmsh -3 periodic-cube.geo -setnumber n 12 -format msh41 -bin -o FILE
DefineConstant[ n = 12, sides = 6 ];
Point(1) = {0, 0, 0};
e1[] = Extrude {1, 0, 0} { Point{1}; Layers{n}; };
If (sides == 6)
  e2[] = Extrude {0, 1, 0} { Curve{e1[1]}; Layers{n}; Recombine; };
  e3[] = Extrude {0, 0, 1} { Surface{e2[1]}; Layers{n}; Recombine; };
Else
  e2[] = Extrude {0, 1, 0} { Curve{e1[1]}; Layers{n}; };
  e3[] = Extrude {0, 0, 1} { Surface{e2[1]}; Layers{n}; };
EndIf
Physical Volume("gas") = {e3[1]};
Physical Surface("back") = {e2[1]};
Physical Surface("front") = {e3[0]};
Physical Surface("bottom") = {e3[2]};
Physical Surface("right") = {e3[3]};
Physical Surface("top") = {e3[4]};
Physical Surface("left") = {e3[5]};
