// The commands: each does what its options say, prints results on stdout and returns the exit code.
#pragma once

#include "apps/options.h"

namespace knead {

inline int run_command(const NothingMore&) { return 0; }
int run_command(const RunCommand&);
int run_command(const CheckCommand&);
int run_command(const ListCommand&);
int run_command(const HelpCommand&);
int run_command(const SchemaCommand&);
int run_command(const RenderCommand&);
int run_command(const ExportCommand&);
int run_command(const StatsCommand&);
int run_command(const BenchCommand&);
int run_command(const DoctorCommand&);

// Prints a scene's expectations against the statistics of a run as a table (or one JSON object a line); true when all
// are met or there is none.
bool show_expectations(const std::filesystem::path& run, bool quiet, bool json);

}  // namespace knead
