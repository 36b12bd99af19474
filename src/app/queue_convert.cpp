#include "app/queue_convert.h"

#include <fmt/format.h>

#include "app/objects.h"
#include "formats/kube/kueue_convert.h"
#include "render/yaml.h"

namespace etiage::app {

Result<ConvertedQueues> convert_queues(const std::vector<std::string>& paths) {
  ConvertedQueues out;
  for (LocatedObject& o : read_objects(paths, out.diagnostics)) {
    const Place place{o.file, o.tree.line, 0, {}};
    const std::string subject =
        fmt::format("{} {}", o.tree["kind"].text(), o.tree["metadata"]["name"].text());
    auto converted = formats::kueue::to_v1beta2(std::move(o.tree));
    for (const std::string& path : converted.lost)
      out.diagnostics.push_back({.severity = Severity::kWarning,
                                 .code = "no-place",
                                 .place = place,
                                 .message = fmt::format("{}: v1beta2 has no {}", subject, path),
                                 .hint = "it is left out, as Kueue itself does"});
    out.objects.push_back(std::move(converted.object));
  }
  if (out.objects.empty())
    return failure("no object in what was given", {}, "give manifests, JSON or YAML, or a folder of them");
  return out;
}

std::string to_manifests(const std::vector<Tree>& objects) {
  std::string out;
  for (const Tree& object : objects) out += (out.empty() ? "" : "---\n") + render::to_yaml(object);
  return out;
}

}  // namespace etiage::app
