"""Memory for results, which is used again once nothing refers to it.

The system fills each page of new memory with zeros, which takes as long as a copy of the features into it. malloc keeps
up to 64 MB that were freed, in blocks of up to 32 MB. This does the same for larger results.
"""

import ctypes
import weakref
from typing import List

import numpy as np

__all__ = ["new_result"]

LEAST, MOST = 4 << 20, 64 << 20  # bytes of results whose memory is kept: smaller ones are malloc's

_kept: List[np.ndarray] = []  # of the last such result that nothing refers to; its operations are atomic


def new_result(n: int, width: int) -> np.ndarray:
    """Returns a new array, n × width float32, of any numbers. It shares memory with no other array that is in use."""
    size = 4 * n * width
    if not LEAST <= size <= MOST:
        return np.empty((n, width), np.float32)
    try:
        memory = _kept.pop()
    except IndexError:
        memory = np.empty(size, np.uint8)
    if not size <= memory.nbytes <= 2 * size:
        memory = np.empty(size, np.uint8)
    # Each array that views the memory refers to this object, so it goes when the last of them has gone.
    owner = (ctypes.c_char * size).from_buffer(memory)
    weakref.finalize(owner, _keep, memory).atexit = False
    return np.frombuffer(owner, np.float32).reshape(n, width)


def _keep(memory: np.ndarray) -> None:
    _kept.append(memory)
    del _kept[:-1]
