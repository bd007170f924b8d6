// SIGINT and SIGTERM become a flag that the jobs poll between their chunks.
#pragma once

namespace sightline::cli {

/// Thrown by poll_interrupt(); the program removes partial files and exits with 130.
struct Interrupted {};

/// From now on the first SIGINT or SIGTERM sets a flag; a second one ends the program at once.
/// Writes beyond a limit or to a closed pipe fail instead of ending the program.
void watch_signals();
bool is_interrupted();
/// Throws Interrupted once a signal has come.
void poll_interrupt();

}  // namespace sightline::cli
