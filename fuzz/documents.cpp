// JSON and YAML texts to trees and Kubernetes objects: never a crash, a hang or a gigabyte; and JSON is the
// same in pieces.

#include <cstdint>
#include <cstdlib>

#include "formats/document.h"
#include "formats/json_reader.h"
#include "formats/kube/node.h"
#include "formats/kube/pod.h"

namespace {

using namespace etiage;

struct Digest : formats::JsonVisitor {
  bool token(const formats::JsonToken& t) override {
    text += static_cast<char>('a' + static_cast<int>(t.kind));
    text += t.text;
    return true;
  }
  std::string text;
};

void same_in_pieces(std::string_view input) {
  Digest whole, pieces;
  const bool good = formats::read_json(input, whole).has_value();
  formats::JsonReader reader(pieces);
  for (std::size_t at = 0, size = 1; at < input.size(); at += size, size = size % 7 + 1)
    if (!reader.feed(input.substr(at, size))) break;
  if (reader.finish() != good || (good && whole.text != pieces.text)) std::abort();
}

void ranges_lie_inside(const Tree& tree, std::size_t size) {
  if (tree.begin > tree.end || tree.end > size) std::abort();
  for (const Tree& item : tree.items()) ranges_lie_inside(item, size);
  for (const auto& [name, value] : tree.members()) ranges_lie_inside(value, size);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  same_in_pieces(input);
  Diagnostics diagnostics;
  auto documents = formats::read_documents(input, "input", diagnostics);
  for (const Tree& tree : documents) ranges_lie_inside(tree, size);
  for (const Tree& object : formats::kubernetes_objects(std::move(documents), "input", diagnostics)) {
    formats::read_pod(object, "input", diagnostics);
    formats::read_node(object, "input", diagnostics);
  }
  return 0;
}
