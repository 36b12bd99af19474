#include "cli/main.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace {

/// A series after the other is unpacked into buffers and let go: given back to the system each time, their
/// pages would be cleared anew each time, which took a tenth of a scan.
void keep_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  mallopt(M_TOP_PAD, 8 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  return etiage::cli::run(argc, argv);
}
