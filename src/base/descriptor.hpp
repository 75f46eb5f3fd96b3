/// \file
/// Open files and folders of the system.
#pragma once

namespace galerna {

/// An open file or folder, closed with its owner.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// Leaves it open.
  int release();

 private:
  int number_;
};

}  // namespace galerna
