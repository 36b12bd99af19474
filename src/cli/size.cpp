#include "app/size.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>

#include "app/calibration.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "render/sizing.h"

namespace etiage::cli {
namespace {

bool is_form(const std::string& value) {
  return value.find_first_not_of("0123456789.") != std::string::npos;
}

/// The form asked for by `-o`, or by `--output` with a word behind it; with a number behind it that means
/// tokens.
std::string form_of(const Arguments& arguments, const std::string& otherwise) {
  std::string form = otherwise;
  for (const auto& value : arguments.all("output"))
    if (is_form(value)) form = value;
  return arguments.get("o", form);
}

std::string output_tokens(const Arguments& arguments) {
  std::string tokens;
  for (const auto& value : arguments.all("output"))
    if (!is_form(value)) tokens = value;
  return tokens;
}

Arguments printed_as(Arguments arguments, const std::string& form) {
  arguments.add("output", form);
  return arguments;
}

/// What a table is answered with; all else stands in its columns.
constexpr std::array<std::string_view, 5> kWithRows{"rows", "o", "output", "catalog", "terms"};

int rows(const Arguments& arguments, Streams& io) {
  for (const auto& option : size_command().options)
    if (arguments.has(option.name) && std::ranges::find(kWithRows, option.name) == kWithRows.end()) {
      io.err << "etiage size: --rows takes " << option.name << " from a column of the table, not from --"
             << option.name << '\n';
      return kUsage;
    }
  if (!arguments.positional().empty() || !output_tokens(arguments).empty()) {
    io.err << "etiage size: --rows takes models and lengths from columns of the table\n";
    return kUsage;
  }
  const auto form = form_of(arguments, "csv");
  if (form != "csv" && form != "json") {
    io.err << "etiage size: --rows is answered as csv or json\n";
    return kUsage;
  }
  const auto done =
      app::size_rows(arguments.get("rows"), form == "json" ? app::RowsFormat::kJson : app::RowsFormat::kCsv,
                     arguments.has("terms"), arguments.all("catalog"), io.out);
  return done ? kDone : fail(done.error(), io);
}

app::SizeOptions options_of(const Arguments& a) {
  app::SizeOptions o;
  if (!a.positional().empty()) o.model = a.positional().front();
  const auto take = [&](std::string& into, const char* name) { into = a.get(name, into); };
  take(o.config, "config");
  take(o.mig, "mig");
  take(o.tensor, "tp");
  take(o.pipeline, "pp");
  take(o.data, "dp");
  take(o.expert, "ep");
  take(o.quantization, "quantization");
  take(o.kv, "kv-dtype");
  take(o.max_model_len, "max-model-len");
  take(o.max_num_seqs, "max-num-seqs");
  take(o.max_batched_tokens, "max-num-batched-tokens");
  take(o.utilization, "gpu-memory-utilization");
  take(o.engine, "engine");
  take(o.rate, "rps");
  take(o.concurrency, "concurrency");
  take(o.traffic, "traffic");
  take(o.input, "input");
  o.output = output_tokens(a);
  take(o.spare, "spare");
  take(o.slo, "slo");
  take(o.calibration, "calibration");
  take(o.platform_hourly, "platform-hourly");
  take(o.saved_fraction, "saved");
  o.cards = a.all("card");
  o.prices = a.all("prices");
  o.catalogs = a.all("catalog");
  o.now = {std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
               .count()};
  return o;
}

int size(const Arguments& arguments, Streams& io) {
  if (arguments.has("rows")) return rows(arguments, io);
  if (arguments.positional().size() > 1 || (arguments.positional().empty() && !arguments.has("config"))) {
    io.err << "etiage size: name one model, or give --config config.json or --rows FILE.csv\n";
    return kUsage;
  }
  const auto form = form_of(arguments, "table");
  const auto choices = output_option().choices;
  if (std::ranges::find(choices, form) == choices.end()) {
    io.err << "etiage size: --output is tokens of an answer, or one of table, wide, json, yaml, csv, md\n";
    return kUsage;
  }
  const auto sized = app::size(options_of(arguments));
  if (!sized) return fail(sized.error(), io);
  print(sized->diagnostics, io);
  const render::SizingPage page{sized->search, sized->options, sized->currency, sized->kubernetes,
                                form != "table"};
  const auto tables = [&] {
    return form == "csv" ? std::vector{render::sizing_sheet(page)} : render::sizing_tables(page);
  };
  return print({[&] { return render::sizing_json(page); }, tables}, printed_as(arguments, form), io);
}

int calibrate(const Arguments& arguments, Streams& io) {
  if (arguments.positional().empty()) {
    io.err << "etiage calibrate: give metrics, start-up logs or benchmark results\n";
    return kUsage;
  }
  auto deployment = options_of(arguments);
  deployment.model = arguments.get("model");
  const auto learnt = app::calibrate(arguments.positional(), deployment);
  if (!learnt) return fail(learnt.error(), io);
  print(learnt->diagnostics, io);
  const auto shown = printed_as(arguments, arguments.get("output") == "json" ? "json" : "yaml");
  return print({[&] { return app::calibration_json(*learnt); }, [] { return std::vector<render::Table>{}; }},
               shown, io);
}

std::vector<Option> deployment_options() {
  return {{"card", "CARD", "only these cards, by any usual name", true},
          {"config", "FILE",
           "the model's config.json (weights beside it are measured), its folder, or a GGUF file"},
          {"mig", "MODE", "auto, off, or a profile such as 1g.10gb: that slice"},
          {"tp", "N", "tensor-parallel width; with any of the four, only that split is looked at"},
          {"pp", "N", "pipeline stages"},
          {"dp", "N", "data-parallel ranks of one replica"},
          {"ep", "N", "ranks over which experts are spread"},
          {"quantization", "Q", "fp8, nvfp4, awq, ...; the checkpoint's own where not given"},
          {"engine", "E", "vllm, sglang, trtllm or llama.cpp, with a version as in vllm@0.21"},
          {"catalog", "FILE", "rows of your own over our cards, models and slices (YAML)", true}};
}

}  // namespace

Command size_command() {
  auto options = deployment_options();
  options.insert(options.begin(), {"o", "FORMAT", "how to print it", false, output_option().choices});
  for (Option o : std::vector<Option>{
           {"kv-dtype", "D", "auto, bf16, fp8, int8, nvfp4"},
           {"max-model-len", "N", "tokens; what the traffic needs, or the model's maximum, where not given"},
           {"max-num-seqs", "N", "requests that run at once"},
           {"max-num-batched-tokens", "N", "tokens a step"},
           {"gpu-memory-utilization", "U", "share of the GPU's memory"},
           {"rps", "R", "requests a second to serve"},
           {"concurrency", "N", "requests in flight on one replica, closed loop"},
           {"traffic", "FILE", "a CSV of requests: time,input,output"},
           {"input", "N", "tokens of a prompt"},
           {"output", "N", "tokens of an answer", true},
           {"spare", "N", "replicas on top, for failures; 1 where not given"},
           {"slo", "LIST", "as ttft-p95=1s,tpot-p95=50ms"},
           {"prices", "FILE", "a price list", true},
           {"platform-hourly", "P", "what a cluster's people and control planes cost an hour"},
           {"saved", "F", "share of the GPU bill that a cluster saves; what the trace says, or a quarter"},
           {"calibration", "FILE", "what etiage calibrate learnt"},
           {"rows", "FILE", "a table with one question a row, columns named as the options"},
           {"terms", "", "with --rows: also the terms behind the times"}})
    options.push_back(std::move(o));
  return {
      .name = "size",
      .summary = "Which cards a model fits on, how fast, how many, and at what price",
      .positional = "[MODEL]",
      .options = std::move(options),
      .details =
          "  $ etiage size Qwen/Qwen3-32B --rps 5 --input 1000 --output 250 --slo ttft-p95=2s,tpot-p95=50ms\n"
          "  $ etiage size --rows questions.csv -o csv",
      .run = size};
}

Command calibrate_command() {
  auto options = deployment_options();
  std::ranges::find(options, "card", &Option::name)->help = "the card that it runs on, by any usual name";
  options.insert(options.begin(), output_option());
  options.push_back({"model", "MODEL", "the model served, where the files do not say"});
  return {.name = "calibrate",
          .summary = "Learn a deployment's own times from its metrics, logs or benchmark results",
          .positional = "PATH...",
          .options = std::move(options),
          .details =
              "  $ etiage calibrate metrics.prom --card L40S -o yaml > own.yaml\n"
              "  $ etiage size Qwen/Qwen3-8B --card L40S --rps 5 --calibration own.yaml",
          .run = calibrate};
}

}  // namespace etiage::cli
