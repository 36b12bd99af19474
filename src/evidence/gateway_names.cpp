#include "evidence/gateway_names.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace etiage::evidence {
namespace {

/// The one of a set that has one.
ModelId only(const std::map<std::string, std::set<ModelId>>& ids, const std::string& name) {
  const auto it = ids.find(name);
  return it != ids.end() && it->second.size() == 1 ? *it->second.begin() : ModelId{};
}

/// `hosted_vllm/meta-llama/X` without the provider; false where none stands before it.
bool strip_provider(std::string& name) {
  constexpr std::array<std::string_view, 16> kProviders{"hosted_vllm/", "openai/",
                                                        "vllm/",        "custom_openai/",
                                                        "openai_like/", "litellm_proxy/",
                                                        "nvidia_nim/",  "sglang/",
                                                        "huggingface/", "text-completion-openai/",
                                                        "triton/",      "llamafile/",
                                                        "lm_studio/",   "together_ai/",
                                                        "custom/",      "tgi/"};
  for (std::string_view provider : kProviders)
    if (name.size() > provider.size() && name.starts_with(provider))
      return name.erase(0, provider.size()), true;
  return false;
}

/// In small letters, from the last slash on: `meta-llama/Llama-3.1-8B` is `llama-3.1-8b`.
std::string blurred(std::string_view name) {
  while (name.ends_with('/')) name.remove_suffix(1);
  return lower_case(name.substr(name.rfind('/') + 1));
}

std::string first_of(std::initializer_list<std::string> names) {
  for (const std::string& n : names)
    if (!n.empty()) return n;
  return "";
}

std::string known(const std::map<std::string, std::string>& aliases, const std::string& id) {
  const auto it = aliases.find(id);
  return it == aliases.end() ? "" : it->second;
}

}  // namespace

void TenantNames::see(const GatewayCaller& c) {
  // Of two aliases for one id (a team was renamed) the same one wins whatever the order of the files.
  const auto keep = [](std::map<std::string, std::string>& of, const std::string& id,
                       const std::string& alias) {
    if (id.empty() || alias.empty()) return;
    std::string& kept = of[id];
    kept = std::max(kept, alias);
  };
  keep(teams_, c.team, c.team_alias);
  keep(keys_, c.key, c.key_alias);
}

std::string TenantNames::name(const GatewayCaller& c) const {
  return first_of({known(teams_, c.team), c.team_alias, c.team, known(keys_, c.key), c.key_alias, c.key,
                   c.user, c.end_user});
}

ModelNames::ModelNames(const std::vector<ServedModel>& models,
                       const std::vector<std::pair<std::string, ModelId>>& declared,
                       const std::vector<std::pair<std::string, std::string>>& aliases)
    : aliases_(aliases.begin(), aliases.end()) {
  for (std::uint32_t i = 0; i < models.size(); ++i) know(models[i].name, {i});
  const Ids served = exact_;
  for (const auto& [name, model] : declared)
    if (!served.contains(name)) know(name, model);
}

void ModelNames::know(const std::string& name, ModelId model) {
  if (name.empty()) return;
  exact_[name].insert(model);
  alike_[blurred(name)].insert(model);
}

ModelId ModelNames::by_name(std::string name) const {
  if (const auto it = aliases_.find(name); it != aliases_.end()) name = it->second;
  const std::string whole = name;
  do {
    if (const ModelId id = only(exact_, name); id.valid()) return id;
  } while (strip_provider(name));
  return only(alike_, blurred(whole));
}

void ModelNames::see(const GatewayModelName& name) {
  if (const ModelId served = by_name(name.served); served.valid() && !name.asked.empty())
    learned_[name.asked].insert(served);
}

ModelId ModelNames::find(const GatewayModelName& name) const {
  for (const std::string& n : {name.served, name.asked}) {
    if (n.empty()) continue;
    if (const ModelId id = by_name(n); id.valid()) return id;
    if (const ModelId id = only(learned_, n); id.valid()) return id;
  }
  return {};
}

}  // namespace etiage::evidence
