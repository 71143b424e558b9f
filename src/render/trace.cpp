#include "render/trace.h"

#include "base/parallel.h"
#include "render/samples.h"
#include "render/shade.h"

namespace knead {
namespace {

constexpr int mixed_surface = -2;

// What the rays of a pixel saw, added up.
struct Pixel {
  Vec3f color{}, paint{}, light{}, veil{}, normal{};
  int count = 0;
  int surface = mixed_surface;  // that of all rays, or mixed
};

class Tracing {
 public:
  Tracing(const TraceScene& scene, const View& view, int samples)
      : view_(view),
        samples_(std::max(1, samples)),
        tracer_(scene),
        light_(light_for(view, scene.up)),
        shader_(scene, tracer_, light_, view.pixel_angle()),
        table_(samples_),
        pixels_(std::size_t(view.width) * view.height) {}

  Image run() {
    // A few rays everywhere, then all the rays where there is detail.
    const int few = samples_ >= 8 ? samples_ / 4 : samples_;
    for_pixels([&](int x, int y) { add_samples(x, y, 0, few); });
    if (few < samples_) {
      std::vector<char> detailed(pixels_.size());
      for_pixels([&](int x, int y) { detailed[index(x, y)] = has_detail(x, y); });
      for_pixels([&](int x, int y) {
        if (detailed[index(x, y)]) add_samples(x, y, few, samples_);
      });
    }
    Image image(view_.width, view_.height);
    for_pixels([&](int x, int y) { image.at(x, y) = color_of_light(final_color(x, y)); });
    return image;
  }

 private:
  std::size_t index(int x, int y) const { return std::size_t(y) * view_.width + std::size_t(x); }

  // In tiles of 16 x 16: neighbouring rays meet the same things.
  template <class Body>
  void for_pixels(Body&& body) {
    const int columns = (view_.width + 15) / 16, rows = (view_.height + 15) / 16;
    parallel_for(std::size_t(columns) * rows, 1, [&](std::size_t tile) {
      const int x0 = int(tile % columns) * 16, y0 = int(tile / columns) * 16;
      for (int y = y0; y < std::min(y0 + 16, view_.height); ++y)
        for (int x = x0; x < std::min(x0 + 16, view_.width); ++x) body(x, y);
    });
  }

  void add_samples(int x, int y, int from, int to) {
    const std::uint32_t hash = hashed(std::uint32_t(index(x, y)) + 1);
    Pixel& pixel = pixels_[index(x, y)];
    for (int i = from; i < to; ++i) {
      const Vec2f& place = table_.alone(hash, i, 0);
      const Vec3f direction = resized<float, 3>(view_.direction(double(x) + place[0], double(y) + place[1]));
      const Hit hit = shader_.first_hit(resized<float, 3>(view_.eye), direction);
      const std::vector<Hit> layers = tracer_.layers(resized<float, 3>(view_.eye), direction, hit.distance);
      const bool alone = hit.surface == Surface::ball || !layers.empty();
      const Vec2f& sun = alone ? table_.alone(hash, i, 1) : table_.shared(x, y, i, 1);
      const Vec2f& sky = alone ? table_.alone(hash, i, 2) : table_.shared(x, y, i, 2);
      add(pixel, shader_.seen_through(layers, shader_.seen(hit, direction, sun, sky), direction, sun, sky));
    }
  }

  // Rays are developed one by one, so that a bright ray does not outshine the others of its pixel at an edge.
  static void add(Pixel& p, const Seen& s) {
    p.color += developed(scaled(s.paint, s.light) + s.veil);
    p.paint += s.paint;
    p.light += s.light;
    p.veil += s.veil;
    p.normal += s.normal;
    p.surface = p.count == 0 || p.surface == s.surface ? s.surface : mixed_surface;
    ++p.count;
  }

  // Balls and edges need all rays; so does a pixel next to one that sees something else, whose edge may pass unseen.
  bool has_detail(int x, int y) const {
    const int surface = pixels_[index(x, y)].surface;
    if (surface < 0) return true;
    for (int v = std::max(0, y - 1); v <= std::min(view_.height - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(view_.width - 1, x + 1); ++u)
        if (pixels_[index(u, v)].surface != surface) return true;
    return false;
  }

  // On a smooth surface the light is the mean over the 4 x 4 pixels that share their samples, and half of the next ones
  // on either side, as far as they lie on the same surface and face the same way.
  Vec3f final_color(int x, int y) const {
    const Pixel& p = pixels_[index(x, y)];
    if (p.surface <= 0) return p.color / float(p.count);
    const Vec3f normal = normalized(p.normal);
    Vec3f light{};
    float weight = 0;
    for (int v = -2; v <= 2; ++v)
      for (int u = -2; u <= 2; ++u) {
        const int i = x + u, j = y + v;
        if (i < 0 || j < 0 || i >= view_.width || j >= view_.height) continue;
        const Pixel& q = pixels_[index(i, j)];
        if (q.surface != p.surface || dot(normalized(q.normal), normal) < 0.95f) continue;
        const float w = (u * u == 4 ? 0.5f : 1.f) * (v * v == 4 ? 0.5f : 1.f);
        light += q.light * (w / float(q.count));
        weight += w;
      }
    const float share = 1 / float(p.count);
    return developed(scaled(p.paint * share, light / weight) + p.veil * share);
  }

  const View& view_;
  int samples_;
  Tracer tracer_;
  Light light_;
  Shader shader_;
  SampleTable table_;
  std::vector<Pixel> pixels_;
};

}  // namespace

Image trace(const TraceScene& scene, const View& view, int samples) { return Tracing(scene, view, samples).run(); }

}  // namespace knead
