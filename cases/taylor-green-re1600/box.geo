// Periodic cube of side 2π of n³ cubes, each a hexahedron or six tetrahedra:
// gmsh -3 box.geo -setnumber n 6 -setnumber tetrahedra 1 -format msh41 -o box.msh
DefineConstant[ n = 6, tetrahedra = 1 ];
length = 2*Pi;
Point(1) = {0, 0, 0};
line[] = Extrude {length, 0, 0} { Point{1}; };
Transfinite Curve {line[1]} = n + 1;
If (tetrahedra)
  square[] = Extrude {0, length, 0} { Curve{line[1]}; Layers{n}; };
  cube[] = Extrude {0, 0, length} { Surface{square[1]}; Layers{n}; };
Else
  square[] = Extrude {0, length, 0} { Curve{line[1]}; Layers{n}; Recombine; };
  cube[] = Extrude {0, 0, length} { Surface{square[1]}; Layers{n}; Recombine; };
EndIf
e = 1e-3;
left[] = Surface In BoundingBox{-e, -e, -e, e, length + e, length + e};
right[] = Surface In BoundingBox{length - e, -e, -e, length + e, length + e, length + e};
front[] = Surface In BoundingBox{-e, -e, -e, length + e, e, length + e};
back[] = Surface In BoundingBox{-e, length - e, -e, length + e, length + e, length + e};
bottom[] = Surface In BoundingBox{-e, -e, -e, length + e, length + e, e};
top[] = Surface In BoundingBox{-e, -e, length - e, length + e, length + e, length + e};
Physical Surface("left") = {left[0]};
Physical Surface("right") = {right[0]};
Physical Surface("front") = {front[0]};
Physical Surface("back") = {back[0]};
Physical Surface("bottom") = {bottom[0]};
Physical Surface("top") = {top[0]};
Physical Volume("gas") = {cube[1]};
