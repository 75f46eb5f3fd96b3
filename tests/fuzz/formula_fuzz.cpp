// libFuzzer harness: any text is either a formula or an InputError.
#include <cstddef>
#include <cstdint>
#include <string>

#include "case/formula.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto formula = galerna::case_file::Formula::parse(std::string(reinterpret_cast<const char*>(data), size), {});
    formula(0.1, 0.2, 0.3, 0.4);
    formula.cpp("f");
  } catch (const galerna::InputError&) {
  }
  return 0;
}
