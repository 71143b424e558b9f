// The sockets of the viewer. One thread waits for all of them, so that a client may be as slow as it likes, within
// limits; whole requests are answered by a few workers, and a slow reader holds none of these up.
#pragma once

#include "view/request_text.h"

#include <functional>
#include <memory>
#include <string>

namespace knead {

struct ConnectionLimits {
  RequestLimits request;
  std::size_t connections = 128;         // at a time
  double request_seconds = 5;            // from its first byte to its last
  double answer_seconds = 60;            // until the reader has taken all of it
  double idle_seconds = 30;              // between two requests
  std::size_t waiting_bytes = 1u << 30;  // of answers that are not taken yet
};

struct Answer {
  std::string bytes;   // the whole answer
  bool close = false;  // the connection, after it
};

class Connections {
 public:
  // From the workers, several at a time. `from` is the client's address.
  using Answerer = std::function<Answer(const std::string& request, const std::string& from)>;
  using Refused = std::function<void(const std::string& from, const std::string& what, const std::string& why)>;

  // Listens. Fails (file) where the address or the port cannot be had; port 0 is any that is free.
  Connections(const std::string& address, int port, const ConnectionLimits& limits = {});
  ~Connections();
  Connections(const Connections&) = delete;

  int port() const;
  // Until `stop` says so, asked ten times a second and more, and the last answers are made. False where `give_up`,
  // asked with the seconds waited for these, has said so before: workers still use all that answers use, and this, so
  // that nothing of it may be destroyed any more and the program can only end.
  bool serve(const Answerer& answer, const Refused& refused, const std::function<bool()>& stop,
             const std::function<bool(double)>& give_up);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knead
