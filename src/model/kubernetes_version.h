#pragma once
// Which Kubernetes an engine decides as.

#include <compare>

namespace etiage {

/// A minor release of Kubernetes 1; the engines know 1.34 to 1.37.
struct KubernetesVersion {
  int minor = 37;

  constexpr auto operator<=>(const KubernetesVersion&) const = default;
};

}  // namespace etiage
