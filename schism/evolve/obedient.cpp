#include "schism/evolve/obedient.hpp"

#include "schism/words/codec.hpp"

namespace schism::evolve {

Status Obedient::check(const Setup& setup) const {
  if (const auto classes = find_message_classes(*setup.system, scheme_); !classes)
    return error("{} has {}", setup.system->name, classes.error());
  Setup timed = setup;
  timed.options.time = time_use();
  return gauges_.check(timed);
}

std::string Obedient::report() const { return encode(gauges_.report()); }

void Obedient::settle(const Setup& setup, std::uint64_t seed, Space space) {
  if (known_ != setup.system) {
    classes_ = find_message_classes(*setup.system, scheme_).value_or(MessageClasses{});
    known_ = setup.system;
  }
  layout_ = Layout(setup.places(), classes_.words.size());
  if (genome_.size() == layout_.genes()) return;
  space.genes = layout_.genes();
  Rng random(keyed(seed, hash_text("genome")));
  genome_ = space.draw(random);
}

double Obedient::gene_of(const Flight& flight, double otherwise) const {
  const Name name = flight.name;
  const int type = classes_.of(name.type(), flight.body->content());
  const std::size_t gene = layout_.gene(name.from(), name.to(), static_cast<std::size_t>(type));
  return gene < genome_.size() ? genome_[gene] : otherwise;
}

}  // namespace schism::evolve
