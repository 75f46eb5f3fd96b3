// Prisms round a cylinder of diameter 1 and length `long`, whose triangles lie on it: `layers` rings, the first of height `first`, each `growth` times as high as the one below it.
// `round` pairs of triangles in a quarter, `along` along the axis.
//   gmsh -3 prisms.geo -format msh41 -o prisms.msh
DefineConstant[ first = 1e-4, growth = 1.2, layers = 45, round = 6, along = 4, long = 1 ];
Point(1) = {0, 0, 0};
For q In {0 : 3}
  Point(10 + q) = {0.5*Cos(q*Pi/2), 0.5*Sin(q*Pi/2), 0};
EndFor
For q In {0 : 3}
  Circle(10 + q) = {10 + q, 1, 10 + (q + 1) % 4};
EndFor
Transfinite Curve {10 : 13} = round + 1;
For q In {0 : 3}
  all() = Extrude {0, 0, long} { Curve{10 + q}; Layers{along}; };
  wall() += all(1);
EndFor
height = 0;
For k In {1 : layers}
  height = height + first*growth^(k - 1);
  ones() += 1;
  heights() += height;
EndFor
For q In {0 : 3}
  all() = Extrude { Surface{wall(q)}; Layers{ones(), heights()}; Recombine; Using Index[0]; };
  far() += all(0);
  ends() += {all(2), all(4)};
  gas() += all(1);
EndFor
Physical Surface("cylinder") = wall();
Physical Surface("ends") = ends();
Physical Surface("far") = far();
Physical Volume("gas") = gas();
