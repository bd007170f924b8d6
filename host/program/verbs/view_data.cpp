// view: the data of a page, and whether they belong together.
#include "host/files/formats/areas_file.hpp"
#include "host/files/formats/file_kind.hpp"
#include "host/files/formats/scene_file.hpp"
#include "host/files/formats/stored_tensors.hpp"
#include "host/program/jobs/bakes.hpp"
#include "host/program/jobs/bytes.hpp"
#include "host/program/verbs/view.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace sightline::cli {
namespace {

/// In the page's metadata of an input: its content hashes, which results name, with spaces between,
/// and how high above points the eyes of results are.
constexpr char hash_key[] = "view.hash", eyes_above_key[] = "view.at";

using KindList = std::vector<std::string_view>;

bool is_one_of(std::string_view kind, const KindList& kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

template <class T>
std::shared_ptr<T> shared(T value) {
  return std::make_shared<T>(std::move(value));
}

class PageMaker {
 public:
  PageMaker(Job& job, const ViewArguments& a) : job_(job), a_(a) {}

  PageInMemory make() {
    for (const NamedFile& f : a_.files) files_.push_back({f.file, kind_of(f.file)});
    find_scenes();
    refuse_seconds();
    for (const Named& f : files_) {
      if (f.kind == "nav") add_map(f.file);
      if (is_result(f.kind)) add_result(f.file);
    }
    if (scene_ == nullptr) choose_scene("", "");
    add_others();
    return std::move(made_);
  }

 private:
  struct Named {
    std::string file, kind;
  };
  struct SceneFile {
    std::string file, hash;
    std::shared_ptr<const LoadedScene> loaded;
    bool used = false;
  };

  static bool is_result(std::string_view kind) {
    return !is_one_of(kind, {"scene", "points", "array", "rays", "areas", "nav"});
  }

  /// Refuses what a page does not show.
  static std::string kind_of(const std::string& file) {
    std::string kind = io::kind_of_file(file);
    if (is_one_of(kind, {"flat scene", "recast", "shard"})) {
      io::fail(ErrorKind::usage, "{}: holds {}, which view does not show: leave it out", file,
               io::in_quotes(kind));
    }
    return kind;
  }

  void find_scenes() {
    for (Named& f : files_) {
      if (f.kind != "scene") continue;
      LoadedScene loaded = load_scene(job_, f.file);
      std::string hash = loaded.hash;
      scenes_.push_back({f.file, hash, shared(std::move(loaded))});
    }
    if (scenes_.empty()) {
      throw Error(ErrorKind::usage, "view: none of the files is a scene: name the scene as well");
    }
  }

  /// Of these kinds a page shows one file: another would hide the first.
  void refuse_seconds() const {
    for (const char* kind : {"areas", "area visibility", "visible sets"}) {
      const auto first = std::ranges::find(files_, kind, &Named::kind);
      if (first == files_.end()) continue;
      const auto second =
          std::find_if(first + 1, files_.end(), [&](const Named& f) { return f.kind == kind; });
      if (second == files_.end()) continue;
      io::fail(ErrorKind::usage,
               "{}: holds {}, as {} does, and a page shows one file of them: leave out one",
               second->file, io::in_quotes(kind), first->file);
    }
  }

  /// The scene of all results; `hash` is "" where there are none.
  void choose_scene(const std::string& result, const std::string& hash) {
    if (scene_ == nullptr) {
      const auto at = std::ranges::find(scenes_, hash, &SceneFile::hash);
      scene_ = at != scenes_.end() ? &*at : &scenes_.front();
      if (hash.empty() || scene_->hash == hash) add_scene(*scene_);
    }
    if (hash.empty() || scene_->hash == hash) return;
    io::fail(ErrorKind::bad_input,
             "{}: was computed from a scene of hash {}, but {} has hash {}: name the scene that it "
             "was computed from, or leave out {}",
             result, hash, scene_->file, scene_->hash, result);
  }

  void add_scene(SceneFile& scene) {
    if (std::exchange(scene.used, true)) return;
    const LoadedScene& loaded = *scene.loaded;
    add_input(
        {scene.file, io::with_units(loaded.metadata), io::tensors_of(loaded.scene), scene.loaded},
        "scene", loaded.hash);
  }

  // --- inputs of results ---

  /// The files of these kinds, of which one is an input of a result.
  InputFiles candidates(const ResultFile& result, const KindList& kinds) {
    std::vector<NamedFile> files;
    for (const Named& f : files_) {
      if (is_one_of(f.kind, kinds)) files.push_back({"", f.file});
    }
    return {job_, files, result.name(), result.result().names().kind, true};
  }

  /// Calls take(files), and says what to do where none of them is the input.
  template <class Take>
  void find_input(const ResultFile& result, const char* what, const KindList& kinds,
                  const Take& take) {
    InputFiles in = candidates(result, kinds);
    try {
      take(in);
    } catch (const Error& error) {
      const std::string_view words = error.what();
      if (words.starts_with(result.name() + ": was computed")) {
        io::fail(error.kind(), "{}: name what it was computed from, or leave out {}", words,
                 result.name());
      }
      // Files have no options here.
      if (words.find(": name its ") == words.npos) throw;
      io::fail(error.kind(),
               "{}: none of the files holds the {} that it was computed from: name "
               "them as well, or leave out {}",
               result.name(), what, result.name());
    }
  }

  void find_points(const ResultFile& result, const std::string& key) {
    const std::string hash = result.text(key + ".hash");
    if (hash.empty() || hashes_.contains(hash)) return;
    // The ends of a path have no count of their own.
    Input input = {"--points", "/points", "points", "points", hash};
    const bool is_counted = !result.text(key + ".count").empty();
    is_counted ? void(input = result.points("--points", key))
               : void(input.count = result.number("points.count"));
    find_input(result, "points", {"points", "array"}, [&](InputFiles& in) {
      in.points(input);
      add_points(in.file_of(input.option), hash, input.at);
    });
  }

  /// The points of a file; results may name them raised to eyes, or as samples of areas.
  void add_points(const std::string& file, const std::string& hash, float at = 0) {
    if (!is_added(file, hash)) {
      const auto kept = shared(load_points(job_, file, "/points"));
      add_input({file, kept->metadata, io::tensors_of(*kept), kept}, "points",
                io::points_hash(*kept));
      is_added(file, hash);
    }
    if (at != 0) made_.page.data[places_[file]].metadata[eyes_above_key] = fmt::format("{}", at);
  }

  void find_areas(const ResultFile& result) {
    const std::string hash = result.text("areas.hash");
    if (hash.empty() || hashes_.contains(hash)) return;
    const auto samples = static_cast<std::uint32_t>(result.number("query.samples"));
    const auto asked = samples == 0 ? std::nullopt : std::optional(samples);
    const UpAxis up = up_of(scene_->loaded->metadata);
    Input input = {"--areas", "/areas", "areas", "areas", hash};
    const KindList kinds = asked ? KindList{"areas"} : KindList{"areas", "points"};
    find_input(result, "areas", kinds, [&](InputFiles& in) {
      const std::string file = in.file(input, [&](const std::string& name) {
        return io::samples_hash(load_areas(job_, name, asked, up));
      });
      io::holds_area_points(file) ? add_points(file, hash) : add_areas(file, hash);
    });
  }

  void add_areas(const std::string& file, const std::string& hash) {
    if (is_added(file, hash)) return;
    io::Metadata metadata;
    const bool y_up = up_of(scene_->loaded->metadata) == UpAxis::y;
    const auto kept = shared(io::read_areas(file, y_up ? "y" : "z", nullptr, &metadata));
    add_input({file, metadata, io::tensors_of(*kept), kept}, "areas", hash);
  }

  void find_rays(const ResultFile& result) {
    const std::string hash = result.text("rays.hash");
    if (hash.empty() || hashes_.contains(hash)) return;
    Input input = {"--rays", "/rays", "rays", "rays", hash, result.number("rays.count")};
    find_input(result, "rays", {"rays", "array"}, [&](InputFiles& in) {
      const auto kept = shared(in.rays(input, {}, [](const io::RaysSource&) {}));
      for (const Named& f : files_) {  // one, or two
        const std::string& all = kept->name();
        const bool is_its =
            all == f.file || all.starts_with(f.file + " and ") || all.ends_with(" and " + f.file);
        if (is_its) of_rays_.insert(f.file);
      }
      const auto column = [&](const char* tensor, std::vector<float> io::RayBuffer::*values) {
        return io::TensorSource{tensor,
                                io::Dtype::f32,
                                {kept->count(), 3},
                                [kept, values](std::uint64_t first, std::uint64_t n, void* to) {
                                  io::RayBuffer buffer;
                                  kept->read(first / 3, n / 3, buffer);
                                  std::ranges::copy(buffer.*values, static_cast<float*>(to));
                                }};
      };
      add_input({kept->name(),
                 {},
                 {column("origin", &io::RayBuffer::origin),
                  column("direction", &io::RayBuffer::direction)},
                 kept},
                "rays", hash);
    });
  }

  void find_query_shapes(const ResultFile& result, const std::string& hash) {
    if (hash.empty()) return;
    const auto at = std::ranges::find(scenes_, hash, &SceneFile::hash);
    if (at != scenes_.end()) return add_scene(*at);
    std::vector<std::string> named;
    for (const SceneFile& scene : scenes_) named.push_back(scene.file);
    io::fail(ErrorKind::bad_input,
             "{}: was computed from query shapes of hash {}, which none of the scenes {} has: name "
             "them as well, or leave out {}",
             result.name(), hash, fmt::join(named, ", "), result.name());
  }

  // --- results ---

  void add_result(const std::string& file) {
    const auto result = std::make_shared<const ResultFile>(file);
    if (result->result().names().flat) {
      io::fail(ErrorKind::usage,
               "{}: is of 2D shapes, which view does not show: sightline export makes a table",
               file);
    }
    choose_scene(file, result->text("scene.hash"));
    const bool is_exposure = result->result().names().kind == "exposure";
    for (const char* key : {"from", "to", "points"}) {
      // A page of exposure shows its targets.
      if (!(is_exposure && std::string_view(key) == "from")) find_points(*result, key);
    }
    find_areas(*result);
    find_rays(*result);
    for (const char* key : {"asking.hash", "moving.hash"}) {
      find_query_shapes(*result, result->text(key));
    }
    const io::ContainerReader& container = result->container();
    io::PageData data = {file, container.metadata(), io::sources_of(container), result};
    if (is_matrix(*result) && io::bytes_of_data(data) > a_.most) {
      data = sums_of(job_, a_, *result);
      made_.bytes += io::bytes_of_data(data);
    }
    add(std::move(data));
  }

  void add_map(const std::string& file) {
    io::Metadata metadata;
    NavMap map = load_map(job_, file, metadata);
    choose_scene(file, metadata["scene.hash"]);
    io::PageData data = floors_of(file, std::move(map), std::move(metadata));
    made_.bytes += io::bytes_of_data(data);
    add(std::move(data));
  }

  /// Files that no result names: points and areas may be looked at, the others are a slip.
  void add_others() {
    for (const SceneFile& scene : scenes_) {
      if (scene.used) continue;
      io::fail(ErrorKind::bad_input,
               "{}: nothing was computed from it, and a page shows one scene, {}: leave out one of "
               "them",
               scene.file, scene_->file);
    }
    for (const Named& f : files_) {
      if (places_.contains(f.file) || of_rays_.contains(f.file)) continue;
      if (f.kind == "points" || f.kind == "array") {
        add_points(f.file, "");
      } else if (f.kind == "areas") {
        add_areas(f.file, "");
      } else if (f.kind == "rays") {
        io::fail(ErrorKind::bad_input,
                 "{}: no result was computed from these rays: name what cast wrote, or leave them "
                 "out",
                 f.file);
      }
    }
  }

  /// Whether the page has an input of this name; then it has one hash more.
  bool is_added(const std::string& file, const std::string& hash) {
    const auto at = places_.find(file);
    if (at == places_.end()) return false;
    std::string& hashes = made_.page.data[at->second].metadata[hash_key];
    if (!hash.empty() && hashes_.insert(hash).second) {
      hashes += (hashes.empty() ? "" : " ") + hash;
    }
    return true;
  }

  void add_input(io::PageData data, const char* kind, const std::string& hash) {
    data.metadata[io::kind_key] = kind;
    data.metadata[io::format_key] = io::format_version;
    data.metadata[hash_key] = hash;
    hashes_.insert(hash);
    places_[data.name] = made_.page.data.size();
    made_.bytes += io::bytes_of_data(data);
    add(std::move(data));
  }

  void add(io::PageData data) {
    const std::uint64_t bytes = io::bytes_of_data(data);
    if (bytes > a_.most) {
      io::fail(ErrorKind::usage,
               "{}: takes {} in a page, which is more than --max-embedded {}: raise that, or leave "
               "the file out",
               data.name, format_bytes(bytes), a_.most);
    }
    data.name =
        std::filesystem::path(data.name).filename().string();  // folders are the writer's own
    made_.page.data.push_back(std::move(data));
  }

  Job& job_;
  const ViewArguments& a_;
  std::vector<Named> files_;
  std::vector<SceneFile> scenes_;
  SceneFile* scene_ = nullptr;                 ///< the one that results are of
  std::set<std::string> of_rays_;              ///< files of which rays in the page are
  std::set<std::string> hashes_;               ///< of inputs that the page has
  std::map<std::string, std::size_t> places_;  ///< of inputs in the page, by their files
  PageInMemory made_;
};

}  // namespace

PageInMemory page_of(Job& job, const ViewArguments& arguments) {
  return PageMaker(job, arguments).make();
}

}  // namespace sightline::cli
