// What each command was asked to do, as plain structs; the command line fills them, the commands read them.
#pragma once

#include "apps/terminal.h"
#include "run/bench.h"
#include "run/run.h"
#include "surface/skin.h"
#include "validate/suite.h"
#include "view/view.h"

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace knead {

// Frames named on the command line: `12`, `1:48`, `10:` or `:48`, both ends included.
struct FrameRange {
  std::optional<int> first, last;
};

struct RunCommand {
  RunOptions run;
  Terminal::Options show;
  bool film = false;   // render OUT/film.mp4 afterwards
  bool judge = false;  // an expectation that is not met ends with code 5
};

struct CheckCommand {
  std::filesystem::path scene;
  std::vector<std::string> sets;
  std::optional<int> threads;
  bool strict = false, json = false;
};

struct ListCommand {
  std::string what;                // empty: everything
  std::filesystem::path folder;    // of scenes; empty: those that come with Knead
  bool all = false, json = false;  // all: also the scenes of `knead validate`
};

struct HelpCommand {
  std::string topic;
  bool markdown = false;
};

struct SchemaCommand {};

struct RenderCommand {
  std::filesystem::path run, out;  // an empty `out` is RUN/film.mp4
  FrameRange frames;
  int every = 1;
  std::optional<int> width, height, samples, threads;
  std::vector<std::string> sets;
  std::string color, colormap;
  std::optional<double> low, high;
  bool skin = false;
  SkinOptions skins;
  bool cracks = false;  // and what only they need:
  std::vector<std::string> outside, inside;
  int smooth = 2;
  std::optional<double> stretch;
  bool velocity = false, quiet = false;
  bool name_files = true;  // print the files made
};

struct ViewCommand {
  std::filesystem::path target;  // a run folder or a scene file
  ViewOptions view;
  bool quiet = false;
};

struct ExportCommand {
  std::filesystem::path run, out;  // an empty `out` is RUN/FORMAT
  std::string to;
  FrameRange frames;
  std::vector<std::string> quantities;  // further columns, as in NAME=QUANTITY
  bool quiet = false;
};

struct ImportCommand {
  std::filesystem::path from, out;  // an empty `out` is runs/NAME by the name of the folder
  double fps = 24;
  std::optional<double> size;
  bool quiet = false;
};

struct MeshCommand {
  std::filesystem::path run, out;  // an empty `out` is RUN/cracks or RUN/skin
  bool cracks = false, skin = false;
  SkinOptions skins;
  std::vector<std::string> quantities;  // that skins carry, as in NAME=QUANTITY
  std::string format = "obj";
  FrameRange frames;
  int smooth = 2;
  bool unprojected = false;
  std::optional<double> stretch;
  std::optional<int> threads;
  bool quiet = false;
};

struct StatsCommand {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path plot;
  std::vector<std::string> columns;
  std::string x = "time";
  bool all = false;  // also columns that are zero throughout
  bool json = false, judge = false;
};

struct BenchCommand {
  BenchOptions bench;
  bool json = false;
};

struct DoctorCommand {
  bool json = false;
};

struct ValidateCommand {
  SuiteOptions suite;
  bool list = false, json = false;
};

struct MaterialCommand {
  std::string material;             // a model or preset, or SCENE:NAME
  std::filesystem::path path, out;  // an empty `out` is stdout
  std::vector<std::string> sets;
  double dx = 1;  // m
  bool single = false, json = false;
};

struct LcpCommand {
  std::filesystem::path problem, out;  // an empty `out` is no file
  std::string method;                  // empty: multigrid for a grid, mprgp for a symmetric matrix, else pgs
  double tolerance = 1e-8;
  std::optional<int> iterations;
  bool json = false;
};

// Help or the version was asked for and has been printed.
struct NothingMore {};

using Command = std::variant<NothingMore, RunCommand, CheckCommand, ListCommand, HelpCommand, SchemaCommand,
                             RenderCommand, ViewCommand, ExportCommand, ImportCommand, MeshCommand, StatsCommand,
                             BenchCommand, ValidateCommand, MaterialCommand, LcpCommand, DoctorCommand>;

}  // namespace knead
