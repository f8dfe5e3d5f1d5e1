// What the two languages for sequence diagrams have in common: who takes part, arrows and notes.
// A language says how each is written; the order and the words are the same in both.
#pragma once

#include <string>

#include "schism/draw/scene.hpp"

namespace schism::draw {

SCHISM_ENUM(ArrowKind, delivered, lost, asked, answered);

class SequenceLanguage {
 public:
  virtual ~SequenceLanguage() = default;
  virtual std::string head(const std::string& title) const = 0;
  virtual std::string participant(const std::string& id, const std::string& name) const = 0;
  virtual std::string arrow(const std::string& from, const std::string& to, ArrowKind kind,
                            const std::string& text) const = 0;
  // Over one participant, or from the first to the last where both are given.
  virtual std::string note(const std::string& first, const std::string& last,
                           const std::string& text) const = 0;
  virtual std::string alarm(const std::string& inner) const = 0;  // the violating step
  virtual std::string foot() const = 0;
};

std::string write_sequence(const Trace& trace, const SequenceLanguage& language);

}  // namespace schism::draw
