// One table a struct: the names, units, ranges and meaning of its members, from which the scene reader, the defaults,
// `knead help`, `knead schema` and the reference page are made, so that they cannot drift apart.
//
//   struct Sphere {
//     Vec3d center{};
//     double radius = 0.5;
//     static const Table& table() {
//       static const Table t{"sphere", "A ball; in 2D a disc.",
//                            {field<&Sphere::center>("center", "m", "Its centre."),
//                             field<&Sphere::radius>("radius", "m", "Its radius.").above(0, "a ball needs a size")}};
//       return t;
//     }
//   };
//
// Defaults are those of a default-constructed struct. A member may be: double, int, int64_t, bool, std::string, Vec3d
// (two numbers suffice in 2D), a Formula (a vector whose components may be expressions), Settings, an enum (with
// enum_names), a struct that has a table, a tagged union (has alternatives()), a std::vector of double, std::string,
// Vec3d or one of those structs and unions, or a std::optional of any of these.
#pragma once

#include "base/formula.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace knead {

struct Table;
struct OneOf;

// Keys of the user's choice with their values as TOML text.
struct Settings {
  std::vector<std::pair<std::string, std::string>> entries;
};

enum class Kind { number, integer, boolean, text, vector, choice, table, one_of, formula, settings };

// What can be done with a member of some type, its type forgotten. `value` points at a double, int64_t/int, bool,
// std::string, Vec3d, enum, struct, union, Formula or Settings, according to `kind`.
struct MemberType {
  Kind kind = Kind::number;
  bool list = false;      // std::vector of `kind`
  bool optional = false;  // std::optional of the rest
  bool wide = false;      // kind integer: int64_t instead of int
  std::span<const char* const> choices{};
  const Table& (*table)() = nullptr;
  const OneOf& (*one_of)() = nullptr;
  void* (*value)(void* member) = nullptr;    // null when an optional is empty; the vector itself for a list
  void* (*emplace)(void* member) = nullptr;  // makes an optional's value
  std::size_t (*count)(void* list) = nullptr;
  void* (*append)(void* list) = nullptr;  // a default-constructed item at the end
  void* (*item)(void* list, std::size_t i) = nullptr;
  void (*clear)(void* list) = nullptr;
  int (*get_choice)(const void* value) = nullptr;
  void (*set_choice)(void* value, int) = nullptr;
};

struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;
  std::string why;  // the physical reason, said when a value is refused
};

struct Field {
  std::string name;
  std::string unit;  // SI symbol: "m", "Pa", "kg/m^3", "rad"; empty for a pure number
  std::string doc;
  MemberType type;
  std::function<void*(void*)> at;  // from the struct to the member
  Range range{};
  bool required = false;
  std::vector<std::string> variables{};  // of a formula's expressions

  Field need() && { return required = true, std::move(*this); }
  Field of(std::vector<std::string> names) && { return variables = std::move(names), std::move(*this); }
  Field above(double low, std::string why) && { return limit(low, range.high, true, range.high_open, std::move(why)); }
  Field at_least(double low, std::string why) && {
    return limit(low, range.high, false, range.high_open, std::move(why));
  }
  Field within(double low, double high, std::string why) && { return limit(low, high, false, false, std::move(why)); }
  Field between(double low, double high, std::string why) && { return limit(low, high, true, true, std::move(why)); }

 private:
  Field limit(double low, double high, bool low_open, bool high_open, std::string why) {
    range = {low, high, low_open, high_open, std::move(why)};
    return std::move(*this);
  }
};

struct Table {
  std::string name;
  std::string doc;
  std::vector<Field> fields;
  std::vector<std::string> aliases{};  // other names by which a union's tag may call it ("disc" for "sphere")
};

// A tagged union: a TOML table whose key `tag` ("type", "model") names one of the alternatives.
struct Alternative {
  const Table* table;
  void* (*emplace)(void* one_of);  // makes this alternative the current one, default-constructed
  void* (*get)(void* one_of);      // null unless this alternative is the current one
};
struct OneOf {
  std::string name;
  std::string tag;
  std::string doc;
  std::vector<Alternative> alternatives;
};

// The OneOf of a struct U with a member `std::variant<...> value`, every alternative of which has a table.
template <class U>
OneOf one_of(std::string name, std::string tag, std::string doc) {
  OneOf result{std::move(name), std::move(tag), std::move(doc), {}};
  using Variant = decltype(U::value);
  auto add = [&]<class A>(std::type_identity<A>) {
    result.alternatives.push_back({&A::table(),
                                   [](void* u) -> void* { return &static_cast<U*>(u)->value.template emplace<A>(); },
                                   [](void* u) -> void* { return std::get_if<A>(&static_cast<U*>(u)->value); }});
  };
  [&]<class... A>(std::type_identity<std::variant<A...>>) {
    (add(std::type_identity<A>{}), ...);
  }(std::type_identity<Variant>{});
  return result;
}

namespace table_detail {

template <class T>
concept HasTable = requires {
  T::table();
};
template <class T>
concept HasAlternatives = requires {
  T::alternatives();
};
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;

template <class T>
MemberType member_type() {
  if constexpr (is_optional<T>) {
    MemberType t = member_type<typename T::value_type>();
    t.optional = true;
    t.value = [](void* m) -> void* {
      auto& o = *static_cast<T*>(m);
      return o ? &*o : nullptr;
    };
    t.emplace = [](void* m) -> void* { return &static_cast<T*>(m)->emplace(); };
    return t;
  } else if constexpr (is_vector<T>) {
    MemberType t = member_type<typename T::value_type>();
    t.list = true;
    t.count = [](void* m) { return static_cast<T*>(m)->size(); };
    t.append = [](void* m) -> void* { return &static_cast<T*>(m)->emplace_back(); };
    t.item = [](void* m, std::size_t i) -> void* { return &(*static_cast<T*>(m))[i]; };
    t.clear = [](void* m) { static_cast<T*>(m)->clear(); };
    return t;
  } else {
    MemberType t;
    t.value = [](void* m) { return m; };
    if constexpr (std::is_same_v<T, double>) {
      t.kind = Kind::number;
    } else if constexpr (std::is_same_v<T, bool>) {
      t.kind = Kind::boolean;
    } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, std::int64_t>) {
      t.kind = Kind::integer;
      t.wide = std::is_same_v<T, std::int64_t>;
    } else if constexpr (std::is_same_v<T, std::string>) {
      t.kind = Kind::text;
    } else if constexpr (std::is_same_v<T, Vec3d>) {
      t.kind = Kind::vector;
    } else if constexpr (std::is_same_v<T, Formula>) {
      t.kind = Kind::formula;
    } else if constexpr (std::is_same_v<T, Settings>) {
      t.kind = Kind::settings;
    } else if constexpr (std::is_enum_v<T>) {
      t.kind = Kind::choice;
      t.choices = enum_names(T{});
      t.get_choice = [](const void* v) { return static_cast<int>(*static_cast<const T*>(v)); };
      t.set_choice = [](void* v, int i) { *static_cast<T*>(v) = static_cast<T>(i); };
    } else if constexpr (HasAlternatives<T>) {
      t.kind = Kind::one_of;
      t.one_of = []() -> const OneOf& { return T::alternatives(); };
    } else {
      static_assert(HasTable<T>, "a member of this type cannot stand in a table");
      t.kind = Kind::table;
      t.table = []() -> const Table& { return T::table(); };
    }
    return t;
  }
}

template <class M>
struct MemberPointer;
template <class S, class T>
struct MemberPointer<T S::*> {
  using Struct = S;
  using Type = T;
};

}  // namespace table_detail

// A table's row for a member: field<&Sphere::radius>("radius", "m", "Its radius.").
template <auto member>
Field field(std::string name, std::string unit, std::string doc) {
  using P = table_detail::MemberPointer<decltype(member)>;
  return {std::move(name), std::move(unit), std::move(doc), table_detail::member_type<typename P::Type>(),
          [](void* s) -> void* { return &(static_cast<typename P::Struct*>(s)->*member); }};
}

// The rows of a part that is a member of a larger struct, shown to the user as rows of the larger one.
template <auto part>
std::vector<Field> fields_of_part() {
  using P = table_detail::MemberPointer<decltype(part)>;
  std::vector<Field> fields = P::Type::table().fields;
  for (Field& f : fields)
    f.at = [inner = f.at](void* s) { return inner(&(static_cast<typename P::Struct*>(s)->*part)); };
  return fields;
}

}  // namespace knead
