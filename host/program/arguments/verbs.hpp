// Each verb with its options. Only this folder sees CLI11, which takes seconds to compile.
#pragma once

#include "host/program/arguments/arguments.hpp"

namespace CLI {
class App;
}

namespace sightline::cli {

void add_verb(CLI::App& app, InfoArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, GenArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, ImportArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, CastArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, VisibilityArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, OverlapArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, DistanceArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, SweepArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, FlatArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, AreasArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, SetsArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, ExposureArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, ProbesArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, CoverArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, NavArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, VerifyArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, RenderArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, StatusArguments& to, CommonArguments& common);
void add_verb(CLI::App& app, BenchArguments& to, CommonArguments& common);

}  // namespace sightline::cli
