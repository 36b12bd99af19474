#pragma once
// What selectors say of the devices of a fleet: each expression compiled once, each device asked once.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engines/cel/answer_memo.h"
#include "engines/dra/fleet.h"

namespace etiage::dra {

/// Remembers answers, so it is not const and belongs to one thread.
class SelectorAnswers {
 public:
  using Handle = std::uint32_t;

  /// `fleet` must outlive it.
  SelectorAnswers(const Fleet& fleet, const cel::Environment& environment);

  void prepare_all();
  Handle compile(const std::string& expression);
  const cel::Selector& selector(Handle handle) const { return columns_[handle].selector; }
  /// `selector(handle).ok()` must hold.
  cel::Outcome ask(Handle handle, std::uint32_t device) {
    const std::uint8_t known = columns_[handle].answers[device];
    return known != kUnasked ? static_cast<cel::Outcome>(known) : ask_anew(handle, device);
  }
  /// The whole answer, with message and cost.
  cel::Verdict verdict(Handle handle, std::uint32_t device);
  std::vector<cel::Verdict> clauses(Handle handle, std::uint32_t device);
  /// Each clause of the selector as a selector by itself; empty where one of them does not stand alone.
  const std::vector<Handle>& clause_handles(Handle handle);
  /// The first clause that yields `outcome`; nothing for a selector of one clause.
  std::optional<std::size_t> first_clause(Handle handle, std::uint32_t device, cel::Outcome outcome);

 private:
  static constexpr std::uint8_t kUnasked = 0xff;
  struct Column {
    cel::Selector selector;
    std::vector<std::uint8_t> answers;
    cel::AnswerMemo memo;
    std::optional<std::vector<Handle>> clauses;
  };
  cel::Outcome ask_anew(Handle handle, std::uint32_t device);
  const cel::PreparedDevice& prepared(std::uint32_t device);

  const Fleet* fleet_;
  cel::Environment environment_;
  cel::FleetPreparation preparation_;
  std::unordered_map<std::string, Handle> handles_;
  std::vector<Column> columns_;
  std::vector<cel::PreparedDevice> prepared_;
};

}  // namespace etiage::dra
