// The NACA 0012 section with closed trailing edge (last coefficient -0.1036), chord 1, as CAD. With x = t^2 half the thickness is a polynomial of degree 8 in t, so that each side is exactly a
// Bezier curve: its points are sums of the coefficients of x and y, c_k t^k, times Binomial(i, k)/Binomial(8, k).
//   gmsh - section.geo
//   gmsh - section.geo -setstring file section.igs
DefineConstant[ file = "section.step" ];
SetFactory("OpenCASCADE");
a() = {0, 0.2969, -0.1260, 0, -0.3516, 0, 0.2843, 0, -0.1036};
For i In {0 : 8}
  x = 0;
  y = 0;
  share = 1;  // Binomial(i, k)/Binomial(8, k)
  For k In {0 : i}
    y = y + 0.6*a(k)*share;
    If (k == 2)
      x = share;
    EndIf
    share = share*(i - k)/(8 - k + (k == 8));
  EndFor
  If (i == 0 || i == 8)
    Point(1 + i) = {x, 0, 0};
    Point(101 + i) = {x, 0, 0};
  Else
    Point(1 + i) = {x, y, 0};
    Point(101 + i) = {x, -y, 0};
  EndIf
EndFor
Bezier(1) = {1 : 9};
Bezier(2) = {1, 102 : 108, 9};
Delete { Point{2 : 8, 102 : 108, 101, 109}; }
Save Str(file);
Exit;
