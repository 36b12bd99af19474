#include "render/table.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "render/width.h"

namespace etiage::render {

std::string heading_of(const Column& column) {
  if (!column.title.empty()) return column.title;
  std::string out = column.name;
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return std::toupper(c); });
  return out;
}

namespace {

constexpr int kGap = 2;        // blanks between columns
constexpr int kReadable = 20;  // a sentence keeps this much before a column is left out for it
constexpr int kShortest = 8;   // and a name on a terminal this much in any case

/// A column on paper: which one it is, how wide, and how narrow it may become.
struct Slot {
  std::size_t index;
  int width;
  int words;  ///< the header's, the widest number's and the longest word's
  int least;  ///< the header's and the widest number's
};

const Cell* cell_at(const Row& row, std::size_t index) {
  return index < row.cells.size() ? &row.cells[index] : nullptr;
}

Slot slot_of(const Table& table, std::size_t index) {
  const Column& column = table.columns[index];
  const int header = std::max(display_width(heading_of(column)), display_width(column.unit));
  Slot slot{index, header, header, header};
  for (const Row& row : table.rows)
    if (const Cell* cell = cell_at(row, index)) {
      const int width = display_width(cell->shown);
      slot.width = std::max(slot.width, width);
      slot.words = std::max(slot.words, cell->number ? width : longest_word(cell->shown));
      if (cell->number) slot.least = std::max(slot.least, width);
    }
  return slot;
}

int total_width(const std::vector<Slot>& slots) {
  int width = slots.empty() ? 0 : -kGap;
  for (const Slot& s : slots) width += s.width + kGap;
  return width;
}

/// Takes from the widest column first, none below `floor` of it.
template <class Floor>
void narrow(std::vector<Slot>& slots, int width, Floor floor) {
  while (total_width(slots) > width) {
    Slot* widest = nullptr;
    for (Slot& s : slots)
      if (s.width > floor(s) && (!widest || s.width > widest->width)) widest = &s;
    if (!widest) return;
    --widest->width;
  }
}

struct Layout {
  std::vector<Slot> slots;
  std::vector<std::string> left_out;
};

Layout lay_out(const Table& table, const Paper& paper) {
  Layout out;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Show show = table.columns[i].show;
    if (show != Show::kData && (show != Show::kWide || paper.wide)) out.slots.push_back(slot_of(table, i));
  }
  const int width = paper.wide ? std::max(paper.width, 160) : paper.width;
  const std::vector<Slot> natural = out.slots;
  const auto readable = [](const Slot& s) { return std::max(s.words, kReadable); };
  narrow(out.slots, width, readable);
  while (!paper.wide && total_width(out.slots) > width) {
    const auto last = std::ranges::find_if(out.slots.rbegin(), out.slots.rend(), [&](const Slot& s) {
      return table.columns[s.index].show == Show::kIfRoom;
    });
    if (last == out.slots.rend()) break;
    out.left_out.insert(out.left_out.begin(), table.columns[last->index].name);
    out.slots.erase(std::next(last).base());
    for (Slot& s : out.slots) s.width = std::ranges::find(natural, s.index, &Slot::index)->width;
    narrow(out.slots, width, readable);
  }
  narrow(out.slots, width, [](const Slot& s) { return s.words; });
  if (paper.terminal) narrow(out.slots, width, [](const Slot& s) { return std::max(s.least, kShortest); });
  return out;
}

std::string_view escape_of(Tone tone) {
  switch (tone) {
    case Tone::kStrong:
      return "\x1b[1m";
    case Tone::kDim:
      return "\x1b[2m";
    case Tone::kGood:
      return "\x1b[32m";
    case Tone::kWarning:
      return "\x1b[33m";
    case Tone::kBad:
      return "\x1b[31m";
    case Tone::kPlain:
      break;
  }
  return "";
}

std::string painted(std::string text, Tone tone, const Paper& paper) {
  const std::string_view escape = paper.colour && !text.empty() ? escape_of(tone) : "";
  return escape.empty() ? text : fmt::format("{}{}\x1b[0m", escape, text);
}

/// One line of cells; no blanks at its end.
class Line {
 public:
  explicit Line(const Paper& paper) : paper_(paper) {}

  void add(const std::string& text, Tone tone, int width, Align align) {
    const int blank = std::max(0, width - display_width(text));
    if (align == Align::kRight) pending_ += blank;
    if (!text.empty()) {
      out_.append(static_cast<std::size_t>(pending_), ' ');
      pending_ = 0;
      out_ += painted(text, tone, paper_);
    }
    pending_ += (align == Align::kLeft ? blank : 0) + kGap;
  }
  std::string take() { return std::move(out_) + '\n'; }

 private:
  const Paper& paper_;
  std::string out_;
  int pending_ = 0;
};

std::string header(const Table& table, const Layout& layout, const Paper& paper) {
  Line titles(paper), units(paper);
  bool any_unit = false;
  for (const Slot& s : layout.slots) {
    const Column& column = table.columns[s.index];
    titles.add(heading_of(column), Tone::kStrong, s.width, column.align);
    units.add(column.unit, Tone::kDim, s.width, column.align);
    any_unit |= !column.unit.empty();
  }
  return titles.take() + (any_unit ? units.take() : "");
}

/// A row, over as many lines as its tallest cell.
std::string lines_of(const Table& table, const Row& row, const Layout& layout, const Paper& paper) {
  std::vector<std::vector<std::string>> texts;
  std::size_t tallest = 1;
  for (const Slot& s : layout.slots) {
    const Cell* cell = cell_at(row, s.index);
    texts.push_back(!cell          ? std::vector<std::string>{""}
                    : cell->number ? std::vector{cell->shown}
                                   : folded(cell->shown, s.width));
    tallest = std::max(tallest, texts.back().size());
  }
  std::string out;
  for (std::size_t i = 0; i < tallest; ++i) {
    Line line(paper);
    for (std::size_t c = 0; c < texts.size(); ++c) {
      const Slot& s = layout.slots[c];
      const Cell* cell = cell_at(row, s.index);
      const Tone own = cell ? cell->tone : Tone::kPlain;
      line.add(i < texts[c].size() ? texts[c][i] : "", row.total && own == Tone::kPlain ? Tone::kStrong : own,
               s.width, table.columns[s.index].align);
    }
    out += line.take();
  }
  return out;
}

std::string rule(const Layout& layout, const Paper& paper) {
  std::string line;
  for (int i = 0; i < total_width(layout.slots); ++i) line += "─";
  return painted(line, Tone::kDim, paper) + '\n';
}

/// A sentence over several lines, the later ones indented by two. One that begins with a blank is a command
/// to be pasted, and stays whole.
std::string wrapped(std::string_view sentence, int width) {
  if (sentence.starts_with(' ')) return printable(sentence) + '\n';
  std::string out, line;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
    const std::string word = printable(sentence.substr(at, end - at));
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      out += line + '\n';
      line = "  ";
    } else if (!line.empty()) {
      line += ' ';
    }
    line += word;
    at = end + 1;
  }
  return out + line + '\n';
}

}  // namespace

std::string to_text(const Table& table, const Paper& paper) {
  std::string out;
  if (!table.title.empty()) out += painted(printable(table.title), Tone::kStrong, paper) + '\n';
  const Layout layout = lay_out(table, paper);
  if (!table.rows.empty()) {
    out += header(table, layout, paper);
    bool body_above = false;
    for (const Row& row : table.rows) {
      if (row.total && body_above) out += rule(layout, paper);
      out += lines_of(table, row, layout, paper);
      body_above = !row.total;
    }
  }
  for (const std::string& note : table.notes) out += wrapped(note, paper.width);
  if (!table.rows.empty() && !layout.left_out.empty())
    out += painted(
        wrapped(fmt::format("Left out for want of room: {} (-o wide).", fmt::join(layout.left_out, ", ")),
                paper.width),
        Tone::kDim, paper);
  return out;
}

}  // namespace etiage::render
