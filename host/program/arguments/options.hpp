// Options that several verbs share.
#pragma once

#include "host/program/arguments/arguments.hpp"

#include <CLI/CLI.hpp>

#include <cmath>

namespace sightline::cli {

CLI::Validator byte_size();
CLI::Validator device_name();
/// A float option that may be inf but not NaN.
CLI::Validator number(float least, float most, const std::string& words);

void add_report(CLI::App& verb, CommonArguments& to);
void add_dry_run(CLI::App& verb, CommonArguments& to);
/// What all verbs that write results of any length have; `lanes`: where rays are cast.
void add_job(CLI::App& verb, io::ResumeOptions& to, CommonArguments& common, bool lanes = false);
void add_threads(CLI::App& verb, CommonArguments& to);
void add_lanes(CLI::App& verb, CommonArguments& to);
/// The lanes of a name that lanes_name() accepts.
Lanes lanes_named(const std::string& name);
CLI::Validator lanes_name();
void add_device(CLI::App& verb, CommonArguments& to);
void add_max_memory(CLI::App& verb, CommonArguments& to);
void add_inside(CLI::App& verb, Inside& to);
void add_normals(CLI::App& verb, bool& to);
/// A radius for all rays, or the name of a file.
void add_radius(CLI::App& verb, CastArguments& to);
/// `alone`: whether directions may come without origins, for what is not rays.
void add_rays(CLI::App& verb, RaysArguments& to, bool alone = false);
/// How wide and how far viewpoints see in their directions.
void add_fields(CLI::App& verb, FieldArguments& to);
void add_range(CLI::App& verb, float& to);

/// How viewpoints see, of visibility and of exposure.
template <class Arguments>
void add_sight(CLI::App& verb, Arguments& to) {
  verb.add_option("--directions", to.fields.directions,
                  "where viewpoints look: [V,3] f32 of any nonzero length, or [1,3] for all")
      ->type_name("D.npy");
  add_fields(verb, to.fields);
  verb.add_flag("--sector", to.fields.sector,
                "fields are sectors of the map, whatever the heights; default cones");
  add_range(verb, to.range);
  verb.add_option("--margin", to.margin,
                  "share of a segment left out at both ends, 0 to below 0.5; default 0")
      ->check(number(0, std::nextafter(0.5f, 0.0f), "at least 0 and below 0.5"))
      ->type_name("M");
  add_inside(verb, to.inside);
}

}  // namespace sightline::cli
