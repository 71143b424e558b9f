// From the text of a request to the text of its answer: who may ask, and which question leads to which answer.
#pragma once

#include "view/access.h"
#include "view/connections.h"
#include "view/viewer.h"

namespace knead {

class HttpServer {
 public:
  // `beside` is another run to look at, or none. `refused` is told of each request that is not let in.
  HttpServer(Viewer& viewer, Viewer* beside, const Access& access, Connections::Refused refused);
  ~HttpServer();
  // From any thread. The request must be one that examine_request calls whole.
  Answer answer(const std::string& request, const std::string& from);

 private:
  struct Routes;
  std::unique_ptr<Routes> routes_;
};

}  // namespace knead
