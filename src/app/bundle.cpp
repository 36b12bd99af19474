#include "app/bundle.h"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>

#include "adapters/files.h"
#include "adapters/input_file.h"
#include "adapters/output_archive.h"
#include "app/read_samples.h"
#include "base/json_writer.h"
#include "evidence/dialects.h"
#include "formats/bundle/gateway.h"
#include "formats/bundle/objects.h"
#include "formats/bundle/price_list.h"
#include "formats/bundle/series.h"
#include "formats/document.h"
#include "formats/gateway/log_reader.h"
#include "formats/kind.h"
#include "formats/prices.h"
#include "formats/tree_json.h"

namespace etiage::app {
namespace {

namespace names = formats::bundle;
using formats::ContentKind;

constexpr std::string_view kReadme = R"(# A cluster with other names

`etiage bundle` made this of somebody's objects, metrics, prices and logs of gateways; `etiage scan`, `cost` and the other commands
read it as they read the originals, and their numbers are the same to the micro-unit.

- Names of nodes, pods, namespaces, workloads, containers, models, claims, images, teams, tenants and clusters, values
  of labels, UUIDs, uids, addresses, hosts and provider ids are replaced by words without meaning: the same name by
  the same word everywhere, in the same order. Keys of labels and resources in domains of their own are replaced too.
- Resource names, names of GPUs and of MIG profiles, instance types of the clouds, well-known keys of labels, phases,
  times, quantities, samples and prices stay as they are.
- Left out: what the ledger does not read. That is most fields of objects, annotations, environments, commands but for
  the flags that size an engine, secrets and config maps, other kinds of objects, invoices, metrics without a meaning here, and
  where prices came from.

| file | holds | rows |
| --- | --- | ---: |
)";

bool wanted(std::string_view metric) {
  return evidence::meaning_of(metric).has_value();
}

/// Reads the inputs in the order in which the ledger does; what becomes of them is up to `Part`.
class Inputs {
 public:
  Inputs(const BundleOptions& options, Diagnostics& diagnostics)
      : options_(options), diagnostics_(diagnostics) {}

  Result<void> find() {
    const auto found = adapters::find_files(options_.paths);
    for (const Diagnostic& d : found.diagnostics)
      if (d.severity == Severity::kError) return failure(d.message, d.place, d.hint);
    for (const auto& file : found.files) {
      if (file.kind == adapters::FoundFile::Kind::kTsdbBlock)
        blocks_.push_back(file.path);
      else if (file.kind == adapters::FoundFile::Kind::kFile)
        files_.push_back(file.path);
      std::error_code ignored;
      if (file.path == "-" || std::filesystem::is_fifo(file.path, ignored))
        return failure("a pipe can be read only once", {file.path}, "save it to a file first");
    }
    files_.insert(files_.end(), options_.prices.begin(), options_.prices.end());
    return {};
  }

  /// Calls `part.objects`, `part.samples`, `part.prices`, `part.gateway` or `part.other`.
  template <class Part>
  Result<void> read(Part& part, std::string_view phase) {
    const std::size_t steps = files_.size() + 1;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (options_.progress) options_.progress(phase, i, steps);
      if (auto done = read_file(files_[i], part); !done) return done;
    }
    if (!blocks_.empty())
      if (auto done = part.samples(
              blocks_.front(), "Prometheus block",
              [&](formats::SampleVisitor& to) { read_block_folders(blocks_, {}, to, diagnostics_); });
          !done)
        return done;
    if (options_.progress) options_.progress(phase, steps, steps);
    return {};
  }

 private:
  template <class Part>
  Result<void> read_file(const std::string& path, Part& part) {
    auto input = adapters::InputFile::open(path);
    if (!input) return diagnostics_.push_back(as_diagnostic(input.error(), "unreadable")), Result<void>{};
    const ContentKind kind = formats::recognise(input->head(), input->tail());
    switch (kind) {
      case ContentKind::kKubernetesObjects: {
        const auto whole = input->whole();
        if (whole.damage) diagnostics_.push_back(as_diagnostic(*whole.damage, "damaged"));
        auto documents = formats::read_documents(whole.bytes, path, diagnostics_);
        return part.objects(path, formats::kubernetes_objects(std::move(documents), path, diagnostics_));
      }
      case ContentKind::kPrometheusText:
      case ContentKind::kOpenMetrics:
      case ContentKind::kPrometheusApi:
        return part.samples(path, to_string(kind), [&](formats::SampleVisitor& to) {
          read_sample_file(*input, scrape_ms(path), to, diagnostics_);
        });
      case ContentKind::kPricesCsv:
      case ContentKind::kPricesYaml: {
        const auto whole = input->whole();
        return part.prices(path, formats::read_prices(whole.bytes, path, diagnostics_));
      }
      case ContentKind::kSpendLog:
      case ContentKind::kGatewayLog: {
        GatewayLog log;
        formats::GatewayLogReader reader(log);
        const auto read = input->each_chunk([&](std::string_view bytes) { return reader.feed(bytes), true; });
        if (!read) diagnostics_.push_back(as_diagnostic(read.error(), "damaged"));
        reader.finish();
        return part.gateway(path, log);
      }
      default:
        return part.other(path, to_string(kind)), Result<void>{};
    }
  }

  /// As the ledger takes it: when the file was written.
  std::int64_t scrape_ms(const std::string& path) const {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(path, error);
    if (error) return options_.now_ms;
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::file_clock::to_sys(written).time_since_epoch())
        .count();
  }

  const BundleOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<std::string> files_, blocks_;
};

/// The first reading: every name, and the cards that nodes name.
struct Gathering {
  const BundleOptions& options;
  names::NameList list;
  std::set<std::string, std::less<>> products;

  names::Rename rename() {
    return [this](std::string_view name, names::NameOf what) { return list.add(name, what), std::string(); };
  }

  Result<void> objects(const std::string&, const std::vector<Tree>& objects) {
    const names::Rename note = rename();
    for (const Tree& object : objects) {
      names::disguised_object(object, options.kept_keys, note);
      if (const auto& product = object["metadata"]["labels"]["nvidia.com/gpu.product"];
          !product.text().empty())
        products.insert(product.text());
    }
    return {};
  }
  template <class Read>
  Result<void> samples(const std::string&, std::string_view, Read&& read) {
    names::SeriesNames visitor(wanted, options.kept_keys, rename());
    read(visitor);
    return {};
  }
  Result<void> prices(const std::string&, const PriceBook& book) {
    names::disguised_prices(book, products, rename());
    return {};
  }
  Result<void> gateway(const std::string&, const GatewayLog& log) {
    names::write_gateway_log(log, rename(), [](std::string_view) {});
    return {};
  }
  void other(const std::string&, std::string_view) {}
};

/// The second reading: everything again, under other names, into the archive.
struct Writing {
  const BundleOptions& options;
  const names::Aliases& aliases;
  const std::set<std::string, std::less<>>& products;
  adapters::OutputArchive& archive;
  BundleReport& report;
  std::map<std::string, std::size_t> other_kinds = {};

  names::Rename rename() const {
    return [this](std::string_view name, names::NameOf) { return aliases.of(name); };
  }

  /// Files are numbered, so that they are read again in the order in which they were.
  Result<void> begin(const std::string& from, std::string_view kind, std::string_view ending) {
    std::string name = fmt::format("{:03}-{}", report.files.size() + 1, ending);
    report.files.push_back({from, name, std::string(kind)});
    return archive.begin(name);
  }

  Result<void> objects(const std::string& path, const std::vector<Tree>& objects) {
    if (auto begun = begin(path, "Kubernetes objects", "objects.json"); !begun) return begun;
    const names::Rename replace = rename();
    archive.write("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (const Tree& object : objects) {
      const auto other = names::disguised_object(object, options.kept_keys, replace);
      if (!other) {
        other_kinds[object["kind"].text()] += 1;
        continue;
      }
      archive.write(report.files.back().rows++ == 0 ? "\n" : ",\n");
      archive.write(formats::json_text(*other));
    }
    archive.write("\n]}\n");
    return {};
  }

  template <class Read>
  Result<void> samples(const std::string& path, std::string_view kind, Read&& read) {
    if (auto begun = begin(path, kind, "samples.om"); !begun) return begun;
    names::SeriesText text(wanted, options.kept_keys, rename(),
                           [&](std::string_view bytes) { archive.write(bytes); });
    read(text);
    text.finish();
    report.files.back().rows = text.written();
    return {};
  }

  Result<void> prices(const std::string& path, const PriceBook& book) {
    if (auto begun = begin(path, "price list", "prices.yaml"); !begun) return begun;
    archive.write(names::disguised_prices(book, products, rename()));
    report.files.back().rows = book.rows.size();
    return {};
  }

  Result<void> gateway(const std::string& path, const GatewayLog& log) {
    if (auto begun = begin(path, "gateway log", "requests.csv"); !begun) return begun;
    names::write_gateway_log(log, rename(), [&](std::string_view bytes) { archive.write(bytes); });
    report.files.back().rows = log.requests.size();
    return {};
  }

  void other(const std::string& path, std::string_view kind) {
    report.left_out.push_back(path + ": " + std::string(kind));
  }

  Result<void> readme() {
    if (auto begun = archive.begin("README.md"); !begun) return begun;
    archive.write(kReadme);
    for (const BundledFile& f : report.files)
      archive.write(fmt::format("| {} | {} | {} |\n", f.name, f.kind, f.rows));
    for (const auto& [kind, count] : other_kinds)
      report.left_out.push_back(fmt::format("{} objects of kind {}", count, kind));
    return archive.finish();
  }
};

Result<void> write_map(const names::Aliases& aliases, const std::string& path) {
  JsonWriter json;
  json.begin_object();
  for (const auto& [name, alias] : aliases.all()) json.member(name, alias);
  json.end_object();
  std::ofstream out(path, std::ios::binary);
  out << json.text() << '\n';
  if (!out.flush()) return failure("cannot be written", {path, 0, 0, ""});
  return {};
}

}  // namespace

Result<BundleReport> bundle(const BundleOptions& options) {
  BundleReport report;
  Diagnostics again;  // the second reading meets the same faults
  Inputs first(options, report.diagnostics), second(options, again);
  if (auto found = first.find(); !found) return std::unexpected(found.error());
  if (auto found = second.find(); !found) return std::unexpected(found.error());
  auto archive = adapters::OutputArchive::create(options.out);  // now, lest it fail after long reading
  if (!archive) return std::unexpected(archive.error());
  Gathering gathering{options, {}, {}};
  if (auto read = first.read(gathering, "gathering names"); !read) return std::unexpected(read.error());
  const names::Aliases aliases(gathering.list, options.seed);
  report.names = aliases.all().size();
  Writing writing{options, aliases, gathering.products, *archive, report};
  if (auto read = second.read(writing, "replacing names"); !read) return std::unexpected(read.error());
  if (report.files.empty())
    return failure("no objects, no samples and no prices in what was given", {},
                   "etiage inspect says what each file is");
  if (auto done = writing.readme(); !done) return std::unexpected(done.error());
  if (!options.map.empty())
    if (auto done = write_map(aliases, options.map); !done) return std::unexpected(done.error());
  return report;
}

}  // namespace etiage::app
