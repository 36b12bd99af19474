#include "formats/bundle/names.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "formats/kube/replica_set.h"

namespace etiage::formats::bundle {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Aliases aliases_of(const std::vector<std::string>& names, NameOf what = NameOf::kAnything) {
  NameList list;
  for (const std::string& n : names) list.add(n, what);
  return {list, 0};
}

/// Names as clusters have them: words between dashes, some of them hashes.
rc::Gen<std::string> any_name() {
  const auto word =
      rc::gen::element<std::string>("a", "ab", "api", "7d9f8b6c5d", "x2k9p", "bcdf", "0", "llm-8b", "z");
  return rc::gen::map(
      rc::gen::resize(4, rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(word))),
      [](const std::vector<std::string>& words) {
        std::string out;
        for (const std::string& w : words) out += (out.empty() ? "" : "-") + w;
        return out;
      });
}

RC_GTEST_PROP(Aliases, SortAsTheirNames, (std::uint64_t seed)) {
  const auto names = *rc::gen::container<std::vector<std::string>>(any_name());
  NameList list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.add(names[i], i % 2 ? NameOf::kReplicaSet : NameOf::kAnything);
  const Aliases aliases(list, seed);
  for (const std::string& a : names)
    for (const std::string& b : names)
      if (!names_nothing(a) && !names_nothing(b)) RC_ASSERT((a < b) == (aliases.of(a) < aliases.of(b)));
}

RC_GTEST_PROP(Aliases, TellTheDeploymentOfAReplicaSet, ()) {
  const auto names = *rc::gen::container<std::vector<std::string>>(any_name());
  const Aliases aliases = aliases_of(names, NameOf::kReplicaSet);
  for (const std::string& name : names)
    if (!names_nothing(name) && !names_nothing(deployment_of(name)))
      RC_ASSERT(deployment_of(aliases.of(name)) == aliases.of(deployment_of(name)));
}

RC_GTEST_PROP(Aliases, HoldNoName, ()) {
  const auto names = *rc::gen::container<std::vector<std::string>>(rc::gen::resize(
      3, rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("bcdz"))))));
  const Aliases aliases = aliases_of(names);
  for (const std::string& a : names)
    for (const std::string& b : names)
      if (b.size() > 1) RC_ASSERT(!aliases.of(a).contains(b));
}

TEST(Aliases, KeepWhatNamesNothing) {
  const Aliases aliases = aliases_of({"prod"});
  for (const char* text : {"", "<none>", "true", "0", "1234"}) EXPECT_EQ(aliases.of(text), text);
}

TEST(Aliases, KeepPortsAndHeadsOfUuids) {
  const Aliases aliases = aliases_of({"10.0.0.7:9400", "10.0.0.7", "GPU-1b2c", "MIG-77"});
  EXPECT_EQ(aliases.of("10.0.0.7:9400"), aliases.of("10.0.0.7") + ":9400");
  EXPECT_THAT(aliases.of("GPU-1b2c"), StartsWith("GPU-"));
  EXPECT_THAT(aliases.of("MIG-77"), StartsWith("MIG-"));
}

TEST(Aliases, KeepThatAContainerExports) {
  const Aliases aliases =
      aliases_of({"nvidia-dcgm-exporter-x7x2k", "node-exporter", "vllm"}, NameOf::kContainer);
  EXPECT_THAT(aliases.of("nvidia-dcgm-exporter-x7x2k"), EndsWith("-dcgm-exporter"));
  EXPECT_THAT(aliases.of("node-exporter"), AllOf(EndsWith("-exporter"), Not(HasSubstr("dcgm"))));
  EXPECT_THAT(aliases.of("vllm"), Not(HasSubstr("exporter")));
}

TEST(Aliases, DependOnTheSeed) {
  NameList list;
  list.add("prod", NameOf::kAnything);
  EXPECT_EQ(Aliases(list, 1).of("prod"), Aliases(list, 1).of("prod"));
  EXPECT_NE(Aliases(list, 1).of("prod"), Aliases(list, 2).of("prod"));
}

}  // namespace
}  // namespace etiage::formats::bundle
