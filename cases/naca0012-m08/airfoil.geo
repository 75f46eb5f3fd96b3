// NACA 0012 with closed trailing edge (last coefficient -0.1036), chord 1, in a circle of radius 50.
// h0: size at leading and trailing edge; h1: along the airfoil: gmsh -2 airfoil.geo -o airfoil.msh. With `quads = 1` quadrilaterals; with
// `space = 1` one layer of depth 1 along z, of prisms or hexahedra (gmsh -3), whose geometry is of `order` 2 or more.
DefineConstant[ h0 = 0.012, h1 = 0.03, far = 15, order = 1, quads = 0, space = 0 ];
n = 40;
// Upper side from the trailing edge to the leading edge, x = (1 + cos(theta))/2; then the lower side back.
For i In {0 : n}
  x = 0.5*(1 + Cos(Pi*i/n));
  y = 0.6*(0.2969*Sqrt(x) - 0.1260*x - 0.3516*x^2 + 0.2843*x^3 - 0.1036*x^4);
  If (i == 0 || i == n)
    Point(1 + i) = {x, 0, 0, h0};
  Else
    Point(1 + i) = {x, y, 0, h1};
    Point(1001 + i) = {x, -y, 0, h1};
  EndIf
EndFor
upper[] = {1};
lower[] = {1};
For i In {1 : n - 1}
  upper[] += 1 + i;
  lower[] += 1001 + i;
EndFor
upper[] += n + 1;
lower[] += n + 1;
Spline(1) = upper[];
Spline(2) = lower[];
Point(2001) = {0.5, 0, 0, far};
Point(2002) = {50.5, 0, 0, far};
Point(2003) = {0.5, 50, 0, far};
Point(2004) = {-49.5, 0, 0, far};
Point(2005) = {0.5, -50, 0, far};
Circle(11) = {2002, 2001, 2003};
Circle(12) = {2003, 2001, 2004};
Circle(13) = {2004, 2001, 2005};
Circle(14) = {2005, 2001, 2002};
Curve Loop(1) = {11, 12, 13, 14};
Curve Loop(2) = {1, -2};
Plane Surface(1) = {1, 2};
Mesh.Algorithm = 6;
Mesh.ElementOrder = order;
If (quads)
  Recombine Surface{1};
EndIf
If (space)
  // The far end, the volume, and the sides over the curves of the surface's two loops, in their order.
  made[] = Extrude {0, 0, 1} { Surface{1}; Layers{1}; Recombine; };
  Physical Surface("far") = {made[2], made[3], made[4], made[5]};
  Physical Surface("airfoil") = {made[6], made[7]};
  Physical Surface("ends") = {1, made[0]};
  Physical Volume("gas") = {made[1]};
Else
  Physical Curve("airfoil") = {1, 2};
  Physical Curve("far") = {11, 12, 13, 14};
  Physical Surface("gas") = {1};
EndIf
