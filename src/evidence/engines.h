#pragma once
// What inference engines say of themselves, gathered by pod and model.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/timeline.h"
#include "model/evidence.h"

namespace etiage::evidence {

struct Draft;

/// The counters of one model in one pod, all engines of the pod together. A list is empty where the engine
/// has no such counter, and not where the counter stood still.
struct EngineCounters {
  std::vector<Growth> prompt, cached, output, prefill, decode, images;
  std::vector<Growth> computed, cache_hits,
      transferred;  ///< prompt tokens by source, where the engine tells them apart

  bool by_source() const { return !computed.empty() || !cache_hits.empty() || !transferred.empty(); }
};

/// What the engines of one pod say.
struct EnginePod {
  std::map<std::string, EngineCounters>
      models;                              ///< by the engine's name for the model, empty where it has none
  std::vector<Segments> running, waiting;  ///< requests, one entry for each engine
  bool decodes = false;                    ///< an engine calls itself one that only decodes
  int resets = 0;                          ///< of its counters of generated tokens
};

/// Adds a life for every server whose series name no pod of the draft (PodSource::kEngineSeries).
void add_lone_engines(Draft& draft);

}  // namespace etiage::evidence
