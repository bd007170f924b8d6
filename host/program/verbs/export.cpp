// export: a file as a table for spreadsheets, data frames and other programs.
#include "host/files/core/file_format.hpp"
#include "host/files/core/hash.hpp"
#include "host/files/core/npy.hpp"
#include "host/files/core/text_file.hpp"
#include "host/files/core/text_table.hpp"
#include "host/files/formats/file_kind.hpp"
#include "host/program/command_line/options.hpp"
#include "host/program/jobs/bit_matrix.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/jobs/interrupt.hpp"
#include "host/program/verbs/export_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sightline::cli {
namespace {

using io::TextTable;

struct ExportArguments {
  std::string file;
  std::string scene;  ///< whose labels are told instead of ids, or ""
  RowFiles rows;
  std::vector<std::string> columns;  ///< empty: all that fit into one table
  std::string output;
};

/// What a row of the table is.
enum class RowKind { cells, pairs, items };

/// A column of the table: one number of each element of a result's column.
struct TableField {
  std::string name;
  std::size_t column = 0;
  std::uint64_t number = 0, width = 1;
  bool label = false;  ///< instead of an id
};

bool is_id(const Column& c) { return c.name == "id" && c.dtype == io::Dtype::u32; }

/// The layout that makes rows.
bool makes(const Column& c, RowKind rows, const Grid& grid) {
  if (rows == RowKind::items) return c.layout == Layout::items;
  return c.layout == Layout::cells || (c.layout == Layout::bits && !grid.pairs);
}

RowKind kind_of_rows(const Result& r, const std::vector<std::string>& chosen) {
  const std::vector<Column> columns = r.columns();
  const auto any = [&](Layout layout, bool named) {
    return std::any_of(columns.begin(), columns.end(), [&](const Column& c) {
      const bool own = named && std::find(chosen.begin(), chosen.end(), c.name) == chosen.end();
      return c.layout == layout && !own;
    });
  };
  if (r.grid().pairs && any(Layout::bits, false)) return RowKind::pairs;
  return any(Layout::items, !chosen.empty()) ? RowKind::items : RowKind::cells;
}

/// "normal_x", "distance_0", "point_0_x".
std::string name_of(const Column& c, std::uint64_t number, std::uint64_t width) {
  if (width == 1) return c.name;
  if (!c.xyz) return fmt::format("{}_{}", c.name, number);
  const char axis = "xyz"[number % 3];
  return width == 3 ? fmt::format("{}_{}", c.name, axis)
                    : fmt::format("{}_{}_{}", c.name, number / 3, axis);
}

void refuse_twice(const ExportArguments& a) {
  for (const std::string& name : a.columns) {
    if (std::ranges::count(a.columns, name) == 1) continue;
    io::fail(ErrorKind::usage, "--columns names {} twice", io::in_quotes(name));
  }
}

std::vector<TableField> table_fields(const Result& r, RowKind rows, const ExportArguments& a,
                                     const NamesOf& labels) {
  const std::vector<Column> columns = r.columns();
  const ColumnBuffer buffer(columns, r.grid());
  refuse_twice(a);
  std::vector<std::string> left = a.columns;
  std::vector<TableField> fields;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& c = columns[i];
    if (!makes(c, rows, r.grid())) continue;
    const auto chosen = std::find(left.begin(), left.end(), c.name);
    if (!a.columns.empty() && chosen == left.end()) continue;
    if (chosen != left.end()) left.erase(chosen);
    const std::uint64_t width = c.layout == Layout::cells ? buffer.width(c) : 1;
    const bool label = labels.given() && is_id(c);
    Column named = c;
    if (label) named.name = labels.word();
    if (c.layout == Layout::bits) named.name = c.words;
    for (std::uint64_t k = 0; k < width; ++k) {
      fields.push_back({name_of(named, k, width), i, k, width, label});
    }
  }
  if (!left.empty()) {
    std::vector<std::string> known;
    for (const Column& c : columns) {
      if (makes(c, rows, r.grid())) known.push_back(c.name);
    }
    io::fail(ErrorKind::usage, "{}: has no column {} in a table of {}; there are {}", a.file,
             io::in_quotes(left.front()),
             rows == RowKind::pairs   ? "pairs"
             : rows == RowKind::items ? r.names().items
                                      : r.names().unit,
             known.empty() ? "none to choose" : fmt::format("{}", fmt::join(known, ", ")));
  }
  if (labels.given() &&
      std::none_of(fields.begin(), fields.end(), [](const TableField& f) { return f.label; })) {
    throw Error(ErrorKind::usage,
                a.file + ": no column of ids is written, which --scene could name: leave it out");
  }
  return fields;
}

void put_fields(TextTable& table, ColumnBuffer& buffer, const std::vector<TableField>& fields,
                const NamesOf& labels, std::uint64_t at) {
  for (const TableField& f : fields) {
    const Column& c = buffer.columns()[f.column];
    if (c.layout == Layout::bits) {
      table.put(std::uint64_t{buffer.bit(f.column, at)});
      continue;
    }
    const std::byte* const from =
        buffer.bytes(f.column).data() + (at * f.width + f.number) * io::dtype_bytes(c.dtype);
    visit_value(c.dtype, from, [&](auto value) {
      if constexpr (std::is_same_v<decltype(value), float>) {
        table.put(value);
      } else if (f.label) {
        labels.put(static_cast<std::uint32_t>(value), table);
      } else if (is_id(c) && value == none) {
        table.put_nothing();
      } else {
        table.put(std::uint64_t{value});
      }
    });
  }
}

/// Calls use(i, j) for each set bit of a matrix.
template <class Use>
void for_each_pair(const ResultFile& file, Use use) {
  const std::vector<Column> columns = file.result().columns();
  const auto bits = std::find_if(columns.begin(), columns.end(),
                                 [](const Column& c) { return c.layout == Layout::bits; });
  file.for_each_buffer([&](ColumnBuffer& buffer) {
    const io::GridPart& part = buffer.part();
    const auto words = buffer.of<std::uint64_t>(bits->name);
    const std::uint64_t stride = words.size() / part.rows;
    for (std::uint64_t i = 0; i < part.rows; ++i) {
      for (std::uint64_t w = 0; w < stride; ++w) {
        for (std::uint64_t left = words[i * stride + w]; left != 0; left &= left - 1) {
          const std::uint64_t j = 64 * w + static_cast<std::uint64_t>(std::countr_zero(left));
          if (j < part.columns) use(part.row + i, part.column + j);
        }
      }
    }
  });
}

void put_items(TextTable& table, const ResultFile& file, const std::vector<TableField>& fields,
               const NamesOf& labels, const Ends& ends) {
  constexpr std::uint64_t at_a_time = 1 << 18;
  const Column offsets = *offsets_of(file.result().columns());
  file.for_each_buffer([&](ColumnBuffer& buffer) {
    const auto begin = buffer.of<std::uint64_t>(offsets.name);
    if (!std::is_sorted(begin.begin(), begin.end()) || begin.back() > buffer.items()) {
      io::fail(ErrorKind::bad_input, "{}: tensor '{}' does not rise to the number of items, {}",
               file.name(), offsets.name, buffer.items());
    }
    std::uint64_t row = 0;
    for (std::uint64_t first = begin.front(); first < begin.back(); first += at_a_time) {
      const std::uint64_t n = std::min(at_a_time, begin.back() - first);
      buffer.read_items(first, n);
      poll_interrupt();
      for (std::uint64_t k = 0; k < n; ++k) {
        while (first + k >= begin[row + 1]) ++row;
        ends.put_row(buffer.part().row + row, table);
        put_fields(table, buffer, fields, labels, k);
        table.end_row();
      }
    }
  });
}

void put_cells(TextTable& table, const ResultFile& file, const std::vector<TableField>& fields,
               const NamesOf& labels, const Ends& ends) {
  const Grid grid = file.result().grid();
  file.for_each_buffer([&](ColumnBuffer& buffer) {
    const io::GridPart& part = buffer.part();
    for (std::uint64_t cell = 0; cell < part.rows * part.columns; ++cell) {
      const std::uint64_t row = part.row + cell / part.columns;
      grid.pairs ? ends.put_pair(row, part.column + cell % part.columns, table)
                 : ends.put_row(row, table);
      put_fields(table, buffer, fields, labels, cell);
      table.end_row();
    }
  });
}

std::uint64_t export_text(const ExportArguments& a, const ResultFile& file, RowKind rows,
                          const NamesOf& labels, const Ends& ends) {
  const Result& r = file.result();
  const std::vector<TableField> fields = table_fields(r, rows, a, labels);
  std::vector<std::string> names = ends.headings();
  for (const TableField& f : fields) names.push_back(f.name);
  TextTable table(a.output, io::has_ending(a.output, ".json"), names);
  if (rows == RowKind::pairs) {
    for_each_pair(file, [&](std::uint64_t i, std::uint64_t j) {
      ends.put_pair(i, j, table);
      table.end_row();
    });
  } else if (rows == RowKind::items) {
    put_items(table, file, fields, labels, ends);
  } else {
    put_cells(table, file, fields, labels, ends);
  }
  table.commit();
  return table.rows();
}

/// [m,2] of U64: from, to.
std::uint64_t export_pairs(const ExportArguments& a, const ResultFile& file) {
  if (!a.columns.empty()) {
    throw Error(ErrorKind::usage, a.file + ": holds pairs, which have no columns to choose");
  }
  std::uint64_t count = 0, written = 0;
  for_each_pair(file, [&](std::uint64_t, std::uint64_t) { ++count; });
  io::NpyWriter out(a.output, io::Dtype::u64, {count, 2});
  std::vector<std::uint64_t> some;
  const auto flush = [&] {
    out.write(written, some.size(), some.data());
    written += some.size();
    some.clear();
  };
  for_each_pair(file, [&](std::uint64_t i, std::uint64_t j) {
    some.insert(some.end(), {i, j});
    if (some.size() >= 1 << 18) flush();
  });
  flush();
  out.commit();
  return count;
}

/// A column as it lies in the file; bits as booleans.
std::uint64_t export_array(const ExportArguments& a, const ResultFile& file) {
  const std::vector<Column> columns = file.result().columns();
  if ((a.columns.empty() ? columns.size() : a.columns.size()) > 1) {
    std::vector<std::string> names;
    for (const Column& c : columns) names.push_back(c.name);
    io::fail(ErrorKind::usage, "{}: an .npy holds one column: --columns with one of {}", a.output,
             fmt::join(names, ", "));
  }
  const std::string name = a.columns.empty() ? columns.front().name : a.columns.front();
  const auto chosen =
      std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (chosen == columns.end()) {
    io::fail(ErrorKind::usage, "{}: has no column {}", a.file, io::in_quotes(name));
  }
  if (chosen->layout == Layout::bits) {
    io::NpyWriter out(a.output, io::Dtype::boolean, {file.result().grid().rows});
    file.for_each_buffer([&](ColumnBuffer& buffer) {
      std::vector<std::uint8_t> values(buffer.part().rows);
      for (std::uint64_t i = 0; i < values.size(); ++i) {
        values[i] = buffer.bit(static_cast<std::size_t>(chosen - columns.begin()), i);
      }
      out.write(buffer.part().row, values.size(), values.data());
    });
    out.commit();
    return file.result().grid().rows;
  }
  io::NpyWriter out(a.output, chosen->dtype, chosen->shape);
  const io::TensorInfo& tensor = *file.container().find(name);
  io::for_each_chunk(
      {name, chosen->dtype, chosen->shape,
       [&](std::uint64_t first, std::uint64_t n, void* to) {
         poll_interrupt();
         file.container().read(tensor, first, n, to);
       }},
      [&](std::uint64_t first, std::uint64_t n, const void* from) { out.write(first, n, from); });
  out.commit();
  return chosen->shape.front();
}

std::uint64_t export_result(Job& job, ExportArguments a) {
  const ResultFile file(a.file);
  const NamesOf names = a.scene.empty() ? NamesOf() : names_of_scene(job, file, a.scene);
  if (names.given()) std::ranges::replace(a.columns, names.word(), "id");
  const Ends ends(job, file, a.rows);
  const RowKind rows = kind_of_rows(file.result(), a.columns);
  return job.timed("export", [&] {
    if (!io::has_ending(a.output, ".npy")) return export_text(a, file, rows, names, ends);
    return rows == RowKind::pairs ? export_pairs(a, file) : export_array(a, file);
  });
}

/// Leaves the columns that --columns names, in the table's order.
void choose_columns(const ExportArguments& a, InputTable& input) {
  if (a.columns.empty()) return;
  refuse_twice(a);
  std::vector<std::string> known;
  for (const InputColumn& c : input.columns) known.push_back(c.name);
  for (const std::string& name : a.columns) {
    if (name == input.number || std::ranges::find(known, name) != known.end()) continue;
    io::fail(ErrorKind::usage, "{}: has no column {} in a table of {}; there are {}", a.file,
             io::in_quotes(name), input.kind, fmt::join(known, ", "));
  }
  std::erase_if(input.columns, [&](const InputColumn& c) {
    return std::ranges::find(a.columns, c.name) == a.columns.end();
  });
}

std::uint64_t export_input(Job& job, const ExportArguments& a, const std::string& kind) {
  for (const std::string& file : a.rows.all()) {
    if (file.empty()) continue;
    io::fail(ErrorKind::usage, "{}: is no result: leave out {}, which tells of a result's rows",
             a.file, file);
  }
  std::optional<InputTable> input = open_input(job, a.file, kind, a.scene);
  if (!input) {
    io::fail(ErrorKind::usage,
             "{}: holds {}, whose shapes have names of their own: leave out "
             "--scene",
             a.file, kind);
  }
  if (io::has_ending(a.output, ".npy")) {
    io::fail(ErrorKind::usage,
             "{}: an .npy holds one column of a result, and {} holds {}: choose "
             ".csv or .json",
             a.output, a.file, input->kind);
  }
  choose_columns(a, *input);
  if (!input->comments.empty() && io::has_ending(a.output, ".json")) {
    job.warn("{}: a list in JSON has no place for '{}' of {}: name it where you read the list",
             a.output, fmt::join(input->comments, "', '"), a.file);
  }
  job.timed("export", [&] { write_table(*input, a.output); });
  return input->rows;
}

int run_export(Job& job, const ExportArguments& a) {
  std::vector<std::string> inputs = a.rows.all();
  inputs.insert(inputs.end(), {a.file, a.scene});
  check_files(job, inputs, {a.output});
  const bool array = io::has_ending(a.output, ".npy");
  if (!array && !io::has_ending(a.output, ".csv") && !io::has_ending(a.output, ".json")) {
    throw Error(ErrorKind::usage, a.output + ": tables end in .csv, .json or .npy");
  }
  const auto given = [](const std::string& file) { return !file.empty(); };
  if (array && (given(a.scene) || std::ranges::any_of(a.rows.all(), given))) {
    throw Error(ErrorKind::usage,
                a.output + ": names and places do not fit into .npy: leave out --scene and points");
  }
  const std::string kind = io::kind_of_file(a.file);
  const auto is = [&](std::initializer_list<std::string_view> kinds) {
    return std::ranges::find(kinds, kind) != kinds.end();
  };
  if (is({"rays", "areas", "flat scene", "recast"})) {
    io::fail(ErrorKind::usage, "{}: holds {}; tables are made of results, scenes, points and maps",
             a.file, kind);
  }
  const bool input = is({"scene", "points", "array", "nav"});
  const std::uint64_t n = input ? export_input(job, a, kind) : export_result(job, a);
  job.set(input ? "/input/file" : "/result/file", a.file);
  job.set(input ? "/input/kind" : "/result/kind", kind);
  job.set("/output/file", a.output);
  job.set("/output/rows", n);
  job.say("wrote   {}: {} of {}", a.output, plural(n, "rows"), kind == "array" ? "points" : kind);
  return 0;
}

}  // namespace

void add_export(Verb& v) {
  auto& a = v.runs<ExportArguments>(run_export,
                                    "sightline export near.st --scene level.csv -o near.csv\n"
                                    "sightline export seen.st --from places.st -o seen.csv\n"
                                    "sightline export city.nav -o floors.csv\n"
                                    "sightline export hits.st --columns t -o t.npy");
  v.positional("FILE", a.file, "result, scene, points or map of nav to read");
  v.add("--scene", a.scene, "SCENE", "the file's scene: its names or labels instead of ids");
  v.add("--points", a.rows.points, "P", "the rows' points: their x, y, z and names");
  v.add("--from", a.rows.from, "A", "of pairs: the viewpoints, for x, y, z and names of both ends");
  v.add("--to", a.rows.to, "B", "of pairs: the targets, where they are not the viewpoints");
  v.add("--with,--capsules", a.rows.shapes, "SHAPES",
        "of overlap and sweep: the query shapes, for their names");
  v.add("--areas", a.rows.areas, "AREAS", "of areas and pvs: the areas, for their names");
  v.add("--columns", a.columns, "A,B", "columns to write; default all that make one table")
      .with_commas();
  v.output(a.output, "TABLE", "by its ending: .csv, .json, or .npy for one column");
  v.report();
}
}  // namespace sightline::cli
