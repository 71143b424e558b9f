// This file alone knows cpp-httplib. It parses requests, finds their handlers and writes answers; the sockets are those
// of connections.h, which bound what a client may cost.
#include "view/http_server.h"

#include "base/error.h"
#include "view/page.h"

#include <httplib.h>

#include <charconv>
#include <chrono>
#include <mutex>
#include <nlohmann/json.hpp>

namespace knead {

namespace {

// A request in memory, and the answer to it.
class MemoryStream : public httplib::Stream {
 public:
  MemoryStream(const std::string& request, const std::string& from) : request_(request), from_(from) {}
  bool is_readable() const override { return read_ < request_.size(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, request_.size() - read_);
    request_.copy(to, count, read_);
    read_ += count;
    return ssize_t(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    answer.append(from, size);
    return ssize_t(size);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override { ip = from_, port = 0; }
  void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
  socket_t socket() const override { return -1; }
  std::string answer;

 private:
  const std::string &request_, &from_;
  std::size_t read_ = 0;
};

std::int64_t whole_number(const httplib::Request& request, const char* name, std::int64_t otherwise, std::int64_t low,
                          std::int64_t high) {
  if (!request.has_param(name)) return otherwise;
  const std::string text = request.get_param_value(name);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < low || number > high)
    fail(Exit::bad_input, "{} must be a whole number from {} to {}", name, low, high);
  return number;
}

FrameRequest frame_request(const httplib::Request& request) {
  FrameRequest frame;
  if (request.has_param("color")) frame.color = request.get_param_value("color");
  frame.stride = int(whole_number(request, "stride", 1, 1, 1 << 20));
  frame.skip = int(whole_number(request, "skip", 0, 0, 1 << 20));
  if (request.has_param("place")) frame.place = request.get_param_value("place");
  frame.velocity = whole_number(request, "velocity", 0, 0, 1) == 1;
  frame.compact = whole_number(request, "compact", 0, 0, 1) == 1;
  return frame;
}

SurfaceRequest surface_request(const httplib::Request& request) {
  SurfaceRequest surface;
  if (request.has_param("color")) surface.color = request.get_param_value("color");
  surface.at_rest = whole_number(request, "rest", 0, 0, 1) == 1;
  return surface;
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(
      nlohmann::ordered_json{{"error", why}}.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace),
      "application/json");
}

// So many requests a second on the average, and at once.
class Rate {
 public:
  bool take() {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    left_ = std::min(most, left_ + most * std::chrono::duration<double>(now - counted_).count());
    counted_ = now;
    if (left_ < 1) return false;
    left_ -= 1;
    return true;
  }

 private:
  static constexpr double most = 300;
  std::mutex mutex_;
  double left_ = most;
  std::chrono::steady_clock::time_point counted_ = std::chrono::steady_clock::now();
};

constexpr const char* json_type = "application/json";

}  // namespace

struct HttpServer::Routes : httplib::Server {
  const Access& access;
  Connections::Refused refused;
  Rate known, unknown;  // those who have no token cannot keep out those who have it

  // `make` gives the body, or fails with what is wrong with the question.
  template <class Make>
  Handler answered(const char* type, Make make) {
    return [type, make](const httplib::Request& request, httplib::Response& response) {
      try {
        response.body = make(request);
        if (response.body.empty()) response.status = 204;
        response.set_header("Content-Type", type);
      } catch (const Failure& failure) {
        const bool asked_wrong = failure.code == Exit::bad_input || failure.code == Exit::usage;
        refuse(response, asked_wrong ? 400 : 500, failure.what());
      }
    };
  }

  // False when the request is not let in.
  bool let_in(const httplib::Request& request, httplib::Response& response) {
    std::string why = access.refuse(request.get_header_value("Host"), request.get_header_value("Origin"));
    if (request.get_header_value_count("Host") != 1) why = "no Host";
    int status = 403;
    const std::string token = request.get_header_value("X-Knead-Token");
    const bool knows = why.empty() && access.knows(token);
    if (why.empty() && request.path.starts_with("/api/") && !knows)
      why = token.empty() ? "no token" : "a wrong token", status = 401;
    if (!(knows ? known : unknown).take()) why = "too many requests", status = 429;
    if (why.empty()) return true;
    refused(request.remote_addr, request_name(request.method + " " + request.path), why);
    refuse(response, status, why);
    return false;
  }

  Routes(Viewer& viewer, Viewer* beside, const Access& a, Connections::Refused r) : access(a), refused(std::move(r)) {
    set_default_headers(
        {{"Cache-Control", "no-store"},
         {"X-Content-Type-Options", "nosniff"},
         {"X-Frame-Options", "DENY"},
         {"Referrer-Policy", "no-referrer"},
         {"Cross-Origin-Resource-Policy", "same-origin"},
         {"Content-Security-Policy",
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
          "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}});
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return let_in(request, response) ? HandlerResponse::Unhandled : HandlerResponse::Handled;
    });
    set_exception_handler([](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
      refuse(response, 500, "unexpected");
    });
    Get("/", answered("text/html; charset=utf-8", [](const httplib::Request&) { return std::string(viewer_page()); }));
    add("/api", viewer);
    if (beside) add("/api/beside", *beside);
    Post("/api/command",
         answered(json_type, [&viewer](const httplib::Request& request) { return viewer.command(request.body); }));
  }

  // The questions about one run.
  void add(const std::string& prefix, Viewer& viewer) {
    using Request = httplib::Request;
    Get(prefix + "/scene", answered(json_type, [&](const Request&) { return viewer.scene(); }));
    Get(prefix + "/solids", answered(json_type, [&](const Request&) { return viewer.solids(); }));
    Get(prefix + "/panel", answered(json_type, [&](const Request&) { return viewer.panel(); }));
    Get(prefix + "/forms", answered(json_type, [&](const Request&) { return viewer.forms(); }));
    Get(prefix + "/state", answered(json_type, [&](const Request&) { return viewer.state(); }));
    Get(prefix + "/toml", answered("text/plain; charset=utf-8",
                                   [&](const Request& r) { return viewer.toml(r.get_param_value("of") != "run"); }));
    Get(prefix + "/frame", answered("application/octet-stream", [&](const Request& request) {
          return viewer.frame(request.get_param_value("number"), frame_request(request));
        }));
    Get(prefix + "/file", answered("application/octet-stream", [&](const Request& request) {
          return viewer.frame_file(request.get_param_value("number"));
        }));
    Get(prefix + "/surface", answered("application/octet-stream", [&](const Request& request) {
          return viewer.surface(request.get_param_value("number"), surface_request(request));
        }));
    Get(prefix + "/grid", answered("application/octet-stream", [&](const Request& request) {
          return viewer.grid(request.get_param_value("number"));
        }));
    Get(prefix + "/particle", answered(json_type, [&](const Request& request) {
          return viewer.particle(request.get_param_value("number"),
                                 std::size_t(whole_number(request, "row", 0, 0, INT32_MAX)));
        }));
    Get(prefix + "/history", answered(json_type, [&](const Request& request) {
          return viewer.history(request.get_param_value("number"),
                                std::size_t(whole_number(request, "row", 0, 0, INT32_MAX)),
                                request.get_param_value("of"));
        }));
    Get(prefix + "/stats", answered(json_type, [&](const Request& request) {
          return viewer.stats(std::size_t(whole_number(request, "first", 0, 0, INT32_MAX)));
        }));
    Get(prefix + "/log", answered(json_type, [&](const Request& request) {
          return viewer.log(std::size_t(whole_number(request, "first", 0, 0, INT64_MAX)));
        }));
  }

  Answer answer(const std::string& text, const std::string& from) {
    MemoryStream stream(text, from);
    bool closed = false;
    const bool whole = process_request(stream, false, closed, [](httplib::Request& request) {
      request.headers.erase("Accept-Encoding");  // pressing a frame takes longer than sending it
      // Answers are whole: a thousand ranges would ask for a thousand times as much.
      request.ranges.clear();
      request.headers.erase("Range");
    });
    if (!whole || stream.answer.empty()) return {refusal_text(400, "not a request"), true};
    return {std::move(stream.answer), closed};
  }
};

HttpServer::HttpServer(Viewer& viewer, Viewer* beside, const Access& access, Connections::Refused refused)
    : routes_(std::make_unique<Routes>(viewer, beside, access, std::move(refused))) {}
HttpServer::~HttpServer() = default;
Answer HttpServer::answer(const std::string& request, const std::string& from) {
  return routes_->answer(request, from);
}

}  // namespace knead
