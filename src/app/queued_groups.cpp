#include "app/queued_groups.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "formats/kube/meta.h"

namespace etiage::app {
namespace {

using placement::QueuedGroup;

struct Vocabulary {
  const char* api;             ///< API group of its objects
  const char* scheduler_name;  ///< of its pods
  std::vector<const char*> group_annotations;
  const char* queue_key;  ///< label or annotation of a pod without a group
  const char* default_queue;
};

const Vocabulary& vocabulary(QueueScheduler scheduler) {
  static const Vocabulary volcano{"scheduling.volcano.sh/",
                                  "volcano",
                                  {"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name"},
                                  "scheduling.volcano.sh/queue-name",
                                  "default"};
  static const Vocabulary kai{
      "scheduling.run.ai/", "kai-scheduler", {"pod-group-name"}, "kai.scheduler/queue", "default-queue"};
  return scheduler == QueueScheduler::kVolcano ? volcano : kai;
}

std::string text_or(const Tree& value, const char* otherwise) {
  return value.text().empty() ? otherwise : value.text();
}

class GroupReader {
 public:
  GroupReader(const std::vector<PriorityClass>& classes, QueueScheduler scheduler, Diagnostics& diagnostics)
      : classes_(classes), scheduler_(scheduler), words_(vocabulary(scheduler)), diagnostics_(diagnostics) {}

  std::vector<QueuedGroup> run(const std::vector<LocatedObject>& objects) {
    for (const LocatedObject& o : objects)
      if (o.tree["kind"].text() == "PodGroup" && o.tree["apiVersion"].text().starts_with(words_.api))
        define(o);
    placement::PodIndex pod = 0;
    for (const LocatedObject& o : objects)
      if (o.tree["kind"].text() == "Pod") join(o, pod++);
    std::vector<QueuedGroup> out;
    for (QueuedGroup& g : groups_)
      if (scheduler_ == QueueScheduler::kVolcano || !g.members.empty()) out.push_back(std::move(g));
    return out;
  }

 private:
  QueuedGroup& group(const std::string& ns, const std::string& name) {
    const auto [it, fresh] = index_.try_emplace({ns, name}, groups_.size());
    if (fresh) {
      groups_.emplace_back();
      groups_.back().ns = ns;
      groups_.back().name = name;
      groups_.back().queue = words_.default_queue;
    }
    return groups_[it->second];
  }

  void define(const LocatedObject& o) {
    const ObjectMeta meta = formats::read_meta(o.tree, o.file, true);
    const Tree& spec = o.tree["spec"];
    QueuedGroup& g = group(meta.ns, meta.name);
    g.queue = text_or(spec["queue"], words_.default_queue);
    g.created = meta.created;
    g.min_member = static_cast<std::int32_t>(spec["minMember"].as_int().value_or(1));
    if (spec.has("minResources")) g.min_resources = read_amounts(spec["minResources"], o, diagnostics_);
    g.phase = o.tree["status"]["phase"].text();
    for (const auto& [role, least] : spec["minTaskMember"].members())
      g.min_by_role[role] = static_cast<std::int32_t>(least.as_int().value_or(0));
    rank(g, spec["priorityClassName"].text(), spec["preemptibility"].text());
  }

  /// The pod joins the group that it names, or becomes one.
  void join(const LocatedObject& o, placement::PodIndex pod) {
    if (o.tree["spec"]["schedulerName"].text() != words_.scheduler_name) return;
    const ObjectMeta meta = formats::read_meta(o.tree, o.file, true);
    for (const char* key : words_.group_annotations)
      if (const auto it = meta.annotations.find(key); it != meta.annotations.end()) {
        if (!index_.contains({meta.ns, it->second}))
          diagnostics_.push_back(
              {Severity::kWarning, "no-pod-group", meta.place,
               fmt::format("Pod {} names PodGroup {}, which is not there", meta.name, it->second),
               "add the PodGroup to the input; until then one pod counts as its minimum"});
        group(meta.ns, it->second).members.push_back(pod);
        return;
      }
    QueuedGroup& g = group(meta.ns, meta.name);
    g.members.push_back(pod);
    g.alone = true;
    if (o.tree["spec"].has("nodeName")) g.phase = "Running";
    g.created = meta.created;
    for (const LabelMap* map : {&meta.labels, &meta.annotations})
      if (const auto it = map->find(words_.queue_key); it != map->end()) g.queue = it->second;
    rank(g, o.tree["spec"]["priorityClassName"].text(), "");
  }

  void rank(QueuedGroup& g, const std::string& priority_class, const std::string& preemptibility) const {
    const auto known =
        std::ranges::find_if(classes_, [&](const PriorityClass& c) { return c.meta.name == priority_class; });
    g.priority = known == classes_.end() ? stock_priority(priority_class) : known->value;
    constexpr std::int32_t kFirstFixed = 100;  // KAI: from here on a group cannot be preempted
    g.preemptible = preemptibility.empty() ? g.priority < kFirstFixed : preemptibility == "preemptible";
  }

  /// The classes that KAI brings along; `train` where none is named.
  std::int32_t stock_priority(const std::string& name) const {
    if (scheduler_ == QueueScheduler::kVolcano) return 0;
    static const std::map<std::string, std::int32_t, std::less<>> stock{
        {"train", 50}, {"build-preemptible", 75}, {"build", 100}, {"inference", 125}};
    const auto it = stock.find(name.empty() ? "train" : name);
    return it == stock.end() ? 0 : it->second;
  }

  const std::vector<PriorityClass>& classes_;
  QueueScheduler scheduler_;
  const Vocabulary& words_;
  Diagnostics& diagnostics_;
  std::vector<QueuedGroup> groups_;
  std::map<std::pair<std::string, std::string>, std::size_t> index_;
};

std::vector<const LocatedObject*> queues_of(const std::vector<LocatedObject>& objects,
                                            QueueScheduler scheduler) {
  std::vector<const LocatedObject*> out;
  for (const LocatedObject& o : objects)
    if (o.tree["kind"].text() == "Queue" &&
        o.tree["apiVersion"].text().starts_with(vocabulary(scheduler).api))
      out.push_back(&o);
  return out;
}

}  // namespace

placement::Amounts read_amounts(const Tree& list, const LocatedObject& in, Diagnostics& diagnostics) {
  placement::Amounts out;
  for (const auto& [resource, amount] : list.members()) {
    const auto read = Quantity::parse(amount.text());
    if (read)
      out[resource] = read->as_double();
    else
      diagnostics.push_back(as_diagnostic(
          Error{fmt::format("{}: {}", resource, read.error().message), {in.file, amount.line, 0, {}}, ""},
          "bad-field"));
  }
  return out;
}

std::vector<QueuedGroup> read_queued_groups(const std::vector<LocatedObject>& objects,
                                            const std::vector<PriorityClass>& classes,
                                            QueueScheduler scheduler, Diagnostics& diagnostics) {
  return GroupReader(classes, scheduler, diagnostics).run(objects);
}

std::vector<placement::volcano::Queue> read_volcano_queues(const std::vector<LocatedObject>& objects,
                                                           Diagnostics& diagnostics) {
  std::vector<placement::volcano::Queue> out;
  for (const LocatedObject* o : queues_of(objects, QueueScheduler::kVolcano)) {
    const Tree& spec = o->tree["spec"];
    const auto amounts = [&](const Tree& list) {
      return placement::volcano::resource_of(read_amounts(list, *o, diagnostics));
    };
    const ObjectMeta meta = formats::read_meta(o->tree, o->file, false);
    const std::string& state = o->tree["status"]["state"].text();
    placement::volcano::Queue q{.name = meta.name};
    q.weight = static_cast<std::int32_t>(spec["weight"].as_int().value_or(1));
    q.priority = static_cast<std::int32_t>(spec["priority"].as_int().value_or(0));
    if (!spec["capability"].members().empty()) q.capability = amounts(spec["capability"]);
    q.guarantee = amounts(spec["guarantee"]["resource"]);
    q.deserved = amounts(spec["deserved"]);
    q.reclaimable = spec["reclaimable"].as_bool().value_or(true);
    q.open = state.empty() || state == "Open";
    q.created = meta.created;
    out.push_back(std::move(q));
  }
  // Volcano makes the queue `default` itself.
  if (std::ranges::none_of(out, [](const auto& q) { return q.name == "default"; }))
    out.push_back({.name = "default"});
  return out;
}

std::vector<placement::kai::QueueNode> read_kai_queues(const std::vector<LocatedObject>& objects) {
  constexpr double kMegabyte = 1e6;
  std::vector<placement::kai::QueueNode> out;
  for (const LocatedObject* o : queues_of(objects, QueueScheduler::kKai)) {
    const ObjectMeta meta = formats::read_meta(o->tree, o->file, false);
    const Tree& spec = o->tree["spec"];
    placement::kai::QueueNode q{
        .name = meta.name,
        .parent = spec["parentQueue"].text(),
        .priority = static_cast<std::int32_t>(spec["priority"].as_int().value_or(100)),
        .created = meta.created};
    for (std::size_t r = 0; r < placement::kai::kResources; ++r) {
      const std::string_view name = placement::kai::kResourceNames[r];
      const Tree& amounts = spec["resources"][name];
      const auto scaled = [&](const char* field) {
        const double value = amounts[field].as_double().value_or(0);
        return name == "memory" && value > 0 ? value * kMegabyte : value;
      };
      q.quota[r] = scaled("quota");
      q.limit[r] = scaled("limit");
      q.over_quota_weight[r] = amounts["overQuotaWeight"].as_double().value_or(0);
    }
    out.push_back(std::move(q));
  }
  return out;
}

}  // namespace etiage::app
