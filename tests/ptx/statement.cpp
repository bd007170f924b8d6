// One statement of a function: which form it is, and its operands.
#include "tests/ptx/body.hpp"

namespace sightline::ptx {
namespace {

File file_of(char letter) {
  switch (letter) {
    case 'p':
      return File::predicate;
    case 'h':
      return File::half;
    case 'w':
      return File::word;
    case 'd':
      return File::wide;
    default:
      return File::none;
  }
}

/// Whether an operand may stand where a register of this file is wanted.
bool fits(const Operand& o, File file) {
  if (o.kind == Operand::Kind::none || o.kind == Operand::Kind::sink) return true;
  const File has = o.kind == Operand::Kind::special ? File::word : o.file;
  return o.kind == Operand::Kind::symbol || has == file;
}

const std::set<std::string>& barriers() {
  static const std::set<std::string> all = {"bar.sync", "barrier.sync", "bar.red.or.pred",
                                            "bar.red.and.pred", "barrier.red.or.pred"};
  return all;
}

/// Fences: whom they reach.
const std::map<std::string, Scope>& fences() {
  static const std::map<std::string, Scope> all = {
      {"membar.cta", Scope::block},         {"membar.gl", Scope::device},
      {"membar.sys", Scope::device},        {"fence.acq_rel.cta", Scope::block},
      {"fence.acq_rel.gpu", Scope::device}, {"fence.sc.cta", Scope::block},
      {"fence.sc.gpu", Scope::device}};
  return all;
}

const std::set<std::string>& controls() {
  static const std::set<std::string> all = {"bra",  "bra.uni", "ret",      "ret.uni",
                                            "exit", "call",    "call.uni", "nanosleep.u32"};
  return all;
}

bool is_of_memory(std::string_view base) {
  return base == "ld" || base == "st" || base == "atom" || base == "red";
}

}  // namespace

void check_form(const std::string& name) {
  if (forms().contains(name) || controls().contains(name) || barriers().contains(name) ||
      fences().contains(name)) {
    return;
  }
  const auto parts = parts_of(name);
  Instruction scratch;
  Type type;
  if (is_of_memory(parts[0]) && find_memory(parts, scratch, type)) return;
  if (find_warp_form(name, scratch)) return;
  if (parts[0] == "cvta" || (parts[0] == "mov" && parts.size() == 2 && find_type(parts[1], type)))
    return;
  throw Error("unknown form " + name);
}

/// Target and sources, as the form has them.
void Body::simple(Instruction& i, const std::string& name) {
  const auto it = forms().find(name);
  if (it == forms().end()) reader_.fail("unknown form " + name);
  const Form& form = it->second;
  i.run = form.run;
  for (std::size_t k = 0; k < form.files.size(); ++k) {
    const File file = file_of(form.files[k]);
    if (k > 0) reader_.want(",");
    Operand& o = k == 0 ? i.d[0] : i.s[k - 1];
    o = value(file);
    // A conversion takes the low bits of a register that may be wider; halves lie in words' slots.
    const bool of_wide = form.from_wide != nullptr && k > 0 && o.file == File::wide;
    const bool of_word =
        form.from_wide != nullptr && k > 0 && o.file == File::word && file == File::half;
    if (of_wide) i.run = form.from_wide;
    if (o.kind != Operand::Kind::reg || (!fits(o, file) && !of_wide && !of_word)) {
      reader_.fail("an operand that " + name + " does not take");
    }
  }
  i.sources = static_cast<std::uint8_t>(form.files.size() - 1);
}

void Body::move(Instruction& i, const std::vector<std::string_view>& parts) {
  Type type;
  if (!find_type(parts.back(), type)) reader_.fail("unknown form");
  const File half = type.file == File::wide ? File::word : File::half;
  const bool unpacks = reader_.is("{");
  const auto targets = group(unpacks ? half : type.file);
  reader_.want(",");
  const bool packs = reader_.is("{");
  const auto sources = group(packs ? half : type.file);
  if ((unpacks && targets.size() != 2) || (packs && sources.size() != 2))
    reader_.fail("a move of other than two");
  for (std::size_t k = 0; k < targets.size(); ++k) {
    i.d[k] = targets[k];
    if (!fits(i.d[k], unpacks ? half : type.file)) reader_.fail("the target's width");
  }
  for (std::size_t k = 0; k < sources.size(); ++k) {
    i.s[k] = sources[k];
    if (!fits(i.s[k], packs ? half : type.file)) reader_.fail("the source's width");
  }
  i.sources = static_cast<std::uint8_t>(sources.size());
  i.run = find_move(i, parts);
  if (i.run == nullptr) reader_.fail("unknown form of a move");
}

void Body::memory(Instruction& i, const std::vector<std::string_view>& parts) {
  Type type;
  if (!find_memory(parts, i, type)) reader_.fail("unknown form");
  if (parts[0] == "atom") {
    const bool exchanges = std::find(parts.begin(), parts.end(), "exch") != parts.end();
    i.only_writes = exchanges && reader_.count(reader_.peek()) == 1;
    i.d[0] = value(type.file);
    reader_.want(",");
  }
  if (parts[0] == "ld" || parts[0] == "st") {
    const bool loads = parts[0] == "ld";
    if (!loads) i.s[0] = address(i);
    if (!loads) reader_.want(",");
    const auto values = group(type.file);
    if (values.size() != i.count) reader_.fail("a vector of another size");
    for (std::size_t k = 0; k < values.size(); ++k) i.d[k] = values[k];
    if (loads) reader_.want(",");
    if (loads) i.s[0] = address(i);
    if (loads) i.run = quick_load(i);
    return;
  }
  i.s[0] = address(i);
  i.sources = 1;
  while (reader_.take(",")) {
    if (i.sources == 3) reader_.fail("an operand too many");
    i.s[i.sources++] = value(type.file);
  }
  const bool swaps = parts[parts.size() - 2] == "cas";
  if (i.sources != (swaps ? 3 : 2)) reader_.fail("an operand missing");
}

void Body::together(Instruction& i, const std::string& name) {
  if (name == "bar.warp.sync") {
    i.s[3] = value(File::word);
    return;
  }
  const bool votes = name.starts_with("vote");
  i.d[0] = value(name.ends_with("pred") ? File::predicate : File::word);
  if (!votes && reader_.take("|")) i.second = value(File::predicate);
  const int last = votes ? 1 : 3;
  for (int k = 0; k <= last; ++k) {
    reader_.want(",");
    // The members are the last in the text, and the fourth for whoever waits.
    i.s[k == last ? 3 : k] = value(votes && k == 0 ? File::predicate : File::word);
  }
}

void Body::barrier(Instruction& i, const std::string& name) {
  i.flow = Flow::block_sync;
  const bool reduces = name.ends_with("pred");
  if (reduces) {
    i.mode = name.find(".or.") != name.npos ? 1 : 2;
    i.d[0] = value(File::predicate);
    reader_.want(",");
  }
  if (reader_.next() != "0") reader_.fail("a barrier other than the first");
  if (!reduces) return;
  reader_.want(",");
  i.s[0] = value(File::predicate);
}

std::int64_t Body::call_variable() {
  const Operand* variable = find(std::string(reader_.next()), false);
  if (variable == nullptr) reader_.fail("no such parameter");
  return variable->offset;
}

void Body::call(Instruction& i) {
  auto made = std::make_unique<Call>();
  const auto list = [&](std::vector<std::int64_t>& into) {
    reader_.want("(");
    while (!reader_.take(")")) {
      into.push_back(call_variable());
      reader_.take(",");
    }
  };
  if (reader_.is("(")) {
    list(made->results);
    reader_.want(",");
  }
  const auto callee = f_.module->functions.find(reader_.next());
  if (callee == f_.module->functions.end()) reader_.fail("a call of what is no function");
  if (reader_.take(",")) list(made->arguments);
  made->callee = &callee->second;
  if (made->callee->parameters.size() != made->arguments.size() || made->callee->text.empty()) {
    reader_.fail("a call that does not fit");
  }
  i.flow = Flow::call;
  i.call = made.get();
  f_.calls.push_back(std::move(made));
}

bool Body::control(Instruction& i, const std::string& name) {
  if (name == "bra" || name == "bra.uni") {
    i.flow = Flow::branch;
    jumps_.emplace_back(f_.code.size(), std::string(reader_.next()));
  } else if (name.starts_with("ret") || name == "exit") {
    i.flow = f_.entry || name == "exit" ? Flow::exit : Flow::ret;
  } else if (name.starts_with("call")) {
    call(i);
  } else if (name == "nanosleep.u32") {
    i.flow = Flow::yield;
    value(File::word);
  } else if (const auto fence = fences().find(name); fence != fences().end()) {
    i.flow = Flow::fence;
    i.scope = fence->second;
  } else if (barriers().contains(name)) {
    barrier(i, name);
  } else {
    return false;
  }
  return true;
}

/// False: this mutant of the code has no such instruction. Its line is one that it was inlined
/// through, or its own. Votes and shuffles lose their mask alone.
bool Body::mutate(Instruction& i) const {
  if (options().without.empty()) return true;
  const std::string place = "/" + options().without + "<";
  if ((name_of(*f_.module, i.source, true) + "<").find(place) == std::string::npos) return true;
  const bool barrier = i.flow == Flow::block_sync || (i.flow == Flow::warp_sync && i.any_place);
  i.of_whoever = i.flow == Flow::warp_sync && !i.any_place;
  return i.flow != Flow::fence && !(barrier && i.mode == 0);
}

void Body::statement() {
  Instruction i;
  i.line = reader_.line();
  i.source = source_;
  if (reader_.take("@")) {
    i.guard_negated = reader_.take("!");
    const Operand* guard = find(std::string(reader_.next()), true);
    if (guard == nullptr || guard->file != File::predicate) reader_.fail("no guard");
    i.guard = guard->slot;
  }
  const std::string name(reader_.next());
  const auto parts = parts_of(name);
  if (parts[0] == "mov" || parts[0] == "cvta") {
    i.is_move = true;
    move(i, parts);
  } else if (is_of_memory(parts[0])) {
    memory(i, parts);
  } else if (find_warp_form(name, i)) {
    together(i, name);
  } else if (!control(i, name)) {
    simple(i, name);
  }
  reader_.want(";");
  if (mutate(i)) f_.code.push_back(i);
}

void Body::finish_jumps() {
  Instruction end;
  end.flow = f_.entry ? Flow::exit : Flow::ret;
  end.source = source_;
  f_.code.push_back(end);
  for (const auto& [at, label] : jumps_) {
    const auto it = labels_.find(label);
    if (it == labels_.end()) throw Error(f_.module->name + ": no label " + label);
    f_.code[at].target = it->second;
  }
  f_.executed.assign(f_.code.size(), 0);
}

void Body::read() {
  declare_parameters();
  reader_.want("{");
  for (int depth = 1; depth > 0;) {
    if (reader_.take("{")) {
      ++depth;
      scopes_.emplace_back();
    } else if (reader_.take("}")) {
      --depth;
      scopes_.pop_back();
    } else if (reader_.is_next(":")) {
      labels_[std::string(reader_.next())] = static_cast<std::uint32_t>(f_.code.size());
      reader_.next();
    } else if (!reader_.take(";") && !declare(reader_.peek())) {
      statement();
    }
    if (scopes_.empty() && depth > 0) reader_.fail("a brace too many");
  }
  finish_jumps();
}

void parse_body(Function& function) {
  if (function.parsed) return;
  if (function.begun) throw Error(function.name + " could not be read before");
  function.begun = true;
  Body(function).read();
  function.parsed = true;  // before those that it calls: they may call it
  for (const auto& call : function.calls) parse_body(*call->callee);
}

}  // namespace sightline::ptx
