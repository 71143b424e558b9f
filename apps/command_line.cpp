// The arguments of every command. This file alone knows CLI11.
#include "apps/command_line.h"

#include "base/error.h"
#include "base/nearest.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace knead {
namespace {

constexpr int most_threads = 1024;
constexpr int most_frames = 100'000'000;

// Texts of the user repeated in messages are cut, since an argument may be as long as 128 KiB.
std::string shortened(const std::string& text, std::size_t most = 120) {
  return text.size() <= most ? text : text.substr(0, most) + "…";
}

int frame_number(const std::string& text, const std::string& whole) {
  int number = 0;
  if (!CLI::detail::lexical_cast(text, number) || number < 0 || number > most_frames)
    fail(Exit::usage, "--frames: '{}' is not a frame or a range of frames; write 12, 1:48, 10: or :48",
         shortened(whole));
  return number;
}

FrameRange frame_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  FrameRange range;
  if (colon == std::string::npos) {
    range.first = range.last = frame_number(text, text);
    return range;
  }
  if (colon > 0) range.first = frame_number(text.substr(0, colon), text);
  if (colon + 1 < text.size()) range.last = frame_number(text.substr(colon + 1), text);
  if (range.first && range.last && *range.first > *range.last)
    fail(Exit::usage, "--frames: '{}' ends before it begins", shortened(text));
  return range;
}

// An option's value that must not be empty, such as a path.
const CLI::Validator not_empty([](std::string& text) { return text.empty() ? std::string("must not be empty") : ""; },
                               "");

// A whole number from `low` to `high`, refused with both named.
CLI::Validator whole_number(int low, int high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        int number = 0;
        if (CLI::detail::lexical_cast(text, number) && number >= low && number <= high) return std::string();
        return fmt::format("'{}' is not a whole number from {} to {}", shortened(text), low, high);
      },
      "");
}

// A finite number from `low` to `high`, likewise: a comparison alone lets through what is not a number.
CLI::Validator number(double low, double high) {
  return CLI::Validator(
      [low, high](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return std::string();
        return fmt::format("'{}' is not a number from {:g} to {:g}", shortened(text), low, high);
      },
      "");
}

const CLI::Validator finite(
    [](std::string& text) {
      double value = 0;
      if (CLI::detail::lexical_cast(text, value) && std::isfinite(value)) return std::string();
      return fmt::format("'{}' is not a finite number", shortened(text));
    },
    "");

// One of these names, refused with the nearest.
CLI::Validator one_of(std::vector<std::string> names) {
  return CLI::Validator(
      [names = std::move(names)](std::string& text) {
        if (std::find(names.begin(), names.end(), text) != names.end()) return std::string();
        return fmt::format("'{}' is not one of {}{}", shortened(text), fmt::join(names, ", "),
                           did_you_mean(text, names));
      },
      "");
}

// Help without the ranges and exclusions that CLI11 would print beside the flags; the texts say what matters.
class PlainFormatter : public CLI::Formatter {
 public:
  PlainFormatter() {
    column_width(28);
    label("SUBCOMMAND", "COMMAND");
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    return option->get_type_size() == 0 || option->get_positional() || type.empty() ? "" : " " + type;
  }
};

// The parser of the whole command line, and the command that it found.
class CommandLine {
 public:
  CommandLine() {
    root_.set_version_flag("--version", fmt::format("knead {}", program_version), "Print the version");
    root_.set_help_flag("-h,--help", "Print this help or, after a command, that command's help");
    root_.formatter(std::make_shared<PlainFormatter>());
    root_.allow_extras();  // reported by fail_unknown, with the nearest name
    root_.require_subcommand(0, 1);
    add_run();
    add_check();
    add_list();
    add_help();
    add_view();
    add_render();
    add_export();
    add_import();
    add_mesh();
    add_stats();
    add_bench();
    add_validate();
    add_material();
    add_lcp();
    add_doctor();
    root_.footer(
        "Examples:\n"
        "  knead run scenes/mpm/snowball.toml --film    simulate, then render runs/snowball/film.mp4\n"
        "  knead check my.toml                          what a run would cost, and what is odd about the scene\n"
        "  knead run my.toml --set solver.dx=0.02       change one value without editing the file\n"
        "  knead view runs/snowball                     watch it in the browser\n"
        "  knead export runs/snowball --to vtp          frames for ParaView\n"
        "  knead help scene                             everything a scene file may say");
  }

  Command parse(int argc, const char* const* argv) {
    if (argc < 2) throw Failure(Exit::usage, "no command given\n" + root_.help());
    const char* const* const end = argv + argc;
    const char* const* const dashes = std::find(argv + 1, end, std::string_view("--"));
    try {
      root_.parse(int(dashes - argv), argv);
      for (const std::string& word : root_.remaining(true)) fail_unknown(word);
      if (dashes != end) take_arguments({dashes + 1, end});
    } catch (const CLI::Success& wanted) {  // --help, --version
      std::ostringstream out;
      root_.exit(wanted, out, out);
      fmt::print("{}", out.str());
      return NothingMore{};
    } catch (const CLI::ParseError& error) {
      fail(Exit::usage, "{}; see 'knead {}--help'", shortened(explained(error), 400), chosen_name());
    }
    if (!finish_) fail(Exit::usage, "no command given; see 'knead --help'");
    run_.run.command.assign(argv, argv + argc);
    view_.view.run.command = run_.run.command;
    return finish_();
  }

  std::string help_of(const std::string& command) {
    for (const CLI::App* sub : root_.get_subcommands([](CLI::App*) { return true; }))
      if (sub->get_name() == command) return sub->help("knead");
    return "";
  }

 private:
  // A command with its description; `make` turns what was parsed into the command.
  CLI::App* command(const std::string& name, const std::string& doc, std::function<Command()> make) {
    CLI::App* sub = root_.add_subcommand(name, doc);
    sub->group("Commands");
    sub->callback([this, make = std::move(make)] { finish_ = make; });
    return sub;
  }

  // A positional argument that must be there. Checked after unknown flags, which are the likelier mistake.
  static void need(const std::filesystem::path& path, const char* command, const char* what) {
    if (path.empty()) fail(Exit::usage, "knead {0} needs {1}; see 'knead {0} --help'", command, what);
  }

  static void add_threads(CLI::App* sub, std::optional<int>& threads) {
    sub->add_option("--threads", threads, "Number of threads, 1 to 1024 (all cores)")
        ->check(whole_number(1, most_threads))
        ->type_name("N");
  }

  static void add_crack_options(CLI::App* sub, int& smooth, std::optional<double>& stretch) {
    sub->add_option("--stretch", stretch, "Of cracks: stretch at which an edge counts as broken (the run's)")
        ->check(number(1e-3, 1e6))
        ->type_name("Z");
    sub->add_option("--smooth", smooth, "Of cracks: passes of smoothing; 0 none, 2 mild, 20 strong (2)")
        ->check(whole_number(0, 10'000))
        ->type_name("N");
  }

  static void add_skin_options(CLI::App* sub, CLI::Option* skin, SkinOptions& options) {
    sub->add_option("--radius", options.radius,
                    "Radius of the skin around a single particle, in particle sizes; larger joins more (0.68)")
        ->needs(skin)
        ->check(number(0.1, 10))
        ->type_name("R");
    sub->add_option("--cell", options.cell, "Cell size of the skin, in particle sizes (0.5)")
        ->needs(skin)
        ->check(number(0.05, 10))
        ->type_name("C");
    sub->add_option_function<std::string>(
           "--by", [&options](const std::string& what) { options.by_material = what == "material"; },
           "A skin for each body, or for all bodies of a material (material in liquids, else body)")
        ->needs(skin)
        ->check(one_of({"body", "material"}))
        ->type_name("WHAT");
  }

  static void add_sets(
      CLI::App* sub, std::vector<std::string>& sets,
      const std::string& doc = "Override a value of the scene, as in solver.dx=0.02; may be repeated") {
    sub->add_option("--set", sets, doc)
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false)
        ->check([](const std::string& text) {
          return text.find('=') == std::string::npos ? "'" + shortened(text) + "' has no '='; write KEY=VALUE" : "";
        });
  }

  static CLI::Option* add_quantities(CLI::App* sub, std::vector<std::string>& quantities) {
    return sub
        ->add_option("--add", quantities,
                     "A further column: a quantity, or NAME=QUANTITY, as in von_mises or ke=0.5*mass*speed^2 "
                     "('knead help quantities'); may be repeated")
        ->type_name("QUANTITY")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
  }

  void add_run() {
    RunOptions& run = run_.run;
    auto* sub = command("run", "Simulate a scene", [this] {
      need(run_.run.scene, "run", "a scene file");
      return Command(run_);
    });
    sub->add_option("SCENE", run.scene, "Scene file (TOML), or a scene of 'knead list' by its name");
    sub->add_option("--out", run.out, "Folder for the results (runs/NAME)")->type_name("DIR")->check(not_empty);
    sub->add_option("--frames", run.frames, "Simulate this many frames after the first")
        ->check(whole_number(1, most_frames))
        ->type_name("N");
    add_threads(sub, run.threads);
    add_sets(sub, run.sets);
    auto* resume = sub->add_flag("--resume", run.resume, "Resume from the last checkpoint in the folder");
    auto* from =
        sub->add_option("--from", run.from_frame, "Resume from the checkpoint of this frame, dropping later frames")
            ->check(whole_number(0, most_frames))
            ->type_name("FRAME");
    auto* force =
        sub->add_flag("--force", run.force, "Replace the results in the folder, even of another scene or a longer run");
    sub->add_flag("--force-scene", run.force_scene, "Resume although the scene has changed since");
    sub->add_flag("--strict", run.strict, "Treat warnings about the scene as errors");
    sub->add_flag("--film", run_.film, "Render DIR/film.mp4 afterwards");
    sub->add_flag("--judge", run_.judge, "Exit with code 5 if an [[expect]] of the scene is not met");
    resume->excludes(from)->excludes(force);
    from->excludes(force);
    auto* quiet = sub->add_flag("-q,--quiet", run_.show.quiet, "Only errors");
    sub->add_flag("-v,--verbose", run_.show.verbose, "Also report each step")->excludes(quiet);
    sub->add_flag("--json", run_.show.json, "Progress and results on stdout, one JSON object per line");
  }

  void add_check() {
    auto* sub = command("check", "Check a scene and report what a run would cost", [this] {
      need(check_.scene, "check", "a scene file");
      return Command(check_);
    });
    sub->add_option("SCENE", check_.scene, "Scene file (TOML), or a scene of 'knead list' by its name");
    add_sets(sub, check_.sets);
    add_threads(sub, check_.threads);
    sub->add_flag("--strict", check_.strict, "Treat warnings about the scene as errors");
    sub->add_flag("--json", check_.json, "One JSON object");
  }

  void add_list() {
    auto* sub = command("list", "List scenes, materials, solvers, shapes, quantities, exporters and surface formats",
                        [this] { return Command(list_); });
    sub->add_option("WHAT", list_.what,
                    "Only these: scenes, materials, solvers, shapes, quantities, exporters or surfaces")
        ->type_name("");
    sub->add_option("--scenes", list_.folder, "Folder to look for scenes in (those that come with Knead)")
        ->type_name("DIR")
        ->check(not_empty);
    sub->add_flag("--all", list_.all, "Also the scenes of 'knead validate'");
    sub->add_flag("--json", list_.json, "One JSON object per line");
  }

  void add_help() {
    auto* sub = command("help", "Reference of scene files, by topic", [this] { return Command(help_); });
    sub->add_option(
        "TOPIC", help_.topic,
        "scene, solver, materials, shapes, body, collider, …, a key such as young or solver.dx, or a command");
    sub->add_flag("--markdown", help_.markdown, "The whole reference as one page");
    command("schema", "JSON Schema of scene files, for editors", [] { return Command(SchemaCommand{}); });
  }

  void add_view() {
    ViewOptions& view = view_.view;
    RunOptions& run = view.run;
    auto* sub = command("view", "Watch a finished or ongoing run in the browser, or simulate a scene there", [this] {
      need(view_.target, "view", "a run folder or a scene file");
      return Command(view_);
    });
    sub->add_option("DIR|SCENE", view_.target, "Run folder to watch, or scene file to simulate and steer");
    sub->add_option("--beside", view.beside, "Another run folder, shown beside it with the same camera and time")
        ->check(not_empty)
        ->type_name("DIR");
    sub->add_option("--port", view.port, "Port of the page; 0 for any (8737, or any if that is taken)")
        ->check(whole_number(0, 65535))
        ->type_name("N");
    sub->add_option("--listen", view.listen,
                    "Address to listen at; any other than the default lets other machines connect (127.0.0.1)")
        ->check(not_empty)
        ->type_name("ADDRESS");
    sub->add_option("--out", run.out, "A scene: folder for the results (runs/NAME)")
        ->type_name("DIR")
        ->check(not_empty);
    sub->add_option("--frames", run.frames, "A scene: simulate this many frames after the first")
        ->check(whole_number(1, most_frames))
        ->type_name("N");
    add_sets(sub, run.sets);
    add_threads(sub, run.threads);
    sub->add_flag("--paused", view.paused, "A scene: wait for the page to start it");
    sub->add_flag("--resume", run.resume, "A scene: resume from the last checkpoint in the folder");
    sub->add_flag("--force", run.force, "A scene: replace the results in the folder, even of another scene");
    sub->add_flag("-q,--quiet", view_.quiet, "Only the address, and errors");
  }

  void add_render() {
    auto* sub = command("render", "Pictures and films of a run", [this] {
      need(render_.run, "render", "a run folder");
      if (!frames_.empty()) render_.frames = frame_range(frames_);
      return Command(render_);
    });
    sub->add_option("DIR", render_.run, "Run folder");
    sub->add_option("-o,--out", render_.out, "film.mp4, frame.png or frame.%04d.png (DIR/film.mp4)")
        ->type_name("FILE")
        ->check(not_empty);
    sub->add_option("--frames", frames_, "12, 1:48, 10: or :48 (all)")->type_name("RANGE");
    sub->add_option("--every", render_.every, "Only every N-th frame")
        ->check(whole_number(1, most_frames))
        ->type_name("N");
    sub->add_option("--width", render_.width, "Pixels (the scene's camera)")
        ->check(whole_number(16, 16384))
        ->type_name("N");
    sub->add_option("--height", render_.height, "Pixels (the scene's camera)")
        ->check(whole_number(16, 16384))
        ->type_name("N");
    sub->add_option("--samples", render_.samples, "Rays per pixel (the scene's camera)")
        ->check(whole_number(1, 65536))
        ->type_name("N");
    add_sets(sub, render_.sets,
             "Replace a value of the scene that concerns pictures, as in camera.fov=0.5; may be repeated");
    sub->add_option("--color", render_.color,
                    "body, material, plain or a quantity such as v.x, pressure or J_p (the scene's camera); "
                    "'knead help quantities'")
        ->type_name("BY");
    sub->add_option("--colormap", render_.colormap,
                    "Colours of a quantity: viridis, magma, coolwarm or grey (the scene's camera)")
        ->type_name("NAME");
    sub->add_option("--low", render_.low, "The quantity's value at the low end of the colours (its minimum)")
        ->check(finite)
        ->type_name("VALUE");
    sub->add_option("--high", render_.high, "The quantity's value at the high end of the colours (its maximum)")
        ->check(finite)
        ->type_name("VALUE");
    auto* cracks = sub->add_flag("--cracks", render_.cracks, "Draw bodies with a mesh by their surfaces and cracks");
    auto* skin =
        sub->add_flag("--skin", render_.skin, "Draw bodies by surfaces around their particles")->excludes(cracks);
    add_skin_options(sub, skin, render_.skins);
    sub->add_option("--outside", render_.outside,
                    "With --cracks, paint of the outside of bodies: plain, checker, wood, orange, bread, #rrggbb or a "
                    "PNG file (plain); "
                    "BODY=PAINT for one body, may be repeated")
        ->needs(cracks)
        ->take_all()
        ->expected(1)
        ->type_name("[BODY=]TEXTURE");
    sub->add_option("--inside", render_.inside, "With --cracks, paint of the cracks, in the same way (plain)")
        ->needs(cracks)
        ->take_all()
        ->expected(1)
        ->type_name("[BODY=]TEXTURE");
    add_crack_options(sub, render_.smooth, render_.stretch);
    sub->add_flag("--velocity", render_.velocity, "Draw velocities as arrows (2D)");
    add_threads(sub, render_.threads);
    sub->add_flag("-q,--quiet", render_.quiet, "Only errors");
  }

  void add_export() {
    auto* sub = command("export", "Convert the frames of a run for other programs", [this] {
      need(export_.run, "export", "a run folder");
      if (export_.to.empty()) fail(Exit::usage, "knead export needs --to FORMAT; 'knead list exporters' lists them");
      if (!frames_.empty()) export_.frames = frame_range(frames_);
      return Command(export_);
    });
    sub->add_option("DIR", export_.run, "Run folder");
    sub->add_option("--to", export_.to, "Format; 'knead list exporters' lists them")->type_name("FORMAT");
    sub->add_option("-o,--out", export_.out, "Folder for the files (DIR/FORMAT)")->type_name("DIR")->check(not_empty);
    sub->add_option("--frames", frames_, "12, 1:48, 10: or :48 (all)")->type_name("RANGE");
    add_quantities(sub, export_.quantities);
    sub->add_flag("-q,--quiet", export_.quiet, "Only errors");
  }

  void add_import() {
    auto* sub = command("import", "Houdini's .geo files as a run folder, to view and render", [this] {
      need(import_.from, "import", "a folder of .geo files");
      return Command(import_);
    });
    sub->add_option("FOLDER", import_.from, "Folder with one .geo file per frame, numbered at the end of their names");
    sub->add_option("-o,--out", import_.out, "Run folder to make (runs/FOLDER; of X/geo, runs/X-geo)")
        ->type_name("DIR")
        ->check(not_empty);
    sub->add_option("--fps", import_.fps, "Frames per second (24)")->check(number(1e-3, 1e9))->type_name("N");
    sub->add_option("--size", import_.size, "Size of a particle in metres (the usual distance between them)")
        ->check(number(1e-9, 1e9))
        ->type_name("M");
    sub->add_flag("-q,--quiet", import_.quiet, "Only errors");
  }

  void add_mesh() {
    auto* sub = command("mesh", "Surfaces of a run's bodies, as mesh files", [this] {
      need(mesh_.run, "mesh", "a run folder");
      if (!mesh_.cracks && !mesh_.skin)
        fail(Exit::usage,
             "knead mesh needs --skin, for surfaces around the particles of all bodies, or --cracks, for bodies with a "
             "mesh and their cracks");
      if (!frames_.empty()) mesh_.frames = frame_range(frames_);
      return Command(mesh_);
    });
    sub->add_option("DIR", mesh_.run, "Run folder");
    auto* cracks = sub->add_flag("--cracks", mesh_.cracks, "Surfaces of bodies with a mesh and of their cracks");
    auto* skin = sub->add_flag("--skin", mesh_.skin, "Surfaces around the particles of each body")->excludes(cracks);
    add_skin_options(sub, skin, mesh_.skins);
    add_quantities(sub, mesh_.quantities)->needs(skin);
    sub->add_option("--format", mesh_.format, "obj, ply, vtp or usda (obj)")->type_name("FORMAT");
    sub->add_option("-o,--out", mesh_.out, "Folder for the files (DIR/cracks or DIR/skin)")
        ->type_name("DIR")
        ->check(not_empty);
    sub->add_option("--frames", frames_, "12, 1:48, 10: or :48 (all)")->type_name("RANGE");
    add_crack_options(sub, mesh_.smooth, mesh_.stretch);
    sub->add_flag("--unprojected", mesh_.unprojected,
                  "Smooth by plain averages; the pieces of a body may then overlap");
    add_threads(sub, mesh_.threads);
    sub->add_flag("-q,--quiet", mesh_.quiet, "Only errors");
  }

  void add_stats() {
    auto* sub = command("stats", "Statistics of a run, and its scene's expectations", [this] {
      need(stats_.runs.empty() ? std::filesystem::path() : stats_.runs[0], "stats", "a run folder");
      return Command(stats_);
    });
    sub->add_option("DIR", stats_.runs, "Run folder; with --plot as many as are to be compared");
    sub->add_option("--plot", stats_.plot, "Draw the curves into this PNG or SVG file")
        ->type_name("FILE")
        ->check(not_empty);
    sub->add_option("--x", stats_.x, "Plot against this column (time)")->type_name("NAME")->check(not_empty);
    sub->add_option("--columns", stats_.columns, "Only these columns, separated by commas (energies, when plotting)")
        ->delimiter(',')
        ->type_name("NAMES")
        ->allow_extra_args(false);
    sub->add_flag("--all", stats_.all, "Also columns that are zero throughout");
    sub->add_flag("--json", stats_.json, "One JSON object per line, of all columns");
    sub->add_flag("--judge", stats_.judge, "Exit with code 5 if an [[expect]] of the scene is not met");
  }

  void add_bench() {
    auto* sub = command("bench", "Measure ns per particle per step, by stage", [this] { return Command(bench_); });
    sub->add_option("METHOD", bench_.bench.method,
                    "What to measure: mpm, meshless, liquid, fracture, lcp, or a scene file");
    sub->add_option("--case", bench_.bench.cases, "A case, such as jelly3d, snow3d or composed3d; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    sub->add_option("--particles", bench_.bench.particles, "How many particles")
        ->check(whole_number(1, 1'000'000'000))
        ->type_name("N");
    sub->add_option("--steps", bench_.bench.steps, "Number of steps to time")
        ->check(whole_number(1, 1'000'000))
        ->type_name("N");
    sub->add_option("--runs", bench_.bench.runs, "Number of runs, of which the median counts")
        ->check(whole_number(1, 1000))
        ->type_name("N");
    add_sets(sub, bench_.bench.sets);
    add_threads(sub, bench_.bench.threads);
    sub->add_flag("--json", bench_.json, "One JSON object per line");
  }

  void add_validate() {
    SuiteOptions& suite = validate_.suite;
    auto* sub =
        command("validate", "Compare with closed forms and published figures", [this] { return Command(validate_); });
    sub->add_option(
        "CASE", suite.names,
        "Cases by name or its start, as in b6 or f, or a group: mpm, meshless, liquid, fracture, every (all)");
    sub->add_flag("--list", validate_.list, "Only name the cases");
    sub->add_flag("--quick", suite.quick, "Only the cases that are part of the project's tests");
    sub->add_flag("--control", suite.control, "Give each case its wrong input, which must make it fail");
    sub->add_option("--out", suite.out, "Folder for plots and run folders (none)")->type_name("DIR")->check(not_empty);
    add_threads(sub, suite.threads);
    sub->add_flag("--json", validate_.json, "One JSON object per line");
  }

  void add_material() {
    auto* sub = command("material", "Stresses of a material along a path of deformation gradients", [this] {
      need(material_.material, "material", "a material: a model's name, or SCENE:NAME");
      if (material_.path.empty()) fail(Exit::usage, "knead material needs --path FILE; see 'knead material --help'");
      return Command(material_);
    });
    sub->add_option("MATERIAL", material_.material, "A model or preset ('knead list materials'), or SCENE:NAME");
    sub->add_option("--path", material_.path,
                    "CSV file: a header of t and F11 to F33, one row per state; a stretch may be 'free' of stress; "
                    "without a column with a 3 the point is in plane strain (2D)")
        ->type_name("FILE")
        ->check(not_empty);
    add_sets(sub, material_.sets, "Override a parameter of the material, as in young=1e6; may be repeated");
    sub->add_option("-o,--out", material_.out, "File for the table (stdout)")->type_name("FILE")->check(not_empty);
    sub->add_option("--dx", material_.dx, "Size of a cell in metres, for laws with a fracture energy (1)")
        ->check(number(1e-9, 1e9))
        ->type_name("M");
    sub->add_flag("--float", material_.single, "Compute in float, as runs do by default");
    sub->add_flag("--json", material_.json, "One JSON object per line instead of CSV");
  }

  void add_lcp() {
    auto* sub = command("lcp", "Solve a complementarity problem with the solvers of liquids", [this] {
      need(lcp_.problem, "lcp", "--problem FILE");
      return Command(lcp_);
    });
    sub->add_option(
           "--problem", lcp_.problem,
           "JSON file: {\"matrix\": [[row, column, value], …], \"size\": n, \"b\": […]} or {\"grid\": [nx, ny, nz], "
           "\"b\": […]}, and perhaps \"lower\"; for a grid also \"unknown\", \"open_x\", \"open_y\", \"open_z\"")
        ->type_name("FILE")
        ->check(not_empty);
    sub->add_option("--method", lcp_.method, "multigrid (grids), mprgp (symmetric), pgs (any) (the first that fits)")
        ->check(one_of({"multigrid", "mprgp", "pgs"}))
        ->type_name("NAME");
    sub->add_option("--tolerance", lcp_.tolerance, "Largest |min(w, L_ii (q - l))| (1e-8)")
        ->check(number(1e-15, 1))
        ->type_name("T");
    sub->add_option("--iterations", lcp_.iterations, "Largest number of iterations (10000; 1000000 sweeps of pgs)")
        ->check(whole_number(1, 1'000'000'000))
        ->type_name("N");
    sub->add_option("-o,--out,--output", lcp_.out, "File for q and w = L q + b (none)")
        ->type_name("FILE")
        ->check(not_empty);
    sub->add_flag("--json", lcp_.json, "One JSON object");
  }

  void add_doctor() {
    auto* sub =
        command("doctor", "Report on this machine and build, and what is missing", [this] { return Command(doctor_); });
    sub->add_flag("--json", doctor_.json, "One JSON object");
  }

  // What stands behind "--" is no flag. CLI11 would take it for one where the command has no argument left to fill.
  void take_arguments(const std::vector<std::string>& words) {
    const auto chosen = root_.get_subcommands();
    if (chosen.empty()) return;
    for (const std::string& word : words) {
      const auto open = chosen.front()->get_options(
          [](const CLI::Option* o) { return o->get_positional() && int(o->count()) < o->get_items_expected_max(); });
      if (open.empty()) fail_surplus(word);
      open.front()->add_result(word);
      open.front()->run_callback();
    }
  }

  // "run " for the command that was being parsed, or nothing.
  std::string chosen_name() {
    const auto chosen = root_.get_subcommands();
    return chosen.empty() ? "" : chosen.front()->get_name() + " ";
  }

  [[noreturn]] void fail_surplus(const std::string& word) {
    fail(Exit::usage, "'{}' is one argument too many; see 'knead {}--help'", shortened(word), chosen_name());
  }

  [[noreturn]] void fail_unknown(const std::string& word) {
    const auto chosen = root_.get_subcommands();
    std::vector<std::string> names;
    if (word.starts_with("-")) {
      const std::size_t value = word.find('=');
      const std::string flag = word.substr(0, value < 2 ? word.size() : value);  // "-q=1" comes as "-=1"
      const CLI::App* app = chosen.empty() ? &root_ : chosen.front();
      for (const CLI::Option* option : app->get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
      fail(Exit::usage, "unknown flag '{}'{}; see 'knead {}--help'", shortened(flag), did_you_mean(flag, names),
           chosen_name());
    }
    if (!chosen.empty()) fail_surplus(word);
    for (const CLI::App* app : root_.get_subcommands([](CLI::App*) { return true; })) names.push_back(app->get_name());
    fail(Exit::usage, "unknown command '{}'{}; see 'knead --help'", shortened(word), did_you_mean(word, names));
  }

  // CLI11's message, or a plainer one for the mistakes that it words badly.
  static std::string explained(const CLI::ParseError& error) {
    std::string text = error.what();
    if (const std::size_t at = text.find(" excludes "); at != std::string::npos && error.get_name() == "ExcludesError")
      return text.substr(0, at) + " and " + text.substr(at + 10) + " contradict each other; give one of them";
    if (error.get_name() == "ArgumentMismatch" && text.find(": At Most 1 required") != std::string::npos)
      return text.substr(0, text.find(':')) + " was given more than once";
    if (const std::size_t at = text.find(": 1 required "); at != std::string::npos && text.ends_with(" missing"))
      return text.substr(0, at) + " needs a value";
    // Values of options are judged before, so that what cannot be converted is a flag's.
    if (const std::size_t at = text.find('-'); at != std::string::npos && error.get_name() == "ConversionError")
      return text.substr(at, text.find_first_of(" :", at) - at) + " takes no value";
    return text;
  }

  CLI::App root_{"Knead simulates matter that bends, flows, tears, melts and splashes.", "knead"};
  std::function<Command()> finish_;
  std::string frames_;
  RunCommand run_;
  CheckCommand check_;
  ListCommand list_;
  HelpCommand help_;
  ViewCommand view_;
  RenderCommand render_;
  ExportCommand export_;
  ImportCommand import_;
  MeshCommand mesh_;
  StatsCommand stats_;
  BenchCommand bench_;
  ValidateCommand validate_;
  MaterialCommand material_;
  LcpCommand lcp_;
  DoctorCommand doctor_;
};

}  // namespace

Command parse_command_line(int argc, const char* const* argv) { return CommandLine().parse(argc, argv); }

std::string command_help(const std::string& command) { return CommandLine().help_of(command); }

}  // namespace knead
