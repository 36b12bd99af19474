// Texts that nvidia-smi and kubectl lay out for people.

#include <cstdint>
#include <string_view>

#include "formats/kubectl_text.h"
#include "formats/nvidia_smi.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  etiage::formats::smi_devices(text);
  etiage::formats::described_nodes(text, "file");
  etiage::formats::unused_kubectl_text(text);
  etiage::formats::unused_smi_text(text);
  return 0;
}
