/// \file
/// A section of a case file: typed access to its keys that checks them against the table of keys.hpp and collects all
/// problems.
#pragma once

#include <toml++/toml.h>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "case/formula.hpp"
#include "case/keys.hpp"
#include "case/settings.hpp"

namespace galerna::case_file {

/// What all sections share while a file is read.
struct Reading {
  std::string file;
  std::vector<std::string> overrides;  ///< paths of keys that --set gave
  Formula::Names names;
  std::vector<Problem> problems;
  const std::vector<Key>* all_keys = &keys();  ///< of this kind of case, for hints

  void report(const SourcePlace& place, const std::string& text) { problems.push_back({place, text}); }
  /// Where the value with this full name comes from: a --set that gave it, or a table around it, or a key in it where
  /// the file has none of it; else the file.
  SourcePlace place(const std::string& path, const toml::source_region& in_file) const;
};

class Section {
 public:
  /// \param schema section name in the keys of this kind of case; `path` how the file calls it ("boundary.wall");
  /// `table` null where the section is absent.
  Section(Reading& reading, const toml::table* table, const std::string& schema, std::string path);
  /// With keys that the case itself decides about, such as the names of its variables.
  Section(Reading& reading, const toml::table* table, std::vector<Key> keys, std::string path);

  bool present() const { return table_ != nullptr; }
  bool has(const std::string& key) const { return table_ && table_->contains(key); }
  SourcePlace place() const;
  SourcePlace place(const std::string& key) const;
  Places places() const;
  /// How the file calls it, for messages: [boundary."the wall"].
  const std::string& path() const { return shown_; }

  // Values of keys; nothing where the key is absent or wrong (then a problem was reported). Numbers may be given as
  // strings, too, which are formulas of constants.
  std::optional<std::string> text(const std::string& key);
  /// One of the words that may stand in place of numbers; nothing where the value is something else.
  std::optional<std::string> word(const std::string& key) const;
  std::optional<double> number(const std::string& key);
  std::optional<long> integer(const std::string& key);
  std::optional<bool> boolean(const std::string& key);
  std::optional<Formula> formula(const std::string& key);
  std::optional<std::vector<double>> numbers(const std::string& key, std::size_t least, std::size_t most);
  std::optional<std::vector<std::string>> names(const std::string& key);
  const toml::table* table(const std::string& key);
  const toml::array* array(const std::string& key);

  /// The number within the value of `key`, say in a table: a number or a formula of constants. Nothing where `node` is
  /// neither (the caller knows what should be there), nor where the formula is wrong (then a problem was reported).
  std::optional<double> number_in(const std::string& key, const toml::node* node);
  /// The formula within the value of `key`, in the same way.
  std::optional<Formula> formula_in(const std::string& key, const toml::node& node);
  /// Problems reported so far, to tell one of number_in() from none.
  std::size_t problem_count() const { return reading_.problems.size(); }

  void report(const std::string& key, const std::string& text) { reading_.report(place(key), text); }
  void require(const std::string& key);
  /// Reports keys that the section does not know; `tables` are names of sub-sections.
  void check_unknown(const std::vector<std::string>& tables = {});

 private:
  const toml::node* find(const std::string& key) const { return table_ ? table_->get(key) : nullptr; }
  std::string full_name(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }
  const Key& key(const std::string& name) const;
  void wrong_type(const std::string& key, const toml::node& found);
  bool in_range(const std::string& key, double value);
  bool has_no_null(const std::string& key, const std::string& value);
  bool must_be_finite(const std::string& key) const;

  Reading& reading_;
  const toml::table* table_;
  std::vector<Key> keys_;
  std::string path_;   ///< its parts joined by dots, as --set has them
  std::string shown_;  ///< the same as TOML has it
};

/// The table under a key; null where it is absent, or is no table (then a problem is reported). \param path the full
/// name.
const toml::table* table_at(Reading& reading, const toml::table& parent, const std::string& key,
                            const std::string& path);

/// A section that must be there, without unknown keys; else problems are reported. \param tables names of its
/// sub-sections
Section required_section(Reading& reading, const toml::table& root, const std::string& name, std::vector<Key> keys,
                         const std::vector<std::string>& tables = {});

/// Kind of a TOML value in words: "a string", "an integer", …
std::string describe_type(const toml::node& node);

/// An integer or a number; nothing for other values. The nearest double of an integer that no double equals, for which
/// toml++ has nothing.
std::optional<double> number_of(const toml::node& node);

}  // namespace galerna::case_file
