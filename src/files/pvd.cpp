#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "files/atomic_file.hpp"
#include "files/text.hpp"
#include "files/vtu.hpp"

namespace galerna::files {
namespace {

/// The value of an attribute of an XML element, or "" if it has none of the name.
std::string attribute(const std::string& element, const std::string& name) {
  const std::size_t begin = element.find(" " + name + "=\"");
  if (begin == std::string::npos) return "";
  const std::size_t value = begin + name.size() + 3, end = element.find('"', value);
  return end == std::string::npos ? "" : unescape_xml(std::string_view(element).substr(value, end - value));
}

std::vector<PvdSeries::Entry> read_series(const std::filesystem::path& file) {
  const std::string text = read_file(file);
  const auto fail = [&] {
    throw InputError({file.string()},
                     "is not a ParaView collection that this run could continue; move it away or choose another "
                     "output directory");
  };
  if (text.find("<Collection>") == std::string::npos) fail();
  std::vector<PvdSeries::Entry> entries;
  for (std::size_t begin = text.find("<DataSet"); begin != std::string::npos;
       begin = text.find("<DataSet", begin + 1)) {
    const std::string element = text.substr(begin, text.find("/>", begin) - begin);
    const std::string time = attribute(element, "timestep");
    PvdSeries::Entry entry{0, attribute(element, "file")};
    const auto parsed = std::from_chars(time.data(), time.data() + time.size(), entry.time);
    if (parsed.ec != std::errc() || entry.file.empty()) fail();
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace

PvdSeries::PvdSeries(std::filesystem::path file, std::optional<double> restart_time) : file_(std::move(file)) {
  if (!restart_time || !std::filesystem::exists(file_)) return;
  entries_ = read_series(file_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.time > *restart_time; });
}

void PvdSeries::add(double time, const std::string& vtu) {
  std::erase_if(entries_, [&](const Entry& entry) { return entry.file == vtu; });
  entries_.push_back({time, vtu});
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const Entry& entry : entries_)
    text += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"0\" file=\"{}\"/>\n", entry.time,
                        escape_xml(entry.file));
  write_file(file_, text + "</Collection>\n</VTKFile>\n");
}

}  // namespace galerna::files
