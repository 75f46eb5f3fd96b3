/// \file
/// A value that is made when somebody first asks for it.
#pragma once

#include <functional>
#include <optional>
#include <utility>

namespace galerna {

template <class T>
class Lazy {
 public:
  explicit Lazy(std::function<T()> make) : make_(std::move(make)) {}

  const T& operator()() const {
    if (!value_) value_ = make_();
    return *value_;
  }

 private:
  std::function<T()> make_;
  mutable std::optional<T> value_;
};

}  // namespace galerna
