#include "dg/element_reference.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <utility>

#include "basis/basis.hpp"
#include "dg/turned_basis.hpp"

namespace galerna::tests {

template <int dimension>
class MetricReference<dimension>::Loops {
 public:
  Loops(const mesh::Mesh& mesh, int degree, Beyond ghost, Flux flux)
      : mesh_(mesh),
        operators_(dg::make_block_operators(mesh, degree)),
        ghost_(std::move(ghost)),
        flux_(std::move(flux)) {
    std::size_t next = 0;
    for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
      metrics_.push_back(dg::make_metric(mesh, static_cast<int>(b), operators_[b]));
      first_.push_back(next);
      next += static_cast<std::size_t>(mesh.blocks[b].size() * variables * operators_[b].modes);
    }
    size_ = next;
  }

  std::size_t size() const { return size_; }

  std::vector<double> operator()(const std::vector<double>& c) const {
    std::vector<double> rhs(size_, 0.0);
    for (const auto& [place, element] : elements()) add_volume(place, c, rhs);
    for (const mesh::Face& face : mesh_.faces) add_face(face, c, rhs);
    for (const auto& [place, element] : elements()) divide_by_mass(place, rhs);
    return rhs;
  }

  std::vector<double> project(const Field& f) const {
    std::vector<double> c(size_, 0.0);
    for (const auto& [place, element] : elements()) {
      const auto& [b, e] = place;
      const basis::Matrix& basis = operators_[b].volume_basis;
      basis::Matrix mass = basis::Matrix::Zero(basis.cols(), basis.cols()),
                    moments = basis::Matrix::Zero(basis.cols(), variables);
      for (int q = 0; q < metrics_[b].volume_points; ++q) {
        const State value = f(position(place, q));
        const double weight = operators_[b].volume.weights[static_cast<std::size_t>(q)] * jacobian(place, q);
        mass += weight * basis.row(q).transpose() * basis.row(q);
        for (int v = 0; v < variables; ++v) moments.col(v) += weight * value[v] * basis.row(q).transpose();
      }
      matrix(c, place) = mass.ldlt().solve(moments).transpose();
    }
    return c;
  }

  double density_error(const std::vector<double>& c, const Field& f, int variable) const {
    double sum = 0;
    for (const auto& [place, element] : elements()) {
      const auto& [b, e] = place;
      for (int q = 0; q < metrics_[b].volume_points; ++q) {
        const double difference =
            state(matrix(c, place), operators_[b].volume_basis, q)[variable] - f(position(place, q))[variable];
        sum += operators_[b].volume.weights[static_cast<std::size_t>(q)] * jacobian(place, q) * difference * difference;
      }
    }
    return std::sqrt(sum);
  }

  State integrals(const std::vector<double>& c) const {
    State sum{};
    for (const auto& [place, element] : elements())
      for (int v = 0; v < variables; ++v) sum[v] += means(place).dot(matrix(c, place).row(v));
    return sum;
  }

  const std::vector<dg::Metric>& metrics() const { return metrics_; }
  const std::vector<dg::Operators>& operators() const { return operators_; }

 private:
  struct Place {
    std::size_t b;  ///< block
    mesh::Index e;  ///< position in it
  };
  struct Element {
    Place place;
    mesh::Index element;
  };
  using Modes = Eigen::Map<const basis::Matrix>;

  std::vector<Element> elements() const {
    std::vector<Element> all;
    for (std::size_t b = 0; b < metrics_.size(); ++b)
      for (mesh::Index e = 0; e < metrics_[b].elements; ++e)
        all.push_back({{b, e}, static_cast<mesh::Index>(all.size())});
    return all;
  }

  Place locate(mesh::Index element) const {
    const auto [block, position] = mesh_.locate(element);
    return {static_cast<std::size_t>(block), position};
  }

  /// [variable][mode] of an element.
  Modes matrix(const std::vector<double>& c, const Place& p) const {
    return {c.data() + offset(p), variables, modes(p)};
  }
  Eigen::Map<basis::Matrix> matrix(std::vector<double>& c, const Place& p) const {
    return {c.data() + offset(p), variables, modes(p)};
  }
  int modes(const Place& p) const { return operators_[p.b].modes; }
  std::size_t offset(const Place& p) const {
    return first_[p.b] + static_cast<std::size_t>(p.e * variables * modes(p));
  }

  static Vector vector(const double* from) {
    Vector v;
    for (int k = 0; k < dimension; ++k) v[k] = from[k];
    return v;
  }
  static mesh::Point point(const double* from) { return {from[0], from[1], dimension == 3 ? from[2] : 0}; }

  double jacobian(const Place& p, int q) const {
    return metrics_[p.b].jacobian[static_cast<std::size_t>(p.e * metrics_[p.b].volume_points + q)];
  }
  mesh::Point position(const Place& p, int q) const {
    const double* x = metrics_[p.b].positions.data() + dimension * (p.e * metrics_[p.b].volume_points + q);
    return point(x);
  }
  Eigen::Map<const Eigen::VectorXd> means(const Place& p) const {
    return {metrics_[p.b].means.data() + p.e * modes(p), modes(p)};
  }
  /// Where the side's point q stands in arrays [element][side][point][k].
  std::size_t side_point(const Place& p, int side, int q) const {
    const dg::Metric& m = metrics_[p.b];
    return static_cast<std::size_t>(
        dimension * (p.e * m.first_side_point.back() + m.first_side_point[static_cast<std::size_t>(side)] + q));
  }

  static State state(const Modes& modes, const basis::Matrix& basis, int q) {
    const Eigen::VectorXd values = modes * basis.row(q).transpose();
    State u;
    for (int v = 0; v < variables; ++v) u[v] = values[v];
    return u;
  }

  void add_volume(const Place& p, const std::vector<double>& c, std::vector<double>& rhs) const {
    const dg::Operators& o = operators_[p.b];
    auto result = matrix(rhs, p);
    for (int q = 0; q < o.volume.size(); ++q) {
      const State u = state(matrix(c, p), o.volume_basis, q);
      for (int d = 0; d < dimension; ++d) {
        const double* a =
            metrics_[p.b].contravariant.data() + dimension * (dimension * (p.e * metrics_[p.b].volume_points + q) + d);
        const State flux = System::flux(u, vector(a));
        for (int v = 0; v < variables; ++v)
          result.row(v) += flux[v] * o.weighted_derivatives[static_cast<std::size_t>(d)].row(q);
      }
    }
  }

  basis::Matrix side_basis(const Place& p, int side) const {
    const dg::Metric& m = metrics_[p.b];
    return dg::side_basis(operators_[p.b], side, m.orientations[static_cast<std::size_t>(p.e * m.sides + side)]);
  }

  void add_face(const mesh::Face& face, const std::vector<double>& c, std::vector<double>& rhs) const {
    const Place left = locate(face.left.element);
    const basis::Matrix left_basis = side_basis(left, face.left.side);
    const bool inner = face.right.element >= 0;
    const Place right = inner ? locate(face.right.element) : Place{};
    const basis::Matrix right_basis = inner ? side_basis(right, face.right.side) : basis::Matrix();
    const dg::Metric& m = metrics_[left.b];
    const basis::Quadrature& rule = operators_[left.b].side_rules[static_cast<std::size_t>(face.left.side)];
    for (int q = 0; q < rule.size(); ++q) {
      const std::size_t at = side_point(left, face.left.side, q);
      Vector n = vector(m.normals.data() + at);
      const double length = std::hypot(n[0], n[1], dimension == 3 ? n[2] : 0);
      for (int k = 0; k < dimension; ++k) n[k] /= length;
      const State inside = state(matrix(c, left), left_basis, q);
      const State outside = inner ? state(matrix(c, right), right_basis, q)
                                  : ghost_(face.boundary, inside, point(m.side_positions.data() + at), n);
      const State flux = flux_(inside, outside, n);
      const double scale = rule.weights[static_cast<std::size_t>(q)] * length;
      for (int v = 0; v < variables; ++v) {
        matrix(rhs, left).row(v) -= scale * flux[v] * left_basis.row(q);
        if (inner) matrix(rhs, right).row(v) += scale * flux[v] * right_basis.row(q);
      }
    }
  }

  /// Weight-adjusted mass matrix, M_J^{-1} ≈ M_{1/J} in the orthonormal basis, and a constant that makes the change of
  /// the integral right to round-off (docs/theory.md, Curved elements).
  void divide_by_mass(const Place& p, std::vector<double>& rhs) const {
    const dg::Operators& o = operators_[p.b];
    auto r = matrix(rhs, p);
    const Eigen::VectorXd total = r.col(0) / o.volume_basis(0, 0);
    const basis::Matrix values = r * o.volume_basis.transpose();  // [variable][point]
    r.setZero();
    for (int q = 0; q < o.volume.size(); ++q) {
      const double weight = o.volume.weights[static_cast<std::size_t>(q)] *
                            metrics_[p.b].inverse[static_cast<std::size_t>(p.e * o.volume.size() + q)];
      for (int v = 0; v < variables; ++v) r.row(v) += weight * values(v, q) * o.volume_basis.row(q);
    }
    r.col(0) += (total - r * means(p)) / means(p)[0];
  }

  const mesh::Mesh& mesh_;
  std::vector<dg::Operators> operators_;  ///< [block]
  std::vector<dg::Metric> metrics_;       ///< [block]
  std::vector<std::size_t> first_;        ///< [block]
  std::size_t size_ = 0;
  Beyond ghost_;
  Flux flux_;
};

template <int dimension>
auto MetricReference<dimension>::llf(const State& inside, const State& outside, const Vector& n) -> State {
  return kernels::LocalLaxFriedrichs::flux<System>(inside, outside, n);
}

template <int dimension>
MetricReference<dimension>::MetricReference(const mesh::Mesh& mesh, int degree, Beyond ghost, Flux flux)
    : loops_(std::make_shared<const Loops>(mesh, degree, std::move(ghost), std::move(flux))) {}

template <int dimension>
std::size_t MetricReference<dimension>::size() const {
  return loops_->size();
}

template <int dimension>
std::vector<double> MetricReference<dimension>::operator()(const std::vector<double>& c) const {
  return (*loops_)(c);
}

template <int dimension>
std::vector<double> MetricReference<dimension>::project(const Field& f) const {
  return loops_->project(f);
}

template <int dimension>
double MetricReference<dimension>::density_error(const std::vector<double>& c, const Field& f, int variable) const {
  return loops_->density_error(c, f, variable);
}

template <int dimension>
auto MetricReference<dimension>::integrals(const std::vector<double>& c) const -> State {
  return loops_->integrals(c);
}

template <int dimension>
const std::vector<dg::Metric>& MetricReference<dimension>::metrics() const {
  return loops_->metrics();
}

template <int dimension>
const std::vector<dg::Operators>& MetricReference<dimension>::operators() const {
  return loops_->operators();
}

template class MetricReference<2>;
template class MetricReference<3>;

}  // namespace galerna::tests
