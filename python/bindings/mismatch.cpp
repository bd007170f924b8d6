// Calls whose arguments fit no function, answered in one sentence.
//
// nanobind answers such a call with every signature, in many lines. Here each function gets a last
// overload that takes anything, and raises a TypeError that says what is wrong and what was meant.
// A call that fits never reaches it. But nanobind has a shorter way to call a function of one
// signature: `scene.count` takes a fifth longer than without, and a call of one ray up to 8 %.
#include "python/bindings/module.hpp"

#include <nanobind/stl/string.h>

namespace sightline::python {

/// Takes anything, but not before every other overload was tried with conversions, too.
struct LastOfAll {};

}  // namespace sightline::python

namespace nanobind::detail {

template <>
struct type_caster<sightline::python::LastOfAll> {
  NB_TYPE_CASTER(sightline::python::LastOfAll, const_name("None"))
  bool from_python(handle, std::uint32_t flags, cleanup_list*) noexcept {
    return (flags & static_cast<std::uint32_t>(cast_flags::convert)) != 0;
  }
};

}  // namespace nanobind::detail

namespace sightline::python {
namespace {

[[noreturn]] void raise_mismatch(nb::handle scope, const std::string& name, const nb::object& args,
                                 const nb::object& kwargs) {
  const nb::object words =
      nb::module_::import_("sightline.mismatch").attr("words")(scope, name, args, kwargs);
  PyErr_SetObject(PyExc_TypeError, words.ptr());
  throw nb::python_error();
}

/// Gives a function of a module or a class the overload that answers calls which fit no other.
void answer_mismatches(nb::handle scope, const std::string& name, const nb::object& function,
                       bool method) {
  const std::string signature = "def " + name + "(...)";
  // Overloads of the same words are described once.
  const nb::object described = function.attr("__nb_signature__")[0][1];
  const std::string words = described.is_none() ? "" : nb::cast<std::string>(described);
  const auto last = nb::arg("_last") = nb::none();
  if (method) {
    nb::cpp_function_def(
        [scope, name](nb::handle self, nb::args args, LastOfAll, nb::kwargs kwargs) {
          raise_mismatch(scope, name, nb::make_tuple(self) + args, kwargs);
        },
        nb::scope(scope), nb::is_method(), nb::sig(signature.c_str()), nb::arg("args"), last,
        nb::arg("kwargs"), words.c_str());
  } else {
    nb::cpp_function_def(
        [scope, name](nb::args args, LastOfAll, nb::kwargs kwargs) {
          raise_mismatch(scope, name, args, kwargs);
        },
        nb::scope(scope), nb::sig(signature.c_str()), nb::arg("args"), last, nb::arg("kwargs"),
        words.c_str());
  }
}

/// The same for all functions of a module or a class, and of the module's classes.
void answer_mismatches(nb::handle scope) {
  const nb::list members(nb::object(nb::object(scope.attr("__dict__")).attr("items")()));
  for (const nb::handle member : members) {
    const auto name = nb::cast<std::string>(nb::object(member[0]));
    const nb::object value = member[1];
    if (nb::type_check(value)) answer_mismatches(value);
    if (name.starts_with("_") && name != "__init__") continue;
    const auto type = nb::cast<std::string>(nb::type_name(value.type()));
    const bool method = type.ends_with("nb_method");
    if (method || type.ends_with("nb_func")) answer_mismatches(scope, name, value, method);
  }
}

}  // namespace

void add_mismatches(nb::module_& m) {
  m.def("_answer_mismatches", [m] { answer_mismatches(m); });
}

}  // namespace sightline::python
