#include "formats/bundle/names.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "base/rng.h"
#include "formats/kube/replica_set.h"

namespace etiage::formats::bundle {
namespace {

/// No vowels, so that no alias is a word; letters rise in byte order.
constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz";
constexpr std::array<std::string_view, 2> kUuidHeads{"GPU-", "MIG-"};

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Where the port begins in `host:port`, its colon included; the end where there is none.
std::size_t port_at(std::string_view text) {
  const auto colon = text.rfind(':');
  return colon != text.npos && colon > 0 && text.size() - colon <= 6 && is_digits(text.substr(colon + 1))
             ? colon
             : text.size();
}

std::string_view uuid_head(std::string_view name) {
  for (const std::string_view head : kUuidHeads)
    if (name.starts_with(head)) return head;
  return {};
}

/// What of an exporter's name tells that it is one.
std::string_view exporter_mark(std::string_view name) {
  for (const std::string_view mark : {"-dcgm-exporter", "-exporter"})
    if (name.contains(mark.substr(1))) return mark;
  return {};
}

/// Draws as many different codes as asked for, in rising order, none of which holds a name.
class Codes {
 public:
  Codes(std::uint64_t seed, const std::set<std::string, std::less<>>& names) : rng_(seed) {
    std::ranges::copy_if(names, std::back_inserter(forbidden_), [](const std::string& n) {
      return n.size() > 1 && n.size() < 8 && n.find_first_not_of(kLetters) == n.npos;
    });
  }

  std::vector<std::string> draw(std::size_t count) {
    std::size_t width = 4;
    for (std::uint64_t space = 160'000; space / 64 < count; space *= kLetters.size()) ++width;
    std::set<std::string> codes;
    while (codes.size() < count)
      if (std::string code = one(width); !is_forbidden(code)) codes.insert(std::move(code));
    return {codes.begin(), codes.end()};
  }

 private:
  std::string one(std::size_t width) {
    std::string code(width, ' ');
    for (char& c : code) c = kLetters[rng_.below(kLetters.size())];
    return code;
  }
  bool is_forbidden(const std::string& code) const {
    return std::ranges::any_of(forbidden_, [&](const std::string& n) { return code.contains(n); });
  }

  Rng rng_;
  std::vector<std::string> forbidden_;
};

/// A Deployment and what sorts between it and its last ReplicaSet: all of that begins with its name, and so
/// will their aliases.
struct Family {
  std::string_view head;  ///< empty: the names that stand in no family
  std::string last;
  std::vector<std::string_view> members;
};

/// Names in rising order to families, each before those inside it.
std::vector<Family> families(const std::set<std::string, std::less<>>& names,
                             const std::map<std::string, std::string, std::less<>>& last_set_of) {
  std::vector<Family> out(1);
  std::vector<std::size_t> open{0};
  for (const std::string& name : names) {
    while (open.size() > 1 && name > out[open.back()].last) open.pop_back();
    out[open.back()].members.push_back(name);
    const auto it = last_set_of.find(name);
    if (it == last_set_of.end()) continue;
    open.push_back(out.size());
    out.push_back({name, it->second, {}});
    for (const std::size_t f : open) out[f].last = std::max(out[f].last, it->second);
  }
  return out;
}

}  // namespace

bool names_nothing(std::string_view text) {
  return text.empty() || text == "<none>" || text == "true" || text == "false" || text == "True" ||
         text == "False" || (text.size() <= 4 && is_digits(text));
}

void NameList::add(std::string_view name, NameOf what) {
  name = name.substr(0, port_at(name));
  if (names_nothing(name)) return;
  const auto [at, added] = names_.emplace(name);
  if (what == NameOf::kContainer) containers_.insert(*at);
  if (what != NameOf::kReplicaSet) return;
  if (const std::string deployment = deployment_of(*at); deployment != *at) {
    names_.insert(deployment);
    std::string& last = last_set_of_[deployment];
    last = std::max(last, *at);
  }
}

Aliases::Aliases(const NameList& list, std::uint64_t seed) {
  Codes codes(seed, list.names_);
  for (const Family& family : families(list.names_, list.last_set_of_)) {
    const std::string head = family.head.empty() ? "" : alias_.find(family.head)->second + "-";
    const auto drawn = codes.draw(family.members.size());
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const std::string name(family.members[i]);
      std::string alias = head + std::string(uuid_head(name)) + drawn[i];
      // A digit makes the word look like a hash, a letter keeps it from that.
      if (!head.empty()) alias += deployment_of(name) == name ? 'x' : '0';
      if (list.containers_.contains(name)) alias += exporter_mark(name);
      alias_.emplace(name, std::move(alias));
    }
  }
}

std::string Aliases::of(std::string_view text) const {
  const std::size_t port = port_at(text);
  const std::string_view name = text.substr(0, port);
  if (names_nothing(name)) return std::string(text);
  const auto it = alias_.find(name);
  return (it == alias_.end() ? "unlisted" : it->second) + std::string(text.substr(port));
}

}  // namespace etiage::formats::bundle
