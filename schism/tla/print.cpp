#include "schism/tla/print.hpp"

#include <fmt/format.h>

#include <cctype>

namespace schism::tla {
namespace {

class Printer {
 public:
  explicit Printer(const Symbols& symbols) : symbols_(symbols) {}

  void print(Value v) {
    switch (v.tag()) {
      case Tag::integer: out += fmt::format("{}", v.as_integer()); break;
      case Tag::boolean: out += v.as_boolean() ? "TRUE" : "FALSE"; break;
      case Tag::string: out += quote_string(symbols_.text(v.symbol())); break;
      case Tag::model: out += symbols_.text(v.symbol()); break;
      case Tag::special: out += "(no value)"; break;
      case Tag::node: node(*v.node()); break;
    }
  }

  std::string out;

 private:
  void list(const char* open, std::span<const Value> items, const char* close) {
    out += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out += ", ";
      print(items[i]);
    }
    out += close;
  }

  void function(const ValueNode& f) {
    const ValueNode& keys = *f[0].node();
    bool record = true;
    for (std::uint32_t i = 0; i < keys.size; ++i) record = record && keys[i].is_string();
    out += record ? "[" : "(";
    for (std::uint32_t i = 0; i < keys.size; ++i) {
      if (i > 0) out += record ? ", " : " @@ ";
      if (record) out += symbols_.text(keys[i].symbol());
      else print(keys[i]);
      out += record ? " |-> " : " :> ";
      print(f[i + 1]);
    }
    out += record ? "]" : ")";
  }

  void two(const char* open, Value a, const char* between, Value b, const char* close) {
    out += open;
    print(a);
    out += between;
    print(b);
    out += close;
  }

  void node(const ValueNode& n) {
    static constexpr const char* kInfinite[] = {"Nat", "Int", "Real", "STRING", "ANY"};
    switch (n.kind) {
      case Kind::set: return list("{", n.words(), "}");
      case Kind::tuple: return list("<<", n.words(), ">>");
      case Kind::function: return function(n);
      case Kind::big: return print(n[0]);
      case Kind::interval: return two("", n[0], "..", n[1], "");
      case Kind::subset: out += "SUBSET "; return print(n[0]);
      case Kind::function_set: return two("[", n[0], " -> ", n[1], "]");
      case Kind::product:
        for (std::uint32_t i = 0; i < n.size; ++i) {
          out += i == 0 ? "(" : " \\X ";
          print(n[i]);
        }
        out += ")";
        return;
      case Kind::record_set:
        for (std::uint32_t i = 1; i < n.size; ++i) {
          out += (i == 1 ? "[" : ", ") + symbols_.text((*n[0].node())[i - 1].symbol()) + ": ";
          print(n[i]);
        }
        out += "]";
        return;
      case Kind::sequences:
        out += "Seq(";
        print(n[0]);
        out += ")";
        return;
      case Kind::infinite: out += kInfinite[n[0].as_integer()]; return;
      case Kind::cup: return two("(", n[0], " \\cup ", n[1], ")");
      case Kind::cap: return two("(", n[0], " \\cap ", n[1], ")");
      case Kind::minus: return two("(", n[0], " \\ ", n[1], ")");
      case Kind::big_union: out += "UNION "; return print(n[0]);
      case Kind::lambda: out += "(a function given by its rule)"; return;
      case Kind::filter: out += "(a set given by its rule)"; return;
    }
  }

  const Symbols& symbols_;
};

}  // namespace

std::string quote_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\', out += c;
    else if (c == '\n') out += "\\n";
    else if (c == '\t') out += "\\t";
    else if (c == '\r') out += "\\r";
    else if (c == '\f') out += "\\f";
    else out += c;
  }
  return out + "\"";
}

std::string to_text(Value v, const Symbols& symbols) {
  Printer printer(symbols);
  printer.print(v);
  return std::move(printer.out);
}

std::string describe(Value v, const Symbols& symbols) {
  std::string text = to_text(v, symbols);
  if (text.size() > 120) text = text.substr(0, 117) + "...";
  const char* kind = "the value";
  if (v.is_integer()) kind = "the integer";
  else if (v.is_boolean()) kind = "the Boolean";
  else if (v.is_string()) kind = "the string";
  else if (v.is_model()) kind = "the model value";
  else if (is_kind(v, Kind::tuple)) kind = "the tuple";
  else if (is_function_value(v))
    kind = is_kind(v, Kind::function) && text[0] == '[' ? "the record" : "the function";
  else if (is_set_value(v)) kind = "the set";
  return fmt::format("{} {}", kind, text);
}

}  // namespace schism::tla
