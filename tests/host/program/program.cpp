#include "tests/host/program/program.hpp"

#include "host/files/core/container.hpp"
#include "host/files/formats/points_file.hpp"
#include "host/files/formats/rays_file.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/gen/rays.hpp"
#include "tests/support/places.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <random>
#include <stdexcept>

namespace sightline::cli {

using nlohmann::json;

namespace {

/// Words of the running program, apart from the files under test.
std::string words_file(pid_t process, const char* which) {
  return (std::filesystem::temp_directory_path() /
          ("sightline-" + std::to_string(process) + "." + which))
      .string();
}

std::string take(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  std::error_code ignored;
  std::filesystem::remove(name, ignored);
  return text;
}

void redirect(int descriptor, const std::string& name) {
  const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(99);
}

}  // namespace

pid_t ProgramTest::start(const Arguments& arguments, const RunOptions& options) const {
  Arguments all = Arguments{testing::program_path()} + arguments;
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t process = ::fork();
  if (process < 0) throw std::runtime_error("no process can be started");
  if (process != 0) return process;
  ::signal(SIGHUP, SIG_DFL);  // ignored under nohup
  const pid_t self = ::getpid();
  redirect(STDOUT_FILENO, options.out_to.empty() ? words_file(self, "out") : options.out_to);
  redirect(STDERR_FILENO, words_file(self, "err"));
  if (options.largest_file > 0) {
    const rlimit limit = {options.largest_file, options.largest_file};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(99);
  }
  for (const auto& [name, value] : options.environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  if (::chdir(folder_.c_str()) != 0) ::_exit(99);
  ::execv(argv[0], argv.data());
  ::_exit(99);
}

Outcome ProgramTest::wait_for(pid_t process) const {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  Outcome run;
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  run.out = take(words_file(process, "out"));
  run.err = take(words_file(process, "err"));
  return run;
}

Outcome ProgramTest::run(const Arguments& arguments, const RunOptions& options) const {
  return wait_for(start(arguments, options));
}

json ProgramTest::json_of(const Arguments& arguments, const Arguments& more) const {
  const Outcome done = run(arguments + more + Arguments{"--json", "-"});
  EXPECT_EQ(done.exit_code, 0) << done.err;
  return json::parse(done.out, nullptr, false);
}

Outcome ProgramTest::expect_difference(const Arguments& verify, std::uint64_t index,
                                       std::uint64_t many) const {
  const Outcome done = run(verify + Arguments{"--json", "-"});
  EXPECT_EQ(done.exit_code, 1) << done.err;
  EXPECT_TRUE(done.said("first difference")) << done.err;
  const json report = json::parse(done.out);
  EXPECT_EQ(report["verify"]["different"], many) << done.err;
  EXPECT_EQ(report["verify"]["first"]["index"], index) << done.err;
  EXPECT_EQ(report["verify"]["same"], false);
  EXPECT_EQ(report["exit_code"], 1);
  return done;
}

void ProgramTest::expect_failure(int exit_code, const std::vector<std::string>& words,
                                 const Arguments& arguments, const RunOptions& options) {
  const std::vector<std::string> before = names();
  const Outcome done = run(arguments, options);
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  SCOPED_TRACE("sightline " + line + "\n" + done.err);
  EXPECT_EQ(done.exit_code, exit_code);
  for (const std::string& word : words) EXPECT_TRUE(done.said(word)) << "lacks '" << word << "'";
  EXPECT_EQ(names(), before) << "files were left";
}

void ProgramTest::make_city(std::uint64_t shapes, std::uint64_t rays, const std::string& kind) {
  const Scene scene = gen::make_scene(gen::SceneKind::city, shapes, 1);
  io::write_scene(path("city.st"), scene);
  if (rays == 0) return;
  const gen::RayKind ray_kind = gen::ray_kind(kind).value();
  const gen::RaySet set = gen::make_rays(ray_kind, scene, gen::SceneKind::city, rays, 1);
  io::RaysWriter writer(path("rays.st"), rays);
  writer.write(0, set.view());
  writer.commit();
}

void ProgramTest::make_points(std::uint64_t count, const std::string& name, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&](double most) {
    return static_cast<float>(most * static_cast<double>(random() >> 11) * 0x1p-53);
  };
  io::Points points;
  for (std::uint64_t i = 0; i < count; ++i) {
    const float x = uniform(200), y = uniform(200);
    points.position.push_back({x, y, 1.7f});
  }
  io::write_points(path(name), points);
}

void ProgramTest::flip(const std::string& name, std::uint64_t offset, unsigned char bits) {
  std::string bytes = get(name);
  ASSERT_LT(offset, bytes.size());
  bytes[offset] = static_cast<char>(static_cast<unsigned char>(bytes[offset]) ^ bits);
  put(name, bytes);
}

std::uint64_t ProgramTest::offset_of(const std::string& name, const std::string& tensor,
                                     std::uint64_t byte) const {
  const io::ContainerReader file(path(name));
  const io::TensorInfo* info = file.find(tensor);
  if (info == nullptr) throw std::runtime_error(name + " lacks " + tensor);
  std::uint64_t header = 0;
  std::memcpy(&header, get(name).data(), sizeof header);
  return sizeof header + header + info->begin + byte;
}

std::vector<std::string> ProgramTest::names() const {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    all.push_back(entry.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void ProgramTest::rewrite(const std::string& from, const std::string& to,
                          const io::Metadata& changed,
                          const std::map<std::string, io::Shape>& shapes) const {
  const io::ContainerReader in(path(from));
  io::Metadata metadata = changed;
  metadata.insert(in.metadata().begin(), in.metadata().end());
  std::vector<io::TensorSpec> tensors;
  for (const io::TensorInfo& t : in.tensors()) {
    const auto shape = shapes.find(t.name);
    tensors.push_back({t.name, t.dtype, shape == shapes.end() ? t.shape : shape->second});
  }
  io::ContainerWriter out(path(to), tensors, metadata);
  for (const io::TensorSpec& t : tensors) {
    const std::uint64_t n = io::element_count(t.shape).value_or(0);
    std::vector<std::byte> bytes(n * io::dtype_bytes(t.dtype));
    if (n > 0) in.read(*in.find(t.name), 0, n, bytes.data());
    out.write(t.name, 0, n, bytes.data());
  }
  out.commit();
}

}  // namespace sightline::cli
