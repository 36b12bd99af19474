#pragma once
// Several files written as one: an archive (tar), packed where its name ends so, or a folder.

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace etiage::adapters {

/// The content of each file goes through a temporary file beside the archive, since its size stands before
/// it; memory does not grow with it. What was begun and not finished leaves nothing behind.
class OutputArchive {
 public:
  /// `.tar.gz` and `.tgz` are packed; a name that ends in a slash, or an empty folder that is there, is
  /// written as a folder; any other name is a plain archive.
  static Result<OutputArchive> create(const std::string& path);

  OutputArchive(OutputArchive&&) noexcept;
  ~OutputArchive();

  /// A file begins; the one before ends.
  Result<void> begin(std::string_view name);
  void write(std::string_view bytes);
  /// The last file ends, and the archive takes its name.
  Result<void> finish();

 private:
  struct Sink;
  explicit OutputArchive(std::unique_ptr<Sink> sink);

  std::unique_ptr<Sink> sink_;
};

}  // namespace etiage::adapters
