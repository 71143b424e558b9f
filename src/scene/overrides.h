// --set path=value: changes to a scene from the command line, applied to the tree before it is read.
#pragma once

#include "scene/node.h"

namespace knead {

// `set` is "solver.dx=0.01", "body.0.velocity=[1, 0, 0]" or "body.ball.velocity=...". The value is TOML; anything else
// that is not quoted or bracketed is a text. A path that leads nowhere is a Failure that names the flag.
void apply_override(Node& root, const std::string& set);

// Fails (usage) where a change is of more than pictures show: the camera, the scene's name, and the colours, opacity
// and visibility of things.
void check_of_pictures(const std::string& set);

// The same with path and value apart, for changes that come from elsewhere: `flag` is what messages call them, or empty
// where the scene's name will do.
void put_value(Node& root, const std::string& path, const std::string& value, const std::string& flag);
// The value behind the last item of the list at a path; a list that is not there yet is made.
void add_item(Node& root, const std::string& path, const std::string& value, const std::string& flag);
// Takes a value, or an item of a list, away, so that its default holds. What is not there stays so.
void take_away(Node& root, const std::string& path, const std::string& flag);

// A scene may hold sets of values by name, [qualities.NAME], whose keys are paths as for --set in quotes; the key
// `quality`, in the file or by --set, picks one. What --set says besides has the last word.
void apply_quality(Node& root, const std::string& name, const std::vector<std::string>& sets);

}  // namespace knead
