// Objects of resource.k8s.io and pods through reading, allocation by every release, explanation and lint:
// never a crash, and every allocation names a device that a slice offers.

#include <cstdint>
#include <cstdlib>

#include "app/dra_objects.h"
#include "engines/dra/explain.h"
#include "engines/dra/fleet_view.h"
#include "explain/lint/lint.h"
#include "formats/document.h"

namespace {

using namespace etiage;

void devices_exist(const dra::Placements& placements, const DraObjects& objects) {
  const dra::Fleet fleet(objects.slices);
  for (const dra::PodPlacement& pod : placements.pods)
    for (const dra::PodDevice& d : pod.devices) {
      bool held = false;
      for (const ResourceClaim& claim : objects.claims)
        held |= claim.allocation && claim.meta.name == d.claim;
      if (!held && fleet.identity(d.device.driver, d.device.pool, d.device.device) == dra::kNone)
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  auto documents = formats::read_documents(input, "input", diagnostics);
  const auto objects = formats::kubernetes_objects(std::move(documents), "input", diagnostics);
  app::DraInput read = app::read_dra_objects(objects, "input");
  app::add_nodes_of_slices(read);
  for (int minor = 34; minor <= 37; ++minor) {
    const dra::Behaviour behaviour = dra::behaviour_of({minor}, dra::default_gates({minor}));
    devices_exist(dra::place_pods(read.objects, behaviour), read.objects.dra);
    if (!read.objects.dra.claims.empty())
      (void)dra::explain_claim(read.objects, behaviour, read.objects.dra.claims.front().meta.name);
    (void)explain::lint({read.objects, behaviour, {}});
    (void)dra::view_fleet(read.objects, behaviour);
  }
  return 0;
}
