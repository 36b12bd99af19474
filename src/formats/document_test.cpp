#include "formats/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Read {
  std::vector<Tree> trees;
  Diagnostics diagnostics;
  std::string codes() const {
    std::string out;
    for (const Diagnostic& d : diagnostics) out += d.code + "@" + std::to_string(d.place.line) + " ";
    return out;
  }
};

Read read(std::string_view text) {
  Read r;
  r.trees = read_documents(text, "f", r.diagnostics);
  return r;
}

/// A tree in one line: strings quoted, the rest as it stands.
std::string shown(const Tree& t) {
  std::string out;
  switch (t.kind()) {
    case Tree::Kind::kNull:
      return "null";
    case Tree::Kind::kString:
      return '"' + t.text() + '"';
    case Tree::Kind::kBool:
    case Tree::Kind::kNumber:
      return t.text();
    case Tree::Kind::kSequence:
      for (const Tree& item : t.items()) out += (out.empty() ? "" : " ") + shown(item);
      return "[" + out + "]";
    case Tree::Kind::kMap:
      for (const auto& [name, value] : t.members())
        out += (out.empty() ? "" : " ") + name + ":" + shown(value);
      return "{" + out + "}";
  }
  return out;
}

std::string shown(std::string_view text) {
  std::string out;
  for (const Tree& tree : read(text).trees) out += shown(tree) + "\n";
  return out;
}

TEST(Documents, JsonAndYamlByContent) {
  EXPECT_EQ(shown(R"({"a": [1, "x", null, true]})"), "{a:[1 \"x\" null true]}\n");
  EXPECT_EQ(shown("a: [1, x, ~, yes]\n"), "{a:[1 \"x\" null true]}\n");
  EXPECT_EQ(shown("{a: 1, b: [c,],} # flow\n"), "{a:1 b:[\"c\"]}\n");
  EXPECT_EQ(shown("{\"a\":1}\n{\"a\":2}\n"), "{a:1}\n{a:2}\n");
  EXPECT_EQ(shown("---\na: 1\n---\n---\n# nothing\n---\nb: 2\n...\n---\nc: 3\n"), "{a:1}\n{b:2}\n{c:3}\n");
  EXPECT_EQ(shown("%YAML 1.1\n---\na: 1\n"), "{a:1}\n");
  EXPECT_EQ(shown("\xef\xbb\xbf"
                  "a: 1\r\nb: two\r\n"),
            "{a:1 b:\"two\"}\n");
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("# only a comment\n"), "");
}

TEST(Documents, ScalarsMeanWhatKubernetesReads) {
  EXPECT_EQ(shown("[yes, On, n, off, 'yes', \"1\", !!str 1, null, ~, '']"),
            "[true true false false \"yes\" \"1\" \"1\" null null \"\"]\n");
  EXPECT_EQ(
      shown("[0x1F, 0o17, 017, 0b11, 1_000, +5, -0, 08, 1.10, 1e3, .5, 1e400, 2026-10-12, 1.2.3, 500m, .inf, "
            "<<]"),
      "[31 15 15 3 1000 5 0 8 1.1 1000 0.5 \"1e400\" \"2026-10-12\" \"1.2.3\" \"500m\" \".inf\" \"<<\"]\n");
  EXPECT_EQ(shown("on: 1\n8080: 2\nnull: 3\n"), "{true:1 8080:2 null:3}\n");
  EXPECT_EQ(shown("a:\nb: |\n  x\n   y\nc: >-\n  p\n  q\n"), "{a:null b:\"x\n y\n\" c:\"p q\"}\n");
  EXPECT_EQ(shown(R"({"big": 123456789012345678901234567890, "f": 1.10})"),
            "{big:123456789012345678901234567890 f:1.10}\n");
}

TEST(Documents, RepeatedKeysKeepTheLastValue) {
  for (const char* text : {"{\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "a: 1\nb: 2\na: 3\n"}) {
    const Read r = read(text);
    EXPECT_EQ(shown(r.trees.at(0)), "{a:3 b:2}");
    EXPECT_EQ(r.codes(), "duplicate-key@3 ");
    EXPECT_THAT(to_string(r.diagnostics[0]), HasSubstr("the first is on line 1"));
  }
  EXPECT_EQ(shown("a: 1\na: 2\nb: 9\na: 3\n"), "{a:3 b:9}\n");
}

TEST(Documents, AnchorsAndMerges) {
  EXPECT_EQ(shown("a: &x {p: 1, q: 2}\nb: *x\nc:\n  <<: *x\n  q: 3\n"),
            "{a:{p:1 q:2} b:{p:1 q:2} c:{q:3 p:1}}\n");
  EXPECT_EQ(shown("a: &x {p: 1}\nb: &y {p: 2, r: 4}\nc:\n  <<: [*x, *y]\n"),
            "{a:{p:1} b:{p:2 r:4} c:{p:1 r:4}}\n");
  EXPECT_EQ(read("a: &x [*x]\n").codes(), "yaml-alias@1 ");
}

TEST(Documents, AliasBombIsRefused) {
  std::string bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 9; ++k) bomb += (k ? "," : "") + before;
    bomb += "]\n";
  }
  EXPECT_THAT(read(bomb).codes(), HasSubstr("yaml-alias"));
}

TEST(Documents, AFaultCostsOnlyItsDocument) {
  Read r = read("a: 1\n---\nb: [\n---\nc: 3\n");
  EXPECT_EQ(r.trees.size(), 2u);
  ASSERT_EQ(r.diagnostics.size(), 1u);
  EXPECT_EQ(r.diagnostics[0].code, "yaml-syntax");
  r = read("{\"a\":1}\n{\"b\":1\n{\"c\":3}\n");
  EXPECT_EQ(r.codes(), "json-syntax@3 ");
  EXPECT_EQ(shown(r.trees.back()), "{c:3}");
  r = read("{\"a\":1}\n{\"b\" oops}\n{\"c\":3}\n");
  EXPECT_EQ(r.codes(), "json-syntax@2 ");
  EXPECT_EQ(r.trees.size(), 2u);
}

TEST(Documents, WholeItemsOfACutListAreKept) {
  const Read r = read("{\"apiVersion\":\"v1\",\n\"items\":[\n{\"a\":1},\n{\"a\":2},\n{\"a\":");
  ASSERT_EQ(r.trees.size(), 1u);
  EXPECT_EQ(shown(r.trees[0]), "{apiVersion:\"v1\" items:[{a:1} {a:2}]}");
  EXPECT_EQ(r.codes(), "json-syntax@5 ");
  EXPECT_GT(r.trees[0].end, r.trees[0]["items"].begin);
  EXPECT_THAT(to_string(r.diagnostics[0]), HasSubstr("cut off"));
}

TEST(Documents, HostileTexts) {
  EXPECT_EQ(read(std::string(100000, '[')).codes(), "json-syntax@1 ");
  EXPECT_THAT(read("a: " + std::string(100000, '[')).codes(), HasSubstr("@1"));
  EXPECT_THAT(read("a: " + std::string(100000, '{')).codes(), HasSubstr("@1"));
  std::string nested;
  for (int i = 0; i < 1000; ++i) nested += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(read(nested).codes(), "too-deep@201 ");
  EXPECT_EQ(read(std::string("a: \0b\n", 6)).codes(), "yaml-encoding@1 ");
  EXPECT_EQ(read("a: 1\nb: \xff\n").codes(), "yaml-encoding@2 ");
  EXPECT_EQ(read("\xff\xfe{\0}\0").codes(), "encoding@1 ");
  EXPECT_EQ(read("{\"a\": NaN}").codes(), "json-syntax@1 ");
}

TEST(Documents, AStrayBracketEnds) {
  for (const char* text : {"a 1}\n4\n # c\np.4\n # d: e\n,5: ,\n", "}", "a: 1\n]\n"})
    EXPECT_THAT(read(text).codes(), HasSubstr("yaml-syntax@")) << text;
}

TEST(Documents, TabsAreNamed) {
  const Read r = read("a:\n\tb: 1\n");
  ASSERT_EQ(r.diagnostics.size(), 1u);
  EXPECT_EQ(r.diagnostics[0].place.line, 2);
  EXPECT_THAT(to_string(r.diagnostics[0]), HasSubstr("never with tabs"));
}

TEST(Documents, QuotationsIndentedAsAWhole) {
  EXPECT_EQ(shown("    a: 1\n    b:\n      c: 2\n    ---\n    d: 3\n"), "{a:1 b:{c:2}}\n{d:3}\n");
}

/// Every node's bytes, read alone, mean the node again.
TEST(Documents, ByteRanges) {
  const std::string text =
      "# head\na: plain words\nb: 'it''s'\nc: \"q\\\"x\"\nd: |\n  one\n\n  two\ne: [1, {f: g}, \"h\"] # "
      "c\ni:\n- j: k\n  l: m\n- n\n"
      "o: two\n  lines\np:\nq: &anchor !!str 5\n";
  const Read r = read(text);
  ASSERT_EQ(r.trees.size(), 1u);
  const Tree& t = r.trees[0];
  const auto bytes = [&](const Tree& n) { return text.substr(n.begin, n.end - n.begin); };
  EXPECT_EQ(bytes(t["a"]), "plain words");
  EXPECT_EQ(bytes(t["b"]), "'it''s'");
  EXPECT_EQ(bytes(t["c"]), "\"q\\\"x\"");
  EXPECT_EQ(bytes(t["d"]), "|\n  one\n\n  two");
  EXPECT_EQ(bytes(t["e"]), "[1, {f: g}, \"h\"]");
  EXPECT_EQ(bytes(t["e"].at(1)), "{f: g}");
  EXPECT_EQ(bytes(t["e"].at(1)["f"]), "g");
  EXPECT_EQ(bytes(t["i"].at(0)), "j: k\n  l: m");
  EXPECT_EQ(bytes(t["i"].at(1)), "n");
  EXPECT_EQ(bytes(t["o"]), "two\n  lines");
  EXPECT_EQ(bytes(t["p"]), "");
  EXPECT_EQ(text.substr(t["p"].begin - 2, 2), "p:");
  EXPECT_EQ(bytes(t["q"]), "&anchor !!str 5");
  EXPECT_EQ(t["i"].at(0)["l"].line, 12);
}

TEST(KubernetesObjects, ListsAreFlattened) {
  Diagnostics diagnostics;
  std::vector<Tree> documents = read_documents(
      "apiVersion: v1\nkind: List\nitems:\n- {kind: Pod, metadata: {name: a}}\n- {kind: NodeList, "
      "apiVersion: v1, items: [{metadata: {name: n}}]}\n"
      "---\n[{kind: X}, {none: 1}]\n---\nkind: Yak\n",
      "f", diagnostics);
  const std::vector<Tree> objects = kubernetes_objects(std::move(documents), "f", diagnostics);
  std::vector<std::string> kinds;
  for (const Tree& o : objects) kinds.push_back(o["kind"].text());
  EXPECT_THAT(kinds, ElementsAre("Pod", "Node", "X", "Yak"));
  EXPECT_EQ(objects[1]["apiVersion"].text(), "v1");
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "not-an-object");
  EXPECT_EQ(diagnostics[0].place.line, 7);
}

RC_GTEST_PROP(DocumentsProperty, AnyTextEndsWithAnAnswer, (const std::string& text)) {
  const std::string mixed =
      *rc::gen::element<std::string>("", "a: ", "- ", "{", "[\"", "? ", "&a ", "a: |\n ") + text;
  read(mixed);
}

}  // namespace
}  // namespace etiage::formats
