#pragma once
// Puts a tree together from the events of a reader, without recursion.

#include <cstddef>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/tree.h"

namespace etiage::formats {

/// Takes keys and values in the order of the text; finished documents gather in `documents`.
/// A repeated key keeps its first position and its last value, and is diagnosed (`duplicate-key`).
class TreeBuilder {
 public:
  TreeBuilder(const std::string& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  void begin_map(int line, std::size_t begin) { levels_.push_back({true, line, begin}); }
  void begin_sequence(int line, std::size_t begin) { levels_.push_back({false, line, begin}); }
  void key(std::string name, int line);
  void value(Tree tree);
  /// The value due is one to be merged (YAML's key `<<`).
  bool merge_due() const { return in_map() && levels_.back().has_key && levels_.back().key == "<<"; }
  /// Maps to be merged into the open one, instead of a value: explicit keys win, then the earlier map.
  void merge(std::vector<Tree> maps);
  /// Closes the innermost map or sequence and puts it where it belongs.
  void end(std::size_t end);
  /// The same, but handed to the caller instead of put.
  Tree finish(std::size_t end);

  /// Gives up what is open. Of a list cut off in the middle (`items` of an object, or an outermost array) the
  /// items that were whole are kept.
  void abandon();

  std::size_t depth() const { return levels_.size(); }
  bool in_map() const { return !levels_.empty() && levels_.back().map; }
  bool key_due() const { return in_map() && !levels_.back().has_key; }
  std::vector<Tree>& documents() { return documents_; }

 private:
  struct Level {
    bool map;
    int line;
    std::size_t begin;
    bool has_key = false;
    std::string key = {};
    std::vector<int> key_lines = {};
    std::vector<Tree::Member> members = {};
    std::vector<Tree> items = {};
    std::vector<Tree> merges = {};
  };
  void drop_repeated(Level& level);

  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<Level> levels_;
  std::vector<Tree> documents_;
};

}  // namespace etiage::formats
