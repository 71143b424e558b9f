// Particles are columns: named, typed, contiguous arrays. A method adds the columns it needs; caches, viewers and
// exporters treat all columns alike.
#pragma once

#include "base/error.h"
#include "base/mat.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace knead {

enum class Scalar { f32, f64, i32 };

constexpr std::size_t size_of(Scalar s) { return s == Scalar::f64 ? 8 : 4; }

// The shape of an entry as files name it: a scalar (1), a vector (d), a matrix (d x d, row-major) or a symmetric tensor
// (xx yy xy in 2D; xx yy zz xy xz yz in 3D).
template <class V>
struct EntryOf;
template <>
struct EntryOf<float> {
  static constexpr Scalar scalar = Scalar::f32;
  static constexpr int components = 1;
};
template <>
struct EntryOf<double> {
  static constexpr Scalar scalar = Scalar::f64;
  static constexpr int components = 1;
};
template <>
struct EntryOf<std::int32_t> {
  static constexpr Scalar scalar = Scalar::i32;
  static constexpr int components = 1;
};
template <class T, int N>
struct EntryOf<Vec<T, N>> {
  static constexpr Scalar scalar = EntryOf<T>::scalar;
  static constexpr int components = N;
};
template <class T, int N>
struct EntryOf<Mat<T, N>> {
  static constexpr Scalar scalar = EntryOf<T>::scalar;
  static constexpr int components = N * N;
};

// The material point method's column of elastic deformation gradients less the identity: next to 1, floats are too
// coarse for small strains and what a step adds to them. Frames show it as F.
inline constexpr const char* strain_column = ".H";
// The column of what a float cannot hold of the positions x, where small motion and small strains depend on it.
inline constexpr const char* low_column = ".x_low";

// Uninitialised on growth: columns are always written right after they grow, and large ones are costly to clear twice.
class Bytes {
 public:
  Bytes() = default;
  Bytes(const Bytes& o) { *this = o; }
  Bytes(Bytes&& o) noexcept { *this = std::move(o); }
  Bytes& operator=(Bytes&& o) noexcept {
    data_ = std::move(o.data_);
    size_ = std::exchange(o.size_, 0), capacity_ = std::exchange(o.capacity_, 0);
    return *this;
  }
  Bytes& operator=(const Bytes& o) {
    if (this != &o) {
      resize(o.size_);
      if (size_) std::memcpy(data(), o.data(), size_);
    }
    return *this;
  }
  // What may be read, but means nothing, behind the last byte: whole registers are loaded from the last entries.
  static constexpr std::size_t slack = 128;
  // Keeps the contents up to the smaller size; memory is 64-byte aligned, and large pieces lie in huge pages where the
  // system gives them.
  void resize(std::size_t size);
  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    std::size_t allocated;  // bytes
    void operator()(std::byte* p) const;
  };
  std::unique_ptr<std::byte[], Free> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

struct Column {
  std::string name;
  Scalar scalar = Scalar::f32;
  int components = 1;
  std::string unit;  // SI symbol, empty for a pure number
  Bytes data;

  std::size_t stride() const { return size_of(scalar) * static_cast<std::size_t>(components); }
  std::size_t count() const { return data.size() / stride(); }

  template <class V>
  std::span<V> as() {
    check(EntryOf<std::remove_const_t<V>>::scalar, EntryOf<std::remove_const_t<V>>::components);
    return {reinterpret_cast<V*>(data.data()), count()};
  }
  template <class V>
  std::span<const V> as() const {
    check(EntryOf<V>::scalar, EntryOf<V>::components);
    return {reinterpret_cast<const V*>(data.data()), count()};
  }
  // Component c of entry i as a double, whatever the type; for cold code (exporters, pictures, statistics).
  double value(std::size_t i, int c = 0) const;

 private:
  void check(Scalar s, int n) const {
    if (s != scalar || n != components) fail(Exit::unexpected, "column '{}' is of another type", name);
  }
};

class Particles {
 public:
  std::size_t count() const { return count_; }
  void resize(std::size_t count);  // new entries are uninitialised

  // The column of that name, added (uninitialised) if it was not there; a type mismatch is an error.
  template <class V>
  std::span<V> add(std::string_view name, std::string_view unit = "") {
    return add(name, EntryOf<V>::scalar, EntryOf<V>::components, unit).template as<V>();
  }
  Column& add(std::string_view name, Scalar scalar, int components, std::string_view unit = "");
  Column* find(std::string_view name);
  const Column* find(std::string_view name) const;
  // The column's entries; an error if it is missing or of another type.
  template <class V>
  std::span<V> get(std::string_view name) {
    return need(name).template as<V>();
  }
  template <class V>
  std::span<const V> get(std::string_view name) const {
    return const_cast<Particles*>(this)->need(name).template as<V>();
  }
  std::vector<Column>& columns() { return columns_; }
  const std::vector<Column>& columns() const { return columns_; }

 private:
  Column& need(std::string_view name);
  std::size_t count_ = 0;
  std::vector<Column> columns_;
};

// A particle's elastic deformation gradient, from that.
template <class T, int D>
Mat<double, D> deformation_of(const Particles& particles, std::size_t i) {
  return cast<double>(particles.get<Mat<T, D>>(strain_column)[i]) + Mat<double, D>::identity();
}

}  // namespace knead
