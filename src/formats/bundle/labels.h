#pragma once
// Labels of objects and of series: which keys and values are everybody's words and stay, and which are names.

#include <string>
#include <string_view>
#include <vector>

#include "formats/bundle/names.h"
#include "formats/samples.h"

namespace etiage::formats::bundle {

/// Keys of labels that the user lets stay, beside those that everybody uses.
using KeptKeys = std::vector<std::string>;

/// Whether a key (of a label, taint, resource, attribute, driver) says nothing of whose it is: it stands in
/// the domain of a public project or a cloud, or is a common word as `app`.
bool is_public_key(std::string_view key);
std::string disguised_key(std::string_view key, const KeptKeys& kept, const Rename& rename);

/// The value of an object's label or annotation.
std::string disguised_value(std::string_view key, std::string_view value, const Rename& rename);

/// Kinds of Kubernetes and of well-known operators stay, others are names.
std::string disguised_kind(std::string_view kind, const Rename& rename);

/// `p5.48xlarge` stays, `acme.rack7` does not.
std::string disguised_instance_type(std::string_view type, const Rename& rename);

/// Each step of `hosted_vllm/meta-llama/X` is a name; those that gateways set before models stay.
std::string disguised_model(std::string_view model, const Rename& rename);

/// One label of a series, as it is written.
struct SeriesLabel {
  std::string name, value;

  auto operator<=>(const SeriesLabel&) const = default;
};
/// Sorted by name, as the labels were.
std::vector<SeriesLabel> disguised_labels(Labels labels, const KeptKeys& kept, const Rename& rename);

}  // namespace etiage::formats::bundle
