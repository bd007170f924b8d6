// The body of a function, word by word.
#pragma once

#include "tests/ptx/lanes.hpp"
#include "tests/ptx/lexer.hpp"

#include <set>

namespace sightline::ptx {

/// What kind of statement a function's line may be; throws where there is no such form.
void check_form(const std::string& name);

/// A variable: `.align 8 .b8 name[16]`, `.b64 name`. It is put behind the `total` bytes before it.
Parameter read_variable(Reader& reader, std::int64_t& total, std::int64_t least_alignment = 1);

class Body {
 public:
  explicit Body(Function& function);
  void read();

 private:
  struct Scope {
    std::unordered_map<std::string, Operand> registers;
    std::unordered_map<std::string, Operand> variables;
  };

  // body.cpp: declarations and operands
  bool declare(std::string_view directive);
  void declare_registers();
  void declare_register(const std::string& name, File file);
  void declare_variable(Space space, std::int64_t& total, std::int64_t offset_of_all);
  void declare_parameters();
  void locate(std::uint32_t line);
  Place read_place();
  const Operand* find(const std::string& name, bool among_registers) const;
  Operand value(File file);
  Operand immediate(std::uint64_t bits, File file);
  Operand address(Instruction& instruction);
  std::vector<Operand> group(File file);

  // statement.cpp
  void statement();
  bool mutate(Instruction& instruction) const;
  void simple(Instruction& instruction, const std::string& name);
  bool control(Instruction& instruction, const std::string& name);
  void call(Instruction& instruction);
  void barrier(Instruction& instruction, const std::string& name);
  void together(Instruction& instruction, const std::string& name);
  void move(Instruction& instruction, const std::vector<std::string_view>& parts);
  void memory(Instruction& instruction, const std::vector<std::string_view>& parts);
  std::int64_t call_variable();
  void finish_jumps();

  Function& f_;
  Reader reader_;
  std::vector<Scope> scopes_{1};
  std::unordered_map<std::string, std::uint32_t> labels_;
  std::vector<std::pair<std::size_t, std::string>> jumps_;
  std::uint32_t source_ = 0;
  std::map<Place, std::uint32_t> latest_;  ///< of a place without its caller
};

}  // namespace sightline::ptx
