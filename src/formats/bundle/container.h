#pragma once
// What of a container's command and environment tells which model it serves and how.

#include "base/tree.h"
#include "formats/bundle/names.h"

namespace etiage::formats::bundle {

/// `command` and `args` as one list of words: flags of inference engines with the model's name renamed and
/// numbers kept; every other word is left out.
Tree disguised_arguments(const Tree& container, const Rename& rename);

/// The variables that name a model (renamed) or limit a share (numbers); no other.
Tree disguised_environment(const Tree& env, const Rename& rename);

}  // namespace etiage::formats::bundle
