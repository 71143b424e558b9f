// NPZ: an archive of NumPy arrays, one a column, as numpy.load reads it. The archive is a ZIP file whose members are
// stored as they are.
#include "output/exporter_list.h"

#include <array>
#include <bit>
#include <limits>

namespace knead {

namespace {

static_assert(std::endian::native == std::endian::little, "the arrays say that they are little-endian");

// CRC-32 of ZIP files (polynomial 0xEDB88320), eight bytes at a time.
class Crc32 {
 public:
  void add(const void* data, std::size_t size) {
    static const Tables t = make_tables();
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; size -= 8, p += 8) {
      std::uint32_t low, high;
      std::memcpy(&low, p, 4);
      std::memcpy(&high, p + 4, 4);
      low ^= value_;
      value_ = t[7][low & 255] ^ t[6][low >> 8 & 255] ^ t[5][low >> 16 & 255] ^ t[4][low >> 24] ^ t[3][high & 255] ^
               t[2][high >> 8 & 255] ^ t[1][high >> 16 & 255] ^ t[0][high >> 24];
    }
    for (; size > 0; --size) value_ = t[0][(value_ ^ *p++) & 255] ^ value_ >> 8;
  }
  std::uint32_t value() const { return ~value_; }

 private:
  using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
  static Tables make_tables() {
    Tables t;
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1 ? 0xEDB88320u : 0);
      t[0][i] = c;
    }
    for (std::size_t k = 1; k < 8; ++k)
      for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
    return t;
  }
  std::uint32_t value_ = 0xFFFFFFFFu;
};

class Zip {
 public:
  explicit Zip(WholeFile& file) : file_(file) {}

  // A member made of a head and data.
  void add(const std::string& name, const std::string& head, const void* data, std::size_t size) {
    Crc32 crc;
    crc.add(head.data(), head.size());
    crc.add(data, size);
    const std::uint64_t total = head.size() + size;
    if (at_ + total > std::numeric_limits<std::uint32_t>::max() - 65536)
      fail(Exit::resources,
           "a frame of more than 4 GiB does not fit an npz file; export fewer columns, or read the HDF5 frames");
    const std::string common = two(20) + two(0) + two(0) + two(0) + two(date) + four(crc.value()) + four(total) +
                               four(total) + two(name.size()) + two(0);
    directory_ += "PK\x01\x02" + two(20) + common + two(0) + two(0) + two(0) + four(0) + four(at_) + name;
    ++members_;
    put("PK\x03\x04" + common + name + head);
    file_.write(data, size);
    at_ += size;
  }

  void finish() {
    const std::uint64_t begin = at_;
    put(directory_);
    put("PK\x05\x06" + two(0) + two(0) + two(members_) + two(members_) + four(directory_.size()) + four(begin) +
        two(0));
  }

 private:
  // 1 January 1980, where the format's calendar begins: equal frames give equal files.
  static constexpr std::uint64_t date = 1 << 5 | 1;

  static std::string little_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
    return text;
  }
  static std::string two(std::uint64_t value) { return little_endian(value, 2); }
  static std::string four(std::uint64_t value) { return little_endian(value, 4); }
  void put(const std::string& bytes) {
    file_.write(bytes);
    at_ += bytes.size();
  }

  WholeFile& file_;
  std::string directory_;
  std::uint64_t at_ = 0, members_ = 0;
};

// The head of a NumPy array file: its type and shape, padded so that the numbers begin at a multiple of 64 bytes.
std::string npy_head(const std::string& type, const std::string& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  constexpr std::size_t fixed = 10;
  text.append(63 - (fixed + text.size()) % 64, ' ');
  text += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(text.size() & 255) +
         static_cast<char>(text.size() >> 8) + text;
}

std::string shape_of(const Column& column, std::size_t count, int dimension) {
  if (column.components == dimension * dimension) return fmt::format("({}, {}, {})", count, dimension, dimension);
  return column.components == 1 ? fmt::format("({},)", count) : fmt::format("({}, {})", count, column.components);
}

class Npz final : public Exporter {
 public:
  std::string name() const override { return "npz"; }
  std::string doc() const override { return "NumPy arrays, one per column; for numpy.load"; }

  void write(const Frame& frame, WholeFile& file) const override {
    Zip zip(file);
    auto add_number = [&](const char* label, const char* type, auto value) {
      zip.add(std::string(label) + ".npy", npy_head(type, "()"), &value, sizeof value);
    };
    add_number("time", "<f8", frame.time);
    add_number("frame", "<i8", frame.number);
    add_number("step", "<i8", frame.step);
    add_number("dimension", "<i8", std::int64_t(frame.dimension));
    add_number("dx", "<f8", frame.dx);
    for (const Column& c : frame.particles.columns()) {
      const char* type = c.scalar == Scalar::f32 ? "<f4" : c.scalar == Scalar::f64 ? "<f8" : "<i4";
      zip.add(c.name + ".npy", npy_head(type, shape_of(c, frame.particles.count(), frame.dimension)), c.data.data(),
              c.data.size());
    }
    zip.finish();
  }
};

}  // namespace

const Exporter& npz_exporter() {
  static const Npz exporter;
  return exporter;
}

}  // namespace knead
