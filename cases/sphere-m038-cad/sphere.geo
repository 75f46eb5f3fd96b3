// Straight tetrahedra between a sphere of diameter 1 and one of radius `far`: edges of length `near` at the sphere that grow by `growth` times the distance from it.
// With `cad` it writes the inner sphere as CAD instead.
//   gmsh - sphere.geo -setnumber cad 1
//   gmsh -3 sphere.geo -format msh41 -o sphere.msh
DefineConstant[ near = 0.2, growth = 0.4, far = 10, cad = 0 ];
SetFactory("OpenCASCADE");
Sphere(2) = {0, 0, 0, 0.5};
If (cad)
  Save "sphere.step";
  Exit;
EndIf
Sphere(1) = {0, 0, 0, far};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g*(Sqrt(x*x + y*y + z*z) - 0.5)", near, growth);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm3D = 10;
inner() = Surface In BoundingBox {-0.6, -0.6, -0.6, 0.6, 0.6, 0.6};
outer() = Boundary{ Volume{3}; };
outer() -= inner();
Physical Surface("sphere") = inner();
Physical Surface("far") = outer();
Physical Volume("gas") = {3};
