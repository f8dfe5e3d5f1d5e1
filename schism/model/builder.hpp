// How a model and a mapping become one specification: a module that extends the model with an
// operator for everything that the mapping says, and a configuration with the run's constants.
#pragma once

#include "schism/model/model.hpp"
#include "schism/system/system.hpp"

namespace schism::model {

class Model::Builder {
 public:
  Builder(Model& model, const Setup& setup) : m_(model), setup_(setup) {}
  Status build();

 private:
  struct Draft {  // of a rule
    Rule rule;
    Holes holes;
    std::vector<std::string> bodies, texts;
    std::string unless;
    std::string place;
    EventMask about = 0;  // of one event; of none: whatever step it was
  };

  Status check_setup() const;
  Status draft_rules();
  static bool takes_all_of(const Rule& first, const Rule& second);
  Status draft(const EventRule& given);
  void draft_after(Draft& draft) const;
  static void add_action(Draft& draft, std::string text);
  Status find_event(const EventRule& given, Rule& rule) const;
  Status check_action(std::string text, const std::string& place) const;
  Status bind(Draft& draft);
  Status bind_observed();
  Status bind_parameter(Draft& draft, const std::string& name);
  Status load_base();
  Result<std::string> configuration() const;
  const std::vector<std::string>& guided(const std::vector<std::string>& all,
                                         const std::vector<std::string>& less) const;
  std::string unchanged() const;
  std::string module_text() const;
  Status load_whole();
  void split_view();
  void add_view_part(tla::Code code);
  void index_rules();

  Model& m_;
  const Setup& setup_;
  std::vector<Draft> drafts_;
  std::vector<std::pair<std::string, std::size_t>> definitions_;
  std::vector<std::string> variables_;
  std::string module_, folder_, config_;
};

}  // namespace schism::model
