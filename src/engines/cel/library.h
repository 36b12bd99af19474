#pragma once
// The functions an environment knows: their overloads for the checker and the cost model, and what they
// compute.

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/cel/type.h"
#include "engines/cel/value.h"

namespace etiage::cel {

using Args = std::span<const Value>;
/// Gets no errors among its arguments unless it is not strict; gives an error as a value.
using Compute = Value (*)(Args);

/// What a kind of value can do, as bits; functions dispatch on it as cel-go's do.
enum Trait : unsigned {
  kNoTrait = 0,
  kAdder = 1,
  kComparer = 2,
  kContainer = 4,
  kDivider = 8,
  kIndexer = 16,
  kIterable = 32,
  kMatcher = 64,
  kModder = 128,
  kMultiplier = 256,
  kNegator = 512,
  kReceiver = 1024,
  kSizer = 2048,
  kSubtractor = 4096
};
unsigned traits_of(Kind kind);

struct Overload {
  std::string id;
  bool member = false;
  std::vector<TypePtr> args;
  TypePtr result;
  Compute compute = nullptr;  ///< null: the function as a whole computes
  bool has_params = false;    ///< some type in it is a parameter
};

struct Function {
  std::string name;
  std::vector<Overload> overloads;  ///< in the order of their declaration
  Compute singleton = nullptr;      ///< computes for every overload
  unsigned trait = kNoTrait;        ///< what a singleton's first argument must be able to do
  bool strict = true;
  bool guarded = true;    ///< overloads check the types of their arguments at run time
  bool variadic = false;  ///< its arguments are evaluated up to the first error only

  const Overload* overload(std::string_view id) const;
};

using Functions = std::map<std::string, Function, std::less<>>;

/// Which functions there are.
struct LibraryOptions {
  bool lists = true;             ///< slice, flatten, range, reverse, distinct, sort, sortBy
  std::int64_t range_limit = 0;  ///< of lists.range; 0: none of its own
  bool refuses_negative_range = false;
  bool includes = false;
  std::size_t includes_limit = 0;  ///< longest list that `includes` takes; 0: any
  bool kubernetes = true;          ///< its own types and functions
  bool int_to_duration = false;    ///< duration(int), up to cel-go 0.26
  bool zone_minutes_checked = false;
  bool string_reverse = false;  ///< of a later version of the strings library; for the conformance suite
};

std::shared_ptr<const Functions> make_functions(const LibraryOptions& options);

// The parts, each adding its functions.
class Declarations;
void declare_operators(Declarations& d);
void declare_conversions(Declarations& d, const LibraryOptions& options);
void declare_times(Declarations& d, const LibraryOptions& options);
void declare_strings(Declarations& d, const LibraryOptions& options);
void declare_lists(Declarations& d, const LibraryOptions& options);
void declare_optionals(Declarations& d);
void declare_kubernetes(Declarations& d, const LibraryOptions& options);
// Parts of the last; in older releases a sum of quantities may share its digits with its left side.
void declare_quantities(Declarations& d, bool sums_share_digits);
void declare_versions(Declarations& d);
void declare_urls(Declarations& d);
void declare_addresses(Declarations& d);

/// Gathers functions; a second declaration of a name adds its overloads.
class Declarations {
 public:
  /// An overload by its signature: `string.(int) string` is a member, `(string) quantity` is not.
  struct Line {
    std::string_view id;
    std::string_view signature;
    Compute compute = nullptr;
  };

  Function& function(std::string_view name, std::initializer_list<Line> overloads);
  Function& function(std::string_view name, const std::vector<Line>& overloads);
  Function& singleton(std::string_view name, Compute compute, unsigned trait,
                      std::initializer_list<Line> overloads);

  Functions take() { return std::move(functions_); }

 private:
  void add(Function& f, const Line& line);

  Functions functions_;
};

inline Value no_such_overload() {
  return Value::error("no such overload");
}
/// `s` as a string, or as the name of a type, which Kubernetes's functions take too; null: neither.
const std::string* string_argument(const Value& v, std::string& buffer);

}  // namespace etiage::cel
