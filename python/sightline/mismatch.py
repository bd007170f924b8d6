"""What is wrong with the arguments of a call, in one sentence: for the functions of the module
`_core`, whose calls come here where no signature takes their arguments, and for those in Python."""

import ast
import difflib
import functools
import inspect
import math
import re
import typing

_Function = typing.TypeVar("_Function", bound=typing.Callable)


def answered(function: _Function) -> _Function:
    """The function, with a sentence of the same words where it does not take a call's arguments."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            every = signature.parameters.values()
            placed = [ast.arg(p.name) for p in every if p.kind is p.POSITIONAL_OR_KEYWORD]
            by_name = [ast.arg(p.name) for p in every if p.kind is p.KEYWORD_ONLY]
            needed = [
                ast.arg(p.name)
                for p in every
                if p.default is p.empty and p.kind is not p.VAR_KEYWORD
            ]
            if any(p.kind is p.VAR_KEYWORD for p in every):  # it takes any keyword
                kwargs = {key: kwargs[key] for key in kwargs if key in signature.parameters}
            problem = _problem(placed, needed, by_name, args, kwargs)
            raise TypeError(f"{function.__name__}(): {problem}") from None
        return function(*args, **kwargs)

    return typing.cast(_Function, call)


def words(scope, name, args, kwargs):
    """The sentence about a call of ``scope.name``; the first of ``args`` is self, of a method."""
    text = scope.__dict__[name].__nb_signature__[0][0]
    # Defaults are given by number, "= \0", which is no Python.
    definition = ast.parse(re.sub(r"= \\=?\d+", "= ...", text) + ": ...").body[0].args
    placed = definition.posonlyargs + definition.args
    needed = placed[: len(placed) - len(definition.defaults)]
    problem = None
    if placed and placed[0].arg == "self":
        if args and not isinstance(args[0], scope):
            problem = f"self is of type {type(args[0]).__name__}, not {scope.__name__}"
        args, placed, needed = args[1:], placed[1:], needed[1:]
    problem = problem or _problem(placed, needed, definition.kwonlyargs, args, kwargs)
    return f"{scope.__name__ if name == '__init__' else name}(): {problem}"


def _problem(placed, needed, by_name, args, kwargs):
    names = [a.arg for a in placed]
    every = {a.arg: a.annotation for a in placed + by_name}
    for key in kwargs:
        if key not in every:
            return f"there is no argument {key!r}{_meant(key, every)}"
    if len(args) > len(names):
        most = f"{len(names)} by place ({', '.join(names)})" if names else "none by place"
        others = "; name the others" if by_name else ""
        return f"it takes {most}, and {len(args)} {'is' if len(args) == 1 else 'are'} given{others}"
    for key in names[: len(args)]:
        if key in kwargs:
            return f"{key} is given by place and by name"
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    missing = [a.arg for a in needed if a.arg not in given]
    if missing:
        return f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing"
    wanted = {key: _types(every[key]) for key in given}
    # Wrong types first, then numbers that may be out of range: of which type they are is not known.
    for least, most in ((-math.inf, math.inf), (0, math.inf), (0, 2**31 - 1)):
        for key, value in given.items():
            if not any(_fits(value, one, least, most) for one in wanted[key]):
                return f"{key} is {_unfit(value, wanted[key])}"
    types = ", ".join(f"{key} of type {type(value).__name__}" for key, value in given.items())
    return f"there is no such function of {types or 'no arguments'}"


def _meant(word, names):
    """What may have been meant, or else what there is."""
    close = difflib.get_close_matches(word, names, 1)
    return f": did you mean {close[0]!r}?" if close else f"; it takes {', '.join(names) or 'none'}"


def _types(annotation):
    """The types of an annotation by their short names."""
    text = "object" if annotation is None else ast.unparse(annotation)
    text = text.replace("sightline._core.", "").replace("numpy.typing.ArrayLike", "array")
    text = re.sub(r"typing\.Literal\[[^]]*\]", "str", text)  # another word is refused by the call
    if text.startswith("typing.Union["):
        text = text.removeprefix("typing.Union[").removesuffix("]").replace(", ", " | ")
    return text.split(" | ")


def _fits(value, wanted, least, most):
    """Whether a value is of a type, as far as that is of Python or one of the module's own."""
    if wanted in ("None", "str", "bool"):
        return type(value).__name__.removesuffix("Type") == wanted
    if wanted == "int":
        return hasattr(value, "__index__") and least <= value.__index__() <= most
    if wanted == "float":
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if wanted.isidentifier() and wanted[0].isupper():
        return type(value).__name__ == wanted
    return wanted == "object" or value is not None


def _unfit(value, wanted):
    if "int" in wanted and hasattr(value, "__index__"):
        return f"{value!r}, which is out of range"
    what = "None" if value is None else f"of type {type(value).__name__}"
    return f"{what}, not {' or '.join(wanted)}"
