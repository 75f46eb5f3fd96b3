// Tetrahedra between a sphere of diameter 1 and one of radius `far`: edges of length `near` at the sphere that grow by `growth` times the distance from it.
//   gmsh -3 sphere.geo -order 2 -setnumber near 0.15 -format msh41 -o sphere.msh
DefineConstant[ near = 0.15, growth = 0.3, far = 10 ];
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, far};
Sphere(2) = {0, 0, 0, 0.5};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g*(Sqrt(x*x + y*y + z*z) - 0.5)", near, growth);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.Algorithm3D = 10;    // Hxt makes fewer elements with two sides on the wall, which fold when they are curved
inner() = Surface In BoundingBox {-0.6, -0.6, -0.6, 0.6, 0.6, 0.6};
outer() = Boundary{ Volume{3}; };
outer() -= inner();
Physical Surface("sphere") = inner();
Physical Surface("far") = outer();
Physical Volume("gas") = {3};
