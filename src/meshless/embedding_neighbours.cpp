// Who is whose neighbour in the embedding (Ward 2012, section 3.8): the nearest, of which some are still coming and
// some going.
#include "meshless/solver.h"

namespace knead {

namespace {

// Leaves the nearest of `near`: 32, but those as far as the 32nd come along or stay away together. On a lattice
// rounding would choose among them, and forces would be uneven by several percent. Gives the square of the distance up
// to which all must be known for that.
template <class T>
T keep_nearest(std::vector<std::pair<T, int>>& near) {
  constexpr std::size_t most = most_neighbours, limit = most_neighbours + 12;
  if (near.size() <= most) return std::numeric_limits<T>::max();
  std::nth_element(near.begin(), near.begin() + (most - 1), near.end());
  const T edge = near[most - 1].first, slack = T(1e-5) * edge;
  const auto last = std::remove_if(near.begin(), near.end(), [&](const auto& n) { return n.first > edge + slack; });
  if (static_cast<std::size_t>(last - near.begin()) < limit)
    near.erase(last, near.end());
  else
    near.erase(std::remove_if(near.begin(), last, [&](const auto& n) { return n.first >= edge - slack; }), near.end());
  return edge + slack;
}

// The points around a cell and what is chosen of them, for one of its points after the other.
template <class T, int D>
struct Surroundings {
  neighbours_detail::Candidates<T, D> candidates;
  typename Cells<T, D>::Rows rows;
  std::size_t own = 0;  // where the cell's own points begin
  std::vector<T> squares;
  std::vector<int> numbers;

  void take(const Cells<T, D>& cells, std::size_t cell, int reach) {
    own = candidates.take_around(cells, cell, reach, rows);
    numbers.resize(candidates.number.size()), squares.resize(numbers.size());
  }
  // The nearest within the root of `reach` of the cell's point k that are wanted; gives what keep_nearest does.
  template <class Wanted>
  T nearest(std::size_t k, T reach, Wanted&& wanted, std::vector<std::pair<T, int>>& near) {
    using P = Pack<T>;
    T* square = squares.data();
    int* number = numbers.data();
    candidates.for_each_near(own + k, reach, [&](std::size_t at, const P& some, unsigned below) {
      T lanes[P::width];
      some.store(lanes);
      square = write_chosen<P::width>(below, lanes, square);
      number = write_chosen<P::width>(below, candidates.number.data() + at, number);
    });
    const auto found = static_cast<std::size_t>(number - numbers.data());
    near.resize(found);
    std::size_t some = 0;
    for (std::size_t m = 0; m < found; ++m) near[some] = {squares[m], numbers[m]}, some += wanted(numbers[m]);
    near.resize(some);
    return keep_nearest(near);
  }
};

}  // namespace

// The nearest within h in the embedding are wanted; others fade. In matter as dense as at the start 32 are within a
// smaller ball: of one in which points are as far away as h says on average. The search goes farther where they are
// not.
template <class T, int D>
void Meshless<T, D>::choose_neighbours(Columns& p, bool first) {
  constexpr double ball = D == 2 ? 3.0 / 2 : 4.0 / 3, margin = 1.15;
  const double share = std::min(ball * margin / support(), 1.0);
  const int farthest = static_cast<int>(std::ceil(1 / share));
  cells_.build(p.embedded, share * double(*std::max_element(p.h.begin(), p.h.end())));
  parallel_chunks(cells_.count(), grain_of(cells_), [&](std::size_t begin, std::size_t end) {
    struct Scratch {
      Surroundings<T, D> around, far_around;
      std::vector<std::pair<T, int>> near;
      std::vector<int> wanted;
      std::vector<std::pair<int, T>> kept;
    };
    thread_local Scratch of_thread;
    auto& [around, far_around, near, wanted, kept] = of_thread;
    around.rows.next.clear(), far_around.rows.next.clear();
    for (std::size_t cell = begin; cell < end; ++cell) {
      around.take(cells_, cell, 1);
      bool went_far = false;
      const auto first_point = static_cast<std::size_t>(cells_.first(cell));
      for (std::size_t k = 0; first_point + k < static_cast<std::size_t>(cells_.first(cell + 1)); ++k) {
        const auto i = static_cast<std::size_t>(cells_.points()[first_point + k]);
        const auto of_body = [&](int j) { return p.body[static_cast<std::size_t>(j)] == p.body[i]; };
        const T reach = square(T(share) * p.h[i]);
        if (around.nearest(k, reach, of_body, near) >= reach && share < 1) {
          if (!went_far) far_around.take(cells_, cell, farthest), went_far = true;
          far_around.nearest(k, square(p.h[i]), of_body, near);
        }
        kept.clear();
        wanted.clear();
        for (const auto& [d, j] : near) wanted.push_back(j);
        std::sort(wanted.begin(), wanted.end());
        // Those that stay or leave keep their fade, whose sign says which; others come. Both lists are in order.
        auto next = wanted.begin();
        const auto come = [&, &wanted = wanted, &kept = kept](int before) {  // clang 14 wants bindings named
          for (; next != wanted.end() && *next < before; ++next) kept.push_back({*next, first ? T(1) : T(1e-6)});
        };
        for (int m = 0; m < Neighbours::size && p.neighbours[i][m] >= 0; ++m) {
          const int j = p.neighbours[i][m];
          const T faded = std::abs(p.fades[i][m]);
          if (faded == T(0)) continue;
          come(j);
          const bool stays = next != wanted.end() && *next == j;
          kept.push_back({j, stays ? faded : -faded});
          if (stays) ++next;
        }
        come(std::numeric_limits<int>::max());
        // Where there are too many, the faintest of the leaving go at once.
        while (kept.size() > Neighbours::size) {
          auto faintest = kept.end();
          for (auto b = kept.begin(); b != kept.end(); ++b)
            if (b->second < 0 && (faintest == kept.end() || b->second > faintest->second)) faintest = b;
          kept.erase(faintest == kept.end() ? kept.end() - 1 : faintest);
        }
        p.neighbours[i] = Neighbours::filled(-1), p.fades[i] = Fades<T>::zero();
        for (std::size_t m = 0; m < kept.size(); ++m)
          p.neighbours[i][static_cast<int>(m)] = kept[m].first, p.fades[i][static_cast<int>(m)] = kept[m].second;
      }
    }
  });
}

// A step of the fades; whether any is on its way. Those that have left stay without weight until all have arrived, so
// that bonds need not be sorted anew in every step. Where all have arrived nothing moves until the next embedding.
template <class T, int D>
bool Meshless<T, D>::fade(Columns& p) {
  const T step = T(1) / T(spec_.meshless.fade_steps);
  faded_.resize(p.x.size(), 1);
  const auto count = [&](std::size_t begin, std::size_t end) {
    std::int64_t moving = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!faded_[i]) continue;
      faded_[i] = 0;
      for (int k = 0; k < Neighbours::size && p.neighbours[i][k] >= 0; ++k) {
        T& f = p.fades[i][k];
        if (f == T(1) || f == T(0)) continue;
        f = f < 0 ? std::min(f + step, T(0)) : std::min(f + step, T(1));
        faded_[i] = 1, ++moving;
      }
    }
    return moving;
  };
  return parallel_reduce(p.x.size(), 256, std::int64_t(0), count,
                         [](std::int64_t a, std::int64_t b) { return a + b; }) > 0;
}

template <class T, int D>
void Meshless<T, D>::forget_faded(Columns& p) {
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    int to = 0;
    for (int k = 0; k < Neighbours::size && p.neighbours[i][k] >= 0; ++k)
      if (p.fades[i][k] != T(0)) p.neighbours[i][to] = p.neighbours[i][k], p.fades[i][to] = p.fades[i][k], ++to;
    for (; to < Neighbours::size; ++to) p.neighbours[i][to] = -1, p.fades[i][to] = 0;
  });
}

template <class T, int D>
void Meshless<T, D>::bond_embedding(const Columns& p) {
  const std::size_t n = p.x.size();
  lists_.first.resize(n + 1), lists_.first[0] = 0;
  parallel_for(n, 512, [&](std::size_t i) {
    int count = 0;
    while (count < Neighbours::size && p.neighbours[i][count] >= 0) ++count;
    lists_.first[i + 1] = count;
  });
  prefix_sum(std::span(lists_.first));
  lists_.other.resize(static_cast<std::size_t>(lists_.first[n]));
  parallel_for(n, 512, [&](std::size_t i) {
    for (std::int64_t k = lists_.first[i]; k < lists_.first[i + 1]; ++k)
      lists_.other[static_cast<std::size_t>(k)] = p.neighbours[i][static_cast<int>(k - lists_.first[i])];
  });
  rest_.connect(lists_);
  weigh_embedding(p, true);
  laplacian_.connect(rest_);
  drag_known_ = false;
  if (spec_.meshless.self_contact) contact_.clear();  // others are neighbours now
}

// The weights of bonds by distance and by how far they have faded; of all particles, or of those whose bonds fade.
template <class T, int D>
void Meshless<T, D>::weigh_embedding(const Columns& p, bool all) {
  const auto wanted = [&](std::size_t i) { return all || faded_[i] != 0; };
  rest_.weigh(wanted, [&](std::size_t i) {
    return [&fades = p.fades[i], e = p.embedded, here = p.embedded[i], inverse_h2 = T(1) / (p.h[i] * p.h[i])](
               std::size_t j, int k) {
      const Vec<T, D> q = e[j] - here;
      return std::pair(std::abs(fades[k]) * poly6_shape(dot(q, q) * inverse_h2), q);
    };
  });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
