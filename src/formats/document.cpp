#include "formats/document.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <utility>

#include "formats/json_reader.h"
#include "formats/tree_builder.h"
#include "formats/yaml_reader.h"

namespace etiage::formats {
namespace {

class JsonTrees : public JsonVisitor {
 public:
  JsonTrees(const std::string& file, Diagnostics& diagnostics) : builder(file, diagnostics) {}

  bool token(const JsonToken& t) override {
    using Kind = JsonToken::Kind;
    if (builder.depth() == 0) document_line = t.line;
    switch (t.kind) {
      case Kind::kBeginObject:
        builder.begin_map(t.line, t.begin);
        break;
      case Kind::kBeginArray:
        builder.begin_sequence(t.line, t.begin);
        break;
      case Kind::kEndObject:
      case Kind::kEndArray:
        builder.end(t.end);
        break;
      case Kind::kKey:
        builder.key(std::string(t.text), t.line);
        break;
      default:
        builder.value(scalar(t));
    }
    return true;
  }

  TreeBuilder builder;
  int document_line = 1;  ///< where the document that is being read began

 private:
  static Tree scalar(const JsonToken& t) {
    using Kind = JsonToken::Kind;
    Tree tree;
    if (t.kind == Kind::kString) tree = Tree::string(std::string(t.text));
    if (t.kind == Kind::kNumber) tree = Tree::number(std::string(t.text));
    if (t.kind == Kind::kTrue || t.kind == Kind::kFalse) tree = Tree::boolean(t.kind == Kind::kTrue);
    tree.line = t.line;
    tree.begin = t.begin;
    tree.end = t.end;
    return tree;
  }
};

constexpr std::size_t kMaxBrokenLines = 20;

/// Where to read on after a fault: at the next line where the broken document stood on one line (JSON Lines),
/// or at the fault itself where that is a document's beginning at the left margin (the one before was cut
/// off). Nothing: nowhere.
std::optional<JsonStart> next_start(std::string_view text, const JsonFault& fault, int document_line) {
  const std::size_t line_end = text.find('\n', fault.offset);
  if (document_line == fault.line && line_end != text.npos) return JsonStart{line_end + 1, fault.line + 1};
  const bool at_margin = fault.column == 1 && fault.offset < text.size() && text[fault.offset] == '{';
  if (document_line < fault.line && at_margin) return JsonStart{fault.offset, fault.line};
  return {};
}

constexpr std::size_t kMaxBrokenDocuments = 20;

/// A fault costs the document it stands in, up to so many faults.
std::vector<Tree> read_json_documents(std::string_view text, const std::string& file,
                                      Diagnostics& diagnostics, JsonFault* first_fault) {
  JsonTrees trees(file, diagnostics);
  std::optional<JsonStart> start = JsonStart{};
  for (std::size_t faults = 0; start && faults < kMaxBrokenDocuments; ++faults) {
    JsonReader reader(trees, *start);
    reader.feed(text.substr(start->offset));
    if (reader.finish()) break;
    const JsonFault& fault = *reader.fault();
    if (faults == 0) *first_fault = fault;
    diagnostics.push_back(etiage::as_diagnostic(as_error(fault, file), "json-syntax"));
    trees.builder.abandon();
    start = next_start(text, fault, trees.document_line);
  }
  return std::move(trees.builder.documents());
}

/// Brackets begin YAML's flow style too, which allows what JSON does not: comments, bare keys, trailing
/// commas.
bool may_be_yaml(const JsonFault& fault, std::string_view text) {
  constexpr std::size_t kLimit = std::size_t{16} << 20;
  return fault.kind == JsonFault::Kind::kSyntax && text.size() <= kLimit;
}

bool begins_with_bracket(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

/// `PodList` holds pods; a plain `List` does not say.
std::string kind_of_items(const std::string& kind) {
  return kind.ends_with("List") && kind != "List" ? kind.substr(0, kind.size() - 4) : "";
}

void flatten(Tree tree, const std::string& kind, const std::string& api_version, const std::string& file,
             Diagnostics& diagnostics, std::vector<Tree>& out) {
  if (tree.is_sequence()) {
    for (Tree& item : tree.take_items()) flatten(std::move(item), kind, api_version, file, diagnostics, out);
    return;
  }
  const std::string& own_kind = tree["kind"].text();
  const bool list = tree["items"].is_sequence() && (own_kind.empty() || own_kind.ends_with("List"));
  if (list) {
    const std::string version =
        tree["apiVersion"].text() == "v1" && own_kind == "List" ? "" : tree["apiVersion"].text();
    for (Tree& item : tree.find("items")->take_items())
      flatten(std::move(item), kind_of_items(own_kind), version, file, diagnostics, out);
    return;
  }
  if (own_kind.empty() && tree.is_map() && !kind.empty()) {  // items of a typed list leave their kind out
    tree.set("kind", Tree::string(kind));
    if (!tree.has("apiVersion")) tree.set("apiVersion", Tree::string(api_version));
  }
  if (!tree.is_map() || !tree["kind"].is_string()) {
    diagnostics.push_back({Severity::kWarning,
                           "not-an-object",
                           {file, tree.line, 0, ""},
                           "a document that is no Kubernetes object: it has no `kind`",
                           "it is left out"});
    return;
  }
  out.push_back(std::move(tree));
}

}  // namespace

std::vector<Tree> read_documents(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  if (is_utf16(text)) {
    diagnostics.push_back(
        {Severity::kError, "encoding", {file, 1, 0, ""}, "the text is UTF-16", "save it as UTF-8"});
    return {};
  }
  if (!begins_with_bracket(text)) return read_yaml(text, file, diagnostics);
  Diagnostics found;
  JsonFault fault;
  std::vector<Tree> documents = read_json_documents(text, file, found, &fault);
  if (!fault.message.empty() && may_be_yaml(fault, text)) {
    Diagnostics yaml;
    std::vector<Tree> flow = read_yaml(text, file, yaml);
    const bool clean = !flow.empty() && std::ranges::none_of(yaml, [](const Diagnostic& d) {
      return d.severity == Severity::kError;
    });
    if (clean) {
      documents = std::move(flow);
      found = std::move(yaml);
    }
  }
  std::ranges::move(found, std::back_inserter(diagnostics));
  return documents;
}

std::vector<Tree> kubernetes_objects(std::vector<Tree> documents, const std::string& file,
                                     Diagnostics& diagnostics) {
  std::vector<Tree> out;
  for (Tree& document : documents) flatten(std::move(document), "", "", file, diagnostics, out);
  return out;
}

}  // namespace etiage::formats
