#include "run/bench_lcp.h"

#include "base/system.h"

#include "base/error.h"
#include "liquid/lcp.h"

#include <bit>
#include <cmath>
#include <ctime>
#include <random>

namespace knead {
namespace {

// The open share along one axis of a cell, or of the face below it, between walls at 0 and `cells`, both blurred with
// three samples a cell.
double open_cell(int i, int cells) {
  const int inside = std::min(i, cells - 1 - i);
  return inside > 0 ? 1 : inside == 0 ? 8.0 / 9 : inside == -1 ? 1.0 / 9 : 0;
}
double open_face(int i, int cells) {
  const int inside = std::min(i, cells - i);
  return inside > 0 ? 1 : inside == 0 ? 0.5 : 0;
}

}  // namespace

SplashProblem::SplashProblem(int cells) {
  using Layout = BlockLayout<3>;
  const double n = cells, gravity = 0.02, fall = 0.4;  // cells a step
  const auto in_ball = [](const Vec<double, 3>& x, const Vec<double, 3>& centre, double radius) {
    return std::sqrt(dot(x - centre, x - centre)) - radius;
  };
  const Vec<double, 3> ball{0.65 * n, 0.7 * n, 0.5 * n}, sphere{0.5 * n, 0.2 * n, 0.5 * n};
  // Of the open room, the share that the sphere leaves; and how full that is.
  const auto beside_sphere = [&](const Vec<double, 3>& x) {
    return std::clamp(0.5 + in_ball(x, sphere, 0.12 * n) / 2, 0.0, 1.0);
  };
  const auto filled = [&](const Vec<double, 3>& x) {
    const double pool = 0.35 * n - x[1];
    const double column = std::min(0.3 * n - x[0], 0.75 * n - x[1]);
    return std::clamp(0.5 + std::max({pool, column, -in_ball(x, ball, 0.13 * n)}), 0.0, 1.0);
  };
  const auto cell_open = [&](const Vec<int, 3>& i) {
    return open_cell(i[0], cells) * (i[1] >= cells ? 1 : open_cell(i[1], cells)) * open_cell(i[2], cells) *
           beside_sphere({i[0] + 0.5, i[1] + 0.5, i[2] + 0.5});
  };

  std::vector<BlockKey> keys;
  const int last = (cells + 1) / Layout::side;
  for (int x = -1; x <= last; ++x)
    for (int y = -1; y <= last; ++y)
      for (int z = -1; z <= last; ++z) {
        const Vec<double, 3> centre{4 * x + 2.0, 4 * y + 2.0, 4 * z + 2.0};
        const bool near = centre[1] < 0.35 * n + 4 || (centre[0] < 0.3 * n + 4 && centre[1] < 0.75 * n + 4) ||
                          in_ball(centre, ball, 0.13 * n) < 6;
        if (near) keys.push_back(block_key(Vec<int, 3>{x, y, z}));
      }
  blocks.assign_around(keys);
  unknown.assign(blocks.count(), 0);
  for (auto& v : open) v.assign(64 * blocks.count(), 0);
  b.assign(64 * blocks.count(), 0);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-0.02, 0.02);
  std::vector<double> density(64 * blocks.count());
  for (std::size_t k = 0; k < blocks.count(); ++k)
    for (int c = 0; c < 64; ++c) {
      const Vec<int, 3> i = blocks.first_cell(k) + Layout::node_offset(c);
      const std::size_t at = 64 * k + static_cast<std::size_t>(c);
      density[at] = cell_open(i) * filled({i[0] + 0.5, i[1] + 0.5, i[2] + 0.5}) * (1 + noise(random));
      for (int a = 0; a < 3; ++a) {
        double v = 1;
        Vec<double, 3> face{i[0] + 0.5, i[1] + 0.5, i[2] + 0.5};
        face[a] -= 0.5;
        for (int e = 0; e < 3; ++e)
          v *= e == 1 && i[1] >= cells ? 1 : e == a ? open_face(i[e], cells) : open_cell(i[e], cells);
        open[static_cast<std::size_t>(a)][at] = static_cast<float>(v * beside_sphere(face));
      }
    }
  const auto value = [&](const auto& field, const Vec<int, 3>& i) -> double {
    const int k = blocks.find(block_key(Layout::block_of(i)));
    return k < 0 ? 0 : field[64 * static_cast<std::size_t>(k) + static_cast<std::size_t>(Layout::node_index(i))];
  };
  for (std::size_t k = 0; k < blocks.count(); ++k)
    for (int c = 0; c < 64; ++c) {
      const Vec<int, 3> i = blocks.first_cell(k) + Layout::node_offset(c);
      const std::size_t at = 64 * k + static_cast<std::size_t>(c);
      double faces = 0, flow = 0;
      for (int a = 0; a < 3; ++a)
        for (int up = 0; up < 2; ++up) {
          Vec<int, 3> f = i, next = i;
          f[a] += up, next[a] += up ? 1 : -1;
          faces += value(open[static_cast<std::size_t>(a)], f);
          const double speed = a == 1 ? -gravity - (i[1] > 0.5 * n && i[0] > 0.4 * n ? fall : 0) : 0;
          flow += (up ? 1 : -1) * 0.5 * (density[at] + value(density, next)) * speed;
        }
      if (density[at] < 0.01 || faces <= 1e-6) continue;
      unknown[k] |= std::uint64_t(1) << c;
      b[at] = cell_open(i) - density[at] + flow;
    }
  for (const std::uint64_t u : unknown) unknowns += static_cast<std::size_t>(std::popcount(u));
}

std::vector<double> SplashProblem::perturbed(double by) const {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> change(-by, by);
  std::vector<double> result = b;
  for (double& value : result) value += change(random);
  return result;
}

namespace {

struct LcpCase {
  const char* name;
  int cells;
  bool usual;
};
constexpr LcpCase lcp_cases[] = {
    {"splash32", 32, true}, {"splash64", 64, true}, {"splash128", 128, true}, {"splash256", 256, false}};

struct LcpContestant {
  const char* name;
  LcpMethod method;
  Expansion expansion;
};
constexpr LcpContestant contestants[] = {{"Newton multigrid", LcpMethod::multigrid, Expansion::projected},
                                         {"mprgp, MIC(0), projected", LcpMethod::mprgp, Expansion::projected},
                                         {"mprgp, MIC(0), standard", LcpMethod::mprgp, Expansion::standard}};

void measure_lcp(const LcpCase& c, const BenchOptions& options,
                 const std::function<void(const LcpBenchResult&)>& done) {
  constexpr double tolerance = 1e-5, change = 1e-3;
  const SplashProblem problem(c.cells);
  const std::vector<double> later = problem.perturbed(change);
  LcpSolver<3> solver;
  for (const LcpContestant& by : contestants) {
    solver.expansion = by.expansion;
    std::vector<double> cold(problem.b.size()), q;
    for (const bool warm : {false, true}) {
      double best = 0;
      LcpReport report;
      for (int run = 0; run < options.runs.value_or(3); ++run) {
        q = warm ? cold : std::vector<double>(problem.b.size(), 0.0);
        const double start = cpu_seconds();
        solver.prepare(problem.system());
        report = solver.solve(warm ? later : problem.b, {}, q, by.method, tolerance, 5000);
        const double seconds = cpu_seconds() - start;
        best = run == 0 ? seconds : std::min(best, seconds);
      }
      if (!report.converged) fail(Exit::numerical, "{}: {} did not converge", c.name, by.name);
      if (!warm) cold = q;
      const double ns = best / (double(problem.unknowns) * std::max(1, report.iterations)) * 1e9;
      done({c.name, by.name, warm, tolerance, change, problem.unknowns, report.iterations, report.products,
            report.outer, best, ns});
    }
  }
}

}  // namespace

void run_lcp_bench(const BenchOptions& options, const std::function<void(const LcpBenchResult&)>& done) {
  if (!options.sets.empty() || options.particles || options.steps)
    fail(Exit::usage, "--set, --particles and --steps are not for knead bench lcp; --case chooses the size");
  const ThreadLimit limit(options.threads.value_or(1));
  std::vector<std::string> names;
  for (const LcpCase& c : lcp_cases) names.emplace_back(c.name);
  for (const std::string& name : options.cases)
    if (std::find(names.begin(), names.end(), name) == names.end())
      fail(Exit::usage, "no benchmark '{}'; there are {}", name, fmt::join(names, ", "));
  for (const LcpCase& c : lcp_cases) {
    const bool named = std::find(options.cases.begin(), options.cases.end(), c.name) != options.cases.end();
    if (options.cases.empty() ? c.usual : named) measure_lcp(c, options, done);
  }
}

}  // namespace knead
