#include "schism/linearize/assemble.hpp"

namespace schism::linearize {
namespace {

constexpr ModelWord kModels[] = {
    {"any", Model::any, "told from the operations"},
    {"register", Model::register_, "read and write"},
    {"cas_register", Model::cas_register, "read, write and cas"},
    {"key_value", Model::key_value, "get, put and cas, each with a key"},
    {"queue", Model::queue, "enqueue and dequeue, first in first out; nil: it was empty"},
    {"mutex", Model::mutex, "acquire and release"},
    {"owned_mutex", Model::owned_mutex, "the same, released only by the client that holds it"},
    {"set", Model::set, "add, remove, contains, and read of the whole"},
    {"list", Model::list, "append, and read of the whole"},
    {"multi_register", Model::multi_register, "reads and writes of several keys in one step"},
    {"list_append", Model::list_append, "transactions that append and read lists: serializable?"},
    {"rw_register", Model::rw_register, "transactions that read and write: serializable?"},
};

constexpr struct {
  std::string_view name;
  Function function;
} kFunctions[] = {
    {"read", Function::read},       {"get", Function::read},
    {"write", Function::write},     {"put", Function::write},
    {"cas", Function::cas},         {"enqueue", Function::enqueue},
    {"dequeue", Function::dequeue}, {"acquire", Function::acquire},
    {"lock", Function::acquire},    {"release", Function::release},
    {"unlock", Function::release},  {"add", Function::add},
    {"remove", Function::remove},   {"contains", Function::contains},
    {"append", Function::append},   {"txn", Function::txn},
};

// Whether it takes no value of its own.
bool asks_only(Function f) {
  return f == Function::read || f == Function::dequeue || f == Function::acquire ||
         f == Function::release;
}

}  // namespace

std::span<const ModelWord> model_words() { return kModels; }

std::optional<Function> function_of(std::string_view name) {
  for (const auto& f : kFunctions)
    if (f.name == name) return f.function;
  return std::nullopt;
}

Object object_of(Model model) {
  switch (model) {
    case Model::queue: return Object::queue;
    case Model::mutex: return Object::mutex;
    case Model::owned_mutex: return Object::owned_mutex;
    case Model::set: return Object::set;
    case Model::list: return Object::list;
    case Model::multi_register: return Object::multi_register;
    case Model::list_append: return Object::list_append;
    case Model::rw_register: return Object::rw_register;
    default: return Object::registers;
  }
}

void Guess::take(const Event& e) {
  if (e.key.is_there()) tuples_ = tuples_ == Tuples::automatic ? Tuples::no : tuples_;
  if (e.type.word() != "invoke") return;
  const auto function = function_of(e.f.word());
  if (function && model_ == Model::any) look_at_function(e, *function);
  if (tuples_ == Tuples::automatic) look_at_value(e, function);
}

void Guess::look_at_function(const Event& e, Function function) {
  switch (function) {
    case Function::read: return;
    case Function::write:
    case Function::cas: model_ = Model::cas_register; return;
    case Function::enqueue:
    case Function::dequeue: model_ = Model::queue; return;
    case Function::acquire:
    case Function::release: model_ = Model::mutex; return;
    case Function::add:
    case Function::remove:
    case Function::contains: model_ = Model::set; return;
    case Function::append: model_ = Model::list; return;
    case Function::txn: break;
  }
  transactions_ = true;
  tuples_ = Tuples::no;
  const Value::Array* steps = e.value.as_array();
  if (!steps) return;
  for (const Value& step : *steps) {
    const Value::Array* parts = step.as_array();
    Field name;
    if (parts && !parts->empty()) name.set((*parts)[0]);
    if (name.word() == "append") model_ = Model::list_append;
    if (name.word() == "w" || name.word() == "write") model_ = Model::rw_register;
  }
}

void Guess::look_at_value(const Event& e, std::optional<Function> function) {
  const Value::Array* pair = e.value.as_pair();
  const Value::Array* inner = pair ? (*pair)[1].as_array() : nullptr;
  const bool fits = pair && function != Function::txn &&
                    !(function && asks_only(*function) && !(*pair)[1].is_null()) &&
                    !(function == Function::cas && !(inner && inner->size() == 2));
  if (fits) paired_ = true;
  else tuples_ = Tuples::no;
}

Model Guess::model() const {
  if (model_ != Model::any) return model_;
  return transactions_ ? Model::rw_register : Model::cas_register;
}

}  // namespace schism::linearize
