// What programs that use the library include: docs/library.md.
#pragma once

#include "base/parallel.h"
#include "output/frame_file.h"
#include "run/run.h"
#include "run/simulation.h"
