#include "view/command_json.h"

#include "base/json_words.h"
#include "scene/value_text.h"

#include <algorithm>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

constexpr int most_levels = 50;  // of a value

// A value of the page as TOML.
std::string toml_value(const Json& value, int level = 0) {
  if (level > most_levels) fail(Exit::bad_input, "a value nested more than {} levels deep", most_levels);
  if (value.is_string()) return quoted_text(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return number_text(value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + toml_value(item, level + 1);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, inner] : value.items()) {
      text += (text.empty() ? "" : ", ") + key_text(key) + " = " + toml_value(inner, level + 1);
    }
    return "{ " + text + " }";
  }
  fail(Exit::bad_input, "a value must be a number, a text, true, false, or a list or table of these");
}

// {"do": "set", "path": "solver.dx", "value": 0.02}; instead of a value there may be its text, {"toml": "0.02"}.
Edit edit_of(const std::string& name, const Json& json) {
  constexpr std::pair<const char*, Edit::Kind> kinds[] = {
      {"event", Edit::Kind::event}, {"set", Edit::Kind::set}, {"add", Edit::Kind::add}, {"remove", Edit::Kind::remove}};
  const auto* kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.first == name; });
  if (kind == std::end(kinds)) fail(Exit::bad_input, "there is no command '{}'", name);
  Edit edit{kind->second};
  if (edit.kind != Edit::Kind::event) edit.path = json.at("path").get<std::string>();
  if (edit.kind == Edit::Kind::remove) return edit;
  if (json.contains("toml"))
    edit.value = json.at("toml").get<std::string>();
  else
    edit.value = toml_value(json.at(edit.kind == Edit::Kind::event ? "event" : "value"));
  return edit;
}

std::optional<LiveOrder> order_of(const std::string& name) {
  constexpr std::pair<const char*, LiveOrder> orders[] = {
      {"play", LiveOrder::play},         {"pause", LiveOrder::pause},     {"step", LiveOrder::step},
      {"frame", LiveOrder::frame},       {"restart", LiveOrder::restart}, {"afresh", LiveOrder::afresh},
      {"original", LiveOrder::from_file}};
  for (const auto& [known, order] : orders)
    if (name == known) return order;
  return {};
}

}  // namespace

Json obey(LiveRun& live, const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const auto name = json.at("do").get<std::string>();
    if (const auto order = order_of(name)) {
      live.note("from the page: " + name);
      live.order(*order);
      return {{"acts", name_of(Acts::live)}};
    }
    if (name == "pace") {
      live.keep_pace(json.at("speed").get<double>());
      return {{"acts", name_of(Acts::live)}};
    }
    if (name == "points") return {{"file", live.keep_points(json.at("csv").get<std::string>())}};
    if (name == "forget") {
      const bool soon = json.value("what", "") == name_of(Acts::next_frame);
      live.forget(soon ? Acts::next_frame : Acts::after_restart);
      return {{"acts", name_of(Acts::live)}};
    }
    return {{"acts", name_of(live.change(edit_of(name, json)))}};
  } catch (const Json::exception& error) {
    fail(Exit::bad_input, "not a command: {}", json_words(error.what()));
  }
}

}  // namespace knead
