#pragma once
// A GPU as its maker describes it and as its driver shows it.

#include <string>
#include <vector>

namespace etiage {

struct Card {
  std::string key;                   ///< our name: `h100-sxm-80gb`
  std::string name;                  ///< for people: `H100 SXM 80GB`
  std::vector<std::string> aliases;  ///< as labels, clouds and tools write it
  std::string architecture;
  double compute_capability = 0;  ///< NVIDIA's; 0: another maker
  double marketed_gb = 0, visible_gib = 0;
  double bandwidth_gbs = 0;  ///< of its memory, 1e9 bytes a second
  double flops16_tera = 0, int8_tera = 0, flops8_tera = 0, flops4_tera = 0;  ///< dense; 0: it cannot
  double tdp_watts = 0;
  double link_gbs = 0;  ///< to its peers, one direction, 1e9 bytes a second; 0: only PCIe
  double pcie_gbs = 0;
  int link_domain = 1;    ///< cards that reach one another at that rate
  int sms = 0;            ///< streaming multiprocessors or compute units
  bool verified = false;  ///< false: a figure was recalled, not looked up
  std::string note, source, date;

  bool operator==(const Card&) const = default;
};

}  // namespace etiage
