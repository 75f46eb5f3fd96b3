// Hexahedra between a sphere of diameter 1 and one of radius `far`: six faces of a cube blown up (each of 2n x 2n cells), layers whose thickness grows from `first` at
// the sphere by a factor of about 1 + growth. The gas is x, y, z of any sign (parts = 8), z > 0 (4) or y, z > 0 (2), with planes of symmetry.
//   gmsh -3 sphere.geo -setnumber n 4 -setnumber first 0.06 -format msh41 -o sphere.msh
DefineConstant[ n = 3, first = 0.08, growth = 0.25, far = 20, order = 2, parts = 2 ];
layers = Round(Log(1 + growth*(far - 0.5)/first)/Log(1 + growth));
// The factor with which `layers` layers from `first` reach `far`, by Newton's method.
factor = 1 + growth;
For k In {1 : 20}
  sum = (factor^layers - 1)/(factor - 1);
  slope = (layers*factor^(layers - 1) - sum)/(factor - 1);
  factor -= (sum - (far - 0.5)/first)/slope;
EndFor
least_y = parts == 2 ? 0 : -1;
least_z = parts == 8 ? -1 : 0;

// Directions (i, j, k) of a cube's faces, edges and corners have the number 9(i + 1) + 3(j + 1) + k + 1: of points on the sphere; on the far one 100 more, of the line between them 200 more.
Point(99) = {0, 0, 0};
For i In {-1 : 1}
  For j In {least_y : 1}
    For k In {least_z : 1}
      length = Sqrt(i*i + j*j + k*k);
      If (length > 0)
        at = 9*(i + 1) + 3*(j + 1) + k + 1;
        Point(at) = {0.5*i/length, 0.5*j/length, 0.5*k/length};
        Point(at + 100) = {far*i/length, far*j/length, far*k/length};
        Line(at + 200) = {at, at + 100};
        Transfinite Curve {at + 200} = layers + 1 Using Progression factor;
      EndIf
    EndFor
  EndFor
EndFor

// From the middle of a cube's edge, number e, arcs run to those of two faces and of two corners, number b: 1000 + 30e + b, on the far sphere 2000 more, the surface between them 4000 more.
For i In {-1 : 1}
  For j In {least_y : 1}
    For k In {least_z : 1}
      If (i*i + j*j + k*k == 2)
        e = 9*(i + 1) + 3*(j + 1) + k + 1;
        If (i == 0)
          ends[] = {e - 3*j, e - k, e - 9, e + 9};
          inside[] = {1, 1, 1, 1};
        ElseIf (j == 0)
          ends[] = {e - 9*i, e - k, e + 3, e - 3};
          inside[] = {1, 1, 1, least_y < 0};
        Else
          ends[] = {e - 9*i, e - 3*j, e + 1, e - 1};
          inside[] = {1, 1, 1, least_z < 0};
        EndIf
        For m In {0 : 3}
          If (inside[m])
            b = ends[m];
            arc = 1000 + 30*e + b;
            Circle(arc) = {e, 99, b};
            Circle(arc + 2000) = {e + 100, 99, b + 100};
            Transfinite Curve {arc, arc + 2000} = n + 1;
            Curve Loop(arc + 4000) = {arc, b + 200, -(arc + 2000), -(e + 200)};
            Plane Surface(arc + 4000) = {arc + 4000};
          EndIf
        EndFor
      EndIf
    EndFor
  EndFor
EndFor

// Three blocks in each octant: from the middle of a face, number a, along edges e and f to the corner c.
sphere[] = {};
outer[] = {};
gas[] = {};
For i In {-1 : 1 : 2}
  For j In {least_y == 0 ? 1 : -1 : 1 : 2}
    For k In {least_z == 0 ? 1 : -1 : 1 : 2}
      c = 9*(i + 1) + 3*(j + 1) + k + 1;
      For m In {0 : 2}
        If (m == 0)
          a = c - 3*j - k;
          e = c - k;
          f = c - 3*j;
        ElseIf (m == 1)
          a = c - 9*i - k;
          e = c - 9*i;
          f = c - k;
        Else
          a = c - 9*i - 3*j;
          e = c - 3*j;
          f = c - 9*i;
        EndIf
        block = 10000 + 10*c + m;
        ea = 1000 + 30*e + a;
        ec = 1000 + 30*e + c;
        fc = 1000 + 30*f + c;
        fa = 1000 + 30*f + a;
        Curve Loop(block) = {-ea, ec, -fc, fa};
        Surface(block) = {block} In Sphere {99};
        Curve Loop(block + 1000) = {-(ea + 2000), ec + 2000, -(fc + 2000), fa + 2000};
        Surface(block + 1000) = {block + 1000} In Sphere {99};
        Surface Loop(block) = {block, block + 1000, ea + 4000, ec + 4000, fc + 4000, fa + 4000};
        Volume(block) = {block};
        sphere[] += block;
        outer[] += block + 1000;
        gas[] += block;
      EndFor
    EndFor
  EndFor
EndFor
Transfinite Surface "*";
Recombine Surface "*";
Transfinite Volume "*";
Mesh.ElementOrder = order;
e = 1e-3;
Physical Surface("sphere") = sphere[];
Physical Surface("far") = outer[];
Physical Volume("gas") = gas[];
If (parts < 8)
  Physical Surface("bottom") = Surface In BoundingBox {-far - e, -far - e, -e, far + e, far + e, e};
EndIf
If (parts == 2)
  Physical Surface("front") = Surface In BoundingBox {-far - e, -e, -far - e, far + e, e, far + e};
EndIf
