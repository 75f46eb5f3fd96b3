#include "case/reference.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "case/keys.hpp"
#include "case/polytopic_keys.hpp"
#include "case/polytopic_settings.hpp"

namespace galerna::case_file {
namespace {

/// One table a section. \param whose for headings
std::string tables_of(const std::vector<Key>& list, const std::string& whose) {
  std::string result;
  std::string section = "?";
  for (const Key& key : list) {
    if (key.section != section) {
      section = key.section;
      result +=
          section.empty() ? fmt::format("### top level{}\n\n", whose) : fmt::format("\n### [{}]{}\n\n", section, whose);
      result += "| key | type | default | unit | meaning |\n| --- | --- | --- | --- | --- |\n";
    }
    std::string help = key.help;
    if (!key.values.allowed.empty()) help += ": " + list_names(key.values.allowed);
    result += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, type_name(key.type),
                          key.fallback.empty() ? "—" : key.fallback, key.unit.empty() ? "—" : key.unit, help);
  }
  return result;
}

}  // namespace

std::string reference_markdown() {
  return tables_of(keys(), "") + "\n" + tables_of(polytopic_keys(), fmt::format(" of {}", polytopic_equations));
}

}  // namespace galerna::case_file
