// C-mesh of quadrilaterals around the NACA 0012 section with closed trailing edge (last coefficient -0.1036), chord 1.
// n: cells along each side of the section, k: along the wake, m: across: gmsh -2 airfoil.geo -o airfoil.msh
DefineConstant[ n = 32, k = 24, m = 24, far = 15, across = 1.32, wake = 1.16, ends = 0.15 ];
points = 80;
For i In {0 : points}
  x = 0.5*(1 + Cos(Pi*i/points));
  y = 0.6*(0.2969*Sqrt(x) - 0.1260*x - 0.3516*x^2 + 0.2843*x^3 - 0.1036*x^4);
  If (i == 0 || i == points)
    Point(1 + i) = {x, 0, 0};
  Else
    Point(1 + i) = {x, y, 0};
    Point(1001 + i) = {x, -y, 0};
  EndIf
EndFor
upper[] = {1};
lower[] = {1};
For i In {1 : points - 1}
  upper[] += 1 + i;
  lower[] += 1001 + i;
EndFor
upper[] += points + 1;
lower[] += points + 1;
Spline(1) = upper[];
Spline(2) = lower[];
edge = 1;
nose = points + 1;
Point(2001) = {1, far, 0};
Point(2002) = {1 - far, 0, 0};
Point(2003) = {1, -far, 0};
Point(2004) = {1 + far, far, 0};
Point(2005) = {1 + far, 0, 0};
Point(2006) = {1 + far, -far, 0};
Circle(11) = {2001, edge, 2002};
Circle(12) = {2003, edge, 2002};
Line(13) = {2001, 2004};
Line(14) = {2003, 2006};
Line(15) = {edge, 2005};
Line(21) = {edge, 2001};
Line(22) = {nose, 2002};
Line(23) = {edge, 2003};
Line(24) = {2005, 2004};
Line(25) = {2005, 2006};
Curve Loop(1) = {21, 11, -22, -1};
Curve Loop(2) = {2, 22, -12, -23};
Curve Loop(3) = {15, 24, -13, -21};
Curve Loop(4) = {23, 14, -25, -15};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Plane Surface(4) = {4};
Transfinite Curve {1, 2} = n + 1 Using Bump ends;
Transfinite Curve {11, 12} = n + 1;
Transfinite Curve {15, 13, 14} = k + 1 Using Progression wake;
Transfinite Curve {21 : 25} = m + 1 Using Progression across;
Transfinite Surface {1 : 4};
Recombine Surface {1 : 4};
Physical Curve("airfoil") = {1, 2};
Physical Curve("far") = {11 : 14, 24, 25};
Physical Surface("gas") = {1 : 4};
