#include "algebra/direct.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "algebra/fronts.hpp"
#include "base/error.hpp"
#include "base/index.hpp"
#include "base/interruption.hpp"

namespace galerna::algebra {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Eigen::Index;

/// b − A x, added up in extended precision.
std::vector<double> residual(const BlockMatrix<double>& matrix, std::span<const double> x, std::span<const double> b) {
  const BlockPattern& pattern = matrix.pattern;
  const std::vector<std::int64_t> first = first_unknowns(pattern.sizes);
  std::vector<double> result(b.size());
  for (std::size_t i = 0; i < pattern.row_count(); ++i)
    for (int r = 0; r < pattern.sizes[i]; ++r) {
      long double sum = b[at(first[i] + r)];
      for (std::int64_t k = pattern.rows[i]; k < pattern.rows[i + 1]; ++k) {
        const auto column = at(pattern.columns[at(k)]);
        const double* row = matrix.values.data() + pattern.offsets[at(k)] + r * pattern.sizes[column];
        for (int c = 0; c < pattern.sizes[column]; ++c)
          sum -= static_cast<long double>(row[c]) * x[at(first[column] + c)];
      }
      result[at(first[i] + r)] = static_cast<double>(sum);
    }
  return result;
}

/// Rows of a block on the diagonal and the factors of what they were exchanged to; A is L U once `exchange` is applied.
struct Panel {
  Index first, size;
  Eigen::PermutationMatrix<Eigen::Dynamic> exchange;
};

/// What a front leaves to the solution: the inverse is never formed.
struct FrontFactors {
  std::vector<Panel> panels;
  Matrix columns;  ///< [front][eliminated]: factors of the panels on the diagonal, L below, U above
  Matrix rows;     ///< [eliminated][rest]: the rest of U
};

/// x ← A⁻¹ x of a panel whose factors stand in `factors`.
template <class X>
void solve_panel(const Panel& panel, const Matrix& factors, X&& x) {
  const auto block = factors.block(panel.first, panel.first, panel.size, panel.size);
  x = panel.exchange * x;
  block.triangularView<Eigen::UnitLower>().solveInPlace(x);
  block.triangularView<Eigen::Upper>().solveInPlace(x);
}

}  // namespace

struct DirectSolver::Factors {
  explicit Factors(const BlockPattern& pattern) : fronts(plan_fronts(pattern)), list(fronts.list.size()) {}

  Fronts fronts;
  std::vector<FrontFactors> list;
  Definiteness definiteness;

  Index size_of(std::int32_t row) const { return fronts.unknown[at(row) + 1] - fronts.unknown[at(row)]; }
  /// How many unknowns a front eliminates.
  Index eliminated(const Front& front) const {
    return fronts.unknown[at(front.last)] - fronts.unknown[at(front.first)];
  }

  std::vector<double> solve(const BlockPattern& pattern, std::span<const double> b) const;
  void forward(const Front& front, const FrontFactors& factors, Vector& x) const;
  void backward(const Front& front, const FrontFactors& factors, Vector& x) const;
  Vector gather(const Front& front, const Vector& x) const;
};

namespace {

/// Factors front after front.
class Elimination {
 public:
  Elimination(const BlockMatrix<double>& matrix, const Fronts& fronts, bool symmetric)
      : matrix_(matrix),
        pattern_(matrix.pattern),
        fronts_(fronts),
        symmetric_(symmetric),
        offsets_(pattern_.row_count()),
        left_(fronts.list.size()),
        children_(fronts.list.size()) {
    for (std::size_t f = 0; f < fronts.list.size(); ++f)
      if (fronts.list[f].parent >= 0) children_[at(fronts.list[f].parent)].push_back(f);
  }

  /// \param found of symmetric matrices; where it is not positive there are no factors
  FrontFactors factor(std::size_t f, Definiteness& found) {
    const Front& front = fronts_.list[f];
    const Index size = place_rows(front), own = fronts_.unknown[at(front.last)] - fronts_.unknown[at(front.first)];
    Matrix dense = Matrix::Zero(size, size);
    for (std::int32_t row = front.first; row < front.last; ++row) add_entries(front, row, dense);
    for (const std::size_t child : children_[f]) add_left(child, dense);
    FrontFactors factors;
    for (std::int32_t row = front.first; row < front.last && found.positive;)
      row = eliminate(front, row, dense, factors, found);
    if (!found.positive) return {};
    factors.columns = dense.leftCols(own);
    factors.rows = dense.topRightCorner(own, size - own);
    if (front.parent >= 0) left_[f] = dense.bottomRightCorner(size - own, size - own);
    return factors;
  }

 private:
  static constexpr Index panel_size = 64;  ///< unknowns, at least, if there are as many

  Index size_of(std::int32_t row) const { return fronts_.unknown[at(row) + 1] - fronts_.unknown[at(row)]; }

  /// \return unknowns of the front
  Index place_rows(const Front& front) {
    Index size = 0;
    const auto place = [&](std::int32_t row) {
      offsets_[at(row)] = size;
      size += size_of(row);
    };
    for (std::int32_t row = front.first; row < front.last; ++row) place(row);
    std::for_each(front.rows.begin(), front.rows.end(), place);
    return size;
  }

  void add_entries(const Front& front, std::int32_t row, Matrix& dense) {
    using ByRows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    const auto old = at(fronts_.order[at(row)]);
    const auto add = [&](std::int32_t to, std::int32_t from, std::int64_t block) {
      dense.block(offsets_[at(to)], offsets_[at(from)], size_of(to), size_of(from)) =
          ByRows(matrix_.values.data() + pattern_.offsets[at(block)], size_of(to), size_of(from));
    };
    for (std::int64_t k = pattern_.rows[old]; k < pattern_.rows[old + 1]; ++k) {
      const auto other = at(pattern_.columns[at(k)]);
      const std::int32_t column = fronts_.place[other];
      if (column < front.first) continue;
      add(row, column, k);
      if (column >= front.last) add(column, row, find_block(pattern_, other, static_cast<std::int32_t>(old)));
    }
  }

  void add_left(std::size_t child, Matrix& dense) {
    Matrix& left = left_[child];
    const std::vector<std::int32_t>& rows = fronts_.list[child].rows;
    Index column = 0;
    for (const std::int32_t c : rows) {
      Index row = 0;
      for (const std::int32_t r : rows) {
        dense.block(offsets_[at(r)], offsets_[at(c)], size_of(r), size_of(c)) +=
            left.block(row, column, size_of(r), size_of(c));
        row += size_of(r);
      }
      column += size_of(c);
    }
    left.resize(0, 0);
  }

  /// Some block rows from `row` on. \return the first one of those that are left
  std::int32_t eliminate(const Front& front, std::int32_t row, Matrix& dense, FrontFactors& factors,
                         Definiteness& found) {
    Panel panel{offsets_[at(row)], 0, {}};
    const std::int32_t first_row = row;
    while (row < front.last && panel.size < panel_size) panel.size += size_of(row++);
    auto block = dense.block(panel.first, panel.first, panel.size, panel.size);
    if (symmetric_) check_pivots(block, first_row, found);
    if (!found.positive) return row;
    Eigen::PartialPivLU<Eigen::Ref<Matrix>> lu(block);
    panel.exchange = lu.permutationP();
    for (Index k = 0; k < panel.size; ++k)
      if (const double pivot = block(k, k); pivot == 0 || !std::isfinite(pivot))
        throw Error(ExitCode::simulation_failed, fmt::format("the matrix is singular: pivot {} in block row {}", pivot,
                                                             fronts_.order[at(first_row)]));
    const Index begin = panel.first + panel.size, rest = dense.rows() - begin;
    subtract_products(panel, begin, rest, dense);
    factors.panels.push_back(std::move(panel));
    return row;
  }

  /// What the elimination of a panel changes in the rest of its front.
  static void subtract_products(const Panel& panel, Index begin, Index rest, Matrix& dense) {
    if (rest == 0) return;
    const auto block = dense.block(panel.first, panel.first, panel.size, panel.size);
    auto below = dense.block(begin, panel.first, rest, panel.size);
    block.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(below);
    block.triangularView<Eigen::UnitLower>().solveInPlace<Eigen::OnTheRight>(below);
    below = below * panel.exchange;
    // In pieces of a fraction of a second.
    constexpr double operations = 5e8;
    const auto piece = std::max<Index>(
        8, static_cast<Index>(operations / (2.0 * static_cast<double>(panel.size) * static_cast<double>(rest + 1))));
    for (Index column = begin; column < dense.cols(); column += piece) {
      const Index count = std::min(piece, dense.cols() - column);
      dense.block(begin, column, rest, count).noalias() -= below * dense.block(panel.first, column, panel.size, count);
      stop_if_interrupted("factorizing the matrix");
    }
  }

  /// Pivots of L D Lᵀ, of a copy. \param row the first block row
  void check_pivots(Matrix block, std::int32_t row, Definiteness& found) const {
    Index end = size_of(row);
    for (Index k = 0; k < block.rows(); ++k) {
      if (k == end) end += size_of(++row);
      if (!(block(k, k) > 0)) {
        found = {false, at(fronts_.order[at(row)]), block(k, k)};
        return;
      }
      const Index rest = block.rows() - k - 1;
      const Vector column = block.col(k).tail(rest);
      block.bottomRightCorner(rest, rest).noalias() -= column / block(k, k) * column.transpose();
    }
  }

  const BlockMatrix<double>& matrix_;
  const BlockPattern& pattern_;
  const Fronts& fronts_;
  bool symmetric_;
  std::vector<Index> offsets_;  ///< [block row] its first unknown in the front
  std::vector<Matrix> left_;    ///< [front] what its elimination leaves, until the parent takes it
  std::vector<std::vector<std::size_t>> children_;
};

/// [old unknown] new one
std::vector<std::size_t> new_unknowns(const BlockPattern& pattern, const Fronts& fronts) {
  std::vector<std::size_t> result;
  for (std::size_t row = 0; row < pattern.row_count(); ++row)
    for (int k = 0; k < pattern.sizes[row]; ++k)
      result.push_back(at(fronts.unknown[at(fronts.place[row])]) + static_cast<std::size_t>(k));
  return result;
}

}  // namespace

Vector DirectSolver::Factors::gather(const Front& front, const Vector& x) const {
  Index size = 0, offset = 0;
  for (const std::int32_t row : front.rows) size += size_of(row);
  Vector result(size);
  for (const std::int32_t row : front.rows) {
    result.segment(offset, size_of(row)) = x.segment(fronts.unknown[at(row)], size_of(row));
    offset += size_of(row);
  }
  return result;
}

void DirectSolver::Factors::forward(const Front& front, const FrontFactors& factors, Vector& x) const {
  const Index own = eliminated(front);
  auto mine = x.segment(fronts.unknown[at(front.first)], own);
  Vector change = Vector::Zero(factors.columns.rows());
  for (const Panel& panel : factors.panels) {
    const Index begin = panel.first + panel.size, rest = factors.columns.rows() - begin;
    auto part = mine.segment(panel.first, panel.size);
    part += change.segment(panel.first, panel.size);
    change.tail(rest).noalias() -= factors.columns.block(begin, panel.first, rest, panel.size) * part;
  }
  Index offset = own;
  for (const std::int32_t row : front.rows) {
    x.segment(fronts.unknown[at(row)], size_of(row)) += change.segment(offset, size_of(row));
    offset += size_of(row);
  }
}

void DirectSolver::Factors::backward(const Front& front, const FrontFactors& factors, Vector& x) const {
  const Index own = eliminated(front);
  auto mine = x.segment(fronts.unknown[at(front.first)], own);
  if (factors.rows.cols() > 0) mine.noalias() -= factors.rows * gather(front, x);
  for (auto panel = factors.panels.rbegin(); panel != factors.panels.rend(); ++panel) {
    const Index begin = panel->first + panel->size;
    Vector part = mine.segment(panel->first, panel->size);
    part.noalias() -= factors.columns.block(panel->first, begin, panel->size, own - begin) * mine.tail(own - begin);
    solve_panel(*panel, factors.columns, part);
    mine.segment(panel->first, panel->size) = part;
  }
}

std::vector<double> DirectSolver::Factors::solve(const BlockPattern& pattern, std::span<const double> b) const {
  const std::vector<std::size_t> places = new_unknowns(pattern, fronts);
  Vector x(static_cast<Index>(b.size()));
  for (std::size_t u = 0; u < b.size(); ++u) x[static_cast<Index>(places[u])] = b[u];
  for (std::size_t f = 0; f < list.size(); ++f) forward(fronts.list[f], list[f], x);
  for (std::size_t f = list.size(); f-- > 0;) backward(fronts.list[f], list[f], x);
  std::vector<double> result(b.size());
  for (std::size_t u = 0; u < b.size(); ++u) result[u] = x[static_cast<Index>(places[u])];
  return result;
}

DirectSolver::DirectSolver(BlockMatrix<double> matrix, Kind kind)
    : matrix_(std::move(matrix)), factors_(std::make_unique<Factors>(matrix_.pattern)) {
  Elimination elimination(matrix_, factors_->fronts, kind == Kind::symmetric);
  for (std::size_t f = 0; f < factors_->list.size() && factors_->definiteness.positive; ++f)
    factors_->list[f] = elimination.factor(f, factors_->definiteness);
}

DirectSolver::~DirectSolver() = default;
DirectSolver::DirectSolver(DirectSolver&&) noexcept = default;

const Definiteness& DirectSolver::definiteness() const {
  return factors_->definiteness;
}

std::vector<double> DirectSolver::solve_once(std::span<const double> right_hand_side) const {
  return factors_->solve(matrix_.pattern, right_hand_side);
}

std::vector<double> DirectSolver::solve(std::span<const double> right_hand_side) const {
  std::vector<double> x = factors_->solve(matrix_.pattern, right_hand_side);
  for (int step = 0; step < 2; ++step) {
    stop_if_interrupted("solving the equations");
    const std::vector<double> correction = factors_->solve(matrix_.pattern, residual(matrix_, x, right_hand_side));
    for (std::size_t u = 0; u < x.size(); ++u) x[u] += correction[u];
  }
  return x;
}

}  // namespace galerna::algebra
