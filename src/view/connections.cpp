#include "view/connections.h"

#include "base/error.h"
#include "view/own_addresses.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace knead {

namespace {

constexpr int workers = 3;

using SteadyClock = std::chrono::steady_clock;

SteadyClock::time_point after(double seconds) {
  return SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(seconds));
}

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& o) noexcept : number_(std::exchange(o.number_, -1)) {}
  Descriptor& operator=(Descriptor&& o) noexcept { return std::swap(number_, o.number_), *this; }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  operator int() const { return number_; }

 private:
  int number_;
};

struct Connection {
  enum class Phase { reading, working, writing };
  Descriptor socket;
  std::string from;
  Phase phase = Phase::reading;
  std::string request{}, answer{};
  std::size_t sent = 0;
  bool close_after = false;
  SteadyClock::time_point deadline{};
};

std::string text_of(const sockaddr_storage& address, socklen_t size) {
  char host[NI_MAXHOST] = "?";
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, nullptr, 0, NI_NUMERICHOST);
  return host;
}

Descriptor listening_socket(const std::string& address, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_UNSPEC, hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  if (const int error = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found))
    fail(Exit::usage, "--listen {}: {}; give an address of this machine, as in --listen 0.0.0.0", address,
         gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, freeaddrinfo);
  Descriptor made(socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int on = 1;
  setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (made >= 0 && bind(made, found->ai_addr, found->ai_addrlen) == 0 && listen(made, 128) == 0) return made;
  if (errno == EADDRNOTAVAIL)
    fail(Exit::usage, "--listen {}: not an address of this machine, which has {}; 0.0.0.0 listens on all of them",
         address, fmt::join(own_addresses(), ", "));
  fail(Exit::file, "cannot listen at {} port {}: {}; --port names another port", address, port, std::strerror(errno));
}

}  // namespace

struct Connections::State {
  ConnectionLimits limits;
  Descriptor listener, wake{eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
  std::map<std::int64_t, Connection> open;
  std::int64_t next = 0;
  Answerer answer;
  Refused refused;

  // Between the loop and the workers.
  struct Job {
    std::int64_t connection;
    std::string request, from;
  };
  std::mutex mutex;
  std::condition_variable work, ended;
  int working = 0;  // workers
  std::deque<Job> jobs;
  std::vector<std::pair<std::int64_t, Answer>> done;
  bool stopping = false;

  State(const std::string& address, int port, const ConnectionLimits& l)
      : limits(l), listener(listening_socket(address, port)) {}

  void work_on_requests() {
    for (;;) {
      std::unique_lock lock(mutex);
      work.wait(lock, [&] { return stopping || !jobs.empty(); });
      if (stopping) {
        --working;
        ended.notify_all();
        return;
      }
      const Job job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      Answer made;
      try {
        made = answer(job.request, job.from);
      } catch (const std::exception& error) {
        made = {refusal_text(500, error.what()), true};
      }
      lock.lock();
      done.emplace_back(job.connection, std::move(made));
      const std::uint64_t one = 1;
      if (write(wake, &one, sizeof one) < 0) continue;  // it is awake already
    }
  }

  void accept_new() {
    for (;;) {
      sockaddr_storage address{};
      socklen_t size = sizeof address;
      Descriptor made(accept4(listener, reinterpret_cast<sockaddr*>(&address), &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
      if (made < 0) return;
      const std::string from = text_of(address, size);
      if (open.size() >= limits.connections) {
        const std::string text = refusal_text(503, "too many connections");
        if (send(made, text.data(), text.size(), MSG_NOSIGNAL) < 0) continue;
        refused(from, "a connection", "there are too many");
        continue;
      }
      const int on = 1;
      setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      open.emplace(next++,
                   Connection{.socket = std::move(made), .from = from, .deadline = after(limits.request_seconds)});
    }
  }

  void refuse(Connection& c, int status, const std::string& why) {
    refused(c.from, request_name(c.request), why);
    c.answer = refusal_text(status, why);
    c.phase = Connection::Phase::writing, c.close_after = true, c.sent = 0;
    c.deadline = after(limits.request_seconds);
  }

  // What has come is a request, the beginning of one, or refused.
  void consider(std::int64_t number, Connection& c) {
    if (c.request.empty()) return;
    const RequestState state = examine_request(c.request, limits.request);
    if (state.status == 0) return;
    if (state.status != 200) return refuse(c, state.status, state.why);
    std::string one = c.request.substr(0, state.length);
    c.request.erase(0, state.length);
    c.phase = Connection::Phase::working, c.deadline = SteadyClock::time_point::max();
    const std::lock_guard lock(mutex);
    jobs.push_back({number, std::move(one), c.from});
    work.notify_one();
  }

  // False when the connection is over.
  bool read_more(std::int64_t number, Connection& c) {
    char buffer[16384];
    const ssize_t got = recv(c.socket, buffer, sizeof buffer, 0);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (c.request.empty()) c.deadline = after(limits.request_seconds);
    c.request.append(buffer, std::size_t(got));
    consider(number, c);
    return true;
  }

  bool write_more(std::int64_t number, Connection& c) {
    const ssize_t sent = send(c.socket, c.answer.data() + c.sent, c.answer.size() - c.sent, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    c.sent += std::size_t(sent);
    if (c.sent < c.answer.size()) return true;
    if (c.close_after) {
      // What the client still sends must not make the system throw away the answer.
      shutdown(c.socket, SHUT_WR);
      char rest[16384];
      for (int i = 0; i < 64 && recv(c.socket, rest, sizeof rest, 0) > 0; ++i) continue;
      return false;
    }
    std::string().swap(c.answer);
    c.phase = Connection::Phase::reading, c.sent = 0, c.deadline = after(limits.idle_seconds);
    consider(number, c);
    return true;
  }

  void take_answers() {
    std::uint64_t ignored;
    if (read(wake, &ignored, sizeof ignored) < 0 && errno != EAGAIN) return;
    std::vector<std::pair<std::int64_t, Answer>> answers;
    {
      const std::lock_guard lock(mutex);
      answers.swap(done);
    }
    std::size_t waiting = 0;
    for (const auto& [number, c] : open) waiting += c.answer.size() - c.sent;
    for (auto& [number, made] : answers) {
      const auto at = open.find(number);
      if (at == open.end()) continue;  // gone meanwhile
      Connection& c = at->second;
      waiting += made.bytes.size();
      if (waiting > limits.waiting_bytes) {
        waiting -= made.bytes.size();
        refuse(c, 503, "too many unread answers");
      } else {
        c.answer = std::move(made.bytes), c.close_after = made.close, c.sent = 0;
        c.phase = Connection::Phase::writing, c.deadline = after(limits.answer_seconds);
      }
      if (!write_more(number, c)) open.erase(at);
    }
  }

  void close_late() {
    const auto now = SteadyClock::now();
    for (auto at = open.begin(); at != open.end();) {
      Connection& c = at->second;
      if (now < c.deadline) {
        ++at;
        continue;
      }
      if (c.phase == Connection::Phase::reading && !c.request.empty()) {
        refuse(c, 408, "too slow a request");
        if (write_more(at->first, c)) {
          ++at;
          continue;
        }
      } else if (c.phase == Connection::Phase::writing) {
        refused(c.from, "a connection", "too slow a reader");
      }
      at = open.erase(at);
    }
  }

  void attend() {
    std::vector<pollfd> waits{{listener, POLLIN, 0}, {wake, POLLIN, 0}};
    std::vector<std::int64_t> numbers;
    for (const auto& [number, c] : open) {
      const short events = c.phase == Connection::Phase::reading   ? POLLIN
                           : c.phase == Connection::Phase::writing ? POLLOUT
                                                                   : 0;
      waits.push_back({c.socket, events, 0});
      numbers.push_back(number);
    }
    if (poll(waits.data(), waits.size(), 100) < 0) return;
    for (std::size_t i = 2; i < waits.size(); ++i) {
      if (!waits[i].revents) continue;
      const auto at = open.find(numbers[i - 2]);
      Connection& c = at->second;
      const bool gone = (waits[i].revents & (POLLERR | POLLNVAL)) ||
                        ((waits[i].revents & POLLHUP) && c.phase != Connection::Phase::reading);
      const bool goes_on = !gone && (c.phase == Connection::Phase::reading   ? read_more(at->first, c)
                                     : c.phase == Connection::Phase::writing ? write_more(at->first, c)
                                                                             : true);
      if (!goes_on) open.erase(at);
    }
    if (waits[1].revents) take_answers();
    close_late();
    if (waits[0].revents) accept_new();
  }
};

Connections::Connections(const std::string& address, int port, const ConnectionLimits& limits)
    : state_(std::make_unique<State>(address, port, limits)) {}
Connections::~Connections() = default;

int Connections::port() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(state_->listener, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

bool Connections::serve(const Answerer& answer, const Refused& refused, const std::function<bool()>& stop,
                        const std::function<bool(double)>& give_up) {
  State& state = *state_;
  state.answer = answer, state.refused = refused, state.stopping = false;
  // They end however this does.
  struct Workers {
    State& state;
    std::vector<std::thread> threads{};
    explicit Workers(State& s) : state(s) {
      state.working = workers;
      for (int i = 0; i < workers; ++i) threads.emplace_back([&s] { s.work_on_requests(); });
    }
    // Whether all did.
    bool end(const std::function<bool(double)>& given_up) {
      std::unique_lock lock(state.mutex);
      state.stopping = true;
      state.work.notify_all();
      const auto since = SteadyClock::now();
      const auto waited = [&] { return std::chrono::duration<double>(SteadyClock::now() - since).count(); };
      bool all = false;
      do {
        all = state.ended.wait_for(lock, std::chrono::milliseconds(100), [&] { return state.working == 0; });
      } while (!all && !given_up(waited()));
      lock.unlock();
      for (std::thread& t : threads) all ? t.join() : t.detach();
      threads.clear();
      return all;
    }
    ~Workers() {
      if (!threads.empty()) end([](double) { return false; });
    }
  } running(state);
  while (!stop()) state.attend();
  const bool all = running.end(give_up);
  if (all) state.open.clear();
  return all;
}

}  // namespace knead
