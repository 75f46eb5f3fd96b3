// Functions of users' headers that must not be called in a run.
#include "solver/check_indices.hpp"

#include <gtest/gtest.h>

#include "solver/decay.hpp"
#include "solver/make_mesh.hpp"

namespace galerna::tests {
namespace {

/// What require_indices_in_range() finds in the decay header with `to` in place of `from`.
std::string index_refusal(const std::string& from, const std::string& to) {
  Folder folder;
  write_square(folder, 2);
  const case_file::Settings all = settings(folder, decay_case(folder, replaced(decay_header, from, to)) + decay_states);
  try {
    solver::require_indices_in_range(all, solver::make_mesh(all));
  } catch (const InputError& error) {
    return error.what();
  }
  return "was accepted";
}

TEST(QuickUserEquations, ThatLeaveTheirArraysAreRefused) {
  EXPECT_EQ(index_refusal("flux", "flux"), "was accepted");
  EXPECT_EQ(index_refusal("return V(1e-12f);", "return V(speed);"), "was accepted") << "the compiler refuses it";
  const std::string text = index_refusal("x[0] * t", "x[3] * t");
  expect_in(
      text,
      "decay.hpp:17: error: source(u, position, time) uses element [3] of an array of 3: indices run from 0 to 2");
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  expect_in(index_refusal("return V(1e-12f);", "return V(-1);"),
            "decay.hpp:13: error: largest_wave_speed(u) is negative");
  expect_in(index_refusal("{{V(0), V(0)}}", "{{V(0), sqrt(V(-1))}}"),
            "decay.hpp:9: error: flux(u, a) gives a number that is none or infinite for the initial state at (");
}

/// What others wrote may do anything, and must end neither `check` nor `run`.
TEST(QuickUserEquations, ThatDoNotComeBackAreRefused) {
  const std::string flux = "return {{V(0), V(0)}};";
  const auto with = [&](const std::string& what) { return index_refusal(flux, what + flux); };
  expect_in(with("volatile int* nowhere = nullptr; *nowhere = 1;"),
            "decay.hpp:9: error: flux(u, a) crashes (Segmentation fault)");
  expect_in(with("__builtin_exit(0);"), "decay.hpp:9: error: flux(u, a) ends the program or throws an exception");
  expect_in(with("throw 1;"), "decay.hpp:9: error: flux(u, a) ends the program or throws an exception");
  expect_in(with("for (volatile int on = 1; on;) {}"), "decay.hpp:9: error: flux(u, a) does not end: it was stopped");
}

TEST(QuickUserEquations, ThatCrashWhenTheyAreLoadedAreRefused) {
  const std::string crash = "struct Crash { Crash() { volatile int* p = nullptr; *p = 1; } };\ninline Crash crash;\n";
  expect_in(
      index_refusal("template <int dimension, class Parameters>", crash + "template <int dimension, class Parameters>"),
      "decay.hpp: error: the compiled header, when it is loaded, crashes (Segmentation fault)");
}

TEST(QuickUserEquations, ThatDoNotAdmitTheInitialStateAreRefused) {
  const std::string mask =
      "template <class V>\n  static auto admissible(const Array<V, 2>& u) { return u[0] > V(100); }\n";
  expect_in(index_refusal("static constexpr int variables = 2;", "static constexpr int variables = 2;\n  " + mask),
            "admissible(u) is false for the initial state at (");
}

}  // namespace
}  // namespace galerna::tests
