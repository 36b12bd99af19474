#pragma once
// What Kubernetes checks of a typed expression besides its types: literals of durations, times and regexes,
// lists and maps of one type, format strings.

#include "engines/cel/checker.h"

namespace etiage::cel {

void validate(const Ast& ast, const Checked& checked, const Source& source, const Functions& functions,
              Issues& issues);

}  // namespace etiage::cel
