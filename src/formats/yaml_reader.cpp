#include "formats/yaml_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <istream>
#include <map>
#include <optional>
#include <streambuf>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/utf8.h"
#include "formats/tree_builder.h"
#include "formats/yaml_ranges.h"
#include "formats/yaml_scalar.h"

namespace etiage::formats {
namespace {

constexpr std::size_t kMaxDepth = 200;
constexpr std::size_t kAliasBudget = std::size_t{64} << 20;  ///< bytes of copies in one text

/// Reads from a view without a copy of it.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view text) {
    char* first = const_cast<char*>(text.data());  // streambuf asks for it; a get area is never written
    setg(first, first, first + text.size());
  }
};

/// A piece of the text with its place, as `---` lines cut it.
struct Piece {
  std::string_view text;
  std::size_t offset;
  int line;
};

/// Thrown through yaml-cpp to leave a document early; never leaves this file.
struct Refusal {
  Diagnostic diagnostic;
};

std::size_t bytes_of(const Tree& tree) {
  std::size_t sum = sizeof(Tree) + tree.text().size();
  for (const Tree& item : tree.items()) sum += bytes_of(item);
  for (const auto& [name, value] : tree.members()) sum += name.size() + sizeof name + bytes_of(value);
  return sum;
}

/// One document's events to a tree.
class Events : public YAML::EventHandler {
 public:
  Events(Piece piece, bool ranges, const std::string& file, std::size_t& budget, Diagnostics& diagnostics)
      : piece_(piece), ranges_(ranges), file_(file), budget_(budget), builder_(file, diagnostics) {}

  std::vector<Tree> take() { return std::move(builder_.documents()); }
  void abandon() { builder_.abandon(); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    anchors_.clear();
    // A stray closing bracket makes yaml-cpp begin one empty document after another at the same place.
    if (mark.pos == document_begin_)
      refuse(mark, "yaml-syntax", "something that belongs to no document", "look for a stray bracket");
    document_begin_ = mark.pos;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const std::string_view rest = piece_.text.substr(std::min<std::size_t>(mark.pos, piece_.text.size()));
    const std::size_t length = rest.starts_with('~')                                    ? 1
                               : rest.size() >= 4 && (rest[0] == 'n' || rest[0] == 'N') ? 4
                                                                                        : 0;
    Tree tree = Tree::null();
    if (length == 0) {  // nothing stands there: the place is after the key's colon or the dash
      if (last_end_ < piece_.text.size() && piece_.text[last_end_] == ':') ++last_end_;
      place(tree, mark, last_end_, last_end_);
    } else {
      place(tree, mark, mark.pos, mark.pos + length);
    }
    scalar(std::move(tree), "null", mark, anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    Tree tree = typed(tag, text);
    const int indent = levels_.empty() ? -1 : levels_.back().indent;
    place(tree, mark, mark.pos, yaml_scalar_end(piece_.text, mark.pos, text, indent));
    scalar(std::move(tree), text, mark, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      refuse(mark, "yaml-alias", "an alias inside the very value that it names", "");
    spend(found->second, mark);
    Tree copy = found->second;
    const std::size_t end = std::min(piece_.text.find_first_of(" \t\r\n,]}", mark.pos), piece_.text.size());
    last_end_ = end;
    if (builder_.key_due()) {
      if (!copy.is_scalar()) refuse(mark, "yaml-syntax", "a key that is no scalar", "");
      return builder_.key(copy.text(), line(mark));
    }
    put(std::move(copy));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    enter(mark, anchor, style);
    builder_.begin_sequence(line(mark), offset(mark.pos));
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    enter(mark, anchor, style);
    builder_.begin_map(line(mark), offset(mark.pos));
  }
  void OnSequenceEnd() override { leave(); }
  void OnMapEnd() override { leave(); }

 private:
  struct Level {
    YAML::anchor_t anchor;
    bool flow;
    int indent;
    YAML::Mark mark;
  };

  int line(const YAML::Mark& mark) const { return piece_.line + mark.line; }
  std::size_t offset(std::size_t at) const { return ranges_ ? piece_.offset + at : 0; }

  void place(Tree& tree, const YAML::Mark& mark, std::size_t begin, std::size_t end) {
    tree.line = line(mark);
    tree.begin = offset(begin);
    tree.end = offset(end);
    last_end_ = end;
  }

  [[noreturn]] void refuse(const YAML::Mark& mark, std::string code, std::string message,
                           std::string hint) const {
    throw Refusal{{Severity::kError,
                   std::move(code),
                   {file_, line(mark), mark.column + 1, ""},
                   std::move(message),
                   std::move(hint)}};
  }

  static Tree typed(const std::string& tag, const std::string& text) {
    constexpr std::string_view kCore = "tag:yaml.org,2002:";
    if (tag == "?" || tag.empty()) return resolve_yaml_scalar(text);
    const std::string_view name = tag.starts_with(kCore) ? std::string_view(tag).substr(kCore.size()) : "";
    if (name == "int" || name == "float" || name == "bool" || name == "null")
      return resolve_yaml_scalar(text);
    return Tree::string(text);
  }

  void spend(const Tree& tree, const YAML::Mark& mark) {
    const std::size_t cost = bytes_of(tree);
    if (cost > budget_)
      refuse(mark, "yaml-alias", "the aliases of this text unfold to more than 64 MiB",
             "write the values out, or split the file");
    budget_ -= cost;
  }

  void remember(const Tree& tree, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor == 0) return;
    spend(tree, mark);
    anchors_[anchor] = tree;
  }

  void scalar(Tree tree, const std::string& text, const YAML::Mark& mark, YAML::anchor_t anchor) {
    remember(tree, anchor, mark);
    // Keys are strings whatever they look like: `8080:`, `on:`.
    if (builder_.key_due()) return builder_.key(tree.is_null() ? text : tree.text(), line(mark));
    put(std::move(tree));
  }

  void put(Tree tree) {
    if (builder_.merge_due()) {
      if (tree.is_map()) return builder_.merge({std::move(tree)});
      if (tree.is_sequence() && std::ranges::all_of(tree.items(), &Tree::is_map))
        return builder_.merge(tree.items());
    }
    builder_.value(std::move(tree));
  }

  void enter(const YAML::Mark& mark, YAML::anchor_t anchor, YAML::EmitterStyle::value style) {
    if (builder_.key_due()) refuse(mark, "yaml-syntax", "a key that is no scalar", "put the key in quotes");
    if (levels_.size() >= kMaxDepth)
      refuse(mark, "too-deep", fmt::format("nested deeper than {} levels", kMaxDepth), "");
    const bool flow = style == YAML::EmitterStyle::Flow;
    levels_.push_back({anchor, flow, flow && !levels_.empty() ? levels_.back().indent : mark.column, mark});
    last_end_ = static_cast<std::size_t>(mark.pos) + (flow ? 1 : 0);
  }

  void leave() {
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.flow) last_end_ = yaml_flow_end(piece_.text, last_end_);
    Tree tree = builder_.finish(offset(last_end_));
    remember(tree, level.anchor, level.mark);
    put(std::move(tree));
  }

  Piece piece_;
  bool ranges_;
  const std::string& file_;
  std::size_t& budget_;
  TreeBuilder builder_;
  std::vector<Level> levels_;
  std::map<YAML::anchor_t, Tree> anchors_;
  std::size_t last_end_ = 0;
  int document_begin_ = -1;
};

/// What YAML forbids in a text: control characters, and bytes that are no UTF-8.
std::optional<Diagnostic> unreadable_byte(const Piece& piece, const std::string& file) {
  int line = piece.line;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < piece.text.size();) {
    const auto c = static_cast<unsigned char>(piece.text[at]);
    const std::size_t length = c < 0x80 ? 1 : utf8_length(piece.text.substr(at, 4));
    if (length == 0 || (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
      return Diagnostic{
          Severity::kError,
          "yaml-encoding",
          {file, line, static_cast<int>(at - line_begin) + 1, ""},
          length == 0 ? "a byte that is no UTF-8" : fmt::format("control character 0x{:02x}", c),
          "this is no YAML text, or it is damaged"};
    at += length;
    if (c == '\n') {
      ++line;
      line_begin = at;
    }
  }
  return {};
}

std::string_view line_at(std::string_view text, int line) {
  for (; line > 0 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

Diagnostic as_diagnostic(const YAML::Exception& e, const Piece& piece, const std::string& file) {
  const int line = std::max(e.mark.line, 0);
  const std::string_view text = line_at(piece.text, line);
  const std::string_view margin = text.substr(0, text.find_first_not_of(" \t"));
  std::string hint = margin.contains('\t') ? "YAML is indented with spaces, never with tabs" : "";
  return {Severity::kError,
          "yaml-syntax",
          {file, piece.line + line, std::max(e.mark.column, 0) + 1, ""},
          e.msg,
          std::move(hint)};
}

void read_piece(const Piece& piece, bool ranges, const std::string& file, std::size_t& budget,
                Diagnostics& diagnostics, std::vector<Tree>& out) {
  if (auto found = unreadable_byte(piece, file)) {
    diagnostics.push_back(std::move(*found));
    return;
  }
  ViewBuffer buffer(piece.text);
  std::istream stream(&buffer);
  Events events(piece, ranges, file, budget, diagnostics);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
  } catch (const YAML::Exception& e) {
    diagnostics.push_back(as_diagnostic(e, piece, file));
    events.abandon();
  } catch (Refusal& refusal) {
    diagnostics.push_back(std::move(refusal.diagnostic));
    events.abandon();
  }
  for (Tree& tree : events.take())
    if (!tree.is_null()) out.push_back(std::move(tree));
}

/// Whether a document begins on this line: `---` alone or before a space.
bool begins_document(std::string_view line) {
  return line.starts_with("---") &&
         (line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r');
}

bool holds_nothing(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == line.npos || line[first] == '#' || line[0] == '%';
}

std::vector<Piece> pieces_of(std::string_view text) {
  std::vector<Piece> pieces;
  Piece open{{}, 0, 1};
  bool content = false;
  int line = 1;
  const auto close = [&](std::size_t end) {
    if (content) pieces.push_back({text.substr(open.offset, end - open.offset), open.offset, open.line});
  };
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view words = text.substr(at, end - at);
    if (begins_document(words)) {
      close(at);
      open = {{}, at, line};
      content = !holds_nothing(words.substr(3));
    } else {
      content = content || !holds_nothing(words);
    }
    at = end + 1;
  }
  close(text.size());
  return pieces;
}

/// The spaces before every line that holds something; 0 where the first has none.
std::size_t margin_of(std::string_view text) {
  std::size_t margin = text.npos;
  for (std::size_t at = 0; at < text.size() && margin != 0;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first < end && text[first] != '\r') margin = std::min(margin, first - at);
    at = end + 1;
  }
  return margin == text.npos ? 0 : margin;
}

std::string without_margin(std::string_view text, std::size_t margin) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    out += line.substr(std::min(margin, line.size()));
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace

std::vector<Tree> read_yaml(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  std::vector<Tree> out;
  std::size_t budget = kAliasBudget;
  const std::size_t mark = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  const std::size_t margin = margin_of(text.substr(mark));
  const std::string moved = margin > 0 ? without_margin(text.substr(mark), margin) : "";
  for (Piece piece : pieces_of(margin > 0 ? std::string_view(moved) : text.substr(mark))) {
    piece.offset += mark;
    read_piece(piece, margin == 0, file, budget, diagnostics, out);
  }
  return out;
}

}  // namespace etiage::formats
