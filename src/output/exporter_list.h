// The exporters, each in a source file of its own. Internal to output/.
#pragma once

#include "output/export.h"

namespace knead {

const Exporter& vtp_exporter();
const Exporter& ply_exporter();
const Exporter& csv_exporter();
const Exporter& npz_exporter();
const Exporter& geo_exporter();

}  // namespace knead
