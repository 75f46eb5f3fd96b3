// O-mesh around a circle of diameter 1 to a circle of radius `far`: n cells around, m across, in quadrilaterals or, with triangles = 1, each of them
// cut in two: gmsh -2 ogrid.geo -setnumber n 32 -setnumber m 16 -o ogrid.msh
DefineConstant[ n = 32, m = 16, far = 20, triangles = 0 ];
ratio = (2*far)^(1/m);    // of one cell's width to the next: cells keep their shape
Point(1) = {0, 0, 0};
For i In {0 : 3}
  c = Cos(i*Pi/2);
  s = Sin(i*Pi/2);
  Point(11 + i) = {0.5*c, 0.5*s, 0};
  Point(21 + i) = {far*c, far*s, 0};
  Line(31 + i) = {11 + i, 21 + i};
EndFor
For i In {0 : 3}
  j = (i + 1) % 4;
  Circle(11 + i) = {11 + i, 1, 11 + j};
  Circle(21 + i) = {21 + i, 1, 21 + j};
EndFor
Transfinite Curve {11 : 14, 21 : 24} = n/4 + 1;
Transfinite Curve {31 : 34} = m + 1 Using Progression ratio;
For i In {0 : 3}
  j = (i + 1) % 4;
  Curve Loop(11 + i) = {31 + i, 21 + i, -(31 + j), -(11 + i)};
  Plane Surface(11 + i) = {11 + i};
  Transfinite Surface {11 + i};
  If (!triangles)
    Recombine Surface {11 + i};
  EndIf
EndFor
Physical Curve("cylinder") = {11 : 14};
Physical Curve("far") = {21 : 24};
Physical Surface("gas") = {11 : 14};
