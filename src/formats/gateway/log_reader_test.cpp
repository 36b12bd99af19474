#include "formats/gateway/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json_writer.h"
#include "formats/kind.h"

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

struct Read {
  GatewayLog log;
  ReadReport report;

  const GatewayCaller& caller(std::size_t i) const { return log.callers[log.requests[i].caller]; }
  const GatewayModelName& model(std::size_t i) const { return log.models[log.requests[i].model]; }
  std::vector<std::string> reasons() const {
    std::vector<std::string> out;
    for (const Dropped& d : report.dropped)
      out.push_back(std::to_string(d.first.line) + ": " + std::to_string(d.count) + " " + d.reason);
    return out;
  }
};

Read read(std::string_view text, std::size_t chunk = std::string_view::npos) {
  Read out;
  GatewayLogReader reader(out.log);
  for (; !text.empty(); text.remove_prefix(std::min(chunk, text.size()))) reader.feed(text.substr(0, chunk));
  out.report = reader.finish();
  out.log.finish();
  return out;
}

Instant at(const char* text) {
  return *parse_instant(text);
}

TEST(GatewayLog, ReadsLiteLlmsSpendLog) {
  const Read got = read(
      R"({"request_id":"r1","api_key":"88dc","spend":0.1,"total_tokens":130,"prompt_tokens":100,)"
      R"("completion_tokens":30,"startTime":"2026-10-06T10:00:00.250Z","endTime":"2026-10-06T10:00:03Z",)"
      R"("model":"hosted_vllm/llama-3","model_id":"abc","model_group":"chat","user":"u","team_id":"t1",)"
      R"("cache_hit":"False","metadata":{"user_api_key_alias":"ka","user_api_key_team_alias":"Red",)"
      R"("usage_object":{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":40},)"
      R"("completion_tokens_details":{"reasoning_tokens":9}}}})"
      "\n");
  ASSERT_THAT(got.log.requests, SizeIs(1));
  const GatewayRequest& r = got.log.requests[0];
  EXPECT_EQ(r.time, (Window{at("2026-10-06T10:00:00.25Z"), at("2026-10-06T10:00:00.25Z")}));
  EXPECT_EQ(r.input, 100);
  EXPECT_EQ(r.cached, 40);
  EXPECT_EQ(r.output, 30);
  EXPECT_EQ(got.caller(0), (GatewayCaller{"t1", "Red", "88dc", "ka", "u", ""}));
  EXPECT_EQ(got.model(0), (GatewayModelName{"chat", "hosted_vllm/llama-3"}));
}

TEST(GatewayLog, ReadsMetadataThatADatabaseExportedAsText) {
  const Read got = read(
      "request_id,api_key,model,prompt_tokens,completion_tokens,startTime,metadata\n"
      "r,k,m,10,5,2026-10-06 10:00:00.5,\"{\"\"user_api_key_team_alias\"\": \"\"Blue\"\", "
      "\"\"usage_object\"\": {\"\"prompt_tokens_details\"\": {\"\"cached_tokens\"\": 4}}}\"\n");
  ASSERT_THAT(got.log.requests, SizeIs(1));
  EXPECT_EQ(got.caller(0).team_alias, "Blue");
  EXPECT_EQ(got.log.requests[0].cached, 4);
}

TEST(GatewayLog, ReadsTheDocumentationsCommentsAndCommas) {
  const Read got = read(
      "[ // an export\n"
      "  {\"team_id\": \"a\", # the team\n"
      "   \"model\": \"m # not a comment\", \"prompt_tokens\": 3, \"completion_tokens\": 4,\n"
      "   \"startTime\": 1790000000, /* seconds */ },\n"
      "]\n");
  ASSERT_THAT(got.log.requests, SizeIs(1)) << testing::PrintToString(got.reasons());
  EXPECT_EQ(got.model(0).served, "m # not a comment");
  EXPECT_EQ(got.log.requests[0].time.start, Instant::unix_seconds(1790000000));
}

TEST(GatewayLog, FindsListsUnderAKey) {
  const Read got = read(
      R"({"data": [{"team":"a","model":"m","prompt_tokens":1,"completion_tokens":2,"time":"2026-10-06T00:00:00Z"}],
          "total": 1})");
  EXPECT_THAT(got.log.requests, SizeIs(1));
  EXPECT_THAT(got.reasons(), IsEmpty());
}

TEST(GatewayLog, FindsUsageInResponses) {
  const Read got = read(
      R"({"ts":1790000000123,"user":"u","response":{"model":"m","usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":7}}}}
{"ts":1790000000123,"user":"u","body":{"model":"m","usage":{"input_tokens":10,"output_tokens":5,"input_tokens_details":{"cached_tokens":7}}}}
{"ts":1790000000123,"user":"u","model":"m","usage":{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":7}}
)");
  ASSERT_THAT(got.log.requests, SizeIs(3));
  for (const GatewayRequest& r : got.log.requests) {
    EXPECT_EQ(r.input, 10);
    EXPECT_EQ(r.cached, 7);
    EXPECT_EQ(r.output, 5);
    EXPECT_EQ(r.time.start, Instant::unix_millis(1790000000123));
  }
}

TEST(GatewayLog, ReadsOpenTelemetrysNamesInAnAccessLog) {
  const char* text =
      R"({"start_time":"2026-10-06T10:00:00.000Z","method":"POST","path":"/v1/chat/completions","response_code":200,)"
      R"("x-tenant-id":"t","gen_ai.request.model":"m","gen_ai.usage.input_tokens":10,"gen_ai.usage.output_tokens":5})"
      "\n";
  EXPECT_EQ(recognise(text), ContentKind::kGatewayLog);
  const Read got = read(text);
  ASSERT_THAT(got.log.requests, SizeIs(1)) << testing::PrintToString(got.reasons());
  EXPECT_EQ(got.caller(0).team, "t");
  EXPECT_EQ(got.model(0).served, "m");
  EXPECT_EQ(got.log.requests[0].input, 10);
}

TEST(GatewayLog, ReadsTablesWhateverTheirColumnsAreCalled) {
  for (const char* text :
       {"time,team,model,input,cached,output\n2026-10-06T10:00:00+02:00,a,m,10,4,5\n",
        "\xEF\xBB\xBFTimestamp;Team ID;Model;Input Tokens;Cached Input Tokens;Output Tokens\r\n"
        "2026-10-06 08:00:00;a;m;10;4;5\r\n",
        "ts\ttenant\tmodel_name\tprompt_tokens\tcached_tokens\tcompletion_"
        "tokens\n1791273600\ta\tm\t10\t4\t5\n",
        "startTime,team,model,usage.prompt_tokens,usage.prompt_tokens_details.cached_tokens,usage.completion_"
        "tokens\n"
        "1791273600000,a,m,10,4,5"}) {
    EXPECT_EQ(recognise(text), ContentKind::kGatewayLog) << text;
    const Read got = read(text);
    ASSERT_THAT(got.log.requests, SizeIs(1)) << text << testing::PrintToString(got.reasons());
    EXPECT_EQ(got.log.requests[0].time.start, at("2026-10-06T08:00:00Z")) << text;
    EXPECT_EQ(got.caller(0).team, "a");
    EXPECT_EQ(got.log.requests[0].input, 10);
    EXPECT_EQ(got.log.requests[0].cached, 4);
    EXPECT_EQ(got.log.requests[0].output, 5);
  }
}

TEST(GatewayLog, SpreadsARowOfADay) {
  const Read got = read("date,team,model,prompt_tokens,completion_tokens\n2026-10-06,a,m,10,5\n");
  ASSERT_THAT(got.log.requests, SizeIs(1));
  EXPECT_EQ(got.log.requests[0].time, (Window{at("2026-10-06T00:00:00Z"), at("2026-10-07T00:00:00Z")}));
}

TEST(GatewayLog, DropsRowsWithAReason) {
  const Read got = read(
      "time,team,model,prompt_tokens,completion_tokens,total_tokens,cache_hit\n"
      "2026-10-06T10:00:00Z,a,m,-1,5,,\n"
      "2026-10-06T10:00:00Z,a,m,1e300,5,,\n"
      "2026-10-06T10:00:00Z,a,,1,5,,\n"
      "soon,a,m,1,5,,\n"
      ",a,m,1,5,,\n"
      "2026-10-06T10:00:00Z,a,m,,,7,\n"
      "2026-10-06T10:00:00Z,a,m,,,,\n"
      "2026-10-06T10:00:00Z,a,m,1,5,,True\n"
      "2026-10-06T10:00:00Z,a,m,1,5,,,,,\n"
      "2026-10-06T10:00:00Z,a,m,1,,7,\n");
  EXPECT_THAT(
      got.reasons(),
      ElementsAre("2: 1 a negative count of tokens", "3: 1 a count of tokens beyond belief", "4: 1 no model",
                  "5: 1 a time that cannot be read", "6: 1 no time: it belongs to no window",
                  "7: 1 only a total of tokens: input and output cannot be told apart",
                  "8: 1 no token counts", "9: 1 answered from the gateway's own cache: no engine saw it",
                  "10: 1 a row with more cells than columns"));
  ASSERT_THAT(got.log.requests, SizeIs(1));
  EXPECT_EQ(got.log.requests[0].output, 6);
}

TEST(GatewayLog, CountsCachedTokensAmongThePrompts) {
  const Read got = read(
      "time,team,model,input,cached,output\n"
      "2026-10-06T10:00:00Z,a,m,,4,5\n"
      "2026-10-06T10:00:00Z,a,m,3,4,5\n");
  ASSERT_THAT(got.log.requests, SizeIs(2));
  for (const GatewayRequest& r : got.log.requests) EXPECT_GE(r.input, r.cached);
}

TEST(GatewayLog, LosesOnlyTheDamagedLine) {
  const std::string row =
      R"({"team":"a","model":"m","prompt_tokens":1,"completion_tokens":2,"time":1790000000})";
  const Read got = read(row + "\n{\"team\": \"a\", \"model\n" + row + "\n" + row.substr(0, 40));
  EXPECT_THAT(got.log.requests, SizeIs(2));
  EXPECT_THAT(got.reasons(), ElementsAre(StartsWith("2: 1 damaged JSON"), StartsWith("4: 1 damaged JSON")));
}

TEST(GatewayLog, CountsCopiesOnce) {
  const std::string row =
      R"({"request_id":"r","team":"a","model":"m","prompt_tokens":1,"completion_tokens":2,"time":1790000000})";
  const std::string nameless =
      R"({"team":"a","model":"m","prompt_tokens":1,"completion_tokens":2,"time":1790000000})";
  const Read got = read(row + "\n" + row + "\n" + nameless + "\n" + nameless + "\n");
  EXPECT_THAT(got.log.requests, SizeIs(3));
  EXPECT_EQ(got.log.repeated, 1u);
}

TEST(GatewayLog, OfNothingReadsNothing) {
  for (const char* text : {"", "\n\n", "{}", "[]", "time,team,model,input,output\n"})
    EXPECT_THAT(read(text).log.requests, IsEmpty()) << text;
}

RC_GTEST_PROP(GatewayLog, ReadsBackWhatWasWritten, ()) {
  const auto input = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const auto cached = *rc::gen::inRange<std::int64_t>(0, input + 1);
  const auto output = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const auto team = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 40);
  JsonWriter json(*rc::gen::element(0, 2));
  json.begin_array().begin_object().member("team", team).member("model", "m").key("usage").begin_object();
  json.member("prompt_tokens", input).member("completion_tokens", output).key("prompt_tokens_details");
  json.begin_object().member("cached_tokens", cached).end_object().end_object();
  json.member("time", Instant::unix_seconds(1790000000)).end_object().end_array();
  const Read got = read(json.text(), chunk);
  RC_ASSERT(got.log.requests.size() == 1u);
  RC_ASSERT(got.log.requests[0].input == static_cast<double>(input));
  RC_ASSERT(got.log.requests[0].cached == static_cast<double>(cached));
  RC_ASSERT(got.log.requests[0].output == static_cast<double>(output));
}

}  // namespace
}  // namespace etiage::formats
