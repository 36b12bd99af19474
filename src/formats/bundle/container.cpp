#include "formats/bundle/container.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "formats/bundle/labels.h"

namespace etiage::formats::bundle {
namespace {

constexpr std::string_view kModelFlags[] = {"--served-model-name", "--model", "--model-path", "--model-id",
                                            "--model-name"};
constexpr std::string_view kNumberFlags[] = {"--tensor-parallel-size",
                                             "--pipeline-parallel-size",
                                             "--data-parallel-size",
                                             "--max-model-len",
                                             "--max-num-seqs",
                                             "--max-num-batched-tokens",
                                             "--tp",
                                             "--tp-size",
                                             "--gpu-memory-utilization",
                                             "--mem-fraction-static",
                                             "--num-shard",
                                             "-tp"};
/// Which part of serving a replica does, and the words for it.
constexpr std::string_view kRoleFlags[] = {"--disaggregation-mode", "--server_role"};
constexpr std::string_view kRoles[] = {"null", "prefill", "decode", "CONTEXT", "GENERATION"};
constexpr std::string_view kModelVariables[] = {"MODEL_ID", "SERVED_MODEL_NAME", "MODEL_NAME",
                                                "NIM_MODEL_NAME"};
constexpr std::string_view kNumberVariables[] = {"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"};

bool contains(const auto& list, std::string_view word) {
  return std::ranges::find(list, word) != std::ranges::end(list);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 16 && text.find_first_not_of("0123456789.") == text.npos;
}

/// A command may be one shell line: split at spaces, quotes taken off.
std::vector<std::string> words_of(const Tree& container) {
  std::vector<std::string> out;
  for (std::string_view key : {"command", "args"})
    for (const Tree& item : container[key].items()) {
      std::string word;
      for (const char c : item.text() + " ") {
        if (c == ' ' || c == '\n' || c == '\t') {
          if (!word.empty()) out.push_back(std::exchange(word, {}));
        } else if (c != '"' && c != '\'' && c != '\\') {
          word += c;
        }
      }
    }
  return out;
}

}  // namespace

Tree disguised_arguments(const Tree& container, const Rename& rename) {
  const auto words = words_of(container);
  Tree out = Tree::sequence();
  const auto put = [&](std::string_view word) { out.push(Tree::string(std::string(word))); };
  const auto name = [&](std::string_view model) { put(disguised_model(model, rename)); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto equals = std::min(word.find('='), word.size());
    const std::string_view flag = word.substr(0, equals);
    const bool joined = equals < word.size();
    if (!joined && word.ends_with("vllm") && i + 2 < words.size() && words[i + 1] == "serve" &&
        !words[i + 2].starts_with('-')) {
      put("vllm"), put("serve"), name(words[i + 2]);
      i += 2;
      continue;
    }
    if (word.contains("kv_role") && word.contains("kv_consumer"))
      put("--kv-transfer-config={kv_role:kv_consumer}");
    const bool model = contains(kModelFlags, flag), number = contains(kNumberFlags, flag),
               role = contains(kRoleFlags, flag);
    if (!model && !number && !role) continue;
    if (!joined && i + 1 == words.size()) continue;
    const std::string_view value = joined ? word.substr(equals + 1) : std::string_view(words[i + 1]);
    const bool public_word = role ? contains(kRoles, value) : is_number(value);
    if (value.empty() || (model ? value.starts_with('-') : !public_word)) continue;
    put(flag);
    if (model)
      name(value);
    else
      put(value);
    i += joined ? 0 : 1;
  }
  return out;
}

Tree disguised_environment(const Tree& env, const Rename& rename) {
  Tree out = Tree::sequence();
  for (const Tree& variable : env.items()) {
    const std::string& name = variable["name"].text();
    const std::string& value = variable["value"].text();
    if (contains(kModelVariables, name))
      out.push(
          Tree::map({{"name", variable["name"]}, {"value", Tree::string(disguised_model(value, rename))}}));
    else if (contains(kNumberVariables, name) && is_number(value))
      out.push(Tree::map({{"name", variable["name"]}, {"value", Tree::string(value)}}));
  }
  return out;
}

}  // namespace etiage::formats::bundle
