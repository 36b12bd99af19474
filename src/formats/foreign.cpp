#include "formats/foreign.h"

#include <algorithm>

namespace etiage::formats {
namespace {

using namespace std::string_view_literals;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  ForeignContent content;
};

constexpr ForeignContent kUtf16{
    "UTF-16 text", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 (PowerShell: Out-File -Encoding utf8)"};
constexpr ForeignContent kTar{"a tar archive", "unpack it into a folder and give the folder"};
constexpr ForeignContent kBlockFile{"a file of a Prometheus block", "give the block's folder"};

constexpr Magic kMagics[] = {
    {0, "\xff\xfe\0\0"sv, {"UTF-32 text", "save it as UTF-8: iconv -f UTF-32 -t UTF-8"}},
    {0, "\xff\xfe"sv, kUtf16},
    {0, "\xfe\xff"sv, kUtf16},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     {"an xz archive", "unpack it: xz -dc FILE | etiage ... -"}},
    {0, "BZh"sv, {"a bzip2 archive", "unpack it: bzip2 -dc FILE | etiage ... -"}},
    {0, "\x04\x22\x4d\x18"sv, {"an lz4 archive", "unpack it: lz4 -dc FILE | etiage ... -"}},
    {0, "\xff\x06\0\0sNaPpY"sv, {"a snappy stream", "unpack it first"}},
    {0, "PK\x03\x04"sv, {"a zip archive", "unpack it into a folder and give the folder"}},
    {0, "7z\xbc\xaf\x27\x1c"sv, {"a 7z archive", "unpack it into a folder and give the folder"}},
    {257, "ustar"sv, kTar},
    {0, "PAR1"sv, {"a Parquet table", "export it as CSV"}},
    {0, "SQLite format 3\0"sv, {"an SQLite database", "export what is needed as CSV or JSON"}},
    {0,
     "\x7f"
     "ELF"sv,
     {"a program", "give dumps, objects and price lists"}},
    {0, "%PDF-"sv, {"a PDF", "give the same as CSV or text"}},
    {0, "\x89PNG"sv, {"a picture", "give the figures behind it as text or CSV"}},
    {0, "\xba\xaa\xd7\x00"sv, kBlockFile},
    {0, "\x85\xbd\x40\xdd"sv, kBlockFile},
    {0, "\x01\x30\xba\x30"sv, kBlockFile},
    {0,
     "\x01\x30\xbc\x91"sv,
     {"a head chunk file of Prometheus",
      "take a snapshot (POST /api/v1/admin/tsdb/snapshot) and give its blocks"}},
};

/// UTF-16 without its mark: every other byte of the first few is zero.
bool is_bare_utf16(std::string_view head) {
  constexpr std::size_t kLook = 64;
  head = head.substr(0, std::min(head.size(), kLook) / 2 * 2);
  if (head.size() < 8) return false;
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == '\0';
  const std::size_t half = head.size() / 2;
  return (zeros[0] == half && zeros[1] == 0) || (zeros[1] == half && zeros[0] == 0);
}

}  // namespace

std::optional<ForeignContent> foreign_content(std::string_view head) {
  for (const Magic& m : kMagics)
    if (head.size() > m.offset && head.substr(m.offset).starts_with(m.bytes)) return m.content;
  return is_bare_utf16(head) ? std::optional(kUtf16) : std::nullopt;
}

}  // namespace etiage::formats
