#include "engines/quota/shape.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <map>

#include "engines/quota/resources.h"
#include "engines/quota/tas_topology.h"

namespace etiage::quota {

namespace {

Quantity product(const Quantity& a, std::int64_t n) {
  return Quantity::nano(a.nano() * n, a.format());
}

/// resources.transformations: inputs are replaced (or joined) by outputs, one factor each.
ResourceList transformed(const ResourceList& input,
                         const std::vector<ResourceTransformation>& transformations) {
  const auto find = [&](const std::string& name) {
    return std::find_if(transformations.begin(), transformations.end(),
                        [&](const ResourceTransformation& t) { return t.input == name; });
  };
  ResourceList out;
  for (const auto& [name, quantity] : input) {
    const auto t = find(name);
    if (t == transformations.end()) {
      out[name] += quantity;
      continue;
    }
    Quantity amount = quantity;
    if (const auto by = input.find(t->multiply_by); by != input.end())
      amount = product(amount, by->second.value());
    for (const auto& [output, factor] : t->outputs) out[output] += product(factor, amount.value());
    if (t->retain) out[name] += amount;
  }
  return out;
}

ResourceList counted_requests(const PodSet& pod_set, const QueueConfiguration& configuration) {
  ResourceList requests = effective_requests(pod_set.spec);
  std::erase_if(requests, [&](const auto& kv) {
    return std::any_of(configuration.excluded_resource_prefixes.begin(),
                       configuration.excluded_resource_prefixes.end(),
                       [&](const std::string& prefix) { return kv.first.starts_with(prefix); });
  });
  return configuration.transformations.empty() ? requests
                                               : transformed(requests, configuration.transformations);
}

std::vector<ResourceAmount> amounts(const ResourceList& list, const Names<ResourceId>& resources) {
  std::vector<ResourceAmount> out;
  for (const auto& [name, quantity] : list) out.push_back({resources.find(name), amount_of(name, quantity)});
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.resource < b.resource; });
  return out;
}

std::int32_t remaining_count(const Workload& workload, const PodSet& pod_set, const Gates& gates) {
  std::int32_t count = pod_set.count;
  if (gates.reclaimable_pods)
    for (const auto& [name, done] : workload.reclaimable_pods)
      if (name == pod_set.name) count -= std::min(done, count);
  return count;
}

class Key {
 public:
  Key& add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    out_ += text;
    return *this;
  }
  Key& add(std::int64_t n) {
    std::array<char, 24> digits;
    out_.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr);
    out_ += ':';
    return *this;
  }
  Key& add(const ResourceList& list) {
    add(static_cast<std::int64_t>(list.size()));
    for (const auto& [name, quantity] : list) add(name).add(quantity.canonical());
    return *this;
  }
  Key& add(const LabelMap& labels) {
    add(static_cast<std::int64_t>(labels.size()));
    for (const auto& [name, value] : labels) add(name).add(value);
    return *this;
  }
  Key& add_if(const std::optional<std::string>& text) { return text ? add("+").add(*text) : add("-"); }
  Key& add(const std::vector<Requirement>& requirements) {
    add(static_cast<std::int64_t>(requirements.size()));
    for (const Requirement& r : requirements) {
      add(r.key).add(static_cast<std::int64_t>(r.op)).add(static_cast<std::int64_t>(r.values.size()));
      for (const std::string& v : r.values) add(v);
    }
    return *this;
  }
  Key& add(const NodeSelectorTerm& term) { return add(term.match_expressions).add(term.match_fields); }
  Key& add_if(const std::optional<LabelSelector>& selector) {
    return selector ? add(selector->match_labels).add(selector->match_expressions) : add("-");
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

void add_containers(Key& key, const std::vector<Container>& containers) {
  key.add(static_cast<std::int64_t>(containers.size()));
  for (const Container& c : containers) {
    key.add(c.requests)
        .add(c.limits)
        .add(std::int64_t{c.restart_always})
        .add(static_cast<std::int64_t>(c.ports.size()));
    for (const ContainerPort& p : c.ports)
      key.add(p.container_port).add(p.host_port).add(p.protocol).add(p.host_ip);
  }
}

void add_terms(Key& key, const std::vector<PodAffinityTerm>& terms) {
  key.add(static_cast<std::int64_t>(terms.size()));
  for (const PodAffinityTerm& t : terms) {
    key.add(t.topology_key).add(t.weight).add_if(t.selector).add_if(t.namespace_selector);
    for (const std::string& ns : t.namespaces) key.add(ns);
  }
}

void add_spec(Key& key, const PodSpec& spec) {
  add_containers(key, spec.init_containers);
  add_containers(key, spec.containers);
  key.add(spec.node_selector).add(spec.runtime_class).add(spec.priority.value_or(-1)).add(spec.overhead);
  const Affinity& a = spec.affinity;
  key.add(static_cast<std::int64_t>(a.node_required ? a.node_required->size() : 0));
  if (a.node_required)
    for (const NodeSelectorTerm& t : *a.node_required) key.add(t);
  for (const WeightedNodeTerm& t : a.node_preferred) key.add(t.weight).add(t.term);
  for (const auto* terms : {&a.pod_required, &a.pod_preferred, &a.anti_required, &a.anti_preferred})
    add_terms(key, *terms);
  key.add(static_cast<std::int64_t>(spec.tolerations.size()));
  for (const Toleration& t : spec.tolerations)
    key.add(t.key)
        .add(t.op)
        .add(t.value)
        .add(t.effect ? static_cast<std::int64_t>(*t.effect) : -1)
        .add(t.toleration_seconds.value_or(-1));
  for (const TopologySpreadConstraint& c : spec.spread)
    key.add(c.topology_key).add(c.max_skew).add(std::int64_t{c.do_not_schedule}).add_if(c.selector);
  for (const PodClaim& c : spec.claims) key.add(c.name).add(c.claim).add(c.claim_template);
  if (spec.pod_requests) key.add("pod").add(*spec.pod_requests);
}

void add_topology(Key& key, const std::optional<TopologyRequest>& request) {
  if (!request) {
    key.add("-");
    return;
  }
  const TopologyRequest& r = *request;
  key.add_if(r.required).add_if(r.preferred).add(r.unconstrained ? std::int64_t{*r.unconstrained} : -1);
  key.add_if(r.group).add_if(r.slice_topology).add(r.slice_size.value_or(-1));
  for (const SliceConstraint& s : r.slice_constraints) key.add(s.topology).add(s.size);
}

/// Requests above their limits are refused by Kueue itself.
std::string first_invalid(const Workload& workload) {
  for (std::size_t i = 0; i < workload.pod_sets.size(); ++i) {
    const PodSpec& spec = workload.pod_sets[i].spec;
    for (const auto* list : {&spec.init_containers, &spec.containers})
      for (std::size_t c = 0; c < list->size(); ++c)
        for (const auto& [name, limit] : (*list)[c].limits)
          if (const auto r = (*list)[c].requests.find(name);
              r != (*list)[c].requests.end() && limit < r->second)
            return fmt::format(
                "resources validation failed: spec.podSets[{}].template.spec.{}[{}].resources: Invalid "
                "value: [\"{}\"]: requests "
                "must not exceed its limits",
                i, list == &spec.containers ? "containers" : "initContainers", c, name);
  }
  return "";
}

}  // namespace

void collect_resources(const Workload& workload, const QueueConfiguration& configuration,
                       std::vector<std::string>& names) {
  for (const PodSet& pod_set : workload.pod_sets) {
    for (const auto& kv : effective_requests(pod_set.spec)) names.push_back(kv.first);
    if (!configuration.transformations.empty())
      for (const auto& kv : counted_requests(pod_set, configuration)) names.push_back(kv.first);
  }
  if (workload.admission)
    for (const PodSetAdmission& a : workload.admission->pod_sets)
      for (const auto& kv : a.usage) names.push_back(kv.first);
}

std::string shape_key(const Workload& workload, const Gates& gates) {
  Key key;
  for (const PodSet& pod_set : workload.pod_sets) {
    key.add(pod_set.name).add(remaining_count(workload, pod_set, gates)).add(pod_set.min_count.value_or(-1));
    add_spec(key, pod_set.spec);
    add_topology(key, pod_set.topology);
  }
  return key.take();
}

Shape make_shape(const Workload& workload, const QueueConfiguration& configuration, const Gates& gates,
                 const Names<ResourceId>& resources) {
  Shape out{.invalid = first_invalid(workload)};
  std::map<std::string, std::size_t> group_of;
  for (const PodSet& pod_set : workload.pod_sets) {
    PodSetShape& shape = out.pod_sets.emplace_back();
    shape.spec = &pod_set;
    shape.count = remaining_count(workload, pod_set, gates);
    shape.per_pod = amounts(counted_requests(pod_set, configuration), resources);
    shape.placed_per_pod = amounts(effective_requests(pod_set.spec), resources);
    shape.explicit_topology = requests_topology(pod_set.topology);
    out.explicit_topology |= shape.explicit_topology;
    const auto index = static_cast<std::uint32_t>(out.pod_sets.size() - 1);
    const bool grouped = pod_set.topology && pod_set.topology->group;
    const std::string group = grouped ? "=" + *pod_set.topology->group : std::to_string(index);
    const auto [it, fresh] = group_of.try_emplace(group, out.groups.size());
    if (fresh) out.groups.emplace_back();
    out.groups[it->second].push_back(index);
    out.pod_set_names.push_back(pod_set.name);
  }
  return out;
}

}  // namespace etiage::quota
