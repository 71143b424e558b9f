#include "scene/check_context.h"

#include "scene/quantities.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>

namespace knead {

std::string listed(const std::vector<std::string>& all_names) {
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const std::string& name : all_names)
    if (seen.insert(name).second) names.push_back(name);
  std::string all;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) all += (i ? ", " : "") + names[i];
  return names.size() > most ? fmt::format("{} and {} more", all, names.size() - most) : all;
}

double thinnest(const Shape& shape, int dim) {
  const Bounds b = shape.bounds(dim);
  double least = Bounds::infinity;
  for (int k = 0; k < dim; ++k) least = std::min(least, b.size()[k]);
  if (const auto* shell = std::get_if<Shell>(&shape.value)) least = std::min(least, shell->thickness);
  if (const auto* turned = std::get_if<Transformed>(&shape.value))
    least = std::min(least, turned->scale * thinnest(*turned->of, dim));
  return least;
}

namespace {

// When an expression of time jumps by more than `least`, as far as this many moments tell; none where it is steep only.
std::optional<double> jump_of(const Formula& f, double end, double least) {
  constexpr int moments = 4096, halvings = 40;
  if (f.is_constant()) return {};
  const auto at = [&](double t) { return f.at(std::array{t}); };
  Vec3d last = at(0);
  for (int i = 1; i <= moments; ++i) {
    double low = end * (i - 1) / moments, high = end * i / moments;
    Vec3d a = last, b = last = at(high);
    for (int k = 0; k < halvings && length(b - a) > least; ++k) {
      const double middle = 0.5 * (low + high);
      const Vec3d m = at(middle);
      if (length(m - a) > length(b - m))
        high = middle, b = m;
      else
        low = middle, a = m;
    }
    if (length(b - a) > least) return high;
  }
  return {};
}

}  // namespace

bool CheckContext::prepare_shape(Shape& shape, const std::string& path) {
  if (!mistakes_.sound(path)) return false;
  const std::vector<std::string> problems = shape.check(dim_);
  for (const std::string& p : problems) wrong(path, fmt::format("{}: {}", path, p));
  if (!problems.empty()) return false;
  std::vector<std::string> warnings;
  try {
    shape.prepare(dim_, scene_.folder, &warnings);
  } catch (const Failure& failure) {
    wrong(path, fmt::format("{}: {}", path, failure.what()), failure.code);
    return false;
  }
  for (const std::string& w : warnings) odd(path, fmt::format("{}: {}", path, w));
  return true;
}

void CheckContext::check_motion(const Motion& motion, const std::string& path) {
  if (!mistakes_.sound(path)) return;
  for (const std::string& p : motion.check(dim_)) wrong(path, fmt::format("{}: {}", path, p));
}

void CheckContext::check_jumps(const Motion& motion, const std::string& path) {
  for (const char* sound : {"scene.duration", "scene.fps", "solver.dx"})
    if (!mistakes_.sound(sound)) return;
  if (!mistakes_.sound(path)) return;
  const double end = scene_.frames() / scene_.scene.fps;
  const auto look_at = [&](const Formula& f, const char* name, double least) {
    if (const auto time = jump_of(f, end, least))
      odd(fmt::format("{}.{}", path, name),
          fmt::format("{}.{} jumps at t = {:.4g} s, and matter does not feel a jump of an expression, which has no "
                      "velocity; let it move there in a finite time, as between two keyframes",
                      path, name, *time));
  };
  look_at(motion.translate, "translate", 0.01 * scene_.solver.dx);
  look_at(motion.rotate, "rotate", 0.01);
}

void CheckContext::unknown(const std::string& path, const std::string& name, const std::string& kind,
                           const std::vector<std::string>& names) {
  wrong(path, fmt::format("{} is \"{}\", which is not {} of this scene; it has {}{}", path, name, kind,
                          names.empty() ? "none" : listed(names), did_you_mean(name, names)));
}

void CheckContext::check_quantity(const std::string& path, const std::string& text,
                                  const std::vector<std::string>& also) {
  std::vector<std::string> names = also;
  for (const std::string& name : quantity_names(scene_)) names.push_back(name);
  if (std::find(also.begin(), also.end(), text) != also.end()) return;
  try {
    names_in_quantity(text, names);
  } catch (const Failure& failure) {
    if (!is_name(plain_quantity(text))) return wrong(path, fmt::format("{}: {}", path, failure.what()));
    wrong(path, fmt::format("{} is \"{:.60}\", which is not a quantity of this scene; it has {}{}", path, text,
                            listed(names), meant_quantity(plain_quantity(text), names)));
  }
}

}  // namespace knead
