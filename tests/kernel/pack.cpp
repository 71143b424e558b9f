// Packs behave as their scalars, lane by lane.
#include "base/pack.h"

#include "base/lookup.h"
#include "base/pack_memory.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace knead {
namespace {

template <class P>
class Packs : public ::testing::Test {};
using PackTypes = ::testing::Types<Pack<float>, Pack<double>, Pack<float, 4>, Pack<double, 2>>;
TYPED_TEST_SUITE(Packs, PackTypes);

// Distance in units of the last place of the exact value, which is given with more digits.
template <class T>
double ulps(T value, long double exact) {
  if (std::isinf(value) || exact == 0) return static_cast<long double>(value) == exact ? 0 : 1e9;
  const T near = std::abs(static_cast<T>(exact));
  const long double unit = static_cast<long double>(std::nextafter(near, std::numeric_limits<T>::infinity())) - near;
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / unit);
}

template <class P, class F>
void each(const std::vector<typename P::Scalar>& values, F&& f) {
  for (std::size_t i = 0; i + P::width <= values.size(); i += P::width) f(P::load(&values[i]));
}

template <class P>
std::vector<typename P::Scalar> random_values(int count, double low, double high) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<typename P::Scalar> values(static_cast<std::size_t>(count));
  for (auto& v : values) v = static_cast<typename P::Scalar>(uniform(random));
  return values;
}

TYPED_TEST(Packs, exp_is_within_2_ulp_from_underflow_to_overflow) {
  using P = TypeParam;
  using T = typename P::Scalar;
  const double low = std::log(std::numeric_limits<T>::min()), high = std::log(std::numeric_limits<T>::max());
  double worst = 0;
  auto compare = [&](const P& x) {
    const P y = exp(x);
    for (int i = 0; i < P::width; ++i) worst = std::max(worst, ulps(y[i], std::exp(static_cast<long double>(x[i]))));
  };
  each<P>(random_values<P>(160000, low, high), compare);
  each<P>(random_values<P>(160000, -1, 1), compare);
  each<P>(random_values<P>(16000, -1e-6, 1e-6), compare);
  EXPECT_LE(worst, 2);
}

TYPED_TEST(Packs, fma_is_that_of_its_scalars) {
  using P = TypeParam;
  const auto values = random_values<P>(3 * P::width, -2, 2);
  const P a = P::load(&values[0]), b = P::load(&values[P::width]), c = P::load(&values[2 * P::width]), d = fma(a, b, c);
  for (int i = 0; i < P::width; ++i) EXPECT_EQ(d[i], fma(a[i], b[i], c[i]));
}

TYPED_TEST(Packs, log_is_within_2_ulp_over_all_positive_numbers) {
  using P = TypeParam;
  using T = typename P::Scalar;
  double worst = 0;
  auto compare = [&](const P& x) {
    const P y = log(x);
    for (int i = 0; i < P::width; ++i) worst = std::max(worst, ulps(y[i], std::log(static_cast<long double>(x[i]))));
  };
  each<P>(random_values<P>(160000, 0.5, 2), compare);
  each<P>(random_values<P>(160000, 1 - 1e-3, 1 + 1e-3), compare);
  std::vector<T> all = random_values<P>(160000, std::log(std::numeric_limits<T>::denorm_min()) + 1,
                                        std::log(std::numeric_limits<T>::max()));
  for (T& x : all) x = std::exp(x);
  each<P>(all, compare);
  EXPECT_LE(worst, 2);
}

TYPED_TEST(Packs, exp_and_log_have_the_limits_of_the_c_library) {
  using P = TypeParam;
  using T = typename P::Scalar;
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (const T x : {T(0), T(-0.0), infinity, -infinity, T(1e4), T(-1e4), std::numeric_limits<T>::min(),
                    std::numeric_limits<T>::denorm_min()}) {
    EXPECT_EQ(exp(P(x))[0], std::exp(x)) << x;
    const T log_x = log(P(x))[0];
    EXPECT_TRUE(x < 0 ? std::isnan(log_x) : ulps(log_x, std::log(static_cast<long double>(x))) <= 2) << x;
  }
  EXPECT_TRUE(std::isnan(log(P(nan))[0]));
  EXPECT_TRUE(std::isnan(exp(P(nan))[0]));
}

TYPED_TEST(Packs, functions_agree_with_the_scalar_ones) {
  using P = TypeParam;
  using T = typename P::Scalar;
  each<P>(random_values<P>(4096, -10, 10), [](const P& x) {
    const P y = P(3) - x;
    for (int i = 0; i < P::width; ++i) {
      const T a = x[i], b = y[i];
      EXPECT_EQ(abs(x)[i], abs(a));
      EXPECT_EQ(floor(x)[i], floor(a));
      EXPECT_EQ(min(x, y)[i], min(a, b));
      EXPECT_EQ(max(x, y)[i], max(a, b));
      EXPECT_EQ(copysign(x, y)[i], copysign(a, b));
      EXPECT_EQ(sqrt(abs(x))[i], sqrt(abs(a)));
      EXPECT_EQ(binade(abs(x) + P(1))[i], binade(abs(a) + T(1)));
      EXPECT_EQ(select(x < y, x, y)[i], select(a < b, a, b));
      EXPECT_EQ((-x)[i], -a);
      EXPECT_EQ((x / y)[i], a / b);
      EXPECT_LE(ulps(rsqrt(abs(x))[i], 1 / std::sqrt(std::abs(static_cast<long double>(a)))), 2);
    }
  });
}

TYPED_TEST(Packs, masks_answer_any_and_all) {
  using P = TypeParam;
  P x(1);
  EXPECT_TRUE(all(x > P(0)));
  x.set(P::width - 1, -1);
  EXPECT_FALSE(all(x > P(0)));
  EXPECT_TRUE(any(x < P(0)));
  EXPECT_FALSE(any(x == P(0)));
}

TYPED_TEST(Packs, clamp_lets_nan_through) {
  using P = TypeParam;
  const P nan(std::numeric_limits<typename P::Scalar>::quiet_NaN());
  EXPECT_TRUE(std::isnan(clamp(nan, P(0), P(1))[0]));
}

TYPED_TEST(Packs, partly_filled_ones_repeat_the_last_entry_and_store_only_what_is_asked) {
  using P = TypeParam;
  using T = typename P::Scalar;
  std::vector<Mat<T, 3>> F(2 * P::width);
  for (std::size_t i = 0; i < F.size(); ++i)
    for (int k = 0; k < 9; ++k) F[i].e[k] = static_cast<T>(100 * i + static_cast<std::size_t>(k));
  for (int count = 1; count <= P::width; ++count) {
    const Mat<P, 3> straight = load_lanes<P>(F.data() + 3 % P::width, count);
    std::vector<Mat<T, 3>> out(F.size(), Mat<T, 3>::zero());
    store_lanes<P>(straight, out.data(), count);
    for (int i = 0; i < P::width; ++i) {
      const std::size_t from = static_cast<std::size_t>(3 % P::width + std::min(i, count - 1));
      for (int k = 0; k < 9; ++k) EXPECT_EQ(straight.e[k][i], F[from].e[k]);
      EXPECT_EQ(out[static_cast<std::size_t>(i)], i < count ? F[from] : (Mat<T, 3>::zero()));
    }
  }
}

TYPED_TEST(Packs, scalars_and_vectors_travel_like_matrices) {
  using P = TypeParam;
  using T = typename P::Scalar;
  std::vector<T> s(P::width);
  std::vector<Vec<T, 2>> v(P::width);
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = static_cast<T>(i), v[i] = {static_cast<T>(i), static_cast<T>(-1)};
  const P ps = load_lanes<P>(s.data());
  const Vec<P, 2> pv = load_lanes<P>(v.data());
  for (int i = 0; i < P::width; ++i) {
    EXPECT_EQ(ps[i], s[static_cast<std::size_t>(i)]);
    EXPECT_EQ(pv[0][i], s[static_cast<std::size_t>(i)]);
    EXPECT_EQ(pv[1][i], T(-1));
  }
}

// Entries of one kind, through an index and straight, in packs of every filling.
template <class P, class E>
void travel() {
  using T = typename P::Scalar;
  constexpr int size = sizeof(E) / sizeof(T);
  constexpr std::size_t many = 3 * P::width;
  std::vector<E> data(many);
  for (std::size_t i = 0; i < many * size; ++i) reinterpret_cast<T*>(data.data())[i] = static_cast<T>(i + 1);
  const auto entry = [](std::vector<E>& from, std::size_t i, int k) -> T& { return reinterpret_cast<T*>(&from[i])[k]; };
  std::mt19937 random(5);
  for (int count = 1; count <= P::width; ++count) {
    std::vector<int> index(many);
    for (std::size_t i = 0; i < many; ++i) index[i] = static_cast<int>(i);
    std::shuffle(index.begin(), index.end(), random);
    const auto at = load_lanes_at<P>(data.data(), index.data());
    const auto straight = load_lanes<P>(data.data() + 1, count);
    std::vector<E> out(many, E{}), packed(many, E{});
    store_lanes_at<P>(at, out.data(), index.data(), count);
    store_lanes<P>(straight, packed.data(), count);
    for (int k = 0; k < size; ++k)
      for (int i = 0; i < static_cast<int>(many); ++i) {
        const auto to = static_cast<std::size_t>(index[static_cast<std::size_t>(i)]);
        EXPECT_EQ(entry(out, to, k), i < count ? entry(data, to, k) : T(0));
        EXPECT_EQ(entry(packed, static_cast<std::size_t>(i), k),
                  i < count ? entry(data, static_cast<std::size_t>(i) + 1, k) : T(0));
        if (i >= P::width) continue;
        EXPECT_EQ(reinterpret_cast<const P*>(&at)[k][i], entry(data, to, k));
        EXPECT_EQ(reinterpret_cast<const P*>(&straight)[k][i],
                  entry(data, static_cast<std::size_t>(std::min(i, count - 1)) + 1, k));
      }
  }
}

TYPED_TEST(Packs, entries_of_every_size_travel_through_an_index) {
  using P = TypeParam;
  using T = typename P::Scalar;
  travel<P, T>();
  travel<P, Vec<T, 2>>();
  travel<P, Vec<T, 3>>();
  travel<P, Mat<T, 2>>();
  travel<P, Vec<T, 6>>();
  travel<P, Mat<T, 3>>();
}

TYPED_TEST(Packs, a_row_is_looked_up_lane_by_lane) {
  using P = TypeParam;
  using T = typename P::Scalar;
  using Row = Lookup<T, P::width>;
  constexpr int next = 2, places = Row::reach == 4 ? 4 : Row::reach - next;
  const std::vector<T> values = random_values<P>(Row::reach + 4, -1, 1);
  const Row row(values.data());
  std::mt19937 random(11);
  for (int repeat = 0; repeat < 100; ++repeat) {
    P at(0);
    for (int i = 0; i < P::width; ++i) at.set(i, static_cast<T>(random() % places));
    const P found = row.template at<next>(to_index(at));
    for (int i = 0; i < P::width; ++i) EXPECT_EQ(found[i], values[static_cast<std::size_t>(at[i]) + next]);
  }
}

}  // namespace
}  // namespace knead
