"""The functions of tensorsketch.host.wasm in DuckDB for Python (docs/sql.md), by the wheel's core and Arrow."""

from typing import Any, Callable, List

import duckdb
import numpy as np
import pyarrow as pa
from tensorsketch.core import Core

TEXT, BLOB = pa.string(), pa.binary()
TABLE = {"VARCHAR": TEXT, "FLOAT[][]": pa.list_(pa.list_(pa.float32())), "VARCHAR[]": pa.list_(TEXT)}
ROW = {"VARCHAR": TEXT, "FLOAT[]": pa.list_(pa.float32())}
FUNCTIONS = {
    "tensorsketch_spec": (TABLE, "VARCHAR"),
    "tensorsketch_spec_of": ({"BLOB": BLOB}, "VARCHAR"),
    "tensorsketch_sums": (TABLE, "BLOB"),
    "tensorsketch_merge": ({"BLOB[]": pa.list_(BLOB)}, "BLOB"),
    "tensorsketch_fit": ({"BLOB": BLOB, "VARCHAR": TEXT}, "VARCHAR"),
    "tensorsketch_predict": (ROW, "VARCHAR"),
}
READ_ONCE = "tensorsketch_sums", "tensorsketch_predict"  # an empty Spec or model is the one of the row before


def register_core(connection: duckdb.DuckDBPyConnection) -> None:
    """Makes the functions in a connection. A row with NULL has the result NULL."""
    for name, (takes, returns) in FUNCTIONS.items():
        connection.create_function(name, function(Core(), name, list(takes.values()), returns), list(takes), returns,
                                   type="arrow")


def function(core: Core, name: str, types: "List[pa.DataType]", returns: str) -> Callable:
    """A function of columns of Arrow, which calls a function of the core with them in the format RowBinary."""

    def call(*columns: Any) -> pa.Array:
        columns = [(c.combine_chunks() if isinstance(c, pa.ChunkedArray) else c).cast(t)
                   for c, t in zip(columns, types)]
        shared = columns[0].to_pylist() if name in READ_ONCE else None
        parts: "List[bytes]" = []
        for row in range(len(columns[0])):
            if shared and shared[row] == "":
                raise ValueError(f"{name}: its first argument is an empty text")
            for column in columns:
                repeats = shared and column is columns[0] and row > 0 and shared[row] == shared[row - 1]
                parts.append(b"\0" if repeats else binary(column[row]))
        with core.text(b"".join(parts)) as block:
            results = core.take(core.handle(name, block, len(columns[0])))
        return pa.array(texts(results, returns == "BLOB"), BLOB if returns == "BLOB" else TEXT)

    # DuckDB counts parameters.
    return {1: lambda a: call(a), 2: lambda a, b: call(a, b), 3: lambda a, b, c: call(a, b, c)}[len(types)]


def binary(value: Any) -> bytes:
    """A value in the format RowBinary."""
    if not pa.types.is_list(value.type):
        return bytes_of(value.as_py())
    items = value.values
    if items.type == pa.float32():
        return length(len(items)) + numbers(items).tobytes()
    if pa.types.is_list(items.type):
        return length(len(items)) + rows_of(items)
    if items.null_count:
        raise ValueError("an item of a list is NULL: filter such rows first")
    return length(len(items)) + b"".join(bytes_of(item) for item in items.to_pylist())


def rows_of(items: pa.ListArray) -> bytes:
    """Rows of numbers, which all have the same length as a rule."""
    if items.null_count:
        raise ValueError("a row of a list is NULL: filter such rows first")
    offsets = items.offsets.to_numpy()
    flat, sizes = numbers(items.values)[offsets[0] if len(offsets) else 0:], np.diff(offsets)
    if len(sizes) and (sizes == sizes[0]).all():
        head = np.frombuffer(length(int(sizes[0])), np.uint8)
        rows = flat[:sizes.sum()].view(np.uint8).reshape(len(sizes), -1)
        return np.hstack([np.broadcast_to(head, (len(sizes), len(head))), rows]).tobytes()
    return b"".join(length(int(n)) + flat[at:at + n].tobytes() for at, n in zip(offsets - offsets[0], sizes))


def numbers(items: pa.FloatArray) -> np.ndarray:
    """The numbers of an array; NULL is NaN, which stands for a missing number."""
    return np.ascontiguousarray(items.to_numpy(zero_copy_only=False), np.float32)


def bytes_of(value: Any) -> bytes:
    content = value.encode() if isinstance(value, str) else value
    return length(len(content)) + content


def length(n: int) -> bytes:
    """A length: seven bits in each byte, lowest first."""
    parts = bytearray()
    while n > 127:
        parts.append(n % 128 + 128)
        n //= 128
    parts.append(n)
    return bytes(parts)


def texts(block: bytes, is_blob: bool) -> list:
    """The results of a block of texts."""
    results, at = [], 0
    while at < len(block):
        n, unit = 0, 1
        while True:
            byte = block[at]
            at, n, unit = at + 1, n + byte % 128 * unit, unit * 128
            if byte < 128:
                break
        content = block[at:at + n]
        results.append(content if is_blob else content.decode())
        at += n
    return results
