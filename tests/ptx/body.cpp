// Declarations and operands of a function.
#include "tests/ptx/body.hpp"

#include <algorithm>

namespace sightline::ptx {
namespace {

const std::unordered_map<std::string, Special>& specials() {
  static const std::unordered_map<std::string, Special> all = {
      {"%tid.x", Special::tid_x},         {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},         {"%ntid.x", Special::ntid_x},
      {"%ntid.y", Special::ntid_y},       {"%ntid.z", Special::ntid_z},
      {"%ctaid.x", Special::ctaid_x},     {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},     {"%nctaid.x", Special::nctaid_x},
      {"%nctaid.y", Special::nctaid_y},   {"%nctaid.z", Special::nctaid_z},
      {"%laneid", Special::laneid},       {"%lanemask_eq", Special::mask_eq},
      {"%lanemask_le", Special::mask_le}, {"%lanemask_lt", Special::mask_lt},
      {"%lanemask_ge", Special::mask_ge}, {"%lanemask_gt", Special::mask_gt},
      {"%smid", Special::smid},           {"%nsmid", Special::nsmid}};
  return all;
}

Operand symbol(Space space, std::int64_t offset) {
  Operand o;
  o.kind = Operand::Kind::symbol;
  o.slot = static_cast<std::int32_t>(space);
  o.offset = offset;
  return o;
}

std::int64_t up_to(std::int64_t value, std::int64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace

std::int32_t Constants::slot(File file, std::uint64_t bits) {
  if (file == File::wide) {
    const auto [it, fresh] = at_wide.try_emplace(bits, static_cast<std::int32_t>(at_wide.size()));
    if (fresh) wides.insert(wides.end(), warp_lanes, bits);
    return it->second;
  }
  bits &= file == File::half ? 0xFFFFu : 0xFFFFFFFFu;
  const auto [it, fresh] = at_word.try_emplace(bits, static_cast<std::int32_t>(at_word.size()));
  if (fresh) words.insert(words.end(), warp_lanes, static_cast<std::uint32_t>(bits));
  return it->second;
}

Parameter read_variable(Reader& reader, std::int64_t& total, std::int64_t least_alignment) {
  Type type;
  std::int64_t alignment = 0;
  while (!reader.at_end() && reader.peek()[0] == '.') {
    const std::string_view word = reader.next();
    if (word == ".align") {
      alignment = static_cast<std::int64_t>(reader.next_number());
    } else if (!find_type(word.substr(1), type)) {
      reader.fail("no type of a variable: " + std::string(word));
    }
  }
  Parameter p;
  p.name = std::string(reader.next());
  p.size = type.size;
  while (reader.take("[")) {
    p.size *= static_cast<std::int64_t>(reader.next_number());
    reader.want("]");
  }
  total = up_to(total, std::max<std::int64_t>({alignment, type.size, least_alignment}));
  p.offset = total;
  total += p.size;
  return p;
}

Body::Body(Function& function)
    : f_(function), reader_(function.module->name, tokens_of(function.text, function.first_line)) {}

void Body::declare_register(const std::string& name, File file) {
  Operand o;
  o.kind = Operand::Kind::reg;
  o.file = file;
  std::int32_t& count = file == File::predicate ? f_.predicates
                        : file == File::wide    ? f_.wides
                                                : f_.words;
  o.slot = count++;
  scopes_.back().registers[name] = o;
}

void Body::declare_registers() {
  Type type;
  if (!find_type(reader_.next().substr(1), type) || type.size == 1)
    reader_.fail("no type of a register");
  do {
    const std::string name(reader_.next());
    if (!reader_.take("<")) {
      declare_register(name, type.file);
      continue;
    }
    const std::uint64_t count = reader_.next_number();
    reader_.want(">");
    for (std::uint64_t k = 0; k < count; ++k) declare_register(name + std::to_string(k), type.file);
  } while (reader_.take(","));
  reader_.want(";");
}

void Body::declare_variable(Space space, std::int64_t& total, std::int64_t least_alignment) {
  const Parameter p = read_variable(reader_, total, least_alignment);
  scopes_.back().variables[p.name] = symbol(space, p.offset);
  reader_.want(";");
}

/// Those of an entry lie together, as the host gives them; a call's in the lane's own memory.
void Body::declare_parameters() {
  for (auto* list : {&f_.results, &f_.parameters}) {
    for (Parameter& p : *list) {
      if (!f_.entry) {
        p.offset = up_to(f_.call_bytes, 16);
        f_.call_bytes = p.offset + p.size;
      }
      scopes_.back().variables[p.name] =
          symbol(f_.entry ? Space::parameter : Space::call_parameter, p.offset);
    }
  }
  for (auto& [name, bytes] : f_.module->globals) {
    scopes_.front().variables[name] = symbol(
        Space::global, static_cast<std::int64_t>(reinterpret_cast<std::uint64_t>(bytes.data())));
  }
}

Place Body::read_place() {
  Place place;
  place.file = static_cast<std::uint32_t>(reader_.next_number());
  place.line = static_cast<std::uint32_t>(reader_.next_number());
  place.column = static_cast<std::uint32_t>(reader_.next_number());
  return place;
}

/// `.loc file line column[, function_name name, inlined_at file line column]`, to its line's end.
void Body::locate(std::uint32_t line) {
  Place place = read_place();
  const Place alone = place;
  while (!reader_.at_end() && reader_.line() == line) {
    if (reader_.next() != "inlined_at") continue;
    if (const auto it = latest_.find(read_place()); it != latest_.end()) place.caller = it->second;
  }
  if (place.line == 0) return;  // nvcc's own: it stays where it was
  Module& m = *f_.module;
  const auto [it, fresh] =
      m.numbers.try_emplace(place, static_cast<std::uint32_t>(m.places.size()));
  if (fresh) m.places.push_back(place);
  source_ = latest_[alone] = it->second;
}

bool Body::declare(std::string_view directive) {
  const std::uint32_t line = reader_.line();
  if (directive[0] != '.') return false;
  reader_.next();
  if (directive == ".reg") {
    declare_registers();
  } else if (directive == ".local") {
    declare_variable(Space::local, f_.local_bytes, 16);
  } else if (directive == ".shared") {
    declare_variable(Space::shared, f_.shared_bytes, 1);
  } else if (directive == ".param") {
    declare_variable(Space::call_parameter, f_.call_bytes, 16);
  } else if (directive == ".loc") {
    locate(line);
  } else if (directive == ".pragma") {
    reader_.skip_past(";");
  } else {
    reader_.fail("unknown directive " + std::string(directive));
  }
  return true;
}

const Operand* Body::find(const std::string& name, bool among_registers) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    const auto& names = among_registers ? scope->registers : scope->variables;
    if (const auto it = names.find(name); it != names.end()) return &it->second;
  }
  return nullptr;
}

Operand Body::immediate(std::uint64_t bits, File file) {
  Operand o;
  o.kind = Operand::Kind::reg;
  o.constant = true;
  o.file = file;
  if (file == File::none) reader_.fail("a number where there can be none");
  o.slot = file == File::predicate ? bits != 0 : f_.module->constants.slot(file, bits);
  return o;
}

Operand Body::value(File file) {
  const bool inverts = reader_.take("!");
  if (reader_.take("-")) return immediate(0 - reader_.next_number(), file);
  const std::string name(reader_.peek());
  if (name.empty()) reader_.fail("no operand");
  Operand o;
  if (name == "_") {
    o.kind = Operand::Kind::sink;
  } else if (name[0] >= '0' && name[0] <= '9') {
    o = immediate(number_of(name), file);
  } else if (const Operand* reg = find(name, true); reg != nullptr) {
    o = *reg;
    o.negated = inverts;
  } else if (const auto it = specials().find(name); it != specials().end()) {
    o.kind = Operand::Kind::special;
    o.slot = static_cast<std::int32_t>(it->second);
  } else if (const Operand* variable = find(name, false); variable != nullptr) {
    o = *variable;
  } else {
    reader_.fail("unknown name");
  }
  if (inverts && o.file != File::predicate) reader_.fail("! of what is no predicate");
  reader_.next();
  return o;
}

/// [register + n], [symbol + n], [n]
Operand Body::address(Instruction& i) {
  reader_.want("[");
  Operand o = value(File::wide);
  if (reader_.take("+")) {
    const bool negative = reader_.take("-");
    const auto offset = static_cast<std::int64_t>(reader_.next_number());
    o.offset += negative ? -offset : offset;
  }
  reader_.want("]");
  if (o.kind == Operand::Kind::symbol) {
    i.space = static_cast<Space>(o.slot);
  } else if (o.kind != Operand::Kind::reg || o.file == File::predicate || o.file == File::half) {
    reader_.fail("no address");
  } else if (i.space == Space::parameter) {
    i.space = Space::generic;  // parameters whose address was taken
  }
  return o;
}

std::vector<Operand> Body::group(File file) {
  if (!reader_.take("{")) return {value(file)};
  std::vector<Operand> all;
  do {
    all.push_back(value(file));
  } while (reader_.take(","));
  reader_.want("}");
  if (all.size() > 4) reader_.fail("more than four of a vector");
  return all;
}

}  // namespace sightline::ptx
