// Writes thirty bodies as CAD files, for bench/cad_files.py: edges rounded and sharp, tori, lofts, plates, seams,
// degenerate edges, slivers; in mm, m and inches; as STEP, IGES and BREP. Gmsh cannot mesh
// all IGES files: twins/ has their bodies as BREP.
//   ninja -C build galerna_cad_bodies && build/galerna_cad_bodies FOLDER
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_GTransform.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepOffsetAPI_MakePipe.hxx>
#include <BRepOffsetAPI_ThruSections.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepTools.hxx>
#include <GeomAPI_Interpolate.hxx>
#include <Geom_BSplineCurve.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Writer.hxx>
#include <TColgp_HArray1OfPnt.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_Wire.hxx>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

namespace {

const gp_Dir along_x(1, 0, 0), along_y(0, 1, 0), along_z(0, 0, 1);

TopoDS_Shape box(double x, double y, double z) {
  return BRepPrimAPI_MakeBox(x, y, z).Shape();
}

TopoDS_Shape moved(const TopoDS_Shape& shape, double x, double y, double z) {
  gp_Trsf motion;
  motion.SetTranslation({x, y, z});
  return BRepBuilderAPI_Transform(shape, motion, true).Shape();
}

TopoDS_Shape rounded(const TopoDS_Shape& shape, double radius) {
  BRepFilletAPI_MakeFillet fillet(shape);
  for (TopExp_Explorer edge(shape, TopAbs_EDGE); edge.More(); edge.Next())
    fillet.Add(radius, TopoDS::Edge(edge.Current()));
  return fillet.Shape();
}

TopoDS_Shape chamfered(const TopoDS_Shape& shape, double width) {
  BRepFilletAPI_MakeChamfer chamfer(shape);
  for (TopExp_Explorer edge(shape, TopAbs_EDGE); edge.More(); edge.Next())
    chamfer.Add(width, TopoDS::Edge(edge.Current()));
  return chamfer.Shape();
}

TopoDS_Shape cylinder(const gp_Pnt& foot, const gp_Dir& along, double radius, double height) {
  return BRepPrimAPI_MakeCylinder(gp_Ax2(foot, along), radius, height).Shape();
}

TopoDS_Shape cut(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Cut(a, b).Shape();
}

TopoDS_Shape fused(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Fuse(a, b).Shape();
}

TopoDS_Wire circle(const gp_Pnt& centre, const gp_Dir& along, double radius) {
  return BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(centre, along), radius)));
}

TopoDS_Wire square(double z, double half) {
  BRepBuilderAPI_MakePolygon polygon;
  for (const auto& [x, y] : {std::pair(-half, -half), {half, -half}, {half, half}, {-half, half}})
    polygon.Add(gp_Pnt(x, y, z));
  polygon.Close();
  return polygon.Wire();
}

/// A NACA 0012 section in a plane y = const: upper and lower side, and a base where the trailing edge is blunt.
TopoDS_Wire section(double y, double nose, double chord, bool blunt) {
  constexpr int points = 40;
  const double last = blunt ? 0.1015 : 0.1036;
  const auto half = [&](double t) {
    return 0.6 * (0.2969 * std::sqrt(t) - 0.126 * t - 0.3516 * t * t + 0.2843 * t * t * t - last * t * t * t * t);
  };
  BRepBuilderAPI_MakeWire wire;
  for (const int side : {1, -1}) {
    Handle(TColgp_HArray1OfPnt) list = new TColgp_HArray1OfPnt(1, points + 1);
    for (int i = 0; i <= points; ++i) {
      const double s = static_cast<double>(i) / points, t = s * s, z = i == points && !blunt ? 0 : half(t);
      list->SetValue(i + 1, gp_Pnt(nose + chord * t, y, side * chord * z));
    }
    GeomAPI_Interpolate curve(list, false, 1e-9);
    curve.Perform();
    wire.Add(BRepBuilderAPI_MakeEdge(curve.Curve()));
  }
  if (blunt)
    wire.Add(
        BRepBuilderAPI_MakeEdge(gp_Pnt(nose + chord, y, -chord * half(1)), gp_Pnt(nose + chord, y, chord * half(1))));
  return wire;
}

TopoDS_Shape loft(const std::vector<TopoDS_Wire>& wires, bool ruled) {
  BRepOffsetAPI_ThruSections through(true, ruled);
  for (const TopoDS_Wire& wire : wires) through.AddWire(wire);
  return through.Shape();
}

TopoDS_Shape revolved(const TopoDS_Shape& profile, double angle) {
  return BRepPrimAPI_MakeRevol(profile, gp_Ax1({0, 0, 0}, along_z), angle).Shape();
}

/// In the plane y = 0, round a polygon.
TopoDS_Shape face_of(const std::vector<std::pair<double, double>>& corners) {
  BRepBuilderAPI_MakePolygon polygon;
  for (const auto& [x, z] : corners) polygon.Add(gp_Pnt(x, 0, z));
  polygon.Close();
  return BRepBuilderAPI_MakeFace(polygon.Wire()).Shape();
}

TopoDS_Shape pipe() {
  Handle(TColgp_HArray1OfPnt) list = new TColgp_HArray1OfPnt(1, 4);
  list->SetValue(1, {0, 0, 0});
  list->SetValue(2, {0, 1, 3});
  list->SetValue(3, {2, 2, 5});
  list->SetValue(4, {5, 2, 6});
  GeomAPI_Interpolate spine(list, false, 1e-9);
  spine.Perform();
  const TopoDS_Wire path = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(spine.Curve()));
  gp_Pnt start;
  gp_Vec along;
  spine.Curve()->D1(spine.Curve()->FirstParameter(), start, along);
  return BRepOffsetAPI_MakePipe(path, BRepBuilderAPI_MakeFace(circle(start, gp_Dir(along), 0.7))).Shape();
}

TopoDS_Shape ellipsoid() {
  gp_GTrsf stretch;
  stretch.SetValue(1, 1, 3);
  stretch.SetValue(3, 3, 0.5);
  const TopoDS_Shape sphere = BRepBuilderAPI_NurbsConvert(BRepPrimAPI_MakeSphere(1).Shape()).Shape();
  return BRepBuilderAPI_GTransform(sphere, stretch, true).Shape();
}

/// A box whose upper edge is cut off by so little that a sliver face is left.
TopoDS_Shape sliver() {
  const TopoDS_Shape wedge =
      BRepPrimAPI_MakePrism(face_of({{3, 2}, {3 - 2e-3, 2}, {3, 2 - 2e-3}}), gp_Vec(0, 4, 0)).Shape();
  return cut(box(3, 4, 2), wedge);
}

TopoDS_Shape block_with_holes() {
  TopoDS_Shape block = box(6, 4, 2);
  for (const double x : {1., 3., 5.}) block = cut(block, cylinder({x, 2, -1}, along_z, 0.6, 4));
  return cut(block, cylinder({-1, 2, 1}, along_x, 0.3, 8));
}

struct Body {
  const char* file;  ///< its ending says the format
  const char* unit;  ///< of the file: MM, M or INCH
  std::function<TopoDS_Shape()> make;
};

const std::vector<Body> bodies = {
    {"box.step", "MM", [] { return box(3, 4, 2); }},
    {"box-filleted.step", "MM", [] { return rounded(box(3, 4, 2), 0.4); }},
    {"box-filleted-widely.step", "M", [] { return rounded(box(3, 4, 2), 0.99); }},
    {"box-filleted.igs", "MM", [] { return rounded(box(3, 4, 2), 0.4); }},
    {"box-chamfered.brep", "MM", [] { return chamfered(box(3, 4, 2), 0.3); }},
    {"box-with-sliver.step", "MM", [] { return sliver(); }},
    {"block-with-holes.step", "M", [] { return block_with_holes(); }},
    {"block-with-holes.igs", "INCH", [] { return block_with_holes(); }},
    {"torus.step", "MM", [] { return BRepPrimAPI_MakeTorus(3, 1).Shape(); }},
    {"torus-thin.brep", "MM", [] { return BRepPrimAPI_MakeTorus(3, 0.1).Shape(); }},
    {"torus-part.igs", "M", [] { return BRepPrimAPI_MakeTorus(3, 1, 4).Shape(); }},
    {"torus-nurbs.step", "MM", [] { return BRepBuilderAPI_NurbsConvert(BRepPrimAPI_MakeTorus(3, 1).Shape()).Shape(); }},
    {"sphere.igs", "MM", [] { return BRepPrimAPI_MakeSphere(1).Shape(); }},
    {"sphere-far-off.step", "M", [] { return moved(BRepPrimAPI_MakeSphere(1).Shape(), 1000, -2000, 500); }},
    {"sphere-part.step", "MM", [] { return BRepPrimAPI_MakeSphere(1, -0.5, 1.2, 4).Shape(); }},
    {"ellipsoid.step", "MM", [] { return ellipsoid(); }},
    {"lens.brep", "MM",
     [] {
       return BRepAlgoAPI_Common(BRepPrimAPI_MakeSphere(2).Shape(), moved(BRepPrimAPI_MakeSphere(2).Shape(), 0, 0, 3))
           .Shape();
     }},
    {"cone.step", "MM", [] { return BRepPrimAPI_MakeCone(1, 0, 3).Shape(); }},
    {"cone-blunt.igs", "MM", [] { return BRepPrimAPI_MakeCone(1, 0.01, 3).Shape(); }},
    {"cylinder-rounded.step", "M",
     [] {
       return rounded(cylinder({0, 0, 0}, along_z, 1, 4), 0.3);
     }},
    {"cylinders-crossing.step", "MM",
     [] {
       return fused(cylinder({-3, 0, 0}, along_x, 1, 6), cylinder({0, -3, 0}, along_y, 0.8, 6));
     }},
    {"cylinders-crossing-equal.step", "MM",
     [] {
       return fused(cylinder({-3, 0, 0}, along_x, 1, 6), cylinder({0, -3, 0}, along_y, 1, 6));
     }},
    {"loft-square-to-circle.step", "MM",
     [] {
       return loft({square(0, 1), square(1, 0.9), circle({0, 0, 4}, along_z, 0.5)}, true);
     }},
    {"loft-smooth.step", "M",
     [] {
       return loft({circle({0, 0, 0}, along_z, 1), circle({1, 0, 2}, along_z, 0.4), circle({0, 0, 4}, along_z, 0.8)},
                   false);
     }},
    {"wing-blunt.step", "M",
     [] {
       return loft({section(0, 0, 1, true), section(1.5, 0.6, 0.5, true)}, true);
     }},
    {"wing-sharp.step", "MM",
     [] {
       return loft({section(0, 0, 1, false), section(1.5, 0.6, 0.5, false)}, true);
     }},
    {"wing-blunt.igs", "M",
     [] {
       return loft({section(0, 0, 1, true), section(1.5, 0.6, 0.5, true)}, true);
     }},
    {"plate-thin.step", "MM", [] { return box(10, 10, 0.05); }},
    {"plate-thin-bent.brep", "MM",
     [] {
       return revolved(face_of({{5, 0}, {5.05, 0}, {5.05, 4}, {5, 4}}), 2);
     }},
    {"pipe.step", "MM", [] { return pipe(); }},
};

void write(const Body& body, const std::filesystem::path& file) {
  const TopoDS_Shape shape = body.make();
  // Numbers of the bodies are those of the file, and shapes are in mm.
  gp_Trsf scale;
  const std::string unit = body.unit;
  scale.SetScale({0, 0, 0}, unit == "M" ? 1000 : unit == "INCH" ? 25.4 : 1);
  const TopoDS_Shape scaled = unit == "MM" ? shape : BRepBuilderAPI_Transform(shape, scale, true).Shape();
  bool written = false;
  if (file.extension() == ".brep") {
    written = BRepTools::Write(scaled, file.c_str());
  } else if (file.extension() == ".igs") {
    IGESControl_Writer writer(unit == "INCH" ? "IN" : body.unit, 0);
    writer.AddShape(scaled);
    writer.ComputeModel();
    std::filesystem::create_directories(file.parent_path() / "twins");
    written = writer.Write(file.c_str()) &&
              BRepTools::Write(scaled, (file.parent_path() / "twins" / file.stem()).replace_extension(".brep").c_str());
  } else {
    Interface_Static::SetCVal("write.step.unit", body.unit);  // which the writer looks at when it is made
    STEPControl_Writer writer;
    writer.Transfer(scaled, STEPControl_AsIs);
    written = writer.Write(file.c_str()) == IFSelect_RetDone;
  }
  if (!written) throw std::runtime_error("cannot be written");
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: " << words[0] << " FOLDER\n";
    return 2;
  }
  Message::DefaultMessenger()->ChangePrinters().Clear();
  IGESControl_Controller::Init();
  STEPControl_Controller::Init();
  std::filesystem::create_directories(words[1]);
  int failures = 0;
  for (const Body& body : bodies) try {
      write(body, std::filesystem::path(words[1]) / body.file);
    } catch (const Standard_Failure& failure) {
      std::cerr << body.file << ": " << failure.DynamicType()->Name() << " " << failure.GetMessageString() << "\n";
      ++failures;
    } catch (const std::exception& error) {
      std::cerr << body.file << ": " << error.what() << "\n";
      ++failures;
    }
  return failures == 0 ? 0 : 1;
}
