#include "validate/drive_point.h"

#include "base/error.h"
#include "material/presets.h"
#include "material/update_point.h"
#include "scene/read.h"

#include <cmath>
#include <memory>

namespace knead {

namespace {

template <class T, int D>
Mat<T, D> part(const Mat3d& a) {
  Mat<T, D> r{};
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r(i, j) = T(a(i, j));
  return r;
}
template <class T, int D>
Mat3d whole(const Mat<T, D>& a, double rest) {
  Mat3d r = Mat3d::identity() * rest;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r(i, j) = double(a(i, j));
  return r;
}

// A point of matter, which answers to one deformation gradient after the other.
class Point {
 public:
  virtual ~Point() = default;
  virtual std::unique_ptr<Point> copy() const = 0;
  // Drives it on by the time dt, s.
  virtual PointResponse drive(const Mat3d& F, double dt) = 0;

  const Mat3d& F() const { return F_; }

 protected:
  Mat3d F_ = Mat3d::identity();
};

template <class Law, class T, int D>
class PointOf final : public Point {
 public:
  PointOf(const Law& law, double dx) : law_(law), history_(law.template initial_history<T>()), dx_(dx) {}

  std::unique_ptr<Point> copy() const override { return std::make_unique<PointOf>(*this); }

  PointResponse drive(const Mat3d& F, double dt) override {
    PointStep<T, D> step;
    step.dt = dt, step.dx = dx_;
    const Mat<T, D> increment = part<T, D>(F * inverse(F_));
    if (dt > 0) step.gradient = (increment - Mat<T, D>::identity()) * T(1 / dt);
    elastic_ = increment * elastic_;
    Sym<T, D> tau{};
    dissipated_ += double(update_stress_and_work(law_, elastic_, history_, tau, step));
    F_ = F;

    PointResponse r;
    r.F = F;
    r.F_elastic = whole(elastic_, 1);
    r.kirchhoff = whole(to_matrix<D>(tau), 0);
    r.cauchy = r.kirchhoff * (1 / determinant(F));
    r.energy = double(law_.energy(svd(elastic_).sigma, history_));
    r.dissipated = dissipated_;
    for (int i = 0; i < Law::history_size; ++i) r.history.push_back(double(history_[i]));
    return r;
  }

 private:
  Law law_;
  Mat<T, D> elastic_ = Mat<T, D>::identity();
  typename Law::template History<T> history_;
  double dx_, dissipated_ = 0;
};

// A x = b for the few free directions, by elimination with pivots.
Vec3d solved(Mat3d A, Vec3d b, int n) {
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
    for (int j = 0; j < n; ++j) std::swap(A(k, j), A(pivot, j));
    std::swap(b[k], b[pivot]);
    for (int i = k + 1; i < n; ++i) {
      const double f = A(i, k) / A(k, k);
      for (int j = k; j < n; ++j) A(i, j) -= f * A(k, j);
      b[i] -= f * b[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= A(i, j) * b[j];
    b[i] /= A(i, i);
  }
  return b;
}

// Newton's iteration for the stretches of the free directions, with slopes from differences, on copies of the point.
Mat3d freed(const Point& point, const PathPoint& wanted, double dt, double stiffness, std::size_t row, bool single) {
  std::vector<int> axes;
  Mat3d F = wanted.F;
  for (int a = 0; a < 3; ++a)
    if (wanted.free[static_cast<std::size_t>(a)]) axes.push_back(a), F(a, a) = point.F()(a, a);
  const int n = static_cast<int>(axes.size());
  const auto stresses = [&](const Mat3d& at) {
    const Mat3d tau = point.copy()->drive(at, dt).kirchhoff;
    Vec3d s{};
    for (int i = 0; i < n; ++i) s[i] = tau(axes[i], axes[i]);
    return s;
  };
  const double small = single ? 1e-3 : 1e-7, enough = (single ? 1e-6 : 1e-13) * stiffness;
  Vec3d stress = stresses(F);
  for (int iteration = 0; iteration < 100; ++iteration) {
    if (length(stress) <= enough) return F;
    Mat3d slopes = Mat3d::zero();
    for (int j = 0; j < n; ++j) {
      Mat3d ahead = F, behind = F;
      ahead(axes[j], axes[j]) += small, behind(axes[j], axes[j]) -= small;
      const Vec3d slope = (stresses(ahead) - stresses(behind)) * (0.5 / small);
      for (int i = 0; i < n; ++i) slopes(i, j) = slope[i];
    }
    const Vec3d change = solved(slopes, stress, n);
    // Shorter where the whole step would not make the stress smaller.
    double share = 1;
    Mat3d next = F;
    Vec3d after = stress;
    for (int halving = 0; halving < 30; ++halving, share /= 2) {
      next = F;
      bool upright = true;
      for (int i = 0; i < n; ++i) next(axes[i], axes[i]) -= share * change[i];
      for (int i = 0; i < n; ++i) upright = upright && next(axes[i], axes[i]) > 0.1 * F(axes[i], axes[i]);
      if (!upright) continue;
      after = stresses(next);
      if (length(after) < length(stress)) break;
    }
    if (!(length(after) < length(stress))) break;  // as small as rounding lets it be
    F = next, stress = after;
  }
  if (!(length(stress) <= 1e4 * enough))
    fail(Exit::numerical, "row {}: no stretch of the free directions takes their stress away; {:.3g} Pa are left",
         row + 1, length(stress));
  return F;
}

template <class Law>
std::unique_ptr<Point> point_of(const Law& law, const DriveOptions& options) {
  if (options.dimension == 2) {
    if (options.single) return std::make_unique<PointOf<Law, float, 2>>(law, options.dx);
    return std::make_unique<PointOf<Law, double, 2>>(law, options.dx);
  }
  if (options.single) return std::make_unique<PointOf<Law, float, 3>>(law, options.dx);
  return std::make_unique<PointOf<Law, double, 3>>(law, options.dx);
}

}  // namespace

// A scene around the material, so that it is read like any other.
Material named_material(const std::string& name, const std::vector<std::string>& sets, int dimension) {
  if (name.find_first_of("\"\\\n") != std::string::npos) fail(Exit::usage, "a material's name has no quotes in it");
  const std::string text = fmt::format(
      "format = 1\n[scene]\ndimension = {}\n[solver]\nmethod = \"mpm\"\ndx = 0.1\n[materials.m]\n{} = \"{}\"\n"
      "[[body]]\nmaterial = \"m\"\nshape = {{ type = \"box\" }}\n",
      dimension, find_preset(name) ? "preset" : "model", name);
  std::vector<std::string> paths;
  for (const std::string& set : sets) paths.push_back("materials.m." + set);
  return read_scene_text(text, "material", ".", paths).materials[0].material;
}

std::vector<PointResponse> drive_point(const Material& material, std::span<const PathPoint> path,
                                       const DriveOptions& options) {
  const std::unique_ptr<Point> point = visit(material, [&](const auto& law) { return point_of(law, options); });
  const double stiffness = visit(material, [](const auto& law) { return double(law.elastic.p_wave_modulus()); });
  std::vector<PointResponse> responses;
  double time = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const PathPoint& wanted = path[i];
    const double dt = i == 0 ? 0 : wanted.time - time;
    time = wanted.time;
    const bool any_free = wanted.free[0] || wanted.free[1] || wanted.free[2];
    const Mat3d F = any_free ? freed(*point, wanted, dt, stiffness, i, options.single) : wanted.F;
    if (!(determinant(F) > 0))
      fail(Exit::bad_input, "row {}: det F is {:.6g}; a deformation of matter has det F > 0", i + 1, determinant(F));
    responses.push_back(point->drive(F, dt));
    responses.back().time = time;
  }
  return responses;
}

}  // namespace knead
