// Fills structs from a tree of values by their tables: types, units, ranges, choices, unknown and missing keys.
#pragma once

#include "base/table.h"
#include "scene/node.h"

namespace knead {

struct Shape;

class TableReader {
 public:
  TableReader(Mistakes& mistakes, int dimension) : mistakes_(mistakes), dimension_(dimension) {}

  // `path` is how messages call the struct ("body.0.shape"; empty at the root). Keys in `besides` are read elsewhere.
  void read_struct(const Node&, const Table&, void* object, const std::string& path,
                   const std::vector<std::string>& besides = {});
  void read_one_of(const Node&, const OneOf&, void* object, const std::string& path);

 private:
  void read_shape(const Node&, const Alternative&, Shape&, const std::string& path);
  void read_field(const Node&, const Field&, void* object, const std::string& path);
  void read_list(const Node&, const Field&, void* list, const std::string& path);
  void read_value(const Node&, const Field&, void* value, const std::string& path);
  void read_integer(const Node&, const Field&, void* value, const std::string& path);
  void read_vector(const Node&, const Field&, Vec3d& value, const std::string& path);
  void read_formula(const Node&, const Field&, Formula& value, const std::string& path);
  void read_component(const Node&, const Field&, Formula& value, int axis, const std::string& path);
  void read_settings(const Node&, Settings& value, const std::string& path);
  void read_text(const Node&, std::string& value, const std::string& path);
  void read_choice(const Node&, const Field&, void* value, const std::string& path);
  bool read_number(const Node&, const Field&, double& value, const std::string& path);
  void check_flat(const Node&, const Field&, const Vec3d& value, double usual_z, const std::string& path);
  void check_range(const Node&, const Field&, double value, const std::string& path);
  void wrong_type(const Node&, const std::string& path, const std::string& expected);

  Mistakes& mistakes_;
  int dimension_;
};

// "in the open interval (-1, 0.5)", "> 0 m", "from 0 to 1": what a range allows; empty where everything is allowed.
std::string range_words(const Range&, const std::string& unit);

// A text with a unit that a field of this unit accepts ("140 kPa"); empty for pure numbers and rare units.
std::string unit_example(const std::string& unit);

}  // namespace knead
