#include "app/label_query.h"

#include <gtest/gtest.h>

#include "model/selector.h"

namespace etiage::app {
namespace {

TEST(LabelQuery, SelectsAsKubectlDoes) {
  const LabelMap labels{{"app", "chat"}, {"tier", "web"}, {"example.com/zone", "a"}};
  for (const char* query : {"", "app=chat", "app==chat", "tier!=batch", "app in (chat, search),!canary",
                            "tier", "env notin (prod)", "example.com/zone=a", "!gpu , app=chat"})
    EXPECT_TRUE(matches(*parse_label_query(query), labels)) << query;
  for (const char* query :
       {"app=search", "canary", "app notin (chat)", "env in (prod)", "app=chat,tier=batch", "app="})
    EXPECT_FALSE(matches(*parse_label_query(query), labels)) << query;
}

TEST(LabelQuery, RefusesWhatIsNone) {
  for (const char* query :
       {"a===", "a===b", "=b", "a in", "a in b", "a b", "a=b c", "a>1", "a={b}", "!", "a in (b,c", "a;b"})
    EXPECT_FALSE(parse_label_query(query)) << query;
}

}  // namespace
}  // namespace etiage::app
