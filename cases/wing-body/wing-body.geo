// Straight tetrahedra round the body of wing-body.step, in a hemisphere of radius `far`: edges of length `near` at wing and body that grow by `growth` times the distance from them. They are `edge` times
// as long at the leading and trailing edge, at the tip and where wing and body meet, and half of that at nose and tail.
//   gmsh -3 wing-body.geo -format msh41 -o wing-body.msh
DefineConstant[ near = 0.1, growth = 0.35, edge = 0.2, far = 50 ];
SetFactory("OpenCASCADE");
Merge "wing-body.step";
Sphere(100) = {0.5, 0, 0, far};
Box(101) = {-2*far, -2*far, -2*far, 4*far, 2*far, 4*far};
BooleanDifference(102) = { Volume{100}; Delete; }{ Volume{1, 101}; Delete; };

all() = Abs(Boundary{ Volume{102}; });
For i In {0 : #all() - 1}
  b() = BoundingBox Surface{all(i)};
  If (b(4) - b(1) > 0.9*far)
    outside() += all(i);
  ElseIf (b(4) < 1e-3)
    symmetry() += all(i);
  ElseIf (b(4) > 1)
    wing() += all(i);
  Else
    body() += all(i);
  EndIf
EndFor
Physical Surface("far") = outside();
Physical Surface("symmetry") = symmetry();
Physical Surface("wing") = wing();
Physical Surface("body") = body();
Physical Volume("gas") = {102};

Field[1] = Distance; Field[1].FacesList = {wing(), body()}; Field[1].NNodesByEdge = 60;
lines() = Abs(Boundary{ Surface{wing()}; });
Field[2] = Distance; Field[2].EdgesList = {lines()}; Field[2].NNodesByEdge = 400;
Field[11] = MathEval; Field[11].F = Sprintf("%g + %g*F1", near, growth);
Field[12] = MathEval; Field[12].F = Sprintf("%g + %g*F2", edge*near, growth);
Field[13] = MathEval; Field[13].F = Sprintf("%g + %g*Sqrt((x + 1.5)^2 + y^2 + z^2)", 0.5*edge*near, growth);  // nose
Field[14] = MathEval; Field[14].F = Sprintf("%g + %g*Sqrt((x - 3.5)^2 + y^2 + z^2)", 0.5*edge*near, growth);  // tail
Field[20] = Min; Field[20].FieldsList = {11 : 14};
Background Field = 20;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm3D = 10;
