#pragma once
// What a bundle is made of, read in the order in which the ledger reads it.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/input_file.h"
#include "app/bundle.h"
#include "base/tree.h"
#include "formats/invoice/invoice_reader.h"
#include "formats/kind.h"
#include "formats/samples.h"
#include "model/autoscaler.h"
#include "model/gateway.h"
#include "model/prices.h"

namespace etiage::app {

/// What becomes of each input.
class BundlePart {
 public:
  using ReadSamples = std::function<void(formats::SampleVisitor& to)>;
  using ReadInvoice = std::function<Result<void>(const formats::InvoiceReader::Take& take)>;

  virtual ~BundlePart() = default;
  virtual Result<void> objects(const std::string& path, const std::vector<Tree>& objects) = 0;
  virtual Result<void> samples(const std::string& path, std::string_view kind, const ReadSamples& read) = 0;
  virtual Result<void> prices(const std::string& path, const PriceBook& book) = 0;
  virtual Result<void> gateway(const std::string& path, const GatewayLog& log) = 0;
  virtual Result<void> rules(const std::string& path, const std::vector<PromqlUse>& uses) = 0;
  /// When all others have been read.
  virtual Result<void> invoice(const std::string& path, const ReadInvoice& read) = 0;
  virtual void other(const std::string& path, std::string_view kind) = 0;
};

class BundleInputs {
 public:
  /// Both must outlive it.
  BundleInputs(const BundleOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  Result<void> find();
  Result<void> read(BundlePart& part, std::string_view phase);

 private:
  Result<void> read_file(const std::string& path, BundlePart& part);
  Result<void> read_tool(adapters::InputFile& input, formats::ContentKind kind, BundlePart& part);
  Result<void> read_invoice(const std::string& path, const formats::InvoiceReader::Take& take);
  std::int64_t scrape_ms(const std::string& path) const;

  const BundleOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<std::string> files_, blocks_, invoices_;
};

}  // namespace etiage::app
