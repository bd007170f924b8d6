"""Damaged molecules, read or refused: damaged_molecules.py FIRST COUNT LIMIT

Damages COUNT files from number FIRST on, PDB and mmCIF by turns, each by a seed of its own, under
LIMIT bytes of address space. Prints a line of JSON: how many were read, how many refused and of
which kind, the longest time of one in seconds, and the peak of memory in bytes.
"""

import json
import resource
import sys
import time

import numpy as np
from molecule_texts import SMALL_PDB, small_cif

import sightline as sl

MEANING = b" \n\r\t-.0123456789012345678901234567890123456789eEnafiX*AB[](){}=;,\"\\/'#_?"
EXPRESSIONS = [b"1 1,2 AA\n", b"1 (1-3)(1-3) AA,B\n", b"1 1-3 AA,B\n", b"1 (1)(2,3)(1-2) AA\n"]
#: What an operator's expression, a number or a name may grow to.
GROWN = [b"1-99999999", b"2147483646-2147483647", b"(1-3)" * 12, b"0-9999", b"1," * 300,
         b"9" * 400, b"1e308", b"-1e-320", b"data_", b"loop_", b"save_"]  # fmt: skip


def damaged(number):
    """A damaged file of this number: its bytes."""
    rng = np.random.default_rng([0x9DB, number])
    text = SMALL_PDB.encode()
    if number % 2:
        parts = EXPRESSIONS[rng.integers(len(EXPRESSIONS))] + b"2 1 AA\n"
        text = small_cif(parts.decode()).encode()
    for _ in range(1 + rng.integers(2)):
        at, how = int(rng.integers(len(text) + 1)), rng.integers(16)
        if how < 8:
            word = MEANING[(k := int(rng.integers(len(MEANING)))) : k + 1]
            text = text[:at] + word + text[at + 1 :]
        elif how < 10:
            text = text[:at] + rng.bytes(1) + text[at + 1 :]
        elif how < 12:
            text = text[:at] + text[at + 1 + int(rng.integers(3)) :]
        elif how < 14:
            text = text[:at] + GROWN[rng.integers(len(GROWN))] + text[at:]
        elif how < 15:
            copied = int(rng.integers(len(text) + 1))
            text = text[:at] + text[copied : copied + int(rng.integers(90))] + text[at:]
        else:
            text = text[:at]
    return text


def read(number):
    """"read" for a scene, or the name of the error by which the file is refused."""
    importer = sl.from_mmcif if number % 2 else sl.from_pdb
    text = damaged(number)
    try:
        m = importer(text, copies=("all", 0, 1)[number // 2 % 3])
    except sl.Error as error:
        words = str(error)
        assert words.startswith("the text: "), words
        assert "\n" not in words and len(words) < 400, words
        return type(error).__name__
    assert 0 < len(m.serials) <= len(text) / 10
    assert m.scene.count("sphere") <= len(m.serials) * max(1, len(m.copies))
    return "read"


def main():
    first, count, limit = map(int, sys.argv[1:])
    sl.from_pdb(SMALL_PDB), sl.from_mmcif(small_cif())  # what is loaded, it loads now
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    outcomes, longest = {}, 0
    for number in range(first, first + count):
        start = time.perf_counter()
        try:
            outcome = read(number)
        except BaseException:
            print(f"damaged file {number}", file=sys.stderr)
            raise
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
        longest = max(longest, time.perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({"outcomes": outcomes, "longest": longest, "peak": peak}))


if __name__ == "__main__":
    main()
