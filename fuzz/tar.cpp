// Archives, whole and in two pieces: the same files either way, each inside what was given or behind its end.

#include "formats/tar.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  formats::TarListing whole, halves;
  whole.feed(input);
  halves.feed(input.substr(0, size / 3));
  halves.feed(input.substr(size / 3));
  if (whole.members() != halves.members() || whole.complete() != halves.complete()) std::abort();
  for (const formats::TarMember& m : whole.members())
    if (m.begin % formats::kTarBlock != 0 || m.begin > size || m.name.empty()) std::abort();
  return 0;
}
