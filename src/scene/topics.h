// The tables of the scene language by name: what can be asked about, in one list made from the tables themselves.
#pragma once

#include "scene/scene.h"

#include <functional>

namespace knead {

// A struct, or a union of structs; exactly one of the two pointers is set.
struct Topic {
  std::string name;     // "solver", "sphere", "shapes"
  std::string heading;  // "[solver]", "[[body]]", "shape type = \"sphere\""
  const Table* table = nullptr;
  const OneOf* one_of = nullptr;
  const OneOf* part_of = nullptr;  // the union that the table is an alternative of
};

// Every table that can be reached from a scene file, in the order of the file.
const std::vector<Topic>& topics();

// A default-constructed object of a table is needed to tell its defaults.
// type_words: "number [m]", "list of vectors [m]", "choice"; default_words: "0.5", "required", or "-" for none.
std::string type_words(const Field&);
std::string default_words(const Field&, void* object);

// Calls f(field, object) for each field of a topic's table, with an object that holds the defaults.
void for_each_field(const Topic&, const std::function<void(const Field&, void* object)>& f);

// "Its radius. Must be > 0 m: a ball needs a size." with choices named.
std::string full_doc(const Field&);

}  // namespace knead
