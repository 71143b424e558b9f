// What the files of a run folder tell of the run, whoever writes them.
#pragma once

#include "output/frame_file.h"
#include "output/run_folder.h"
#include "scene/scene.h"

#include <nlohmann/json.hpp>

namespace knead {

// Which frames there are, as stretches [first, last, step], and how long stats.csv and log.txt are.
nlohmann::ordered_json files_json(const RunFolder& folder);
// How the run stands according to run.json, and the frame that it is to end with, or 0.
nlohmann::ordered_json status_json(const RunFolder& folder);
// stats.csv, column by column, from this row on.
nlohmann::ordered_json stats_json(const RunFolder& folder, std::size_t first_row);
// log.txt from this byte on, or its end.
nlohmann::ordered_json log_json(const RunFolder& folder, std::size_t first_byte);
// All columns of a particle of a frame. Fails (bad_input) where it has no such row.
nlohmann::ordered_json particle_json(const Scene& scene, const Frame& frame, std::size_t row);

// How a quantity of the particle of that id went over the frames there are, or some of them: {"title", "unit", "times",
// "values"}, null where a frame lacks it.
nlohmann::ordered_json history_json(const Scene& scene, const RunFolder& folder, std::int32_t id,
                                    const std::string& quantity);

}  // namespace knead
