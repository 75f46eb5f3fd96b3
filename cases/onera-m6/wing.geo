// ONERA M6 in a hemisphere of 100 root chords, from STEP: edges of length `near` on the wing grow by `growth` times the distance from it. They are `edge` times as long at the leading edge,
// at the trailing edge and at the tip.
//   gmsh -3 wing.geo -setnumber near 0.03 -format msh41 -o wing.msh
DefineConstant[ near = 0.04, growth = 0.3, edge = 0.2 ];
SetFactory("OpenCASCADE");
Merge "onera-m6-sharp-te.stp";
Field[1] = Distance; Field[1].FacesList = {3, 4}; Field[1].NNodesByEdge = 100;
Field[2] = Distance; Field[2].EdgesList = {9, 10, 13}; Field[2].NNodesByEdge = 1000;     // leading edge
Field[3] = Distance; Field[3].EdgesList = {12, 15, 16}; Field[3].NNodesByEdge = 1000;    // trailing edge and its strips
Field[4] = Distance; Field[4].EdgesList = {19, 20, 24, 25}; Field[4].NNodesByEdge = 1000;  // tip
Field[11] = MathEval; Field[11].F = Sprintf("%g + %g*F1", near, growth);
For i In {2:4}
  Field[10 + i] = MathEval; Field[10 + i].F = Sprintf("%g + %g*F%g", edge*near, growth, i);
EndFor
Field[20] = Min; Field[20].FieldsList = {11, 12, 13, 14};
Background Field = 20;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm3D = 10;
Physical Surface("far") = {1};
Physical Surface("symmetry") = {2};
Physical Surface("wing") = {3 : 12};
Physical Volume("gas") = {1};
