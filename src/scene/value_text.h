// Values of tables as TOML text.
#pragma once

#include "base/table.h"
#include "scene/write.h"

namespace knead {

struct ValueStyle {
  int dimension = 3;
  PathText path_text{};  // as it is where empty
};

// The name of the current alternative and its struct.
struct CurrentAlternative {
  const Table* table = nullptr;
  void* object = nullptr;
};
CurrentAlternative current(const OneOf&, void* object);

std::string quoted_text(std::string_view text);
std::string key_text(std::string_view key);  // bare where TOML allows it
std::string number_text(double value);       // shortest that reads back to the same bits

// A member's value, lists and tables inline.
std::string member_text(const Field&, void* value, const ValueStyle&);
// One item of a list, or the value itself where it is not a list.
std::string item_text(const Field&, void* value, const ValueStyle&);
// The value of a field in a struct; null where an optional is empty.
void* value_of(const Field&, void* object);

}  // namespace knead
