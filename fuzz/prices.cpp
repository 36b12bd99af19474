// Price lists of either shape: every row that is kept is a price, and every text ends with an answer.

#include "formats/prices.h"

#include <cstdint>
#include <cstdlib>

#include "formats/kind.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace etiage;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  formats::recognise(input.substr(0, size / 2), input.substr(size / 2));
  Diagnostics diagnostics;
  const PriceBook book = formats::read_prices(input, "prices", diagnostics);
  for (const PriceRow& row : book.rows)
    if (row.hourly.pico < 0 || row.key.empty() || row.valid.empty()) std::abort();
  return 0;
}
