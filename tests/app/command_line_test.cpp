// The command line beside what its commands do: slips of the fingers, files in the wrong place, completion, the manual.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "app/program.hpp"
#include "folder.hpp"

namespace galerna::tests {
namespace {

namespace fs = std::filesystem;

class QuickCommandLine : public ::testing::Test {
 protected:
  /// Refused as wrong input, with words.
  void expect_refusal(const std::string& arguments, const std::string& words) const {
    const Execution result =
        execute(fmt::format("cd {} && {} {}", folder_.path().string(), GALERNA_PROGRAM, arguments));
    EXPECT_EQ(result.code, 2) << arguments << ": " << result.output;
    expect_contains(result.output, words);
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  Folder folder_;
};

const char* const square =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
    "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n";

TEST_F(QuickCommandLine, KnowsWhatWasMeant) {
  expect_refusal("rum case.toml", "unknown command 'rum'; did you mean 'run'?");
  expect_refusal("chek", "did you mean 'check'?");
  expect_refusal("fly", "The commands are run, check,");
  expect_refusal("run case.toml --ouput out", "unknown option '--ouput'; did you mean '--output'?");
  expect_refusal("run case.toml --device=cpu --quite", "did you mean '--quiet'?");
  expect_refusal("case.toml", "this is a case file: galerna run case.toml");
  write("bump.msh", square);
  expect_refusal("bump.msh", "this is a Gmsh mesh: galerna info bump.msh");
  expect_refusal("run bump.toml more.toml", "'more.toml' is one word too many: run takes one CASE.toml");
  expect_refusal("devices cpu", "'cpu' is one word too many: devices takes none");
  expect_refusal("frequency a.csv b c", "frequency takes one FILE.csv column");
  expect_refusal("run case.toml -q", "unknown option '-q'");
  expect_refusal("-o out run case.toml", "'-o' must stand behind a command");
  EXPECT_EQ(galerna("help").output, galerna("--help").output);
  EXPECT_EQ(galerna("help run").output, galerna("run --help").output);
  expect_refusal("run case.toml --out x", "did you mean '--output'?");
  expect_refusal("Run", "did you mean 'run'?");
  EXPECT_EQ(galerna("plot --help --normal -1,0,0").code, 0);
}

TEST_F(QuickCommandLine, SaysWhatAFileInTheWrongPlaceIs) {
  write("bump.msh", square);
  write("bump.toml", "[mesh]\nfile = \"bump.msh\"\n");
  write("report.json", "{\"status\": \"done\"}\n");
  write("x.vtu", "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\">\n");
  write("x.geo", "Point(1) = {0, 0, 0};\n");
  write("x.su2", "NDIME= 2\n");
  write("renamed.dat", "galerna checkpoint 3\n");
  expect_refusal("run bump.msh", "this is not a case file, but a Gmsh mesh");
  expect_refusal("run x.vtu", "this is not a case file, but a VTK file");
  expect_refusal("check report.json", "this is not a case file, but JSON");
  expect_refusal("check renamed.dat", "this is not a case file, but a checkpoint");
  expect_refusal("info bump.toml", "but a case file: galerna run bump.toml, or galerna check bump.toml");
  expect_refusal("info report.json", "this is not a Gmsh mesh, but JSON");
  expect_refusal("info x.geo", "gmsh -2 x.geo -o x.msh (-3 in 3D)");
  expect_refusal("info x.su2", "convert it to x.msh");
  expect_refusal("info x.msh", "the mesh file does not exist; there is x.geo");
  expect_refusal("plot x.vtu", "this is not a checkpoint, but a VTK file");
  expect_refusal("plot bump.msh", "this is not a checkpoint, but a Gmsh mesh");
  expect_refusal("frequency report.json density", "this is not a table (.csv), but JSON");
  expect_refusal("agglomerate bump.toml -o a.agg --simplices 2", "but a case file");
}

/// A slip in a case file of any name is one in a case file.
TEST_F(QuickCommandLine, TakesCaseFilesOfAnyName) {
  write("case.inp", "[mesh]\nfile = bump.msh\n");
  expect_refusal("run case.inp", "case.inp:2:");
  write("settings", "[mesh]\nfiel = \"bump.msh\"\n");
  expect_refusal("run settings", "did you mean 'file'?");
}

TEST_F(QuickCommandLine, MemoryIsASizeWithItsUnit) {
  for (const char* size : {"80", "GB", "80XB", "-1GB", "0GB", "nanGB", "1e99TB"})
    expect_refusal(fmt::format("check case.toml --memory={}", size),
                   "must be a size with its unit, such as 80GB or 64GiB");
}

/// What --help says of a command and its options, word by word.
std::vector<std::string> words_of_help() {
  std::vector<std::string> words;
  const auto collect = [&](const std::string& text, const std::regex& pattern) {
    for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) words.push_back((*at)[1]);
  };
  const std::string help = galerna("--help").output;
  collect(help.substr(help.find("Subcommands:")), std::regex("\n  ([a-z-]+)"));
  const std::vector<std::string> commands = words;
  EXPECT_GT(commands.size(), 10U);
  for (const std::string& command : commands)
    collect(galerna(command + " --help").output, std::regex("\n *(?:-[a-zA-Z],)?--([a-z-]+)"));
  return words;
}

TEST_F(QuickCommandLine, CompletionAndManualKnowAllCommandsAndOptions) {
  const std::vector<std::string> words = words_of_help();
  EXPECT_GT(words.size(), 60U);
  for (const char* what : {"completion bash", "completion zsh", "completion fish", "man"}) {
    const Execution text = galerna(what);
    EXPECT_EQ(text.code, 0);
    const std::string plain = std::regex_replace(text.output, std::regex(R"(\\f[BIR]|\\)"), "");  // of troff
    for (const std::string& word : words)
      EXPECT_TRUE(std::regex_search(plain, std::regex("[ -]" + word + "[^a-z-]"))) << what << ": " << word;
  }
  EXPECT_EQ(galerna("completion csh").code, 2);
}

/// The script of bash, asked as the shell asks it.
TEST_F(QuickCommandLine, CompletesInBash) {
  write("a.toml", "");
  write("a.msh", "");
  const auto completed = [&](const std::string& words) {
    const std::string script = fmt::format(
        "cd {} && source <({} completion bash) && compopt() {{ :; }} && COMP_WORDS=(galerna {}) && "
        "COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)) && _galerna && echo ${{COMPREPLY[@]}}",
        folder_.path().string(), GALERNA_PROGRAM, words);
    return execute("bash -c '" + script + "'").output;
  };
  EXPECT_EQ(completed("ru"), "run\n");
  EXPECT_EQ(completed("run --thr"), "--threads\n");
  EXPECT_EQ(completed("run a"), "a.toml\n");
  for (const char* file : {"a.msh", "a.toml"}) expect_contains(completed("info a"), file);
  EXPECT_EQ(completed("run a.toml --precision s"), "single\n");
  EXPECT_EQ(completed("completion f"), "fish\n");
}

TEST_F(QuickCommandLine, TheManualListsEveryOptionOnce) {
  std::istringstream manual(execute(fmt::format("{} man", GALERNA_PROGRAM)).output);
  std::set<std::string> options;
  for (std::string line; std::getline(manual, line);) {
    if (line.starts_with(".SS")) options.clear();
    if (line.starts_with("\\fB")) EXPECT_TRUE(options.insert(line).second) << line;
  }
  EXPECT_FALSE(options.empty());
}

}  // namespace
}  // namespace galerna::tests
