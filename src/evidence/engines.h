#pragma once
// What inference engines say of themselves, gathered by pod and model.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/engine_series.h"
#include "evidence/growths.h"
#include "model/evidence.h"

namespace etiage::evidence {

struct Draft;

/// The counters of one model in one pod, all engines of the pod together. A list is empty where the engine
/// has no such counter, and not where the counter stood still.
struct EngineCounters {
  Growths prompt, cached, output, prefill, decode, images;
  Growths computed, cache_hits, transferred;  ///< prompt tokens by source, where the engine tells them apart

  bool by_source() const { return !computed.empty() || !cache_hits.empty() || !transferred.empty(); }
};

/// A gauge of one engine while its pod lived. Made into segments at each call: to keep these for all pods
/// would take more memory than the samples do.
struct EngineGauge {
  EngineSeries series;
  Window life;

  Segments segments() const;
};

/// The sum of the gauges where any of them says something.
Segments sum(const std::vector<EngineGauge>& gauges);

/// What the engines of one pod say.
struct EnginePod {
  std::map<std::string, EngineCounters>
      models;                                 ///< by the engine's name for the model, empty where it has none
  std::vector<EngineGauge> running, waiting;  ///< requests, one entry for each engine
  bool decodes = false;                       ///< an engine calls itself one that only decodes
  int resets = 0;                             ///< of its counters of generated tokens
};

/// Adds a life for every server whose series name no pod of the draft (PodSource::kEngineSeries).
void add_lone_engines(Draft& draft);

}  // namespace etiage::evidence
