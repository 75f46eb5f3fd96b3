#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/index.hpp"
#include "cad/model.hpp"

namespace galerna::cad {
namespace {

constexpr double sharp = 10;   // degrees
constexpr double thin = 0.02;  // width of a sliver by half of its perimeter
constexpr std::size_t shown = 10;

/// That of a long rectangle of the same area and perimeter.
double width(const FaceData& face) {
  return face.perimeter > 0 ? 2 * face.area / face.perimeter : std::sqrt(face.area);
}

bool is_sliver(const FaceData& face) {
  return width(face) < thin * 0.5 * face.perimeter;
}

Vector middle(const FaceData& face) {
  Vector sum{};
  for (const Vector& x : face.points) sum = plus(sum, x);
  return times(1 / std::max<double>(1, static_cast<double>(face.points.size())), sum);
}

std::string name_of(const Model& model, std::size_t face) {
  const std::string& name = model.face_name(face);
  return name.empty() ? fmt::format("face {}", face + 1) : fmt::format("face {} '{}'", face + 1, name);
}

}  // namespace

std::string describe(const Model& model) {
  const std::vector<FaceData>& faces = model.geometry().faces();
  const std::vector<EdgeData>& edges = model.geometry().edges();
  const mesh::Box box = model.box();
  std::string text = fmt::format("{}\n  unit              {}\n  bounding box      {} to {}\n", model.file(),
                                 model.unit(), mesh::to_text(box.lower, 3), mesh::to_text(box.upper, 3));
  std::vector<std::size_t> order(faces.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return faces[a].area < faces[b].area; });
  const auto slivers = std::count_if(faces.begin(), faces.end(), is_sliver);
  if (!faces.empty())
    text += fmt::format("  faces             {}, area {:.4g} to {:.4g}, {} sliver{}\n", faces.size(),
                        faces[order.front()].area, faces[order.back()].area, slivers, slivers == 1 ? "" : "s");
  if (!edges.empty()) {
    const auto [least, most] = std::minmax_element(
        edges.begin(), edges.end(), [](const EdgeData& a, const EdgeData& b) { return a.length < b.length; });
    const auto sharp_edges =
        std::count_if(edges.begin(), edges.end(), [](const EdgeData& e) { return e.angle > sharp; });
    text += fmt::format("  edges             {}, length {:.4g} to {:.4g}, {} sharper than {:g} degrees\n", edges.size(),
                        least->length, most->length, sharp_edges, sharp);
  }
  for (std::size_t i = 0; i < std::min(shown, order.size()); ++i) {
    const FaceData& face = faces[order[i]];
    text += fmt::format("    {}: area {:.4g}, width {:.3g}, at {}{}\n", name_of(model, order[i]), face.area,
                        width(face), mesh::to_text(middle(face), 3), is_sliver(face) ? ", a sliver" : "");
  }
  if (order.size() > shown) text += fmt::format("    and {} larger faces\n", order.size() - shown);
  return text;
}

}  // namespace galerna::cad
