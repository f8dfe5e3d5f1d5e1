#include "schism/run/staging.hpp"

namespace schism {
namespace {

StagingMaker& the_maker() {
  static StagingMaker maker = nullptr;
  return maker;
}

}  // namespace

Registration add_staging_maker(StagingMaker maker) {
  the_maker() = maker;
  return {};
}

Result<std::shared_ptr<const Staging>> make_staging(const std::string& text, const Setup& setup) {
  if (!the_maker()) return error("this program was built without scenarios");
  return the_maker()(text, setup);
}

}  // namespace schism
