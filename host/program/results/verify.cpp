// verify: brute force's answer to a result's cells, compared with the file byte by byte.
#include "host/program/results/verify.hpp"

#include "host/files/formats/nav_file.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/progress.hpp"
#include "host/program/results/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sightline::cli {

void require_answers_version(const std::string& file, std::uint32_t version) {
  if (version == answers_version) return;
  io::fail(ErrorKind::bad_input, "{}: holds answers of version {}, this program gives version {}",
           file, version, answers_version);
}

int report_dry_run(Job& job, const Sample& sample, const char* unit) {
  job.set("/verify/would_check", sample.count);
  job.set("/verify/of", sample.total);
  job.say("would recompute {} of {}", grouped(sample.count), plural(sample.total, unit));
  return 0;
}

int report_outcome(Job& job, const Differences& d, std::uint64_t total, const VerifyArguments& a,
                   const char* unit) {
  job.set("/verify/checked", d.checked);
  job.set("/verify/of", total);
  job.set("/verify/different", d.different);
  job.set("/verify/same", d.different == 0);
  job.say("verify  {}: {} of {} recomputed by {}, {} {}", a.result, grouped(d.checked),
          plural(total, unit), a.scalar ? "the reference" : "brute force", grouped(d.different),
          agreeing(d.different, "differs", "differ"));
  if (d.different == 0) return 0;
  job.set("/verify/first/index", d.first);
  job.set("/verify/first/words", d.first_words);
  job.warn("{}: the first difference: {}", a.result, d.first_words);
  return 1;
}

void Differences::add_checked(std::uint64_t n) {
  const std::lock_guard lock(mutex_);
  checked += n;
}

void Differences::add(std::uint64_t index, const std::string& words) {
  const std::lock_guard lock(mutex_);
  ++different;
  if (index >= first) return;
  first = index;
  first_words = words;
}

Sample sample_of(const VerifyArguments& a, std::uint64_t total) {
  return {total, a.full ? total : std::min(a.sample, total), a.seed};
}

namespace {

constexpr std::uint64_t most_pairs_per_piece = 1 << 16;
constexpr std::uint64_t most_elements_per_piece = 1 << 20;

std::string words_of(io::Dtype dtype, const std::byte* from) {
  return visit_value(dtype, from, [](auto value) {
    if constexpr (std::is_same_v<decltype(value), std::uint32_t>) {
      if (value == none) return std::string("none");
    }
    return fmt::format("{}", value);
  });
}

/// Compares cells of a file with the reference's answers to them.
class Comparison {
 public:
  Comparison(const Result& r, ColumnBuffer& file, Differences& differences)
      : r_(r), file_(file), differences_(differences) {}

  /// Tells the first difference of a cell: of the file's part, and of the truth's.
  void compare(std::uint64_t index, std::uint64_t in_file, ColumnBuffer& truth,
               std::uint64_t in_truth) {
    index_ = index;
    for (std::size_t c = 0; c < file_.columns().size(); ++c) {
      const Column& column = file_.columns()[c];
      if (column.layout == Layout::cells && !same_elements(c, in_file, truth, in_truth)) return;
      if (column.layout == Layout::bits && !same_bit(c, in_file, truth, in_truth)) return;
      if (column.layout == Layout::offsets && !same_items(c, in_file, truth, in_truth)) return;
    }
  }

 private:
  bool differs(const std::string& file, const std::string& truth) {
    differences_.add(index_, fmt::format("{}: the file has {}, the reference {}",
                                         r_.element(index_), file, truth));
    return false;
  }

  /// Runs of elements as bytes; `width` of them are a cell's.
  bool same_run(const Column& column, const std::byte* file, const std::byte* truth,
                std::uint64_t width) {
    const std::uint64_t bytes = io::dtype_bytes(column.dtype);
    if (width == 0 || std::memcmp(file, truth, width * bytes) == 0) return true;
    std::uint64_t e = 0;
    while (std::memcmp(file + e * bytes, truth + e * bytes, bytes) == 0) ++e;
    const std::string axis = column.xyz ? fmt::format(".{}", "xyz"[e % 3]) : "";
    const std::uint64_t each = column.xyz ? 3 : 1;
    const std::string place = width > each ? fmt::format(" at place {}", e / each) : "";
    return differs(fmt::format("{}{} {}{}", column.words, axis,
                               words_of(column.dtype, file + e * bytes), place),
                   words_of(column.dtype, truth + e * bytes));
  }

  bool same_elements(std::size_t c, std::uint64_t in_file, ColumnBuffer& truth,
                     std::uint64_t in_truth) {
    const Column& column = file_.columns()[c];
    const std::uint64_t width = file_.width(column), bytes = width * io::dtype_bytes(column.dtype);
    return same_run(column, file_.bytes(c).data() + in_file * bytes,
                    truth.bytes(c).data() + in_truth * bytes, width);
  }

  bool same_bit(std::size_t c, std::uint64_t in_file, ColumnBuffer& truth, std::uint64_t in_truth) {
    const bool file = file_.bit(c, in_file), expected = truth.bit(c, in_truth);
    if (file == expected) return true;
    return differs(fmt::format("{} {:d}", file_.columns()[c].words, file),
                   fmt::format("{:d}", expected));
  }

  bool same_items(std::size_t c, std::uint64_t in_file, ColumnBuffer& truth,
                  std::uint64_t in_truth) {
    const std::string& name = file_.columns()[c].name;
    const auto row = file_.of<std::uint64_t>(name).subspan(in_file, 2);
    const auto expected = truth.of<std::uint64_t>(name).subspan(in_truth, 2);
    const std::uint64_t n = expected[1] - expected[0];
    if (row[0] > row[1] || row[1] > file_.items() || row[1] - row[0] != n) {
      return differs(fmt::format("offsets {} and {}", row[0], row[1]),
                     fmt::format("{} {}", n, r_.names().items));
    }
    file_.read_items(row[0], n);
    for (std::size_t i = 0; i < file_.columns().size(); ++i) {
      const Column& column = file_.columns()[i];
      if (column.layout != Layout::items) continue;
      const std::byte* const truths =
          truth.bytes(i).data() + expected[0] * io::dtype_bytes(column.dtype);
      if (!same_run(column, file_.bytes(i).data(), truths, n)) return false;
    }
    return true;
  }

  const Result& r_;
  ColumnBuffer& file_;
  Differences& differences_;
  std::uint64_t index_ = 0;
};

/// What a result, its file and the arguments give to the parts of a check.
struct Check {
  Job& job;
  const ResultFile& file;
  const Result& r;
  Grid grid;
  Differences& differences;
};

void verify_part(const Check& v, const io::GridPart& part) {
  ColumnBuffer file(v.r.columns(), v.grid, &v.file.container()), truth(v.r.columns(), v.grid);
  file.begin(part);
  truth.begin(part);
  v.r.answer(part, truth);
  Comparison comparison(v.r, file, v.differences);
  const std::uint64_t n = part.rows * part.columns;
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t row = part.row + i / part.columns, column = part.column + i % part.columns;
    comparison.compare(row * v.grid.columns + column, i, truth, i);
  }
  v.differences.add_checked(n);
}

/// Bits after the last of a row must be 0.
void check_padding(const Check& v, std::uint64_t row, std::uint64_t bits, std::uint64_t index) {
  if (bits % 64 == 0) return;
  for (const Column& c : v.r.columns()) {
    if (c.layout != Layout::bits) continue;
    const std::uint64_t words = bit_words(bits);
    const std::uint64_t last =
        v.file.read<std::uint64_t>(c.name, row * words + words - 1, 1).front();
    if (last >> (bits % 64) == 0) continue;
    v.differences.add(index, v.grid.pairs ? fmt::format("the padding of row {} is not 0", row)
                                          : fmt::format("the padding after the last {} is not 0",
                                                        v.r.names().one));
  }
}

/// What is no cell's.
void check_rest(const Check& v, bool full) {
  if (!v.grid.pairs) check_padding(v, 0, v.grid.rows, v.grid.rows);
  for (std::uint64_t row = 0; v.grid.pairs && full && row < v.grid.rows; ++row) {
    check_padding(v, row, v.grid.columns, (row + 1) * v.grid.columns);
  }
  const std::vector<Column> columns = v.r.columns();
  ColumnBuffer file(columns, v.grid, &v.file.container());
  file.begin({});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].layout == Layout::whole) {
      const std::vector<std::byte> truth = columns[c].content();
      const std::span<const std::byte> bytes = file.bytes(c);
      if (std::equal(bytes.begin(), bytes.end(), truth.begin(), truth.end())) continue;
      v.differences.add(
          0, fmt::format("the file has another {} than the reference", columns[c].words));
    } else if (columns[c].layout == Layout::offsets) {
      const auto first = v.file.read<std::uint64_t>(columns[c].name, 0, 1).front();
      const auto last = v.file.read<std::uint64_t>(columns[c].name, v.grid.rows, 1).front();
      if (first != 0) v.differences.add(0, fmt::format("the first offset is {}, not 0", first));
      if (last == file.items()) continue;
      v.differences.add(v.grid.rows, fmt::format("the last offset is {}, not the number of {}, {}",
                                                 last, v.r.names().items, file.items()));
    }
  }
  for (const Column& c : columns) {
    if (c.check) c.check(v.file, v.differences);
  }
}

void verify_all(const Check& v) {
  const std::uint64_t tests = chunk_size(Backend::reference, v.r.shapes(), most_pairs_per_piece);
  const std::uint64_t widest = ColumnBuffer(v.r.columns(), v.grid).widest();
  const std::uint64_t most =
      v.grid.pairs ? tests
                   : std::clamp<std::uint64_t>(most_elements_per_piece / widest, 1, tests / 4);
  const std::uint64_t columns =
      v.grid.pairs ? std::min(bit_words(v.grid.columns) * 64, most) : v.grid.columns;
  const std::uint64_t rows =
      v.grid.pairs ? std::max<std::uint64_t>(1, most / std::max<std::uint64_t>(1, columns)) : most;
  if (v.grid.cells() == 0) return;
  const std::uint64_t across = (v.grid.columns + columns - 1) / columns;
  const std::uint64_t down = (v.grid.rows + rows - 1) / rows;
  Progress progress("verify", std::string(v.r.names().unit), v.grid.cells(), v.job.common().quiet);
  for_each_piece(across * down, v.job.common().threads, progress, [&](std::uint64_t piece) {
    const std::uint64_t row = piece / across * rows, column = piece % across * columns;
    const io::GridPart part = {row, std::min(rows, v.grid.rows - row), column,
                               std::min(columns, v.grid.columns - column)};
    verify_part(v, part);
    return part.rows * part.columns;
  });
}

void verify_sample(const Check& v, const Sample& sample) {
  const std::uint64_t size =
      chunk_size(Backend::reference, v.r.shapes(), most_pairs_per_piece / 16);
  Progress progress("verify", std::string(v.r.names().unit), sample.count, v.job.common().quiet);
  const std::uint64_t pieces = (sample.count + size - 1) / size;
  for_each_piece(pieces, v.job.common().threads, progress, [&](std::uint64_t piece) {
    std::vector<std::uint64_t> cells;
    for (std::uint64_t k = piece * size; k < std::min((piece + 1) * size, sample.count); ++k) {
      cells.push_back(sample[k]);
    }
    ColumnBuffer file(v.r.columns(), v.grid, &v.file.container()), truth(v.r.columns(), v.grid);
    Comparison comparison(v.r, file, v.differences);
    for (const std::uint64_t cell : cells) {
      const io::GridPart part = {cell / v.grid.columns, 1, cell % v.grid.columns, 1};
      file.begin(part);
      truth.begin(part);
      v.r.answer(part, truth);
      comparison.compare(cell, 0, truth, 0);
    }
    v.differences.add_checked(cells.size());
    return cells.size();
  });
}

int verify_result(Job& job, const VerifyArguments& a) {
  const ResultFile file(a.result);
  Result& r = file.result();
  job.set("/result/file", a.result);
  job.set("/result/kind", std::string(r.names().kind));
  require_answers_version(a.result, file.answers());
  InputFiles in(job, a.inputs, a.result, r.names().kind);
  if (a.scalar) in.ask_reference();
  r.load(in);
  in.refuse_others();
  const Grid grid = r.grid();
  const Sample sample = sample_of(a, grid.cells());
  const std::string unit(r.names().unit);
  if (job.common().dry_run) return report_dry_run(job, sample, unit.c_str());
  Differences differences;
  const Check v{job, file, r, grid, differences};
  job.timed("verify", [&] {
    if (sample.is_full()) {
      verify_all(v);
    } else {
      verify_sample(v, sample);
    }
    check_rest(v, sample.is_full());
  });
  return report_outcome(job, differences, grid.cells(), a, unit.c_str());
}

int run_verify(Job& job, const VerifyArguments& a) {
  std::vector<std::string> inputs = InputFiles(job, a.inputs).names();
  inputs.push_back(a.result);
  check_files(job, inputs, {});
  return io::is_nav(a.result) ? verify_nav_file(job, a) : verify_result(job, a);
}

}  // namespace

void add_verify(Verb& v) {
  auto& a = v.runs<VerifyArguments>(run_verify,
                                    "sightline verify hits.st city.st rays.st\n"
                                    "sightline verify seen.st city.st eyes.npy --full");
  v.positional("RESULT", a.result, "any result, or a navigation map, to check");
  v.positionals(
      "FILES", a.inputs,
      "what it was computed from, in any order: each is recognised by its hash; or by name:");
  v.input("--scene", a.inputs, "SCENE", "its scene");
  v.rays(a.inputs, true);
  v.fields(a.inputs, true);
  const std::tuple<const char*, const char*, const char*> others[] = {
      {"--radius", "R.npy", "its rays' radii, where a file of their own has them"},
      {"--from", "A", "its viewpoints"},
      {"--to", "B", "its targets, where they are not the viewpoints; its ends"},
      {"--points", "P", "its points"},
      {"--areas", "AREAS", "its areas"},
      {"--with", "SHAPES", "its query shapes, of overlap"},
      {"--capsules", "SHAPES", "its shapes that move, along --directions"},
      {"--circles", "C.npy", "its circles, of flat"},
      {"--segments", "S.npy", "its segments, of flat"}};
  for (const auto& [name, type, words] : others) v.input(name, a.inputs, type, words);
  const Option sample = v.count("--sample", a.sample, 1, std::uint64_t{1} << 40, "N",
                                "rays, pairs, shapes or points to recompute");
  v.flag("--full", a.full, "recompute all of them").excludes(sample);
  v.count("--seed", a.seed, 0, unlimited, "S", "of the sample");
  v.flag("--scalar", a.scalar,
         "by the reference: one shape after the other, some ten times slower");
  v.threads();
  v.report();
  v.dry_run();
}
}  // namespace sightline::cli
