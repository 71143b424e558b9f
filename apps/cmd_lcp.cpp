// `knead lcp`: one linear complementarity problem from a file, by the solvers of the liquid.
#include "apps/commands.h"
#include "base/error.h"
#include "base/json_words.h"
#include "liquid/sparse_lcp.h"
#include "output/whole_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace knead {
namespace {

using Json = nlohmann::json;

// A value in a message. One nested deeply would exhaust the stack.
std::string shown(const Json& value) {
  const bool nested = std::any_of(value.begin(), value.end(), [](const Json& item) { return item.is_structured(); });
  return value.is_structured() && nested ? "a list of lists" : value.dump();
}

// What a problem file says, with messages that name the file and the key.
class ProblemFile {
 public:
  explicit ProblemFile(const std::filesystem::path& path) : name_(path.string()) {
    const std::string text = read_whole(path, std::size_t(2) << 30);
    try {
      json_ = Json::parse(text);
    } catch (const Json::exception& error) {
      fail(Exit::bad_input, "{}: not JSON: {}", name_, json_words(error.what()));
    }
    if (!json_.is_object())
      wrong("a problem must be an object, {\"matrix\": …, \"size\": …, \"b\": …} or {\"grid\": …, \"b\": …}");
    const std::vector<std::string> known = {"matrix",  "size",   "b",      "lower", "grid",
                                            "unknown", "open_x", "open_y", "open_z"};
    for (const auto& [key, value] : json_.items())
      if (std::find(known.begin(), known.end(), key) == known.end())
        wrong(fmt::format("there is no '{:.60}'; the keys are {}", key, fmt::join(known, ", ")));
    if (has("matrix") == has("grid")) wrong("a problem has either a 'matrix' or a 'grid'");
  }

  bool has(const char* key) const { return json_.contains(key); }
  [[noreturn]] void wrong(const std::string& what) const { fail(Exit::bad_input, "{}: {}", name_, what); }

  // A list of exactly that many finite numbers; `fallback` where it may be left out and is.
  std::vector<double> numbers(const char* key, std::size_t count, std::optional<double> fallback = {}) const {
    if (!has(key) && fallback) return std::vector<double>(count, *fallback);
    const Json& list = array(key);
    if (list.size() != count) wrong(fmt::format("'{}' has {} numbers; this problem needs {}", key, list.size(), count));
    std::vector<double> values;
    for (const Json& item : list) {
      if (!item.is_number() || !std::isfinite(item.get<double>()))
        wrong(fmt::format("'{}' has {:.40} at place {}; write a finite number", key, shown(item), values.size()));
      values.push_back(item.get<double>());
    }
    return values;
  }

  std::size_t size() const {
    constexpr std::int64_t most = 10'000'000;
    const Json& n = at("size");
    if (!n.is_number_integer() || n.get<std::int64_t>() < 1 || n.get<std::int64_t>() > most)
      wrong(fmt::format("'size' is {:.40}; write how many unknowns there are, 1 to {}", shown(n), most));
    return n.get<std::size_t>();
  }

  SparseMatrix matrix() const {
    const std::size_t n = size();
    std::vector<SparseMatrix::Entry> entries;
    for (const Json& item : array("matrix")) {
      const bool sound = item.is_array() && item.size() == 3 && item[0].is_number_integer() &&
                         item[1].is_number_integer() && item[2].is_number() && item[0] >= 0 && item[1] >= 0 &&
                         item[0] < n && item[1] < n && std::isfinite(item[2].get<double>());
      if (!sound)
        wrong(fmt::format("'matrix' has {:.60} at place {}; write [row, column, value], rows and columns from 0 to {}",
                          shown(item), entries.size(), n - 1));
      entries.push_back({item[0], item[1], item[2]});
    }
    SparseMatrix m(n, std::move(entries));
    for (std::size_t i = 0; i < n; ++i)
      if (!(m.at(i, i) > 0))
        wrong(fmt::format("the matrix has {} at ({}, {}); every entry of the diagonal must be above 0", m.at(i, i), i,
                          i));
    return m;
  }

  CellGrid grid() const {
    std::vector<int> cells;
    double all = 1;
    for (const Json& n : array("grid")) {
      const bool sound = n.is_number_integer() && n >= 1 && n <= 100'000'000;
      cells.push_back(sound ? n.get<int>() : 0);
      all *= cells.back();
    }
    if ((cells.size() != 2 && cells.size() != 3) || !(all >= 1 && all <= 1e8))
      wrong(fmt::format("'grid' is {:.60}; write [nx, ny] or [nx, ny, nz], up to 1e8 cells", shown(at("grid"))));
    CellGrid g(cells);
    g.b = numbers("b", g.count());
    g.lower = numbers("lower", g.count(), 0);
    const std::vector<double> unknown = numbers("unknown", g.count(), 1);
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      if (unknown[i] != 0 && unknown[i] != 1)
        wrong(fmt::format("'unknown' has {} at place {}; write 0 or 1", unknown[i], i));
      g.unknown[i] = unknown[i] != 0;
    }
    const char* const names[] = {"open_x", "open_y", "open_z"};
    for (std::size_t a = 0; a < cells.size(); ++a) {
      const std::vector<double> open = numbers(names[a], g.open[a].size(), 1);
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (!(open[i] >= 0 && open[i] <= 1))
          wrong(fmt::format("'{}' has {} at place {}; an open share is from 0 to 1", names[a], open[i], i));
        g.open[a][i] = static_cast<float>(open[i]);
      }
    }
    if (cells.size() == 2 && has("open_z")) wrong("'open_z' is for a grid of three axes");
    return g;
  }

 private:
  const Json& at(const char* key) const {
    if (!has(key)) wrong(fmt::format("'{}' is missing", key));
    return json_[key];
  }
  const Json& array(const char* key) const {
    const Json& list = at(key);
    if (!list.is_array()) wrong(fmt::format("'{}' is not a list", key));
    return list;
  }

  std::string name_;
  Json json_;
};

}  // namespace

int run_command(const LcpCommand& command) {
  const ProblemFile file(command.problem);
  const int sweeps = command.iterations.value_or(1'000'000), iterations = command.iterations.value_or(10'000);
  std::string method = command.method;
  std::vector<double> b, lower, q;
  LcpReport report;
  std::optional<SparseMatrix> matrix;
  if (file.has("grid")) {
    CellGrid grid = file.grid();
    if (method.empty()) method = "multigrid";
    q.assign(grid.count(), 0.0);
    matrix = grid.matrix();
    for (std::size_t i = 0; i < grid.count(); ++i)
      if (!grid.unknown[i]) grid.b[i] = grid.lower[i] = 0;
    if (method == "pgs")
      report = solve_by_gauss_seidel(*matrix, grid.b, grid.lower, q, command.tolerance, sweeps);
    else
      report =
          grid.solve(method == "mprgp" ? LcpMethod::mprgp : LcpMethod::multigrid, q, command.tolerance, iterations);
    b = grid.b, lower = grid.lower;
  } else {
    matrix = file.matrix();
    b = file.numbers("b", matrix->size()), lower = file.numbers("lower", matrix->size(), 0);
    const auto unlike = matrix->unsymmetric();
    if (method.empty()) method = unlike ? "pgs" : "mprgp";
    if (method == "multigrid") file.wrong("--method multigrid is for a 'grid'; use mprgp or pgs for a matrix");
    if (method == "mprgp" && unlike)
      file.wrong(fmt::format(
          "the matrix is not symmetric, which mprgp needs: {} at ({}, {}), {} at ({}, {}); use --method pgs",
          matrix->at(unlike->first, unlike->second), unlike->first, unlike->second,
          matrix->at(unlike->second, unlike->first), unlike->second, unlike->first));
    q.assign(matrix->size(), 0.0);
    report = method == "pgs"
                 ? solve_by_gauss_seidel(*matrix, b, lower, q, command.tolerance, sweeps)
                 : solve_by_mprgp(*matrix, b, lower, q, Expansion::projected, command.tolerance, iterations);
  }
  if (report.infeasible)
    fail(Exit::numerical,
         "{}: no answer: {} enclosed cells contain more than they have room for (the sum of 'b' over them is negative)",
         command.problem.string(), report.infeasible);
  // No solver judges its own answer.
  report.residual = residual(*matrix, b, lower, q);
  report.converged = report.converged && report.residual <= command.tolerance;
  if (!std::isfinite(report.residual))
    fail(Exit::numerical,
         "{}: no answer: the iterates grow without bound. The problem has no solution, or {} does not find it; a "
         "matrix whose symmetric part is positive definite always has one",
         command.problem.string(), method);
  if (!report.converged)
    fail(
        Exit::numerical,
        "{}: not solved: the residual is {:.3g} after {} iterations, above {:.3g}; raise --iterations or --tolerance{}",
        command.problem.string(), report.residual, report.iterations, command.tolerance,
        method == "pgs" ? ", or use another --method" : "");
  if (command.json)
    fmt::print(
        "{{\"method\": \"{}\", \"iterations\": {}, \"products\": {}, \"rounds\": {}, \"residual\": {}, \"converged\": "
        "{}, "
        "\"infeasible\": {}}}\n",
        method, report.iterations, report.products, report.outer, Json(report.residual).dump(), report.converged,
        report.infeasible);
  else
    fmt::print("{}: {} iterations, {} products{}, residual {:.3g}\n", method, report.iterations, report.products,
               report.outer ? fmt::format(", {} rounds", report.outer) : "", report.residual);
  if (!command.out.empty()) {
    std::vector<double> w(q.size());
    matrix->multiply(q, w);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] += b[i];
    write_whole(command.out, Json{{"q", q}, {"w", w}}.dump() + "\n");
  }
  return 0;
}

}  // namespace knead
