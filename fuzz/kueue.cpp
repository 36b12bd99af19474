// Objects of Kueue from any bytes, and a few cycles on what was read: never a crash, a hang or a gigabyte.

#include "formats/kube/kueue.h"

#include <cstdint>
#include <string>

#include "engines/quota/run.h"
#include "formats/document.h"
#include "formats/kube/node.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage;
  constexpr std::size_t kMost = 20;  // workloads and ClusterQueues: the search is not what is tested here
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string file = "input";
  Diagnostics diagnostics;
  QueueObjects objects;
  for (const Tree& object :
       formats::kubernetes_objects(formats::read_documents(text, file, diagnostics), file, diagnostics)) {
    formats::read_queue_object(object, file, objects, diagnostics);
    if (object["kind"].text() == "Node")
      objects.nodes.push_back(formats::read_node(object, file, diagnostics));
    if (object["kind"].text() == "Configuration") (void)formats::read_queue_configuration(object, file);
  }
  if (objects.workloads.size() > kMost || objects.cluster_queues.size() > kMost) return 0;
  for (const char* version : {"0.17", "0.19"})
    (void)quota::run(objects, {}, *quota::release(version, {}), Instant::unix_seconds(1'767'268'800), 3);
  return 0;
}
