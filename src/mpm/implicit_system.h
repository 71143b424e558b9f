// The equations of an implicit step on the grid. The unknowns are the node velocities v; what is solved is the minimum
// of the incremental potential (Gast 2015; Wang 2020, Eqs. 3.25-3.26)
//
//   E(v) = sum_i m_i/2 |v_i - a_i|^2 + sum_p [energy of particle p under v],    a_i = v_i^n + dt g
//
// whose gradient is r_i = m_i (v_i - a_i) + dt sum_p Q_p g_i and whose Hessian acts as
//
//   (H u)_i = m_i u_i + dt sum_p dQ_p(dt sum_j u_j g_j^T) g_i:   one gather, one stress differential and one scatter a
//   particle. No matrix is ever made. Friction adds its potential at the nodes that it acts on. Cells of meshes add
//   theirs through the ways that their corners go, u_p = dt sum_i w_ip v_i (implicit_mesh.h).
#pragma once

#include "base/pack.h"
#include "base/svd.h"
#include "mpm/columns.h"
#include "mpm/implicit_boundary.h"
#include "mpm/implicit_gradient.h"
#include "mpm/implicit_mesh.h"
#include "mpm/implicit_response.h"
#include "mpm/symmetry.h"

#include <span>

namespace knead {

// A vector for every node of the grid, in the grid's order.
template <class T, int D>
using NodeField = std::vector<Node<T, D>>;

// What implicit steps keep from step to step so as not to allocate.
template <class T, int D>
struct ImplicitScratch {
  static constexpr int width = PointBatch<D>::width;
  using Histories = std::array<std::span<const T>, PointBatch<D>::max_history>;
  struct alignas(64) Tangents {
    T e[Tangent<T, D>::size][width];
  };

  NodeField<double, D> target;                 // a_i, and the mass; zero mass where a node takes no part
  NodeField<double, D> v, trial;               // m/s
  NodeField<double, D> internal;               // kg m/s: dt sum_p Q_p g_i
  NodeField<T, D> residual, dv, z, p, Hp;      // of the conjugate gradient
  NodeField<T, D> inverse[2];                  // of the diagonal blocks: diagonal entries, the others
  std::vector<std::vector<HeldNode<D>>> held;  // by block
  std::vector<Tangents> tangents;
  std::vector<int> first_tangents;  // of each home block
  std::vector<std::uint8_t> idle;   // chunks of particles that all sleep, while a mesh bears the stress
  ImplicitMesh<T, D> mesh;
  std::vector<Histories> histories;  // of each batch
  std::vector<double> partial, partial_flattest;

  std::size_t bytes() const {
    return (target.size() + v.size() + trial.size() + internal.size()) * sizeof(Node<double, D>) +
           7 * residual.size() * sizeof(Node<T, D>) + tangents.size() * sizeof(Tangents) + mesh.bytes();
  }
};

// What a velocity field means for the particles.
struct Potential {
  double energy;    // J
  double flattest;  // smallest det F among those that must keep it positive
  bool sound() const { return std::isfinite(energy) && flattest > 0; }
};

// degree is the kernel's.
template <class T, int D, int degree>
class ImplicitSystem {
 public:
  using Scratch = ImplicitScratch<T, D>;
  static constexpr int nodes = BlockLayout<D>::nodes, width = Scratch::width;

  // `batches` holds the material of each batch. The grid's nodes hold velocities and masses; those below `min_mass`
  // take no part. `mls` says what stands for the gradient of the weights.
  ImplicitSystem(Scratch& scratch, Columns<T, D>& particles, const BlockSort<D>& sort, BlockGrid<T, D>& grid,
                 std::span<const Material* const> batches, bool mls, double dx, double dt,
                 std::span<const Mirror> mirrors = {})
      : s(scratch),
        p_(particles),
        sort_(sort),
        grid_(grid),
        batches_(batches),
        mirrors_(mirrors),
        mls_(mls),
        inverse_dx_(1 / dx),
        dt_(dt) {
    for (auto* field : {&s.target, &s.v, &s.trial, &s.internal}) field->resize(grid.nodes.size());
    for (auto* field : {&s.residual, &s.dv, &s.z, &s.p, &s.Hp, &s.inverse[0], &s.inverse[1]})
      field->resize(grid.nodes.size());
    s.first_tangents.resize(sort.keys().size());
    int count = 0;
    for (int home = 0; home < sort.blocks(); ++home) {
      s.first_tangents[static_cast<std::size_t>(home)] = count;
      for (const Segment& segment : sort.segments(home)) count += (segment.end - segment.begin + width - 1) / width;
    }
    if (s.tangents.size() < static_cast<std::size_t>(count)) s.tangents.resize(static_cast<std::size_t>(count));
    find_idle(static_cast<std::size_t>(count));
  }

  std::size_t blocks() const { return grid_.blocks(); }
  double dt() const { return dt_; }

  // Energy, impulses (into `internal`) and tangents at v, which is completed behind mirrors.
  Potential evaluate(NodeField<double, D>& v, double share = 1) {
    reflect(v);
    clear(s.internal);
    s.partial.assign(sort_.keys().size(), 0.0);
    s.partial_flattest.assign(sort_.keys().size(), 1.0);
    grid_.for_each_home_by_colour([&](int home) {
      Arena<double, D, degree> in, out;
      in.take_from(v, grid_.neighbours(home));
      out.clear();
      double energy = 0, flattest = 1;
      for_each_chunk(home, [&](int at, int count, int batch, typename Scratch::Tangents& tangents) {
        PointBatch<D> b;
        load(at, count, batch, b);
        Stencil<double, D, degree> stencils[width];
        find_stencils(home, at, count, stencils);
        for (int k = 0; k < width; ++k)
          put(k >= count      ? column(b.G, 0)
              : sleeps(at, k) ? Mat<double, D>::zero()
                              : gather_gradient(in, stencils[k], inverse_dx_) * dt_,
              b.G, k);
        respond(*batches_[static_cast<std::size_t>(batch)], dt_, share, b);
        for (int k = 0; k < count; ++k) {
          energy += b.energy[k];
          flattest = std::min(flattest, b.flattest[k]);
          scatter_gradient(out, stencils[k], inverse_dx_, column(b.Q, k) * dt_);
        }
        for (int e = 0; e < Tangent<T, D>::size; ++e)
          for (int k = 0; k < width; ++k) tangents.e[e][k] = T(b.tangent[e][k]);
      });
      out.add_to(s.internal, grid_.neighbours(home));
      s.partial[static_cast<std::size_t>(home)] = energy;
      s.partial_flattest[static_cast<std::size_t>(home)] = flattest;
    });
    Potential all{0, 1};
    if (s.mesh.any()) {
      find_ways(v, dt_);
      all.energy += s.mesh.respond(dt_, share, all.flattest);
      spread_pulls(s.internal, dt_);
    }
    fold(s.internal);
    for (const double e : s.partial) all.energy += e;
    for (const double f : s.partial_flattest) all.flattest = std::min(all.flattest, f);
    return all;
  }

  // out = (H - M) u with the tangents of the last evaluation; u is completed behind mirrors.
  template <class S>
  void stiffness(NodeField<S, D>& u, NodeField<S, D>& out) {
    using P = Pack<S>;
    reflect(u);
    clear(out);
    grid_.for_each_home_by_colour([&](int home) {
      Arena<S, D, degree> in, sum;
      in.take_from(u, grid_.neighbours(home));
      sum.clear();
      for_each_chunk(home, [&](int at, int count, int, const typename Scratch::Tangents& tangents) {
        alignas(64) S dG[D * D][width] = {}, dQ[D * D][width];
        Stencil<S, D, degree> stencils[width];
        find_stencils(home, at, count, stencils);
        for (int k = 0; k < count; ++k) put(gather_gradient(in, stencils[k], S(inverse_dx_)), dG, k);
        for (int lane = 0; lane < count; lane += P::width) {
          const Tangent<P, D> tangent = tangent_of<P>(tangents, lane);
          Mat<P, D> change{};
          for (int e = 0; e < D * D; ++e) change.e[e] = P::load(dG[e] + lane);
          change = tangent(change);
          for (int e = 0; e < D * D; ++e) change.e[e].store(dQ[e] + lane);
        }
        const S scale = S(dt_ * dt_);
        for (int k = 0; k < count; ++k) scatter_gradient(sum, stencils[k], S(inverse_dx_), column(dQ, k) * scale);
      });
      sum.add_to(out, grid_.neighbours(home));
    });
    if (s.mesh.any()) {
      find_ways(u, 1.0);
      s.mesh.stiffen();
      spread_pulls(out, dt_ * dt_);
    }
    fold(out);
  }

  // The same for the energy that is quadratic in v, with the tangents of the last evaluation.
  Potential evaluate_linear(NodeField<double, D>& v) {
    stiffness(v, s.internal);
    return {sum_over_blocks([&](std::size_t block) {
              double sum = 0;
              for_each_node(block, [&](std::size_t i, double mass) {
                if (mass > 0) sum += 0.5 * dot(v[i].v, s.internal[i].v);
              });
              return sum;
            }),
            1};
  }

  // Hu = the own part of H u, with friction; gives u . Hu.
  double apply(NodeField<T, D>& u, NodeField<T, D>& Hu) {
    stiffness(u, Hu);
    return sum_over_blocks([&](std::size_t block) {
      double sum = 0;
      for_each_node(block, [&](std::size_t i, double mass) {
        Hu[i].v = mass > 0 ? Hu[i].v + u[i].v * T(mass) : Vec<T, D>::zero();
      });
      own(block, Hu);
      for (const HeldNode<D>& h : s.held[block])
        Hu[h.node].v += cast_vec<T>(h.friction_hessian() * cast_vec<double>(u[h.node].v));
      for_each_node(block, [&](std::size_t i, double) { sum += double(dot(u[i].v, Hu[i].v)); });
      return sum;
    });
  }

  // Inverts the D x D blocks on the diagonal of H, which the conjugate gradient is preconditioned with.
  void invert_diagonal() {
    clear(s.inverse[0]), clear(s.inverse[1]);
    if (s.mesh.any()) s.mesh.find_diagonal();
    grid_.for_each_home_by_colour([&](int home) {
      Arena<T, D, degree> diagonal, others;
      diagonal.clear(), others.clear();
      for_each_chunk(home, [&](int at, int count, int, const typename Scratch::Tangents& tangents) {
        add_diagonal(home, at, count, tangents, diagonal, others);
      });
      if (s.mesh.any()) add_mesh_diagonal(home, diagonal, others);
      diagonal.add_to(s.inverse[0], grid_.neighbours(home));
      others.add_to(s.inverse[1], grid_.neighbours(home));
    });
    fold_diagonal();
    parallel_for(blocks(), 4, [&](std::size_t block) {
      std::size_t next_held = 0;
      const auto& held = s.held[block];
      for_each_node(block, [&](std::size_t i, double mass) {
        if (!(mass > 0)) return;
        Mat<double, D> B = cast<double>(to_matrix<D>(block_at_node(i))) + Mat<double, D>::identity() * mass;
        if (next_held < held.size() && held[next_held].node == i) {
          const HeldNode<D>& h = held[next_held++];
          B = h.free() * B * h.free() + h.friction_hessian() + (Mat<double, D>::identity() - h.free()) * (trace(B) / D);
        }
        set_block(i, to_sym(inverse(B)));
      });
    });
  }
  // The own part of the inverse diagonal blocks times a.
  void precondition(std::size_t block, const NodeField<T, D>& a, NodeField<T, D>& out) const {
    for_each_node(block, [&](std::size_t i, double mass) {
      out[i].v = mass > 0 ? sym_times(block_at_node(i), a[i].v) : Vec<T, D>::zero();
    });
    own(block, out);
  }

  // m (v - a) + internal: what the boundaries must give as an impulse; zero at free nodes of the solution.
  Vec<double, D> reaction(std::size_t i, const NodeField<double, D>& v) const {
    return (v[i].v - s.target[i].v) * s.target[i].m + s.internal[i].v;
  }

  // f(index, mass) for every node of a block.
  template <class F>
  void for_each_node(std::size_t block, F&& f) const {
    for (std::size_t i = block * nodes; i < (block + 1) * nodes; ++i) f(i, s.target[i].m);
  }
  template <class S>
  void own(std::size_t block, NodeField<S, D>& a) const {
    for (const HeldNode<D>& h : s.held[block]) a[h.node].v = cast_vec<S>(h.own(cast_vec<double>(a[h.node].v)));
  }
  // The sum of f(block), in the order of the blocks whatever the number of threads.
  template <class F>
  double sum_over_blocks(F&& f) const {
    s.partial.resize(std::max(s.partial.size(), blocks()));
    parallel_for(blocks(), 4, [&](std::size_t block) { s.partial[block] = f(block); });
    double sum = 0;
    for (std::size_t block = 0; block < blocks(); ++block) sum += s.partial[block];
    return sum;
  }
  template <class S>
  void clear(NodeField<S, D>& field) const {
    parallel_for(blocks(), 64, [&](std::size_t b) { std::fill_n(field.begin() + b * nodes, nodes, Node<S, D>{}); });
  }

  Scratch& s;

 private:
  template <class S, class U>
  static Vec<S, D> cast_vec(const Vec<U, D>& a) {
    return resized<S, D>(a);
  }
  // Of `count` particles from the entry `at` of the sort.
  template <class S>
  void find_stencils(int home, int at, int count, Stencil<S, D, degree> (&stencils)[width]) const {
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort_.keys()[static_cast<std::size_t>(home)]);
    for (int k = 0; k < count; ++k) {
      const auto i =
          static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at) + static_cast<std::size_t>(k)]);
      stencils[k] = Stencil<S, D, degree>(resized<S, D>(p_.x[i]), S(inverse_dx_), origin);
      if constexpr (degree > 1)
        if (mls_) use_moments_as_slopes(stencils[k]);
    }
  }

  // f(first entry of the sort, count, batch, tangents) for each chunk of particles of one batch that are not idle.
  template <class F>
  void for_each_chunk(int home, F&& f) const {
    auto chunk = static_cast<std::size_t>(s.first_tangents[static_cast<std::size_t>(home)]);
    for (const Segment& segment : sort_.segments(home))
      for (int at = segment.begin; at < segment.end; at += width, ++chunk)
        if (s.idle.empty() || !s.idle[chunk])
          f(at, std::min(width, segment.end - at), segment.batch, s.tangents[chunk]);
  }
  std::size_t particle(int entry) const {
    return static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(entry)]);
  }
  bool sleeps(int at, int k) const { return p_.sleeps(particle(at + k)); }
  void find_idle(std::size_t chunks) {
    s.idle.clear();
    if (p_.awake.empty()) return;
    s.idle.resize(chunks);
    parallel_for(sort_.keys().size(), 16, [&](std::size_t home) {
      auto chunk = static_cast<std::size_t>(s.first_tangents[home]);
      for (const Segment& segment : sort_.segments(static_cast<int>(home)))
        for (int at = segment.begin; at < segment.end; at += width, ++chunk) {
          bool idle = true;
          for (int k = 0; k < std::min(width, segment.end - at); ++k) idle = idle && sleeps(at, k);
          s.idle[chunk] = idle;
        }
    });
  }

  // f(particle, stencil) for the corners of meshes in a home block.
  template <class S, class F>
  void for_each_corner(int home, F&& f) const {
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort_.keys()[static_cast<std::size_t>(home)]);
    for (const Segment& segment : sort_.segments(home))
      for (int at = segment.begin; at < segment.end; ++at)
        if (const std::size_t i = particle(at); s.mesh.is_corner(i))
          f(i, Stencil<S, D, degree>(resized<S, D>(p_.x[i]), S(inverse_dx_), origin));
  }
  // The ways of the corners where all nodes go u times `scale`.
  template <class S>
  void find_ways(const NodeField<S, D>& u, double scale) {
    grid_.for_each_home_by_colour([&](int home) {
      Arena<S, D, degree> in;
      in.take_from(u, grid_.neighbours(home));
      for_each_corner<S>(home, [&](std::size_t i, const Stencil<S, D, degree>& stencil) {
        Vec<S, D> way{};
        for_each_weight(stencil, [&](int node, S w) { way += in.node[node].v * w; });
        s.mesh.way(i) = cast_vec<double>(way) * scale;
      });
    });
  }
  template <class S>
  void spread_pulls(NodeField<S, D>& out, double scale) {
    grid_.for_each_home_by_colour([&](int home) {
      Arena<S, D, degree> sum;
      sum.clear();
      for_each_corner<S>(home, [&](std::size_t i, const Stencil<S, D, degree>& stencil) {
        const Vec<S, D> pull = cast_vec<S>(s.mesh.pull(i) * scale);
        for_each_weight(stencil, [&](int node, S w) { sum.node[node].v += pull * w; });
      });
      sum.add_to(out, grid_.neighbours(home));
    });
  }
  // Without what the corners of a cell do to each other: enough for a preconditioner.
  void add_mesh_diagonal(int home, Arena<T, D, degree>& diagonal, Arena<T, D, degree>& others) const {
    for_each_corner<T>(home, [&](std::size_t i, const Stencil<T, D, degree>& stencil) {
      const Sym<double, D> K = s.mesh.stiffness(i) * (dt_ * dt_);
      for_each_weight(stencil, [&](int node, T w) {
        for (int e = 0; e < Sym<T, D>::size; ++e) (e < D ? diagonal : others).node[node].v[e % D] += T(K[e]) * w * w;
      });
    });
  }
  void load(int at, int count, int batch, PointBatch<D>& b) const {
    b.count = count;
    const auto& history = s.histories[static_cast<std::size_t>(batch)];
    for (int k = 0; k < width; ++k) {
      const auto shift = static_cast<std::size_t>(k < count ? k : 0);
      const auto i = static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at) + shift]);
      put(p_.F(i), b.F, k);
      b.volume[k] = p_.sleeps(i) ? 0.0 : double(p_.volume[i]);
      for (std::size_t h = 0; h < history.size() && !history[h].empty(); ++h) b.history[h][k] = double(history[h][i]);
    }
  }
  template <class P>
  static Tangent<P, D> tangent_of(const typename Scratch::Tangents& tangents, int lane) {
    Tangent<P, D> t;
    for (int e = 0; e < Tangent<P, D>::size; ++e) {
      P& entry = reinterpret_cast<P*>(&t)[e];
      if constexpr (std::is_same_v<typename P::Scalar, T>)
        entry = P::load(tangents.e[e] + lane);
      else
        for (int k = 0; k < P::width; ++k) entry.set(k, static_cast<typename P::Scalar>(tangents.e[e][lane + k]));
    }
    return t;
  }

  // What the particles of a chunk add to the diagonal blocks: sum over a, b of g_a g_b C_ab, C_ab(i, j) the answer of
  // Q_ib to dG_ja.
  void add_diagonal(int home, int at, int count, const typename Scratch::Tangents& tangents,
                    Arena<T, D, degree>& diagonal, Arena<T, D, degree>& others) const {
    using P = Pack<T>;
    constexpr int entries = D * (D + 1) / 2;
    alignas(64) T C[entries][entries][width] = {};
    const P scale = P(dt_ * dt_);
    for (int lane = 0; lane < count; lane += P::width) {
      const Tangent<P, D> tangent = tangent_of<P>(tangents, lane);
      Sym<P, D> sums[entries];
      for (Sym<P, D>& sum : sums) sum = Sym<P, D>::zero();
      for (int a = 0; a < D; ++a)
        for (int j = 0; j < D; ++j) {
          Mat<P, D> unit = Mat<P, D>::zero();
          unit(j, a) = P(1);
          const Mat<P, D> dQ = tangent(unit);
          for (int b = 0; b < D; ++b)
            for (int i = 0; i <= j; ++i)
              sums[sym_index<D>(std::min(a, b), std::max(a, b))][sym_index<D>(i, j)] += dQ(i, b);
        }
      for (int ab = 0; ab < entries; ++ab)
        for (int ij = 0; ij < entries; ++ij) (sums[ab][ij] * scale).store(C[ab][ij] + lane);
    }
    Stencil<T, D, degree> stencils[width];
    find_stencils(home, at, count, stencils);
    for (int k = 0; k < count; ++k)
      for_each_gradient(stencils[k], T(inverse_dx_), [&](int node, const Vec<T, D>& g) {
        Sym<T, D> sum = Sym<T, D>::zero();
        for (int a = 0; a < D; ++a)
          for (int b = a; b < D; ++b) {
            const int ab = sym_index<D>(a, b);
            for (int ij = 0; ij < entries; ++ij) sum[ij] += g[a] * g[b] * C[ab][ij][k];
          }
        for (int e = 0; e < entries; ++e) (e < D ? diagonal : others).node[node].v[e % D] += sum[e];
      });
  }
  // What nodes behind mirrors were given goes to their images as well, mirrored; no one reads it where it was.
  template <class S>
  void fold(NodeField<S, D>& field) const {
    for_each_mirrored(grid_, mirrors_, [&](std::size_t, const Mirror& mirror, std::size_t behind, std::size_t image) {
      if (behind != image) field[image].v += mirrored(field[behind].v, mirror.axis);
    });
  }
  template <class S>
  void reflect(NodeField<S, D>& field) const {
    for_each_mirrored_back(grid_, mirrors_, [&](const Mirror& mirror, std::size_t behind, std::size_t image) {
      if (behind != image) field[behind].v = mirrored(field[image].v, mirror.axis);
    });
  }
  // Of the diagonal blocks, without the answer of an image to its own node: enough for a preconditioner.
  void fold_diagonal() {
    for_each_mirrored(grid_, mirrors_, [&](std::size_t, const Mirror& mirror, std::size_t behind, std::size_t image) {
      if (behind == image) return;
      Sym<T, D> B = block_at_node(behind);
      for (int a = 0; a < D; ++a)
        if (a != mirror.axis) B[sym_index<D>(std::min(a, mirror.axis), std::max(a, mirror.axis))] *= T(-1);
      for (int e = 0; e < Sym<T, D>::size; ++e) s.inverse[e / D][image].v[e % D] += B[e];
    });
  }

  // A node's diagonal block, kept in two fields.
  Sym<T, D> block_at_node(std::size_t i) const {
    Sym<T, D> B{};
    for (int e = 0; e < Sym<T, D>::size; ++e) B[e] = s.inverse[e / D][i].v[e % D];
    return B;
  }
  void set_block(std::size_t i, const Sym<double, D>& B) {
    for (int e = 0; e < Sym<T, D>::size; ++e) s.inverse[e / D][i].v[e % D] = T(B[e]);
  }

  // A matrix for each of a chunk's particles, entry by entry.
  template <class S, class U>
  static void put(const Mat<U, D>& m, S (*rows)[width], int k) {
    for (int e = 0; e < D * D; ++e) rows[e][k] = S(m.e[e]);
  }
  template <class S>
  static Mat<S, D> column(const S (*rows)[width], int k) {
    Mat<S, D> m{};
    for (int e = 0; e < D * D; ++e) m.e[e] = rows[e][k];
    return m;
  }

  Columns<T, D>& p_;
  const BlockSort<D>& sort_;
  BlockGrid<T, D>& grid_;
  std::span<const Material* const> batches_;
  std::span<const Mirror> mirrors_;
  bool mls_;
  double inverse_dx_, dt_;
};

}  // namespace knead
