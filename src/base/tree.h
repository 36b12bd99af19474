#pragma once
// A document as it stands in a file (JSON or YAML): maps, sequences and scalars, each with its place.
// Scalars keep their text, so that a quantity or a large integer loses nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace etiage {

/// One node of a document. Maps keep the order of the file; a repeated key keeps its last value (and is
/// diagnosed on reading).
class Tree {
 public:
  enum class Kind { kNull, kBool, kNumber, kString, kSequence, kMap };
  using Member = std::pair<std::string, Tree>;

  Tree() = default;
  static Tree null() { return {}; }
  static Tree boolean(bool value);
  static Tree number(std::string text);
  static Tree string(std::string text);
  static Tree sequence(std::vector<Tree> items = {});
  static Tree map(std::vector<Member> members = {});

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_map() const { return kind_ == Kind::kMap; }
  bool is_sequence() const { return kind_ == Kind::kSequence; }
  bool is_string() const { return kind_ == Kind::kString; }
  bool is_number() const { return kind_ == Kind::kNumber; }
  bool is_scalar() const { return kind_ == Kind::kBool || kind_ == Kind::kNumber || kind_ == Kind::kString; }

  /// The text of a scalar as written (`true`/`false` for booleans); empty for anything else.
  const std::string& text() const { return text_; }
  std::optional<bool> as_bool() const;         ///< booleans only
  std::optional<std::int64_t> as_int() const;  ///< numbers that are whole and fit
  std::optional<double> as_double() const;     ///< any number

  /// Items of a sequence; empty for anything else.
  const std::vector<Tree>& items() const { return items_; }
  /// Members of a map in the order of the file; empty for anything else.
  const std::vector<Member>& members() const { return members_; }

  /// The member of that name, or a null node; never fails, so paths can be chained:
  /// `pod["spec"]["nodeName"].text()`.
  const Tree& operator[](std::string_view key) const;
  /// The item at that index, or a null node.
  const Tree& at(std::size_t index) const;
  bool has(std::string_view key) const { return !(*this)[key].is_null(); }

  /// The member of that name to change, or nothing.
  Tree* find(std::string_view key);
  /// Gives the items away; the sequence is empty afterwards.
  std::vector<Tree> take_items() { return std::exchange(items_, {}); }
  void push(Tree item) { items_.push_back(std::move(item)); }
  /// Replaces the member of that name, or adds it at the end.
  void set(std::string key, Tree value);

  int line = 0;           ///< from 1; 0: not from a file
  std::size_t begin = 0;  ///< byte range in the file, for edits that keep the user's bytes
  std::size_t end = 0;

 private:
  Kind kind_ = Kind::kNull;
  std::string text_;
  std::vector<Tree> items_;
  std::vector<Member> members_;
};

}  // namespace etiage
