// What a field can hold: as a range, as a test, and as JSON for pages and other processes.
#pragma once

#include "schism/base/fields.hpp"
#include "schism/base/random.hpp"

namespace schism {

// Both ends included, of what counts: whole numbers, words (by their place), booleans, nodes (-1:
// nobody). Nothing where there are no bounds that the type knows.
struct FieldRange {
  I128 low = 0, high = 0;
};
std::optional<FieldRange> range_of(const FieldType& type);

std::string a_kind(FieldKind kind);  // "an integer", "a word"
constexpr bool is_numeric(FieldKind kind) {
  return kind == FieldKind::integer || kind == FieldKind::node || kind == FieldKind::number;
}

// Whether a field of this type can have this value: just what reading it into an object says.
bool fits(const FieldType& type, const Value& value);

// Another value of a word, number, text or boolean, not far from `value`; nothing: there is none.
std::optional<Value> draw_other(const FieldType& type, const Value& value, Rng& rng);

// A whole number as it is, where its 64 bits are a natural number and the value shows them signed.
I128 whole_number(const FieldType& type, std::int64_t shown);

// "boolean", "text", "node", "number", {"number":4}, {"integer":4}, {"natural":8},
// {"words":["follower","leader"]}, {"optional":T}, {"list":T}, {"list":T,"length":3}, {"set":T},
// {"map":[K,T]}, {"tuple":[T,...]}, {"record":{"term":T,...}}. A record in itself is cut off as
// "text" where it begins again.
Value describe(const FieldType& type);

}  // namespace schism
