/// \file
/// A thin layer over the C interface of HDF5: handles that close themselves, errors as exceptions.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace galerna::files::hdf5 {

/// An HDF5 call failed. Says what was being done; the caller knows the file.
class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// \throws Failure when `id` is negative.
  Handle(hid_t id, Close closer, const std::string& doing);
  ~Handle();
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

  /// Closes now. \throws Failure when that fails: data may not have reached the disk.
  void close(const std::string& doing);

 private:
  hid_t id_;
  Close close_;
};

/// Keeps HDF5 from printing its error stack while it lives.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// A new file with a user block of `user_block` bytes (a power of two ≥ 512).
Handle create_file(const std::filesystem::path& file, std::size_t user_block);
Handle open_file(const std::filesystem::path& file);
Handle create_group(hid_t parent, const std::string& name);
Handle open_group(hid_t parent, const std::string& name);

void write_attribute(hid_t object, const std::string& name, std::int64_t value);
void write_attribute(hid_t object, const std::string& name, std::uint64_t value);
void write_attribute(hid_t object, const std::string& name, double value);
std::int64_t read_integer(hid_t object, const std::string& name);
std::uint64_t read_unsigned(hid_t object, const std::string& name);
double read_number(hid_t object, const std::string& name);

/// Texts are datasets of bytes (UTF-8), lists of doubles one-dimensional datasets.
void write_text(hid_t parent, const std::string& name, const std::string& text);
std::string read_text(hid_t parent, const std::string& name);
void write_numbers(hid_t parent, const std::string& name, const std::vector<double>& values);
std::vector<double> read_numbers(hid_t parent, const std::string& name);

/// A dataset of so many doubles, contiguous in the file, of which no more than the first is written. \returns where
/// they begin in the file, bytes; nothing where there are none
std::optional<std::uint64_t> reserve_numbers(hid_t parent, const std::string& name, std::size_t count, double first);
/// Where doubles, as this processor has them, lie one behind the other in the file; nothing where they do not.
struct NumbersPlace {
  std::uint64_t offset;  ///< bytes
  std::size_t count;
};
std::optional<NumbersPlace> place_of_numbers(hid_t parent, const std::string& name);

/// Names of all links in a group, sorted.
std::vector<std::string> link_names(hid_t group);

}  // namespace galerna::files::hdf5
