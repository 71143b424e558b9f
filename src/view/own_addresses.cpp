#include "view/own_addresses.h"

#include "view/access.h"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>

#include <algorithm>
#include <memory>

namespace knead {

namespace {

bool is_local_to_a_link(const sockaddr& address) {
  return address.sa_family == AF_INET6 &&
         IN6_IS_ADDR_LINKLOCAL(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
}

}  // namespace

std::vector<std::string> own_addresses() {
  ifaddrs* found = nullptr;
  if (getifaddrs(&found) != 0) return {"127.0.0.1"};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> all(found, freeifaddrs);
  std::vector<std::string> addresses;
  for (const ifaddrs* at = all.get(); at; at = at->ifa_next) {
    if (!at->ifa_addr || !(at->ifa_flags & IFF_UP) || is_local_to_a_link(*at->ifa_addr)) continue;
    const bool four = at->ifa_addr->sa_family == AF_INET;
    if (!four && at->ifa_addr->sa_family != AF_INET6) continue;
    char host[NI_MAXHOST];
    const socklen_t size = four ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (getnameinfo(at->ifa_addr, size, host, sizeof host, nullptr, 0, NI_NUMERICHOST) == 0) addresses.push_back(host);
  }
  std::stable_partition(addresses.begin(), addresses.end(), [](const std::string& a) { return is_loopback(a); });
  return addresses;
}

std::vector<std::string> page_addresses(const std::string& address, int port, const std::string& token) {
  std::vector<std::string> hosts{address};
  if (address == "0.0.0.0" || address == "::") hosts = own_addresses();
  if (address == "0.0.0.0") std::erase_if(hosts, [](const std::string& h) { return h.find(':') != std::string::npos; });
  for (std::string& host : hosts) {
    if (host.find(':') != std::string::npos) host = fmt::format("[{}]", host);
    host = fmt::format("http://{}:{}/#token={}", host, port, token);
  }
  return hosts;
}

}  // namespace knead
