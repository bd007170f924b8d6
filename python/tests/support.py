"""What the tests share: files, the work of large tests, and the memory that a call takes."""

import json
import os
import tracemalloc

import numpy as np
import pytest

SCALE = float(os.environ.get("SIGHTLINE_TEST_SCALE", "0.1"))


def scaled(n, least=1):
    """How much of a large test is done: all of it with SIGHTLINE_TEST_SCALE=1."""
    return max(least, int(n * SCALE))


def read_tensors(path):
    """The tensors of a safetensors file by name: its header by the format's own description."""
    types = {"F32": "<f4", "F64": "<f8", "U8": "u1", "U32": "<u4", "U64": "<u8"}
    data = open(path, "rb").read()
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, tensor in header.items():
        begin, end = (8 + size + at for at in tensor["data_offsets"])
        array = np.frombuffer(data[begin:end], types[tensor["dtype"]])
        tensors[name] = array.reshape(tensor["shape"])
    return tensors


def same_bits(a, b):
    """Whether two arrays have the same shape, type and bytes."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def peak_of(error, call, *arguments):
    """The most memory of Python's that a call takes which ends with this error."""
    tracemalloc.start()
    try:
        with pytest.raises(error):
            call(*arguments)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
