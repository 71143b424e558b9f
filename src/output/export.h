// Exporters: frames into files of other programs. An exporter is one source file and one line in the list of
// export.cpp.
#pragma once

#include "output/frame_file.h"
#include "output/run_folder.h"
#include "output/whole_file.h"
#include "scene/scene.h"

#include <functional>
#include <optional>
#include <span>

namespace knead {

struct ExportedFile {
  double time = 0;   // s
  std::string name;  // within the folder
};

// A folder and those above it, where they are not there; fails (file) where that cannot be.
void make_folder(const std::filesystem::path& folder);

class Exporter {
 public:
  virtual ~Exporter() = default;
  virtual std::string name() const = 0;  // as in `knead export DIR --to NAME`; also the extension of the files
  virtual std::string doc() const = 0;   // one line
  virtual void write(const Frame& frame, WholeFile& file) const = 0;
  // Writes what lists the files of a sequence, where the format has such a thing.
  virtual void write_index(const std::filesystem::path& folder, const std::vector<ExportedFile>& files) const;
  // The files that an earlier index lists; empty where there is none.
  virtual std::vector<ExportedFile> read_index(const std::filesystem::path& folder) const;
};

std::span<const Exporter* const> exporters();
// The exporter of that name; fails (usage) with the nearest one.
const Exporter& find_exporter(std::string_view name);

// Writes frames one by one into a folder as frame.0001.vtp, …, and keeps the index up to date. A sequence continued by
// a resumed run forgets what an earlier index lists at or after the first frame that it writes.
class ExportSequence {
 public:
  ExportSequence(const Exporter& exporter, std::filesystem::path folder);
  void write(const Frame& frame);

 private:
  const Exporter& exporter_;
  std::filesystem::path folder_;
  std::vector<ExportedFile> files_;
};

struct ExportOptions {
  std::optional<std::int64_t> first, last;  // frame numbers, both included
  std::int64_t every = 1;
  std::function<void(std::size_t done, std::size_t total)> progress;
  std::function<void(const std::string&)> warn;  // told of damaged and lost frames, which are left out
  std::vector<std::string> quantities;           // further columns: a quantity, or NAME=QUANTITY
};

// A quantity, or NAME=QUANTITY; a quantity that is a name is its own. Fails (usage) where there is no name.
struct SaidQuantity {
  std::string name, text;
};
SaidQuantity said_quantity(const std::string& said);

// Gives the frame a column of each, as floats, unless it has it already; returns their names. Fails (usage) where it
// cannot tell one, or where another column has its name.
std::vector<std::string> add_quantities(Frame& frame, const Scene& scene, const std::vector<std::string>& quantities);

// Exports the frames of a run into `out`; returns how many. Fails (bad_input) where there is nothing to export.
std::size_t export_run(const RunFolder& folder, const Exporter& exporter, const std::filesystem::path& out,
                       const ExportOptions& options = {});

// A frame of positions from a Houdini ASCII .geo file, at the file's precision; column x is double.
Frame read_geo(const std::filesystem::path& path, int dimension = 3);

}  // namespace knead
