// CSV: a row a particle, a column a component, numbers that read back to the same bits.
#include "output/components.h"
#include "output/exporter_list.h"

namespace knead {

namespace {

class Csv final : public Exporter {
 public:
  std::string name() const override { return "csv"; }
  std::string doc() const override { return "a table of text with every column; for spreadsheets and scripts"; }

  void write(const Frame& frame, WholeFile& file) const override {
    const std::vector<Column>& columns = frame.particles.columns();
    std::string line;
    for (const Column& c : columns)
      for (const std::string& component : component_names(c, frame.dimension))
        line += (line.empty() ? "" : ",") + component;
    file.write(line + '\n');
    for (std::size_t i = 0; i < frame.particles.count(); ++i) {
      line.clear();
      for (const Column& c : columns)
        for (int k = 0; k < c.components; ++k) {
          if (!line.empty()) line += ',';
          append_number(line, c, i, k);
        }
      file.write(line += '\n');
    }
  }
};

}  // namespace

const Exporter& csv_exporter() {
  static const Csv exporter;
  return exporter;
}

}  // namespace knead
