#include "explain/lint/expression_scan.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace etiage::explain {
namespace {

struct Word {
  enum class Kind { kEnd, kName, kText, kMark };
  Kind kind = Kind::kEnd;
  std::string text;

  bool is(std::string_view mark) const { return kind != Kind::kText && text == mark; }
};

bool is_name_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Splits into names, texts in quotes (without them; escapes of quotes and backslashes resolved) and marks.
std::vector<Word> words_of(std::string_view in) {
  std::vector<Word> out;
  std::size_t i = 0;
  while (i < in.size()) {
    const char c = in[i];
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (is_name_char(c)) {
      const std::size_t start = i;
      while (i < in.size() && is_name_char(in[i])) ++i;
      out.push_back({Word::Kind::kName, std::string(in.substr(start, i - start))});
    } else if (c == '"' || c == '\'') {
      std::string text;
      for (++i; i < in.size() && in[i] != c; ++i) {
        if (in[i] == '\\' && i + 1 < in.size()) ++i;
        text.push_back(in[i]);
      }
      ++i;
      out.push_back({Word::Kind::kText, std::move(text)});
    } else {
      const std::string_view two = in.substr(i, 2);
      const bool pair = two == "==" || two == "!=" || two == "<=" || two == ">=" || two == "&&" ||
                        two == "||" || two == ".?" || two == "[?";
      out.push_back({Word::Kind::kMark, std::string(in.substr(i, pair ? 2 : 1))});
      i += pair ? 2 : 1;
    }
  }
  return out;
}

bool is_comparison(const Word& w) {
  return w.is("==") || w.is("!=") || w.is("<") || w.is(">") || w.is("<=") || w.is(">=");
}

std::optional<LiteralComparison::Literal> literal_kind(const Word& w) {
  using enum LiteralComparison::Literal;
  if (w.kind == Word::Kind::kText) return kText;
  if (w.is("true") || w.is("false")) return kBool;
  const bool digit = !w.text.empty() && std::isdigit(static_cast<unsigned char>(w.text[0])) != 0;
  return w.kind == Word::Kind::kName && digit ? std::optional(kNumber) : std::nullopt;
}

class Scanner {
 public:
  explicit Scanner(std::string_view expression) : words_(words_of(expression)) {}

  ExpressionScan run() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (at(i).is("device")) read_field(i);
      if (at(i).is("quantity") && at(i + 1).is("(") && at(i + 2).kind == Word::Kind::kText) read_quantity(i);
      if (at(i).is("matches") && at(i + 1).is("(") && at(i + 2).kind == Word::Kind::kText)
        out_.regexes.push_back({at(i + 2).text, last_});
    }
    return std::move(out_);
  }

 private:
  const Word& at(std::size_t i) const {
    static const Word end;
    return i < words_.size() ? words_[i] : end;
  }

  /// `device . attributes [ "domain" ] . name`, or `[ "name" ]`, with `.?` and `[?` as well.
  void read_field(std::size_t i) {
    const bool capacity = at(i + 2).is("capacity");
    if (!at(i + 1).is(".") || !(capacity || at(i + 2).is("attributes"))) return;
    const bool opens = at(i + 3).is("[") || at(i + 3).is("[?");
    if (!opens || at(i + 4).kind != Word::Kind::kText || !at(i + 5).is("]")) return;
    const bool dotted = at(i + 6).is(".") || at(i + 6).is(".?");
    const bool indexed = at(i + 6).is("[") || at(i + 6).is("[?");
    const Word& name = at(i + 7);
    if (!(dotted && name.kind == Word::Kind::kName) && !(indexed && name.kind == Word::Kind::kText)) return;
    last_ = {capacity, at(i + 4).text, name.text,
             is_guarded(i) || at(i + 6).text.ends_with('?') || at(i + 3).is("[?")};
    out_.fields.push_back(last_);
    const std::size_t after = i + (dotted ? 8 : 9);
    if (is_comparison(at(after))) {
      const Word& literal = at(after + (at(after + 1).is("-") ? 2 : 1));
      if (const auto kind = literal_kind(literal))
        out_.comparisons.push_back({last_, at(after).text, literal.text, true, *kind});
    }
    const bool goes_on = at(after).is(".") || at(after).is("[");
    if (i >= 2 && is_comparison(at(i - 1)) && !goes_on)
      if (const auto kind = literal_kind(at(i - 2)))
        out_.comparisons.push_back({last_, at(i - 1).text, at(i - 2).text, false, *kind});
  }

  bool is_guarded(std::size_t i) const { return i >= 2 && at(i - 1).is("(") && at(i - 2).is("has"); }

  void read_quantity(std::size_t i) {
    const bool compared = i >= 2 && at(i - 2).is("compareTo");
    const bool greater = i >= 2 && at(i - 2).is("isGreaterThan");
    const bool at_least = compared && (at(i + 5).is(">=") || at(i + 5).is(">"));
    out_.quantities.push_back(
        {at(i + 2).text, compared || greater ? last_ : FieldUse{}, greater || at_least});
  }

  std::vector<Word> words_;
  FieldUse last_;
  ExpressionScan out_;
};

}  // namespace

bool ExpressionScan::guards(const FieldUse& field) const {
  return std::ranges::any_of(fields, [&](const FieldUse& f) {
    return f.guarded && f.is_capacity == field.is_capacity && f.domain == field.domain &&
           f.name == field.name;
  });
}

ExpressionScan scan_expression(std::string_view expression) {
  return Scanner(expression).run();
}

}  // namespace etiage::explain
