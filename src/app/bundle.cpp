#include "app/bundle.h"

#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>

#include "adapters/output_archive.h"
#include "app/bundle_inputs.h"
#include "base/counted.h"
#include "base/json_writer.h"
#include "evidence/dialects.h"
#include "formats/bundle/gateway.h"
#include "formats/bundle/invoice.h"
#include "formats/bundle/objects.h"
#include "formats/bundle/price_list.h"
#include "formats/bundle/rules.h"
#include "formats/bundle/series.h"
#include "formats/promql_uses.h"
#include "formats/tree_json.h"
#include "ledger/invoice.h"

namespace etiage::app {
namespace {

namespace names = formats::bundle;

constexpr std::string_view kReadme = R"(# A cluster with other names

`etiage bundle` made this of somebody's objects, metrics, prices, rules, invoices and logs of gateways; `etiage scan`, `cost` and the other commands
read it as they read the originals, and their numbers are the same to the micro-unit.

- Names of nodes, pods, namespaces, workloads, containers, models, claims, images, teams, tenants and clusters, values
  of labels, UUIDs, uids, addresses, hosts and provider ids are replaced by words without meaning: the same name by
  the same word everywhere, in the same order. Keys of labels and resources in domains of their own are replaced too.
- Resource names, names of GPUs and of MIG profiles, instance types of the clouds, well-known keys of labels, phases,
  times, quantities, samples and prices stay as they are.
- Left out: what the ledger does not read. That is most fields of objects, annotations, environments, commands but for
  the flags that size an engine, secrets, other kinds of objects, of an invoice all words but instance types, what of a
  query is no word of PromQL or of an exporter, metrics without a meaning here, and where prices came from.
- What nvidia-smi and kubectl describe node print are samples and nodes here.
- An invoice is AWS CUR 2.0 here, whatever it was: `etiage scan BUNDLE --invoice BUNDLE/NNN-invoice.csv`.

| file | holds | rows |
| --- | --- | ---: |
)";

bool wanted(std::string_view metric) {
  return evidence::meaning_of(metric).has_value();
}

/// What ConfigMaps hold of dashboards and rules.
std::vector<PromqlUse> queries_in(const std::vector<Tree>& objects, const std::string& path) {
  std::vector<PromqlUse> out;
  for (const Tree& object : objects)
    if (object["kind"].text() == "ConfigMap")
      std::ranges::move(formats::read_promql_config_map(object, path), std::back_inserter(out));
  return out;
}

std::string_view instance_type_in(const formats::Labels& labels) {
  const auto type = formats::label_value(labels, "label_node_kubernetes_io_instance_type");
  return type.empty() ? formats::label_value(labels, "label_beta_kubernetes_io_instance_type") : type;
}

/// Meets the names of series, and the instance types that kube_node_labels tells.
class Noting final : public formats::SampleVisitor {
 public:
  Noting(names::SeriesNames inner, std::map<std::string, std::string>& types)
      : inner_(std::move(inner)), types_(types) {}

  bool wants(std::string_view metric) override { return inner_.wants(metric); }
  std::optional<formats::SeriesRef> series(formats::Labels labels) override {
    if (const auto type = instance_type_in(labels); !type.empty())
      types_[std::string(formats::label_value(labels, "node"))] = type;
    return inner_.series(labels);
  }
  void samples(formats::SeriesRef, std::span<const formats::Sample>) override {}

 private:
  names::SeriesNames inner_;
  std::map<std::string, std::string>& types_;
};

Evidence with_types(const std::map<std::string, std::string>& types) {
  Evidence out;
  for (const auto& [node, type] : types) {
    NodeLife& life = out.nodes.emplace_back();
    life.name = node, life.instance_type = type;
  }
  return out;
}

/// The first reading: every name, the cards that nodes name and the instances that they are.
struct Gathering final : BundlePart {
  explicit Gathering(const BundleOptions& o) : options(o) {}

  const BundleOptions& options;
  names::NameList list;
  std::set<std::string, std::less<>> products;
  std::map<std::string, std::string> types = {};  ///< by node

  names::Rename rename() {
    return [this](std::string_view name, names::NameOf what) { return list.add(name, what), std::string(); };
  }

  Result<void> objects(const std::string&, const std::vector<Tree>& objects) override {
    const names::Rename note = rename();
    for (const Tree& object : objects) {
      names::disguised_object(object, options.kept_keys, note);
      if (const auto& product = object["metadata"]["labels"]["nvidia.com/gpu.product"];
          !product.text().empty())
        products.insert(product.text());
      for (const char* key : {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"})
        if (const auto& type = object["metadata"]["labels"][key].text();
            !type.empty() && object["kind"].text() == "Node")
          types[object["metadata"]["name"].text()] = type;
    }
    return rules({}, queries_in(objects, {}));
  }
  Result<void> samples(const std::string&, std::string_view, const ReadSamples& read) override {
    Noting visitor({wanted, options.kept_keys, rename()}, types);
    read(visitor);
    return {};
  }
  Result<void> rules(const std::string&, const std::vector<PromqlUse>& uses) override {
    names::disguised_rules(uses, rename());
    return {};
  }
  Result<void> invoice(const std::string&, const ReadInvoice& read) override {
    const Evidence nodes = with_types(types);
    const ledger::Ledger none;
    ledger::InvoiceAccount account(nodes, none);
    return read(
        [&](const InvoiceLine& line) { names::disguised_line(line, type_of(account, line), rename()); });
  }
  Result<void> prices(const std::string&, const PriceBook& book) override {
    names::disguised_prices(book, products, rename());
    return {};
  }
  Result<void> gateway(const std::string&, const GatewayLog& log) override {
    names::write_gateway_log(log, rename(), [](std::string_view) {});
    return {};
  }
  void other(const std::string&, std::string_view) override {}

  /// The instance type that the ledger will find in the line.
  static std::string type_of(ledger::InvoiceAccount& account, const InvoiceLine& line) {
    const bool instance = line.kind == ChargeKind::kUsage || line.kind == ChargeKind::kDiscount;
    return instance ? account.instance_type_of(line) : "";
  }
};

/// The second reading: everything again, under other names, into the archive.
struct Writing final : BundlePart {
  Writing(const BundleOptions& o, const names::Aliases& a, const Gathering& g, adapters::OutputArchive& out,
          BundleReport& r)
      : options(o), aliases(a), gathered(g), archive(out), report(r) {}

  const BundleOptions& options;
  const names::Aliases& aliases;
  const Gathering& gathered;
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

  Result<void> objects(const std::string& path, const std::vector<Tree>& objects) override {
    if (auto begun = begin(path, "Kubernetes objects", "objects.json"); !begun) return begun;
    const names::Rename replace = rename();
    archive.write("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    for (const Tree& object : objects) {
      const auto other = names::disguised_object(object, options.kept_keys, replace);
      if (!other) {
        if (object["kind"].text() == "ConfigMap" && !formats::read_promql_config_map(object, path).empty())
          continue;
        other_kinds[object["kind"].text()] += 1;
        continue;
      }
      archive.write(report.files.back().rows++ == 0 ? "\n" : ",\n");
      archive.write(formats::json_text(*other));
    }
    archive.write("\n]}\n");
    const auto uses = queries_in(objects, path);
    return uses.empty() ? Result<void>{} : rules(path, uses);
  }

  Result<void> rules(const std::string& path, const std::vector<PromqlUse>& uses) override {
    if (auto begun = begin(path, "rules and queries", "rules.json"); !begun) return begun;
    archive.write(names::disguised_rules(uses, rename()));
    report.files.back().rows = uses.size();
    return {};
  }

  Result<void> invoice(const std::string& path, const ReadInvoice& read) override {
    if (auto begun = begin(path, "invoice", "invoice.csv"); !begun) return begun;
    const Evidence nodes = with_types(gathered.types);
    const ledger::Ledger none;
    ledger::InvoiceAccount account(nodes, none);
    archive.write(names::invoice_header());
    return read([&](const InvoiceLine& line) {
      archive.write(names::disguised_line(line, Gathering::type_of(account, line), rename()));
      ++report.files.back().rows;
    });
  }

  Result<void> samples(const std::string& path, std::string_view kind, const ReadSamples& read) override {
    if (auto begun = begin(path, kind, "samples.om"); !begun) return begun;
    names::SeriesText text(wanted, options.kept_keys, rename(),
                           [&](std::string_view bytes) { archive.write(bytes); });
    read(text);
    text.finish();
    report.files.back().rows = text.written();
    return {};
  }

  Result<void> prices(const std::string& path, const PriceBook& book) override {
    if (auto begun = begin(path, "price list", "prices.yaml"); !begun) return begun;
    archive.write(names::disguised_prices(book, gathered.products, rename()));
    report.files.back().rows = book.rows.size();
    return {};
  }

  Result<void> gateway(const std::string& path, const GatewayLog& log) override {
    if (auto begun = begin(path, "gateway log", "requests.csv"); !begun) return begun;
    names::write_gateway_log(log, rename(), [&](std::string_view bytes) { archive.write(bytes); });
    report.files.back().rows = log.requests.size();
    return {};
  }

  void other(const std::string& path, std::string_view kind) override {
    report.left_out.push_back(path + ": " + std::string(kind));
  }

  Result<void> readme() {
    if (auto begun = archive.begin("README.md"); !begun) return begun;
    archive.write(kReadme);
    for (const BundledFile& f : report.files)
      archive.write(fmt::format("| {} | {} | {} |\n", f.name, f.kind, f.rows));
    for (const auto& [kind, count] : other_kinds)
      report.left_out.push_back(counted(count, "object") + " of kind " + kind);
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
  BundleInputs first(options, report.diagnostics), second(options, again);
  if (auto found = first.find(); !found) return std::unexpected(found.error());
  if (auto found = second.find(); !found) return std::unexpected(found.error());
  auto archive = adapters::OutputArchive::create(options.out);  // now, lest it fail after long reading
  if (!archive) return std::unexpected(archive.error());
  Gathering gathering(options);
  if (auto read = first.read(gathering, "gathering names"); !read) return std::unexpected(read.error());
  const names::Aliases aliases(gathering.list, options.seed);
  report.names = aliases.all().size();
  Writing writing(options, aliases, gathering, *archive, report);
  if (auto read = second.read(writing, "replacing names"); !read) return std::unexpected(read.error());
  if (report.files.empty())
    return failure("no objects, no samples, no prices and no queries in what was given", {},
                   "etiage inspect says what each file is");
  if (auto done = writing.readme(); !done) return std::unexpected(done.error());
  if (!options.map.empty())
    if (auto done = write_map(aliases, options.map); !done) return std::unexpected(done.error());
  return report;
}

}  // namespace etiage::app
