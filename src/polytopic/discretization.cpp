#include "polytopic/discretization.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/interruption.hpp"
#include "basis/basis.hpp"
#include "device/address.hpp"
#include "polytopic/expansion.hpp"
#include "polytopic/scattered.hpp"

namespace galerna::polytopic {
namespace {

constexpr int error_sums = kernels::polytopic::error_sums, extreme_values = kernels::polytopic::extreme_values;

/// Threads side by side go through as many simplices, or facets, as the one of them that has most: those that have as
/// many come side by side, as far as they lie near each other. \param first where those of an item begin
void sort_by_size(std::vector<std::int32_t>& list, const std::vector<std::int64_t>& first) {
  constexpr std::size_t near = 2048;
  const auto size = [&](std::int32_t k) { return first[at(k) + 1] - first[at(k)]; };
  for (std::size_t begin = 0; begin < list.size(); begin += near)
    std::stable_sort(list.begin() + static_cast<std::ptrdiff_t>(begin),
                     list.begin() + static_cast<std::ptrdiff_t>(std::min(begin + near, list.size())),
                     [&](std::int32_t a, std::int32_t b) { return size(a) < size(b); });
}

/// [polytope]
std::vector<int> modes_of(const basis::BoxSpace& space, const std::vector<int>& degrees, int largest) {
  std::vector<int> modes, sizes;
  for (int degree = 0; degree <= largest; ++degree) modes.push_back(basis::box_mode_count(space, degree));
  sizes.reserve(degrees.size());
  for (const int degree : degrees) sizes.push_back(modes[at(degree)]);
  return sizes;
}

/// With 1 / half of the edges: where kernels divide they look up nothing further until the box is there.
std::vector<double> boxes_with_inverses(const Mesh& mesh) {
  const std::size_t d = at(mesh.dimension);
  std::vector<double> boxes;
  for (std::size_t first = 0; first < mesh.boxes.size(); first += 2 * d) {
    const auto box = mesh.boxes.begin() + static_cast<std::ptrdiff_t>(first);
    boxes.insert(boxes.end(), box, box + static_cast<std::ptrdiff_t>(2 * d));
    for (std::size_t k = 0; k < d; ++k) boxes.push_back(1 / mesh.boxes[first + d + k]);
  }
  return boxes;
}

}  // namespace

Discretization::Discretization(device::Device& device, const Mesh& mesh, Spec spec, std::vector<int> degrees)
    : launcher_(device),
      mesh_(mesh),
      spec_(std::move(spec)),
      degrees_(std::move(degrees)),
      degree_set_(degrees_.begin(), degrees_.end()),
      assembly_(assembly_for(spec_, device::target_of(device, spec_.precision))),
      sizes_(modes_of(spec_.space, degrees_, *degree_set_.rbegin())),
      first_unknowns_(algebra::first_unknowns(sizes_)) {
  upload_mesh();
  make_groups();
  make_pattern();
  make_rules();
  make_matrix();
  if (assembly_.method == Assembly::Method::moments) make_expansions();
  if (assembly_.scattered()) make_scattered();
  set_time(0, 0);
}

Discretization::~Discretization() = default;

std::size_t Discretization::real_bytes() const {
  return spec_.precision == device::Precision::single_precision ? sizeof(float) : sizeof(double);
}

std::unique_ptr<device::Memory> Discretization::allocate(std::size_t bytes, const std::string& purpose) {
  return device().allocate(std::max<std::size_t>(bytes, 8), purpose);
}

template <class T>
const T* Discretization::upload(const std::vector<T>& values, const std::string& purpose) {
  arrays_.push_back(allocate(values.size() * sizeof(T), purpose));
  if (!values.empty()) device().write(*arrays_.back(), values.data(), values.size() * sizeof(T));
  return device::address<const T>(arrays_.back());
}

const void* Discretization::upload_reals(std::span<const double> values, std::unique_ptr<device::Memory>& memory,
                                         const std::string& purpose) {
  if (!memory) memory = allocate(values.size() * real_bytes(), purpose);
  if (spec_.precision == device::Precision::single_precision) {
    const std::vector<float> single(values.begin(), values.end());
    device().write(*memory, single.data(), single.size() * sizeof(float));
  } else {
    device().write(*memory, values.data(), values.size_bytes());
  }
  return memory->address();
}

void Discretization::upload_mesh() {
  const char* purpose = "mesh of polytopes";
  kernels::polytopic::PolytopicMesh& m = arguments_.mesh;
  m.simplices = upload(mesh_.simplices, purpose);
  m.simplex_measures = upload(mesh_.simplex_measures, purpose);
  m.first_simplices = upload(mesh_.first_simplices, purpose);
  m.boxes = upload(boxes_with_inverses(mesh_), purpose);
  m.measures = upload(mesh_.measures, purpose);
  m.degrees = upload(std::vector<std::int32_t>(degrees_.begin(), degrees_.end()), purpose);
  m.facets = upload(mesh_.facets, purpose);
  m.facet_measures = upload(mesh_.facet_measures, purpose);
  m.facet_simplices = upload(mesh_.facet_simplices, purpose);
  m.inner_facets = mesh_.inner_facet_count();
  m.facet_polytopes = upload(mesh_.facet_polytopes, purpose);
  m.first_facets = upload(mesh_.first_facets, purpose);
  m.interfaces = upload(mesh_.interfaces, purpose);
  m.first_own_facets = upload(mesh_.first_own_facets, purpose);
  m.own_facets = upload(mesh_.own_facets, purpose);
  arguments_.first_unknowns = upload(first_unknowns_, purpose);
}

void Discretization::make_groups() {
  std::map<int, std::vector<std::int32_t>> polytopes, interfaces;
  for (std::size_t k = 0; k < degrees_.size(); ++k) {
    polytopes[degrees_[k]].push_back(static_cast<std::int32_t>(k));
    value_count_ += std::int64_t{sizes_[k]} * sizes_[k];
  }
  for (std::int64_t k = 0; k < mesh_.interface_count(); ++k) {
    const std::size_t first = at(mesh_.interfaces[at(2 * k)]), second = at(mesh_.interfaces[at(2 * k + 1)]);
    interfaces[std::max(degrees_[first], degrees_[second])].push_back(static_cast<std::int32_t>(k));
    value_count_ += 2 * std::int64_t{sizes_[first]} * sizes_[second];
  }
  if (device().kind() == device::Kind::cuda) {
    for (auto& group : polytopes) sort_by_size(group.second, mesh_.first_simplices);
    for (auto& group : interfaces) sort_by_size(group.second, mesh_.first_facets);
  }
  const auto make = [&](const auto& lists, std::map<int, Group>& groups) {
    for (const auto& [degree, list] : lists) {
      Group& group = groups[degree];
      group.count = static_cast<std::int64_t>(list.size());
      group.list = allocate(list.size() * sizeof(std::int32_t), "mesh of polytopes");
      device().write(*group.list, list.data(), list.size() * sizeof(std::int32_t));
    }
  };
  make(polytopes, polytopes_);
  make(interfaces, interfaces_);
}

kernels::polytopic::Rule Discretization::upload_rule(Shape shape, int degree) {
  const basis::Quadrature rule = basis::quadrature(shape, degree);
  const int corners = dimension(shape) + 1, stride = rule.size() + kernels::polytopic::rule_padding;
  std::vector<double> points(at(corners) * at(stride)), weights(at(stride), 0);
  for (std::size_t q = 0; q < at(stride); ++q) {
    const basis::Point& x = rule.points[std::min(q, at(rule.size() - 1))];
    if (q < at(rule.size())) weights[q] = rule.weights[q] / reference_measure(shape);
    double first = 1;
    for (std::size_t c = 1; c < at(corners); ++c) {
      const double coordinate = shape == Shape::line ? (1 + x[0]) / 2 : x[c - 1];
      points[c * at(stride) + q] = coordinate;
      first -= coordinate;
    }
    points[q] = shape == Shape::line ? (1 - x[0]) / 2 : first;
  }
  return {upload(points, "quadrature"), upload(weights, "quadrature"), rule.size(), stride};
}

void Discretization::make_rules() {
  const QuadratureDegrees degrees(spec_, *degree_set_.rbegin());
  const bool plane = mesh_.dimension == 2;
  arguments_.volume = upload_rule(plane ? Shape::triangle : Shape::tetrahedron, degrees.volume);
  arguments_.facet = upload_rule(plane ? Shape::line : Shape::triangle, degrees.facet);
  const basis::Quadrature time = basis::quadrature(Shape::line, degrees.time);
  std::vector<double> points, weights;
  for (int q = 0; q < time.size(); ++q) {
    points.push_back(time.points[static_cast<std::size_t>(q)][0]);
    weights.push_back(time.weights[static_cast<std::size_t>(q)] / 2);
  }
  arguments_.time = {upload(points, "quadrature"), upload(weights, "quadrature"), time.size(), time.size()};
}

void Discretization::make_matrix() {
  const auto polytopes = at(mesh_.polytopes);
  values_ = allocate(at(value_count_) * real_bytes(), "matrix");
  right_hand_side_ = allocate(at(unknowns()) * real_bytes(), "right-hand side");
  extremes_ = allocate(polytopes * extreme_values * sizeof(double), "penalty");
  if (spec_.penalty.eigenvalue) {
    eigenvalues_ = allocate(polytopes * sizeof(double), "penalty");
    allocate_scratch();
  }
  penalty_ = allocate(at(mesh_.facet_count()) * sizeof(double), "penalty");
  arguments_.values = values_->address();
  arguments_.right_hand_side = right_hand_side_->address();
  arguments_.extremes = device::address<double>(extremes_);
  arguments_.eigenvalues = device::address<double>(eigenvalues_);
  arguments_.factor = spec_.factor;
}

void Discretization::make_expansions() {
  const char* purpose = "quadrature";
  for (const int degree : degree_set_) {
    if (kernels::polytopic::fits_in_thread(basis::box_mode_count(spec_.space, degree))) continue;
    const bool tiles = moment_sizes(spec_, degree).teams() > 1;
    const ExpansionTables tables = make_expansion(spec_.space, degree, tiles);
    expansions_[degree] = {
        upload(tables.pairs, purpose),   upload(tables.rows, purpose), upload(tables.factors, purpose),
        upload(tables.moments, purpose), tables.matrix_pieces,         tables.pieces};
  }
}

/// On GPUs, for what `certify` sums where shared memory has no room for it, and for pairs of matrices that wait for
/// their eigenvalues.
void Discretization::allocate_scratch() {
  if (device().kind() != device::Kind::cuda) return;
  std::size_t numbers = 0;
  for (const auto& [degree, group] : polytopes_) {
    const int modes = basis::box_mode_count(spec_.space, degree);
    if (waits_for_eigenvalues(degree))
      numbers = std::max(numbers, at(piece_of(group)) * at(modes) * at(modes - 1));
    else if (!assembly_.volume_first() && modes > kernels::polytopic::most_staged_modes)
      numbers = std::max(numbers, at(group.count) * at(modes) * at(modes));
  }
  if (numbers == 0) return;
  scratch_ = allocate(numbers * sizeof(double), "penalty");
  arguments_.scratch = static_cast<double*>(scratch_->address());
}

bool Discretization::waits_for_eigenvalues(int degree) const {
  return assembly_.method == Assembly::Method::moments && spec_.penalty.eigenvalue &&
         !kernels::polytopic::fits_in_thread(basis::box_mode_count(spec_.space, degree));
}

/// Polytopes whose pairs of matrices wait at a time, so that they take little memory.
std::int64_t Discretization::piece_of(const Group& group) {
  return (group.count + 3) / 4;
}

/// A program when it is first asked for.
void Discretization::load(const std::string& program) {
  if (!loaded_.insert(program).second) return;
  const device::Target target = device::target_of(device(), spec_.precision);
  launcher_.load(program == "penalty"     ? penalty_program(spec_, degree_set_, target)
                 : program == "assembly"  ? assembly_program(spec_, degree_set_, target)
                 : program == "pattern"   ? pattern_program(device().kind())
                 : program == "scattered" ? scattered_program(spec_, degree_set_, target)
                                          : error_program(spec_, degree_set_, target));
}

void Discretization::launch_items(const std::string& program, const std::string& entry, std::int64_t items) {
  load(program);
  Arguments arguments = arguments_;
  arguments.count = items;
  launcher_.launch(entry, thread_range(items), arguments);
}

/// An item for each thread.
device::Range Discretization::thread_range(std::int64_t items) const {
  constexpr int group = kernels::polytopic::thread_group;
  return {device().kind() == device::Kind::cuda ? (items + group - 1) / group * group : items, group};
}

/// Items of `entry` for blocks of that degree.
device::Range Discretization::range_of(const std::string& entry, int degree, std::int64_t items) const {
  const int modes = basis::box_mode_count(spec_.space, degree);
  if (device().kind() == device::Kind::host) return thread_range(items);
  if (by_threads(assembly_, entry, modes))
    return thread_range(entry == "eigenvalues" ? items : items * spec_.item_threads);
  const Team team = team_of(assembly_, entry, spec_, degree);
  return {(items + team.items - 1) / team.items * team.threads, team.threads, team.shared_bytes};
}

void Discretization::launch_piece(const std::string& program, const std::string& entry, int degree, const Group& group,
                                  std::int64_t first, std::int64_t count) {
  load(program);
  Arguments arguments = arguments_;
  if (const auto expansion = expansions_.find(degree); expansion != expansions_.end())
    arguments.expansion = expansion->second;
  const auto run = [&](std::int64_t begin, std::int64_t items) {
    arguments.list = device::address<std::int32_t>(group.list) + begin;
    arguments.count = items;
    launcher_.launch(entry_name(entry, degree), range_of(entry, degree, items), arguments);
  };
  if (device().kind() != device::Kind::host || launcher_.profiles()) return run(first, count);
  // Short ones on the CPU, so that somebody who wants it to stop is heard.
  constexpr double seconds = 0.25;
  for (std::int64_t done = 0, piece = 16; done < count; piece *= 4) {
    const std::int64_t items = std::min(piece, count - done);
    const double took = device().time([&] { run(first + done, items); });
    done += items;
    while (piece > 1 && took * static_cast<double>(4 * piece) > seconds * static_cast<double>(items)) piece /= 2;
    stop_if_interrupted(program == "errors" ? "measuring the solution" : "assembling the matrix");
  }
}

void Discretization::launch_groups(const std::string& name, const std::string& entry,
                                   const std::map<int, Group>& groups) {
  for (const auto& [degree, group] : groups) launch_piece(name, entry, degree, group, 0, group.count);
  device().synchronize();
}

void Discretization::set_time(double begin, double end, std::span<const double> previous) {
  volume_is_there_ = extremes_are_there_ = false;
  arguments_.begin = begin;
  arguments_.end = end;
  arguments_.first_slab = previous.empty();
  arguments_.previous = previous.empty() ? nullptr : upload_reals(previous, previous_, "solution");
}

void Discretization::compute_penalties() {
  arguments_.penalty = nullptr;
  extremes_are_there_ = false;
  if (!spec_.penalty.eigenvalue)
    find_extremes();
  else if (assembly_.volume_first())
    assemble_volume();
  else
    launch_groups("penalty", "certify", polytopes_);
  arguments_.penalty = device::address<double>(penalty_);
  launch_items("penalty", "penalties", mesh_.facet_count());
  device().synchronize();
}

/// Rules without eigenvalues need them, and whoever asks.
void Discretization::find_extremes() {
  launch_items("penalty", "extremes", mesh_.polytopes);
  extremes_are_there_ = true;
}

/// Computes the eigenvalues for the penalties, too.
void Discretization::assemble_volume() {
  const std::string entry = volume_entry(spec_);
  for (const auto& [degree, group] : polytopes_) {
    if (!waits_for_eigenvalues(degree)) {
      launch_piece("assembly", entry, degree, group, 0, group.count);
      continue;
    }
    const std::int64_t piece = piece_of(group);
    for (std::int64_t first = 0; first < group.count; first += piece) {
      const std::int64_t count = std::min(piece, group.count - first);
      launch_piece("assembly", entry, degree, group, first, count);
      launch_piece("assembly", "eigenvalues", degree, group, first, count);
    }
  }
  device().synchronize();
  volume_is_there_ = true;
}

void Discretization::assemble() {
  if (assembly_.scattered()) return assemble_scattered();
  if (assembly_.volume_first()) {
    if (!volume_is_there_) assemble_volume();
    volume_is_there_ = false;
    launch_groups("assembly", "facets", polytopes_);
  } else {
    launch_groups("assembly", "diagonal", polytopes_);
  }
  launch_groups("assembly", "interface", interfaces_);
}

void Discretization::assemble_right_hand_side() {
  volume_is_there_ = false;
  launch_groups("assembly", "right_hand_side", polytopes_);
}

std::vector<double> Discretization::read_reals(device::Memory& memory, std::int64_t count) {
  std::vector<double> values(at(count));
  if (spec_.precision == device::Precision::single_precision) {
    std::vector<float> single(values.size());
    device().read(single.data(), memory, single.size() * sizeof(float));
    std::copy(single.begin(), single.end(), values.begin());
  } else {
    device().read(values.data(), memory, values.size() * sizeof(double));
  }
  return values;
}

std::vector<double> Discretization::penalties() {
  std::vector<double> values(at(mesh_.facet_count()));
  device().read(values.data(), *penalty_, values.size() * sizeof(double));
  return values;
}

std::vector<Extremes> Discretization::extremes() {
  if (!extremes_are_there_) find_extremes();
  static_assert(sizeof(Extremes) == extreme_values * sizeof(double));
  std::vector<Extremes> values(at(mesh_.polytopes));
  device().read(values.data(), *extremes_, values.size() * sizeof(Extremes));
  return values;
}

std::vector<double> Discretization::eigenvalues() {
  std::vector<double> values(at(mesh_.polytopes));
  device().read(values.data(), *eigenvalues_, values.size() * sizeof(double));
  return values;
}

algebra::BlockMatrix<double> Discretization::matrix() {
  return {pattern(), read_reals(*values_, value_count_)};
}

std::vector<double> Discretization::right_hand_side() {
  return read_reals(*right_hand_side_, unknowns());
}

void Discretization::set_solution(std::span<const double> solution) {
  arguments_.solution = upload_reals(solution, solution_, "solution");
}

SquaredErrors Discretization::errors() {
  const std::int64_t polytopes = mesh_.polytopes, interfaces = mesh_.interface_count();
  std::vector<double> own(at(polytopes * error_sums)), jumps(at(interfaces));
  if (!sums_) sums_ = allocate(std::max(own.size(), jumps.size()) * sizeof(double), "errors");
  arguments_.sums = device::address<double>(sums_);
  launch_groups("errors", "errors", polytopes_);
  device().read(own.data(), *sums_, own.size() * sizeof(double));
  launch_groups("errors", "interface_errors", interfaces_);
  device().read(jumps.data(), *sums_, jumps.size() * sizeof(double));
  SquaredErrors result;
  for (std::size_t k = 0; k < own.size(); k += error_sums) {
    result.l2 += own[k];
    result.h1 += own[k + 1];
    result.dg += own[k + 2];
    result.integral += own[k + 3];
    result.l2_end += own[k + 4];
  }
  for (const double jump : jumps) result.dg += jump;
  return result;
}

Balance Discretization::balance() {
  const auto sum = [&](const char* entry, std::int64_t items, int numbers) {
    std::vector<double> values(at(items) * static_cast<std::size_t>(numbers));
    const auto memory = allocate(values.size() * sizeof(double), "balances");
    arguments_.sums = device::address<double>(memory);
    launch_items("errors", entry, items);
    device().synchronize();
    device().read(values.data(), *memory, values.size() * sizeof(double));
    return values;
  };
  BalanceSums sums;
  sums.polytopes = sum("contents", mesh_.polytopes, kernels::polytopic::content_sums);
  sums.facets = sum("facet_fluxes", mesh_.facet_count(), kernels::polytopic::flux_sums);
  return make_balance(mesh_, spec_.boundaries.size(), sums);
}

}  // namespace galerna::polytopic
