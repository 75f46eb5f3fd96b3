// An eighth of the unit ball, or the sixth of that between x = y, y = z and z = 0, where the flow is the same:
// gmsh -3 octant.geo -setnumber h 0.1 -setnumber sector 0 -format msh41 -o octant.msh
DefineConstant[ h = 0.1, sector = 0 ];
If (sector)
  Point(1) = {0, 0, 0, h};
  Point(2) = {1, 0, 0, h};
  Point(3) = {1/Sqrt(2), 1/Sqrt(2), 0, h};
  Point(4) = {1/Sqrt(3), 1/Sqrt(3), 1/Sqrt(3), h};
  Line(1) = {1, 2};
  Line(2) = {1, 3};
  Line(3) = {1, 4};
  Circle(4) = {2, 1, 3};
  Circle(5) = {3, 1, 4};
  Circle(6) = {2, 1, 4};
  Curve Loop(1) = {1, 4, -2};
  Curve Loop(2) = {2, 5, -3};
  Curve Loop(3) = {1, 6, -3};
  Curve Loop(4) = {4, 5, -6};
  Plane Surface(1) = {1};
  Plane Surface(2) = {2};
  Plane Surface(3) = {3};
  Surface(4) = {4};
  Surface Loop(1) = {1, 2, 3, 4};
  Volume(1) = {1};
  Physical Volume("gas") = {1};
  Physical Surface("symmetry") = {1, 2, 3};
  Physical Surface("outside") = {4};
Else
  SetFactory("OpenCASCADE");
  Sphere(1) = {0, 0, 0, 1, 0, Pi/2, Pi/2};
  MeshSize{ PointsOf{ Volume{1}; } } = h;
  Mesh.MeshSizeMax = h;
  Physical Volume("gas") = {1};
  sides() = Boundary{ Volume{1}; };
  x() = Surface In BoundingBox{-0.01, -0.01, -0.01, 0.01, 1.01, 1.01};
  y() = Surface In BoundingBox{-0.01, -0.01, -0.01, 1.01, 0.01, 1.01};
  z() = Surface In BoundingBox{-0.01, -0.01, -0.01, 1.01, 1.01, 0.01};
  outside() = sides();
  outside() -= {x(0), y(0), z(0)};
  Physical Surface("symmetry") = {x(0), y(0), z(0)};
  Physical Surface("outside") = {outside()};
EndIf
