#pragma once
// What a plain YAML scalar means: YAML 1.1 as go-yaml v2 resolves it, which is what Kubernetes reads
// manifests with.

#include <string>
#include <string_view>

#include "base/tree.h"

namespace etiage::formats {

/// An unquoted scalar: null, a boolean (`yes`, `on`, `n` among them), a number (`0x1F`, `0o17`, `017`,
/// `1_000`; floats in Go's shortest form, so `1.10` is 1.1), or else a string. Infinities and NaN, which JSON
/// cannot say, stay strings.
Tree resolve_yaml_scalar(std::string_view text);

}  // namespace etiage::formats
