// Who may talk to the viewer: those who know its token, from its own page, by an address that is truly its own.
#pragma once

#include <string>
#include <string_view>

namespace knead {

class Access {
 public:
  // `address` is where the viewer listens. Away from this machine's loopback, any number address and the machine's own
  // name are taken; names that others choose never are, since a page elsewhere may have its name lead here.
  explicit Access(const std::string& address);

  const std::string& token() const { return token_; }
  bool only_here() const { return only_here_; }

  // Why a request with these headers is refused; empty where it is welcome. No Origin is an empty text.
  std::string refuse(std::string_view host, std::string_view origin) const;
  // In a time that does not tell how much of it is right.
  bool knows(std::string_view token) const;

 private:
  std::string token_, own_name_;
  bool only_here_;
};

// True for 127.0.0.1, ::1 and localhost.
bool is_loopback(std::string_view address);

}  // namespace knead
