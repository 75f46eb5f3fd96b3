// The rules of the house, read off the sources: includes point downward, files stay short, headers keep their
// namespaces clean.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = GALERNA_SOURCE_DIR;

std::string read_text(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<fs::path> sources(const std::vector<std::string>& folders) {
  std::vector<fs::path> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.path().extension() == ".hpp" || entry.path().extension() == ".cpp") files.push_back(entry.path());
  return files;
}

/// room -> rooms that it may include, itself among them, from the galerna_room lines of CMakeLists.txt.
std::map<std::string, std::set<std::string>> declared_uses() {
  std::map<std::string, std::set<std::string>> uses;
  const std::string text = read_text(root / "CMakeLists.txt");
  const std::regex line(R"(\ngalerna_(?:room|program)\((\w+)(?: USES ([\w ]+))?\))");
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    std::set<std::string>& own = uses[(*match)[1]];
    own.insert((*match)[1]);
    std::istringstream words((*match)[2]);
    for (std::string word; words >> word;) own.insert(uses.at(word).begin(), uses.at(word).end());
  }
  return uses;
}

std::vector<std::string> includes(const fs::path& file) {
  std::vector<std::string> result;
  const std::string text = read_text(file);
  const std::regex line(R"((?:^|\n)#include "([^"]+)\")");
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match)
    result.push_back((*match)[1]);
  return result;
}

TEST(House, RoomsIncludeOnlyWhatTheyDeclare) {
  const auto uses = declared_uses();
  ASSERT_GE(uses.size(), 10u);
  for (const fs::path& file : sources({"src"})) {
    const std::string room = fs::relative(file, root / "src").begin()->string();
    for (const std::string& include : includes(file)) {
      const std::string target = include.substr(0, include.find('/'));
      if (target == "kernels") continue;
      ASSERT_TRUE(uses.count(target)) << file << " includes " << include << ", which lies in no room";
      EXPECT_TRUE(uses.at(room).count(target)) << file << ": " << room << "/ may not include " << include;
    }
  }
}

/// folder of kernels/ -> folders that it may include, itself among them, from the table in docs/architecture.md.
/// Folders stand above those that they use, so that there are no circles.
std::map<std::string, std::set<std::string>> kernel_uses() {
  std::map<std::string, std::set<std::string>> uses;
  const std::string text = read_text(root / "docs/architecture.md");
  const std::regex line(R"(\n\| `(kernels[/\w]*)` \|[^|\n]*\|([^|\n]*)\|(?=\n))"), name("`([^`]+)`");
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    const std::string folder = (*match)[1], used = (*match)[2];
    for (std::sregex_iterator word(used.begin(), used.end(), name); word != end; ++word) {
      EXPECT_FALSE(uses.contains((*word)[1])) << folder << " stands below " << (*word)[1] << " in docs/architecture.md";
      uses[folder].insert((*word)[1]);
    }
    uses[folder].insert(folder);
  }
  return uses;
}

TEST(House, KernelsIncludeOnlyWhatTheArchitectureSays) {
  const auto uses = kernel_uses();
  for (const fs::path& file : sources({"kernels"})) {
    const std::string folder = fs::relative(file.parent_path(), root).string();
    ASSERT_TRUE(uses.contains(folder)) << folder << " is not in the table of docs/architecture.md";
    for (const std::string& include : includes(file)) {
      EXPECT_TRUE(include.starts_with("kernels/")) << file << " includes " << include;
      const std::string target = fs::path(include).parent_path().string();
      EXPECT_TRUE(uses.at(folder).contains(target)) << file << ": " << folder << "/ may not include " << include;
    }
  }
}

/// module (a header and its source, "src/dg/run/stages") -> modules that it includes.
std::map<std::string, std::set<std::string>> module_uses() {
  std::map<std::string, std::set<std::string>> uses;
  const auto module_of = [](fs::path file) { return fs::relative(file.replace_extension(), root).string(); };
  for (const fs::path& file : sources({"src", "kernels"}))
    for (const std::string& include : includes(file))
      for (const fs::path& place : {root / "src" / include, root / include})
        if (fs::exists(place) && module_of(place) != module_of(file)) uses[module_of(file)].insert(module_of(place));
  return uses;
}

/// Takes away, again and again, modules that include none of those that are left: what stays includes itself in the
/// end.
std::set<std::string> modules_in_circles() {
  auto uses = module_uses();
  std::set<std::string> left;
  for (const auto& [module, used] : uses) left.insert(module);
  for (bool found = true; found;) {
    found = false;
    for (auto module = left.begin(); module != left.end();) {
      const std::set<std::string>& used = uses.at(*module);
      const bool free = std::none_of(used.begin(), used.end(), [&](const auto& one) { return left.contains(one); });
      module = free ? left.erase(module) : std::next(module);
      found = found || free;
    }
  }
  return left;
}

/// Whoever reads a module finds all that it needs below it.
TEST(House, NoModulesIncludeEachOther) {
  ASSERT_GE(module_uses().size(), 200u);
  for (const std::string& module : modules_in_circles()) ADD_FAILURE() << module << " includes itself through others";
}

TEST(House, FilesAreShort) {
  for (const fs::path& file : sources({"src", "kernels"})) {
    if (file.filename() == "quadrature_tables.cpp") continue;  // generated
    std::istringstream lines(read_text(file));
    int count = 0;
    for (std::string line; std::getline(lines, line);) ++count;
    EXPECT_LE(count, 500) << file << " is too long for one job";
  }
}

/// Clang knows the pragma of GCC and that of NVRTC, and refuses both before one loop.
TEST(House, LoopsOfKernelsHaveOnePragmaForClang) {
  const std::regex both(R"(#pragma GCC unroll \d+\s+#pragma unroll)");
  for (const fs::path& file : sources({"kernels"})) EXPECT_FALSE(std::regex_search(read_text(file), both)) << file;
}

TEST(House, HeadersUseNoNamespace) {
  for (const fs::path& file : sources({"src", "kernels"}))
    if (file.extension() == ".hpp") {
      EXPECT_EQ(read_text(file).find("\nusing namespace"), std::string::npos) << file;
      EXPECT_NE(read_text(file).find("#pragma once"), std::string::npos) << file;
    }
}

/// The files in <> that a file includes, directly or through others of the house.
std::set<std::string> library_includes(const fs::path& file, std::set<fs::path>& seen) {
  std::set<std::string> result;
  if (!seen.insert(file).second) return result;
  const std::string text = read_text(file);
  const std::regex line(R"((?:^|\n)#include <([^>]+)>)");
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match)
    result.insert((*match)[1]);
  for (const std::string& include : includes(file))
    for (const fs::path& place : {root / "src" / include, root / include})
      if (fs::exists(place)) result.merge(library_includes(place, seen));
  return result;
}

/// What a file names of the standard library, without std::, and Eigen and fmt.
std::set<std::string> library_names(const fs::path& file) {
  std::set<std::string> result;
  const std::string text = std::regex_replace(read_text(file), std::regex("//[^\n]*"), "");
  const std::regex name(R"(std::(\w+)|\b(Eigen|fmt)::)");
  for (std::sregex_iterator match(text.begin(), text.end(), name), end; match != end; ++match)
    result.insert((*match)[1].matched ? (*match)[1] : (*match)[2]);
  return result;
}

/// Headers are compiled with those of libraries before them (cmake/galerna_precompiled.cmake), so that the compiler
/// finds no such include missing.
TEST(House, HeadersIncludeWhatTheyNameOfLibraries) {
  const std::map<std::string, std::vector<std::string>> names_of = {
      {"Eigen/Dense", {"Eigen"}},
      {"algorithm", {"any_of", "clamp", "copy", "fill", "find_if", "max", "min", "sort"}},
      {"array", {"array"}},
      {"atomic", {"atomic"}},
      {"charconv", {"from_chars"}},
      {"chrono", {"chrono"}},
      {"cmath", {"exp", "hypot", "pow", "sqrt"}},
      {"cstdint", {"int32_t", "int64_t", "int8_t", "uint32_t", "uint64_t", "uint8_t"}},
      {"cstring", {"memcpy"}},
      {"filesystem", {"filesystem"}},
      {"fmt/format.h", {"fmt"}},
      {"fstream", {"ifstream", "ofstream"}},
      {"functional", {"function"}},
      {"limits", {"numeric_limits"}},
      {"map", {"map", "multimap"}},
      {"memory", {"make_shared", "make_unique", "shared_ptr", "unique_ptr"}},
      {"mutex", {"mutex"}},
      {"numeric", {"accumulate"}},
      {"optional", {"nullopt", "optional"}},
      {"set", {"set"}},
      {"span", {"span"}},
      {"sstream", {"istringstream", "ostringstream", "stringstream"}},
      {"stdexcept", {"runtime_error"}},
      {"string", {"string"}},
      {"string_view", {"string_view"}},
      {"thread", {"thread"}},
      {"tuple", {"tuple"}},
      {"unordered_map", {"unordered_map"}},
      {"variant", {"variant"}},
      {"vector", {"vector"}}};
  for (const fs::path& file : sources({"src", "kernels"})) {
    if (file.extension() != ".hpp") continue;
    std::set<fs::path> seen;
    const auto included = library_includes(file, seen);
    const auto names = library_names(file);
    for (const auto& [header, provided] : names_of)
      for (const std::string& name : provided)
        EXPECT_TRUE(!names.contains(name) || included.contains(header))
            << file << ": " << name << " without " << header;
  }
}

/// case.toml, or a file of another name where the build cannot make what the case needs, such as CAD.
bool has_case(const fs::path& folder) {
  const fs::directory_iterator files(folder);
  return std::any_of(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".toml"; });
}

TEST(House, EveryCaseHasAReadme) {
  for (const auto& entry : fs::directory_iterator(root / "cases")) {
    if (!entry.is_directory() || entry.path().filename() == "__pycache__") continue;
    EXPECT_TRUE(has_case(entry.path())) << entry.path();
    EXPECT_TRUE(fs::exists(entry.path() / "README.md")) << entry.path();
  }
}

}  // namespace
