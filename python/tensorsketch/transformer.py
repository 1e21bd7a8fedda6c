"""TensorSketch: the feature maps of the core as a transformer of scikit-learn."""

import base64
import concurrent.futures
import json
import numbers
import os
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from .base import Estimator
from .core import Core, CoreError, NEEDS_WASMTIME, _signed, available
from .results import new_result
from .rows import Rows, check_finite

__all__ = ["TensorSketch"]

BLOCK_BYTES = 1 << 20  # of rows and features that go to the core at a time
FITTED = ("nystroem", "k-space")  # methods that are fitted to rows
SUMS = b"TSLEARN"  # and the version of their file


class TensorSketch(Estimator):
    """Random features whose inner products estimate a kernel: by default (gamma * <x, y> + coef0) ** degree.

    Takes the place of :class:`sklearn.kernel_approximation.PolynomialCountSketch` in a pipeline, with the bits of
    Tensor Sketch in Go, JavaScript and SQL, and its model files.

    Parameters
    ----------
    n_components : int, default=100
        Features of a row and repeat.
    degree : int, optional
        Degree of the polynomial kernel; 2 by default where the method has one.
    gamma : float, default=1.0
        Scale of the inner products, above 0.
    coef0 : float, default=0.0
        Constant of the polynomial kernel, at least 0.
    method : str, default="tensor-sketch"
        One of the methods of docs/theory.md, such as "random-fourier", "tensor-srht" or "nystroem".
    method_params : dict, optional
        Parameters of the method, such as ``{"kernel": "laplacian"}`` (docs/SPEC.md, section 8). With ``signed`` of
        "spherical", inner products of features do not estimate the kernel: they lack the signs.
    normalize : {"none", "kernel"}, default="none"
        With "kernel" a row of features has the length that the kernel says.
    output : {"real", "spectrum"}, default="real"
        With "spectrum" the Fourier transform of the features.
    repeats : int, default=1
        Independent maps side by side.
    seed : int, str or bytes, default=0
        Seed of the hash functions: an integer below 2^64, a text, or 32 bytes.
    random_state : int or numpy.random.RandomState, optional
        Instead of the seed: the tables that PolynomialCountSketch fits with it. For "tensor-sketch" and "count-sketch".
    n_jobs : int, optional
        Threads of :meth:`transform`; None is one and -1 all processors. No bit depends on it.

    Attributes
    ----------
    n_features_in_ : int
        Columns of X.
    n_features_out_ : int
        Features of a row.
    feature_names_in_ : ndarray of str
        Names of the columns, where X had any.

    Examples
    --------
    >>> import numpy as np
    >>> from tensorsketch import TensorSketch
    >>> X = np.array([[1, -0.5], [0.25, 2]])
    >>> TensorSketch(n_components=4, seed=5).fit_transform(X)
    array([[ 1.    ,  1.    ,  0.25  ,  0.    ],
           [ 0.0625, -1.    ,  4.    ,  0.    ]], dtype=float32)
    """

    _sklearn_auto_wrap_output_keys = {"transform"}

    def __init__(self, n_components: int = 100, degree: Optional[int] = None, gamma: float = 1.0, coef0: float = 0.0,
                 method: str = "tensor-sketch", method_params: Optional[Dict[str, Any]] = None, normalize: str = "none",
                 output: str = "real", repeats: int = 1, seed: Union[int, str, bytes] = 0, random_state: Any = None,
                 n_jobs: Optional[int] = None):
        self.n_components = n_components
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.method = method
        self.method_params = method_params
        self.normalize = normalize
        self.output = output
        self.repeats = repeats
        self.seed = seed
        self.random_state = random_state
        self.n_jobs = n_jobs

    @classmethod
    def from_sklearn(cls, sketch: Any, n_jobs: Optional[int] = None) -> "TensorSketch":
        """Returns the map of a PolynomialCountSketch of scikit-learn: fitted if that is, by its own hash tables.

        Parameters
        ----------
        sketch : sklearn.kernel_approximation.PolynomialCountSketch
        n_jobs : int, optional
            Threads of :meth:`transform`.

        Returns
        -------
        TensorSketch
        """
        made = cls(n_components=sketch.n_components, degree=sketch.degree, gamma=sketch.gamma, coef0=sketch.coef0,
                   random_state=sketch.random_state, n_jobs=n_jobs)
        if hasattr(sketch, "indexHash_"):
            made._open_map(int(sketch.n_features_in_), (np.asarray(sketch.indexHash_), np.asarray(sketch.bitHash_)))
            made._own = not isinstance(sketch.random_state, numbers.Integral)
            if hasattr(sketch, "feature_names_in_"):
                made.feature_names_in_ = sketch.feature_names_in_
        return made

    @classmethod
    def load(cls, file: Any, key: Optional[bytes] = None) -> "TensorSketch":
        """Opens the map of a model file, with the preparation that a search has learned for rows of numbers, and
        without what the file has beside them.

        Parameters
        ----------
        file : path or open file
        key : bytes, optional
            32 bytes, of a map with a key.
        """
        text = read(file)
        if is_sums(text):
            raise ValueError("not a model file: it has sums of rows, and no map: open it by SketchClassifier.load")
        model = model_of(text)
        made = cls(**{name: model[of] for name, of in (("n_components", "nComponents"), ("degree", "degree"),
                                                       ("gamma", "gamma"), ("coef0", "coef0"), ("method", "method"),
                                                       ("normalize", "normalize"), ("output", "output"),
                                                       ("repeats", "repeats")) if of in model})
        made.method_params = model.get("methodParams") or None
        made.random_state = model.get("randomState")
        seed = model.get("seed", "0")
        if isinstance(seed, dict):
            made.seed = seed["string"] if "string" in seed else bytes.fromhex(seed["bytes"])
        else:
            made.seed = int(seed)
        made._key = key
        made._own = model.get("hash") in ("tables", "key") or "preparation" in model
        made._take(text, preparation_width(model) if "preparation" in model else model["nFeatures"])
        return made

    def save(self, file: Any) -> None:
        """Writes the model file of the map, for the page, JavaScript, Go and the command line."""
        self._check_fitted("model_")
        write(file, self.model_)

    def fit(self, X: Any, y: Any = None) -> "TensorSketch":
        """Takes the number of columns from X, and for "nystroem" and "k-space" what the map is made of.

        Parameters
        ----------
        X : array, sparse matrix or table, n × d
        y : ignored

        Returns
        -------
        TensorSketch
            Itself.
        """
        if getattr(self, "_own", False):
            raise ValueError("this map has hash tables, a key or a preparation that no parameter gives, so it is "
                             "fitted as it is: call transform, wrap it in sklearn.frozen.FrozenEstimator, or make a "
                             "new TensorSketch")
        self._key = None
        rows = self._rows(X, reset=True)
        self._open_map(rows.d, None, rows if self.method in FITTED else None)
        return self

    def transform(self, X: Any) -> Any:
        """Returns the features of rows.

        Parameters
        ----------
        X : array, sparse matrix or table, n × d

        Returns
        -------
        ndarray of float32, n × n_features_out_; or what :meth:`set_output` says
        """
        self._check_fitted("model_")
        rows = self._rows(X, can_miss=self._prepared, raw=available() and not self._prepared)
        if not available():
            return self._contained(self._by_numpy().transform(rows.data if rows.indptr is None else X), X)
        out = new_result(rows.n, self.n_features_out_)
        try:
            spread(rows, self.n_features_out_, self.n_jobs, self._idle, self._instance, lambda mine, first, part:
                   transform_block(*mine, part, out[first:first + part.n], first))
        except CoreError:
            check_finite(rows.data, type(self).__name__, self._prepared)  # of all rows, in scikit-learn's words
            raise
        return self._contained(out, X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fits to X and returns its features."""
        return self.fit(X, y).transform(X)

    def set_output(self, *, transform: Optional[str] = None) -> "TensorSketch":
        """Says what :meth:`transform` returns, as scikit-learn does.

        Parameters
        ----------
        transform : {"default", "pandas", "polars"}, optional
            An array, or a data frame whose columns are named f0, f1 …; None leaves it as it is.

        Returns
        -------
        TensorSketch
            Itself.
        """
        if transform not in (None, "default", "pandas", "polars"):
            raise ValueError(f'transform must be "default", "pandas" or "polars", got {transform!r}')
        if transform is not None:
            self._sklearn_output_config = {**getattr(self, "_sklearn_output_config", {}), "transform": transform}
            from sklearn.utils import _set_output  # noqa: F401, which transform asks
        return self

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Returns the names f0, f1 … of the features, as in the files of the command line."""
        self._check_fitted("model_")
        return np.array([f"f{j}" for j in range(self.n_features_out_)], dtype=object)

    # What makes the map.

    def _open_map(self, d: int, tables: "Optional[Tuple[np.ndarray, np.ndarray]]", rows: Optional[Rows] = None) -> None:
        options = self._options(d, tables)
        if not available():
            self._take(self._text_without_core(options), d)
            return
        core = Core()
        with core.options(**options) as text:
            handle = core.handle("tensorsketch_map_new", text)
        if rows is not None:
            with core.buffers(*rows.arrays) as (data, indices, indptr):
                core.check(core.call("tensorsketch_map_fit", handle, data, indices, indptr, rows.n, rows.numbers))
        self._take(core.take(core.handle("tensorsketch_map_write", handle)), d)

    def _options(self, d: int, tables: "Optional[Tuple[np.ndarray, np.ndarray]]") -> Dict[str, Any]:
        for name in ("n_components", "degree", "repeats"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, numbers.Integral) or isinstance(value, bool)):
                raise ValueError(f"{name} must be an integer, got {value!r}")
        for name in ("gamma", "coef0"):
            value = getattr(self, name)
            if not isinstance(value, numbers.Real) or not np.isfinite(value):
                raise ValueError(f"{name} must be a finite number, got {value!r:.60}")
        options: Dict[str, Any] = {
            "method": self.method, "nFeatures": d, "nComponents": int(self.n_components), "gamma": float(self.gamma),
            "degree": None if self.degree is None else int(self.degree), "coef0": float(self.coef0),
            "normalize": self.normalize, "output": self.output, "repeats": int(self.repeats),
            "methodParams": self.method_params}
        state = self.random_state
        if state is not None and self.seed not in (0, None):
            raise ValueError("seed must be left out beside random_state, which draws the tables, got "
                             f"{self.seed!r:.60}")
        if tables is None and state is not None and not isinstance(state, numbers.Integral):
            tables = self._tables_of(state, d)
        if tables is not None:
            options["indexHash"], options["bitHash"] = (np.asarray(t).astype(int).tolist() for t in tables)
        elif state is not None:
            if not 0 <= state < 2**32:
                raise ValueError(f"random_state must be from 0 to 2^32 - 1, got {state!r}")
            options["randomState"] = int(state)
        elif isinstance(self.seed, str):
            options["seedText"] = self.seed
        elif isinstance(self.seed, (bytes, bytearray)):
            options["seedBytes"] = base64.b64encode(self.seed).decode()
        elif isinstance(self.seed, numbers.Integral) and not isinstance(self.seed, bool) and 0 <= self.seed < 2**64:
            options["seed"] = int(self.seed)
        else:
            raise ValueError(f"seed must be an integer from 0 to 2^64 - 1, a text or 32 bytes, got {self.seed!r:.60}")
        return options

    def _tables_of(self, state: Any, d: int) -> "Tuple[np.ndarray, np.ndarray]":
        """The tables that PolynomialCountSketch draws from a RandomState, which moves on as it does there."""
        if not hasattr(state, "randint"):
            raise ValueError(f"random_state must be an integer, a numpy.random.RandomState or None, got {state!r:.60}")
        shape = (self.degree or 2, d + (self.coef0 != 0))
        return state.randint(0, high=self.n_components, size=shape), state.choice(a=[-1, 1], size=shape)

    def _take(self, text: bytes, d: int) -> None:
        """Takes the model file of the map."""
        self.model_ = text
        model = json.loads(text)
        self._prepared = "preparation" in model
        self.n_features_in_ = int(d)
        self.n_features_out_ = model["nComponents"] * model["repeats"]
        self._idle: "List[Tuple[Core, int]]" = []  # instances with the map

    def _instance(self) -> "Tuple[Core, int]":
        core = Core()
        key = getattr(self, "_key", None)
        with core.text(self.model_) as text:
            if key is None:
                handle = core.handle("tensorsketch_map_read", text, 0)
            else:
                with core.text(key) as its:
                    handle = core.handle("tensorsketch_map_read", text, its)
        if self._prepared:
            with core.text(json.dumps(json.loads(self.model_)["preparation"]).encode()) as preparation:
                core.check(core.call("tensorsketch_map_prepare", handle, preparation))
        return core, handle

    # Without wasmtime.

    def _text_without_core(self, options: Dict[str, Any]) -> bytes:
        from .numpymodel import METHODS, TensorSketchModel  # takes a while

        method = options["method"]
        if method not in METHODS or options["methodParams"] and method != "random-fourier":
            raise ImportError(f"method {method!r} {NEEDS_WASMTIME}; NumPy alone computes {', '.join(METHODS)}")
        model = {"format": "tensorsketch-model", "version": 1, "method": method, "nFeatures": options["nFeatures"],
                 "nComponents": options["nComponents"], "degree": options["degree"] or (1 if method == "count-sketch"
                                                                                        else 2),
                 "gamma": options["gamma"], "coef0": options["coef0"], "normalize": options["normalize"],
                 "output": options["output"], "repeats": options["repeats"],
                 "methodParams": options["methodParams"] or {}}
        if "indexHash" in options:
            model.update(hash="tables", indexHash=options["indexHash"], bitHash=options["bitHash"])
        elif "randomState" in options:
            model.update(hash="random-state", randomState=options["randomState"])
        elif "seedText" in options:
            model.update(hash="seed", seed={"string": options["seedText"]})
        elif "seedBytes" in options:
            model.update(hash="seed", seed={"bytes": bytes(self.seed).hex()})
        else:
            model.update(hash="seed", seed=str(options["seed"]))
        TensorSketchModel(model)  # checks it
        return json.dumps(model, separators=(",", ":")).encode()

    def _by_numpy(self) -> Any:
        from .numpymodel import TensorSketchModel

        model = json.loads(self.model_)
        model.pop("preprocessing", None)
        if not self._prepared:  # a preparation needs its head
            model.pop("head", None)
            model["version"] = 1
        return TensorSketchModel(model, getattr(self, "_key", None))


def transform_block(core: Core, handle: int, rows: Rows, out: np.ndarray, first: int) -> None:
    """Writes the features of a block of rows, whose first one has this place among all."""
    to = core.scratch(3, out.nbytes)
    if rows.indptr is not None:
        data, indices, indptr = core.put(*rows.arrays)
        status = core.call("ts_transform_csr", handle, indptr, indices, data, rows.n, rows.numbers, _signed(to))
    else:
        at = core.scratch(0, 4 * rows.numbers)
        with np.errstate(over="ignore"):
            core.view(at, rows.numbers, np.float32).reshape(rows.n, rows.d)[...] = rows.data
        status = core.call("ts_transform", handle, _signed(at), rows.n, _signed(to))
    if status:
        fail_at(core, first)
    out[:] = core.view(to, out.size, np.float32).reshape(out.shape)


def fail_at(core: Core, first: int) -> None:
    """Raises the error of the last call, with the row's place among all rows."""
    try:
        core.fail()
    except ValueError as e:
        row = getattr(e, "row", -1)
        if row >= 0:
            e.args = (f"row {first + row}: {e}",)
            e.row = first + row
        raise


def threads_of(n_jobs: Optional[int]) -> int:
    """How many threads n_jobs stands for."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, numbers.Integral) or isinstance(n_jobs, bool) or n_jobs == 0:
        raise ValueError(f"n_jobs must be an integer other than 0, or None, got {n_jobs!r}")
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(n_jobs) if n_jobs > 0 else max(1, processors + 1 + int(n_jobs))


def block_rows(d: int, D: int) -> int:
    """How many rows of d numbers with D results go to the core at a time."""
    return max(1, BLOCK_BYTES // (4 * max(d, D)))


def spread(rows: Rows, D: int, n_jobs: Optional[int], idle: List[Any], make: Callable[[], Any],
           work: "Callable[[Any, int, Rows], None]") -> None:
    """Does work for blocks of rows in threads: work(instance, first row, rows). Each has an instance of its own, from
    the idle ones or made. The error is the one of the first rows that failed."""
    each = block_rows(rows.d if rows.indptr is None else 1, D)
    count = min(threads_of(n_jobs), -(-rows.n // each))

    def thread(at: int) -> "Optional[Tuple[int, BaseException]]":
        mine = take_idle(idle) or make()
        for first in range(at * each, rows.n, count * each):
            try:
                work(mine, first, rows.part(first, first + each))
            except MemoryError as e:  # the instance may have stopped for good
                return first, e
            except Exception as e:
                idle.append(mine)
                return first, e
        idle.append(mine)
        return None

    if count == 1:
        failed = [thread(0)]
    else:
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            failed = list(pool.map(thread, range(count)))
    failed = [f for f in failed if f is not None]
    if failed:
        raise min(failed, key=lambda f: f[0])[1]


def preparation_width(model: Dict[str, Any]) -> int:
    """How many numbers a row has before the preparation of a model."""
    from .numpymodel import Preparation

    return int(Preparation(model["preparation"]).n_features)


def take_idle(idle: List[Any]) -> Any:
    """An idle instance, or None."""
    try:
        return idle.pop()
    except IndexError:
        return None


def read(file: Any) -> bytes:
    """The bytes of a file by its path, or of an open one."""
    if hasattr(file, "read"):
        content = file.read()
    else:
        with open(os.fspath(file), "rb") as opened:
            content = opened.read()
    return content.encode() if isinstance(content, str) else content


def is_sums(content: bytes) -> bool:
    """Whether a file has sums of rows, in either form."""
    return content.startswith(SUMS) or b'"tensorsketch-learner"' in content[:64]


def model_of(content: bytes) -> Dict[str, Any]:
    """The object of a model file."""
    try:
        model = json.loads(content)
    except (ValueError, RecursionError) as e:
        raise ValueError(f"not a model file: {e}") from None
    if not isinstance(model, dict) or model.get("format") != "tensorsketch-model":
        raise ValueError("not a model file: its key format must be \"tensorsketch-model\"")
    for name in ("nFeatures", "nComponents", "repeats"):
        if name not in model:
            raise ValueError(f"not a model file: its key {name} is missing")
    return model


def write(file: Any, content: bytes) -> None:
    """Writes bytes into a file by its path, or into an open one. A file by its path is replaced as a whole."""
    if hasattr(file, "write"):
        file.write(content)
        return
    path = os.fspath(file)
    beside = f"{path}.{os.getpid()}.new"
    with open(beside, "wb") as opened:
        opened.write(content)
    os.replace(beside, path)
