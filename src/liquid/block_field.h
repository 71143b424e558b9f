// A value for every cell of a set of blocks, and one block of zeros behind them that stands for blocks that are not
// there.
#pragma once

#include "base/parallel.h"

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

namespace knead {

template <class T>
void fill_in_parallel(std::vector<T>& all, T value) {
  parallel_chunks(all.size(), 16384, [&](std::size_t begin, std::size_t end) {
    std::fill(all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end), value);
  });
}

template <class T>
class BlockField {
 public:
  void resize(std::size_t blocks) {
    values_.resize(64 * (blocks + 1));
    std::fill(values_.end() - 64, values_.end(), T(0));
  }
  void clear() { std::fill(values_.begin(), values_.end(), T(0)); }
  T* block(std::size_t b) { return values_.data() + 64 * b; }
  const T* block(std::size_t b) const { return values_.data() + 64 * b; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  // Without the zeros.
  std::size_t size() const { return values_.empty() ? 0 : values_.size() - 64; }
  std::size_t bytes() const { return values_.capacity() * sizeof(T); }

 private:
  struct InCacheLines {  // std::allocator promises 16 bytes only
    using value_type = T;
    InCacheLines() = default;
    template <class U>
    struct rebind {
      using other = typename BlockField<U>::InCacheLines;
    };
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64))); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
    bool operator==(const InCacheLines&) const { return true; }
  };
  std::vector<T, InCacheLines> values_;
};

}  // namespace knead
