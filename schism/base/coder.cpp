#include "schism/base/coder.hpp"

#include <fmt/format.h>

#include <bit>

namespace schism {
namespace {

// The kinds of a Value, in the order of its variant.
enum Kind : std::uint8_t { null, boolean, whole, number, text, array, object };

}  // namespace

void Encoder::head(std::uint64_t shape) {
  byte(kCodecVersion);
  fixed(shape);
}

void Encoder::value(const Value& value) {
  const auto& data = value.data();
  byte(static_cast<std::uint8_t>(data.index()));
  switch (data.index()) {
    case Kind::boolean: return byte(std::get<bool>(data) ? 1 : 0);
    case Kind::whole: return integer(std::get<std::int64_t>(data));
    case Kind::number: return fixed(std::bit_cast<std::uint64_t>(std::get<double>(data)));
    case Kind::text: return text(std::get<std::string>(data));
    case Kind::array:
      number(std::get<Value::Array>(data).size());
      for (const Value& item : std::get<Value::Array>(data)) this->value(item);
      return;
    case Kind::object:
      number(std::get<Value::Object>(data).size());
      for (const auto& [key, item] : std::get<Value::Object>(data)) text(key), this->value(item);
      return;
    default: return;
  }
}

bool Decoder::fail(std::string_view what) {
  if (good()) problem_ = fmt::format("byte {}: {}", at_, what);
  return false;
}

bool Decoder::head(std::uint64_t shape) {
  std::uint8_t version = 0;
  std::uint64_t theirs = 0;
  if (!byte(version)) return false;
  if (version != kCodecVersion)
    return fail(
        fmt::format("they have codec version {}, this program reads {}", version, kCodecVersion));
  if (!fixed(theirs)) return false;
  if (theirs == shape) return true;
  return fail(
      fmt::format("another version wrote them, or they are something else: their fields "
                  "have the hash {:016x}, those here {:016x}",
                  theirs, shape));
}

bool Decoder::number(std::uint64_t& n) {
  n = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    std::uint8_t b = 0;
    if (!byte(b)) return false;
    if (shift == 63 && b > 1) break;
    n |= static_cast<std::uint64_t>(b & 0x7f) << shift;
    if (b < 0x80) return (b != 0 || shift == 0) || fail("a number is longer than it need be");
  }
  return fail("a number has more than 64 bits");
}

bool Decoder::integer(std::int64_t& i) {
  std::uint64_t n = 0;
  if (!number(n)) return false;
  i = static_cast<std::int64_t>(n >> 1 ^ (~(n & 1) + 1));
  return true;
}

bool Decoder::fixed(std::uint64_t& n, int bytes) {
  n = 0;
  for (int i = 0; i < bytes; ++i) {
    std::uint8_t b = 0;
    if (!byte(b)) return false;
    n |= static_cast<std::uint64_t>(b) << (8 * i);
  }
  return true;
}

bool Decoder::flag(bool& b) {
  std::uint8_t read = 0;
  if (!byte(read)) return false;
  if (read > 1) return fail("neither yes nor no");
  b = read == 1;
  return true;
}

bool Decoder::count(std::uint64_t& n) {
  if (!number(n)) return false;
  return n <= bytes_.size() - at_ || fail("a length is beyond the end");
}

bool Decoder::text(std::string& text) {
  std::uint64_t size = 0;
  if (!count(size)) return false;
  text.assign(bytes_.substr(at_, size));
  at_ += size;
  return true;
}

bool Decoder::value(Value& value) {
  const Level level(*this);
  std::uint8_t kind = 0;
  if (!level || !byte(kind)) return false;
  bool b = false;
  std::int64_t i = 0;
  std::uint64_t n = 0;
  switch (kind) {
    case Kind::null: return value = Value(), true;
    case Kind::boolean: return flag(b) && (value = b, true);
    case Kind::whole: return integer(i) && (value = i, true);
    case Kind::number: return fixed(n) && (value = std::bit_cast<double>(n), true);
    case Kind::text: {
      std::string read;
      return text(read) && (value = std::move(read), true);
    }
    case Kind::array: {
      Value::Array items;
      if (!count(n)) return false;
      for (; n > 0; --n)
        if (!this->value(items.emplace_back())) return false;
      return value = std::move(items), true;
    }
    case Kind::object: {
      Value::Object items;
      if (!count(n)) return false;
      for (; n > 0; --n) {
        auto& [key, item] = items.emplace_back();
        if (!text(key) || !this->value(item)) return false;
      }
      return value = std::move(items), true;
    }
    default: return fail("no kind of value");
  }
}

bool Decoder::end() {
  if (!good()) return false;
  return at_ == bytes_.size() || fail(fmt::format("{} bytes too many", bytes_.size() - at_));
}

}  // namespace schism
