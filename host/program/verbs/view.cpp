// view: one HTML page that shows a level and what it sees.
#include "host/program/verbs/view.hpp"

#include "host/files/core/file_format.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/inputs.hpp"
#include "host/program/jobs/memory.hpp"

#include <filesystem>

namespace sightline::cli {
namespace {

int run_view(Job& job, const ViewArguments& a) {
  std::vector<std::string> inputs;
  for (const NamedFile& f : a.files) inputs.push_back(f.file);
  if (inputs.empty()) {
    throw Error(ErrorKind::usage, "view: name a scene, and points and results that belong to it");
  }
  if (a.shot.empty()) {
    check_files(job, inputs, {a.output});
  } else {
    check_files(job, inputs, {a.output, a.shot});
    require_ending(a.shot, {".png"});
  }
  if (!io::has_ending(a.output, ".html")) {
    io::fail(ErrorKind::usage, "{}: a page is written as .html", a.output);
  }
  const std::string browser = a.shot.empty() ? "" : find_browser();
  PageInMemory made = page_of(job, a);
  io::Page& page = made.page;
  page.answers = answers_version;
  page.title = a.title.empty() ? page.data.front().name : a.title;
  std::uint64_t bytes = 0;
  for (const io::PageData& data : page.data) bytes += io::bytes_of_data(data);
  job.set("/counts/files", std::uint64_t{page.data.size()});
  job.set("/bytes/data", bytes);
  job.set("/bytes/memory", made.bytes + io::page_memory);
  require_memory(job.common().max_memory, io::page_memory, "the buffers of the page");
  if (job.common().dry_run) {
    job.say("would write {}: {} from {} before compression", a.output,
            plural(page.data.size(), "files"), format_bytes(bytes));
    job.say("would hold {}", format_bytes(made.bytes + io::page_memory));
    return 0;
  }
  job.timed("page", [&] { io::write_page(a.output, page); });
  job.set("/page/file", a.output);
  job.wrote(a.output, fmt::format("{} in {}", plural(page.data.size(), "files"),
                                  format_bytes(io::File(a.output).size())));
  if (a.shot.empty()) return 0;
  job.timed("shot", [&] { take_shot(browser, a.output, a.shot); });
  job.set("/picture/file", a.shot);
  job.wrote(a.shot);
  return 0;
}

/// A size, or 0.
std::string as_bytes(std::string& text) {
  const auto bytes = parse_bytes(text);
  if (!bytes) return io::in_quotes(text) + " is not a size such as 67108864, 64M or 1G";
  text = std::to_string(*bytes);
  return "";
}

}  // namespace

void add_view(Verb& v) {
  auto& a = v.runs<ViewArguments>(
      run_view,
      "sightline view city.st eyes.npy seen.st -o view.html\n"
      "sightline view level.json level.nav places.st cover.st -o level.html --title Harbour\n"
      "sightline view city.st eyes.npy large.st -o view.html --rows 100 --shot view.png");
  v.positionals("FILES", a.files,
                "a scene, its points, areas, rays and navigation map, and results computed from "
                "them, in any order");
  v.output(a.output, "VIEW.html", "page to write");
  v.output("--shot", a.shot, "P.png",
           "also a still of the page, by an installed chromium or google-chrome");
  v.add("--title", a.title, "TEXT", "title of the page; default: the scene's name", files_out);
  v.add("--max-embedded", a.most, "BYTES",
        "the most that one file may take in the page before compression; of larger matrices it "
        "holds the sums of rows and columns",
        files_out)
      .transform(as_bytes)
      .told_default("64M");
  v.add("--rows", a.rows, "K", "also K rows of such a matrix, spread evenly", files_out)
      .whole(0, 1'000'000)
      .without_default();
  v.max_memory(), v.report(), v.dry_run();
}

}  // namespace sightline::cli
