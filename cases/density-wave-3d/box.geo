// Periodic unit cube of about 6 n³ tetrahedra, or of n³ cubes, whose sides the case file has to pair:
//   gmsh -3 box.geo -setnumber n 6 [-setnumber cubes 1] -format msh41 -o box.msh
DefineConstant[ n = 6, cubes = 0 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
MeshSize{ PointsOf{ Volume{1}; } } = 1/n;
Periodic Surface {2} = {1} Translate {1, 0, 0};
Periodic Surface {4} = {3} Translate {0, 1, 0};
Periodic Surface {6} = {5} Translate {0, 0, 1};
If (cubes)
  Transfinite Curve {1 : 12} = n + 1; Transfinite Surface {1 : 6}; Recombine Surface {1 : 6}; Transfinite Volume {1};
EndIf
Physical Surface("left") = {1};
Physical Surface("right") = {2};
Physical Surface("front") = {3};
Physical Surface("back") = {4};
Physical Surface("bottom") = {5};
Physical Surface("top") = {6};
Physical Volume("gas") = {1};
