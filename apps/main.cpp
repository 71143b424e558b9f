// The program: reads the arguments, runs the command, and turns every failure into one message on stderr and an exit
// code.
#include "apps/command_line.h"
#include "apps/commands.h"
#include "apps/print.h"
#include "base/error.h"
#include "base/printable.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace knead {
namespace {

static_assert(std::string_view(program_version) == KNEAD_VERSION, "CMakeLists.txt and run/run.h name unlike versions");

// A standard stream that the caller closed would lend its number to the next file opened, and messages would end up in
// that file. Writing to a closed stdout must still fail, which /dev/full does.
void open_missing_streams() {
  const char* const stand_ins[] = {"/dev/null", "/dev/full", "/dev/null"};
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) {
      const int got = open(stand_ins[stream], O_RDWR);
      if (got >= 0 && got != stream) {
        dup2(got, stream);
        close(got);
      }
    }
  }
}

// What went wrong with writing to stdout, as an errno; 0 while nothing has.
int output_trouble = 0;

// Writes to the stream whose number `cookie` points at. A failure is remembered for stdout and forgotten for stderr,
// and never stops the program in the middle of its work.
ssize_t write_or_remember(void* cookie, const char* data, std::size_t size) {
  const int stream = *static_cast<const int*>(cookie);
  for (std::size_t done = 0; done < size;) {
    const ssize_t written = write(stream, data + done, size - done);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      if (stream == STDOUT_FILENO && !output_trouble) output_trouble = errno;
      break;
    }
  }
  return static_cast<ssize_t>(size);
}

void make_streams_forgiving() {
  static int numbers[] = {STDOUT_FILENO, STDERR_FILENO};
  const cookie_io_functions_t functions{nullptr, write_or_remember, nullptr, nullptr};
  if (FILE* file = fopencookie(&numbers[0], "w", functions)) {
    std::setvbuf(file, nullptr, _IOLBF, 1 << 16);  // a reader sees each line as it comes
    stdout = file;
  }
  if (FILE* file = fopencookie(&numbers[1], "w", functions)) {
    std::setvbuf(file, nullptr, _IONBF, 0);
    stderr = file;
  }
}

int report(Exit code, const char* message) {
  std::fflush(stdout);
  print_message("error", message);
  return static_cast<int>(code);
}

// What a command's stdout is: its result, which must arrive; objects beside a result in files, which must not be lost,
// though a reader may have enough of them; or nothing of weight.
enum class Stdout { result, objects, nothing };

int run_reporting_failures(int argc, char** argv, Stdout& output) {
  try {
    const Command command = parse_command_line(argc, argv);
    if (const RunCommand* run = std::get_if<RunCommand>(&command))
      output = run->show.json ? Stdout::objects : Stdout::nothing;
    return std::visit([](const auto& c) { return run_command(c); }, command);
  } catch (const Failure& failure) {
    return report(failure.code, failure.what());
  } catch (const std::bad_alloc&) {
    return report(Exit::resources, "out of memory; `knead check SCENE` shows how much a scene needs");
  } catch (const std::filesystem::filesystem_error& error) {
    return report(Exit::file, one_line(error.what()).c_str());
  } catch (const std::exception& error) {
    return report(Exit::unexpected, ("unexpected: " + one_line(error.what())).c_str());
  } catch (...) {
    return report(Exit::unexpected, "unexpected error of an unknown kind");
  }
}

}  // namespace
}  // namespace knead

int main(int argc, char** argv) {
  knead::open_missing_streams();
  knead::make_streams_forgiving();
  // A reader that went away and a file that grows beyond `ulimit -f` are failed writes, not the end of a run.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  using knead::Stdout;
  Stdout output = Stdout::result;
  const int code = knead::run_reporting_failures(argc, argv, output);
  std::fflush(stdout);
  if (code != 0 || !knead::output_trouble || output == Stdout::nothing) return code;
  // A reader that went away before the end, as `head` does, needs no message.
  if (knead::output_trouble == EPIPE) return output == Stdout::result ? static_cast<int>(knead::Exit::file) : code;
  return knead::report(knead::Exit::file,
                       (std::string("cannot write to stdout: ") + std::strerror(knead::output_trouble)).c_str());
}
