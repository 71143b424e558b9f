// The commands: each does what its options say, prints results on stdout and returns the exit code.
#pragma once

#include "apps/options.h"
#include "output/run_folder.h"

namespace knead {

inline int run_command(const NothingMore&) { return 0; }
int run_command(const RunCommand&);
int run_command(const CheckCommand&);
int run_command(const ListCommand&);
int run_command(const HelpCommand&);
int run_command(const SchemaCommand&);
int run_command(const RenderCommand&);
int run_command(const ViewCommand&);
int run_command(const ExportCommand&);
int run_command(const ImportCommand&);
int run_command(const MeshCommand&);
int run_command(const StatsCommand&);
int run_command(const BenchCommand&);
int run_command(const ValidateCommand&);
int run_command(const MaterialCommand&);
int run_command(const LcpCommand&);
int run_command(const DoctorCommand&);

// The folder, which must hold a run: a wrong one is the likeliest mistake, said before anything else can go wrong.
RunFolder folder_with_run(const std::filesystem::path& path);
// What to do where there is no run: the runs of this folder, or how to make one.
std::string runs_here();

enum class Show { table, json, failed };  // failed: only those that are not met, on stderr

// Prints a scene's expectations against the statistics of a run; true when all that can be judged are met.
bool show_expectations(const Scene& scene, const RunFolder& folder, Show show);

}  // namespace knead
