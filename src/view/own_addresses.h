// Addresses of this machine.
#pragma once

#include <string>
#include <vector>

namespace knead {

// As numbers, those that only this machine can open first; without those that hold on one cable only (fe80::…).
std::vector<std::string> own_addresses();

// What to open in a browser where the viewer listens at `address`: http://HOST:PORT/#token=TOKEN. Of 0.0.0.0 and ::,
// which are all of them, one for each.
std::vector<std::string> page_addresses(const std::string& address, int port, const std::string& token);

}  // namespace knead
