#include "engines/cel/selector.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace etiage::cel {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

Device gpu() {
  Device d;
  d.name = "gpu-0";
  d.attributes = {{"productName", std::string("NVIDIA H100 80GB HBM3")},
                  {"index", std::int64_t{3}},
                  {"nic.example.com/rdma", true}};
  d.capacity["memory"].value = {"80Gi", *Quantity::parse("80Gi")};
  return d;
}

Environment release(int minor) {
  return default_environment({minor});
}

Verdict on_gpu(std::string_view expression, const Environment& e = release(37)) {
  const Selector s = compile_selector(expression, e);
  if (!s.ok()) return {Outcome::kError, *s.compile_error, {}};
  const PreparedDevice device = prepare_device("gpu.example.com", gpu(), e);
  const Verdict v = evaluate(s, device);
  EXPECT_EQ(matches(s, device), v.outcome) << expression;
  return v;
}
Outcome outcome(std::string_view expression, const Environment& e = release(37)) {
  return on_gpu(expression, e).outcome;
}

TEST(Selector, MatchesAttributesAndCapacity) {
  const auto v = on_gpu(R"(device.driver == "gpu.example.com" &&
    device.attributes["gpu.example.com"].productName.contains("H100") &&
    device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0)");
  EXPECT_EQ(v.outcome, Outcome::kTrue) << v.message;
  EXPECT_EQ(outcome(R"(device.attributes["nic.example.com"].rdma)"), Outcome::kTrue);
  EXPECT_EQ(outcome(R"(device.attributes["gpu.example.com"].index > 3)"), Outcome::kFalse);
}

TEST(Selector, TellsWhatIsMissing) {
  const auto v = on_gpu(R"(device.attributes["gpu.example.com"].nothing == "x")");
  EXPECT_EQ(v.outcome, Outcome::kError);
  EXPECT_EQ(v.message, "no such key: nothing");
  EXPECT_THAT(with_hint(v.message, {37}), HasSubstr("consider using CEL optional chaining"));
  EXPECT_EQ(with_hint(v.message, {36}), v.message);
  EXPECT_EQ(outcome(R"(device.attributes["gpu.example.com"].?nothing.orValue("x") == "x")"), Outcome::kTrue);
  // A domain that is not there has no names, yet can be asked for one.
  EXPECT_EQ(outcome(R"(has(device.attributes["other.example.com"].x))"), Outcome::kFalse);
}

TEST(Selector, WordsFaultsAsKubernetesDoes) {
  EXPECT_EQ(on_gpu("device.driver == 1").message,
            "compilation failed: ERROR: <input>:1:15: found no matching overload for '_==_' applied to "
            "'(string, int)'\n | device.driver == 1\n | ..............^");
  EXPECT_EQ(on_gpu("\"yes\"").message, "must evaluate to bool or the unknown type, not string");
  EXPECT_THAT(on_gpu("device.").message, StartsWith("compilation failed: ERROR: <input>:1:8: Syntax error:"));
}

TEST(Selector, AbsorbsErrorsInLogic) {
  EXPECT_EQ(outcome("1 / 0 == 1 || true"), Outcome::kTrue);
  EXPECT_EQ(outcome("1 / 0 == 1 && false"), Outcome::kFalse);
  EXPECT_EQ(on_gpu("1 / 0 == 1 && true").message, "division by zero");
  EXPECT_EQ(on_gpu("9223372036854775807 + 1 > 0").message, "integer overflow");
}

TEST(Selector, ComparesAcrossNumbers) {
  EXPECT_EQ(outcome("dyn(1) == 1.0 && dyn(1u) == 1 && dyn(2) > 1.5"), Outcome::kTrue);
  EXPECT_EQ(outcome(R"(dyn("1") == 1)"), Outcome::kFalse);
}

TEST(Selector, MakesMessagesThatAreValues) {
  EXPECT_EQ(outcome(R"(google.protobuf.Duration{seconds: 1, nanos: -500000000} == duration("0.5s"))"),
            Outcome::kTrue);
  EXPECT_EQ(outcome(R"(google.protobuf.Duration{seconds: 9223372036854775807} > duration("1s"))"),
            Outcome::kTrue);
  EXPECT_EQ(
      outcome(
          R"(.google.protobuf.Timestamp{nanos: -1} < google.protobuf.Timestamp{?seconds: optional.of(0)})"),
      Outcome::kTrue);
  EXPECT_EQ(outcome("google.protobuf.Int64Value{} + google.protobuf.Int32Value{value: 5} == 5"),
            Outcome::kTrue);
  EXPECT_EQ(on_gpu(R"(google.protobuf.Duration{seconds: device.attributes["gpu.example.com"].productName} ==
                      duration("1s"))")
                .message,
            "field type conversion error for google.protobuf.Duration.seconds value type: unsupported native "
            "conversion from string to 'int64'");
  EXPECT_EQ(on_gpu("google.protobuf.Int32Value{value: 2147483648} == 1").message,
            "field type conversion error for google.protobuf.Int32Value.value value type: integer overflow");
}

TEST(Selector, RefusesLiteralsOfWhatIsNoMessage) {
  EXPECT_THAT(on_gpu("int{x: 1} == 1").message,
              AllOf(HasSubstr("1:4: 'int' is not a message type"), HasSubstr("1:6: undefined field 'x'")));
  EXPECT_THAT(on_gpu("net.IP{} == 1").message, HasSubstr("1:7: 'net.IP' is not a message type"));
  EXPECT_THAT(on_gpu("Foo{} == 1").message,
              HasSubstr("1:4: undeclared reference to 'Foo' (in container '')"));
  EXPECT_THAT(on_gpu(R"(google.protobuf.Duration{seconds: "x"} == duration("0s"))").message,
              HasSubstr("1:33: expected type of field 'seconds' is 'int' but provided type is 'string'"));
  EXPECT_THAT(on_gpu("google.protobuf.Int64Value == int").message,
              HasSubstr("reference to undefined type: google.protobuf.Int64Value"));
  EXPECT_THAT(on_gpu("kubernetes.DRADevice == type(device)").message,
              HasSubstr("reference to undefined type: kubernetes.DRADevice"));
  EXPECT_EQ(on_gpu("kubernetes.DRADevice{} == device").message, "unknown type 'kubernetes.DRADevice'");
}

TEST(Selector, KnowsWhatEachReleaseKnows) {
  EXPECT_EQ(outcome("lists.range(3).size() == 3", release(34)), Outcome::kTrue);
  Environment fresh = release(34);
  fresh.stored = false;
  EXPECT_THAT(on_gpu("lists.range(3).size() == 3", fresh).message, HasSubstr("undeclared reference"));
  EXPECT_THAT(on_gpu("[1].includes(1)", release(35)).message,
              HasSubstr("undeclared reference to 'includes'"));
  EXPECT_EQ(outcome("[1].includes(1)", release(37)), Outcome::kTrue);
}

TEST(Selector, KeepsQuantitiesAsApimachineryDoes) {
  EXPECT_EQ(outcome(R"(quantity("80Gi").isInteger())"), Outcome::kTrue);
  EXPECT_EQ(outcome(R"(quantity("1000m").isInteger())"), Outcome::kFalse);
  EXPECT_EQ(outcome(R"(quantity("1.5k").asInteger() == 1500)"), Outcome::kTrue);
  EXPECT_EQ(on_gpu(R"(quantity("9223372036854775807").asInteger() > 0)").message,
            "cannot convert value to integer");
  // The sum shares its digits with the left side, up to 1.36.
  constexpr auto kGreater = R"(cel.bind(q, quantity("9223372036854775807"), q.add(1).isGreaterThan(q)))";
  EXPECT_EQ(outcome(kGreater, release(36)), Outcome::kFalse);
  EXPECT_EQ(outcome(kGreater, release(37)), Outcome::kTrue);
  // A sum is of another Go type.
  EXPECT_EQ(outcome(R"(quantity("1").add(1) == quantity("2"))"), Outcome::kTrue);
  EXPECT_EQ(on_gpu(R"(quantity("2") == quantity("1").add(1))").message, "no such overload");
}

TEST(Selector, StopsWhatCostsTooMuch) {
  constexpr auto kOver = "operation cancelled: actual cost limit exceeded";
  EXPECT_EQ(on_gpu("lists.range(1000000).all(x, x >= 0)").message, kOver);
  EXPECT_EQ(on_gpu("lists.range(300).map(x, lists.range(300)).flatten().distinct().size() == 300").message,
            kOver);
  EXPECT_TRUE(compile_selector("lists.range(1000000).all(x, x >= 0)", release(37)).too_costly);
}

TEST(Selector, EndsOnHostileText) {
  std::string deep(5000, '(');
  EXPECT_EQ(outcome(deep), Outcome::kError);
  EXPECT_EQ(outcome(deep + "true" + std::string(5000, ')')), Outcome::kError);
  EXPECT_EQ(outcome(std::string(10'000, '!') + "true"), Outcome::kTrue);
  EXPECT_EQ(outcome(std::string(10'000, '[')), Outcome::kError);
  EXPECT_EQ(outcome("lists.range(1000000000).size() == 1"), Outcome::kError);
  EXPECT_EQ(outcome("lists.range(1000000000).size() == 1", release(34)), Outcome::kError);
  EXPECT_EQ(outcome(R"("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab".matches("^(a*)*$"))"), Outcome::kFalse);
  EXPECT_EQ(outcome(R"("a".matches("((a{100}){100}){100}"))"), Outcome::kError);
  EXPECT_EQ(outcome("\xff\xfe"), Outcome::kError);
  EXPECT_EQ(outcome(std::string_view("\0", 1)), Outcome::kError);
  std::string doubling = "\"aaaaaaaaaaaaaaaa\"";
  for (int i = 0; i < 30; ++i) doubling = "cel.bind(x, " + doubling + ", x + x)";
  EXPECT_EQ(outcome(doubling + ".size() > 0"), Outcome::kError);
}

TEST(Selector, SplitsIntoClauses) {
  const Selector s = compile_selector(R"((true && false) && device.driver != "" && 1 / 0 == 1)", release(37));
  ASSERT_TRUE(s.ok());
  ASSERT_EQ(s.clauses.size(), 3u);
  EXPECT_EQ(s.clauses[1].text, R"(device.driver != "")");
  EXPECT_EQ(s.expression.substr(s.clauses[2].begin, s.clauses[2].end - s.clauses[2].begin), "1 / 0 == 1");
  const std::vector<PreparedDevice> fleet(3, prepare_device("d", gpu(), release(37)));
  const auto verdicts = evaluate_clauses(s, fleet[0]);
  EXPECT_EQ(verdicts[0].outcome, Outcome::kFalse);
  EXPECT_EQ(verdicts[1].outcome, Outcome::kTrue);
  EXPECT_EQ(verdicts[2].message, "division by zero");
  const FleetMatch match = match_fleet(s, fleet);
  EXPECT_EQ(match.clauses[0], (ClauseCount{0, 3, 0}));
  EXPECT_EQ(match.clauses[1], (ClauseCount{3, 0, 0}));
  EXPECT_EQ(match.clauses[2], (ClauseCount{0, 0, 3}));
}

TEST(Selector, YieldsAnErrorForADeviceCelCannotSee) {
  Device d;
  d.attributes["version"] = SemanticVersion{"not.a.version"};
  const Environment e = release(37);
  const Verdict v = evaluate(compile_selector("true", e), prepare_device("d", d, e));
  EXPECT_EQ(v.outcome, Outcome::kError);
  EXPECT_FALSE(v.cost);
}

/// Values that devices share answer as values of their own; a wide quantity, which `add` changes up to 1.36,
/// is never shared.
TEST(FleetPreparation, SharedValuesAnswerAsOwnOnes) {
  const Environment e = release(36);
  const FleetPreparation fleet(e);
  Device d = gpu();
  d.attributes["driverVersion"] = SemanticVersion{"580.1.0"};
  const std::string wide = "1234567890123456789";
  for (const char* name : {"a", "b"}) d.capacity[name].value = {wide, *Quantity::parse(wide)};
  const std::vector<PreparedDevice> devices{fleet.prepare("x", d), fleet.prepare("x", d),
                                            prepare_device("x", d, e)};
  for (const char* expression :
       {R"(device.driver == "x")", R"(device.attributes["x"].driverVersion.isLessThan(semver("580.2.0")))",
        R"(device.capacity["x"].memory.compareTo(quantity("80Gi")) == 0)",
        R"(device.capacity["x"].none.isLessThan(quantity("1")))",
        R"(device.capacity["x"].a.add(1).isGreaterThan(device.capacity["x"].b))"}) {
    const Selector s = compile_selector(expression, e);
    ASSERT_TRUE(s.ok()) << *s.compile_error;
    for (const PreparedDevice& device : devices) {
      EXPECT_EQ(evaluate(s, device), evaluate(s, devices.back())) << expression;
      EXPECT_EQ(matches(s, device), evaluate(s, devices.back()).outcome) << expression;
    }
  }
}

/// Any text from the letters of the language is compiled, or refused with words, and evaluated to an end.
RC_GTEST_PROP(Selector, AnyTextEnds, ()) {
  static const std::vector<std::string> kWords{"device",
                                               ".driver",
                                               ".attributes",
                                               "[\"d\"]",
                                               ".x",
                                               "(",
                                               ")",
                                               "[",
                                               "]",
                                               "{",
                                               "}",
                                               ",",
                                               ":",
                                               "?",
                                               ".?",
                                               "&&",
                                               "||",
                                               "==",
                                               "!=",
                                               "<",
                                               "in",
                                               "+",
                                               "-",
                                               "*",
                                               "/",
                                               "%",
                                               "!",
                                               "1",
                                               "2u",
                                               "0.5",
                                               "\"s\"",
                                               "b'x'",
                                               "true",
                                               "null",
                                               ".map(x, ",
                                               ".all(x, ",
                                               "x",
                                               ".size()",
                                               "has(",
                                               "cel.bind(x, ",
                                               "quantity(\"1Gi\")",
                                               ".add(",
                                               "`"};
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kWords));
  std::string text;
  for (const auto& w : words) text += w;
  const Environment e = release(37);
  const Selector s = compile_selector(text, e);
  if (!s.ok()) {
    RC_ASSERT(!s.compile_error->empty());
    return;
  }
  const PreparedDevice device = prepare_device("d", gpu(), e);
  const Verdict v = evaluate(s, device);
  RC_ASSERT(matches(s, device) == v.outcome);
  RC_ASSERT((v.outcome == Outcome::kError) != v.message.empty());
}

}  // namespace
}  // namespace etiage::cel
