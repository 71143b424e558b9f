// Runs cases one after the other and says what came of them.
#pragma once

#include "validate/cases.h"

#include <functional>

namespace knead {

struct CaseVerdict {
  const Case* of = nullptr;
  std::vector<Measured> measured;
  std::string trouble;        // why a run gave up, where one did
  double seconds = 0;         // wall time
  bool as_it_should = false;  // see went_as_it_should()
};

struct SuiteOptions {
  std::vector<std::string> names;  // none: all; else a group ("mpm"), a case's name, or the start of some ("b", "b6")
  bool quick = false;              // only those that are part of the tests
  bool control = false;            // with their wrong inputs
  std::filesystem::path scenes;    // the folder scenes/validate
  std::optional<std::filesystem::path> out;
  std::optional<int> threads;
};

// The cases asked for; fails (usage) on a name that none has.
std::vector<Case> chosen_cases(const SuiteOptions&);

// `tell` hears each verdict as it comes; plots go to the folder `out`.
std::vector<CaseVerdict> run_suite(const std::vector<Case>& cases, const SuiteOptions& options,
                                   const std::function<void(const CaseVerdict&)>& tell);

}  // namespace knead
