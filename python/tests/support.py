"""What the tests share: a reader of the program's files, and how much of large tests is done."""

import json
import os

import numpy as np

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
