#include "formats/api/api_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/testing/sample_log.h"

namespace etiage::formats {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Read {
  std::vector<std::string> lines;
  ReadReport report;
};

Read read(std::string_view text, std::size_t piece = std::string_view::npos,
          std::set<std::string> wanted = {}) {
  SampleLog log(std::move(wanted));
  ApiReader reader(log);
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) reader.feed(text.substr(0, piece));
  ReadReport report = reader.finish();
  return {log.lines(), std::move(report)};
}

std::vector<std::string> reasons(const ReadReport& report) {
  std::vector<std::string> out;
  for (const Dropped& d : report.dropped)
    out.push_back(std::to_string(d.first.line) + ": " + d.reason + " x" + std::to_string(d.count));
  return out;
}

constexpr std::string_view kMatrix = R"({"status":"success","data":{"resultType":"matrix","result":[
  {"metric":{"__name__":"up","job":"a","empty":""},"values":[[1790812800,"1"],[1790812860.123,"NaN"],[1790812860.5,"+Inf"]]},
  {"values":[[1790812800.001,"2.5"]],"metric":{"pod":"x","__name__":"up","a":"\u00e9\n"}}]},
  "warnings":["some store did not answer"]})";

TEST(ApiReader, ReadsAMatrixInPiecesOfAnySize) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::string_view::npos}) {
    const auto got = read(kMatrix, piece);
    EXPECT_THAT(got.lines,
                ElementsAre("{__name__=\"up\",job=\"a\"} 1@1790812800000 nan@1790812860123 inf@1790812860500",
                            "{__name__=\"up\",a=\"\u00e9\n\",pod=\"x\"} 2.5@1790812800001"));
    EXPECT_THAT(got.report.dropped, IsEmpty());
    EXPECT_THAT(got.report.warnings, ElementsAre("some store did not answer"));
    EXPECT_EQ(got.report.samples, 4U);
  }
}

TEST(ApiReader, ReadsVectorsScalarsAndPartsOfAnswers) {
  const auto got = read(
      R"([{"status":"success","data":{"result":[{"metric":{"__name__":"a"},"value":[1.5,"-0.5"]}],"resultType":"vector"}},
          {"data":{"resultType":"scalar","result":[2,"3"]}},
          {"result":[{"metric":{"__name__":"b"},"value":[1,"1"]}]}]
         {"metric":{"__name__":"c"},"value":[1,"1"]}
         {"metric":{"__name__":"d","job":"vm"},"values":[1,2.5,null],"timestamps":[1790812800000,1790812800001,1790812800002]})");
  EXPECT_THAT(got.lines,
              ElementsAre("{__name__=\"a\"} -0.5@1500", "{} 3@2000", "{__name__=\"b\"} 1@1000",
                          "{__name__=\"c\"} 1@1000",
                          "{__name__=\"d\",job=\"vm\"} 1@1790812800000 2.5@1790812800001 nan@1790812800002"));
}

TEST(ApiReader, HandsOutNativeHistograms) {
  const auto got = read(
      R"({"data":{"result":[{"metric":{"__name__":"h"},"histograms":[[1,{"count":"3","sum":"2","buckets":[[0,"1","2","3"]]}],[2,{"count":"0"}]]}]}})");
  EXPECT_THAT(
      got.lines,
      ElementsAre(
          R"({__name__="h"} {"count":"3","sum":"2","buckets":[[0,"1","2","3"]]}@1000 {"count":"0"}@2000)"));
}

TEST(ApiReader, NamesWhatItCannotUse) {
  EXPECT_THAT(
      reasons(read(R"({"status":"error","errorType":"bad_data","error":"invalid parameter"})").report),
      ElementsAre("1: the answer is an error: bad_data: invalid parameter x1"));
  const auto got =
      read(R"({"data":{"result":[{"metric":{"__name__":"a"},"values":[[1,"x"],["t","1"],[2,"2"],[]]},
{"metric":{"__name__":"b","n":7},"value":[1,"1"]},{"metric":{"__name__":"c"},"values":[[1,"1"]]},{"metric":{"__name__":"d")");
  EXPECT_THAT(got.lines, ElementsAre("{__name__=\"a\"} 2@2000", "{__name__=\"c\"} 1@1000"));
  EXPECT_THAT(reasons(got.report),
              ElementsAre("1: a point whose value is not a number x1", "1: a point without a time x2",
                          "2: a label that is no text x1", testing::HasSubstr("damaged JSON")));
}

TEST(ApiReader, KeepsTheSeriesThatACutBrokeOff) {
  const std::string_view whole =
      R"({"data":{"result":[{"metric":{"__name__":"a"},"values":[[1,"1"],[2,"2"],[3,"3"]]},{"metric":{"__name__":"b"},"values":[)";
  EXPECT_THAT(read(whole).lines, ElementsAre("{__name__=\"a\"} 1@1000 2@2000 3@3000"));
  const auto cut = read(whole.substr(0, whole.find("\"3\"") + 2));
  EXPECT_THAT(cut.lines, ElementsAre("{__name__=\"a\"} 1@1000 2@2000"));
  EXPECT_THAT(reasons(cut.report),
              ElementsAre("1: damaged JSON (what came before is used): the text ends inside a string x1"));
  EXPECT_THAT(read(whole.substr(0, whole.find("\"a\"") + 2)).lines, IsEmpty());
  const auto victoria =
      read(R"({"metric":{"__name__":"d"},"values":[1,2,3],"timestamps":[1790812800000,17908128)");
  EXPECT_THAT(victoria.lines, ElementsAre("{__name__=\"d\"} 1@1790812800000"));
}

TEST(ApiReader, LeavesOutWhatNobodyWants) {
  const auto got = read(
      R"({"data":{"result":[{"metric":{"__name__":"a"},"value":[1,"1"]},{"metric":{},"value":[1,"1"]}]}})",
      std::string_view::npos, {"b"});
  EXPECT_THAT(got.lines, IsEmpty());
  EXPECT_THAT(reasons(got.report), ElementsAre("1: a series without a metric name (a computed result) x1"));
}

}  // namespace
}  // namespace etiage::formats
