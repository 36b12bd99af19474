#include "render/yaml.h"

#include <gtest/gtest.h>

namespace etiage::render {
namespace {

Tree str(const char* text) {
  return Tree::string(text);
}

TEST(Yaml, QuotesWhatReadersWouldTakeForAnotherType) {
  for (const char* text :
       {"yes",  "No",   "on",    "y",     "true", "NULL", "~",        "1",          "1e3",
        "0x1F", "0o17", "1_000", "12:30", "1.5",  ".5",   "-.inf",    "2026-10-12", "2026-10-12T00:00:00Z",
        "=",    "<<",   "",      " a",    "a ",   "a: b", "a:",       "a #b",       "#a",
        "- a",  "-",    "---",   "*x",    "&x",   "!x",   "%x",       "@x",         "`x",
        "[a",   "{a",   "|",     ">",     "'a",   "\"a",  "tab\there"})
    EXPECT_EQ(to_yaml(str(text)).front(), '"') << text;
}

TEST(Yaml, LeavesTheRestPlain) {
  for (const char* text : {"llama", "8xH100", "NVIDIA-H100-80GB-HBM3", "a:b", "a#b", "-a", "nvidia.com/gpu",
                           "vllm/vllm-openai:v0.21.0", "1g.10gb", "yesterday", "100m", "élan"})
    EXPECT_EQ(to_yaml(str(text)), std::string(text) + "\n");
}

TEST(Yaml, NestsAsKubectlDoes) {
  const Tree pod = Tree::map(
      {{"kind", str("Pod")},
       {"metadata", Tree::map({{"labels", Tree::map({{"on", str("yes")}})}, {"annotations", Tree::map()}})},
       {"spec",
        Tree::map({{"containers",
                    Tree::sequence(
                        {Tree::map({{"name", str("a")}, {"args", Tree::sequence({str("--x"), str("1")})}}),
                         Tree::map({{"name", str("b")}, {"limit", Tree::number("1e+06")}})})},
                   {"nested", Tree::sequence({Tree::sequence({Tree::number("1"), Tree::boolean(false)}),
                                              Tree::sequence()})},
                   {"none", Tree::null()}})}});
  EXPECT_EQ(to_yaml(pod), R"(kind: Pod
metadata:
  labels:
    "on": "yes"
  annotations: {}
spec:
  containers:
  - name: a
    args:
    - --x
    - "1"
  - name: b
    limit: 1.0e+06
  nested:
  - - 1
    - false
  - []
  none: null
)");
}

TEST(Yaml, KeepsLinesLiteralWhereNothingIsLost) {
  EXPECT_EQ(to_yaml(Tree::map(
                {{"a", str("x\n  y\n\nz\n")}, {"b", str("x\ny")}, {"c", str("x \ny")}, {"d", str("x\n\n")}})),
            "a: |\n  x\n    y\n\n  z\nb: |-\n  x\n  y\nc: \"x \\ny\"\nd: \"x\\n\\n\"\n");
}

}  // namespace
}  // namespace etiage::render
