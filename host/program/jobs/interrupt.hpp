// SIGINT, SIGTERM and SIGHUP become a flag that the jobs poll between their chunks.
#pragma once

namespace sightline::cli {

/// Thrown by poll_interrupt(). The program exits with 75 where work is kept that the same command
/// goes on from, else with 130 and without a partial file.
struct Interrupted {};

/// From now on SIGINT, SIGTERM and SIGHUP set a flag; one that comes more than 1.5 seconds after
/// the first ends the program at once. Writes beyond a limit or to a closed pipe fail instead of
/// ending the program.
void watch_signals();
/// Throws Interrupted once a signal has come.
void poll_interrupt();

}  // namespace sightline::cli
