// Half of a swept wing on a body of revolution, as CAD. x runs along the stream and y along the span. The wing has NACA 0012 sections with closed trailing edge, of chord 1 at y = 0 and 0.5 at the tip
// y = 2, and a leading edge swept by 30 degrees. The body is a cylinder of radius 0.3 that meets ellipsoids tangentially at both ends.
//   gmsh - body.geo
SetFactory("OpenCASCADE");

// Body: the profile below the axis, turned by half a turn through y > 0.
radius = 0.3; nose = -1.5; front = -0.3; back = 1.5; tail = 3.5;
Point(1) = {nose, 0, 0};
Point(2) = {front, 0, 0};
Point(3) = {front, 0, -radius};
Point(4) = {back, 0, -radius};
Point(5) = {back, 0, 0};
Point(6) = {tail, 0, 0};
Ellipse(1) = {1, 2, 1, 3};
Line(2) = {3, 4};
Ellipse(3) = {6, 5, 6, 4};
Line(4) = {6, 1};
Curve Loop(1) = {1, 2, -3, 4};
Plane Surface(1) = {1};
body() = Extrude { {1, 0, 0}, {0, 0, 0}, Pi } { Surface{1}; };

// Wing: with x = t^2 half the thickness is a polynomial of degree 8 in t, so that each side of a section is a Bezier curve.
a() = {0, 0.2969, -0.1260, 0, -0.3516, 0, 0.2843, 0, -0.1036};
For s In {0 : 1}
  chord = 1 - 0.5*s;
  For i In {0 : 8}
    x = 0; z = 0; share = 1;  // Binomial(i, k)/Binomial(8, k)
    For k In {0 : i}
      z = z + 0.6*a(k)*share;
      If (k == 2)
        x = share;
      EndIf
      share = share*(i - k)/(8 - k + (k == 8));
    EndFor
    If (i == 0 || i == 8)
      z = 0;
    EndIf
    Point(100 + 100*s + i) = {2*s*Tan(Pi/6) + chord*x, 2*s, chord*z};
    Point(150 + 100*s + i) = {2*s*Tan(Pi/6) + chord*x, 2*s, -chord*z};
  EndFor
  b = 100 + 100*s;
  Bezier(b) = {b : b + 8};
  Bezier(b + 1) = {b, b + 51 : b + 57, b + 8};
  Curve Loop(b) = {b, -(b + 1)};
EndFor
Ruled ThruSections(50) = {100, 200};

BooleanUnion(60) = { Volume{body(1)}; Delete; }{ Volume{50}; Delete; };
Save "wing-body.step";
Exit;
