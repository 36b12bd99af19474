#include "formats/promql_uses.h"

#include <algorithm>
#include <array>

#include "formats/document.h"
#include "formats/kube/autoscaler.h"

namespace etiage::formats {
namespace {

/// Panels, rows, queries: anything with an `expr`, whatever the dashboard's schema.
void walk(const Tree& tree, std::string_view title, const std::string& owner, const std::string& file,
          std::vector<PromqlUse>& out) {
  if (const Tree& own = tree["title"]; own.is_string() && !own.text().empty()) title = own.text();
  if (const Tree& expr = tree["expr"]; expr.is_string() && !expr.text().empty())
    out.push_back({owner, std::string(title), expr.text(), {file, expr.line, 0, "expr"}});
  for (const auto& [name, member] : tree.members()) walk(member, title, owner, file, out);
  for (const Tree& item : tree.items()) walk(item, title, owner, file, out);
}

bool is_dashboard(const Tree& tree) {
  return std::ranges::any_of(std::to_array<std::string_view>({"panels", "rows", "elements"}),
                             [&](std::string_view key) { return tree.has(key); });
}

}  // namespace

std::vector<PromqlUse> read_promql_uses(const Tree& document, const std::string& file) {
  const Tree& board = document.has("dashboard") ? document["dashboard"] : document;
  if (document["groups"].is_sequence()) return read_rule_groups(document["groups"], "rules " + file, file);
  std::vector<PromqlUse> out;
  if (is_dashboard(board)) walk(board, "", "dashboard " + board["title"].text(), file, out);
  return out;
}

std::vector<PromqlUse> read_promql_config_map(const Tree& object, const std::string& file) {
  std::vector<PromqlUse> out;
  for (const auto& [name, value] : object["data"].members()) {
    const std::string& text = value.text();
    if (text.find("\"expr\"") == std::string::npos && text.find("groups:") == std::string::npos) continue;
    Diagnostics ignored;  // a ConfigMap may hold anything
    for (const Tree& document : read_documents(text, file, ignored)) {
      auto more = read_promql_uses(document, file);
      std::ranges::move(more, std::back_inserter(out));
    }
  }
  return out;
}

}  // namespace etiage::formats
