// A row of stats.csv: the clock, the steps since the last frame, the ledger and the probes.
#pragma once

#include "output/stats_csv.h"
#include "scene/scene.h"
#include "world/solver.h"

namespace knead {

std::vector<std::string> stats_columns(const Scene&);
std::vector<StatsCell> stats_row(const Scene&, const World&, const Solver&, const Ledger&);

// Fails (bad_input) where a [[probe]] would make a column twice, or where an [[expect]] cannot be read or names a
// column that no row will have.
void check_expectations(const Scene&);

}  // namespace knead
