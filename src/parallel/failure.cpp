#include "parallel/failure.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/interruption.hpp"

namespace galerna::parallel {
namespace {

class Writer {
 public:
  void number(std::int64_t value) { append(&value, sizeof value); }
  void text(const std::string& value) {
    number(static_cast<std::int64_t>(value.size()));
    append(value.data(), value.size());
  }
  Bytes take() { return std::move(bytes_); }

 private:
  void append(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }

  Bytes bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  std::int64_t number() {
    std::int64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const auto bytes = take(static_cast<std::size_t>(number()));
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > rest_.size()) throw std::logic_error("the message of a failure is cut short");
    const auto taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }

  std::span<const std::byte> rest_;
};

}  // namespace

std::string rank_name(int rank, const std::string& host) {
  return "rank " + std::to_string(rank) + " (host " + host + ")";
}

Failure describe(const std::exception_ptr& exception) {
  using Kind = Failure::Kind;
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {Kind::input, error.code(), error.what(), error.problems()};
  } catch (const Interruption& error) {
    return {Kind::interruption, error.code(), error.what(), {}};
  } catch (const SystemError& error) {
    return {Kind::system, error.code(), error.what(), {}};
  } catch (const Error& error) {
    return {Kind::error, error.code(), error.what(), {}};
  } catch (const std::bad_alloc&) {
    return {Kind::memory, ExitCode::system_failure, "out of host memory", {}};
  } catch (const std::system_error& error) {
    return {Kind::system, ExitCode::system_failure, std::string("the system failed: ") + error.what(), {}};
  } catch (const std::exception& error) {
    return {Kind::unexpected, ExitCode::system_failure, error.what(), {}};
  } catch (...) {
    return {Kind::unexpected, ExitCode::system_failure, "an exception of an unknown type", {}};
  }
}

Failure named(Failure failure, const std::string& name) {
  failure.text = name + ": " + failure.text;
  if (!failure.problems.empty()) failure.problems.front().text = name + ": " + failure.problems.front().text;
  if (failure.kind == Failure::Kind::memory) failure.kind = Failure::Kind::system;  // std::bad_alloc has no message
  return failure;
}

void throw_failure(const Failure& failure) {
  switch (failure.kind) {
    case Failure::Kind::input:
      throw InputError(failure.problems);
    case Failure::Kind::interruption:
      throw Interruption(failure.text);
    case Failure::Kind::system:
      throw SystemError(failure.text);
    case Failure::Kind::error:
      throw Error(failure.code, failure.text);
    case Failure::Kind::memory:
      throw std::bad_alloc();
    case Failure::Kind::unexpected:
      break;
  }
  throw std::runtime_error(failure.text);
}

Bytes to_bytes(const Failure& failure) {
  Writer writer;
  writer.number(static_cast<std::int64_t>(failure.kind));
  writer.number(static_cast<std::int64_t>(failure.code));
  writer.text(failure.text);
  writer.number(static_cast<std::int64_t>(failure.problems.size()));
  for (const Problem& problem : failure.problems) {
    writer.text(problem.place.file);
    writer.number(problem.place.line);
    writer.number(problem.place.column);
    writer.text(problem.text);
  }
  return writer.take();
}

Failure failure_of(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Failure failure;
  failure.kind = static_cast<Failure::Kind>(reader.number());
  failure.code = static_cast<ExitCode>(reader.number());
  failure.text = reader.text();
  failure.problems.resize(static_cast<std::size_t>(reader.number()));
  for (Problem& problem : failure.problems) {
    problem.place.file = reader.text();
    problem.place.line = static_cast<int>(reader.number());
    problem.place.column = static_cast<int>(reader.number());
    problem.text = reader.text();
  }
  return failure;
}

}  // namespace galerna::parallel
