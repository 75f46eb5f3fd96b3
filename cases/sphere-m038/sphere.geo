// Tetrahedra between a sphere of diameter 1 and one of radius `far`: edges of length `near` at the sphere that grow by `growth` times the distance from it.
// `order` is that of the geometry, for elements at the spheres; the others are straight.
//   gmsh -3 sphere.geo -setnumber near 0.15 -setnumber order 2 -format msh41 -o sphere.msh
DefineConstant[ near = 0.2, growth = 0.4, far = 10, order = 2 ];
SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, far};
Sphere(2) = {0, 0, 0, 0.5};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Field[1] = MathEval;
Field[1].F = Sprintf("%g + %g*(Sqrt(x*x + y*y + z*z) - 0.5)", near, growth);
Background Field = 1;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.ElementOrder = order;
Mesh.Algorithm3D = 10;    // Hxt makes fewer elements with two sides on the wall, which fold when they are curved
inner() = Surface In BoundingBox {-0.6, -0.6, -0.6, 0.6, 0.6, 0.6};
outer() = Boundary{ Volume{3}; };
outer() -= inner();
Physical Surface("sphere") = inner();
Physical Surface("far") = outer();
Physical Volume("gas") = {3};
