// Packed bytes from strangers: whatever they are, unpacking ends within its limits, whole or line
// by line gives the same, and what we pack comes back. The rest of an input that begins with "+" is
// packed first, so that the readers behind it are reached.
#include "memory_path.hpp"
#include "schism/base/file.hpp"
#include "schism/base/lines.hpp"
#include "schism/trace/trace.hpp"

namespace {

using namespace schism;

std::string with_feed(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  return text;
}

// All lines, each with its end; nothing where they cannot be read.
std::optional<std::string> by_lines(const std::string& bytes) {
  Lines lines(Source::memory(bytes, "fuzz").unpacks_to(kUnpackRatio));
  std::string out;
  std::string_view line;
  for (;;) {
    const auto more = lines.next(line);
    if (!more) {
      require(!more.error().empty());
      return std::nullopt;
    }
    if (!*more) return out;
    out.append(line).push_back('\n');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.starts_with("+")) {
    const std::string text = bytes.substr(1);
    bytes = compress(text);
    require(decompress(bytes).value() == text);
  }
  const auto whole = decompress(bytes);
  if (!whole) require(!whole.error().empty() && !whole.error().ends_with('.'));
  if (whole) require(whole->size() <= unpacked_max(bytes.size()));
  const auto lines = by_lines(bytes);
  const bool packed = bytes.starts_with("\x28\xb5\x2f\xfd");
  // Lines end at a limit of their own, and text that is not packed is theirs only.
  if (packed && whole && lines) require(with_feed(*whole) == *lines);
  if (packed && lines) require(whole.has_value());
  if (const auto trace = parse_trace(bytes, "fuzz"); !trace)
    require(trace.error().starts_with("fuzz, line "));
  return 0;
}
