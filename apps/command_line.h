// From arguments to a command; a mistake in them is a Failure with code 2 that names the nearest valid flag or command.
#pragma once

#include "apps/options.h"

namespace knead {

Command parse_command_line(int argc, const char* const* argv);

// What `knead COMMAND --help` prints; empty where there is no such command.
std::string command_help(const std::string& command);

}  // namespace knead
