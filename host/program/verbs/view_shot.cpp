// view: a still of the page, drawn by a browser that is installed.
#include "host/files/core/file.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/verbs/view.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace sightline::cli {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// Firefox leaves 3D out of its stills.
constexpr const char* browsers[] = {"chromium", "chromium-browser", "google-chrome"};
/// How long it may take.
constexpr auto patience = 300s;

/// The address at which a page says on its console how it went: all but letters, digits and a few
/// signs as %XX.
std::string address_of(const fs::path& file) {
  std::string address = "file://";
  for (const char c : fs::absolute(file).string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                       std::string_view("/-_.~").find(c) != std::string_view::npos;
    address += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return address + "?shot";
}

/// A new empty folder, gone with its owner.
class EmptyFolder {
 public:
  EmptyFolder() {
    std::string name = (fs::temp_directory_path() / "sightline-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) io::fail_with(errno, name, "cannot be made");
    path_ = name;
  }
  EmptyFolder(const EmptyFolder&) = delete;
  EmptyFolder& operator=(const EmptyFolder&) = delete;
  ~EmptyFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> command_of(const std::string& browser, const std::string& page,
                                    const fs::path& folder, const std::string& picture) {
  std::vector<std::string> words = {browser,
                                    "--headless",
                                    "--user-data-dir=" + (folder / "profile").string(),
                                    "--no-first-run",
                                    "--hide-scrollbars",
                                    "--enable-logging=stderr",
                                    "--enable-unsafe-swiftshader",
                                    "--window-size=1280,800",
                                    "--screenshot=" + picture};
  // Chromium has no sandbox for root. The page's policy lets nothing but its own script run.
  if (::geteuid() == 0) words.emplace_back("--no-sandbox");
  words.push_back(address_of(page));
  return words;
}

/// Runs a command, what it says in a file; in a group of its own, so that all of it can be ended.
/// Returns whether it ended well and in time.
bool run_quietly(std::vector<std::string> words, const std::string& said) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  posix_spawnattr_t settings;
  posix_spawnattr_init(&settings);
  posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETPGROUP);
  pid_t process = -1;
  const int error =
      ::posix_spawn(&process, words[0].c_str(), &files, &settings, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&settings);
  if (error != 0) return false;
  const auto end = std::chrono::steady_clock::now() + patience;
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    try {
      poll_interrupt();
    } catch (const Interrupted&) {
      ::kill(-process, SIGKILL), ::waitpid(process, &status, 0);
      throw;
    }
    if (std::chrono::steady_clock::now() > end) {
      ::kill(-process, SIGKILL), ::waitpid(process, &status, 0);
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string bytes_of(const std::string& name) {
  const io::File file(name);
  std::string bytes(file.size(), '\0');
  file.read(0, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

std::string find_browser() {
  const char* const path = std::getenv("PATH");
  std::string_view folders = path == nullptr ? "" : path;
  std::vector<std::string> all;
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    if (end > 0) all.emplace_back(folders.substr(0, end));
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  for (const char* name : browsers) {
    for (const std::string& folder : all) {
      std::string file = folder + "/" + name;
      if (::access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file)) return file;
    }
  }
  io::fail(ErrorKind::device,
           "--shot: there is no browser: install one of {}, or leave out --shot and open the page",
           fmt::join(browsers, ", "));
}

void take_shot(const std::string& browser, const std::string& page, const std::string& picture) {
  const EmptyFolder folder;
  const std::string drawn = (folder.path() / "shot.png").string();
  const std::string said = (folder.path() / "said").string();
  const std::vector<std::string> command = command_of(browser, page, folder.path(), drawn);
  if (!run_quietly(command, said) || !io::exists(drawn)) {
    io::fail(ErrorKind::device, "{}: {} drew no picture of {}, which you can open yourself",
             picture, browser, page);
  }
  const std::string words = bytes_of(said);
  if (words.find("sightline view: ready") == std::string::npos) {
    const bool told = words.find("sightline view: problem") != std::string::npos;
    io::fail(ErrorKind::device, "{}: in {}, {} {}: open the page yourself", picture, browser, page,
             told ? "shows a problem" : "was not ready in time");
  }
  io::write_file(picture, bytes_of(drawn));
}

}  // namespace sightline::cli
