#include "world/quantities.h"

#include "base/expression.h"
#include "base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace knead {

namespace {

using Value = std::function<double(std::size_t)>;

struct Part {
  Value value;
  std::string title, unit;
};

bool has_name(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The particles of a world keep the deformation less the identity.
const Column* deformation(const Particles& particles) {
  const Column* F = particles.find("F");
  return F ? F : particles.find(strain_column);
}
double of_identity(const Column& c, int component, int dimension) {
  return c.name == strain_column && component % (dimension + 1) == 0 ? 1 : 0;
}

double determinant_of(const Column& c, std::size_t i, int dimension) {
  const auto e = [&](int k) { return c.value(i, k) + of_identity(c, k, dimension); };
  if (dimension == 2) return determinant(Mat2d{{e(0), e(1), e(2), e(3)}});
  return determinant(Mat3d{{e(0), e(1), e(2), e(3), e(4), e(5), e(6), e(7), e(8)}});
}

// Entries off the diagonal of a symmetric tensor stand for two.
double norm_of(const Column& c, std::size_t i, int dimension) {
  const bool symmetric = c.components == dimension * (dimension + 1) / 2 && c.components != dimension;
  double sum = 0;
  for (int k = 0; k < c.components; ++k) {
    const double e = c.value(i, k);
    sum += (symmetric && k >= dimension ? 2 : 1) * e * e;
  }
  return std::sqrt(sum);
}

bool is_matrix(const Column& c, int dimension) { return c.components == dimension * dimension; }

// Of Cauchy's stress: the mean of the normal stresses, and the norm of what is left without it.
double mean_stress(const Column& tau, double J, std::size_t i, int dimension) {
  double trace = 0;
  for (int a = 0; a < dimension; ++a) trace += tau.value(i, a) / J;
  return trace / dimension;
}
double von_mises_stress(const Column& tau, double J, std::size_t i, int dimension) {
  const double mean = mean_stress(tau, J, i, dimension);
  double sum = 0;
  for (int k = 0; k < tau.components; ++k) {
    const double e = tau.value(i, k) / J - (k < dimension ? mean : 0);
    sum += (k < dimension ? 1 : 2) * e * e;
  }
  return std::sqrt(1.5 * sum);
}

double distance_from_identity(const Column& c, std::size_t i, int dimension) {
  double sum = 0;
  for (int k = 0; k < c.components; ++k) {
    const double e = c.value(i, k) - (k % (dimension + 1) == 0 ? 1 : 0);
    sum += e * e;
  }
  return std::sqrt(sum);
}

// What a name means, or nothing.
std::optional<Part> part_of(const std::string& name, const Particles& p, int dimension, const VolumeRatio& ratio) {
  const Column *F = deformation(p), *tau = p.find("tau"), *v = p.find("v"), *P = p.find("P");
  for (const Column& c : p.columns()) {
    if (c.name[0] == '.' && &c != F) continue;
    const std::vector<std::string> names =
        component_names(&c == F ? std::string("F") : c.name, c.components, dimension);
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) continue;
    const int k = static_cast<int>(at - names.begin());
    const double one = of_identity(c, k, dimension);
    return Part{[&c, k, one](std::size_t i) { return c.value(i, k) + one; }, name, c.unit};
  }
  if (name == "F" && F)
    return Part{[F, dimension](std::size_t i) { return determinant_of(*F, i, dimension); }, "det F", ""};
  if (const Column* c = p.find(name); c && name[0] == 'F' && is_matrix(*c, dimension))
    return Part{[c, dimension](std::size_t i) { return determinant_of(*c, i, dimension); }, "det " + name, ""};
  if (const Column* c = p.find(name))
    return Part{[c, dimension](std::size_t i) { return norm_of(*c, i, dimension); }, "|" + name + "|", c->unit};
  if (name == "speed" && v)
    return Part{[v, dimension](std::size_t i) { return norm_of(*v, i, dimension); }, name, v->unit};
  if (name == "J" && F) return Part{ratio, name, ""};
  if (name == "offset" && P)
    return Part{[P, dimension](std::size_t i) { return distance_from_identity(*P, i, dimension); }, name, ""};
  if (!tau || !F) return {};
  if (name == "pressure")
    return Part{[tau, dimension, ratio](std::size_t i) { return -mean_stress(*tau, ratio(i), i, dimension); }, name,
                "Pa"};
  if (name == "von_mises")
    return Part{[tau, dimension, ratio](std::size_t i) { return von_mises_stress(*tau, ratio(i), i, dimension); }, name,
                "Pa"};
  const std::vector<std::string> entries = symmetric_names(dimension);
  for (std::size_t k = 0; k < entries.size(); ++k)
    if (name == "stress_" + entries[k])
      return Part{[tau, k, ratio](std::size_t i) { return tau->value(i, static_cast<int>(k)) / ratio(i); }, name, "Pa"};
  return {};
}

}  // namespace

VolumeRatio volume_ratio_of(const Scene& scene, const Particles& particles, int dimension, double time) {
  const Column *F = deformation(particles), *body = particles.find("body");
  const auto elastic = [F, dimension](std::size_t i) { return F ? determinant_of(*F, i, dimension) : 1.0; };
  // Without a grid, F is all there is; with it, some laws keep a part of the volume in their histories.
  if (!scene.solver.traits().any_law || !body) return elastic;
  // The materials as the events up to then have left them; a frame shows what is after an event of its time.
  std::vector<Material> materials;
  for (const MaterialEntry& m : scene.materials) materials.push_back(m.material);
  std::vector<int> of_body;
  for (const Body& b : scene.bodies) of_body.push_back(b.material_index);
  for (const Source& s : scene.sources) of_body.push_back(s.material_index);
  for (const Event& e : scene.events_in_order()) {
    if (e.time > time + 1e-9 * std::max(1.0, scene.scene.duration)) break;
    if (e.changed) materials[static_cast<std::size_t>(e.material_index)] = *e.changed;
    if (e.body_index >= 0 && e.material_index >= 0) of_body[static_cast<std::size_t>(e.body_index)] = e.material_index;
  }
  std::vector<std::vector<const Column*>> histories;
  for (const Material& m : materials) {
    std::vector<const Column*>& columns = histories.emplace_back();
    for (const HistoryColumn& h : history_columns_of(m)) columns.push_back(particles.find(h.name));
  }
  return [=, materials = std::move(materials), of_body = std::move(of_body),
          histories = std::move(histories)](std::size_t i) {
    const double b = body->value(i);
    const int material = b >= 0 && b < double(of_body.size()) ? of_body[static_cast<std::size_t>(b)] : -1;
    double J = elastic(i);
    if (material < 0) return J;
    visit(materials[static_cast<std::size_t>(material)], [&](const auto& law) {
      auto h = law.template initial_history<double>();
      int k = 0;
      for (const Column* column : histories[static_cast<std::size_t>(material)]) {
        if (column) h[k] = column->value(i);
        ++k;
      }
      J *= law.flow.template plastic_volume<double>(h);
    });
    return J;
  };
}

std::vector<std::string> quantity_names(const Particles& particles, int dimension) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!has_name(names, name)) names.push_back(name);
  };
  for (const Column& c : particles.columns()) {
    const std::string name = c.name == strain_column ? "F" : c.name;
    if (name[0] == '.') continue;
    add(name);
    for (const std::string& component : component_names(name, c.components, dimension)) add(component);
  }
  std::vector<std::string> derived;
  for (const DerivedQuantity& d : derived_quantities()) derived.push_back(d.name);
  for (const std::string& c : symmetric_names(dimension)) derived.push_back("stress_" + c);
  for (const std::string& name : derived)
    if (part_of(name, particles, dimension, [](std::size_t) { return 1.0; })) add(name);
  return names;
}

Quantity::Quantity(const std::string& text, const Particles& particles, int dimension, const VolumeRatio& ratio) {
  const std::string plain = plain_quantity(text);
  if (auto part = part_of(plain, particles, dimension, ratio)) {
    value_ = std::move(part->value), title = std::move(part->title), unit = std::move(part->unit);
    return;
  }
  const std::vector<std::string> names = quantity_names(particles, dimension);
  const std::vector<std::string> used = names_in_quantity(text, names);
  const Expression expression(parse_expression(plain, used));
  constexpr std::size_t most = 32;
  if (used.size() > most) fail(Exit::bad_input, "'{:.60}' is made of more than {} quantities", text, most);
  std::vector<Value> parts;
  for (const std::string& name : used) parts.push_back(part_of(name, particles, dimension, ratio)->value);
  title = text;
  value_ = [expression, parts = std::move(parts)](std::size_t i) {
    std::array<double, most> values{};
    for (std::size_t k = 0; k < parts.size(); ++k) values[k] = parts[k](i);
    return expression.evaluate(std::span<const double>(values.data(), parts.size()));
  };
}

std::vector<float> values_of(const Quantity& quantity, std::size_t count) {
  std::vector<float> values(count);
  parallel_for(count, 8192, [&](std::size_t i) { values[i] = float(quantity(i)); });
  return values;
}

}  // namespace knead
