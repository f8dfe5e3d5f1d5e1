#include "schism/doctor/setting.hpp"

namespace schism::doctor {

Setting all_held() {
  Setting s;
  s.order = Order::alone;
  s.randomise = false;
  s.fill = kOneFill;
  s.clock = ClockUse::held;
  s.one_thread = true;
  return s;
}

std::string to_text(const Request& request) { return to_json(to_value(request)); }

Result<Request> parse_request(const std::string& text) {
  const auto value = parse_json(text);
  Request request;
  if (!value || !from_value(*value, request)) return error("this is no request of the doctor");
  return request;
}

}  // namespace schism::doctor
