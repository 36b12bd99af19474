#include "formats/api/api_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "formats/json_reader.h"
#include "formats/text/number.h"

namespace etiage::formats {
namespace {

using Kind = JsonToken::Kind;

/// What an open bracket holds.
enum class Holds : std::uint8_t {
  kAnswers,         ///< an array of answers, or the text itself
  kAnswer,          ///< `{"status":...,"data":...}`, or a series that stands alone
  kData,            ///< `{"resultType":...,"result":...}`
  kResult,          ///< series, or the time and value of a scalar
  kSeries,          ///< `{"metric":...,"values":...}`
  kMetric,          ///< labels
  kValues,          ///< points, or bare numbers (VictoriaMetrics)
  kTimestamps,      ///< bare milliseconds (VictoriaMetrics)
  kPoint,           ///< `[seconds, "value"]`
  kHistograms,      ///< points of native histograms
  kHistogramPoint,  ///< `[seconds, {...}]`
  kHistogram,       ///< one, or something in it
  kWarnings,
  kOther,
};

/// A point as it is read; the value of a histogram is its JSON.
struct Point {
  std::optional<std::int64_t> ms;
  std::optional<double> value;
};

struct OwnedHistogram {
  std::int64_t ms;
  std::string json;
};

/// The series that is being read.
struct Series {
  std::vector<std::pair<std::string, std::string>> labels;
  std::vector<Sample> samples;
  std::vector<OwnedHistogram> histograms;
  std::vector<double> values;  ///< VictoriaMetrics: values and stamps in arrays of their own
  std::vector<std::int64_t> timestamps;
  bool has_metric = false;
  std::string_view fault;  ///< why it cannot be used as a whole
};

}  // namespace

class ApiReader::Answers : public JsonVisitor {
 public:
  explicit Answers(SampleVisitor& visitor) : visitor_(visitor), reader_(*this) {}

  bool token(const JsonToken& token) override;
  void feed(std::string_view bytes) { reader_.feed(bytes); }
  ReadReport finish();

 private:
  Holds top() const { return open_.empty() ? Holds::kAnswers : open_.back(); }
  Holds opened(bool object) const;
  Holds opened_in_object(bool object) const;
  void begin(Holds holds);
  void end(Holds holds, int line);
  void scalar(const JsonToken& token);
  void in_answer(const JsonToken& token);
  void label(const JsonToken& token);
  void in_point(const JsonToken& token);
  void end_point(int line);
  void bare_value(const JsonToken& token);
  void end_series(int line);
  void keep_unfinished();
  void pair_arrays();
  void copy_to_histogram(const JsonToken& token);
  void drop(std::string_view reason, int line, std::uint64_t count = 1) {
    report_.drop(reason, {.line = line}, count);
  }

  SampleVisitor& visitor_;
  JsonReader reader_;
  ReadReport report_;
  std::vector<Holds> open_;
  std::string key_;
  Series series_;
  Point point_;
  bool second_ = false;  ///< the first element of the point is read
  std::optional<JsonWriter> histogram_;
  std::string error_type_, error_;
};

bool ApiReader::Answers::token(const JsonToken& t) {
  if (top() == Holds::kHistogram) copy_to_histogram(t);
  switch (t.kind) {
    case Kind::kBeginObject:
    case Kind::kBeginArray: {
      const Holds holds = opened(t.kind == Kind::kBeginObject);
      open_.push_back(holds);
      begin(holds);
      break;
    }
    case Kind::kEndObject:
    case Kind::kEndArray: {
      const Holds holds = top();
      open_.pop_back();
      end(holds, t.line);
      break;
    }
    case Kind::kKey:
      key_ = t.text;
      break;
    default:
      scalar(t);
  }
  return true;
}

Holds ApiReader::Answers::opened(bool object) const {
  switch (top()) {
    case Holds::kAnswers:
      return object ? Holds::kAnswer : Holds::kAnswers;
    case Holds::kResult:
      return object ? Holds::kSeries : Holds::kOther;
    case Holds::kValues:
      return object ? Holds::kOther : Holds::kPoint;
    case Holds::kHistograms:
      return object ? Holds::kOther : Holds::kHistogramPoint;
    case Holds::kHistogramPoint:
      return object ? Holds::kHistogram : Holds::kOther;
    case Holds::kHistogram:
      return Holds::kHistogram;
    default:
      return opened_in_object(object);
  }
}

Holds ApiReader::Answers::opened_in_object(bool object) const {
  struct Member {
    std::string_view key;
    bool object;
    Holds holds;
  };
  static constexpr Member kMembers[] = {
      {"data", true, Holds::kData},
      {"result", false, Holds::kResult},
      {"metric", true, Holds::kMetric},
      {"value", false, Holds::kPoint},
      {"values", false, Holds::kValues},
      {"timestamps", false, Holds::kTimestamps},
      {"histogram", false, Holds::kHistogramPoint},
      {"histograms", false, Holds::kHistograms},
      {"warnings", false, Holds::kWarnings},
  };
  if (top() != Holds::kAnswer && top() != Holds::kData && top() != Holds::kSeries) return Holds::kOther;
  const auto member =
      std::ranges::find_if(kMembers, [&](const Member& m) { return m.key == key_ && m.object == object; });
  return member == std::end(kMembers) ? Holds::kOther : member->holds;
}

void ApiReader::Answers::begin(Holds holds) {
  if (holds == Holds::kSeries || holds == Holds::kAnswer) series_ = {};
  if (holds == Holds::kMetric) series_.has_metric = true;
  if (holds == Holds::kPoint || holds == Holds::kHistogramPoint || holds == Holds::kResult)
    point_ = {}, second_ = false;
  // The outermost bracket of a histogram: those inside were copied as tokens.
  if (holds == Holds::kHistogram && !histogram_) histogram_.emplace(0).begin_object();
}

void ApiReader::Answers::end(Holds holds, int line) {
  if (holds == Holds::kPoint || holds == Holds::kHistogramPoint) end_point(line);
  if ((holds == Holds::kSeries || holds == Holds::kAnswer) && series_.has_metric) end_series(line);
  if (holds == Holds::kResult && point_.ms) {
    series_ = {};
    end_point(line);
    end_series(line);
  }
  if (holds == Holds::kAnswer && !error_.empty()) {
    drop("the answer is an error: " + (error_type_.empty() ? "" : error_type_ + ": ") + error_, line);
    error_.clear();
  }
}

void ApiReader::Answers::scalar(const JsonToken& t) {
  switch (top()) {
    case Holds::kAnswer:
      in_answer(t);
      break;
    case Holds::kMetric:
      label(t);
      break;
    case Holds::kPoint:
    case Holds::kHistogramPoint:
    case Holds::kResult:
      in_point(t);
      break;
    case Holds::kValues:
      bare_value(t);
      break;
    case Holds::kTimestamps:
      series_.timestamps.push_back(text::read_stamp(t.text.data(), t.text.data() + t.text.size(), false).ms);
      break;
    case Holds::kWarnings:
      report_.warnings.emplace_back(t.text);
      break;
    default:
      break;
  }
}

void ApiReader::Answers::in_answer(const JsonToken& t) {
  if (key_ == "error") error_ = t.text;
  if (key_ == "errorType") error_type_ = t.text;
}

void ApiReader::Answers::label(const JsonToken& t) {
  if (t.kind != Kind::kString) series_.fault = "a label that is no text";
  if (!t.text.empty()) series_.labels.emplace_back(key_, t.text);
}

void ApiReader::Answers::in_point(const JsonToken& t) {
  const char* const begin = t.text.data();
  const char* const end = begin + t.text.size();
  if (!second_) {
    const auto stamp = text::read_stamp(begin, end, true);
    if (t.kind == Kind::kNumber && stamp.next == end) point_.ms = stamp.ms;
  } else if (const auto value = text::parse_float(t.text)) {
    point_.value = *value;
  }
  second_ = true;
}

void ApiReader::Answers::end_point(int line) {
  const Point point = std::exchange(point_, {});
  auto histogram = std::exchange(histogram_, std::nullopt);
  if (!point.ms)
    drop("a point without a time", line);
  else if (histogram)
    series_.histograms.push_back({*point.ms, histogram->take()});
  else if (!point.value)
    drop("a point whose value is not a number", line);
  else
    series_.samples.push_back({*point.ms, *point.value});
}

/// VictoriaMetrics writes `null` for NaN.
void ApiReader::Answers::bare_value(const JsonToken& t) {
  const auto value = text::parse_float(t.kind == Kind::kNull ? "NaN" : t.text);
  if (!value) series_.fault = "a value that is not a number";
  series_.values.push_back(value.value_or(0));
}

void ApiReader::Answers::pair_arrays() {
  if (series_.values.size() != series_.timestamps.size())
    series_.fault = "values and timestamps of different number";
  else
    for (std::size_t i = 0; i < series_.values.size(); ++i)
      series_.samples.push_back({series_.timestamps[i], series_.values[i]});
}

void ApiReader::Answers::end_series(int line) {
  series_.has_metric = false;
  pair_arrays();
  std::ranges::sort(series_.labels);
  std::vector<Label> labels;
  for (const auto& [name, value] : series_.labels) labels.push_back({name, value});
  if (std::ranges::adjacent_find(labels, {}, &Label::name) != labels.end())
    series_.fault = "a label stands twice";
  const std::string_view metric = label_value(labels, "__name__");
  if (!series_.fault.empty()) return drop(series_.fault, line);
  if (!visitor_.wants(metric)) {
    if (metric.empty()) drop("a series without a metric name (a computed result)", line);
    return;
  }
  const auto ref = visitor_.series(labels);
  if (!ref) return;
  report_.timed = true;
  if (!series_.samples.empty()) visitor_.samples(*ref, series_.samples);
  report_.count(series_.samples);
  for (const OwnedHistogram& h : series_.histograms) {
    visitor_.histogram(*ref, {h.ms, h.json});
    report_.count(std::vector{Sample{h.ms, 0}});
  }
}

/// The series that a damaged place broke off: its points so far, where all its labels are known.
void ApiReader::Answers::keep_unfinished() {
  if (!series_.has_metric || std::ranges::find(open_, Holds::kMetric) != open_.end()) return;
  const std::size_t pairs = std::min(series_.values.size(), series_.timestamps.size());
  series_.values.resize(pairs);
  series_.timestamps.resize(pairs);
  if (pairs > 0 || !series_.samples.empty() || !series_.histograms.empty()) end_series(0);
}

void ApiReader::Answers::copy_to_histogram(const JsonToken& t) {
  switch (t.kind) {
    case Kind::kBeginObject:
      histogram_->begin_object();
      break;
    case Kind::kEndObject:
      histogram_->end_object();
      break;
    case Kind::kBeginArray:
      histogram_->begin_array();
      break;
    case Kind::kEndArray:
      histogram_->end_array();
      break;
    case Kind::kKey:
      histogram_->key(t.text);
      break;
    case Kind::kString:
      histogram_->value(t.text);
      break;
    default:
      histogram_->raw(t.kind == Kind::kNumber  ? t.text
                      : t.kind == Kind::kTrue  ? "true"
                      : t.kind == Kind::kFalse ? "false"
                                               : "null");
  }
}

ReadReport ApiReader::Answers::finish() {
  reader_.finish();
  if (const JsonFault* fault = reader_.fault()) {
    keep_unfinished();
    report_.drop("damaged JSON (what came before is used): " + fault->message,
                 {.line = fault->line, .column = fault->column});
  } else {
    report_.complete = true;
  }
  return std::move(report_);
}

ApiReader::ApiReader(SampleVisitor& visitor) : answers_(std::make_unique<Answers>(visitor)) {}
ApiReader::~ApiReader() = default;
void ApiReader::feed(std::string_view bytes) {
  answers_->feed(bytes);
}
ReadReport ApiReader::finish() {
  return answers_->finish();
}

}  // namespace etiage::formats
