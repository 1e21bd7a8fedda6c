"""SketchClassifier and SketchRegressor: linear models on features, from exact sums of integers, as estimators."""

import json
import math
import numbers
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type, TypeVar, Union, cast

import numpy as np

from .base import Estimator
from .core import Core, NEEDS_WASMTIME, _signed, available
from .numpymodel import Notes, Preparation, like_predictions
from .rows import Rows, label_of, labels_of, names_of, numbers_of, targets_of
from .transformer import (FITTED, SUMS, TensorSketch, fail_at, is_sums, model_of, preparation_width, read, spread,
                          threads_of, write)

__all__ = ["SketchClassifier", "SketchRegressor"]

SAMPLE_ROWS, SAMPLE_NUMBERS = 40000, 16 << 20  # of a search, as package jobs takes them
LOSSES = ("squared", "squared-hinge", "logistic")
MAP = ("degree", "gamma", "coef0", "method", "method_params", "normalize", "output", "repeats", "random_state")

PARAMETERS = """
    Parameters
    ----------
    n_components : int, optional
        Features of a row. A search chooses it if it is left out.
    degree, gamma, coef0, method, method_params, normalize, output, repeats, seed, random_state
        The map, as for :class:`TensorSketch`. If all of them are left out, a search on a sample of the rows chooses the
        map and how columns are scaled, by held-out rows, as `tensorsketch fit` and `ts.fit` do. Rows may then have
        missing numbers (NaN), and tables texts, categories and dates. ``seed`` and ``n_components`` alone narrow the
        search.
    alpha : float, optional
        Weight of the squared weights beside the sum of squared errors; chosen if it is left out.
    fit_intercept : bool, default=True
        Whether scores have a constant that the penalty leaves alone.
    folds : {{0, 1, 5}}, optional
        Parts of the rows that are held out in turn, for alpha and probabilities. By default 5 for numbers and after a
        search, else 1.
    linear : bool, default=True
        Whether a linear model on the rows themselves is fitted beside, for the report.
    candidates : list of str, optional
        Names of the candidates of the search (docs/learn.md); all by default.
    indicators : list of int, optional
        Columns of zeros and ones for a category each, which a search leaves as they are.
    radius : float, optional
        Largest length of a row. Left out, it comes from the rows of the first call.
    private : bool, default=False
        Keeps sums for :meth:`release`. Nothing may come from the rows: state ``radius``, {stated}, and the map.
    n_jobs : int, optional
        Threads; None is one and -1 all processors. No bit depends on it.{more}
    Attributes
    ----------
    model_ : bytes
        The model file.
    report_ : dict
        How it was fitted: rows, alpha's rule, accuracy or R² on rows held out, warnings (docs/SPEC.md, "Heads").
    n_features_in_ : int
        Columns of X.
    n_rows_ : int
        Rows in the sums.
    chosen_ : str
        What the search chose.
{attributes}"""


T = TypeVar("T", bound="_Learner")


class _Learner(Estimator):
    _task = ""

    # The parameters that both have.
    n_components: Optional[int]
    seed: Union[int, str, bytes, None]
    alpha: Optional[float]
    fit_intercept: bool
    folds: Optional[int]
    linear: bool
    candidates: Optional[Sequence[str]]
    indicators: Optional[Sequence[int]]
    radius: Optional[float]
    private: bool
    n_jobs: Optional[int]

    _sums: Optional[bytes]
    _text: Optional[bytes]
    _key: Optional[bytes]
    _idle: "List[Tuple[Core, int]]"
    _prepared: bool
    _table: Optional[Dict[str, Any]] = None  # what becomes of the columns of a table with texts: table.learn
    _preparation: Optional[Dict[str, Any]] = None  # of the model file
    _named: Optional[str] = None  # the preprocessing of a table of numbers

    # Fitting.

    def fit(self: T, X: Any, y: Any) -> T:
        """Fits to rows, and forgets the rows of before.

        Parameters
        ----------
        X : array, sparse matrix or table, n × d
        y : labels, n; or numbers, n or n × K

        Returns
        -------
        Itself.
        """
        self._need_core("fit")
        self._forget()
        searches = self._searches()
        if searches:
            self._learn_table(X, y)
        rows = self._rows(X, reset=self._table is None, can_miss=searches, tell=False)  # learn_table has told
        self._name_columns(y)
        names, places = self._targets(y, rows.n, reset=True)
        if getattr(self, "loss", "squared") != "squared":
            return self._fit_in_passes(rows, names, places)
        core = Core()
        learner = self._search(core, rows, names, places) if searches else self._prepare(core, rows, names, places)
        self._add(core, learner, rows, names, places)
        self._fit_sums(core, learner, tell=True)
        self._sums = core.take(core.handle("tensorsketch_learner_write", learner))
        return self

    def partial_fit(self: T, X: Any, y: Any, classes: Any = None) -> T:
        """Adds rows to the rows of before. The model is the one that all rows together give, to the bit.

        The first call decides what the parts share: the radius and the grid of the features. State ``radius``, or let
        the first part have the longest row. A search is not possible: state the map, or begin with ``fit``.

        Parameters
        ----------
        X : array, sparse matrix or table, n × d
        y : labels, n; or numbers, n or n × K
        classes : array, optional
            Of a classifier, in the first call: all labels there are. Others may come in later parts if it is left out.

        Returns
        -------
        Itself.
        """
        self._need_core("partial_fit")
        if getattr(self, "loss", "squared") != "squared":
            raise ValueError(f"loss must be 'squared' for partial_fit, got {self.loss!r}: the others need all rows at "
                             "once, in fit")
        first = not self._has_sums()
        rows = self._rows(X, reset=first, can_miss=not first and self._prepared)
        if first and self._searches():
            raise ValueError("partial_fit needs the map, for example method='tensor-sketch' and n_components=1024: a "
                             "search needs the rows of all parts. fit searches, and partial_fit may follow it")
        if first:
            self._labels_dtype = None
            self._name_columns(y)
        if classes is not None and first:
            self._given = labels_of(np.asarray(classes), len(classes))[0]
        names, places = self._targets(y, rows.n, reset=False)
        core = Core()
        learner = self._prepare(core, rows, names, places) if first else self._learner_in(core)
        self._add_whole(core, learner, rows, names, places)
        self._keep_sums(core, learner)
        return self

    def merge(self: T, other: T) -> T:
        """Adds the rows of another estimator, which was fitted to another part with the same parameters and like this
        one: see :meth:`like`. The model is the one that all rows together give, to the bit.

        Returns
        -------
        Itself.
        """
        return self._merge(other, 0)

    def subtract(self: T, other: T) -> T:
        """Takes away the rows of another estimator: exactly, as if they had never been added.

        Returns
        -------
        Itself.
        """
        return self._merge(other, 1)

    def release(self: T, epsilon: float, delta: float) -> T:
        """Returns a model of the sums with noise: (epsilon, delta)-differentially private, where one row is replaced.

        Each call is a release of its own, and what they spend adds up: docs/privacy.md. The estimator must have been
        made with ``private=True``. The noise comes from 32 bytes of the system's secure source.

        Parameters
        ----------
        epsilon, delta : float

        Returns
        -------
        An estimator that predicts, without the sums.
        """
        core = Core()
        learner = self._learner_in(core)
        with core.secret() as secret:
            fit = core.handle("tensorsketch_release", learner, secret, float(epsilon), float(delta))
        core.step("tensorsketch_fit_step", fit)
        made = self._copy()
        made._take_model(core.take(core.handle("tensorsketch_model_write", fit)))
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(made, name, getattr(self, name))
        return made

    def like(self: T) -> T:
        """Returns an estimator of no rows for another part, whose sums can be merged with these."""
        core = Core()
        made = self._copy()
        learner = self._learner_in(core, empty=1)
        for name in ("n_features_in_", "feature_names_in_", "_labels_dtype", "_table"):
            if hasattr(self, name):
                setattr(made, name, getattr(self, name))
        made._keep_sums(core, learner)
        return made

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    # Predicting.

    def _scores(self, X: Any, what: int = 0) -> np.ndarray:
        self._check_fitted("n_features_in_")
        self._refresh()
        rows = self._rows(X, can_miss=self._prepared, tell=available())
        if not available():
            from .numpymodel import TensorSketchModel

            model = TensorSketchModel(self._bare() if self._table is None else json.loads(self._text))
            dense = rows.data if rows.indptr is None and self._table is None else X
            return model.predict_proba(dense) if what else model.scores(dense)
        out = np.empty((rows.n, self._outputs))
        spread(rows, self._width, self.n_jobs, self._idle, self._instance, lambda mine, first, part:
               self._apply(mine, what, part, first, out[first:first + part.n]))
        return out

    def _apply(self, mine: "Tuple[Core, int]", what: int, rows: Rows, first: int, out: np.ndarray) -> None:
        core, model = mine
        data, indices, indptr = core.put(*rows.arrays)
        to = core.scratch(3, out.nbytes)
        if core.call("tensorsketch_model_apply", model, what, data, indices, indptr, rows.n, rows.numbers, _signed(to),
                     out.size):
            fail_at(core, first)
        out[:] = core.view(to, out.size, np.float64).reshape(out.shape)

    def _instance(self) -> "Tuple[Core, int]":
        core = Core()
        with core.text(self._text) as text:
            if self._key is None:
                return core, core.handle("tensorsketch_model_read", text, 0)
            with core.text(self._key) as key:
                return core, core.handle("tensorsketch_model_read", text, key)

    # Files.

    @property
    def model_(self) -> bytes:
        """The model file, of the rows so far."""
        self._check_fitted("n_features_in_")
        self._refresh()
        return cast(bytes, self._text)

    @property
    def report_(self) -> Dict[str, Any]:
        """How the model was fitted."""
        return json.loads(self.model_)["head"]["report"]

    @property
    def n_iter_(self) -> int:
        """Passes of the other losses; 1 for the squared one, which is solved."""
        return self.report_.get("solver", {}).get("iterations", 1)

    def save(self, file: Any) -> None:
        """Writes the model file, for the page, JavaScript, Go, SQL and the command line.

        Parameters
        ----------
        file : path or open file
        """
        write(file, self.model_)

    def save_sums(self, file: Any) -> None:
        """Writes the sums, for :meth:`merge` elsewhere, and for `tensorsketch fit --from` and `tensorsketch merge`.

        Parameters
        ----------
        file : path or open file
        """
        if not self._has_sums():
            raise ValueError("there are no sums: call fit or partial_fit, with loss='squared'")
        write(file, self._sums)

    @classmethod
    def load(cls: Type[T], file: Any, key: Optional[bytes] = None) -> T:
        """Opens a model file, which predicts; or a file of sums, to which rows can be added too.

        Parameters
        ----------
        file : path or open file
        key : bytes, optional
            32 bytes, of a model whose map has a key.
        """
        content = read(file)
        made = cls()
        made._labels_dtype = None
        if is_sums(content):
            made._need_core("the sums of a file")
            made._take_columns(preprocessing_of_sums(content))
            core = Core()
            with core.text(content) as text:
                learner = core.handle("tensorsketch_learner_read", text, 0)
            made._keep_sums(core, learner)
            return made
        made._key = key
        made._take_model(content)
        made.n_features_in_ = made._columns
        made._take_columns(json.loads(content).get("preprocessing"))
        return made

    def _take_columns(self, preprocessing: Optional[Dict[str, Any]]) -> None:
        """Takes the columns that a file was fitted to: numbers as they are, or a table that a search has taken."""
        if preprocessing is None:
            return
        columns = [c for c in preprocessing.get("columns", []) if c["role"] not in ("label", "keep", "ignore")]
        if preprocessing["unitNorm"] or not columns or any(c.get("scaling", "none") != "none" for c in columns):
            raise ValueError("the rows of this file are made from the cells of a table (its key preprocessing), and "
                             f"{type(self).__name__} takes rows of numbers as they are: open a model by "
                             "TensorSketchModel.load, and add rows by `tensorsketch fit --like`")
        self.feature_names_in_ = np.array([c["name"] for c in columns], dtype=object)
        if not all(c["role"] == "number" and c["missing"] in ("nan", "drop") and "measure" not in c for c in columns):
            text = json.dumps(preprocessing, separators=(",", ":"), ensure_ascii=False)
            self._table = {"preprocessing": text, "indicators": [], "sparse": "sparseWidth" in preprocessing}
            self.n_features_in_ = len(columns)

    # How it works.

    def _need_core(self, what: str) -> None:
        if not available():
            raise ImportError(f"{what} {NEEDS_WASMTIME}. Without it models are opened (load) and predict, by NumPy")

    def _forget(self) -> None:
        for name in ("_sums", "_text", "_preparation", "chosen_", "_given", "n_rows_", "_labels_dtype", "_table",
                     "_named"):
            self.__dict__.pop(name, None)

    def _learn_table(self, X: Any, y: Any) -> None:
        """Has Go decide what becomes of the columns of a table, where one has texts or dates."""
        from . import table

        if not table.has_texts(X):
            return
        if self.indicators:
            raise ValueError("indicators are for rows of numbers: leave them out for a table with texts, whose "
                             "categories are told apart")
        self._table, names = table.learn(X, np.asarray(y), label_of(y, names_of(X)), self._task)
        self.n_features_in_, self.feature_names_in_ = len(names), np.array(names, dtype=object)

    def _name_columns(self, y: Any) -> None:
        """Has the model's file name the columns of a table of numbers: no program takes them in another order."""
        names = getattr(self, "feature_names_in_", None)
        has_label = len(getattr(y, "shape", (0,))) < 2 or y.shape[1] == 1
        self._named = None if names is None or self._table is not None or len(set(names)) < len(names) else \
            numbers_of(names, label_of(y, names) if has_label else None, "nan" if self._searches() else "drop")

    def _rows(self, X: Any, reset: bool = False, can_miss: bool = False, raw: bool = False, tell: bool = True) -> Rows:
        """The rows of X; of a table with texts as they were when it was learned from. A warning tells what cells
        become, unless `tell` is false."""
        if self._table is None:
            rows = super()._rows(X, reset, can_miss, raw)
            if tell and self._preparation is not None and rows.indptr is None:
                notes, names = Notes(), getattr(self, "feature_names_in_", None)
                columns = None if names is None else [{"name": name} for name in names]
                Preparation(self._preparation).note(rows.data, columns, notes)
                notes.tell()
            return rows
        from . import table

        return table.rows_by(self._table["preprocessing"], X, self._table["sparse"], tell,
                             self._preparation if tell else None)

    def _has_sums(self) -> bool:
        return getattr(self, "_sums", None) is not None

    def _searches(self) -> bool:
        return not self.private and all(getattr(self, name) is None for name in (*MAP, "radius")) and \
            getattr(self, "loss", "squared") == "squared"

    def _takes_missing(self) -> bool:
        return self._searches()

    def _options(self, names: Optional[List[Any]], targets: int, **more: Any) -> Dict[str, Any]:
        given = getattr(self, "_given", None)
        options = {"task": self._task, "classes": names, "targets": targets or None,
                   "folds": None if self.folds is None else np.asarray(self.folds),  # the core refuses what is none
                   "radius": _float(radius=self.radius), "private": bool(self.private), "withoutLinear": not self.linear,
                   "preprocessing": self._named, **more}
        if given is not None:
            options.update(classes=given.tolist(), classesGiven=True)
        stated = getattr(self, "target_range", None)
        if stated is not None:
            if np.shape(stated) != (2,) or np.asarray(stated).dtype.kind not in "biuf":
                raise ValueError(f"target_range must be the lowest and the highest target, got {stated!r:.60}")
            options["targetRange"] = [float(v) for v in stated]
        return options

    def _map(self, core: Core, rows: Optional[Rows], d: int) -> int:
        """The handle of the map that the parameters say."""
        if getattr(self, "loss", "squared") not in LOSSES:
            raise ValueError(f"loss must be one of {', '.join(LOSSES)}, got {self.loss!r:.60}")
        if all(getattr(self, name) is None for name in MAP):
            raise ValueError("state the map, for example method='tensor-sketch', degree=2, coef0=1, n_components=1024: "
                             "nothing is searched for other losses than 'squared', with radius, or where private")
        usual = {"n_components": 1024, "method": "tensor-sketch", "gamma": 1.0, "coef0": 0.0, "normalize": "none",
                 "output": "real", "repeats": 1, "seed": 0}
        stated = {name: getattr(self, name) for name in TensorSketch._names() if name != "n_jobs"}
        sketch = TensorSketch(**{name: usual.get(name) if value is None else value for name, value in stated.items()})
        sketch._key = None
        sketch._open_map(d, None, rows if sketch.method in FITTED else None)
        with core.text(sketch.model_) as text:
            return core.handle("tensorsketch_map_read", text, 0)

    def _prepare(self, core: Core, rows: Rows, names: Optional[List[Any]], places: np.ndarray) -> int:
        """The learner of no rows under the map that the parameters say. The rows say what is left out."""
        mapping = self._map(core, rows, rows.d)
        # Where all is stated, nothing may come from the rows.
        seen = Rows(0, rows.d, rows.data[:0]) if self.private else rows
        if self.private:
            self._check_stated()
        with core.options(**self._options(names, self._outputs_of(places))) as text, \
                core.buffers(*(seen.arrays if seen.n else (None,) * 3), places if seen.n else None) as at:
            data, indices, indptr, labels = at
            return core.handle("tensorsketch_learner_new", mapping, text, data, indices, indptr, seen.n,
                               seen.numbers if seen.n else 0, labels)

    def _search(self, core: Core, rows: Rows, names: Optional[List[Any]], places: np.ndarray) -> int:
        sample, theirs, stated = rows, places, {}
        most = max(1, min(SAMPLE_ROWS, SAMPLE_NUMBERS * rows.n // max(1, rows.numbers)))
        if rows.n > most:
            with core.buffer(4 * most) as out:
                core.check(core.call("tensorsketch_sample", rows.n, most, _signed(out)))
                picked = core.view(out, most, np.int32).copy()
            sample, theirs = rows.at(picked), np.ascontiguousarray(places[picked])
        if names is None:
            with core.buffers(places) as (y,), core.buffer(16) as out:
                core.check(core.call("ts_target_range", y, places.size, _signed(out)))
                stated["targetRange"] = core.view(out, 2, np.float64).tolist()
        options = self._options(names, self._outputs_of(places), rows=rows.n, candidates=self.candidates,
                                components=None if self.n_components is None else int(self.n_components),
                                seed=self._search_seed(), **stated)
        indicators = [int(j) for j in self.indicators or []]
        if self._table is not None:
            indicators = self._table["indicators"]
            options["preprocessing"] = self._table["preprocessing"]
        with core.options(**options, indicators=indicators) as text, core.buffers(*sample.arrays, theirs) as at:
            data, indices, indptr, labels = at
            search = core.handle("tensorsketch_learner_search", text, data, indices, indptr, sample.n, sample.numbers,
                                 rows.d, labels)
            core.step("tensorsketch_search_step", search)
        return search

    def _search_seed(self) -> Optional[int]:
        if self.seed is None:
            return None
        if not isinstance(self.seed, numbers.Integral) or isinstance(self.seed, bool) or not 0 <= self.seed < 2**64:
            raise ValueError(f"seed must be an integer from 0 to 2^64 - 1 for a search, got {self.seed!r:.60}; state "
                             "the map, for example method='tensor-sketch', for another")
        return int(self.seed)

    def _outputs_of(self, places: np.ndarray) -> int:
        return places.shape[1] if places.ndim == 2 else 0

    def _add(self, core: Core, learner: int, rows: Rows, names: Optional[List[Any]], places: np.ndarray) -> None:
        """Adds rows to a learner of no rows, in threads."""
        about = self._about(core, learner)
        each = max(64, (1 << 20) // about["nComponents"])  # learn.Learner adds so many at once
        count = min(threads_of(self.n_jobs), -(-rows.n // (4 * each)))
        parts = [(core, learner)]
        if count > 1:
            spec = core.take(core.handle("tensorsketch_learner_write", learner))
            for _ in range(count - 1):
                other = Core()
                with other.text(spec) as text:
                    parts.append((other, other.handle("tensorsketch_learner_read", text, 1)))
        blocks = [(first, rows.part(first, first + each)) for first in range(0, rows.n, each)]

        def add(at: int) -> None:
            mine, its = parts[at]
            with mine.options(classes=names) as text:
                for first, block in blocks[at::len(parts)]:
                    self._add_block(mine, its, text, block, places[first:first + block.n], first)

        if len(parts) == 1:
            add(0)
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(parts)) as pool:
            list(pool.map(add, range(len(parts))))
        for other, its in parts[1:]:
            with core.text(other.take(other.handle("tensorsketch_learner_write", its))) as text:
                part = core.handle("tensorsketch_learner_read", text, 0)
            core.check(core.call("tensorsketch_learner_merge", learner, part, 0))
            core.call("tensorsketch_free", part)

    def _add_whole(self, core: Core, learner: int, rows: Rows, names: Optional[List[Any]], places: np.ndarray) -> None:
        """Adds rows, all or after an error none."""
        with core.options(classes=names) as text:
            self._add_block(core, learner, text, rows, places, 0)

    def _add_block(self, core: Core, learner: int, text: int, rows: Rows, places: np.ndarray, first: int) -> None:
        data, indices, indptr, labels = core.put(*rows.arrays, np.ascontiguousarray(places))
        if core.call("tensorsketch_learner_add", learner, text, data, indices, indptr, rows.n, rows.numbers, labels):
            fail_at(core, first)

    def _merge(self: T, other: T, subtract: int) -> T:
        if not isinstance(other, type(self)):
            raise TypeError(f"other must be a {type(self).__name__}, got {type(other).__name__}")
        core = Core()
        learner, theirs = self._learner_in(core), other._learner_in(core)
        core.check(core.call("tensorsketch_learner_merge", learner, theirs, subtract))
        if getattr(self, "_labels_dtype", None) is None:
            self._labels_dtype = getattr(other, "_labels_dtype", None)
        self._keep_sums(core, learner)
        return self

    def _learner_in(self, core: Core, empty: int = 0) -> int:
        if not self._has_sums():
            raise ValueError("there are no sums of rows here: call fit or partial_fit with loss='squared', or load a "
                             "file of sums. A model file holds none")
        with core.text(self._sums) as text:
            return core.handle("tensorsketch_learner_read", text, empty)

    def _keep_sums(self, core: Core, learner: int) -> None:
        """Takes the sums of a learner. The model is fitted when it is needed."""
        about = self._about(core, learner)
        if about["task"] != self._task:
            raise ValueError(f"the sums are of task {about['task']!r}: take "
                             f"{'SketchRegressor' if about['task'] == 'regress' else 'SketchClassifier'}")
        self._sums = core.take(core.handle("tensorsketch_learner_write", learner))
        self._text = None
        self.__dict__.pop("chosen_", None)
        self._take_about(about)

    def _about(self, core: Core, learner: int) -> Dict[str, Any]:
        return json.loads(core.take(core.handle("tensorsketch_learner_about", learner)))

    def _take_about(self, about: Dict[str, Any]) -> None:
        self.n_rows_ = about["rows"]
        self.n_features_in_ = about["nFeatures"] if self._table is None else len(self.feature_names_in_)
        self._prepared = about["prepared"]
        if about.get("chosen"):
            self.chosen_ = about["chosen"]
        self._take_classes(about["classes"])

    def _fit_sums(self, core: Core, learner: int, tell: bool = False) -> None:
        with core.options(alpha=_float(alpha=self.alpha), noIntercept=not self.fit_intercept, tell=tell) as text:
            fit = core.handle("tensorsketch_fit_new", learner, text)
        core.step("tensorsketch_fit_step", fit)
        self._take_about(self._about(core, learner))
        self._take_model(core.take(core.handle("tensorsketch_model_write", fit)))
        core.call("tensorsketch_free", fit)

    def _refresh(self) -> None:
        """Fits the model to the sums, if rows have come since."""
        if getattr(self, "_text", None) is None:
            core = Core()
            self._fit_sums(core, self._learner_in(core))

    def _fit_in_passes(self: T, rows: Rows, names: List[Any], places: np.ndarray) -> T:
        core = Core()
        mapping = self._map(core, rows, rows.d)
        options = self._options(names, 0, loss=self.loss, C=_float(C=self.C), tolerance=_float(tol=self.tol),
                                maxPasses=None if self.max_iter is None else int(self.max_iter))
        with core.options(**options) as text, core.buffers(*rows.arrays, places) as (data, indices, indptr, labels):
            model = core.handle("tensorsketch_rows_model", mapping, text, data, indices, indptr, rows.n, rows.numbers,
                                labels)
        self._sums = None
        self._take_model(core.take(core.handle("tensorsketch_model_write", model)))
        self.n_rows_ = rows.n
        return self

    def _take_model(self, text: bytes) -> None:
        model = model_of(text)
        if "head" not in model:
            raise ValueError("the file has a map and no head: open it by TensorSketch.load")
        head = model["head"]
        if head["task"] != self._task:
            raise ValueError(f"the model's task is {head['task']!r}: take "
                             f"{'SketchRegressor' if head['task'] == 'regress' else 'SketchClassifier'}")
        self._text, self._idle = text, []
        self._key = getattr(self, "_key", None)
        self._outputs = len(head["intercept"])
        self._width = model["nComponents"] * model["repeats"]
        self._preparation, self._prepared = model.get("preparation"), "preparation" in model
        self._columns = model["nFeatures"] if not self._prepared else preparation_width(model)
        self._take_classes(head.get("classes", []))

    def _bare(self) -> Dict[str, Any]:
        """The model without its preprocessing, as rows of numbers take it."""
        return {name: value for name, value in json.loads(self._text).items() if name != "preprocessing"}

    def _take_classes(self, classes: List[Any]) -> None:
        pass

    def _check_stated(self) -> None:
        raise NotImplementedError

    def _targets(self, y: Any, n: int, reset: bool) -> "Tuple[Optional[List[Any]], np.ndarray]":
        raise NotImplementedError


def preprocessing_of_sums(content: bytes) -> Optional[Dict[str, Any]]:
    """The preprocessing of a file of sums, in either form, or None."""
    try:
        size = int.from_bytes(content[8:16], "little")
        head = json.loads(content[16:16 + size] if content.startswith(SUMS) else content)
    except ValueError as e:
        raise ValueError(f"not a model or sums: {e}") from None
    try:
        text = json.loads(head.get("preprocessing") or "null")
    except ValueError:  # a text of another program
        text = None
    return text if isinstance(text, dict) and text.get("format") == "tensorsketch-preprocessing" else None


def _float(**named: Any) -> Optional[float]:
    """A number that may be left out, by the name of its parameter."""
    (name, value), = named.items()
    if value is None:
        return None
    if not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, got {value!r:.60}: leave it out to have it chosen")
    return float(value)


class SketchClassifier(_Learner):
    __doc__ = """Classifier: a linear model on the features of a map, nearly a kernel machine, from exact sums.

    With loss "squared" the model comes from sums of integers: parts that are added in any order give the same bits, and
    rows can be taken away again.
""" + PARAMETERS.format(stated="``classes`` of :meth:`partial_fit`", more="""
    loss : {"squared", "squared-hinge", "logistic"}, default="squared"
        The others are fitted in passes over the rows, so their parts do not merge.
    C : float, optional
        Weight of the errors for the other losses; chosen if it is left out.
    tol : float, optional
        How small the gradient of the other losses must become.
    max_iter : int, optional
        Passes over the rows, at most.
""", attributes="""    classes_ : ndarray
        The labels in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from tensorsketch import SketchClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    >>> model = SketchClassifier(method="tensor-sketch", n_components=64, coef0=1).fit(X, y)
    >>> bool(model.score(X, y) > 0.85)
    True
    """)
    _kind, _task = "classifier", "classify"

    def __init__(self, n_components: Optional[int] = None, degree: Optional[int] = None, gamma: Optional[float] = None,
                 coef0: Optional[float] = None, method: Optional[str] = None,
                 method_params: Optional[Dict[str, Any]] = None, normalize: Optional[str] = None,
                 output: Optional[str] = None, repeats: Optional[int] = None,
                 seed: Union[int, str, bytes, None] = None, random_state: Any = None, loss: str = "squared",
                 alpha: Optional[float] = None, C: Optional[float] = None, tol: Optional[float] = None,
                 max_iter: Optional[int] = None, fit_intercept: bool = True, folds: Optional[int] = None,
                 linear: bool = True, candidates: Optional[Sequence[str]] = None,
                 indicators: Optional[Sequence[int]] = None, radius: Optional[float] = None,
                 private: bool = False, n_jobs: Optional[int] = None):
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
        self.loss = loss
        self.alpha = alpha
        self.C = C
        self.tol = tol
        self.max_iter = max_iter
        self.fit_intercept = fit_intercept
        self.folds = folds
        self.linear = linear
        self.candidates = candidates
        self.indicators = indicators
        self.radius = radius
        self.private = private
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> np.ndarray:
        """Returns the label of the largest score for each row."""
        places = np.argmax(self._scores(X), axis=1)
        return self.classes_[places]

    def scores(self, X: Any) -> np.ndarray:
        """Returns the scores of rows, a column for each class: n × K float64."""
        return self._scores(X)

    def decision_function(self, X: Any) -> np.ndarray:
        """Returns the scores; of two classes how much larger the second one's is, as in scikit-learn."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_proba(self, X: Any) -> np.ndarray:
        """Returns the probabilities of the classes, n × K. They come from rows held out, so folds=0 has none."""
        return self._scores(X, 1)

    def score(self, X: Any, y: Any) -> float:
        """Returns the share of rows whose label is right."""
        predicted = self.predict(X)
        return float(np.mean(predicted == like_predictions(y, predicted)))

    def _take_classes(self, classes: List[Any]) -> None:
        dtype = getattr(self, "_labels_dtype", None)
        if dtype is None and classes and all(type(c) in (int, float) for c in classes):
            dtype = np.int64 if all(c == int(c) for c in classes) else np.float64
        made = np.array(classes, dtype=None if dtype is None or np.dtype(dtype).kind == "U" else dtype)
        mixed = len({type(c) in (int, float) or type(c) for c in classes}) > 1
        self.classes_ = np.array(classes, dtype=object) if mixed else made

    def _targets(self, y: Any, n: int, reset: bool) -> "Tuple[Optional[List[Any]], np.ndarray]":
        classes, places = labels_of(y, n)
        if reset and len(classes) < 2:
            raise ValueError(f"y has one class only, {classes.tolist()}: SketchClassifier cannot fit when only one "
                             "class is present; give rows of at least two")
        if getattr(self, "_labels_dtype", None) is None:
            self._labels_dtype = classes.dtype if classes.dtype.kind != "U" else None
        return classes.tolist(), places

    def _check_stated(self) -> None:
        if self.radius is None or getattr(self, "_given", None) is None:
            raise ValueError("private sums take nothing from the rows: give radius, the largest length of a row, and "
                             "begin with partial_fit(X, y, classes=[...])")


class SketchRegressor(_Learner):
    __doc__ = """Regressor: ridge regression on the features of a map, nearly kernel ridge regression, from exact sums.

    The model comes from sums of integers: parts that are added in any order give the same bits, and rows can be taken
    away again.
""" + PARAMETERS.format(stated="``target_range``", more="""
    target_range : (float, float), optional
        The lowest and the highest target of all parts. Left out, it comes from the rows of the first call.
""", attributes="""
    Examples
    --------
    >>> import numpy as np
    >>> from tensorsketch import SketchRegressor
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 2))
    >>> model = SketchRegressor(method="tensor-sketch", n_components=64, coef0=1).fit(X, X[:, 0] * X[:, 1])
    >>> bool(model.score(X, X[:, 0] * X[:, 1]) > 0.99)
    True
    """)
    _kind, _task = "regressor", "regress"

    def __init__(self, n_components: Optional[int] = None, degree: Optional[int] = None, gamma: Optional[float] = None,
                 coef0: Optional[float] = None, method: Optional[str] = None,
                 method_params: Optional[Dict[str, Any]] = None, normalize: Optional[str] = None,
                 output: Optional[str] = None, repeats: Optional[int] = None,
                 seed: Union[int, str, bytes, None] = None, random_state: Any = None, alpha: Optional[float] = None,
                 fit_intercept: bool = True, folds: Optional[int] = None, linear: bool = True,
                 candidates: Optional[Sequence[str]] = None,
                 indicators: Optional[Sequence[int]] = None, radius: Optional[float] = None,
                 target_range: "Optional[Tuple[float, float]]" = None, private: bool = False,
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
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.folds = folds
        self.linear = linear
        self.candidates = candidates
        self.indicators = indicators
        self.radius = radius
        self.target_range = target_range
        self.private = private
        self.n_jobs = n_jobs

    def predict(self, X: Any) -> np.ndarray:
        """Returns the predicted targets of rows: n, or n × K if y had two dimensions with K > 1."""
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def score(self, X: Any, y: Any) -> float:
        """Returns R² of the predictions, the mean of the targets."""
        predicted = self._scores(X)
        y = like_predictions(targets_of(y, len(predicted)), predicted)
        rest, total = ((y - predicted) ** 2).sum(axis=0), ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        return float(np.mean(1 - rest / total))

    def _targets(self, y: Any, n: int, reset: bool) -> "Tuple[Optional[List[Any]], np.ndarray]":
        return None, targets_of(y, n)

    def _check_stated(self) -> None:
        if self.radius is None or self.target_range is None:
            raise ValueError("private sums take nothing from the rows: give radius, the largest length of a row, and "
                             "target_range, the lowest and the highest target")
