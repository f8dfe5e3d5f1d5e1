#include "systems/raft/kv.hpp"

namespace schism::raft {

Machine::Effect Machine::apply(const Command& command, std::uint32_t index, bool forgetful) {
  history_ = absorb(history_, command.digest());
  Session& session = sessions_[command.client % kClientsMax];
  const bool repeated = command.sequence < session.next;
  if (repeated && !forgetful) return {session.answer, false};
  session.answer = execute(command, index);
  session.next = command.sequence + 1;
  return {session.answer, true};
}

Answer Machine::execute(const Command& command, std::uint32_t index) {
  Register& r = registers_[command.key % kKeysMax];
  switch (command.op) {
    case Op::put: r = {command.value, index}; return {Outcome::ok, command.value, index};
    case Op::cas: {
      const std::int32_t before = r.value;
      if (before != command.expected) return {Outcome::mismatch, before, r.version};
      r = {command.value, index};
      return {Outcome::ok, before, index};
    }
    case Op::get: return {Outcome::ok, r.value, r.version};
    case Op::none:
    case Op::add_node:
    case Op::remove_node: break;  // they concern the protocol, not the machine
  }
  return {Outcome::ok, 0, index};
}

Answer Machine::read(int key) const {
  const Register& r = registers_[static_cast<std::size_t>(key) % kKeysMax];
  return {Outcome::ok, r.value, r.version};
}

const Answer* Machine::answer_to(int client, std::uint32_t sequence) const {
  const Session& session = sessions_[static_cast<std::size_t>(client) % kClientsMax];
  return session.next == sequence + 1 ? &session.answer : nullptr;
}

}  // namespace schism::raft
