"""Damaged PDB and mmCIF files are read or refused, under 2 GB; 10,000 of them at full scale."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from support import scaled

pytest.importorskip("gemmi")

GIGABYTE = 10**9


def test_damaged_molecules_are_read_or_refused():
    count = scaled(10_000, 300)
    script = pathlib.Path(__file__).with_name("damaged_molecules.py")
    done = subprocess.run(
        [sys.executable, script, "0", str(count), str(2 * GIGABYTE)],
        # A BLAS sets memory aside for each of its threads.
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True, text=True, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout)
    print(report)
    outcomes = report["outcomes"]
    assert sum(outcomes.values()) == count
    assert set(outcomes) <= {"read", "BadInputError", "UsageError", "OutOfMemoryError"}
    # Both must happen, or the damage is too heavy or too light to mean anything.
    assert outcomes["read"] > count / 10
    assert outcomes["BadInputError"] > count / 10
    assert report["longest"] < 60
    assert report["peak"] < 2 * GIGABYTE
