// Before anything else runs: a processor that lacks the instructions which all of this program is compiled for is told
// so, in place of an illegal instruction somewhere. Compiled for any processor (apps/CMakeLists.txt), and called before
// the libraries are started.
#if defined(__x86_64__)
#include <unistd.h>

#include <cstring>

namespace {

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // there is nobody else to tell
}

void check_processor(int, char**, char**) {
  __builtin_cpu_init();
#if !defined(__clang_analyzer__)  // clang-tidy of version 14 knows no such names
  if (__builtin_cpu_supports(KNEAD_LEAST_PROCESSOR)) return;
#endif
  say("knead: error: this program needs a processor with the instructions of " KNEAD_LEAST_PROCESSOR
      ", which this one lacks; ");
  say(std::strcmp(KNEAD_LEAST_PROCESSOR, "x86-64-v2") == 0
          ? "there is no version for this processor\n"
          : "build it here, or use one built for all levels (cmake -DKNEAD_LEVELS=\"plain;avx2;avx512\")\n");
  _exit(7);
}

// Called before the constructors of all libraries.
__attribute__((section(".preinit_array"), used)) void (*check)(int, char**, char**) = check_processor;

}  // namespace
#endif
