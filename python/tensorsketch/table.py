"""Tables with texts, categories and dates: Go decides what becomes of their columns, as `tensorsketch fit` does.

python/table is that part of Go as WebAssembly. The cells of a table go to it as a CSV, once, when a model is fitted. It
returns the preprocessing of the model file, by which numpymodel reads the cells of any table after that.
"""

import csv
import datetime
import json
import os
import tempfile
import warnings
from typing import Any, Dict, List, Tuple

import numpy as np

from .core import compiled, wasmtime
from .numpymodel import BLOCK, NUMBERS, Notes, Preparation, Preprocessing, is_missing, number_text, of_arrow
from .rows import Rows, names_of

STEP = 10000  # rows that are written at a time

__all__ = ["has_texts", "learn", "rows_by"]


def has_texts(X: Any) -> bool:
    """Whether a data frame or an Arrow table has a column of texts or dates."""
    names = names_of(X)
    if names is not None:
        return any(_is_text(cells) for cells in _columns(X, names))
    if hasattr(X, "iloc") and hasattr(X, "columns") and any(_is_text(cells) for cells in _columns(X, X.columns)):
        raise ValueError(f"X has a column of texts or dates, and the name of its first column is {X.columns[0]!r}: a "
                         "model knows such columns by names that are texts. Give them by "
                         "X.columns = X.columns.map(str)")
    return False


def _columns(X: Any, names: Any) -> List[np.ndarray]:
    if hasattr(X, "column_names"):  # of Arrow
        return [of_arrow(X.column(j)) for j in range(len(names))]
    if hasattr(X, "iloc"):
        return [np.asarray(X.iloc[:, j]) for j in range(len(names))]
    return [np.asarray(X.get_column(name)) for name in names]


def _is_text(cells: np.ndarray) -> bool:
    if cells.dtype.kind in "mM":  # whose tolist may be numbers
        return True
    return cells.dtype.kind not in "biuf" and not all(isinstance(c, NUMBERS) or is_missing(c)
                                                      for c in cells.tolist())


def _plain(cells: np.ndarray) -> np.ndarray:
    """Cells of which Python has dates and durations, and texts for true and false."""
    if cells.dtype.kind in "mM":
        return cells.astype(f"{'timedelta' if cells.dtype.kind == 'm' else 'datetime'}64[us]").astype(object)
    return np.where(cells, "true", "false").astype(object) if cells.dtype.kind == "b" else cells


def learn(X: Any, y: np.ndarray, label: str, task: str) -> "Tuple[Dict[str, Any], List[str]]":
    """What Go says of a table: the preprocessing of a model file and its indicators; and the names of X. What was
    guessed is a warning."""
    names = [str(name) for name in names_of(X)]
    y = y[:, 0] if y.ndim == 2 else y
    if len(set(names)) < len(names):
        raise ValueError(f"two columns of X have one name: {sorted(n for n in names if names.count(n) > 1)[0]!r}; drop "
                         "one or rename it")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "X.csv"), "w", encoding="utf-8", newline="") as file:
            write = csv.writer(file, lineterminator="\n")
            write.writerow([*names, label])
            columns = [*_columns(X, names), y]
            for first in range(0, len(y), STEP):
                texts = [[_text(cell, where) for cell in _plain(cells[first:first + STEP]).tolist()]
                         for cells, where in zip(columns, [*(f"column {name!r} of X" for name in names), "y"])]
                write.writerows(zip(*texts))
        said = json.loads(_run(folder, ["table", "/X.csv", label, task]))
    if said["unused"]:
        raise ValueError(f"{said['unused']} rows cannot be used, since y is missing there or is no label: leave them "
                         "out")
    if said["notes"]:
        warnings.warn("; ".join(note["what"] for note in said["notes"]) + ". Where that is wrong, change or drop the "
                      "column in X", UserWarning, stacklevel=4)
    return said, names


def rows_by(preprocessing: str, X: Any, sparse: bool, tell: bool, preparation: Any = None) -> Rows:
    """The rows of numbers of a table. If wanted, a warning says which cells are missing, unknown, cut or not used."""
    by = Preprocessing(json.loads(preprocessing))
    names = names_of(X)
    if names is not None:
        X = _Frame(list(names), [_plain(cells) for cells in _columns(X, names)])
    blocks, first, notes = [], 0, Notes()
    for block in by.blocks(X, max(1, BLOCK // by.width), notes):
        for row, problem in sorted(block.problems.items()):
            raise ValueError(f"row {first + row}: {problem}")
        if tell and preparation is not None:
            Preparation(preparation).note(block.dense(), by.columns, notes)
        first += block.n
        blocks.append(block)
    if not blocks:
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    if tell:
        notes.tell()
    if not sparse:
        return Rows(first, by.width, np.concatenate([block.dense() for block in blocks]))
    from scipy.sparse import csr_matrix

    parts = [csr_matrix((b.values, (b.rows, b.cols)), shape=(b.n, b.width)) for b in blocks]
    lengths = np.concatenate([[0]] + [np.diff(p.indptr) for p in parts]).cumsum()
    return Rows(first, by.width, np.concatenate([p.data for p in parts]),
                np.concatenate([p.indices for p in parts]).astype(np.int32), lengths.astype(np.int32))


class _Frame:
    """Columns by their names, as numpymodel takes a data frame."""

    def __init__(self, columns: List[str], cells: List[np.ndarray]):
        self.columns, self._cells = columns, dict(zip(columns, cells))

    def __getitem__(self, name: str) -> np.ndarray:
        return self._cells[name]

    def __len__(self) -> int:
        return len(next(iter(self._cells.values())))


def _text(cell: Any, where: str) -> str:
    """A cell as a CSV has it."""
    if is_missing(cell):
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, (bool, np.bool_)):
        return "true" if cell else "false"
    if isinstance(cell, NUMBERS):
        if cell in (np.inf, -np.inf):
            raise ValueError(f"{where} contains infinity: scale or remove it")
        return number_text(float(cell)) if abs(cell) < 2**53 else str(cell)
    if isinstance(cell, datetime.date):  # and datetime.datetime, pandas.Timestamp
        text = cell.isoformat()
        return text[:-9] if text.endswith("T00:00:00") else text
    if isinstance(cell, (datetime.timedelta, datetime.time)):
        return str(cell)
    raise ValueError(f"{where} has {cell!r:.40}, which is neither a number, nor a text, nor a date: make one of it, for "
                     "example a text by astype(str)")


def _run(folder: str, arguments: List[str]) -> bytes:
    """What the program prints about files of a folder."""
    engine, module = compiled("tensorsketch.table.wasm")
    linker, store, wasi = wasmtime.Linker(engine), wasmtime.Store(engine), wasmtime.WasiConfig()
    linker.define_wasi()
    wasi.argv = arguments
    wasi.preopen_dir(folder, "/")
    out, err = os.path.join(folder, "out"), os.path.join(folder, "err")
    wasi.stdout_file, wasi.stderr_file = out, err
    store.set_wasi(wasi)
    status = 0
    try:
        linker.instantiate(store, module).exports(store)["_start"](store)
    except wasmtime.ExitTrap as e:
        status = e.code
    del store  # closes the files
    with open(out, "rb") as file, open(err, encoding="utf-8") as wrong:
        said = wrong.read().strip()
        if status == 1:
            raise ValueError(said)
        if status:
            raise MemoryError(f"the columns could not be told apart ({said.splitlines()[0]}): give fewer rows, or have "
                              "`tensorsketch fit` read the table")
        return file.read()
