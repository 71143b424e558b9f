#include "world/particles.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <new>

namespace knead {

namespace {

constexpr std::size_t huge_page = std::size_t(2) << 20;

// Small pieces lie on a cache line, large ones on a huge page, for which the system is asked: columns are read in jumps
// that would miss the translation of addresses otherwise.
std::align_val_t alignment_of(std::size_t size) { return std::align_val_t(size >= 2 * huge_page ? huge_page : 64); }

}  // namespace

void Bytes::Free::operator()(std::byte* p) const { ::operator delete[](p, alignment_of(allocated)); }

void Bytes::resize(std::size_t size) {
  if (size > capacity_) {
    const std::size_t bytes = size + slack;
    std::unique_ptr<std::byte[], Free> grown(static_cast<std::byte*>(::operator new[](bytes, alignment_of(bytes))),
                                             Free{bytes});
#if defined(__linux__)
    if (bytes >= 2 * huge_page) madvise(grown.get(), bytes, MADV_HUGEPAGE);  // a wish: nothing depends on the answer
#endif
    if (size_) std::memcpy(grown.get(), data_.get(), size_);
    data_ = std::move(grown);
    capacity_ = size;
  }
  size_ = size;
}

double Column::value(std::size_t i, int c) const {
  const std::byte* p = data.data() + i * stride() + static_cast<std::size_t>(c) * size_of(scalar);
  auto read = [p]<class T>(T v) {
    std::memcpy(&v, p, sizeof v);
    return static_cast<double>(v);
  };
  switch (scalar) {
    case Scalar::f32:
      return read(float{});
    case Scalar::f64:
      return read(double{});
    case Scalar::i32:
      return read(std::int32_t{});
  }
  return 0;
}

void Particles::resize(std::size_t count) {
  count_ = count;
  for (Column& c : columns_) c.data.resize(count * c.stride());
}

Column& Particles::add(std::string_view name, Scalar scalar, int components, std::string_view unit) {
  if (Column* c = find(name)) return *c;
  Column c{std::string(name), scalar, components, std::string(unit), {}};
  c.data.resize(count_ * c.stride());
  return columns_.emplace_back(std::move(c));
}

Column* Particles::find(std::string_view name) {
  auto it = std::find_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.name == name; });
  return it == columns_.end() ? nullptr : &*it;
}
const Column* Particles::find(std::string_view name) const { return const_cast<Particles*>(this)->find(name); }

Column& Particles::need(std::string_view name) {
  if (Column* c = find(name)) return *c;
  fail(Exit::unexpected, "the particles have no column '{}'", name);
}

}  // namespace knead
