#include "output/text_log.h"

#include "base/printable.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace knead {

TextLog::TextLog(const std::filesystem::path& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)) {}

TextLog::~TextLog() {
  if (file_ >= 0) ::close(file_);
}

void TextLog::line(std::string_view text) {
  const std::lock_guard lock(mutex_);
  const std::string whole = printable_message(text) + '\n';
  if (file_ >= 0 && ::write(file_, whole.data(), whole.size()) < 0) ::close(file_), file_ = -1;
}

}  // namespace knead
