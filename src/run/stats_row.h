// A row of stats.csv: the clock, the steps since the last frame, the ledger and the probes.
#pragma once

#include "output/stats_csv.h"
#include "scene/read.h"
#include "world/solver.h"

#include <map>

namespace knead {

std::vector<std::string> stats_columns(const Scene&);
// By column; empty for numbers and words.
std::map<std::string, std::string> stats_units(const Scene&);
std::vector<StatsCell> stats_row(const Scene&, const World&, const Solver&, const Ledger&);

// What is wrong with the measurements: a [[probe]] that would make a column twice, an [[expect]] that cannot be read or
// names a column that no row will have. The path of the part, and a sentence. Where parts of the scene are not sound,
// only what does not hang on them.
std::vector<std::pair<std::string, std::string>> wrong_measurements(const Scene&, const IsSound&);
// Fails (bad_input) with all of them.
void check_expectations(const Scene&);

}  // namespace knead
