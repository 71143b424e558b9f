#include "scene/source_text.h"

#include "base/error.h"
#include "base/utf8.h"
#include "scene/mistakes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace knead {

namespace {

constexpr std::size_t most_bytes = std::size_t(32) << 20;
// Keys of a scene have a few parts; thousands would only exhaust the stack.
constexpr int most_dots = 16;

[[noreturn]] void fail_missing(const std::filesystem::path& path) {
  std::vector<std::string> neighbours;
  std::error_code error;
  for (std::filesystem::directory_iterator it(path.has_parent_path() ? path.parent_path() : ".", error), end;
       !error && it != end && neighbours.size() < 1000; it.increment(error))
    if (it->path().extension() == ".toml") neighbours.push_back(it->path().filename().string());
  fail(Exit::bad_input, "{}: no such file{}", path.string(), did_you_mean(path.filename().string(), neighbours));
}

void check_regular(const std::filesystem::path& path, const struct stat& s) {
  if (S_ISDIR(s.st_mode))
    fail(Exit::bad_input, "{}: this is a folder; a scene is a TOML file inside one", path.string());
  if (!S_ISREG(s.st_mode))
    fail(Exit::bad_input, "{}: not a regular file; a scene is read from a file on disk", path.string());
  if (static_cast<std::size_t>(s.st_size) > most_bytes)
    fail(Exit::resources, "{}: the file has {} bytes; a scene file may have at most {}", path.string(), s.st_size,
         most_bytes);
}

class File {
 public:
  explicit File(const std::filesystem::path& path) : handle(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (handle >= 0) close(handle);
  }
  File(const File&) = delete;
  const int handle;
};

// Walks over TOML text and knows what is open at each point.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  Unclosed walk() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') step();
      } else if (c == '"' || c == '\'') {
        if (Unclosed u = walk_string(c); !u.what.empty()) return u;
      } else {
        count_dots(c);
        if (c == '[' || c == '{') open_.push_back({line_, column_, c == '[' ? "'['" : "'{'"});
        if (c == ']' || c == '}') close(c);
        // A header's bracket that is not closed in its line, and an inline table, end with the line.
        if (c == '\n' && !open_.empty() && open_.back().what == "'{'") return open_.back();
        step();
      }
    }
    return open_.empty() ? Unclosed{} : open_.back();
  }

  // What no parser should be given: keys of very many parts, and brackets that close nothing.
  Unclosed find_problem() {
    walk();
    return problem_;
  }

 private:
  void count_dots(char c) {
    if (std::string_view("\n,=[]{}").find(c) != std::string_view::npos) dots_ = 0;
    if (c == '.' && ++dots_ == most_dots) complain(fmt::format("a key of more than {} parts", most_dots));
  }

  void close(char c) {
    const std::string opener = c == ']' ? "'['" : "'{'";
    if (open_.empty() || open_.back().what != opener)
      return complain(fmt::format("not valid TOML: this '{}' closes no {}", c, opener));
    open_.pop_back();
  }

  void complain(const std::string& what) {
    if (problem_.what.empty()) problem_ = {line_, column_, what};
  }

  Unclosed walk_string(char quote) {
    Unclosed here{line_, column_, "text"};
    const std::string triple(3, quote);
    const bool multi = text_.substr(at_).starts_with(triple);
    for (int i = 0; i < (multi ? 3 : 1); ++i) step();
    while (at_ < text_.size()) {
      if (multi ? text_.substr(at_).starts_with(triple) : text_[at_] == quote) {
        for (int i = 0; i < (multi ? 3 : 1); ++i) step();
        // Up to two quotes may stand before the three that close.
        for (int i = 0; multi && i < 2 && at_ < text_.size() && text_[at_] == quote; ++i) step();
        return {};
      }
      if (!multi && text_[at_] == '\n') return here;
      if (quote == '"' && text_[at_] == '\\') step();
      if (at_ < text_.size()) step();
    }
    return here;
  }

  void step() {
    const auto c = static_cast<unsigned char>(text_[at_++]);
    if (c == '\n')
      ++line_, column_ = 1;
    else if ((c & 0xC0) != 0x80)
      ++column_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;
  int dots_ = 0;
  std::vector<Unclosed> open_;
  Unclosed problem_;
};

}  // namespace

std::string read_source(const std::filesystem::path& path) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) fail_missing(path);
    fail(Exit::file, "{}: cannot be read: {}", path.string().substr(0, 200), std::strerror(errno));
  }
  check_regular(path, s);
  const File file(path);
  if (file.handle < 0 || fstat(file.handle, &s) != 0)
    fail(Exit::file, "{}: cannot be opened: {}", path.string(), std::strerror(errno));
  check_regular(path, s);  // it may have been replaced meanwhile
  std::string text(static_cast<std::size_t>(s.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = read(file.handle, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(Exit::file, "{}: cannot be read: {}", path.string(), std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return text;
}

std::string_view checked_text(std::string_view text, const std::string& name) {
  const auto starts = [&](const char* bytes, std::size_t n) { return text.starts_with(std::string_view(bytes, n)); };
  if (starts("\xFF\xFE", 2) || starts("\xFE\xFF", 2))
    fail(Exit::bad_input, "{}: not UTF-8 but UTF-16 text; save it as UTF-8", name);
  if (starts("\xEF\xBB\xBF", 3)) text.remove_prefix(3);
  int line = 1, column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0)
      fail(Exit::bad_input, "{}:{}:{}: not UTF-8 text: byte 0x{:02X} at offset {}", name, line, column,
           static_cast<unsigned char>(c), at);
    if (c == '\0')
      fail(Exit::bad_input, "{}:{}:{}: not text: a zero byte at offset {}{}", name, line, column, at,
           at == 1 ? " (UTF-16? it must be UTF-8)" : "");
    at += length;
    if (c == '\n')
      ++line, column = 1;
    else
      ++column;
  }
  if (const Unclosed key = Walker(text).find_problem(); !key.what.empty())
    fail(Exit::bad_input, "{}:{}:{}: {}", name, key.line, key.column, key.what);
  return text;
}

Unclosed find_unclosed(std::string_view text) { return Walker(text).walk(); }

}  // namespace knead
