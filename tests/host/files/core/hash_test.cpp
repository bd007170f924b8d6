#include "host/files/core/hash.hpp"

#include "host/files/core/container.hpp"
#include "tests/host/files/io_test.hpp"

namespace sightline::io {
namespace {

using HashTest = IoTest;

TensorSource source(const std::string& name, Dtype dtype, const Shape& shape,
                    const std::string& bytes) {
  return {name, dtype, shape, [bytes, dtype](std::uint64_t first, std::uint64_t count, void* to) {
            const std::uint64_t size = dtype_bytes(dtype);
            std::memcpy(to, bytes.data() + first * size, count * size);
          }};
}

TEST_F(HashTest, IsGolden) {
  // XXH3_128bits of the bytes that docs/reference/formats.md lists, laid out by hand.
  EXPECT_EQ(content_hash({}), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(content_hash({source("a", Dtype::u8, {3}, "xyz")}), "74f1ffbd8e2acd4fbd7a1300861849a7");
}

TEST_F(HashTest, DependsOnNameDtypeShapeAndBytes) {
  const std::string base = content_hash({source("a", Dtype::u32, {2}, "01234567")});
  EXPECT_EQ(base.size(), 32u);
  EXPECT_EQ(base, content_hash({source("a", Dtype::u32, {2}, "01234567")}));
  EXPECT_NE(base, content_hash({source("b", Dtype::u32, {2}, "01234567")}));
  EXPECT_NE(base, content_hash({source("a", Dtype::f32, {2}, "01234567")}));
  EXPECT_NE(base, content_hash({source("a", Dtype::u32, {2, 1}, "01234567")}));
  EXPECT_NE(base, content_hash({source("a", Dtype::u32, {2}, "01234566")}));
}

TEST_F(HashTest, DoesNotDependOnTheSpellingOfTheFile) {
  const std::string a = R"("a":{"dtype":"U8","shape":[2],"data_offsets":)";
  const std::string b = R"("b":{"dtype":"U8","shape":[1],"data_offsets":)";
  put("1", container_bytes("{" + a + "[0,2]}," + b + "[2,3]}}", "xyz"));
  put("2", container_bytes("{ " + b + "[0,1]}, " + a + "[1,3]}, \"__metadata__\":{\"k\":\"v\"} } ",
                           "zxy"));
  put("3", container_bytes("{" + a + "[0,2]}," + b + "[2,3]}}", "xyw"));
  const auto hash = [this](const char* name) { return content_hash(ContainerReader(path(name))); };
  EXPECT_EQ(hash("1"), hash("2"));
  EXPECT_NE(hash("1"), hash("3"));
  EXPECT_EQ(hash("1"),
            content_hash({source("b", Dtype::u8, {1}, "z"), source("a", Dtype::u8, {2}, "xy")}));
}

TEST_F(HashTest, StreamsInWholeRows) {
  const std::uint64_t n = chunk_elements / 3 + 5;
  std::string bytes(n * 3, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  std::string gathered;
  for_each_chunk(source("a", Dtype::u8, {n, 3}, bytes),
                 [&](std::uint64_t first, std::uint64_t count, const void* from) {
                   EXPECT_EQ(first % 12, 0u);
                   EXPECT_EQ(first, gathered.size());
                   gathered.append(static_cast<const char*>(from), count);
                 });
  EXPECT_EQ(gathered, bytes);
}

}  // namespace
}  // namespace sightline::io
