#include "files/hdf5.hpp"

namespace galerna::files::hdf5 {
namespace {

void check(herr_t status, const std::string& doing) {
  if (status < 0) throw Failure(doing);
}

template <typename Value>
void write_scalar(hid_t object, const std::string& name, hid_t type, Value value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle attribute(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  check(H5Awrite(attribute, type, &value), name);
}

template <typename Value>
Value read_scalar(hid_t object, const std::string& name, hid_t type) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, name);
  const Handle space(H5Aget_space(attribute), H5Sclose, name);
  if (H5Sget_simple_extent_npoints(space) != 1) throw Failure(name);
  Value value = 0;
  check(H5Aread(attribute, type, &value), name);
  return value;
}

/// Properties of an object that does not say when it was made: equal contents are equal files.
Handle timeless(hid_t kind) {
  Handle properties(H5Pcreate(kind), H5Pclose, "properties");
  check(H5Pset_obj_track_times(properties, false), "properties");
  return properties;
}

/// Writes a one-dimensional dataset, which may be empty.
void write_array(hid_t parent, const std::string& name, hid_t type, const void* values, std::size_t count) {
  const hsize_t extent = count;
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, name);
  const Handle creation = timeless(H5P_DATASET_CREATE);
  Handle data(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose, name);
  if (count > 0) check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
  data.close(name);
}

/// Reads a one-dimensional dataset. Memory is asked for only if the file stores as much.
template <typename Container>
Container read_array(hid_t parent, const std::string& name, hid_t type) {
  const Handle data(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle space(H5Dget_space(data), H5Sclose, name);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const std::size_t value_bytes = sizeof(typename Container::value_type);
  if (count < 0 || H5Sget_simple_extent_ndims(space) != 1) throw Failure(name);
  if (static_cast<std::size_t>(count) > H5Dget_storage_size(data) / value_bytes) throw Failure(name);
  Container values(static_cast<std::size_t>(count), typename Container::value_type{});
  if (count > 0) check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return values;
}

}  // namespace

Handle::Handle(hid_t id, Close closer, const std::string& doing) : id_(id), close_(closer) {
  if (id < 0) throw Failure(doing);
}

Handle::~Handle() {
  if (id_ >= 0) close_(id_);
}

void Handle::close(const std::string& doing) {
  const hid_t id = id_;
  id_ = -1;
  check(close_(id), doing);
}

QuietErrors::QuietErrors() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietErrors::~QuietErrors() {
  H5Eset_auto2(H5E_DEFAULT, function_, data_);
}

Handle create_file(const std::filesystem::path& file, std::size_t user_block) {
  const Handle creation = timeless(H5P_FILE_CREATE);
  check(H5Pset_userblock(creation, user_block), "user block");
  return Handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT), H5Fclose, "the file");
}

Handle open_file(const std::filesystem::path& file) {
  return Handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "the file");
}

Handle create_group(hid_t parent, const std::string& name) {
  const Handle creation = timeless(H5P_GROUP_CREATE);
  return Handle(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, name);
}

Handle open_group(hid_t parent, const std::string& name) {
  return Handle(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, name);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  write_scalar(object, name, H5T_NATIVE_INT64, value);
}
void write_attribute(hid_t object, const std::string& name, std::uint64_t value) {
  write_scalar(object, name, H5T_NATIVE_UINT64, value);
}
void write_attribute(hid_t object, const std::string& name, double value) {
  write_scalar(object, name, H5T_NATIVE_DOUBLE, value);
}

std::int64_t read_integer(hid_t object, const std::string& name) {
  return read_scalar<std::int64_t>(object, name, H5T_NATIVE_INT64);
}
std::uint64_t read_unsigned(hid_t object, const std::string& name) {
  return read_scalar<std::uint64_t>(object, name, H5T_NATIVE_UINT64);
}
double read_number(hid_t object, const std::string& name) {
  return read_scalar<double>(object, name, H5T_NATIVE_DOUBLE);
}

void write_text(hid_t parent, const std::string& name, const std::string& text) {
  write_array(parent, name, H5T_NATIVE_UINT8, text.data(), text.size());
}
std::string read_text(hid_t parent, const std::string& name) {
  return read_array<std::string>(parent, name, H5T_NATIVE_UINT8);
}
void write_numbers(hid_t parent, const std::string& name, const std::vector<double>& values) {
  write_array(parent, name, H5T_NATIVE_DOUBLE, values.data(), values.size());
}
std::vector<double> read_numbers(hid_t parent, const std::string& name) {
  return read_array<std::vector<double>>(parent, name, H5T_NATIVE_DOUBLE);
}

std::optional<std::uint64_t> reserve_numbers(hid_t parent, const std::string& name, std::size_t count, double first) {
  if (count == 0) {
    write_numbers(parent, name, {});
    return {};
  }
  const hsize_t extent = count, one = 1, begin = 0;
  const Handle space(H5Screate_simple(1, &extent, nullptr), H5Sclose, name);
  const Handle of_one(H5Screate_simple(1, &one, nullptr), H5Sclose, name);
  const Handle creation = timeless(H5P_DATASET_CREATE);
  Handle data(H5Dcreate2(parent, name.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
              name);
  // Writing a number gives the dataset its place.
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, &begin, nullptr, &one, nullptr), name);
  check(H5Dwrite(data, H5T_NATIVE_DOUBLE, of_one, space, H5P_DEFAULT, &first), name);
  const haddr_t offset = H5Dget_offset(data);
  if (offset == HADDR_UNDEF) throw Failure(name);
  data.close(name);
  return offset;
}

std::optional<NumbersPlace> place_of_numbers(hid_t parent, const std::string& name) {
  const Handle data(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle space(H5Dget_space(data), H5Sclose, name);
  const Handle type(H5Dget_type(data), H5Tclose, name);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const haddr_t offset = H5Dget_offset(data);
  if (count < 0 || H5Sget_simple_extent_ndims(space) != 1) throw Failure(name);
  const auto numbers = static_cast<std::size_t>(count);
  if (offset == HADDR_UNDEF || H5Tequal(type, H5T_NATIVE_DOUBLE) <= 0 ||
      H5Dget_storage_size(data) / sizeof(double) != numbers)
    return {};
  return NumbersPlace{offset, numbers};
}

std::vector<std::string> link_names(hid_t group) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->push_back(name);
    return 0;
  };
  check(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names), "names of a group");
  return names;
}

}  // namespace galerna::files::hdf5
