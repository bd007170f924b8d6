// A module as the interpreter runs it: functions, their instructions and operands.
#pragma once

#include "tests/ptx/ptx.hpp"

#include <compare>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>

namespace sightline::ptx {

/// Which registers. Those of 16 bits lie in slots of 32, the upper half zero.
enum class File : std::uint8_t { none, predicate, half, word, wide };

enum class Space : std::uint8_t { generic, global, shared, local, parameter, call_parameter };

/// What a special register is, or which symbol an operand names.
enum class Special : std::int32_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  mask_eq,
  mask_le,
  mask_lt,
  mask_ge,
  mask_gt,
  smid,
  nsmid
};

struct Operand {
  enum class Kind : std::uint8_t { none, reg, symbol, special, sink };
  Kind kind = Kind::none;
  File file = File::none;
  bool constant = false;  ///< the slot is one of the module's constants
  bool negated = false;   ///< of predicates
  /// Of a register: its number. Of a symbol: its Space. Of a special one: Special.
  std::int32_t slot = 0;
  std::int64_t offset = 0;  ///< of addresses
};

struct Warp;
struct Instruction;
/// Does an instruction for the lanes of `mask`, of which there is one.
using Handler = void (*)(Warp&, const Instruction&, std::uint32_t mask);

enum class Flow : std::uint8_t {
  next,
  branch,
  ret,
  exit,
  call,
  warp_sync,
  block_sync,
  fence,
  yield
};

/// How an access orders others: races are between plain ones.
enum class Access : std::uint8_t { load, store, atomic, strong_load, strong_store };

/// Who sees what was stored before a fence.
enum class Scope : std::uint8_t { block, device };

struct Call {
  Function* callee = nullptr;
  std::vector<std::int64_t> arguments, results;  ///< where they lie among the caller's parameters
};

struct Instruction {
  Handler run = nullptr;
  Flow flow = Flow::next;
  Space space = Space::generic;
  Access access = Access::load;
  Scope scope = Scope::device;
  std::uint8_t size = 0, count = 1;  ///< of memory: bytes an element, elements
  std::uint8_t sources = 0;
  bool is_signed = false, guard_negated = false;
  bool is_move = false;      ///< from register to register or of a constant, which ptxas leaves out
  bool any_place = false;    ///< a barrier that lanes may reach at different lines
  bool only_writes = false;  ///< an exchange whose old value nobody reads
  bool of_whoever = false;   ///< a mutant: a vote or shuffle that waits for nobody
  std::uint8_t mode = 0;     ///< of a barrier: 1 or, 2 and
  std::int32_t guard = -1;
  std::uint32_t target = 0;
  std::uint32_t line = 0;    ///< of the PTX
  std::uint32_t source = 0;  ///< index of Module::places
  Operand d[4], s[4], second;
  const Call* call = nullptr;
};

struct Parameter {
  std::string name;
  std::int64_t offset = 0, size = 0;
};

struct Function {
  std::string name;
  Module* module = nullptr;
  bool entry = false, begun = false, parsed = false;
  std::string_view text;  ///< of the body
  std::uint32_t first_line = 0;
  std::vector<Parameter> parameters, results;
  std::uint64_t max_threads = 0;  ///< 0: not said
  std::int64_t parameter_bytes = 0;
  std::int32_t predicates = 0, words = 0, wides = 0;
  std::int64_t local_bytes = 0, shared_bytes = 0, call_bytes = 0;
  std::vector<Instruction> code;
  std::vector<std::uint64_t> executed;  ///< warp instructions, by place in `code`
  std::vector<std::unique_ptr<Call>> calls;
  std::uint64_t launches = 0, threads = 0;
};

/// A file, line and column of the source, and where it was inlined.
struct Place {
  std::uint32_t file = 0, line = 0, column = 0;
  std::uint32_t caller = 0;  ///< index of Module::places; 0: nowhere
  auto operator<=>(const Place&) const = default;
};

/// Constants take registers' places, 32 lanes each.
struct Constants {
  std::vector<std::uint32_t> words;
  std::vector<std::uint64_t> wides;
  std::unordered_map<std::uint64_t, std::int32_t> at_word, at_wide;
  std::int32_t slot(File file, std::uint64_t bits);
};

struct Module {
  std::string name, text;
  std::map<std::string, Function, std::less<>> functions;
  std::map<std::string, std::vector<char>> globals;
  std::map<std::uint32_t, std::string> files;
  std::vector<Place> places{1};
  std::map<Place, std::uint32_t> numbers;  ///< of places
  Constants constants;
};

/// Makes the instructions of a function and of those that it calls.
void parse_body(Function& function);
/// All modules, in the order loaded.
std::deque<Module>& modules();

}  // namespace sightline::ptx
