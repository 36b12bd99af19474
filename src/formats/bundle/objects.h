#pragma once
// Kubernetes objects with other names, and nothing in them that the ledger does not read.

#include <optional>

#include "base/tree.h"
#include "formats/bundle/labels.h"

namespace etiage::formats::bundle {

/// Nothing where no object of the kind is read. Fields stay as they are, are renamed or are left out, as the
/// table in objects.cpp says; an object without a namespace gets the one that it is in.
std::optional<Tree> disguised_object(const Tree& object, const KeptKeys& kept, const Rename& rename);

}  // namespace etiage::formats::bundle
