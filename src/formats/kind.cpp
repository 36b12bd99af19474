#include "formats/kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "base/ascii.h"
#include "formats/gateway/fields.h"

namespace etiage::formats {
namespace {

using Kind = ContentKind;

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view s) {
  const std::size_t first = s.find_first_not_of(kBlank);
  if (first == s.npos) return {};
  return s.substr(first, s.find_last_not_of(kBlank) - first + 1);
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Calls `f` with each whole line, trimmed, until it returns true; says whether it did.
template <class F>
bool any_line(std::string_view text, F&& f, std::size_t most = 400) {
  for (; !text.empty() && most > 0; --most) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (f(trimmed(text.substr(0, end)))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

std::string_view first_line(std::string_view text) {
  std::string_view found;
  any_line(text, [&](std::string_view line) { return !(found = line).empty(); });
  return found;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return text.contains(w); });
}

bool is_binary(std::string_view head) {
  const auto odd = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && !std::string_view("\t\n\r\f\x1b").contains(c);
  };
  return head.contains('\0') ||
         std::ranges::count_if(head, odd) > static_cast<std::ptrdiff_t>(head.size() / 64 + 2);
}

// Prometheus.

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error != std::errc::invalid_argument && end == text.data() + text.size();
}

/// `name{...} 1.5`, `name 1.5 1700000000`, or `{"name", ...} 1`.
bool is_sample_line(std::string_view line) {
  if (line.starts_with("{\"")) return line.contains("} ") && line.find(':') > line.find('}');
  std::size_t i = 0;
  while (i < line.size() && (is_word(line[i]) || line[i] == ':')) ++i;
  if (i == 0 || std::isdigit(static_cast<unsigned char>(line[0])) || i == line.size()) return false;
  if (line[i] == '{') {
    i = line.rfind('}');
    if (i == line.npos || !line.contains('=')) return line.ends_with("{}");
    ++i;
  }
  std::string_view rest = trimmed(line.substr(i));
  rest = rest.substr(0, rest.find(" # "));  // an exemplar
  const std::size_t space = std::min(rest.find_first_of(kBlank), rest.size());
  const std::string_view time = trimmed(rest.substr(space));
  return is_number(rest.substr(0, space)) && (time.empty() || is_number(time));
}

bool is_comment_of_metric(std::string_view line) {
  return line.starts_with("# HELP ") || line.starts_with("# TYPE ") || line.starts_with("# UNIT ");
}

bool is_exposition(std::string_view head) {
  int samples = 0, others = 0;
  any_line(head, [&](std::string_view line) {
    if (line.empty() || (line.starts_with('#') && !is_comment_of_metric(line))) return false;
    ++(is_comment_of_metric(line) || is_sample_line(line) ? samples : others);
    return samples + others >= 20;
  });
  return samples > 0 && samples > 4 * others;
}

std::string_view last_line(std::string_view text) {
  const std::size_t last = text.find_last_not_of("\r\n");
  if (last == text.npos) return {};
  text = text.substr(0, last + 1);
  return text.substr(text.rfind('\n') + 1);
}

bool is_open_metrics(std::string_view head, std::string_view tail) {
  if (last_line(tail) == "# EOF") return true;
  return any_line(head, [](std::string_view line) {
    constexpr std::array<std::string_view, 4> kTypes{" unknown", " info", " stateset", " gaugehistogram"};
    const bool own_type =
        line.starts_with("# TYPE ") && std::ranges::any_of(kTypes, [&](auto t) { return line.ends_with(t); });
    return line == "# EOF" || line.starts_with("# UNIT ") || own_type;
  });
}

// Documents.

/// The keys at the left margin of a YAML text, or of a JSON object, without quotes.
bool has_key(std::string_view head, std::string_view key) {
  const bool json = head.starts_with('{') || head.starts_with('[');
  if (json) {
    std::size_t at = 0;
    while ((at = head.find(key, at)) != head.npos) {
      const std::string_view after = trimmed(head.substr(at + key.size(), 8));
      if (at > 0 && head[at - 1] == '"' && after.starts_with('"') &&
          trimmed(after.substr(1)).starts_with(':'))
        return true;
      at += key.size();
    }
    return false;
  }
  return any_line(
      head,
      [&](std::string_view line) {
        if (line.starts_with("- ")) line.remove_prefix(2);
        return line.starts_with(key) && trimmed(line.substr(key.size())).starts_with(':');
      },
      4000);
}

/// `has`: whether a key stands there.
template <class F>
bool is_price_list(const F& has) {
  const bool rows = has("prices") && (has("currency") || has("hourly") || has("onDemand") || has("onPrem"));
  const bool short_rows = has("instanceTypes") || has("cards") || has("nodes");
  return !has("kind") && !has("offers") &&
         (rows || (short_rows && has("currency")) || has("instanceTypes") || has("components"));
}

/// Calls `f` with each key of a JSON text, wherever it stands.
template <class F>
void each_key(std::string_view json, F&& f) {
  for (std::size_t at = 0; (at = json.find('"', at)) != json.npos;) {
    const std::size_t end = json.find('"', at + 1);
    if (end == json.npos) return;
    const std::size_t next = json.find_first_not_of(" \t\r\n", end + 1);
    if (next != json.npos && json[next] == ':') f(json.substr(at + 1, end - at - 1));
    at = end + 1;
  }
}

bool is_gateway_json(std::string_view head) {
  GatewayLook look;
  each_key(head, [&](std::string_view key) { look.see(plain_name(key)); });
  return look.enough();
}

Kind recognise_json(std::string_view head) {
  const auto has = [&](std::string_view key) { return has_key(head, key); };
  const bool objects = has("kind") && has("apiVersion");
  const bool spend = has("spend") || has("request_tags") || has("call_type");
  if (!objects && !has("resultType") && is_gateway_json(head))
    return spend && (has("request_id") || has("api_key")) ? Kind::kSpendLog : Kind::kGatewayLog;
  if (has("status") && (has("resultType") || has("data")) && !has("apiVersion")) return Kind::kPrometheusApi;
  if (has("request_id") && contains_any(head, {"\"spend", "\"request_tags\"", "\"call_type\""}))
    return Kind::kSpendLog;
  if (has("api_key") && has("spend")) return Kind::kSpendLog;
  if (has("etiagePlan")) return Kind::kPlan;
  if (is_price_list(has)) return Kind::kPricesYaml;
  if (has("kind") && has("apiVersion")) return Kind::kKubernetesObjects;
  if (contains_any(head, {"\"nvidia.com/", "\"kubernetes.io/", "\"ephemeral-storage\""}))
    return Kind::kObjectFragment;
  const bool request =
      (has("method") || has("request_method")) && (has("path") || has("uri") || has("request_uri"));
  if (request && contains_any(head, {"\"status", "\"response_code\""})) return Kind::kAccessLog;
  if (contains_any(head, {"\"unblendedCost\"", "\"lineItem/"})) return Kind::kInvoiceCur;
  if (has("BilledCost")) return Kind::kInvoiceFocus;
  return Kind::kJson;
}

bool looks_like_yaml(std::string_view head) {
  bool key = false;
  const bool other = any_line(head, [&](std::string_view line) {
    if (line.empty() || line.starts_with('#') || line.starts_with("---") || line.starts_with('%'))
      return false;
    if (line.starts_with("- ")) line.remove_prefix(2);
    const std::size_t colon = line.find(':');
    key = colon != line.npos && (colon + 1 == line.size() || line[colon + 1] == ' ') &&
          !line.substr(0, colon).contains(' ');
    return true;
  });
  return other && key;
}

Kind recognise_yaml(std::string_view head) {
  const auto has = [&](std::string_view key) { return has_key(head, key); };
  if (has("kind") && has("apiVersion"))
    return head.contains("etiage.dev/") && head.contains("kind: Scenario") ? Kind::kScenario
                                                                           : Kind::kKubernetesObjects;
  if (is_price_list(has)) return Kind::kPricesYaml;
  if (has("traffic") && (has("cluster") || has("models"))) return Kind::kScenario;
  return looks_like_yaml(head) ? Kind::kObjectFragment : Kind::kUnknown;
}

// Logs and tools' outputs.

bool is_nvidia_smi(std::string_view head) {
  const std::string_view line = first_line(head);
  if (contains_any(head, {"NVSMI LOG", "<nvidia_smi_log", "| NVIDIA-SMI "})) return true;
  if (line.starts_with("GPU ") && line.contains("(UUID: ")) return true;
  if (line.starts_with("# gpu ") || line.starts_with("#Time ") || line.starts_with("# Date ")) return true;
  return line.contains(", ") &&
         contains_any(line, {"gpu_uuid", "used_gpu_memory", "utilization.gpu", "memory.total", "pci.bus_id"});
}

/// `INFO 06-10 06:16:16 [x.py:3]`, perhaps with `(EngineCore pid=7)` and colours before it; or the words of
/// the engines.
bool is_engine_log_line(std::string_view line) {
  for (std::string_view level : {"INFO ", "WARNING ", "ERROR ", "DEBUG "}) {
    const std::size_t at = line.find(level);
    if (at == line.npos || at > 80) continue;
    const std::string_view stamp = line.substr(at + level.size());
    const auto digit = [&](std::size_t i) {
      return i < stamp.size() && std::isdigit(static_cast<unsigned char>(stamp[i]));
    };
    if (digit(0) && digit(1) && stamp.size() > 14 && stamp[2] == '-' && stamp[8] == ':' &&
        line.contains(".py:"))
      return true;
  }
  return contains_any(line, {"vllm.", "vLLM", "sglang", "server_args=ServerArgs", "[TensorRT-LLM]",
                             "KV cache size", "# GPU blocks", "text_generation_launcher"});
}

/// `... "POST /v1/chat/completions HTTP/1.1" 200 ...`
bool is_access_log_line(std::string_view line) {
  const std::size_t protocol = line.find(" HTTP/");
  return protocol != line.npos && contains_any(line, {"\"GET ", "\"POST ", "\"PUT ", "\"HEAD ", "\"DELETE "});
}

bool is_kubectl_text(std::string_view head) {
  const std::string_view line = first_line(head);
  if (line.starts_with("$ kubectl ") || line.starts_with("NAMESPACE ") || line.starts_with("NAME "))
    return true;
  if (line.starts_with("Normal ") || line.starts_with("Warning ")) return true;
  if (line.starts_with("Name: ") || line == "Conditions:" || line == "Labels:" || line == "Capacity:")
    return true;
  return false;
}

/// Whether most of the first lines are so.
template <class F>
bool mostly(std::string_view head, F&& is) {
  int yes = 0, no = 0;
  any_line(head, [&](std::string_view line) {
    if (!line.empty()) ++(is(line) ? yes : no);
    return yes + no >= 40;
  });
  return yes > 0 && yes >= no;
}

bool is_fragment_of_labels(std::string_view head) {
  return mostly(head, [](std::string_view line) {
    return contains_any(line, {"nvidia.com/", "kubernetes.io/"}) && contains_any(line, {"=", "\":"});
  });
}

// Tables.

bool is_table_header(std::string_view line) {
  return line.find_first_of(",;\t") != line.npos && !line.starts_with('#') &&
         !contains_any(line, {": ", "{", "}"}) &&
         std::ranges::any_of(line, [](char c) { return std::isalpha(static_cast<unsigned char>(c)); });
}

/// Calls `f` with each name of a header line, whatever separates them.
template <class F>
void each_column(std::string_view header, F&& f) {
  const char separator = header[std::min(header.find_first_of(",;\t"), header.size() - 1)];
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(separator), header.size());
    std::string_view cell = trimmed(header.substr(0, end));
    if (cell.size() > 1 && cell.front() == '"' && cell.back() == '"')
      cell = trimmed(cell.substr(1, cell.size() - 2));
    f(cell);
    header.remove_prefix(std::min(end + 1, header.size()));
  }
}

bool names_column(std::string_view header, std::string_view wanted) {
  bool found = false;
  each_column(header, [&](std::string_view cell) { found |= same_word(cell, wanted); });
  return found;
}

Kind recognise_table(std::string_view header) {
  const auto has = [&](std::string_view column) { return names_column(header, column); };
  if (has("BilledCost") || has("EffectiveCost")) return Kind::kInvoiceFocus;
  if (contains_any(header, {"lineItem/", "line_item_"})) return Kind::kInvoiceCur;
  if (has("hourly") && (has("name") || has("instanceType") || has("card"))) return Kind::kPricesCsv;
  GatewayLook look;
  each_column(header, [&](std::string_view column) { look.see(plain_name(column)); });
  if (!look.enough()) return Kind::kCsv;
  return has("spend") && (has("request_id") || has("api_key")) ? Kind::kSpendLog : Kind::kGatewayLog;
}

}  // namespace

std::string_view to_string(ContentKind kind) {
  constexpr std::array<std::string_view, 22> kNames{"unknown",
                                                    "empty",
                                                    "binary",
                                                    "Kubernetes objects",
                                                    "piece of a Kubernetes object",
                                                    "kubectl output",
                                                    "Prometheus text",
                                                    "OpenMetrics",
                                                    "Prometheus API answer",
                                                    "prices (YAML)",
                                                    "prices (CSV)",
                                                    "invoice (FOCUS)",
                                                    "invoice (CUR)",
                                                    "engine log",
                                                    "nvidia-smi output",
                                                    "spend log",
                                                    "gateway log",
                                                    "access log",
                                                    "table (CSV)",
                                                    "JSON",
                                                    "plan",
                                                    "scenario"};
  return kNames[static_cast<std::size_t>(kind)];
}

ContentKind recognise(std::string_view head, std::string_view tail) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) return Kind::kUnknown;
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == head.npos) return Kind::kEmpty;
  if (is_binary(head)) return Kind::kBinary;
  const std::string_view body = head.substr(first);
  const std::string_view line = first_line(body);
  const bool labels_first = body.starts_with("{\"") && is_sample_line(line);
  const std::string_view second = body.substr(std::min(body.find_first_not_of(" \t\r\n", 1), body.size()));
  const bool array = body.front() == '[' && (second.starts_with('{') || !line.contains("] "));
  if ((body.front() == '{' || array) && !labels_first) return recognise_json(body);
  if (is_nvidia_smi(body)) return Kind::kNvidiaSmi;
  if (is_exposition(body)) return is_open_metrics(body, tail) ? Kind::kOpenMetrics : Kind::kPrometheusText;
  if (line == "# EOF") return Kind::kOpenMetrics;
  if (mostly(body, is_access_log_line)) return Kind::kAccessLog;
  if (is_kubectl_text(body)) return Kind::kKubectlText;
  if (is_table_header(line))
    if (const Kind table = recognise_table(line); table != Kind::kCsv || line.contains(',')) return table;
  if (is_fragment_of_labels(body)) return Kind::kObjectFragment;
  const Kind yaml = recognise_yaml(head);
  if (yaml == Kind::kKubernetesObjects || yaml == Kind::kPricesYaml || yaml == Kind::kScenario) return yaml;
  if (any_line(body, is_engine_log_line)) return Kind::kEngineLog;
  return yaml;
}

}  // namespace etiage::formats
