// The operators of the standard modules.
#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "schism/tla/frames.hpp"
#include "schism/tla/print.hpp"

namespace schism::tla {

Value Evaluator::builtin(const Node& n, Frame& f) {
  if (reads_ != nullptr && (n.uses & (kImpure | kOfTheRun)) != 0) reads_->give_up();
  switch (n.builtin) {
    case Builtin::len:
    case Builtin::append:
    case Builtin::head:
    case Builtin::tail:
    case Builtin::sub_seq:
    case Builtin::concat: return sequence_op(n, f);
    case Builtin::select_seq: return select_seq(n, f);
    case Builtin::sort_seq: return sort_seq(n, f);
    case Builtin::fold_set:
    case Builtin::fold_seq: return fold(n, f);
    case Builtin::seq:
    case Builtin::cardinality:
    case Builtin::is_finite_set:
    case Builtin::string_set:
    case Builtin::set_to_seq:
    case Builtin::k_subset:
    case Builtin::is_a_bag:
    case Builtin::permutations:
    case Builtin::random_subset:
    case Builtin::random_set_of_subsets:
    case Builtin::any: return set_op(n, f);
    case Builtin::bit_and: return Value::integer(integer(n.kid(0), f) & integer(n.kid(1), f));
    case Builtin::bit_or: return Value::integer(integer(n.kid(0), f) | integer(n.kid(1), f));
    case Builtin::bit_xor: return Value::integer(integer(n.kid(0), f) ^ integer(n.kid(1), f));
    case Builtin::shift_right: {
      const std::int64_t by = integer(n.kid(1), f);
      if (by < 0) throw Failure(n.where, fmt::format("shiftR by {}", by));
      return Value::integer(integer(n.kid(0), f) >> std::min<std::int64_t>(by, 62));
    }
    default: return tlc_op(n, f);
  }
}

// --- Sequences -----------------------------------------------------------------------------------

Value Evaluator::sequence_op(const Node& n, Frame& f) {
  const Value s = normal(eval(n.kid(0), f));
  if (s.is_string()) {
    const std::string& text = symbols().text(s.symbol());
    if (n.builtin == Builtin::len) return Value::integer(static_cast<std::int64_t>(text.size()));
    if (n.builtin == Builtin::concat) {
      const Value t = eval(n.kid(1), f);
      if (!t.is_string())
        throw Failure(n.where, fmt::format("\\o needs two strings or sequences, not {}", show(t)));
      return Value::string(store().symbols().intern(text + symbols().text(t.symbol())));
    }
    if (n.builtin == Builtin::sub_seq) {
      const std::int64_t from = integer(n.kid(1), f), to = integer(n.kid(2), f);
      if (from > to) return Value::string(store().symbols().intern(""));
      if (from < 1 || to > static_cast<std::int64_t>(text.size()))
        throw Failure(n.where, "SubSeq reaches outside of the string");
      return Value::string(store().symbols().intern(text.substr(
          static_cast<std::size_t>(from - 1), static_cast<std::size_t>(to - from + 1))));
    }
  }
  static constexpr const char* kNames[] = {"Len", "Append", "Head", "Tail", "SubSeq", "\\o"};
  const char* name =
      kNames[static_cast<std::size_t>(n.builtin) - static_cast<std::size_t>(Builtin::len)];
  const std::span<const Value> items = this->items(s, name);
  switch (n.builtin) {
    case Builtin::len: return Value::integer(static_cast<std::int64_t>(items.size()));
    case Builtin::head:
      if (items.empty()) throw Failure(n.where, "Head of the empty sequence");
      return items[0];
    case Builtin::tail:
      if (items.empty()) throw Failure(n.where, "Tail of the empty sequence");
      return store().tuple(items.subspan(1));
    case Builtin::append: {
      absl::InlinedVector<Value, 16> out(items.begin(), items.end());
      out.push_back(normal(eval(n.kid(1), f)));
      return store().tuple({out.data(), out.size()});
    }
    case Builtin::concat: {
      const Value t = eval(n.kid(1), f);
      const std::span<const Value> more = this->items(t, "\\o");
      if (more.empty()) return s;
      absl::InlinedVector<Value, 16> out(items.begin(), items.end());
      out.insert(out.end(), more.begin(), more.end());
      return store().tuple({out.data(), out.size()});
    }
    default: {
      const std::int64_t from = integer(n.kid(1), f), to = integer(n.kid(2), f);
      if (from > to) return store().empty_tuple();
      if (from < 1 || to > static_cast<std::int64_t>(items.size()))
        throw Failure(n.where, fmt::format("SubSeq(s, {}, {}) reaches outside of the sequence {}",
                                           from, to, to_text(s, symbols())));
      return store().tuple(items.subspan(static_cast<std::size_t>(from - 1),
                                         static_cast<std::size_t>(to - from + 1)));
    }
  }
}

Value Evaluator::select_seq(const Node& n, Frame& f) {
  const Value s = normal(eval(n.kid(0), f));
  const Group& g = n.extra->groups[0];
  std::vector<Value> out;
  for (const Value v : items(s, "SelectSeq")) {
    f.slots[g.slots[0]] = v;
    if (test(*g.set, f)) out.push_back(v);
  }
  return store().tuple(out);
}

// By insertion: the operator may be no order at all, and must not lead outside the array.
Value Evaluator::sort_seq(const Node& n, Frame& f) {
  const Value s = normal(eval(n.kid(0), f));
  const Group& g = n.extra->groups[0];
  std::vector<Value> out;
  for (const Value v : items(s, "SortSeq")) {
    std::size_t at = out.size();
    for (; at > 0; --at) {
      f.slots[g.slots[0]] = v;
      f.slots[g.slots[1]] = out[at - 1];
      if (!test(*g.set, f)) break;
    }
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(at), v);
  }
  return store().tuple(out);
}

// FoldSet: op(element, so far), from the first element on. FoldSeq: the same along a sequence.
Value Evaluator::fold(const Node& n, Frame& f) {
  const Group& g = n.extra->groups[0];
  Value so_far = normal(eval(n.kid(0), f));
  const Value over = normal(eval(n.kid(1), f));
  const auto step = [&](Value v) {
    f.slots[g.slots[0]] = v;
    f.slots[g.slots[1]] = so_far;
    so_far = normal(eval(*g.set, f));
    return true;
  };
  if (n.builtin == Builtin::fold_set) each(over, step);
  else
    for (const Value v : items(over, "a fold")) step(v);
  return so_far;
}

// --- Sets ----------------------------------------------------------------------------------------

Value Evaluator::permutations(Value set) {
  const Value keys = normal(set);
  std::vector<Value> values(keys.node()->begin(), keys.node()->begin() + keys.node()->size);
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<Value> out, now(values.size());
  if (values.size() > 9) throw Failure({}, "too many permutations");
  do {
    for (std::size_t i = 0; i < order.size(); ++i) now[i] = values[order[i]];
    out.push_back(store().function(keys, now));
  } while (std::next_permutation(order.begin(), order.end()));
  return store().set(out);
}

Value Evaluator::set_op(const Node& n, Frame& f) {
  switch (n.builtin) {
    case Builtin::string_set: {
      // Nat, Int or Real: the name says which.
      return n.value;
    }
    case Builtin::any: return store().infinite(Infinite::anything);
    case Builtin::seq: {
      const Value w[] = {part(eval(n.kid(0), f))};
      return described(Kind::sequences, w);
    }
    case Builtin::cardinality: {
      const std::uint64_t c = cardinality(eval(n.kid(0), f));
      if (c > static_cast<std::uint64_t>(kIntegerMax))
        throw Failure(n.where, "this set has too many elements to count");
      return Value::integer(static_cast<std::int64_t>(c));
    }
    case Builtin::is_finite_set: return Value::boolean(is_finite(eval(n.kid(0), f)));
    case Builtin::set_to_seq: {
      const Value s = eval(n.kid(0), f);
      return store().tuple(set_node(s).words());
    }
    case Builtin::permutations: return permutations(eval(n.kid(0), f));
    case Builtin::is_a_bag: {  // anything may be asked, and only a bag is one
      const Value bag = normal(eval(n.kid(0), f));
      if (!is_function_value(bag)) return kFalse;
      const std::size_t first = bag.node()->kind == Kind::function ? 1 : 0;
      for (const Value v : bag.node()->words().subspan(first))
        if (!v.is_integer() || v.as_integer() <= 0) return kFalse;
      return kTrue;
    }
    case Builtin::k_subset: {
      const std::int64_t k = integer(n.kid(0), f);
      std::vector<Value> out;
      each(powerset(eval(n.kid(1), f)), [&](Value v) {
        const auto size = static_cast<std::int64_t>(v.node()->size);
        if (size == k) out.push_back(v);
        return size <= k;
      });
      return store().set(out);
    }
    default: {
      const bool many = n.builtin == Builtin::random_set_of_subsets;
      const std::int64_t k = integer(n.kid(0), f);
      const std::int64_t size = many ? integer(n.kid(1), f) : k;
      const Value s = eval(n.kid(many ? 2 : 1), f);
      const ValueNode& all = set_node(s);
      if (size > all.size || size < 0) throw Failure(n.where, "a subset larger than the set");
      const auto draw = [&] {
        std::vector<Value> pool(all.begin(), all.begin() + all.size);
        for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i)
          std::swap(pool[i], pool[i + random_.below(pool.size() - i)]);
        pool.resize(static_cast<std::size_t>(size));
        return store().set(pool);
      };
      if (!many) return draw();
      std::vector<Value> out;
      for (std::int64_t i = 0; i < k; ++i) out.push_back(draw());
      return store().set(out);
    }
  }
}

// --- TLC -----------------------------------------------------------------------------------------

Value Evaluator::tlc_op(const Node& n, Frame& f) {
  const auto arg = [&](std::size_t i) { return normal(eval(n.kid(i), f)); };
  switch (n.builtin) {
    case Builtin::singleton: {
      const Value key[] = {arg(0)}, value[] = {arg(1)};
      return store().function(store().sorted_set(key), value);
    }
    case Builtin::merge: {
      const Value a = arg(0);
      return left_merge(a, arg(1));
    }
    case Builtin::print:
    case Builtin::print_t:
      if (around_.print) around_.print(to_text(arg(0), symbols()));
      return n.builtin == Builtin::print ? arg(1) : kTrue;
    case Builtin::assert_:
      if (!test(n.kid(0), f)) {
        const Value what = arg(1);
        throw Failure(n.where,
                      fmt::format("Assert: {}", what.is_string() ? symbols().text(what.symbol())
                                                                 : to_text(what, symbols())));
      }
      return kTrue;
    case Builtin::to_string:
      return Value::string(store().symbols().intern(to_text(arg(0), symbols())));
    case Builtin::random_element: {
      const Value s = eval(n.kid(0), f);
      const ValueNode& all = set_node(s);
      if (all.size == 0) throw Failure(n.where, "RandomElement of the empty set");
      return all[random_.below(all.size)];
    }
    case Builtin::tlc_eval: return arg(n.count - 1);
    case Builtin::level_only: return kTrue;
    case Builtin::java_time: return Value::integer(0);
    case Builtin::tlc_set: {
      const Value key = arg(0), value = arg(1);
      if (key.is_integer()) registers_[key.as_integer()] = value;
      else if (value != kFalse)  // "exit" and "pause" steer TLC, if they are told TRUE
        throw Unsupported(n.where, fmt::format("TLCSet({}, {})", show(key), show(value)));
      return kTrue;
    }
    case Builtin::tlc_get: {
      const Value key = arg(0);
      if (key.is_integer()) {
        const auto found = registers_.find(key.as_integer());
        if (found == registers_.end())
          throw Failure(n.where, fmt::format("register {} was never set", key.as_integer()));
        return found->second;
      }
      Value v;
      if (key.is_string() && around_.get) v = around_.get(store(), symbols().text(key.symbol()));
      if (!v.is_set())
        throw Unsupported(n.where, fmt::format("TLCGet({})", to_text(key, symbols())));
      return v;
    }
    case Builtin::assert_error: {
      try {
        arg(1);
      } catch (const Failure& e) {
        return kTrue;
      }
      return kFalse;
    }
    case Builtin::model_value: {
      const Value name = arg(0);
      if (!name.is_string()) throw Failure(n.where, "TLCModelValue needs a string");
      return Value::model(name.symbol());
    }
    case Builtin::trace: {
      if (!around_.trace) throw Unsupported(n.where, "Trace");
      const std::vector<Value> states = around_.trace(store());
      return store().tuple(states);
    }
    case Builtin::atoi: {
      const Value s = arg(0);
      if (!s.is_string()) throw Failure(n.where, "atoi needs a string");
      const std::string& text = symbols().text(s.symbol());
      std::int64_t out = 0;
      const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), out);
      if (bad != std::errc() || end != text.data() + text.size())
        throw Failure(n.where, fmt::format("atoi: {} is no number", quote_string(text)));
      return Value::integer(out);
    }
    case Builtin::io_env: {
      std::vector<Value> keys, values;
      std::vector<std::pair<Value, Value>> pairs;
      for (char** e = environ; *e != nullptr; ++e) {
        const std::string_view entry = *e;
        const std::size_t at = entry.find('=');
        if (at == std::string_view::npos) continue;
        pairs.emplace_back(Value::string(store().symbols().intern(entry.substr(0, at))),
                           Value::string(store().symbols().intern(entry.substr(at + 1))));
      }
      std::sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
        return store().compare(a.first, b.first) < 0;
      });
      for (const auto& [k, v] : pairs) {
        if (!keys.empty() && keys.back() == k) continue;
        keys.push_back(k);
        values.push_back(v);
      }
      return store().function(store().sorted_set(keys), values);
    }
    case Builtin::refuse: throw Unsupported(n.where, symbols().text(n.value.symbol()));
    default: throw Unsupported(n.where, "this operator");
  }
}

}  // namespace schism::tla
