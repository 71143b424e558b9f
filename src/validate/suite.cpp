#include "validate/suite.h"

#include "base/error.h"
#include "base/nearest.h"
#include "output/whole_file.h"
#include "render/image.h"

#include <algorithm>
#include <chrono>

namespace knead {

namespace {

void draw(const Drawing& drawing, const std::filesystem::path& folder) {
  Image image(1000, 600);
  const auto canvas = raster_canvas(image);
  plot_series(*canvas, drawing.words, drawing.series);
  write_whole(folder / (drawing.name + ".png"), canvas->bytes());
}

// "b6" names b6-discs but not b61-…: what follows the start must not go on with a digit.
bool names_case(const std::string& asked, const Case& c) {
  const std::string name = c.name;
  if (asked == c.group || asked == name) return true;
  return name.starts_with(asked) && !(std::isdigit(static_cast<unsigned char>(asked.back())) &&
                                      std::isdigit(static_cast<unsigned char>(name[asked.size()])));
}

CaseVerdict judge_case(const Case& c, const SuiteOptions& options, SceneRuns& scenes, std::vector<Drawing>& drawings) {
  CaseVerdict verdict;
  verdict.of = &c;
  const auto start = std::chrono::steady_clock::now();
  try {
    verdict.measured = c.measure({options.control, scenes, drawings});
  } catch (const Failure& failure) {
    if (failure.code != Exit::numerical) throw;  // anything else is no verdict on the method
    verdict.trouble = failure.what();
  }
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  verdict.as_it_should = went_as_it_should(verdict.measured, !verdict.trouble.empty(), options.control);
  return verdict;
}

}  // namespace

std::vector<Case> validation_cases() {
  std::vector<Case> all;
  const auto add = [&](const char* group, std::initializer_list<std::span<const Case>> parts) {
    for (const std::span<const Case> part : parts)
      for (Case c : part) c.group = group, all.push_back(c);
  };
  add("mpm", {material_cases(), motion_cases(), conservation_cases(), rest_cases(), plastic_cases(), contact_cases()});
  add("meshless", {mls_cases(), heat_cases()});
  add("liquid", {liquid_cases(), flow_cases()});
  add("fracture", {fracture_cases(), crack_cases()});
  add("every", {every_cases()});
  // By letter, then by number: b2 before b10.
  const auto place = [](const Case& c) { return std::pair(c.name[0], std::atoi(c.name + 1)); };
  std::stable_sort(all.begin(), all.end(), [&](const Case& a, const Case& b) { return place(a) < place(b); });
  return all;
}

std::vector<Case> chosen_cases(const SuiteOptions& options) {
  const std::vector<Case> all = validation_cases();
  for (const std::string& asked : options.names) {
    if (!asked.empty() && std::any_of(all.begin(), all.end(), [&](const Case& c) { return names_case(asked, c); }))
      continue;
    std::vector<std::string> names;
    for (const Case& c : all) names.push_back(c.name), names.push_back(c.group);
    fail(Exit::usage, "there is no validation case '{:.60}'{}; 'knead validate --list' names them", asked,
         did_you_mean(asked, names));
  }
  std::vector<Case> chosen;
  for (const Case& c : all) {
    const bool named = options.names.empty() || std::any_of(options.names.begin(), options.names.end(),
                                                            [&](const auto& n) { return names_case(n, c); });
    if (named && (c.quick || !options.quick)) chosen.push_back(c);
  }
  return chosen;
}

std::vector<CaseVerdict> run_suite(const std::vector<Case>& cases, const SuiteOptions& options,
                                   const std::function<void(const CaseVerdict&)>& tell) {
  SceneRuns scenes(options.scenes, options.out, options.threads);
  std::vector<CaseVerdict> verdicts;
  for (const Case& c : cases) {
    std::vector<Drawing> drawings;
    verdicts.push_back(judge_case(c, options, scenes, drawings));
    if (options.out) {
      std::filesystem::create_directories(*options.out);
      for (const Drawing& drawing : drawings) draw(drawing, *options.out);
    }
    tell(verdicts.back());
  }
  return verdicts;
}

}  // namespace knead
