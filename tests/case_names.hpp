/// \file
/// Names of parametrized cases from their parameters, the same in every run: letters, digits and underscores.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <tuple>

#include "base/shape.hpp"

namespace galerna::tests {

/// As the last argument of INSTANTIATE_TEST_SUITE_P.
struct CaseName {
  template <class Parameter>
  std::string operator()(const testing::TestParamInfo<Parameter>& info) const {
    std::string name = text(info.param);
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
  }

 private:
  template <class Value>
  static std::string text(const Value& value) {
    return fmt::format("{}", value);
  }
  static std::string text(Shape shape) { return std::string(name(shape)); }
  template <class... Values>
  static std::string text(const std::tuple<Values...>& values) {
    return std::apply(
        [](const auto& first, const auto&... others) { return (text(first) + ... + ("_" + text(others))); }, values);
  }
};

}  // namespace galerna::tests
