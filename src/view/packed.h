// What the page takes as arrays: a short description, and then plain numbers.
//
//   8 bytes   "KNEADFR1"
//   4 bytes   n, the length of the description
//   n bytes   the description, JSON, filled with spaces to a multiple of 4
//   then, for each of its "arrays", its numbers, filled with zeros to a multiple of 4 bytes
//
// All numbers are little-endian. docs/view.md has the keys.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace knead {

template <class T>
inline constexpr const char* packed_type = nullptr;
template <>
inline constexpr const char* packed_type<float> = "f32";
template <>
inline constexpr const char* packed_type<std::uint32_t> = "u32";
template <>
inline constexpr const char* packed_type<std::uint16_t> = "u16";
template <>
inline constexpr const char* packed_type<std::uint8_t> = "u8";
template <>
inline constexpr const char* packed_type<std::int8_t> = "i8";

// The arrays in the order of adding: planned first and written once, since they may be large.
class Packed {
 public:
  using Json = nlohmann::ordered_json;

  // `fill` writes rows times components numbers, when joined() is called. `about` has more of what the description
  // says.
  template <class T>
  void add(const std::string& name, std::size_t rows, int components, std::function<void(T*)> fill,
           const Json& about = Json::object()) {
    Json entry{{"name", name}, {"components", components}, {"type", packed_type<T>}, {"rows", rows}};
    entry.update(about);
    arrays_.push_back({std::move(entry), rows * std::size_t(components) * sizeof(T),
                       [fill = std::move(fill)](char* to) { fill(reinterpret_cast<T*>(to)); }});
  }

  std::string joined(Json description) const {
    description["arrays"] = Json::array();
    std::size_t size = 0;
    for (const Planned& p : arrays_) description["arrays"].push_back(p.entry), size += whole(p.bytes);
    std::string text = description.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize(whole(text.size()), ' ');
    const auto length = std::uint32_t(text.size());
    std::string bytes = "KNEADFR1";
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length).append(text);
    std::size_t at = bytes.size();
    bytes.resize(at + size);
    for (const Planned& p : arrays_) {
      p.fill(bytes.data() + at);
      at += whole(p.bytes);
    }
    return bytes;
  }

 private:
  struct Planned {
    Json entry;
    std::size_t bytes;
    std::function<void(char*)> fill;
  };
  static std::size_t whole(std::size_t bytes) { return (bytes + 3) / 4 * 4; }
  std::vector<Planned> arrays_;
};

}  // namespace knead
