#include "evidence/gateway_names.h"

#include <gtest/gtest.h>

namespace etiage::evidence {
namespace {

const std::vector<ServedModel> kModels{
    {"llama-3", true}, {"Qwen/Qwen3-32B", true}, {"other/Qwen3-8B", true}, {"x/Qwen3-8B", true}};

ModelNames names(const std::vector<std::pair<std::string, std::string>>& aliases = {}) {
  return {kModels, {{"meta-llama/Llama-3-8B-Instruct", ModelId{0}}}, aliases};
}

TEST(ModelNames, FindTheEnginesModel) {
  const ModelNames n = names();
  EXPECT_EQ(n.find({"", "llama-3"}), ModelId{0});
  EXPECT_EQ(n.find({"chat", "hosted_vllm/llama-3"}), ModelId{0});
  EXPECT_EQ(n.find({"", "litellm_proxy/openai/llama-3"}), ModelId{0});
  EXPECT_EQ(n.find({"llama-3", ""}), ModelId{0});
  EXPECT_EQ(n.find({"", "qwen3-32b"}), ModelId{1});
  EXPECT_EQ(n.find({"", "meta-llama/Llama-3-8B-Instruct"}), ModelId{0});
  EXPECT_EQ(n.find({"", "other/Qwen3-8B"}), ModelId{2});
}

TEST(ModelNames, DoNotGuess) {
  const ModelNames n = names();
  EXPECT_FALSE(n.find({"", "Qwen3-8B"}).valid());
  EXPECT_FALSE(n.find({"gpt-4o", "openai/gpt-4o"}).valid());
  EXPECT_FALSE(n.find({"", ""}).valid());
}

TEST(ModelNames, LearnWhatAnAliasServes) {
  ModelNames n = names();
  n.see({"chat", "hosted_vllm/llama-3"});
  n.see({"mixed", "llama-3"});
  n.see({"mixed", "Qwen/Qwen3-32B"});
  EXPECT_EQ(n.find({"chat", ""}), ModelId{0});
  EXPECT_EQ(n.find({"", "chat"}), ModelId{0});
  EXPECT_FALSE(n.find({"mixed", ""}).valid());
}

TEST(ModelNames, TakeTheUsersWord) {
  EXPECT_EQ(names({{"prod-chat", "llama-3"}}).find({"prod-chat", ""}), ModelId{0});
}

TEST(TenantNames, PreferTeamsToKeysToUsers) {
  TenantNames n;
  const GatewayCaller team{"t1", "", "k1", "laptop", "ann", ""}, renamed{"t1", "Red", "", "", "", ""};
  n.see(team);
  EXPECT_EQ(n.name(team), "t1");
  n.see(renamed);
  EXPECT_EQ(n.name(team), "Red");
  EXPECT_EQ(n.name({"", "", "k1", "", "ann", ""}), "laptop");
  EXPECT_EQ(n.name({"", "", "k2", "", "ann", ""}), "k2");
  EXPECT_EQ(n.name({"", "", "", "", "ann", "bob"}), "ann");
  EXPECT_EQ(n.name({}), "");
}

}  // namespace
}  // namespace etiage::evidence
