// An item with its signature: what a node vouches for, and what others may show on.
//
//   struct Prepare { int view, n; FIELDS(view, n) };
//   using Votes = std::vector<Signed<Prepare>>;         // a certificate, in messages and in state
//   c.broadcast(Vote{c.sign(Prepare{view, n})});
//   if (!c.verified(vote.item)) return;                 // vote.item.signer, vote.item.value.n
//
// A model, not cryptography: the signature is a hash over signer and content that anybody could
// compute, and nobody but its signer may. Correct nodes sign with Context::sign alone; what a liar
// sends goes through the world, which signs the liar's own items anew and refuses every valid
// signature of a correct node that no liar has received or sent.
#pragma once

#include "schism/node/ids.hpp"

namespace schism {

template <class T>
struct Signed {
  T value{};
  NodeRef signer;  // -1: nobody
  std::uint64_t seal = 0;
  FIELDS(value, signer, seal)

  static constexpr bool schism_is_sealed = true;

  const T* operator->() const { return &value; }
  const T& operator*() const { return value; }

  std::uint64_t expected_seal() const {
    constexpr std::uint64_t type = hash_text(type_name_of());
    return absorb(absorb_field(Hash128{type, 0x7365616cU}, value),
                  static_cast<std::uint64_t>(signer.id))
        .lo;
  }
  bool valid() const { return signer >= 0 && seal == expected_seal(); }
  // Under other names nothing is left of the seal but whether it holds.
  Hash128 renamed(Hash128 h, const Renaming& r) const {
    return absorb(absorb_renamed(signer.renamed(h, r), value, r), valid() ? 1 : 0);
  }
  friend bool operator==(const Signed& a, const Signed& b) {
    return a.signer == b.signer && a.seal == b.seal && a.expected_seal() == b.expected_seal();
  }

 private:
  static constexpr std::string_view type_name_of() { return detail::type_name<T>(); }
};

template <class T>
Signed<T> signed_by(NodeId signer, T value) {
  Signed<T> out{std::move(value), signer, 0};
  out.seal = out.expected_seal();
  return out;
}

}  // namespace schism
