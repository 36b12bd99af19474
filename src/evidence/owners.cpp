#include "evidence/owners.h"

#include <algorithm>
#include <array>
#include <optional>

#include "formats/kube/replica_set.h"

namespace etiage::evidence {
namespace {

std::string label(const LabelMap& labels, std::string_view key) {
  const auto it = labels.find(key);
  return it == labels.end() ? "" : it->second;
}

const OwnerReference* controller(const ObjectMeta& meta) {
  for (const OwnerReference& o : meta.owners)
    if (o.controller) return &o;
  return meta.owners.empty() ? nullptr : &meta.owners.front();
}

/// The value after `--flag` or `--flag=` among a container's words.
std::optional<std::string> flag(const std::vector<std::string>& words, std::string_view name) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == name && i + 1 < words.size()) return words[i + 1];
    if (word.starts_with(name) && word.size() > name.size() && word[name.size()] == '=')
      return words[i].substr(name.size() + 1);
  }
  return {};
}

/// A command may be one shell line: split at spaces, quotes taken off.
std::vector<std::string> words_of(const Container& c) {
  std::vector<std::string> out;
  for (const auto* list : {&c.command, &c.args})
    for (const std::string& text : *list) {
      std::string word;
      for (char ch : text + " ") {
        if (ch == ' ' || ch == '\n' || ch == '\t') {
          if (!word.empty()) out.push_back(std::move(word));
          word.clear();
        } else if (ch != '"' && ch != '\'' && ch != '\\') {
          word += ch;
        }
      }
    }
  return out;
}

std::string by_arguments(const Container& c) {
  const auto words = words_of(c);
  for (std::string_view name :
       {"--served-model-name", "--model", "--model-path", "--model-id", "--model-name"})
    if (auto value = flag(words, name); value && !value->starts_with('-')) return *value;
  for (std::size_t i = 1; i < words.size(); ++i)  // `vllm serve MODEL`
    if (words[i - 1] == "serve" && i >= 2 && words[i - 2].ends_with("vllm") && !words[i].starts_with('-'))
      return words[i];
  for (const auto& [name, value] : c.env)
    if (name == "MODEL_ID" || name == "SERVED_MODEL_NAME" || name == "MODEL_NAME" || name == "NIM_MODEL_NAME")
      return value;
  return "";
}

}  // namespace

Owners::Owners(const Cluster& cluster) {
  for (const Owner& o : cluster.owners) by_name_.emplace(std::tuple(o.kind, o.meta.ns, o.meta.name), &o.meta);
}

Workload Owners::above(const std::string& ns, Workload owner) const {
  for (int depth = 0; depth < 8; ++depth) {  // a cycle of owners must not hang
    const auto it = by_name_.find({owner.kind, ns, owner.name});
    if (it == by_name_.end()) {
      if (owner.kind != "ReplicaSet") return owner;
      const std::string deployment = formats::deployment_of(owner.name);
      return deployment == owner.name ? owner : Workload{"Deployment", deployment};
    }
    const OwnerReference* next = controller(*it->second);
    if (!next) return owner;
    owner = {next->kind, next->name};
  }
  return owner;
}

Workload Owners::of(const ObjectMeta& pod) const {
  if (const std::string lws = label(pod.labels, "leaderworkerset.sigs.k8s.io/name"); !lws.empty())
    return {"LeaderWorkerSet", lws};
  const OwnerReference* owner = controller(pod);
  if (!owner || owner->kind == "Node") return {"Pod", pod.name};
  return above(pod.ns, {owner->kind, owner->name});
}

std::string replica_group(const LabelMap& labels) {
  if (const std::string lws = label(labels, "leaderworkerset.sigs.k8s.io/name"); !lws.empty())
    return "lws/" + lws + "/" + label(labels, "leaderworkerset.sigs.k8s.io/group-index");
  if (const std::string ray = label(labels, "ray.io/cluster"); !ray.empty()) return "ray/" + ray;
  return "";
}

bool leads_group(const LabelMap& labels) {
  if (const std::string index = label(labels, "leaderworkerset.sigs.k8s.io/worker-index"); !index.empty())
    return index == "0";
  if (const std::string type = label(labels, "ray.io/node-type"); !type.empty()) return type == "head";
  return true;
}

bool declares_decode(const LabelMap& labels) {
  // llm-d, Dynamo, AIBrix and RoleBasedGroup name the role in a label of their own domain.
  for (const auto& [key, value] : labels) {
    const std::string_view word = std::string_view(key).substr(key.rfind('/') + 1);
    const bool names_role = word == "role" || word == "role-name" || word.ends_with("component-type");
    if (names_role && (value == "decode" || value == "decoder")) return true;
  }
  return false;
}

bool declares_decode(const Pod& pod) {
  if (declares_decode(pod.meta.labels)) return true;
  for (const Container& c : pod.spec.containers) {
    const auto words = words_of(c);
    if (flag(words, "--disaggregation-mode") == "decode") return true;  // SGLang
    if (flag(words, "--server_role") == "GENERATION") return true;      // trtllm-serve
    for (const auto* list : {&c.command, &c.args})                      // vLLM
      for (const std::string& text : *list)
        if (text.contains("kv_role") && text.contains("kv_consumer")) return true;
  }
  return false;
}

bool trains(std::string_view kind) {
  static constexpr auto kKinds = std::to_array<std::string_view>(
      {"Job", "CronJob", "PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "TrainJob",
       "RayJob", "JobSet", "Notebook", "Workflow", "SparkApplication", "RunaiJob"});
  return std::ranges::find(kKinds, kind) != kKinds.end();
}

std::string declared_model(const LabelMap& labels) {
  for (std::string_view key : {"etiage.io/model", "llm-d.ai/model", "model"})
    if (std::string name = label(labels, key); !name.empty()) return name;
  return "";
}

std::string declared_model(const Pod& pod) {
  for (const Container& c : pod.spec.containers)
    if (std::string name = by_arguments(c); !name.empty()) return name;
  return declared_model(pod.meta.labels);
}

}  // namespace etiage::evidence
