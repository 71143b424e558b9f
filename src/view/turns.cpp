#include "view/turns.h"

#include "base/error.h"

namespace knead {

namespace {

constexpr int rest_of_work = 4;  // so many times as long as it took to make an answer, it is kept

}  // namespace

std::string Turns::take(const std::function<std::string()>& make) {
  struct Asking {
    std::atomic<int>& count;
    ~Asking() { --count; }
  };
  const bool room = ++asking_ <= 2;
  const Asking asking{asking_};
  if (!room) fail(Exit::bad_input, "the viewer is busy with other long answers; ask again");
  const std::lock_guard lock(mutex_);
  return make();
}

std::string Paced::get(const std::string& name, const std::function<std::string()>& make) {
  using Wall = std::chrono::steady_clock;
  {
    const std::lock_guard lock(mutex_);
    if (name == name_ && Wall::now() < due_) return answer_;
  }
  const auto started = Wall::now();
  std::string answer = make();
  const auto now = Wall::now();
  const std::lock_guard lock(mutex_);
  name_ = name, answer_ = answer;
  due_ = now + rest_of_work * (now - started);
  return answer;
}

}  // namespace knead
