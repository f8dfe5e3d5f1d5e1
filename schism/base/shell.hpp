// Commands that we print are pasted into a shell: every word of one goes through here.
#pragma once

#include <string>

namespace schism {

// The word as it is, or in quotes where a shell would read it as something else.
std::string quote(const std::string& word);

}  // namespace schism
