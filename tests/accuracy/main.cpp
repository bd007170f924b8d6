// Prints the tables of docs/project/proofs/rays.md: accuracy [--rays N] [--form NAME] [--seed S]
#include "tests/accuracy/driver.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  using namespace sightline::accuracy;
  std::uint64_t rays = 100'000, seed = 1;
  const char* only = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--rays") == 0) rays = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--form") == 0) only = argv[i + 1];
  }
  if (argc % 2 == 0 || rays == 0) {
    std::fprintf(stderr, "usage: accuracy [--rays N] [--seed S] [--form AABB|OBB|sphere|...]\n");
    return 2;
  }
  std::fputs(header().c_str(), stdout);
  for (const Form form :
       {Form::sphere, Form::aabb, Form::obb, Form::capsule, Form::plane, Form::cylinder}) {
    if (only != nullptr && std::strcmp(only, name(form)) != 0) continue;
    for (Cell cell : cells_of(form)) {
      const Measured wide = measure(form, cell, rays, seed++);
      cell.spread = 0.001;
      const Measured narrow = measure(form, cell, rays, seed++);
      std::fputs(row(form, cell, wide, narrow).c_str(), stdout);
      std::fflush(stdout);
    }
  }
}
