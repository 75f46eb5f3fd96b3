// The bound on the step that keeps means positive (docs/theory.md, Positivity): what its proof needs of the points at
// which the limiter makes a solution positive, and what is said of it where it does not hold.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "dg/geometry/step_limit.hpp"
#include "dg/operators.hpp"
#include "dg/solids.hpp"
#include "solver/outputs/fields.hpp"
#include "solver/positivity_bound.hpp"
#include "solver/problem.hpp"
#include "solver/run/failure.hpp"
#include "solver/runs.hpp"

namespace galerna::tests {
namespace {

/// min |A x − b| over x ≥ 0: C. L. Lawson, R. J. Hanson, Solving Least Squares Problems (1974), ch. 23.
Eigen::VectorXd nonnegative_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols());
  std::vector<Eigen::Index> used;
  const auto least_squares = [&] {
    Eigen::VectorXd y = Eigen::VectorXd::Zero(a.cols());
    const Eigen::MatrixXd columns = a(Eigen::all, used);
    y(used) = columns.colPivHouseholderQr().solve(b);
    return y;
  };
  for (Eigen::Index turn = 0; turn < 3 * a.cols(); ++turn) {
    Eigen::VectorXd gain = a.transpose() * (b - a * x);
    gain(used).setZero();
    Eigen::Index best;
    if (gain.maxCoeff(&best) < 1e-13) break;
    used.push_back(best);
    Eigen::VectorXd y = least_squares();
    while (y(used).minCoeff() <= 0) {  // as far towards y as x stays ≥ 0; what becomes 0 is used no more
      double share = 1;
      for (Eigen::Index k : used)
        if (y[k] <= 0) share = std::min(share, x[k] / (x[k] - y[k]));
      x += share * (y - x);
      std::erase_if(used, [&](Eigen::Index k) { return y[k] <= 0 && x[k] <= 1e-15; });
      y = least_squares();
    }
    x = y;
  }
  return x;
}

/// The case whose step is that of the bound. \param more lines of [discretization]
std::string bounded_case(int degree, const std::string& more = "",
                         const std::string& equations = "type = \"euler\"\n") {
  return "[mesh]\nfile = \"square.msh\"\n[equations]\n" + equations +
         "[discretization]\norder = " + std::to_string(degree) + "\n" + more +
         "[shock]\npositivity = true\n[time]\nscheme = \"ssprk33\"\nend = 0.01\n"
         "[initial]\ndensity = 1\nvelocity_x = 0\nvelocity_y = 0\npressure = 1\n"
         "[boundary.left]\ntype = \"symmetry\"\n[boundary.right]\ntype = \"symmetry\"\n"
         "[boundary.bottom]\ntype = \"symmetry\"\n[boundary.top]\ntype = \"symmetry\"\n";
}

const std::string viscous = "type = \"navier-stokes\"\nmu = 0.1\nprandtl = 0.72\n";

/// The mean of u minus its part at the points of some sides, which the step may change: a linear function of u's modes.
struct InteriorPart {
  Eigen::MatrixXd
      points;  ///< [mode][point] φ_j where the limiter makes solutions positive, in the element and on sides
  Eigen::VectorXd of_modes;  ///< [mode] the interior part of φ_j

  InteriorPart(const dg::Operators& o, const solver::SideShare& part) {
    points.resize(o.modes, o.volume.size() + o.first_side_point(o.sides()));
    points.leftCols(o.volume.size()) = o.volume_basis.transpose();
    of_modes = Eigen::VectorXd::Zero(o.modes);
    of_modes[0] = o.volume_basis(0, 0);
    for (int side = 0; side < o.sides(); ++side) {
      const basis::Matrix& values = o.side_basis[static_cast<std::size_t>(side)];
      points.middleCols(o.volume.size() + o.first_side_point(side), values.rows()) = values.transpose();
    }
    for (int side : part.sides) {
      const auto s = static_cast<std::size_t>(side);
      for (int q = 0; q < o.side_rules[s].size(); ++q)
        of_modes -=
            part.share * o.side_rules[s].weights[static_cast<std::size_t>(q)] * o.side_basis[s].row(q).transpose();
    }
  }
  /// Of triangles. \param cfl under which means are said to stay positive: (2p + 1) ŵ/6.
  InteriorPart(int degree, double cfl, int volume_quadrature = -1, int face_quadrature = -1)
      : InteriorPart(dg::make_operators(Shape::triangle, degree, volume_quadrature, face_quadrature),
                     {{0, 1, 2}, 2.0 / 3 * (6 * cfl / (2 * degree + 1))}) {}

  /// How far the interior part is from being a combination of the values at the points with weights ≥ 0. Where it is
  /// one, it is ≥ 0 with them, and in the convex set of physical states with the states there.
  Eigen::VectorXd missing() const {
    const Eigen::VectorXd weights = nonnegative_solution(points, of_modes);
    EXPECT_GE(weights.minCoeff(), 0);
    return of_modes - points * weights;
  }
};

class PositivityBound : public ::testing::Test {
 protected:
  PositivityBound() { write_square(folder_, 2); }

  /// The cfl number that a run of this degree takes, for one Euler step (ssprk33: 1 of them).
  double cfl(int degree) const {
    const case_file::Settings all = settings(folder_, bounded_case(degree));
    return solver::make_step_settings(all, solver::make_mesh(all)).cfl.value();
  }

  Folder folder_;
};

TEST_F(PositivityBound, IsThatOfPointsAtWhichStatesArePositive) {
  for (int degree = 1; degree <= 6; ++degree) {
    const double most = cfl(degree);
    EXPECT_LT(InteriorPart(degree, most).missing().norm(), 1e-12) << "p " << degree;
    for (int volume = 2 * degree; volume <= 30; ++volume)
      for (int face : {2 * degree, 2 * degree + 3})
        EXPECT_LT(InteriorPart(degree, most, volume, face).missing().norm(), 1e-12) << degree << " " << volume;
  }
}

/// The bound is sharp: were it larger at p = 1, where all of the mean stands on the sides, the rest would be negative.
TEST_F(PositivityBound, IsSharpAtDegree1) {
  EXPECT_GT(InteriorPart(1, 1.05 * cfl(1)).missing().norm(), 1e-3);
}

TEST(QuickPositivityShares, AreThoseOfPointsAtWhichStatesArePositive) {
  for (Shape shape :
       {Shape::triangle, Shape::quadrilateral, Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
    for (int degree = 1; degree <= 6 && basis::mode_count(shape, degree) <= 130; ++degree) {
      const dg::Operators o = dg::make_operators(shape, degree);
      std::size_t sides = 0;
      for (const solver::SideShare& part : solver::side_shares(shape, degree)) {
        EXPECT_LT(InteriorPart(o, part).missing().norm(), 1e-12) << name(shape) << " " << degree;
        sides += part.sides.size();
      }
      EXPECT_EQ(sides, static_cast<std::size_t>(o.sides())) << name(shape);
    }
}

/// They are the largest: with a hundredth more the rest is no such combination.
TEST(QuickPositivityShares, OfSolidsAreSharp) {
  for (Shape shape : {Shape::tetrahedron, Shape::pyramid, Shape::prism, Shape::hexahedron})
    for (int degree = 1; degree <= 2; ++degree)
      for (solver::SideShare part : solver::side_shares(shape, degree)) {
        part.share *= 1.01;
        EXPECT_GT(InteriorPart(dg::make_operators(shape, degree), part).missing().norm(), 1e-5)
            << name(shape) << " " << degree;
      }
}

/// On parallelepipeds the bound is cfl = (2p + 1) W κ/6 whatever their sides; on irregular elements less.
TEST(QuickPositivityShares, MakeTheBoundOfAMesh) {
  for (int degree : {1, 2, 4}) {
    const double share = 1.5 * solver::side_shares(Shape::hexahedron, degree)[0].share;
    const auto weight = [&](double height, double jitter) {
      return solver::positivity_weight(box_of(Shape::hexahedron, {2, 3, 2}, {1, 1, height}, jitter, false), degree);
    };
    EXPECT_NEAR(weight(1, 0), share, 1e-12);
    EXPECT_NEAR(weight(20, 0), share, 1e-12);
    EXPECT_LT(weight(1, 0.1), 0.9 * share);
    EXPECT_GT(weight(1, 0.1), 0.2 * share);
    const mesh::Mesh tetrahedra = box_of(Shape::tetrahedron, 2, 0.1, false);
    EXPECT_EQ(solver::positivity_weight(tetrahedra, degree),
              1.25 * solver::side_shares(Shape::tetrahedron, degree)[0].share);
    EXPECT_EQ(solver::positivity_weight(tetrahedra, 0), 1.25);
  }
}

/// By Farkas' lemma there is then a polynomial that is positive where the limiter looks and has a negative interior
/// part: what is missing is one.
/// Of squares dt = h share/(4 λ): two pairs of opposite sides.
TEST(QuickPositivityShares, MakeTheBoundOfAMeshOfSquares) {
  for (const int n : {3, 40}) {
    const mesh::Mesh squares = mesh::make_rectangle(n, n, {0, 0}, {1, 1}, mesh::CellStyle::quadrilaterals, 0);
    for (const int degree : {1, 2, 3}) {
      const double share = solver::side_shares(Shape::quadrilateral, degree)[0].share;
      EXPECT_NEAR(solver::positivity_weight(squares, degree), dg::wave_factor(Shape::quadrilateral) * 1.5 * share,
                  1e-13)
          << n << ", p = " << degree;
    }
  }
}

TEST_F(PositivityBound, DoesNotHoldForCoarserRules) {
  const InteriorPart part(3, cfl(3), 4);
  const Eigen::VectorXd polynomial = -part.missing();
  EXPECT_GT(polynomial.norm(), 1e-3);
  EXPECT_GT((part.points.transpose() * polynomial).minCoeff(), -1e-12);
  EXPECT_LT(part.of_modes.dot(polynomial), -1e-6);
}

TEST_F(PositivityBound, IsRefusedWithCoarserRules) {
  for (const char* key : {"volume_quadrature", "face_quadrature"}) {
    const std::string text = bounded_case(3, std::string(key) + " = 5\n");
    try {
      settings(folder_, text);
      FAIL() << key;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("quadrature of degree 6 and more only: leave " + std::string(key)),
                std::string::npos)
          << error.what();
    }
    EXPECT_EQ(settings(folder_, text, {"time.cfl=0.1"}).time.cfl, 0.1);
  }
}

TEST_F(PositivityBound, LeavesOutViscousAndSourceTerms) {
  const std::string source = "[source]\ndensity = \"0.1\"\n";
  const auto left_out = [&](const std::string& text, const std::vector<std::string>& set = {}) {
    return solver::terms_outside_of_bound(settings(folder_, text, set));
  };
  EXPECT_EQ(left_out(bounded_case(1)), "");
  EXPECT_EQ(left_out(bounded_case(1, "", viscous)), "viscous terms");
  EXPECT_EQ(left_out(bounded_case(1) + source), "source terms");
  EXPECT_EQ(left_out(bounded_case(1, "", viscous) + source), "viscous and source terms");
  EXPECT_EQ(left_out(bounded_case(1, "", viscous), {"time.cfl=0.1"}), "");
  Silent silent;
  solver::Simulation run(settings(folder_, bounded_case(1, "", viscous)), {.device = "cpu"}, silent);
  EXPECT_NE(std::find(silent.messages.begin(), silent.messages.end(),
                      "the step is that of the positivity bound, which leaves out viscous terms"),
            silent.messages.end());
}

TEST_F(PositivityBound, IsNamedInFailuresForWhatItIs) {
  const auto set_by = [&](const std::string& text, const std::vector<std::string>& set = {}) {
    const auto all = settings(folder_, text, set);
    Silent silent;
    solver::Simulation run(all, {.device = "cpu"}, silent);
    kernels::Control control{};
    control.cfl = 0.25;
    return solver::step_reason(run.flow().solution(), run.flow().discretization(), all,
                               solver::diagnostics(all.equations), control);
  };
  EXPECT_TRUE(set_by(bounded_case(1)).starts_with("the positivity bound, cfl = 0.25 and the limit"));
  EXPECT_TRUE(set_by(bounded_case(1, "", viscous))
                  .starts_with("the positivity bound, which leaves out viscous terms, cfl = 0.25 and the limit"));
  EXPECT_TRUE(set_by(bounded_case(1), {"time.cfl=0.25"}).starts_with("time.cfl = 0.25 and the limit"));
}

}  // namespace
}  // namespace galerna::tests
