// All functions follow one pattern: an exact reduction to a small argument, a Taylor series that needs only a few terms
// there, and a leading part in two doubles, so that the last addition makes nearly all of the error. The tables are
// computed by the compiler. Sums and products of two doubles: Dekker 1971.
#include "base/elementary.h"

#include <array>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__FAST_MATH__)
#error "elementary.cpp relies on the order of its operations: compile it without -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "elementary.cpp relies on every operation being rounded to double");

namespace knead::elementary {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

constexpr std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr double from_bits(std::uint64_t x) { return std::bit_cast<double>(x); }
constexpr int mantissa = 52, bias = 1023;

// A number as the sum of two doubles, the second much smaller than the first: 106 bits.
struct Two {
  double high = 0, low = 0;
};

// a + b without error, for |a| >= |b|, a = 0, or an a whose last bit is not below that of b.
constexpr Two ordered_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
// The same for any a and b.
constexpr Two sum(double a, double b) {
  const double s = a + b, part = s - a;
  return {s, (a - (s - part)) + (b - part)};
}
// The upper 26 bits, and what they leave.
constexpr Two split(double a) {
  const double c = 0x1.0000002p27 * a, high = c - (c - a);
  return {high, a - high};
}
// a b without error, far from the ends of the range.
constexpr Two product(double a, double b) {
  const double p = a * b;
  const Two x = split(a), y = split(b);
  return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

constexpr Two operator-(const Two& a) { return {-a.high, -a.low}; }
constexpr Two operator+(const Two& a, const Two& b) {
  const Two s = sum(a.high, b.high);
  return ordered_sum(s.high, s.low + (a.low + b.low));
}
constexpr Two operator-(const Two& a, const Two& b) { return a + -b; }
constexpr Two operator*(const Two& a, const Two& b) {
  const Two p = product(a.high, b.high);
  return ordered_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
constexpr Two operator/(const Two& a, const Two& b) {
  const double q = a.high / b.high;
  const Two p = product(q, b.high);
  return ordered_sum(q, (((a.high - p.high) - p.low) + (a.low - q * b.low)) / b.high);
}
Two square_root(const Two& a) {
  if (a.high == 0) return {};
  const double s = std::sqrt(a.high);
  const Two p = product(s, s);
  return ordered_sum(s, (((a.high - p.high) - p.low) + a.low) / (2 * s));
}
double rounded(const Two& a) { return a.high + a.low; }

constexpr Two ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Two inverse_ln2 = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
constexpr Two inverse_ln10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
constexpr Two half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr Two pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

// Adding it to a number below 2^51 rounds that to an integer, which then stands in the lowest bits.
constexpr double round_magic = 0x1.8p52;
constexpr std::int64_t integer_in(double shifted) {
  return static_cast<std::int64_t>(bits_of(shifted) - bits_of(round_magic));
}

// 2^n for a normal number.
constexpr double power_of_two(std::int64_t n) { return from_bits(static_cast<std::uint64_t>(n + bias) << mantissa); }

// m 2^n for m about 1. The power goes in by halves where the result may lie beyond the normal numbers.
double scaled(double m, std::int64_t n) {
  if (n > -bias && n <= bias) return m * power_of_two(n);
  const std::int64_t half = n / 2;
  return m * power_of_two(half) * power_of_two(n - half);
}

// ---- exponentials ----

// 2^(i / 128).
constexpr int roots = 128;
constexpr auto root_table = [] {
  std::array<Two, roots> table{};
  const Two first = {0x1.0163da9fb3335p+0, 0x1.b61299ab8cdb7p-54};
  table[0] = {1, 0};
  for (std::size_t i = 1; i < roots; ++i) table[i] = table[i - 1] * first;
  return table;
}();

// value 2^exponent, with a value from 0.99 to 2.
struct Scaled {
  Two value;
  std::int64_t exponent;
};

// 2^(k / 128) exp(r) for |r| < 0.003.
Scaled grown(std::int64_t k, double r) {
  const Two& root = root_table[static_cast<std::size_t>(k & (roots - 1))];
  const double r2 = r * r, p = r + r2 * ((0.5 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120)));
  return {{root.high, root.low + root.high * p}, k >> 7};
}

// exp(x + low) for |x| < 746: x = k ln(2) / 128 + r. The upper part of ln(2) has 35 bits: k times it is exact.
Scaled exponential(double x, double low) {
  constexpr double high = 0x1.62e42fef8p-1 / roots, rest = 0x1.1cf79abc9e3b4p-36 / roots;
  const double shifted = x * (roots * inverse_ln2.high) + round_magic, n = shifted - round_magic;
  return grown(integer_in(shifted), ((x - n * high) - n * rest) + low);
}

}  // namespace

double exp(double x) {
  if (!(std::fabs(x) < 746)) return x != x ? x + x : x > 0 ? infinity : 0;
  const Scaled e = exponential(x, 0);
  return scaled(rounded(e.value), e.exponent);
}

double exp2(double x) {
  if (!(std::fabs(x) < 1076)) return x != x ? x + x : x > 0 ? infinity : 0;
  const double shifted = x * roots + round_magic, n = shifted - round_magic;
  const Scaled e = grown(integer_in(shifted), (x - n * (1.0 / roots)) * ln2.high);
  return scaled(rounded(e.value), e.exponent);
}

// ---- logarithms ----

namespace {

// z in [0.6875, 1.375) by 128 parts. Each has a number near 1 / z of few bits, so that its product with half the bits
// of z is exact, and the logarithm of that number's inverse: `high` is a multiple of 2^-42, so that adding a multiple
// of ln(2) to it is exact. The two parts beside 1 have 1 itself, so that small logarithms keep all their digits.
struct LogPart {
  double inverse, high, low;
};
constexpr int log_parts = 128;
constexpr std::uint64_t first_part = bits_of(0.6875);
constexpr int bits_of_part = mantissa - 7;
constexpr auto log_table = [] {
  std::array<LogPart, log_parts> table{};
  for (std::size_t i = 0; i < log_parts; ++i) {
    const double from = from_bits(first_part + (std::uint64_t(i) << bits_of_part)),
                 to = from_bits(first_part + (std::uint64_t(i + 1) << bits_of_part));
    if (from == 1 || to == 1) {
      table[i] = {1, 0, 0};
      continue;
    }
    // Any number near by would do. NOLINTNEXTLINE(bugprone-incorrect-roundings)
    const double inverse = static_cast<int>(2048 / (from + to) + 0.5) / 1024.0;
    // log(1 / a) = -2 artanh((a - 1) / (a + 1))
    const Two s = Two{1 - inverse, 0} / Two{1 + inverse, 0}, s2 = s * s;
    Two r{};
    for (int n = 45; n >= 1; n -= 2) r = r * s2 + Two{2, 0} / Two{double(n), 0};
    r = r * s;
    const double steps = r.high * 0x1p42,
                 high = static_cast<std::int64_t>(steps < 0 ? steps - 0.5 : steps + 0.5) * 0x1p-42;
    table[i] = {inverse, high, (r.high - high) + r.low};
  }
  return table;
}();

// log(x) = high + low + log(1 + r + r_low), |r| < 1/128. Where x is near 1, only r is not 0.
struct LogSum {
  double high, low, r, r_low;
};
LogSum reduced(std::uint64_t x) {
  constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_rest = 0x1.ef35793c7673p-45;  // 42 bits, the rest
  const std::uint64_t from_first = x - first_part;
  const double n = static_cast<double>(static_cast<std::int64_t>(from_first) >> mantissa);
  const std::uint64_t z = x - (from_first & 0xfff0000000000000);
  const LogPart& part = log_table[(from_first >> bits_of_part) & (log_parts - 1)];
  const double z_high = from_bits(z & 0xffffffff00000000), z_low = from_bits(z) - z_high;
  const Two r = ordered_sum(z_high * part.inverse - 1, z_low * part.inverse);
  return {n * ln2_high + part.high, n * ln2_rest + part.low, r.high, r.low};
}

// (log(1 + r) - r + r^2 / 2) / r^3
double log_tail(double r, double r2) {
  const double near = (1.0 / 3 - r * (1.0 / 4)) + r2 * (1.0 / 5 - r * (1.0 / 6));
  const double far = (1.0 / 7 - r * (1.0 / 8)) + r2 * (1.0 / 9 - r * (1.0 / 10));
  return near + (r2 * r2) * far;
}

// finish(sum) for the logarithm of a positive number, else the limits.
template <class Finish>
double logarithm(double x, Finish&& finish) {
  constexpr std::uint64_t least = bits_of(std::numeric_limits<double>::min());
  std::uint64_t bits = bits_of(x);
  if (bits - least >= bits_of(infinity) - least) {
    if (x == 0) return -infinity;
    if (x != x || x == infinity) return x + x;
    if (x < 0) return not_a_number;
    bits = bits_of(x * 0x1p52) - (std::uint64_t(52) << mantissa);
  }
  return finish(reduced(bits));
}

// The logarithm to 68 bits.
Two in_two(const LogSum& a) {
  const double r = a.r;
  const Two head = ordered_sum(a.high, r), square = product(r, r), most = sum(head.high, -0.5 * square.high);
  const double tail = r * square.high * log_tail(r, square.high);
  return ordered_sum(most.high, ((most.low + head.low) + (a.low + a.r_low)) - (0.5 * square.low + r * a.r_low) + tail);
}

}  // namespace

double log(double x) {
  return logarithm(x, [](const LogSum& a) {
    const double r = a.r, r2 = r * r;
    const Two head = ordered_sum(a.high, r);
    return head.high + ((head.low + (a.low + a.r_low)) + r2 * (r * log_tail(r, r2) - 0.5));
  });
}
double log2(double x) {
  return logarithm(x, [](const LogSum& a) { return rounded(in_two(a) * inverse_ln2); });
}
double log10(double x) {
  return logarithm(x, [](const LogSum& a) { return rounded(in_two(a) * inverse_ln10); });
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return x + y;
  const double a = std::fabs(x), b = std::fabs(y);
  const bool integer = std::floor(b) == b, odd = b < 0x1p53 && integer && (static_cast<std::int64_t>(b) & 1);
  const double sign = odd && std::signbit(x) ? -1 : 1;
  if (x < 0 && !integer && a != infinity) return not_a_number;
  if (a == 1) return sign;
  // Beyond 2^65, x^y is 0 or infinity also for the x nearest to 1.
  const bool grows = (a > 1) == (y > 0);
  if (a == 0 || a == infinity || b > 0x1p65) return grows ? sign * infinity : sign * 0;
  if (b < 0x1p-65) return 1;
  return sign * logarithm(a, [&](const LogSum& log_sum) {
           const Two log_a = in_two(log_sum), e = product(y, log_a.high);
           if (!(std::fabs(e.high) < 746)) return grows ? infinity : 0;
           const Scaled r = exponential(e.high, e.low + y * log_a.low);
           return scaled(rounded(r.value), r.exponent);
         });
}

// ---- sine, cosine, tangent ----

namespace {

// x = r + quadrant pi/2, |r| <= pi/4; the quadrant counts modulo 4.
struct Angle {
  Two r;
  std::uint64_t quadrant;
};

// The bits of 2/pi after the point, behind a word of zeros.
constexpr std::uint64_t two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// x 2/pi = m 2^e 2/pi modulo 4, in integers: of 2/pi only those 192 bits count whose products with m are below 4 and
// not too small (Payne and Hanek 1983). No double comes nearer to a multiple of pi/2 than 2^-61, which leaves 70 bits.
Angle far_angle(double x) {
  __extension__ using Wide = unsigned __int128;
  const std::uint64_t bits = bits_of(x), m = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  // From the bit that stands for 2^(1 - e).
  const std::size_t from = static_cast<std::size_t>((bits >> mantissa) & 0x7ff) - bias - mantissa + 62;
  std::uint64_t f[3];
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t* word = two_over_pi + from / 64 + i;
    f[i] = from % 64 ? word[0] << (from % 64) | word[1] >> (64 - from % 64) : word[0];
  }
  Wide p = 0;
  for (std::size_t i = 3; i-- > 0;) p = Wide(f[i]) * m + (p >> 64), f[i] = static_cast<std::uint64_t>(p);
  // Two bits are the quadrant, the others its fraction, of which the nearer end counts.
  std::uint64_t quadrant = f[0] >> 62;
  f[0] = f[0] << 2 | f[1] >> 62, f[1] = f[1] << 2 | f[2] >> 62, f[2] <<= 2;
  bool negative = false;
  if (f[0] >> 63) {
    negative = true, ++quadrant;
    for (std::uint64_t& word : f) word = ~word;  // -1 unit of the last place, which is nothing here
  }
  const auto upper = [](std::uint64_t word) { return static_cast<double>(word >> 32); };
  const auto lower = [](std::uint64_t word) { return static_cast<double>(word & 0xffffffff); };
  const Two fraction = (ordered_sum(upper(f[0]) * 0x1p-32, lower(f[0]) * 0x1p-64) +
                        ordered_sum(upper(f[1]) * 0x1p-96, lower(f[1]) * 0x1p-128)) +
                       Two{upper(f[2]) * 0x1p-160, 0};
  const Two r = fraction * half_pi;
  if (x < 0) negative = !negative, quadrant = -quadrant;
  return {negative ? -r : r, quadrant};
}

// For finite x.
Angle angle(double x) {
  // pi/2 in parts of 33, 33 and 53 bits: multiples of the first two by up to 2^20 are exact (Cody and Waite 1980).
  constexpr double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69;
  const double size = std::fabs(x);
  if (size < 0.785) return {{x, 0}, 0};
  if (size < 1e6) {
    const double shifted = x * (2 / pi.high) + round_magic, n = shifted - round_magic;
    const Two a = sum(x - n * first, -(n * second));
    const Two r = ordered_sum(a.high, -(n * third));
    // Nearer to a multiple of pi/2, bits are missing.
    if (std::fabs(r.high) > 0x1p-28) return {{r.high, r.low + a.low}, static_cast<std::uint64_t>(integer_in(shifted))};
  }
  return far_angle(x);
}

// sin(r) = r - r^3/6 + ..., |r| <= pi/4. The cube's sixth needs two doubles, later terms are small enough for one.
Two sine(const Two& a) {
  const double r = a.high;
  const Two r2 = product(r, r), cube = product(r, r2.high);
  const double z = r2.high, sixth = cube.high * (1.0 / 6), rest = (cube.high - 4 * sixth) - 2 * sixth;
  const double series =
      1.0 / 120 +
      z * (-1.0 / 5040 +
           z * (1.0 / 362880 + z * (-1.0 / 39916800 + z * (1.0 / 6227020800 +
                                                           z * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000))))));
  const Two head = ordered_sum(r, -sixth);
  const double low = a.low * (1 - z * (0.5 - z * (1.0 / 24))) - (rest + cube.low + r * r2.low) * (1.0 / 6);
  return ordered_sum(head.high, cube.high * z * series + (head.low + low));
}
// cos(r) = 1 - r^2/2 + r^4/24 - ...
Two cosine(const Two& a) {
  const double r = a.high;
  const Two r2 = product(r, r), head = ordered_sum(1, -0.5 * r2.high);
  const double z = r2.high;
  const double series =
      1.0 / 24 +
      z * (-1.0 / 720 +
           z * (1.0 / 40320 +
                z * (-1.0 / 3628800 +
                     z * (1.0 / 479001600 +
                          z * (-1.0 / 87178291200 + z * (1.0 / 20922789888000 + z * (-1.0 / 6402373705728000)))))));
  return ordered_sum(head.high, z * z * series + (head.low - (0.5 * r2.low + r * a.low * (1 - z * (1.0 / 6)))));
}

constexpr double tiny = 0x1p-27;  // below it, x^3 is beyond the last bit of x

}  // namespace

double sin(double x) {
  if (std::fabs(x) < tiny) return x;
  if (!(std::fabs(x) < infinity)) return x != x ? x + x : not_a_number;
  const Angle a = angle(x);
  const double s = rounded(a.quadrant & 1 ? cosine(a.r) : sine(a.r));
  return a.quadrant & 2 ? -s : s;
}
double cos(double x) {
  if (!(std::fabs(x) < infinity)) return x != x ? x + x : not_a_number;
  const Angle a = angle(x);
  const double c = rounded(a.quadrant & 1 ? sine(a.r) : cosine(a.r));
  return (a.quadrant + 1) & 2 ? -c : c;
}
double tan(double x) {
  if (std::fabs(x) < tiny) return x;
  if (!(std::fabs(x) < infinity)) return x != x ? x + x : not_a_number;
  const Angle a = angle(x);
  const Two s = sine(a.r), c = cosine(a.r);
  return rounded(a.quadrant & 1 ? -c / s : s / c);
}

// ---- their inverses ----

namespace {

// atan(i / 32), each from the one before: atan(a) - atan(b) = atan((a - b) / (1 + a b)).
constexpr int arcs = 32;
constexpr auto arc_table = [] {
  std::array<Two, arcs + 1> table{};
  Two sum_of_arcs{};
  for (std::size_t i = 1; i <= arcs; ++i) {
    const Two q = Two{arcs, 0} / Two{double(arcs * arcs + i * (i - 1)), 0}, q2 = q * q;
    Two r{};
    for (int n = 25; n >= 1; n -= 2) r = Two{1, 0} / Two{double(n), 0} - r * q2;
    sum_of_arcs = sum_of_arcs + r * q;
    table[i] = sum_of_arcs;  // not from table[i - 1]: that ends GCC 13
  }
  return table;
}();

// The angle whose tangent is y / x, from 0 to pi/2, for y, x >= 0, neither near the ends of the range nor both 0.
Two arc(const Two& y, const Two& x) {
  if (y.high > x.high) return half_pi - arc(x, y);
  // From the nearest angle of the table, or its neighbour, with the tangent c: y / x = tan(angle of c + angle of q).
  // NOLINTNEXTLINE(bugprone-incorrect-roundings)
  const int i = static_cast<int>(y.high / x.high * arcs + 0.5);
  const Two c = {i * (1.0 / arcs), 0}, q = (y - c * x) / (x + c * y), known = arc_table[static_cast<std::size_t>(i)];
  const double z = q.high * q.high, tail = q.high * z * (1.0 / 3 - z * (1.0 / 5 - z * (1.0 / 7 - z * (1.0 / 9))));
  const Two head = ordered_sum(known.high, q.high);
  return ordered_sum(head.high, head.low + ((known.low + q.low) - tail));
}

// sqrt(1 - x^2)
Two other_side(double x) {
  const Two square = product(x, x), rest = sum(1, -square.high);
  return square_root(sum(rest.high, rest.low - square.low));
}

}  // namespace

double asin(double x) {
  const double a = std::fabs(x);
  if (a < tiny) return x;
  if (!(a <= 1)) return x != x ? x + x : not_a_number;
  return std::copysign(rounded(arc({a, 0}, other_side(a))), x);
}
double acos(double x) {
  const double a = std::fabs(x);
  if (!(a <= 1)) return x != x ? x + x : not_a_number;
  const Two angle = arc(other_side(a), {a, 0});
  return rounded(x < 0 ? pi - angle : angle);
}
double atan(double x) { return atan2(x, 1); }
double atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  double a = std::fabs(y), b = std::fabs(x);
  if (a == infinity || b == infinity) a = a == infinity, b = b == infinity;
  if (a == 0) return std::copysign(std::signbit(x) ? pi.high : 0, y);
  Two angle;
  if (a / b < 0x1p-60) {
    angle = {a / b, 0};
  } else if (b / a < 0x1p-60) {
    angle = half_pi - Two{b / a, 0};
  } else {
    // Powers of two that keep products within the range.
    const double scale = a > 0x1p400 ? 0x1p-500 : a < 0x1p-400 ? 0x1p500 : 1;
    angle = arc({a * scale, 0}, {b * scale, 0});
  }
  return std::copysign(rounded(std::signbit(x) ? pi - angle : angle), y);
}

// ---- hyperbolic functions ----

namespace {

// exp(x) = grown 2^exponent and exp(-x) = shrunk 2^exponent for 0 <= x < 746.
struct Exponentials {
  Two grown, shrunk;
  std::int64_t exponent;
};
Exponentials both_exponentials(double x) {
  const Scaled e = exponential(x, 0);
  const Two value = ordered_sum(e.value.high, e.value.low);
  if (e.exponent > 60) return {value, {}, e.exponent};
  const double scale = power_of_two(-2 * e.exponent);
  const Two inverse = Two{1, 0} / value;
  return {value, {inverse.high * scale, inverse.low * scale}, e.exponent};
}

// sinh(x) = x + x^3/6 + ... for 0 <= x < 0.25.
Two small_sinh(double x) {
  const double z = x * x;
  const double series =
      1.0 / 6 + z * (1.0 / 120 + z * (1.0 / 5040 + z * (1.0 / 362880 + z * (1.0 / 39916800 + z * (1.0 / 6227020800)))));
  return ordered_sum(x, x * z * series);
}

}  // namespace

double sinh(double x) {
  const double a = std::fabs(x);
  if (a < tiny) return x;
  if (!(a < 746)) return x != x ? x + x : std::copysign(infinity, x);
  if (a < 0.25) return std::copysign(rounded(small_sinh(a)), x);
  const Exponentials e = both_exponentials(a);
  return std::copysign(scaled(rounded(e.grown - e.shrunk), e.exponent - 1), x);
}
double cosh(double x) {
  const double a = std::fabs(x);
  if (!(a < 746)) return x != x ? x + x : infinity;
  const Exponentials e = both_exponentials(a);
  return scaled(rounded(e.grown + e.shrunk), e.exponent - 1);
}
double tanh(double x) {
  const double a = std::fabs(x);
  if (a < tiny || x != x) return x;
  if (a > 20) return std::copysign(1, x);
  const Exponentials e = both_exponentials(a);
  const Two c = e.grown + e.shrunk;
  // Below 0.25, exp(a) is from 1 to 2: its exponent is 0, and c is twice the hyperbolic cosine.
  const Two s = a < 0.25 ? small_sinh(a) : e.grown - e.shrunk;
  return std::copysign(rounded(s / c) * (a < 0.25 ? 2 : 1), x);
}

// ---- roots ----

double cbrt(double x) {
  if (x == 0 || !(std::fabs(x) < infinity)) return x + x;
  double a = std::fabs(x), scale = 1;
  if (a < std::numeric_limits<double>::min()) a *= 0x1p54, scale = 0x1p-18;
  // a = m 2^(3 n) with m in [1, 8).
  const std::int64_t exponent = static_cast<std::int64_t>(bits_of(a) >> mantissa) - bias;
  const std::int64_t n = (exponent + 3 * bias) / 3 - bias;
  const double m = from_bits(bits_of(a) - (static_cast<std::uint64_t>(3 * n) << mantissa));
  // A third of the exponent and mantissa is a first guess within 6 %; two steps of Halley make 2e-12 of it, and one of
  // Newton with the exact remainder all bits.
  double y = from_bits(bits_of(m) / 3 + bits_of(1) / 3 * 2 - 0x0000800000000000);
  for (int i = 0; i < 2; ++i) {
    const double cube = y * y * y;
    y *= (cube + 2 * m) / (2 * cube + m);
  }
  const Two square = product(y, y), cube = product(y, square.high);
  const double rest = ((m - cube.high) - cube.low) - y * square.low;
  return std::copysign((y + rest / (3 * square.high)) * power_of_two(n) * scale, x);
}

double hypot(double x, double y) {
  double a = std::fabs(x), b = std::fabs(y);
  if (a == infinity || b == infinity) return infinity;
  if (x != x || y != y) return x + y;
  if (a < b) {
    const double larger = b;
    b = a, a = larger;
  }
  if (b <= a * 0x1p-30) return a;
  // A power of two that keeps squares within the range.
  const double scale = a > 0x1p400 ? 0x1p-600 : a < 0x1p-400 ? 0x1p600 : 1;
  a *= scale, b *= scale;
  return rounded(square_root(product(a, a) + product(b, b))) / scale;
}

}  // namespace knead::elementary
