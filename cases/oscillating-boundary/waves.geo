// Square whose sides are waves, of unstructured triangles of size h: gmsh -2 waves.geo -setnumber h 0.02 -o waves.msh
// The waves are made of straight pieces, the same for every h. With h = 0.00215 there are about 500,000 triangles.
DefineConstant[ h = 0.02, amplitude = 0.01, waves = 20, pieces = 12 ];
n = waves * pieces; // of straight pieces a side
For k In {0 : n - 1}
  s = k / n;
  w = amplitude * Sin(2 * Pi * waves * s);
  Point(1 + k) = {s, -w, 0};
  Point(1 + n + k) = {1 + w, s, 0};
  Point(1 + 2 * n + k) = {1 - s, 1 + w, 0};
  Point(1 + 3 * n + k) = {-w, 1 - s, 0};
EndFor
For k In {1 : 4 * n - 1}
  Line(k) = {k, k + 1};
EndFor
Line(4 * n) = {4 * n, 1};
Curve Loop(1) = {1 : 4 * n};
Plane Surface(1) = {1};
Physical Curve("boundary") = {1 : 4 * n};
Physical Surface("domain") = {1};
Mesh.MeshSizeMax = h;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.Algorithm = 6;
