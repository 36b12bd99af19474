#include "app/why_tenant.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "ledger/tenants.h"

namespace etiage::app {
namespace {

using Kind = ledger::Dimension::Kind;
using ledger::Piece;

/// What the pods that serve the model cost, the model's part of each piece.
std::vector<Piece> model_pieces(const Reading& reading, const std::vector<ledger::ModelWeights>& weights,
                                const std::string& model) {
  std::set<PodId> pods;
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    if (served(reading.evidence, weights[i], model)) pods.insert(PodId{i});
  auto out =
      ledger::pieces(reading.evidence, reading.ledger, reading.prices,
                     [&](NodeId, const ledger::Entry& e) { return e.pod.valid() && pods.contains(e.pod); });
  for (const PodId pod : pods)
    if (const auto& mine = weights[pod.index()]; mine.size() > 1)
      keep_part(out, pod, mine, *served(reading.evidence, mine, model));
  return out;
}

/// Sets the amounts of the pieces of one bucket so that they sum to `amount`, in proportion to what they
/// were.
void scale_to(std::vector<Piece>& pieces, ledger::Bucket bucket, Money amount) {
  std::vector<Piece*> mine;
  std::vector<long double> weights;
  long double sum = 0;
  for (Piece& p : pieces) {
    if (p.entry.bucket != bucket) continue;
    mine.push_back(&p);
    weights.push_back(static_cast<long double>(p.amount.micro));
    sum += weights.back();
  }
  if (mine.empty()) return;
  if (sum == 0) weights.front() = 1;
  const auto parts = split(amount, weights);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    mine[i]->amount = parts[i];
    if (sum > 0) mine[i]->entry.share *= static_cast<double>(static_cast<long double>(amount.micro) / sum);
  }
}

std::string part_in_words(Money part, const std::vector<Piece>& whole, const std::string& model) {
  Money all;
  for (const Piece& p : whole) all += p.amount;
  return fmt::format(", {:.1f} % of {} by tokens", 100 * part.units() / all.units(), model);
}

}  // namespace

std::optional<std::size_t> served(const Evidence& evidence, const ledger::ModelWeights& weights,
                                  const std::string& name) {
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (evidence.models[weights[i].first.index()].name == name) return i;
  return {};
}

void keep_part(std::vector<Piece>& pieces, PodId pod, const ledger::ModelWeights& weights,
               std::size_t model) {
  std::vector<Piece*> mine;
  std::vector<long double> amounts;
  Money total;
  for (Piece& p : pieces) {
    if (p.entry.pod != pod) continue;
    mine.push_back(&p);
    amounts.push_back(static_cast<long double>(p.amount.micro));
    total += p.amount;
  }
  const auto parts = split(ledger::part_of(total, weights, model), amounts);
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i]->amount = parts[i];
}

std::optional<TenantPieces> tenant_pieces(const Reading& reading, const std::string& tenant) {
  const Evidence& evidence = reading.evidence;
  const bool known = std::ranges::find(evidence.tenants, tenant) != evidence.tenants.end();
  if (!known && (tenant != "unattributed" || evidence.models.empty())) return {};
  const auto weights = ledger::model_weights(evidence);
  const auto bill =
      ledger::divide_by_tenants(evidence, reading.ledger, {{Kind::kTenant, ""}, {Kind::kModel, ""}});
  TenantPieces out;
  for (const auto& row : bill.rows) {
    if (row.unattributed == known || (known && row.key[0] != tenant)) continue;
    auto pieces = model_pieces(reading, weights, row.key[1]);
    const std::string of = part_in_words(row.buckets.total(), pieces, row.key[1]);
    for (std::size_t b = 0; b < ledger::kBucketCount; ++b)
      scale_to(pieces, static_cast<ledger::Bucket>(b), row.buckets.of[b]);
    std::erase_if(pieces, [](const Piece& p) { return p.amount.micro == 0; });
    out.of.insert(out.of.end(), pieces.size(), of);
    std::ranges::move(pieces, std::back_inserter(out.pieces));
  }
  return out;
}

}  // namespace etiage::app
