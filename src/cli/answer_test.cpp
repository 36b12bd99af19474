#include "cli/answer.h"

#include <gtest/gtest.h>
#include <sstream>

namespace etiage::cli {
namespace {

std::string printed(const std::string& form) {
  std::ostringstream out, err;
  Streams io{out, err};
  Arguments arguments;
  if (!form.empty()) arguments.add("output", form);
  const Answer answer{[] { return std::string("{\n  \"yes\": [\"1e3\", 1e+06]\n}"); },
                      [] {
                        const render::Table rows{.columns = {{.name = "node"}},
                                                 .rows = {{{render::text("gpu-1")}}}};
                        return std::vector{rows, render::Table{.title = "Second"}};
                      }};
  EXPECT_EQ(print(answer, arguments, io), kDone);
  return out.str();
}

TEST(Answer, PrintsEveryForm) {
  EXPECT_EQ(printed(""), "NODE\ngpu-1\n\nSecond\n");
  EXPECT_EQ(printed("wide"), "NODE\ngpu-1\n\nSecond\n");
  EXPECT_EQ(printed("csv"), "node\ngpu-1\n");
  EXPECT_EQ(printed("md"), "| NODE |\n| --- |\n| gpu-1 |\n\n**Second**\n\n");
  EXPECT_EQ(printed("json"), "{\n  \"yes\": [\"1e3\", 1e+06]\n}\n");
  EXPECT_EQ(printed("yaml"), "\"yes\":\n- \"1e3\"\n- 1.0e+06\n");
}

TEST(Answer, FailsInOneSafeLine) {
  std::ostringstream out, err;
  Streams io{out, err};
  EXPECT_EQ(fail({"no such file", {.file = "a\x1b[31m"}, "check the path"}, io), kFailed);
  EXPECT_EQ(err.str(), "etiage: a\\x1b[31m: no such file (check the path)\n");
}

}  // namespace
}  // namespace etiage::cli
