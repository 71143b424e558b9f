// Text that is not our own, made safe for terminals and logs: names, keys and lines of files, arguments.
#pragma once

#include <string>
#include <string_view>

namespace knead {

// With what could steer a terminal or turn the order of letters round shown as its number, \x1b or \u202e: control
// characters but tabs, marks of direction, separators of lines, bytes that are no UTF-8. A line end is \n.
std::string printable(std::string_view text);

// The same for our own text of several lines, which stay.
std::string printable_lines(std::string_view text);

// The same for a message: of words and lines too long to be read the middle is left out ("…").
std::string printable_message(std::string_view text);

}  // namespace knead
