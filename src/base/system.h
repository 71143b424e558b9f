// What the machine has to give: memory, cores.
#pragma once

#include <cstdint>
#include <string>

namespace knead {

std::uint64_t available_memory();  // bytes that can be taken without swapping
std::uint64_t peak_memory();       // bytes this process has held at most
// s, of all threads together: on a busy machine, what the work itself took.
double cpu_seconds();
std::string bytes_text(double bytes);  // "1.5 GiB"

}  // namespace knead
