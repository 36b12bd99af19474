#include "evidence/testing/sources.h"

#include <cassert>
#include <string>

#include "formats/document.h"
#include "formats/kube/cluster.h"
#include "formats/text/text_reader.h"

namespace etiage::evidence::testing {

Sources sources(std::string_view objects, std::string_view text) {
  Diagnostics diagnostics;
  auto documents = formats::read_documents(objects, "objects.yaml", diagnostics);
  Cluster cluster;
  formats::add_objects(cluster,
                       formats::kubernetes_objects(std::move(documents), "objects.yaml", diagnostics),
                       "objects.yaml", diagnostics);
  assert(diagnostics.empty());
  SeriesStore store;
  formats::TextReader reader(store, {.times = formats::TextTimes::kSeconds});
  reader.feed(text);
  const auto report = reader.finish();
  assert(report.dropped.empty());
  store.finish();
  return {{{"", std::move(cluster)}}, std::move(store)};
}

Evidence evidence(std::string_view objects, std::string_view text, double seconds) {
  Request request;
  request.window.absolute =
      Window{Instant{}, Instant::unix_millis(static_cast<std::int64_t>(seconds * 1000))};
  return build_evidence(sources(objects, text), request);
}

}  // namespace etiage::evidence::testing
