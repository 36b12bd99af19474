#pragma once
// Collects the series that the ledger needs while readers push samples, with copies of HA replicas told
// apart.

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "evidence/dialects.h"
#include "evidence/label_set.h"
#include "evidence/track.h"
#include "formats/samples.h"

namespace etiage::evidence {

/// One series: its labels without those that name an HA replica, and a track for each replica.
struct Series {
  Meaning meaning;
  LabelSet labels;                        ///< `__name__` among them
  std::map<std::string, Track> replicas;  ///< by the values of the replica labels
  double peak = 0;                        ///< of roles of which only the peak is kept

  std::string_view label(std::string_view name) const { return labels.value(name); }
  /// Whether the label is there at all, empty or not told apart.
  bool has(std::string_view name) const { return !label(name).empty(); }
  /// All replicas as one series by time; at equal stamps the first replica by name speaks (RULES.md 8).
  /// Values scaled.
  std::vector<formats::Sample> samples() const;
  /// Whether no value of any replica, scaled, lies outside.
  bool within(double low, double high) const;
  /// The stamps of `samples()` that are no stale markers.
  std::vector<std::int64_t> stamps() const;
  /// Whether `stamps` are those of the other, as far as that can be told without a look at each.
  bool scraped_with(const Series& other) const;
  /// The newest finite value of all replicas, scaled; only where values are not kept (`presence_only`).
  std::optional<formats::Sample> newest() const;
};

/// How often a reader announces a series.
enum class Announced : std::uint8_t {
  kAgain,  ///< it may come back, as in a text that holds scrape after scrape
  kOnce,   ///< so that none needs to be looked up
};

/// Memory: two to eight bytes a sample and a few a run of equal steps.
/// Which cluster a series is of stands in its label `cluster`, whatever the label was called.
class SeriesStore final : public formats::SampleVisitor {
 public:
  SeriesStore() : SeriesStore(std::vector<std::string>()) {}
  /// `cluster_labels`: by which labels series name their cluster, best first; empty: those that are usual.
  explicit SeriesStore(std::vector<std::string> cluster_labels, Announced announced = Announced::kAgain);

  bool wants(std::string_view metric) override { return meaning_of(metric).has_value(); }
  std::optional<formats::SeriesRef> series(formats::Labels labels) override;
  formats::Downsampled downsampled(std::string_view metric) override;
  void samples(formats::SeriesRef series, std::span<const formats::Sample> samples) override;

  /// Takes over what another store collected (another part of the same file, or another file).
  void absorb(SeriesStore&& other);
  /// Sorts the series by their labels, so that the order of files and threads does not matter. `threads`
  /// share the work.
  void finish(unsigned threads = 1);

  /// Samples that were left out since no clock says such a time (years before 1685 or after 2255).
  struct Impossible {
    std::size_t samples = 0;
    std::string metric;  ///< of the first
  };
  const Impossible& impossible() const { return impossible_; }

  /// Once `finish` was called.
  const std::vector<Series>& all() const { return series_; }

 private:
  /// A series as it comes, replica labels and all.
  struct Incoming {
    Meaning meaning;
    LabelSet labels;
    Track track;
    double peak = 0;
    bool as_it_is = true;  ///< no label is to be taken out or renamed: so are most
  };
  /// What is to become a series, with the text of its replica labels.
  struct Ordered {
    std::string replica;
    Incoming* from;
  };

  void open(formats::SeriesRef series);
  void close();
  bool stands_as_it_is(formats::Labels labels) const;
  void look_up_and_absorb(SeriesStore& other);
  static std::size_t tenants_of(std::span<const Ordered> all);
  std::vector<Ordered> in_order(unsigned threads);
  std::span<const formats::Sample> possible(const Incoming& of, std::span<const formats::Sample> samples);

  std::vector<std::string> cluster_labels_;
  Announced announced_;
  Arena arena_;                                                    ///< of labels and values
  std::deque<Incoming> incoming_;                                  ///< by SeriesRef; none moves
  std::vector<std::deque<Incoming>> absorbed_;                     ///< not looked up any more
  std::unordered_map<std::string_view, formats::SeriesRef> refs_;  ///< by the text of the labels
  std::string asked_;                                              ///< the text of those announced last
  std::optional<formats::SeriesRef> open_;                         ///< the series that samples are coming for
  std::vector<double> gathered_;                                   ///< its values
  std::vector<Series> series_;
  std::vector<formats::Sample> kept_;  ///< of a batch with impossible times
  Impossible impossible_;
};

}  // namespace etiage::evidence
