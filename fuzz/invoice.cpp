// Invoices: every line that is handed out has a period and sane amounts.

#include <cstdint>
#include <cstdlib>

#include "formats/invoice/invoice_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  constexpr etiage::PicoAmount kMost = etiage::PicoAmount{4'000'000'000'000'000} * 1'000'000'000'000;
  etiage::formats::InvoiceReader reader([](const etiage::InvoiceLine& line) {
    if (line.period.empty() || line.currency.empty() || line.effective > kMost || line.effective < -kMost)
      std::abort();
  });
  for (; !input.empty() && reader.feed(input.substr(0, 11));)
    input.remove_prefix(std::min<std::size_t>(11, input.size()));
  static_cast<void>(reader.finish("invoice"));
  return 0;
}
