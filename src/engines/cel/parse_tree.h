#pragma once
// The syntax tree of an expression, kept whole also where the text is faulty: what could not be read is
// absent.

#include <memory>
#include <optional>
#include <vector>

#include "engines/cel/token.h"

namespace etiage::cel {

struct ParseTree;
using ParseTreePtr = std::unique_ptr<ParseTree>;

struct ParseTree {
  enum class Shape {
    kPassThrough,  ///< children[0] alone
    kUnread,       ///< nothing of it could be told
    kUnreadUnary,  ///< an operand that could not be told
    kConditional,  ///< children: condition, then, otherwise
    kOr,
    kAnd,     ///< children: operands; ops between them
    kBinary,  ///< children: left, right; op
    kNot,
    kNegate,      ///< ops: the signs; children[0]
    kSelect,      ///< children[0].id; mark: the `?`
    kMemberCall,  ///< children[0].id(args...)
    kIndex,       ///< children[0][children[1]]; mark: the `?`
    kIdent,
    kCall,     ///< mark: the leading dot; children: args
    kList,     ///< children; optional_child
    kMap,      ///< children: key, value, key, value, ...; ops: the colons; optional_child by entry
    kMessage,  ///< ids: the type's names; fields as in kMap, the keys in `field_ids`
    kLiteral,  ///< op: the token; mark: a sign
  };

  Shape shape = Shape::kUnread;
  Lexeme start;         ///< its first token
  std::size_t end = 0;  ///< code points; after its last token
  std::optional<Lexeme> op, mark, id;
  std::vector<Lexeme> ops, ids;
  std::vector<std::optional<Lexeme>> field_ids;
  std::vector<ParseTreePtr> children;
  std::vector<bool> optional_child;
};

/// Limits of cel-go's parser.
inline constexpr int kMaxRecursion = 250;
inline constexpr int kMaxRecoveries = 30;
inline constexpr int kMaxSkippedTokens = 256;
inline constexpr std::size_t kMaxCodePoints = 100'000;

/// Reads the text as an ANTLR parser of CEL's grammar does, faults and recovery included. Null: reading was
/// given up.
ParseTreePtr read_syntax(const Source& source, Issues& issues);

}  // namespace etiage::cel
