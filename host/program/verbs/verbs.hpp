// The verbs: each does its job and returns the exit code, 0 or 1; all else is thrown.
#pragma once

#include "host/program/engine/job.hpp"

namespace sightline::cli {

int run_info(Job& job, const InfoArguments& arguments);
int run_gen(Job& job, const GenArguments& arguments);
int run_import(Job& job, const ImportArguments& arguments);
int run_cast(Job& job, const CastArguments& arguments);
int run_visibility(Job& job, const SightArguments& arguments);
int run_overlap(Job& job, const OverlapArguments& arguments);
int run_distance(Job& job, const DistanceArguments& arguments);
int run_sweep(Job& job, const SweepArguments& arguments);
int run_flat(Job& job, const FlatArguments& arguments);
int run_areas(Job& job, const AreasArguments& arguments);
int run_pvs(Job& job, const SetsArguments& arguments);
int run_exposure(Job& job, const SightArguments& arguments);
int run_probes(Job& job, const ProbesArguments& arguments);
int run_cover(Job& job, const CoverArguments& arguments);
int run_nav(Job& job, const NavArguments& arguments);
int run_verify(Job& job, const VerifyArguments& arguments);
int run_export(Job& job, const ExportArguments& arguments);
int run_render(Job& job, const RenderArguments& arguments);

/// Each draws one picture, or in a dry run says what it would draw.
void render_map(Job& job, const RenderArguments& arguments);
void render_row(Job& job, const RenderArguments& arguments);
void render_histogram(Job& job, const RenderArguments& arguments);
void render_areas(Job& job, const RenderArguments& arguments);
void render_cover(Job& job, const RenderArguments& arguments);
void render_nav(Job& job, const RenderArguments& arguments);
void render_camera(Job& job, const RenderArguments& arguments);

int run_status(Job& job, const StatusArguments& arguments);
int run_bench(Job& job, const BenchArguments& arguments);

}  // namespace sightline::cli
