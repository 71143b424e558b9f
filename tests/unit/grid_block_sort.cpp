// Sorting into blocks: complete, stable, the same on any number of threads; and the sparse grid that goes with it.
#include "grid/block_grid.h"
#include "grid/block_set.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace knead {
namespace {

std::vector<Vec3f> cloud(std::size_t n, float reach) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> place(-reach, reach);
  std::vector<Vec3f> x(n);
  for (Vec3f& p : x) p = {place(random), place(random), place(random)};
  return x;
}

TEST(BlockSort, every_particle_stands_once_in_its_own_block_and_batch) {
  const std::vector<Vec3f> x = cloud(50000, 2);
  const std::vector<std::int64_t> ends{10000, 10001, 50000};
  BlockSort<3> sort;
  ASSERT_EQ((sort.sort<2, float>(x, 10.f, ends)), BlockSort<3>::all_inside);
  std::vector<int> seen(x.size(), 0);
  for (int b = 0; b < sort.blocks(); ++b) {
    for (const Segment& s : sort.segments(b)) {
      std::pair<int, int> last{-1, -1};
      for (int at = s.begin; at < s.end; ++at) {
        const int p = sort.order()[at];
        ++seen[p];
        const std::pair<int, int> here{BlockLayout<3>::node_index(stencil_base<2>(x[p], 10.f)), p};
        EXPECT_GT(here, last) << "order inside a segment is by cell, then that of memory";
        last = here;
        EXPECT_EQ(sort.cells()[at], here.first);
        EXPECT_LT(p, ends[s.batch]);
        EXPECT_GE(p, s.batch == 0 ? 0 : ends[s.batch - 1]);
        EXPECT_EQ(block_key(BlockLayout<3>::block_of(stencil_base<2>(x[p], 10.f))), sort.keys()[b]);
      }
    }
  }
  for (int n : seen) EXPECT_EQ(n, 1);
}

TEST(BlockSort, particles_put_in_the_sorted_order_are_already_sorted) {
  const std::vector<Vec3f> x = cloud(50000, 2);
  const std::vector<std::int64_t> ends{10000, 10001, 50000};
  BlockSort<3> sort;
  sort.sort<2, float>(x, 10.f, ends);
  std::vector<int> permutation;
  sort.reorder(permutation, ends);
  std::vector<Vec3f> moved;
  for (int p : permutation) moved.push_back(x[p]);
  for (std::size_t i = 0, batch = 0; i < permutation.size(); ++i) {
    while (std::int64_t(i) >= ends[batch]) ++batch;
    EXPECT_LT(permutation[i], ends[batch]) << "batches stay together";
    EXPECT_GE(permutation[i], batch == 0 ? 0 : ends[batch - 1]);
  }
  const std::vector<int> told(sort.order().begin(), sort.order().end());
  sort.sort<2, float>(moved, 10.f, ends);
  EXPECT_EQ(told, std::vector<int>(sort.order().begin(), sort.order().end()));
}

TEST(BlockSort, result_does_not_depend_on_threads_nor_on_earlier_sorts) {
  const std::vector<Vec3f> before = cloud(40000, 3), x = cloud(60000, 2);
  const std::vector<std::int64_t> ends_before{40000}, ends{60000};
  std::vector<std::vector<int>> orders;
  for (int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    BlockSort<3> sort;
    if (threads == 2) sort.sort<2, float>(before, 10.f, ends_before);
    sort.sort<2, float>(x, 10.f, ends);
    orders.emplace_back(sort.order().begin(), sort.order().end());
  }
  EXPECT_EQ(orders[0], orders[1]);
  EXPECT_EQ(orders[0], orders[2]);
}

TEST(BlockSort, a_particle_beyond_all_addresses_or_not_finite_is_named) {
  std::vector<Vec3f> x = cloud(100, 1);
  const std::vector<std::int64_t> ends{100};
  for (float bad : {1e30f, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    x[42][1] = bad;
    BlockSort<3> sort;
    EXPECT_EQ((sort.sort<2, float>(x, 10.f, ends)), 42);
  }
}

TEST(BlockKey, keeps_coordinates_and_their_order) {
  const Vec3i a{-5, 1000, -block_limit + 1}, b{-5, 1001, -block_limit + 1};
  EXPECT_EQ(block_at<3>(block_key(a)), a);
  EXPECT_LT(block_key(a), block_key(b));
}

TEST(Arena, what_is_added_to_the_grid_is_taken_back) {
  BlockGrid<float, 3> grid;
  const Vec3i home{-1, 0, 3};
  grid.build({block_key(home)}, false);
  EXPECT_EQ(grid.blocks(), 8u);
  Arena<float, 3, 2> out, back;
  for (int i = 0; i < Arena<float, 3, 2>::size; ++i) out.node[i] = {{float(i), -float(i), 1}, float(i) / 2};
  out.add_to(grid.nodes, grid.neighbours(0));
  back.take_from(grid.nodes, grid.neighbours(0));
  for (int i = 0; i < Arena<float, 3, 2>::size; ++i) {
    EXPECT_EQ(back.node[i].v, out.node[i].v);
    EXPECT_EQ(back.node[i].m, out.node[i].m);
  }
}

template <int D>
void expect_the_blocks_around(const std::vector<BlockKey>& home) {
  std::set<BlockKey> around;
  for (const BlockKey key : home)
    for (int k = 0; k < BlockSet<D>::around; ++k) around.insert(block_key(block_at<D>(key) + BlockSet<D>::offset(k)));
  BlockSet<D> blocks;
  blocks.assign_around(home);
  EXPECT_EQ(blocks.keys(), std::vector<BlockKey>(around.begin(), around.end()));
  for (std::size_t b = 0; b < blocks.count(); ++b)
    for (int k = 0; k < BlockSet<D>::around; ++k) {
      const BlockKey there = block_key(block_at<D>(blocks.keys()[b]) + BlockSet<D>::offset(k));
      const int found = blocks.neighbours(b)[static_cast<std::size_t>(k)];
      EXPECT_EQ(found >= 0, around.count(there) == 1);
      EXPECT_EQ(found < 0 ? there : blocks.keys()[static_cast<std::size_t>(found)], there);
    }
}

TEST(BlockSet, holds_every_block_around_those_given_once_in_order) {
  std::mt19937 random(3);
  std::uniform_int_distribution<int> place(-6, 6);
  std::vector<BlockKey> flat, solid;
  for (int i = 0; i < 60; ++i) {  // in no order, some twice
    flat.push_back(block_key(Vec<int, 2>{place(random), place(random)}));
    solid.push_back(block_key(Vec<int, 3>{place(random), place(random), place(random)}));
  }
  expect_the_blocks_around<2>(flat);
  expect_the_blocks_around<3>(solid);
  expect_the_blocks_around<3>({});
}

}  // namespace
}  // namespace knead
