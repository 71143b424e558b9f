// The validation suite: problems whose answers nobody here invented. A case measures numbers and holds them against a
// closed form, a published figure or another code's result. Every case can be given a deliberately wrong input, with
// which it must fail: a gate that cannot fail says nothing.
#pragma once

#include "render/plot.h"
#include "validate/measured.h"
#include "validate/scene_runs.h"

#include <span>

namespace knead {

struct Drawing {
  std::string name;  // of its file, without the ending
  PlotWords words;
  std::vector<Series> series;
};

// What a case is given, and where it leaves curves.
struct CaseInput {
  bool wrong = false;  // the case's wrong input instead of the right one
  SceneRuns& scenes;
  std::vector<Drawing>& drawings;
};

struct Case {
  const char* name;     // "b6-discs": letter and number as in docs/validation.md
  const char* title;    // what is computed
  const char* source;   // where the reference is from
  const char* control;  // what its wrong input is
  bool quick;           // part of the project's tests
  std::vector<Measured> (*measure)(const CaseInput&);
  const char* group = "";  // "mpm", "meshless", "liquid", "fracture" or "every"; set by validation_cases()
};

// Of the problems: gravity, m/s^2; Young's modulus where a case asks for no other, Pa; and the usual wrong input.
inline constexpr double g = 9.81, young = 1e6;
inline constexpr const char* stiffer = "Young's modulus 1.2 times too large";

std::span<const Case> material_cases();
std::span<const Case> motion_cases();
std::span<const Case> conservation_cases();
std::span<const Case> rest_cases();
std::span<const Case> plastic_cases();
std::span<const Case> contact_cases();
std::span<const Case> mls_cases();
std::span<const Case> heat_cases();
std::span<const Case> liquid_cases();
std::span<const Case> flow_cases();
std::span<const Case> fracture_cases();
std::span<const Case> crack_cases();
std::span<const Case> every_cases();

// All of them, in order.
std::vector<Case> validation_cases();

}  // namespace knead
