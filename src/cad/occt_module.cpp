// The library libgalerna_cad.so: the only source that is compiled against OpenCASCADE.
#include <BRepAdaptor_Curve.hxx>
#include <BRepBndLib.hxx>
#include <BRepGProp.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <BinTools.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Geom2d_Curve.hxx>
#include <Geom_Surface.hxx>
#include <IGESControl_Reader.hxx>
#include <IGESData_IGESModel.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Poly_Triangulation.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <Standard_Version.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>

#include "cad/kernel.hpp"

namespace {

using galerna::Vector;
using galerna::cad::Derivatives;
using galerna::cad::EdgeData;
using galerna::cad::FaceData;

std::string last_error;

/// Calls a function that may throw what OpenCASCADE throws.
template <class Work>
const char* guarded(const Work& work) {
  try {
    last_error = work();
  } catch (const Standard_Failure& failure) {
    last_error = std::string("OpenCASCADE failed: ") + failure.DynamicType()->Name() + " " + failure.GetMessageString();
  } catch (const std::exception& error) {
    last_error = std::string("OpenCASCADE failed: ") + error.what();
  }
  return last_error.empty() ? nullptr : last_error.c_str();
}

/// What was read.
struct Contents {
  TopoDS_Shape shape;
  std::string unit = "unknown";
  double millimetres = 0;               ///< of the unit, 0 where it is not known
  std::vector<std::string> face_names;  ///< [face], "" for none
};

TopTools_IndexedMapOfShape faces_of(const TopoDS_Shape& shape) {
  TopTools_IndexedMapOfShape faces;
  TopExp::MapShapes(shape, TopAbs_FACE, faces);
  return faces;
}

bool has_edges(const TopoDS_Shape& shape) {
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(shape, TopAbs_EDGE, edges);
  return edges.Extent() > 0;
}

/// Of the STEP entities that faces came from, or of the solids around them.
std::vector<std::string> names_of(const Handle(XSControl_TransferReader) & reader, const TopoDS_Shape& shape) {
  std::vector<std::string> names;
  const TopTools_IndexedMapOfShape faces = faces_of(shape);
  for (int f = 1; f <= faces.Extent(); ++f) {
    const auto item = Handle(StepRepr_RepresentationItem)::DownCast(reader->EntityFromShapeResult(faces(f), 1));
    const bool named = !item.IsNull() && !item->Name().IsNull();
    names.emplace_back(named ? item->Name()->ToCString() : "");
    if (names.back() == "NONE") names.back().clear();  // what some programs write where there is none
  }
  return names;
}

std::string read_step(const char* file, Contents& contents) {
  STEPControl_Reader reader;
  if (reader.ReadFile(file) != IFSelect_RetDone) return "is damaged, or no STEP file";
  TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
  reader.FileUnits(lengths, angles, solid_angles);
  if (lengths.Length() > 0) contents.unit = lengths.First().ToCString();
  // Shapes come in mm, whatever the file's unit.
  for (const auto& [name, size] : {std::pair<const char*, double>{"metre", 1000},
                                   {"millimetre", 1},
                                   {"MILLIMETRE", 1},
                                   {"METRE", 1000},
                                   {"centimetre", 10},
                                   {"CENTIMETRE", 10},
                                   {"micrometre", 1e-3},
                                   {"kilometre", 1e6},
                                   {"INCH", 25.4},
                                   {"inch", 25.4},
                                   {"FOOT", 304.8},
                                   {"foot", 304.8}})
    if (contents.unit == name) contents.millimetres = size;
  reader.TransferRoots();
  contents.shape = reader.OneShape();
  if (!contents.shape.IsNull()) contents.face_names = names_of(reader.WS()->TransferReader(), contents.shape);
  return "";
}

std::string read_iges(const char* file, Contents& contents) {
  IGESControl_Reader reader;
  if (reader.ReadFile(file) != IFSelect_RetDone) return "is damaged, or no IGES file";
  const Handle(IGESData_IGESModel) model = Handle(IGESData_IGESModel)::DownCast(reader.Model());
  if (!model.IsNull()) {
    if (!model->GlobalSection().UnitName().IsNull()) contents.unit = model->GlobalSection().UnitName()->ToCString();
    contents.millimetres = model->GlobalSection().UnitValue();
  }
  reader.TransferRoots();
  contents.shape = reader.OneShape();
  return "";
}

std::string read_brep(const char* file, Contents& contents) {
  BRep_Builder builder;
  return BRepTools::Read(contents.shape, file, builder) ? "" : "is damaged, or no BREP file";
}

/// By the first bytes.
std::string read_any(const char* file, Contents& contents) {
  std::ifstream stream(file, std::ios::binary);
  std::string beginning(4096, '\0');
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(stream.gcount()));
  if (beginning.empty()) return "is empty";
  if (beginning.find("ISO-10303-21") != std::string::npos) return read_step(file, contents);
  if (beginning.find("CASCADE Topology") != std::string::npos || beginning.find("DBRep_Drawable") != std::string::npos)
    return read_brep(file, contents);
  if (beginning.size() > 80 && beginning[72] == 'S') return read_iges(file, contents);
  return "is no STEP, IGES or BREP file";
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  return text;
}

std::string convert_file(const char* file, const char* shape, const char* info) {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  Contents contents;
  if (std::string error = read_any(file, contents); !error.empty()) return error;
  if (contents.shape.IsNull() || !has_edges(contents.shape)) return "has no faces or edges";
  if (!BinTools::Write(contents.shape, shape)) return "cannot be stored in the folder of temporary files";
  std::ofstream stream(info);
  stream.precision(17);
  stream << one_line(contents.unit) << "\n" << contents.millimetres << "\n";
  for (const std::string& name : contents.face_names) stream << one_line(name) << "\n";
  return stream ? "" : "cannot be stored in the folder of temporary files";
}

class Shape final : public galerna::cad::Geometry {
 public:
  Shape(TopoDS_Shape shape, double factor) : shape_(std::move(shape)), factor_(factor) {
    BRepMesh_IncrementalMesh(shape_, 0.01, true, 0.2, false);
    const TopTools_IndexedMapOfShape all = faces_of(shape_);
    for (int f = 1; f <= all.Extent(); ++f) add_face(TopoDS::Face(all(f)));
    add_edges(all);
  }

  std::array<Vector, 2> box() const override {
    Bnd_Box box;
    BRepBndLib::AddOptimal(shape_, box, false, false);
    return {scaled(box.CornerMin().XYZ()), scaled(box.CornerMax().XYZ())};
  }
  const std::vector<FaceData>& faces() const override { return faces_; }
  const std::vector<EdgeData>& edges() const override { return edges_; }

  Derivatives surface(std::size_t face, double u, double v) const override {
    gp_Pnt x;
    gp_Vec du, dv, duu, dvv, duv;
    surfaces_[face]->D2(u, v, x, du, dv, duu, dvv, duv);
    return {scaled(x.XYZ()),   scaled(du.XYZ()),  scaled(dv.XYZ()),
            scaled(duu.XYZ()), scaled(duv.XYZ()), scaled(dvv.XYZ())};
  }

  bool contains(std::size_t face, double u, double v) const override {
    return classifiers_[face]->Perform(gp_Pnt2d(u, v)) != TopAbs_OUT;
  }

  Derivatives curve(std::size_t edge, double t) const override {
    gp_Pnt x;
    gp_Vec d, dd;
    curves_[edge]->D2(t, x, d, dd);
    return {scaled(x.XYZ()), scaled(d.XYZ()), {}, scaled(dd.XYZ()), {}, {}};
  }

 private:
  Vector scaled(const gp_XYZ& x) const { return {factor_ * x.X(), factor_ * x.Y(), factor_ * x.Z()}; }

  void add_face(const TopoDS_Face& face) {
    const Handle(Geom_Surface) surface = BRep_Tool::Surface(face);
    FaceData data;
    BRepTools::UVBounds(face, data.bounds[0], data.bounds[1], data.bounds[2], data.bounds[3]);
    if (surface->IsUPeriodic()) data.periods[0] = surface->UPeriod();
    if (surface->IsVPeriodic()) data.periods[1] = surface->VPeriod();
    GProp_GProps area, perimeter;
    BRepGProp::SurfaceProperties(face, area);
    BRepGProp::LinearProperties(face, perimeter);
    data.area = factor_ * factor_ * area.Mass();
    data.perimeter = factor_ * perimeter.Mass();
    surfaces_.push_back(surface);
    classifiers_.push_back(std::make_unique<BRepTopAdaptor_FClass2d>(face, 1e-9));
    faces_.push_back(std::move(data));
    triangulate(face, faces_.back());
    if (faces_.back().triangles.empty()) sample(faces_.size() - 1);
  }

  void triangulate(const TopoDS_Face& face, FaceData& data) const {
    TopLoc_Location location;
    const Handle(Poly_Triangulation) triangles = BRep_Tool::Triangulation(face, location);
    if (triangles.IsNull() || !triangles->HasUVNodes()) return;
    for (int n = 1; n <= triangles->NbNodes(); ++n) {
      const gp_Pnt x = triangles->Node(n).Transformed(location.Transformation());
      const gp_Pnt2d uv = triangles->UVNode(n);
      data.points.push_back(scaled(x.XYZ()));
      data.parameters.push_back({uv.X(), uv.Y()});
    }
    for (int t = 1; t <= triangles->NbTriangles(); ++t) {
      int a = 0, b = 0, c = 0;
      triangles->Triangle(t).Get(a, b, c);
      data.triangles.push_back({a - 1, b - 1, c - 1});
    }
  }

  /// Where OpenCASCADE has no triangles: those of a grid whose middle lies in the face.
  void sample(std::size_t f) {
    constexpr int cells = 40;
    FaceData& data = faces_[f];
    for (int i = 0; i <= cells; ++i)
      for (int j = 0; j <= cells; ++j) {
        const double u = data.bounds[0] + (data.bounds[1] - data.bounds[0]) * i / cells,
                     v = data.bounds[2] + (data.bounds[3] - data.bounds[2]) * j / cells;
        data.points.push_back(surface(f, u, v).x);
        data.parameters.push_back({u, v});
      }
    for (int i = 0; i < cells; ++i)
      for (int j = 0; j < cells; ++j) {
        const int a = i * (cells + 1) + j, b = a + cells + 1;
        const auto& low = data.parameters[static_cast<std::size_t>(a)];
        const auto& high = data.parameters[static_cast<std::size_t>(b + 1)];
        if (!contains(f, 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]))) continue;
        data.triangles.push_back({a, b, b + 1});
        data.triangles.push_back({a, b + 1, a + 1});
      }
  }

  void add_edges(const TopTools_IndexedMapOfShape& all_faces) {
    TopTools_IndexedDataMapOfShapeListOfShape all;
    TopExp::MapShapesAndAncestors(shape_, TopAbs_EDGE, TopAbs_FACE, all);
    for (int e = 1; e <= all.Extent(); ++e) {
      const TopoDS_Edge edge = TopoDS::Edge(all.FindKey(e));
      if (BRep_Tool::Degenerated(edge)) continue;
      EdgeData data;
      std::vector<TopoDS_Face> own;
      for (const TopoDS_Shape& face : all(e)) {
        if (own.size() < 2) data.faces[own.size()] = all_faces.FindIndex(face) - 1;
        own.push_back(TopoDS::Face(face));
      }
      auto curve = std::make_unique<BRepAdaptor_Curve>(edge);
      GProp_GProps length;
      BRepGProp::LinearProperties(edge, length);
      data.length = factor_ * length.Mass();
      add_points(*curve, data);
      data.angle = own.size() == 2 ? largest_angle(edge, own, data) : 180;
      if (own.size() == 1 && BRep_Tool::IsClosed(edge, own[0])) data.angle = 0;  // a seam
      curves_.push_back(std::move(curve));
      edges_.push_back(std::move(data));
    }
  }

  void add_points(const BRepAdaptor_Curve& curve, EdgeData& data) const {
    const double first = curve.FirstParameter(), last = curve.LastParameter();
    const int steps = 64 + 4 * curve.NbIntervals(GeomAbs_C2);
    for (int i = 0; i <= steps; ++i) {
      const double t = i == steps ? last : first + (last - first) * i / steps;
      data.parameters.push_back(t);
      data.points.push_back(scaled(curve.Value(t).XYZ()));
    }
  }

  /// Between the outward normals of both faces.
  static double largest_angle(const TopoDS_Edge& edge, const std::vector<TopoDS_Face>& faces, const EdgeData& data) {
    if (faces[0].IsSame(faces[1])) return 0;
    double angle = 0;
    for (int i = 1; i < 10; ++i) {
      const double t = data.parameters.front() + (data.parameters.back() - data.parameters.front()) * i / 10;
      gp_Vec normals[2];
      for (std::size_t f = 0; f < 2; ++f) normals[f] = normal(edge, faces[f], t);
      if (normals[0].Magnitude() > 0 && normals[1].Magnitude() > 0)
        angle = std::max(angle, normals[0].Angle(normals[1]) * 180 / M_PI);
    }
    return angle;
  }

  static gp_Vec normal(const TopoDS_Edge& edge, const TopoDS_Face& face, double t) {
    double first = 0, last = 0;
    const Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face, first, last);
    if (curve.IsNull()) return {};
    const gp_Pnt2d uv = curve->Value(t);
    gp_Pnt x;
    gp_Vec du, dv;
    BRep_Tool::Surface(face)->D1(uv.X(), uv.Y(), x, du, dv);
    gp_Vec n = du.Crossed(dv);
    if (n.Magnitude() < 1e-12 * du.Magnitude() * dv.Magnitude() || n.Magnitude() == 0) return {};
    if (face.Orientation() == TopAbs_REVERSED) n.Reverse();
    return n;
  }

  TopoDS_Shape shape_;
  double factor_;
  std::vector<FaceData> faces_;
  std::vector<EdgeData> edges_;
  std::vector<Handle(Geom_Surface)> surfaces_;
  std::vector<std::unique_ptr<BRepTopAdaptor_FClass2d>> classifiers_;
  std::vector<std::unique_ptr<BRepAdaptor_Curve>> curves_;
};

std::string load_shape(const char* file, double factor, galerna::cad::Geometry** geometry) {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  TopoDS_Shape shape;
  if (!BinTools::Read(shape, file)) return "cannot be read from the folder of temporary files";
  *geometry = new Shape(shape, factor);
  return "";
}

const char* convert(const char* file, const char* shape, const char* info) {
  return guarded([&] { return convert_file(file, shape, info); });
}

const char* load(const char* shape, double factor, galerna::cad::Geometry** geometry) {
  return guarded([&] { return load_shape(shape, factor, geometry); });
}

const char* library() {
  return "OpenCASCADE " OCC_VERSION_COMPLETE;
}

}  // namespace

const GalernaCad* galerna_cad() {
  static constexpr GalernaCad functions{galerna_cad_version, library, convert, load};
  return &functions;
}
