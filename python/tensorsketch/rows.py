"""Rows and labels as the core takes them: float32 in rows, dense or CSR; labels as places in a list of classes."""

import json
import numbers
import warnings
from decimal import Decimal
from typing import Any, List, Optional, Tuple

import numpy as np

ENCODE = "encode them first, for example by sklearn.preprocessing.OneHotEncoder or column.dt.dayofyear. " \
    "SketchClassifier and SketchRegressor without a map take tables with texts and dates as `tensorsketch fit` does"

__all__ = ["Rows", "rows_of", "check_finite", "labels_of", "targets_of", "names_of", "label_of", "numbers_of"]


class Rows:
    """Rows of numbers: ``data`` alone, n × d, or CSR if there is an ``indptr``."""

    def __init__(self, n: int, d: int, data: np.ndarray, indices: Optional[np.ndarray] = None,
                 indptr: Optional[np.ndarray] = None):
        self.n, self.d, self.data, self.indices, self.indptr = n, d, data, indices, indptr

    @property
    def arrays(self) -> "Tuple[np.ndarray, Optional[np.ndarray], Optional[np.ndarray]]":
        return self.data, self.indices, self.indptr

    @property
    def numbers(self) -> int:
        """How many numbers there are, without zeros of a sparse row."""
        return int(self.data.size)

    def part(self, start: int, stop: int) -> "Rows":
        """The rows from start to stop."""
        stop = min(stop, self.n)
        if self.indptr is None:
            return Rows(stop - start, self.d, self.data[start:stop])
        first, last = int(self.indptr[start]), int(self.indptr[stop])
        return Rows(stop - start, self.d, self.data[first:last], self.indices[first:last],
                    self.indptr[start:stop + 1] - np.int32(first))

    def at(self, places: np.ndarray) -> "Rows":
        """The rows at these places."""
        if self.indptr is None:
            return Rows(len(places), self.d, self.data[places])
        parts = [self.part(int(i), int(i) + 1) for i in places]
        lengths = np.cumsum([0] + [p.numbers for p in parts])
        return Rows(len(places), self.d, np.concatenate([p.data for p in parts]),
                    np.concatenate([p.indices for p in parts]), lengths.astype(np.int32))

    def blocks(self, each: int) -> "List[Rows]":
        """Parts of at most so many rows."""
        return [self.part(start, start + each) for start in range(0, self.n, each)]


def names_of(X: Any) -> Optional[np.ndarray]:
    """The names of the columns of a table of pandas, Polars or Arrow, or None."""
    if hasattr(X, "collect_schema"):
        from .numpymodel import refuse_lazy  # takes a while

        refuse_lazy(X)
    names = getattr(X, "column_names", None)
    if names is None or callable(names):
        names = getattr(X, "columns", None)
    if names is None or callable(names) or hasattr(X, "tocsr"):
        return None
    names = list(names)
    texts = [isinstance(name, str) for name in names]
    if not names or not any(texts):
        return None
    if not all(texts):
        raise TypeError("Feature names are only supported if all input features have string names, but your input has "
                        f"{sorted({type(name).__name__ for name in names})} as feature name / column name types. "
                        "If you want feature names to be stored and validated, you must convert them all to strings, by using "
                        "X.columns = X.columns.astype(str) for example. Otherwise you can remove feature / column "
                        "names from your input data, or convert them all to a non-string data type.")
    return np.array(names, dtype=object)


def label_of(y: Any, names: Any) -> str:
    """The name of a table's label: of a Series its own."""
    label = getattr(y, "name", None)
    label = label if isinstance(label, str) and label else "y"
    while label in names:
        label += "_"
    return label


def numbers_of(names: Any, label: Optional[str], missing: str) -> str:
    """The preprocessing of a model file for columns of numbers as they are, which are known by their names."""
    columns = [{"name": name, "role": "number", "missing": missing, "scaling": "none"} for name in names]
    columns += [] if label is None else [{"name": label, "role": "label"}]
    return json.dumps({"format": "tensorsketch-preprocessing", "version": 3 if missing == "nan" else 1,
                       "unitNorm": False, "columns": columns},
                      separators=(",", ":"), ensure_ascii=False)


def rows_of(X: Any, who: str, can_miss: bool = False, raw: bool = False, least: int = 1) -> Rows:
    """The rows of an array, a list, a sparse matrix of SciPy, or a table of pandas, Polars or Arrow.

    Numbers become float32. Text is refused, and so is infinity; NaN too, unless it can be missing. If raw, dense
    numbers stay as they are: the caller makes float32 of them block by block, and the core refuses what is not finite.
    """
    if hasattr(X, "tocsr"):
        return _sparse(X, who)
    if hasattr(X, "column_names") and hasattr(X, "column"):  # of Arrow
        from .numpymodel import of_arrow

        if not X.num_columns:
            X = np.empty((X.num_rows, 0))
        else:
            X = np.column_stack([_column(of_arrow(X.column(j)), name)
                                 for j, name in enumerate(X.column_names)])
    elif hasattr(X, "to_numpy") and hasattr(X, "columns"):
        X = _table(X)
    array = _array(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: give real and imaginary parts as two columns")
    _check_dates(array, "X")
    if array.dtype.kind not in "biuf":
        array = _from_objects(array)
    if array.ndim != 2:
        got = "scalar" if array.ndim == 0 else f"{array.ndim}D"
        raise ValueError(f"Expected 2D array, got {got} array instead: X must have rows and columns. Reshape your "
                         "data: X.reshape(-1, 1) if it is one column, X.reshape(1, -1) if it is one row")
    n, d = array.shape
    if n < least:
        raise ValueError(f"Found array with {n} sample(s) (shape={array.shape}) while a minimum of {least} is required "
                         f"by {who}.")
    if d < 1:
        raise ValueError(f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required by "
                         f"{who}.")
    if raw:
        return Rows(n, d, array)
    data = _float32(array)
    check_finite(data, who, can_miss)
    return Rows(n, d, data)


def _array(values: Any) -> np.ndarray:
    """An array, in which masked cells are missing: NumPy would take what lies below the mask."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        cells = np.array(values.data, dtype=object)
        cells[np.ma.getmaskarray(values)] = None
        return cells
    return np.asarray(values)


def _check_dates(cells: np.ndarray, what: str) -> None:
    if cells.dtype.kind in "mM":
        raise ValueError(f"{what} has dates or durations ({cells.dtype}), and numbers are wanted here: {ENCODE}")


def _float32(array: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(array, dtype=np.float32)


def check_finite(data: np.ndarray, who: str, can_miss: bool = False) -> None:
    """Refuses numbers that are not finite as float32; NaN only if it cannot be missing."""
    data = _float32(data)
    with np.errstate(over="ignore", invalid="ignore"):
        total = data.sum()  # in float32, which is several times as fast; it may overflow where no number does
    if np.isfinite(total) or np.isfinite(data).all():
        return
    if not can_miss and np.isnan(data).any():
        raise ValueError(f"Input X contains NaN: {who} takes no missing numbers here. Fill them first, for example by "
                         "sklearn.impute.SimpleImputer; fit without a method of the map fills them by itself")
    if np.isinf(data).any():
        raise ValueError("Input X contains infinity or a value too large for dtype('float32'): scale or remove it")


def _sparse(X: Any, who: str) -> Rows:
    if X.dtype.kind == "c":
        raise ValueError("Complex data not supported: give real and imaginary parts as two columns")
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    n, d = X.shape
    if n < 1 or d < 1:
        what = "sample(s)" if n < 1 else "feature(s)"
        raise ValueError(f"Found array with 0 {what} (shape={X.shape}) while a minimum of 1 is required by {who}.")
    if X.nnz >= 2**31 or d >= 2**31:
        raise ValueError(f"X has {X.nnz} numbers in {d} columns: the core takes fewer than 2^31 of each; give fewer "
                         "rows at a time")
    data = _float32(X.data)
    check_finite(data, who, False)
    return Rows(n, d, data, np.ascontiguousarray(X.indices, np.int32), np.ascontiguousarray(X.indptr, np.int32))


def _table(X: Any) -> np.ndarray:
    """The numbers of a data frame of pandas or Polars, column by column."""
    if not len(X.columns):
        return np.empty((len(X), 0))
    by_place = hasattr(X, "iloc")
    columns = [X.iloc[:, j] if by_place else X.get_column(name) for j, name in enumerate(X.columns)]
    return np.column_stack([_column(_cells(c), name) for c, name in zip(columns, X.columns)])


def _cells(column: Any) -> np.ndarray:
    if getattr(column.dtype, "kind", "O") in "mM":  # pandas would make numbers of microseconds of them
        return np.asarray(column.to_numpy())
    try:
        return column.to_numpy(dtype=np.float64, na_value=np.nan)  # of pandas
    except (TypeError, ValueError):
        return np.asarray(column.to_numpy())


def _column(cells: np.ndarray, name: Any) -> np.ndarray:
    if cells.dtype.kind in "biuf":
        return cells
    _check_dates(cells, f"column {name!r} of X")
    missing = [c is None or c != c for c in cells.tolist()] if cells.dtype.kind == "O" else None
    if cells.dtype.kind == "O" and all(m or isinstance(c, (numbers.Real, Decimal, np.bool_))
                                       for c, m in zip(cells.tolist(), missing)):
        return np.array([np.nan if m else float(c) for c, m in zip(cells.tolist(), missing)])
    raise ValueError(f"column {name!r} of X has cells that are no numbers ({cells.dtype}), and numbers are wanted "
                     f"here: {ENCODE}")


def _from_objects(array: np.ndarray) -> np.ndarray:
    try:
        if array.dtype.kind == "O" and any(isinstance(v, complex) for v in array.reshape(-1)[:1000]):
            raise ValueError("Complex data not supported: give real and imaginary parts as two columns")
        return array.astype(np.float64)
    except TypeError as e:  # scikit-learn asks for the words "argument must be a string or a number"
        raise TypeError(f"X must hold numbers; an argument must be a string or a real number: {e}") from None
    except ValueError as e:
        raise ValueError(f"X must hold numbers: {e}. Encode text first, for example by OneHotEncoder; in a data frame "
                         "SketchClassifier and SketchRegressor without a map take it") from None


def labels_of(y: Any, n: int) -> "Tuple[np.ndarray, np.ndarray]":
    """The classes of labels in their order, and the place of each label among them."""
    y = _column_of(y, n)
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity: remove these rows")
        if (y != np.floor(y)).any():
            raise ValueError("Unknown label type: continuous. The labels of a classifier are classes, and these "
                             "numbers have fractions; for numbers to be predicted take SketchRegressor")
    if y.dtype.kind == "O":
        kinds = {bool: 0, int: 1, float: 1, str: 2}
        found = {kinds.get(type(v.item() if isinstance(v, np.generic) else v), 3) for v in y.tolist()}
        if 3 in found:
            raise ValueError("y must hold true and false, numbers or texts, one kind of them; some are missing or of "
                             "another kind")
        if len(found) > 1:
            raise ValueError("y must hold labels of one kind: true and false, numbers or texts")
    if y.dtype.kind not in "biufUO":
        raise ValueError(f"y must hold true and false, numbers or texts, got dtype {y.dtype}")
    classes, places = np.unique(y, return_inverse=True)
    if classes.dtype.kind in "iu" and len(classes) and max(abs(int(classes[0])), abs(int(classes[-1]))) > 2**53:
        raise ValueError("labels beyond 2^53 cannot be told apart in a model file: give texts, y.astype(str)")
    return classes, places.reshape(-1).astype(np.int32)


def _column_of(y: Any, n: int) -> np.ndarray:
    if y is None:
        raise ValueError("this estimator requires y to be passed, but the target y is None")
    y = _array(y)
    if y.ndim == 2 and y.shape[1] == 1:
        try:
            from sklearn.exceptions import DataConversionWarning as Kind
        except ImportError:
            Kind = UserWarning
        warnings.warn("A column-vector y was passed when a 1d array was expected: give y.ravel()", Kind, stacklevel=4)
        y = y.ravel()
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    if len(y) != n:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: X has {n} rows and y {len(y)}")
    return y


def targets_of(y: Any, n: int) -> np.ndarray:
    """The targets of rows, n × K float64."""
    if y is None:
        raise ValueError("this estimator requires y to be passed, but the target y is None")
    y = _array(y)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported: y must hold real numbers")
    _check_dates(y, "y")
    if y.dtype.kind not in "biuf":
        try:
            y = y.astype(np.float64)
        except (TypeError, ValueError) as e:
            raise ValueError(f"y must hold numbers: {e}; for texts take SketchClassifier") from None
    if y.ndim not in (1, 2):
        raise ValueError(f"y should be a 1d array, or have a column for each target, got shape {y.shape}")
    if len(y) != n:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: X has {n} rows and y {len(y)}")
    y = y.astype(np.float64)
    if not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity: remove these rows")
    return np.ascontiguousarray(y.reshape(n, -1))
