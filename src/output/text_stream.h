// Text into a file, of which only a little is held in memory: a surface may have millions of lines.
#pragma once

#include "output/whole_file.h"

#include <fmt/compile.h>

#include <iterator>

namespace knead {

class TextStream {
 public:
  explicit TextStream(WholeFile& file) : file_(file) {}

  // `format` is FMT_COMPILE("...").
  template <class Format, class... Args>
  void add(const Format& format, const Args&... args) {
    fmt::format_to(std::back_inserter(text_), format, args...);
    flush_if_full();
  }
  void put(std::string_view text) {
    text_.append(text);
    flush_if_full();
  }
  // Must follow the last of them.
  void flush() {
    file_.write(text_.data(), text_.size());
    text_.clear();
  }

 private:
  void flush_if_full() {
    if (text_.size() > 1 << 16) flush();
  }

  WholeFile& file_;
  fmt::memory_buffer text_;
};

}  // namespace knead
