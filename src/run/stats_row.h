// A row of stats.csv: the clock, the steps since the last frame, and the ledger.
#pragma once

#include "output/stats_csv.h"
#include "scene/scene.h"
#include "world/solver.h"

namespace knead {

std::vector<std::string> stats_columns();
std::vector<StatsCell> stats_row(const World&, const Ledger&);

// Fails (bad_input) where an [[expect]] of the scene cannot be read or names a column that no row will have.
void check_expectations(const Scene&);

}  // namespace knead
