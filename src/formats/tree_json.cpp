#include "formats/tree_json.h"

#include "base/json_writer.h"

namespace etiage::formats {
namespace {

void write_json(const Tree& tree, JsonWriter& out) {
  switch (tree.kind()) {
    case Tree::Kind::kNull:
      out.null();
      return;
    case Tree::Kind::kBool:
    case Tree::Kind::kNumber:
      out.raw(tree.text());
      return;
    case Tree::Kind::kString:
      out.value(tree.text());
      return;
    case Tree::Kind::kSequence:
      out.begin_array();
      for (const Tree& item : tree.items()) write_json(item, out);
      out.end_array();
      return;
    case Tree::Kind::kMap:
      out.begin_object();
      for (const auto& [key, value] : tree.members()) write_json(value, out.key(key));
      out.end_object();
  }
}

}  // namespace

std::string json_text(const Tree& tree) {
  JsonWriter out(0);
  write_json(tree, out);
  return out.take();
}

}  // namespace etiage::formats
