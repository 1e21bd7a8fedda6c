"""Opens the model files of Tensor Sketch in Python, as an estimator of scikit-learn. Needs Python 3.9 and NumPy: this
file alone does, copied beside a program.

    from tensorsketch import TensorSketchModel        # from numpymodel, of this file alone

    model = TensorSketchModel.load("model.json")      # written by the page, JavaScript, Go or the command line
    model.predict([{"x": 0.5, "y": "1"}])             # rows of cells, as in the table that it was fitted to
    model.transform(rows)                             # their features: n × D float32
    make_pipeline(map_only, RidgeClassifier())        # a model without a head is a step of a pipeline

It computes tensor-sketch, count-sketch, complex-tensor-sketch and random-fourier, and refuses the other methods by
name. Features agree with the other implementations to 1e-5 of a row's norm, random-fourier to 1e-6 and as much
again for each turn of a cosine. Labels agree unless two scores are as close as that. Rows that a preparation makes have
the same bits.

A model is never fitted here: fit returns it unchanged. docs/SPEC.md defines the files, docs/formats.md the cells.
"""

import collections
import datetime
import functools
import hashlib
import itertools
import json
import numbers
import os
import re
import statistics
import sys
import unicodedata
import warnings
from decimal import Decimal

import numpy as np

__all__ = ["TensorSketchModel"]

FORMAT = "tensorsketch-model"
METHODS = ("tensor-sketch", "count-sketch", "complex-tensor-sketch", "random-fourier")
MAP_KEYS = ("format version method nFeatures nComponents degree gamma coef0 normalize output repeats methodParams "
            "hash").split()
HASH_KEYS = {"seed": {"seed"}, "key": {"keyCheck"}, "random-state": {"randomState"}, "tables": {"indexHash", "bitHash"}}
BLOCK = 2**19  # numbers in a block of rows
NUMBERS = (numbers.Real, Decimal, np.bool_)  # what cells are, besides texts and dates


def needs(attribute, remedy):
    """Makes a method an AttributeError where the model lacks what it needs: hasattr shows if it is there."""

    def wrap(method):
        @functools.wraps(method)
        def get(self):
            if getattr(self, attribute) is None:
                raise AttributeError(f"this model has no {method.__name__}: {remedy}")
            return method.__get__(self)

        return property(get)

    return wrap


class TensorSketchModel:
    """A model file: a feature map, and what the file holds of a preprocessing before it and a head after it.

    model: the object of the file, as json.loads returns it; load reads a file
    key: of a keyed model whose file does not hold it: 32 bytes, or the passphrase as a str

    Rows are a 2-D array or list, or a sparse matrix of SciPy. If the model has a preprocessing, they are cells: a data
    frame or dicts with the names feature_names_in_, or lists in that order. A cell is a text as in a CSV, a number,
    a date, or missing: None, NaN or "". A warning says which cells are missing, unknown, cut or not used.

    feature_names_in_: the columns that become coordinates, for a model with a preprocessing
    n_features_in_: how many numbers or cells a row has
    classes_: the labels of a classifier
    """

    def __init__(self, model, key=None):
        self.model, self.key = model, key
        self._open()

    @classmethod
    def load(cls, file, key=None):
        """Reads a model from the path of a file, or from an open file."""
        if hasattr(file, "read"):
            text = file.read()
        else:
            with open(os.fspath(file), "rb") as opened:
                text = opened.read()
        try:
            if not isinstance(text, str):
                text = text.decode("utf-8")
            model = json.loads(text, parse_constant=refuse_constant)
        except (json.JSONDecodeError, UnicodeDecodeError) as e:
            raise ValueError(f"not a model file: {e}") from None
        except RecursionError:
            raise ValueError("not a model file: its lists or objects are nested too deeply") from None
        return cls(model, key)

    def _open(self):
        m = self.model
        if not isinstance(m, dict) or m.get("format") != FORMAT:
            raise ValueError(f'not a model: "format" must be "{FORMAT}"; give the object of a model file')
        if m.get("version") not in (1, 2) or m["version"] is True:
            raise ValueError(f'version must be 1 or 2, got {m.get("version")!r}; a newer release may read it')
        if m["version"] == 1 and "preparation" in m:
            raise ValueError("version 2 is for a model with a preparation, and version 1 for one without")
        if "preparation" in m and "head" not in m:
            raise ValueError('"head" is missing: the preparation of a model is beside its head')
        self._map = FeatureMap(m, self.key)
        self._rows = Preprocessing(m["preprocessing"]) if "preprocessing" in m else None
        width = sum(self._map.widths)
        self._preparation = Preparation(m["preparation"]) if "preparation" in m else None
        if self._preparation:
            if self._preparation.n_outputs != width:
                raise ValueError(f"nFeatures must be {self._preparation.n_outputs}, as in the preparation, got {width}")
            width = self._preparation.n_features
        self._width = width
        if self._rows and (self._map.is_product or self._rows.width != width):
            raise ValueError(f"nFeatures must be {self._rows.width}, as in the preprocessing, got {m['nFeatures']}")
        self._head = Head(m["head"], self._map) if "head" in m else None
        self._calibration = self._head and self._head.calibration
        self._classes = self._head and self._head.classes
        self.n_features_in_ = width
        if self._classes is not None:
            self.classes_ = self._classes
        if self._rows and not self._rows.sparse_only:
            self.feature_names_in_ = np.array([c["name"] for c in self._rows.columns], dtype=object)
            self.n_features_in_ = len(self._rows.columns)

    # What it computes.

    def transform(self, X):
        """The features of rows: n × D float32."""
        return concatenate(self._features(X), (0, self._map.n_outputs), np.float32)

    def prepare(self, X):
        """The coordinates that the map takes: n × nFeatures float32, after a preprocessing and a preparation."""
        return concatenate((b.dense() for b in self._blocks(X)), (0, sum(self._map.widths)), np.float32)

    def usable(self, X):
        """Which rows can be used, n booleans. The other calls raise a ValueError at a row that cannot be."""
        return concatenate((~b.bad() for b in self._blocks(X, check=False)), (0,), bool)

    @needs("_head", "its file has a map alone; fit a model on its features")
    def predict(self, X):
        """The labels of rows, or the numbers: n, or n × K for K > 1 targets."""
        scores = self.scores(X)
        if self._classes is not None:
            return self._classes[np.argmax(scores, axis=1)]
        return scores[:, 0] if scores.shape[1] == 1 else scores

    @needs("_head", "its file has a map alone; fit a model on its features")
    def scores(self, X):
        """The scores of rows, one for each class or target: n × K float64."""
        return concatenate(map(self._head.scores, self._features(X)), (0, len(self._head.intercept)), np.float64)

    @needs("_classes", "only classifiers have one")
    def decision_function(self, X):
        """The scores; of two classes how much the second one's is larger: n numbers, as in scikit-learn."""
        scores = self.scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    @needs("_calibration", "its file has no calibration; fit it with rows held out")
    def predict_proba(self, X):
        """The probabilities of the classes: n × K."""
        return self._head.probabilities(self.scores(X))

    @needs("_head", "its file has a map alone; fit a model on its features")
    def score(self, X, y):
        """The share of rows whose label is right; for numbers R², the mean of the targets."""
        predicted = self.predict(X)
        y = like_predictions(y, predicted)
        if self._classes is not None:
            return float(np.mean([p == v for p, v in zip(predicted.tolist(), y.tolist())]))
        rest, total = ((y - predicted) ** 2).sum(axis=0), ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        return float(np.mean(1 - rest / total))

    def get_feature_names_out(self, input_features=None):
        """f0, f1 …, as in the files of features."""
        return np.array([f"f{j}" for j in range(self._map.n_outputs)], dtype=object)

    def _features(self, X):
        first = 0
        for block in self._blocks(X):
            with np.errstate(over="ignore", invalid="ignore"):
                Z = self._map.features(block).astype(np.float32)
            beyond = ~np.isfinite(Z).all(axis=1)
            if beyond.any():
                raise ValueError(f"row {first + int(np.argmax(beyond))}: a feature is beyond float32; scale the rows")
            first += block.n
            yield Z

    def _blocks(self, X, check=True):
        width, notes = self._width, Notes()
        if self._rows and not self._rows.sparse_only:
            blocks = self._rows.blocks(X, max(1, BLOCK // max(self._map.n_outputs, len(self._rows.columns))), notes)
        else:
            blocks = number_blocks(X, width, self._map.n_outputs, self._preparation)
        first = 0
        for block in blocks:
            if check and block.problems:
                row = min(block.problems)
                raise ValueError(f"row {first + row}, {block.problems[row]}. usable(X) tells which rows to keep")
            if self._rows and self._rows.unit_norm:
                block.unit_norm()
            if self._preparation:
                if check:
                    self._preparation.note(block.dense(), self._rows and self._rows.columns, notes)
                block = self._preparation.block(block)
            first += block.n
            yield block
        if check:
            notes.tell()

    # What scikit-learn asks of an estimator.

    def fit(self, X=None, y=None):
        """Changes nothing: the model is as its file says."""
        return self

    def fit_transform(self, X, y=None):
        return self.transform(X)

    def get_params(self, deep=True):
        return {"model": self.model, "key": self.key}

    def set_params(self, **params):
        for name in params:
            if name not in ("model", "key"):
                raise ValueError(f"there is no parameter {name!r}; there are 'model' and 'key'")
        self.__dict__ = TensorSketchModel(**{**self.get_params(), **params}).__dict__
        return self

    @property
    def _estimator_type(self):
        if self._head is None:
            return "transformer"
        return "regressor" if self._classes is None else "classifier"

    def __sklearn_is_fitted__(self):
        return True

    def __sklearn_tags__(self):  # scikit-learn 1.6 and later ask for it
        from sklearn.utils import ClassifierTags, RegressorTags, Tags, TargetTags, TransformerTags

        kind = self._estimator_type
        return Tags(
            estimator_type=None if kind == "transformer" else kind,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            classifier_tags=ClassifierTags() if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            requires_fit=False,
        )

    def __reduce__(self):
        return type(self), (self.model, self.key)

    def __repr__(self):
        m = self.model
        return f"TensorSketchModel({m['method']}, {m['nFeatures']} to {self._map.n_outputs}, {self._estimator_type})"


def refuse_constant(name):
    raise ValueError(f"not a model file: {name} is no number of JSON")


def like_predictions(y, predicted):
    """What is right, one for each prediction, also if it is a column: NumPy would compare each row with all."""
    given = np.asarray(y)
    y = given[:, 0] if given.shape == (len(predicted), 1) and predicted.ndim == 1 else given
    if y.shape != predicted.shape:
        one = "label or number" if predicted.ndim == 1 else f"list of {predicted.shape[1]} numbers"
        raise ValueError(f"y must have one {one} for each of the {len(predicted)} rows of X, got shape {given.shape}")
    return y


def concatenate(parts, shape, dtype):
    parts = list(parts)
    return np.concatenate(parts) if parts else np.empty(shape, dtype)


class Block:
    """The rows of a block by their numbers other than 0: number k is values[k], in row rows[k] and column cols[k]."""

    def __init__(self, n, width, rows, cols, values, problems):
        self.n, self.width, self.rows, self.cols, self.values, self.problems = n, width, rows, cols, values, problems

    def dense(self):
        X = np.zeros((self.n, self.width), np.float32)
        X[self.rows, self.cols] = self.values
        return X

    def bad(self):
        bad = np.zeros(self.n, bool)
        bad[list(self.problems)] = True
        return bad

    def squares(self, of=slice(None)):
        """The squared norms of the rows, or of their numbers with these places."""
        values = self.values[of].astype(np.float64)
        return np.bincount(self.rows[of], values * values, self.n)

    def unit_norm(self):
        with np.errstate(invalid="ignore"):  # rows that cannot be used
            norms = np.sqrt(self.squares())
            norms[norms == 0] = 1
            self.values = (self.values / norms[self.rows]).astype(np.float32)


def number_blocks(X, width, n_outputs, preparation=None):
    """The blocks of rows of numbers: arrays, lists, data frames, or sparse matrices of SciPy."""
    refuse_lazy(X)
    can_miss = preparation.can_miss if preparation else np.zeros(width, bool)
    sparse = hasattr(X, "tocsr")  # of SciPy
    if sparse:
        X = X.tocsr()
    else:
        X = np.asarray(X)
        if X.dtype.kind not in "biuf":
            try:
                X = X.astype(object)  # complex numbers would lose their imaginary part
                X = X.astype(np.float64)
            except (TypeError, ValueError):
                raise ValueError("X must hold numbers: no preprocessing of this model reads texts") from None
    if X.ndim != 2 or X.shape[1] != width:
        raise ValueError(f"X must have the shape (n, {width}), got {X.shape}; a single row is [row]")
    step = max(1, BLOCK // max(n_outputs, 0 if sparse else width))
    for start in range(0, X.shape[0], step):
        part, problems = X[start : start + step], {}
        with np.errstate(over="ignore", invalid="ignore"):
            if sparse:
                part.sum_duplicates()
                part = part.tocoo()
                rows, cols, values = part.row.astype(np.int64), part.col, part.data.astype(np.float32)
            else:
                part = part.astype(np.float32)
                rows, cols = np.nonzero(part)
                values = part[rows, cols]
        for k in np.flatnonzero(~(np.isfinite(values) | np.isnan(values) & can_miss[cols])):
            problems.setdefault(int(rows[k]), f"column {cols[k]}: the number is not a finite float32; replace it")
        yield Block(part.shape[0], width, rows, cols, values, problems)


# The map: docs/SPEC.md, sections 1 to 5 and 8.

P = 2**61 - 1


def integer(owner, name, low, high):
    value = owner.get(name)
    is_integer = isinstance(value, (int, float)) and not isinstance(value, bool) and value == value // 1
    if not is_integer or not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r:.60}")
    return int(value)


def real(owner, name, low):
    value = owner.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value < float("inf"):
        raise ValueError(f"{name} must be a finite number of at least {low}, got {value!r:.60}")
    return float(value)


def one_of(owner, name, values):
    if owner.get(name) not in values:
        raise ValueError(f"{name} must be one of {', '.join(values)}, got {owner.get(name)!r:.60}")
    return owner[name]


def same_keys(owner, required, optional=(), where=""):
    if not isinstance(owner, dict):
        raise ValueError(f"{where or 'the model'} must be an object")
    for name in required:
        if name not in owner:
            raise ValueError(f'{where}"{name}" is missing')
    for name in owner:
        if name not in required and name not in optional:
            raise ValueError(f'{where}"{name}" is not a key here, or not beside the others')


class FeatureMap:
    """The map of a model file: its hash tables, and the features of blocks of rows."""

    def __init__(self, m, key):
        method = m.get("method")
        if method not in METHODS:
            raise NotImplementedError(
                f"method {method!r} is not computed by NumPy here, which has {', '.join(METHODS)}. "
                "Use the command line, Go or JavaScript for this model, or fit it again with --method tensor-sketch"
            )
        kind = one_of(m, "hash", tuple(HASH_KEYS))
        same_keys(m, {*MAP_KEYS, *HASH_KEYS[kind]},
                  {"preprocessing", "preparation", "head"} | ({"key", "keySalt"} if kind == "key" else set()))
        self.is_complex, self.is_fourier = method == "complex-tensor-sketch", method == "random-fourier"
        self.is_product = isinstance(m["nFeatures"], list)
        self.D, self.p = integer(m, "nComponents", 1, 2**24), integer(m, "degree", 1, 64)
        each = m["nFeatures"] if self.is_product else [m["nFeatures"]]
        self.widths = [integer({"nFeatures": d}, "nFeatures", 1, 2**31 - 1) for d in each]
        self.gamma, self.coef0 = real(m, "gamma", 0), real(m, "coef0", 0)
        self.repeats = integer(m, "repeats", 1, 65536)
        self.normalize = one_of(m, "normalize", ("none", "kernel")) == "kernel"
        self.spectrum = one_of(m, "output", ("real", "spectrum")) == "spectrum"
        self.n_outputs = self.repeats * self.D
        for wrong, what in (
            (self.gamma == 0, "gamma must be above 0"),
            (self.n_outputs > 2**24, f"repeats · nComponents must be at most {2**24}"),
            (method in ("count-sketch", "random-fourier") and self.p != 1, f"degree of {method} must be 1"),
            (self.is_fourier and (self.coef0 != 0 or self.spectrum or self.is_product), "random-fourier has coef0 0, "
             "output real and one number as nFeatures"),
            (self.is_complex and self.D % 2, f"nComponents must be even for complex-tensor-sketch, got {self.D}"),
            (self.is_product and (self.is_complex or len(each) != self.p), "nFeatures must be one number, or one for "
             "each degree of a tensor-sketch or count-sketch"),
            (kind in ("random-state", "tables") and (self.is_complex or self.is_fourier),
             f"hash {kind!r} is not for {method}"),
            (kind in ("random-state", "tables") and self.repeats > 1, f"hash {kind!r} has repeats 1"),
            (key is not None and kind != "key", "this model is not keyed: give no key"),
            (not isinstance(m["methodParams"], dict) or not self.is_fourier
             and any(v is not False for v in m["methodParams"].values()), f"methodParams must be empty for {method}"),
        ):
            if wrong:
                raise ValueError(what)
        # Row r of the table of a degree has the buckets and signs of repeat r; the last column is the constant's.
        self.buckets = self.D // 2 if self.is_complex else self.D
        widths = [d + (self.coef0 > 0) for d in self.widths]
        widths = widths if self.is_product else widths * self.p
        if max(widths) > 2**24:
            raise NotImplementedError(f"numpymodel.py takes up to {2**24} columns, got {max(widths)}: use Go")
        if self.is_fourier:
            frequencies_key = seed_key(m["seed"]) if kind == "seed" else secret_key(m, key)
            return self.draw_frequencies(frequencies_key, m["methodParams"])
        if kind == "random-state":
            tables = self.random_state(integer(m, "randomState", 0, 2**32 - 1), widths)
        elif kind == "tables":
            tables = self.given(m, widths)
        else:
            tables = self.drawn(seed_key(m["seed"]) if kind == "seed" else secret_key(m, key), widths)
        self.tables = []
        for (h, s), d in zip(tables, self.widths * (1 if self.is_product else self.p)):
            weights = s * np.sqrt(self.gamma)
            weights[:, d:] = s[:, d:] * np.sqrt(self.coef0)
            self.tables.append((h, weights))

    def draw_frequencies(self, key, params):
        """The frequencies and offsets of random Fourier features, in turns: section 8."""
        optional = {"paired", "projection"} | {name for name, v in params.items() if v is False}
        same_keys(params, {"kernel"}, optional, "methodParams: ")
        kernel = one_of(params, "kernel", ("gaussian", "laplacian", "cauchy"))
        projection = one_of({"projection": "iid", **params}, "projection", ("iid", "orthogonal", "structured"))
        if projection != "iid" and kernel != "gaussian":
            raise ValueError("methodParams.projection must be left out unless methodParams.kernel is \"gaussian\"")
        if projection == "orthogonal" and self.widths[0] > 256:
            raise ValueError("methodParams.projection must be \"structured\" for more than 256 features")
        paired = params.get("paired", False)
        if not isinstance(paired, bool) or paired and self.D % 2:
            raise ValueError("methodParams.paired must be true or false, and nComponents even for it")
        F, d = self.D // 2 if paired else self.D, self.widths[0]
        self.factor = np.float32(self.gamma if kernel == "laplacian" else np.sqrt(self.gamma))
        self.turns, self.offsets = [], []
        for r in range(self.repeats):
            if projection == "structured":
                self.turns.append(Structured(key, r, d, F))
            else:
                u = uniform(stream_words(key, 16, np.arange(d), r, F))
                if kernel == "laplacian":
                    turns = np.tan(np.pi * (u - 0.5)) / (2 * np.pi)
                elif kernel == "cauchy":
                    turns = np.copysign(np.log(2 * np.minimum(u, 1 - u)) / (2 * np.pi), u - 0.5)
                elif projection == "orthogonal":
                    turns = (orthogonal_rows(quantiles(u).T.copy()) * lengths(key, r, d, F)[:, None]).T
                else:
                    turns = quantiles(u) / (np.sqrt(2) * np.pi)
                self.turns.append(turns.astype(np.float32).astype(np.float64))
            b = (stream_words(key, 17, np.arange(1), r, F)[0] >> np.uint64(40)).astype(np.float64) / 2**24
            self.offsets.append(None if paired else b - np.rint(b))

    def cosines(self, r, X):
        t = X @ self.turns[r] if isinstance(self.turns[r], np.ndarray) else self.turns[r].of(X)
        if self.offsets[r] is not None:
            return np.sqrt(2 / self.D) * np.cos(2 * np.pi * (t + self.offsets[r]))
        t -= np.rint(t)
        pairs = np.stack([np.cos(2 * np.pi * t), np.sin(2 * np.pi * t)], axis=2)
        return np.sqrt(2 / self.D) * pairs.reshape(len(t), self.D)

    def drawn(self, key, widths):
        """The tables that a seed or a key draws."""
        a, b, c = (first_residues(key, domain, np.arange(self.p), np.arange(self.repeats), n)
                   for domain, n in ((1, 3), (2, 4), (6, 4)))
        for k, width in enumerate(widths):
            i = np.arange(width, dtype=np.uint64)
            h, s = np.empty((self.repeats, width), np.int64), np.empty((self.repeats, width))
            for r in range(self.repeats):
                v = polynomial(a[:, k, r], i)
                # ⌊v·D/2^61⌋, with v·D = (v >> 37)·D·2^37 + (v mod 2^37)·D in 64 bits
                low = (v & (2**37 - 1)) * np.uint64(self.buckets) >> 37
                h[r] = (v >> 37) * np.uint64(self.buckets) + low >> 24
                s[r] = 1.0 - 2 * (polynomial(b[:, k, r], i) & 1)
                if self.is_complex:  # imaginary signs count in buckets of their own
                    h[r] += self.buckets * (polynomial(c[:, k, r], i) & 1).astype(np.int64)
            yield h, s

    def random_state(self, state, widths):
        """The tables of PolynomialCountSketch(random_state=state) of scikit-learn."""
        if self.is_product and len(set(widths)) > 1:
            raise ValueError("hash 'random-state' needs equal nFeatures")
        draws = np.random.RandomState(state)
        h = draws.randint(0, self.D, size=(self.p, widths[0]))
        s = 2.0 * draws.randint(0, 2, size=(self.p, widths[0])) - 1
        return [(h[k : k + 1].astype(np.int64), s[k : k + 1]) for k in range(self.p)]

    def given(self, m, widths):
        tables = []
        for name, allowed in (("indexHash", lambda v: (0 <= v) & (v < self.D)), ("bitHash", lambda v: abs(v) == 1)):
            try:
                rows = [np.array(row, dtype=np.float64) for row in m[name]]
            except (TypeError, ValueError):
                rows = []
            if [row.shape for row in rows] != [(w,) for w in widths] or not all(
                (allowed(row) & (row == np.floor(row))).all() for row in rows
            ):
                raise ValueError(f"{name} must have {self.p} lists of {widths} whole numbers in their range")
            tables.append(rows)
        return [(h[None].astype(np.int64), s[None]) for h, s in zip(*tables)]

    def features(self, block):
        """The features of a block of rows, in float64."""
        if self.is_fourier:
            X = (self.factor * block.dense()).astype(np.float64)
            out = [self.cosines(r, X) for r in range(self.repeats)]
            if self.normalize:
                out = [f / np.maximum(np.sqrt((f * f).sum(axis=1, keepdims=True)), 1e-300) for f in out]
            return np.concatenate(out, axis=1) / np.sqrt(self.repeats) if self.repeats > 1 else out[0]
        vectors = [(block.rows, block.cols, block.values)]
        squares = [block.squares()]
        if self.is_product:
            ends = np.cumsum([0, *self.widths])
            places = [np.flatnonzero((block.cols >= a) & (block.cols < b)) for a, b in zip(ends, ends[1:])]
            vectors = [(block.rows[of], block.cols[of] - a, block.values[of]) for of, a in zip(places, ends)]
            squares = [block.squares(of) for of in places]
        if self.coef0 > 0:
            constant = np.arange(block.n), np.ones(block.n, np.float32)
            vectors = [
                (np.concatenate([rows, constant[0]]), np.concatenate([cols, np.full(block.n, d)]),
                 np.concatenate([values, constant[1]]))
                for (rows, cols, values), d in zip(vectors, self.widths)
            ]
        vectors, squares = (v if self.is_product else v * self.p for v in (vectors, squares))
        out = [self.sketch(r, block.n, vectors) for r in range(self.repeats)]
        if self.normalize:
            length = np.prod([np.sqrt(self.gamma * square + self.coef0) for square in squares], axis=0)
            for f in out:
                norms = np.sqrt((f * f).sum(axis=1))
                f *= np.divide(length, norms, out=np.zeros(block.n), where=norms > 0)[:, None]
        return np.concatenate(out, axis=1) / np.sqrt(self.repeats) if self.repeats > 1 else out[0]

    def sketch(self, r, n, vectors):
        """The features of repeat r: the circular convolution of the count sketches of the degrees."""
        forward, back = (np.fft.fft, np.fft.ifft) if self.is_complex else (np.fft.rfft, np.fft.irfft)
        product = None
        for (h, weights), (rows, cols, values) in zip(self.tables, vectors):
            C = self.count_sketch(h[r], weights[r], n, rows, cols, values)
            if self.p == 1 and not self.spectrum:
                return interleaved(C) if self.is_complex else C
            F = forward(C, axis=1)
            product = F if product is None else np.multiply(product, F, out=product)
        if self.is_complex:
            return interleaved(product / np.sqrt(self.buckets) if self.spectrum else back(product, axis=1))
        return real_spectrum(product, self.D) if self.spectrum else back(product, n=self.D, axis=1)

    def count_sketch(self, h, weights, n, rows, cols, values):
        size = 2 * self.buckets if self.is_complex else self.buckets
        C = np.bincount(rows * size + h[cols], weights[cols] * values, n * size).reshape(n, size)
        return C[:, : self.buckets] + 1j * C[:, self.buckets :] if self.is_complex else C


def interleaved(f):
    """Re f_0, Im f_0, Re f_1 …"""
    return np.ascontiguousarray(f).view(np.float64)


def real_spectrum(X, D):
    """[X_0, X_{D/2} if D is even, √2·Re X_1, √2·Im X_1 …]/√D"""
    ends = [X[:, :1].real] + ([X[:, D // 2 :].real] if D % 2 == 0 else [])
    return np.concatenate([*ends, np.sqrt(2) * interleaved(X[:, 1 : (D + 1) // 2])], axis=1) / np.sqrt(D)


def seed_key(seed):
    """The key of a seed: section 1."""
    if isinstance(seed, str) and re.fullmatch("0|[1-9][0-9]{0,19}", seed) and int(seed) < 2**64:
        payload = b"i" + int(seed).to_bytes(8, "little")
    elif isinstance(seed, dict) and set(seed) == {"string"} and isinstance(seed["string"], str):
        payload = b"s" + seed["string"].encode()
    elif isinstance(seed, dict) and set(seed) == {"bytes"} and is_hex(seed["bytes"], 64):
        payload = b"b" + bytes.fromhex(seed["bytes"])
    else:
        wanted = 'digits below 2^64, {"string": text} or {"bytes": 64 digits}'
        raise ValueError(f"seed must be {wanted}, got {seed!r:.60}")
    return hashlib.sha256(b"tensorsketch seed 1" + payload).digest()


def is_hex(text, digits):
    return isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", text) is not None


def secret_key(m, key):
    """The key of the seed that is the secret key: section 6."""
    if not is_hex(m["keyCheck"], 32) or "key" in m and not is_hex(m["key"], 64):
        raise ValueError("keyCheck and key must have 32 and 64 lower-case hexadecimal digits")
    salt = m.get("keySalt")
    if salt is not None:
        same_keys(salt, {"salt", "iterations"}, where="keySalt: ")
        integer(salt, "iterations", 600_000, 2**24)
        if not is_hex(salt["salt"], "32,") or len(salt["salt"]) % 2:
            raise ValueError("keySalt.salt must be at least 16 bytes in lower-case hexadecimal digits")
    if key is None and "key" in m:
        key = bytes.fromhex(m["key"])
    elif isinstance(key, str):
        if salt is None:
            raise ValueError("this model has no keySalt, so its key is no passphrase: give the 32 bytes")
        key = hashlib.pbkdf2_hmac("sha256", key.encode(), bytes.fromhex(salt["salt"]), int(salt["iterations"]))
    if not isinstance(key, (bytes, bytearray)) or len(key) != 32:
        raise ValueError("this model needs its key: 32 bytes" + (", or the passphrase as a str" if salt else ""))
    if hashlib.sha256(b"tensorsketch key check 1" + key).hexdigest()[:32] != m["keyCheck"]:
        raise ValueError("this is not the key of the model: keyCheck differs")
    return seed_key({"bytes": key.hex()})


def first_residues(key, domain, index, repeat, n):
    """The first n residues of the streams (domain, index), an array for each: n × indices × repeats. Section 2.

    All of them are in the first block of ChaCha20 (RFC 8439), unless five of its eight words are 2^61 − 1.
    """
    residues = chacha20(key, 0, domain, index[:, None], repeat) & P
    order = np.argsort(residues == P, axis=0, kind="stable")
    return np.take_along_axis(residues, order, axis=0)[:n]


def stream_words(key, domain, index, repeat, n):
    """The first n words of the streams (domain, index) of a repeat: indices × n. Section 2."""
    words = chacha20(key, np.arange((n + 7) // 8)[:, None], domain, index, repeat)
    return words.transpose(2, 1, 0).reshape(len(index), -1)[:, :n]


def uniform(words):
    """Numbers between 0 and 1 of words. Section 2."""
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) / 2**52


def quantiles(u):
    return np.fromiter(map(statistics.NormalDist().inv_cdf, u.ravel()), np.float64, u.size).reshape(u.shape)


def lengths(key, repeat, n, F):
    """The lengths of F orthogonal or structured frequencies in blocks of n, in turns. Section 8."""
    a, found, tries = n / 2 - 1 / 3, (), F + 16
    while len(found) < F:
        u = uniform(stream_words(key, 22, np.arange(1), repeat, 2 * tries)[0])
        z = quantiles(u[::2])
        v = np.maximum(1 + z / np.sqrt(9 * a), 1e-100) ** 3  # 0 is refused, as what is below
        found = np.sqrt(a * v[np.log(u[1::2]) < z * z / 2 + a - a * v + a * np.log(np.maximum(v, 1e-300))]) / np.pi
        tries *= 2
    return found[:F]


def orthogonal_rows(rows):
    """Rows made orthogonal in blocks of their width, and of length 1. Section 8."""
    d = rows.shape[1]
    for j in range(len(rows)):
        rows[j] /= np.sqrt(rows[j] @ rows[j])
        after = rows[j + 1 : j - j % d + d]
        after -= np.outer(after @ rows[j], rows[j])
    return rows


class Structured:
    """Frequencies in blocks of n, whose products with rows are Hadamard transforms. Section 8."""

    def __init__(self, key, repeat, d, F):
        self.n = n = max(64, 1 << (d - 1).bit_length())
        blocks = -(-F // n)
        words = stream_words(key, 21, np.arange(3), repeat, blocks * n // 64)
        bits = words[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)
        self.signs = (1 - 2 * bits.astype(np.float64)).reshape(3, blocks, n)
        residues = stream_words(key, 23, np.arange(1), repeat, F + 16)[0] & P
        residues = iter(residues[residues != P].tolist())
        self.entries = []
        for b in range(blocks):
            order = list(range(n))
            for j in range(min(n, F - b * n)):
                at = j + (next(residues) * (n - j) >> 61)
                order[j], order[at] = order[at], order[j]
            self.entries.append(order[: F - b * n])
        self.lengths = lengths(key, repeat, n, F).astype(np.float32) / n**1.5

    def of(self, X):
        X, out = np.pad(X, ((0, 0), (0, self.n - X.shape[1]))), []
        for b, entries in enumerate(self.entries):
            Z = X
            for signs in self.signs[:, b]:
                Z = hadamard(Z * signs)
            out.append(Z[:, entries])
        return np.concatenate(out, axis=1) * self.lengths


def hadamard(Z):
    """The Walsh–Hadamard transform of rows, in natural order."""
    shape, h = Z.shape, 1
    while h < shape[1]:
        pairs = Z.reshape(-1, 2, h)
        Z, h = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1), 2 * h
    return Z.reshape(shape)


def chacha20(key, counter, domain, index, third):
    """The eight words of blocks of ChaCha20 (RFC 8439): 8 × the two dimensions of the arguments together."""
    shape = np.broadcast_shapes(np.shape(counter), np.shape(index), np.shape(third))
    start = np.empty((16, *shape), np.uint32)
    start[:12] = np.frombuffer(b"expand 32-byte k" + key, "<u4").reshape(12, 1, 1)
    start[12], start[13], start[14], start[15] = counter, domain, index, third
    a, b, c, d = start.reshape(4, 4, *shape).copy()

    def rotated(v, bits):
        return v << bits | v >> 32 - bits

    for turn in range(20):
        a = a + b
        d = rotated(d ^ a, 16)
        c = c + d
        b = rotated(b ^ c, 12)
        a = a + b
        d = rotated(d ^ a, 8)
        c = c + d
        b = rotated(b ^ c, 7)
        side = 1 if turn % 2 == 0 else -1  # columns and diagonals in turn
        b, c, d = (np.roll(row, -side * k, axis=0) for k, row in ((1, b), (2, c), (3, d)))
    halves = (np.concatenate([a, b, c, d]) + start).astype(np.uint64)
    return halves[::2] | halves[1::2] << 32


def polynomial(a, i):
    """a_0 + a_1·i + a_2·i² … mod 2^61 − 1, in 64 bits, for i < 2^31."""
    v = np.full(i.shape, a[-1])
    for coefficient in a[-2::-1]:
        high = modulo((v >> 30) * i)  # times 2^30 is a rotation of 61 bits
        v = modulo((high << 30 & P | high >> 31) + (v & (2**30 - 1)) * i + coefficient)
    return v


def modulo(v):
    v = (v & P) + (v >> 61)
    return np.where(v >= P, v - np.uint64(P), v)


# The preparation: docs/SPEC.md, section 6.


class Preparation:
    """What makes the rows of the map from rows of numbers, where NaN is a missing number."""

    def __init__(self, p):
        if not isinstance(p, dict):
            raise ValueError("preparation must be an object")
        self.form = one_of(p, "form", ("std", "mm", "qn", "raw"))
        same_keys(p, {"form", "nFeatures" if self.form == "raw" else "columns"}, {"weights", "unit"}, "preparation: ")
        self.unit = self.flag(p, "unit")
        if self.form == "raw":
            self.columns = [{"indicator": True}] * integer(p, "nFeatures", 1, 2**31 - 1)
        else:
            if not isinstance(p["columns"], list) or not p["columns"]:
                raise ValueError("preparation.columns must be a list of columns")
            self.columns = p["columns"]
            for i, column in enumerate(self.columns):
                self.check(column, f"preparation.columns[{i}]: ")
        self.n_features = len(self.columns)
        self.n_outputs = sum((not c.get("unused", False)) + c.get("missing", False) + len(c.get("codes", ()))
                             for c in self.columns)
        self.weights = np.ones(self.n_outputs)
        if "weights" in p:
            self.weights = finite_numbers(p, "weights", self.n_outputs, "preparation")
            if (self.weights < 0).any() or (self.weights > 2**20).any():
                raise ValueError("preparation: weights must be from 0 to 1048576")
        self.can_miss = np.array([not c.get("indicator", False) for c in self.columns])

    @staticmethod
    def flag(owner, name, where="preparation: "):
        if owner.get(name, True) is not True:
            raise ValueError(f"{where}{name} must be true, or left out, got {owner[name]!r:.60}")
        return name in owner

    def check(self, column, where):
        numbers = {"mean", "scale", "low", "high", "fill"}
        if isinstance(column, dict) and "indicator" in column:
            self.flag(column, "indicator", where)
            return same_keys(column, {"indicator"}, where=where)
        if isinstance(column, dict) and "unused" in column:
            same_keys(column, {"unused"}, {"missing"}, where=where)
            return self.flag(column, "unused", where), self.flag(column, "missing", where)
        lines = {"knots", "values"} if self.form == "qn" else set()
        same_keys(column, numbers | lines, {"missing", "codes"}, where=where)
        self.flag(column, "missing", where)
        for name in numbers:
            finite_numbers({name: [column[name]]}, name, 1, where[:-2])
        low, fill, high = column["low"], column["fill"], column["high"]
        if not (column["scale"] > 0 and low < high and low <= fill <= high):
            raise ValueError(f"{where}scale must be above 0, low below high, and fill between them")
        codes = column.get("codes", [])
        n = len(codes) if isinstance(codes, list) else 0
        if "codes" in column and (np.diff(finite_numbers(column, "codes", n, where[:-2])) <= 0).any():
            raise ValueError(f"{where}codes must be ascending numbers")
        if self.form == "qn":
            n = len(column["knots"]) if isinstance(column["knots"], list) else 0
            knots, values = (finite_numbers(column, name, n, where[:-2]) for name in ("knots", "values"))
            if not 2 <= n <= 129 or (np.diff(knots) <= 0).any() or (np.diff(values) < 0).any():
                raise ValueError(f"{where}knots must be 2 to 129 ascending numbers, and values as many that do not "
                                 "fall")

    def block(self, block):
        """The block of the rows of the map."""
        X, weights = block.dense().astype(np.float64), iter(self.weights)
        out = np.empty((block.n, self.n_outputs))
        at = 0
        for j, c in enumerate(self.columns):
            x = X[:, j]
            if not c.get("unused", False):
                w = next(weights)
                out[:, at] = x * w if c.get("indicator", False) else self.number(c, x, w)
                at += 1
            if c.get("missing", False):
                out[:, at] = np.isnan(x) * next(weights)
                at += 1
            for code in c.get("codes", ()):
                out[:, at] = (x == code) * next(weights)
                at += 1
        if self.unit:
            square = np.zeros(block.n)
            for y in out.T:  # in order
                square += y * y
            out /= np.sqrt(np.where(square > 0, square, 1))[:, None]
        out = out.astype(np.float32)
        rows, cols = np.nonzero(out)
        return Block(block.n, self.n_outputs, rows, cols, out[rows, cols], block.problems)

    def note(self, X, columns, notes):
        """Notes the numbers of dense rows that are cut, missing where none was, or no codes. The columns are those of
        a preprocessing, or None for rows of numbers, which have places."""
        counts = np.zeros((self.n_features, 3), np.int64)
        for j, c in enumerate(self.columns):
            if "mean" in c:
                low, high = (c["knots"][0], c["knots"][-1]) if self.form == "qn" else (c["low"], c["high"])
                x, is_missing = X[:, j].astype(np.float64), np.isnan(X[:, j])
                is_cut = (x < low) | (x > high)
                uncoded = ~(is_cut | is_missing | np.isin(x, c["codes"])) if "codes" in c else is_missing[:0]
                counts[j] = is_cut.sum(), 0 if "missing" in c else is_missing.sum(), uncoded.sum()
        at = 0
        for column in [{"name": str(j)} for j in range(self.n_features)] if columns is None else columns:
            width = column_width(column) if "role" in column else 1
            notes.cut(column, *counts[at : at + width].sum(axis=0))
            at += width

    def number(self, c, x, w):
        if self.form != "qn":
            x = cut(np.where(np.isnan(x), c["fill"], x), c["low"], c["high"])
            if self.form == "mm":
                return (x - c["low"]) * (w / (c["high"] - c["low"]))
            return (x - c["mean"]) * (w / c["scale"])
        knots, values = np.array(c["knots"], np.float64), np.array(c["values"], np.float64)
        is_missing = np.isnan(x)
        x = cut(np.where(is_missing, knots[0], x), knots[0], knots[-1])
        i = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
        slopes = np.diff(values) / np.diff(knots)
        return np.where(is_missing, 0, values[i] + slopes[i] * (x - knots[i])) * w


def cut(x, low, high):
    return np.where(x < low, low, np.where(x > high, high, x))


# The head: docs/SPEC.md, section 6.


def finite_numbers(owner, name, count, where="head"):
    try:
        values = np.array(owner[name], dtype=np.float64)
    except (TypeError, ValueError):
        values = None
    if values is None or values.shape != (count,) or not np.isfinite(values).all():
        raise ValueError(f"{where}: {name} must have {count} finite numbers")
    return values


class Head:
    """What predicts from the features."""

    def __init__(self, head, feature_map):
        if feature_map.is_product:
            raise ValueError("a map of products has no head")
        keys = {"task", "loss", "alpha", "intercept", "weights", "report"}
        if isinstance(head, dict) and head.get("task") == "classify":
            keys.add("classes")
        same_keys(head, keys, {"calibration", "conformal"} if "classes" in keys else {"conformal"}, where="head: ")
        self.is_classifier = one_of(head, "task", ("classify", "regress")) == "classify"
        one_of(head, "loss", ("squared", "squared-hinge", "logistic") if self.is_classifier else ("squared",))
        real(head, "alpha", 0)
        self.classes = class_labels(head["classes"]) if self.is_classifier else None
        if not isinstance(head["intercept"], list) or not head["intercept"]:
            raise ValueError("head: intercept must be a list of numbers")
        K = len(self.classes) if self.is_classifier else len(head["intercept"])
        self.intercept = finite_numbers(head, "intercept", K)
        self.weights = finite_numbers(head, "weights", K * feature_map.n_outputs).reshape(K, -1).T
        self.calibration = head.get("calibration")
        if isinstance(self.calibration, dict) and "clip" in self.calibration:
            same_keys(self.calibration, {"clip"}, where="head.calibration: ")
            if not 0 < real(self.calibration, "clip", 0) <= 1:
                raise ValueError("head.calibration: clip must be above 0 and at most 1")
        elif isinstance(self.calibration, dict):
            same_keys(self.calibration, {"offset", "matrix"}, where="head.calibration: ")
            self.offset = finite_numbers(self.calibration, "offset", K)
            self.matrix = finite_numbers(self.calibration, "matrix", K * K).reshape(K, K)
        elif self.calibration not in (None, "softmax") or "calibration" in head and self.calibration is None:
            raise ValueError('head: calibration must be "softmax" or an object of offset and matrix')
        power = 400 if self.is_classifier else 800
        for name, most in (("intercept", power), ("weights", power), ("offset", 1000), ("matrix", power)):
            if np.abs(getattr(self, name, 0)).max() > 2.0**most:
                raise ValueError(f"head: {name} must have numbers of at most 2^{most} in size")

    def scores(self, Z):
        return Z.astype(np.float64) @ self.weights + self.intercept

    def probabilities(self, scores):
        clip = isinstance(self.calibration, dict) and self.calibration.get("clip", 0)
        v = scores if clip or self.calibration == "softmax" else self.offset + scores @ self.matrix.T
        e = np.exp(v - v.max(axis=1, keepdims=True))
        return (e / e.sum(axis=1, keepdims=True) + clip / v.shape[1]) / (1 + clip)


def class_labels(labels):
    """The labels as an array: of one type if they have one, else of objects."""

    def order(label):
        if isinstance(label, str):
            return 2, 0, label.encode()
        return (0 if isinstance(label, bool) else 1), label, b""

    known = isinstance(labels, list) and all(isinstance(v, (bool, int, float, str)) for v in labels)
    if not known or len(labels) < 2 or not all(order(a) < order(b) for a, b in zip(labels, labels[1:])):
        raise ValueError("head: classes must be two or more labels in order, each once")
    kinds = {order(label)[0] for label in labels}
    if kinds == {1}:
        whole = all(v == v // 1 and abs(v) <= 2**53 for v in labels)
        return np.array(labels, dtype=np.int64 if whole else np.float64)
    if len(kinds) > 1 or any(v.endswith("\0") for v in labels if isinstance(v, str)):
        return np.array([*labels, None], dtype=object)[:-1]
    return np.array(labels)


# The preprocessing: docs/formats.md.

ROLE_KEYS = {"number": {"missing", "scaling"}, "category": {"missing", "encoding"},
             "date": {"missing", "scaling", "parts"}, "words": {"words", "chars", "width"},
             "label": set(), "keep": set()}
DATE_PARTS = {"days": 1, "year": 2, "week": 2, "day": 2}


class Preprocessing:
    """Cells into numbers, column by column."""

    def __init__(self, p):
        same_keys(p, {"format", "version", "unitNorm", "columns"}, {"reading", "sparseWidth"}, "preprocessing: ")
        if p["format"] != "tensorsketch-preprocessing" or p["version"] not in (1, 2, 3, 4, 5) or p["version"] is True:
            raise ValueError(f"preprocessing: version must be 1 to 5, got {p['version']!r}; a newer release may read "
                             "it")
        self.unit_norm = p["unitNorm"]
        self.reading = {"decimal": ".", "thousands": "", "dates": "iso", **p.get("reading", {})}
        for i, column in enumerate(p["columns"]):
            check_column(column, f"preprocessing: columns[{i}]: ")
        self.columns = [c for c in p["columns"] if c["role"] not in ("label", "keep")]
        self.names = {c["name"] for c in p["columns"]}
        self.width = sum(map(column_width, self.columns)) + p.get("sparseWidth", 0)
        if self.width == 0:
            raise ValueError("preprocessing: no column becomes a coordinate")
        self.sparse_only = "sparseWidth" in p and not self.columns
        if "sparseWidth" in p and self.columns:
            raise NotImplementedError("numpymodel.py reads no sparse features beside columns: use the command line")

    def blocks(self, X, step, notes=None):
        """The blocks of the rows of a table. Once all are taken, the notes have what was seen in its cells."""
        notes = Notes() if notes is None else notes
        if columns_of(X) is None and not isinstance(X, (str, np.ndarray)) and hasattr(X, "__iter__"):
            X = list(X)
        n, cells_of = table(X, [c["name"] for c in self.columns])
        notes.unknown_columns(X, self.names)
        for start in range(0, n, step):
            rows = min(step, n - start)
            offset, problems, entries = 0, {}, []
            for column, cells in zip(self.columns, cells_of(start, start + rows)):
                reader = {"number": self.numbers, "category": self.categories, "date": self.dates, "words": self.words}
                found = Problems(problems, column, notes)
                for at, cols, values in reader[column["role"]](column, cells, found):
                    entries.append((at, cols + offset, values))
                offset += column_width(column)
            at, cols, values = (np.concatenate([e[k] for e in entries]) for k in range(3))
            with np.errstate(over="ignore"):
                values = values.astype(np.float32)
            for k in np.flatnonzero(np.isinf(values)):
                problems.setdefault(int(at[k]), f"coordinate {cols[k]} is beyond float32")
            yield Block(rows, self.width, at.astype(np.int64), cols.astype(np.int64), values, problems)

    def numbers(self, column, cells, found):
        x = found.filled(number_cells(cells, self.reading, found))
        if column["missing"] == "zero":
            x = np.where(np.isnan(x), 0, x)
        yield entries(slice(None), 0, scaled(x, column))

    def dates(self, column, cells, found):
        x = found.filled(date_cells(cells, self.reading, found))
        at = np.flatnonzero(~np.isnan(x))
        absent = np.flatnonzero(np.isnan(x)) if column["missing"] == "nan" else at[:0]
        x, col = x[at], 0
        for part in column["parts"]:
            if part == "days":
                yield entries(absent, col, np.full(len(absent), np.nan))
                yield entries(at, col, scaled(x / 86400, column))
            else:
                angles = 2 * np.pi * passed(part, x)
                yield entries(at, col, np.sin(angles))
                yield entries(at, col + 1, np.cos(angles))
            col += DATE_PARTS[part]

    def categories(self, column, cells, found):
        texts = [found.text(r, cell) for r, cell in enumerate(cells)]
        present = np.array([t != "" for t in texts], dtype=bool)
        if column["missing"] != "zero":
            found.missing(~present)
        else:
            found.notes.missing(column, np.count_nonzero(~present))
        at = np.flatnonzero(present)
        if column["encoding"] == "hashed":
            cols, values = hashed([texts[r] for r in at], 0, column["width"])
        else:
            find = places_of(column["values"], self.reading["decimal"])
            rest = (len(column["values"]) if column.get("other")
                    else find(column["common"]) if "common" in column else -1)
            empty = len(column["values"]) + int("other" in column) if column.get("empty") else rest
            at = np.arange(len(texts))
            cols = np.array([find(text) if text != "" else empty for text in texts], dtype=np.int64)
            unknown = np.flatnonzero(present & (cols < 0))
            found.notes.unknown(column, [texts[row] for row in unknown])
            cols[unknown] = rest
            others, at, cols = at[cols < 0], at[cols >= 0], cols[cols >= 0]
            values = np.ones(len(at))
            if column.get("average"):
                n = len(column["values"])
                at, cols = np.append(at, np.repeat(others, n)), np.append(cols, np.tile(np.arange(n), len(others)))
                values = np.append(values, np.full(len(others) * n, 1 / n))
        yield at, cols, values

    def words(self, column, cells, found):
        at, tokens, width = ([], []), ([], []), column["width"]
        for r, cell in enumerate(cells):
            text = lower(found.text(r, cell))
            for seed, (lengths, joint) in enumerate(((column["words"], " "), (column["chars"], ""))):
                if lengths[1] > 0:
                    items = re.findall(r"\w\w+", text) if seed == 0 else re.sub(f"[{SPACE}]+", " ", text)
                    new = [joint.join(items[i : i + n]) for n in range(lengths[0], lengths[1] + 1)
                           for i in range(len(items) - n + 1)]
                    tokens[seed].extend(new)
                    at[seed].extend(itertools.repeat(r, len(new)))
        for seed in (0, 1):  # tokens of one place add up
            cols, values = hashed(tokens[seed], seed, width)
            at[seed][:], tokens[seed][:] = np.array(at[seed], dtype=np.int64) * width + cols, values
        places, inverse = np.unique(np.array(at[0] + at[1], dtype=np.int64), return_inverse=True)
        sums = np.bincount(inverse, np.array(tokens[0] + tokens[1], dtype=np.float64), len(places)).astype(np.float64)
        if column.get("unit"):
            norms = np.sqrt(np.bincount(places // width, sums * sums, len(cells)))[places // width]
            sums = np.divide(sums, norms, out=sums, where=norms > 0)
        yield places // width, places % width, sums


class Problems:
    """The rows of a block that cannot be used because of a column, each with the reason."""

    def __init__(self, problems, column, notes):
        self.problems, self.column, self.notes = problems, column, notes

    def add(self, row, reason):
        self.problems.setdefault(int(row), f'column "{self.column["name"]}": {reason}')

    def missing(self, rows):
        for row in np.flatnonzero(rows):
            self.add(row, "the cell is missing; fill it, or leave the row out")

    def filled(self, x):
        """The numbers of a column, with what missing ones count as. Where they count as 0 or NaN they stay NaN."""
        if self.column["missing"] in ("mean", "constant", "zero", "nan"):
            self.notes.missing(self.column, np.count_nonzero(np.isnan(x)))
        if self.column["missing"] in ("mean", "constant"):
            return np.where(np.isnan(x), self.column["fill"], x)
        if self.column["missing"] not in ("zero", "nan"):
            self.missing(np.isnan(x))
            return np.where(np.isnan(x), 0, x)
        return x

    def text(self, row, cell):
        if isinstance(cell, str):
            return cell.strip(SPACE_CHARACTERS)
        if is_missing(cell):
            return ""
        if isinstance(cell, NUMBERS):
            return number_text(float(cell))
        self.add(row, f"{cell!r:.40} is neither a text nor a number")
        return ""


class Notes:
    """What was seen in the cells of a table and is not used, replaced or unknown, in the words of dataset/notes.go."""

    def __init__(self):
        self.counts, self.examples = {}, {}  # by the column and what becomes of one cell and of many

    def add(self, name, one, many, count, examples=(), what="cell"):
        key = (str(name), one, many, what)
        if count:
            self.counts[key] = self.counts.get(key, 0) + int(count)
            self.examples[key] = list(dict.fromkeys([*self.examples.get(key, ()), *examples]))[:3]

    def unknown_columns(self, X, names):
        """Counts the cells of columns that the model does not have."""
        named = columns_of(X)
        if named is not None:
            counts = {name: len(X) for name in named[0] if name not in names}
        else:
            counts = collections.Counter(key for row in X if isinstance(row, dict) for key in row if key not in names)
        for name, count in counts.items():
            self.add(name, "is not used: the model has no such column", "are not used: the model has no such column",
                     count)

    def missing(self, column, count):
        if column["missing"] == "nan":
            return self.add(column["name"], "is missing, and the model fills it",
                            "are missing, and the model fills them", count)
        number = {"mean": "the mean"}.get(column["missing"]) or (
            number_text(column["fill"]) if column["missing"] == "constant" else "0")
        of = ("a value of its own" if column.get("empty") else "other" if column.get("other")
              else "the average of the values" if column.get("average") else as_common(column) or "none of the values")
        what = of if column["role"] == "category" else number
        self.add(column["name"], f"is missing and counts as {what}", f"are missing and count as {what}", count)

    def unknown(self, column, texts):
        """Counts texts that are none of the values of a category."""
        was, were, what = "was", "were", "none"
        if column.get("other"):
            was, were, what = "is rare or was", "are rare or were", "other"
        elif column.get("average"):
            what = "the average of those that were"
        else:
            what = as_common(column) or what
        self.add(column["name"], f"has a category that {was} not met before%s, and counts as {what}",
                 f"have categories that {were} not met before%s, and count as {what}", len(texts), texts)

    def beside(self, column, sign, count):
        """Counts numbers that lack the unit of their column, or have a sign that it lacks: dataset/beside.go."""
        measure = column.get("measure", "")
        lack, one, many = f" no {quoted(measure)} beside", "and counts as if it had", "and count as if they had"
        if measure == "%":
            one, many = "and counts as it is: 46 is 4600%", "and count as they are: 46 is 4600%"
        elif measure == CLOCK_UNIT:
            lack, one, many = " no colon in", "and counts as hours", "and count as hours"
        elif not measure:
            as_one, as_many = ("as a hundredth", "as hundredths") if sign == "%" else ("like them", "like them")
            lack = f" {quoted(sign)} beside"
            one, many = (f"which others have not, and {what}" for what in ("counts " + as_one, "count " + as_many))
        self.add(column["name"], f"has{lack} it, {one}", f"have{lack} them, {many}", count, what="number")

    def cut(self, column, cut, filled, uncoded):
        """Counts what a preparation does to the numbers of a column: dataset/notes.go. A missing cell is said once."""
        self.add(column["name"], "lies outside the range that the model was prepared for, and counts as its end",
                 "lie outside the range that the model was prepared for, and count as its ends", cut, what="number")
        if filled and "missing" in column:
            self.missing(column, -filled)
        why = "as the mean, since no row that the model was prepared with lacked one"
        self.add(column["name"], f"is missing and counts {why}", f"are missing and count {why}", filled, what="number")
        self.add(column["name"], "is no code that the model knows, and counts by its size alone",
                 "are no codes that the model knows, and count by their size alone", uncoded, what="number")

    def tell(self):
        """Warns of all that was seen, at the line of the program that called."""
        said, groups = [], {}
        for (name, *what), count in self.counts.items():
            if count:
                groups.setdefault(tuple(what), []).append((quoted(name), count, self.examples[(name, *what)]))
        for (one, many, of), columns in groups.items():
            if len(columns) > 2:  # as dataset/notes.go has them
                some = [f"{name} {count}" for name, count, _ in columns[:20]]
                some += [f"{len(columns) - 20} more"] * (len(columns) > 20)
                all_of = sum(count for _, count, _ in columns)
                what = many.replace("%s", "")
                said.append(f"{all_of} {of}s of {len(columns)} columns {what}: {', '.join(some)}")
                continue
            for name, count, examples in columns:
                some = [quoted(text) for text in examples]
                such = " and ".join([", ".join(some[:-1])] * (len(some) > 1) + some[-1:])
                such = f", such as {such}" if some else ""
                what = (one if count == 1 else many).replace("%s", such)
                said.append(f"{count} {of}{'' if count == 1 else 's'} of column {name} {what}")
        if not said:
            return
        frame, level, own = sys._getframe(), 1, __name__.partition(".")[0]
        while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == own:
            frame, level = frame.f_back, level + 1
        warnings.warn("; ".join(said), UserWarning, stacklevel=level)


def as_common(column):
    """What a new value counts as where the model has a common one, or ""."""
    return f"{quoted(column['common'])}, the commonest value" if "common" in column else ""


def quoted(text):
    """The beginning of a text for a sentence."""
    return json.dumps(text if len(text) <= 60 else text[:60] + "…", ensure_ascii=False)


def entries(at, col, values):
    rows = np.arange(len(values)) if isinstance(at, slice) else at
    return rows, np.full(len(values), col, dtype=np.int64), values


def check_column(column, where):
    role = column.get("role") if isinstance(column, dict) else None
    if role not in ROLE_KEYS:
        raise ValueError(f"{where}role must be one of {', '.join(ROLE_KEYS)}, got {role!r:.40}")
    keys = {"name", "role"} | ROLE_KEYS[role]
    if column.get("missing") in ("mean", "constant"):
        keys.add("fill")
    if "scaling" in keys and column.get("scaling") != "none":
        keys |= {"center", "scale"}
    if role == "category":
        keys.add("width" if column.get("encoding") == "hashed" else "values")
    optional = {"words": {"unit"}, "category": {"other", "empty", "average"} if "values" in keys else set()}.get(role, set())
    measure = {"measure"} if role in ("number", "label") else {"common"} if "empty" in optional else set()
    same_keys(column, keys, optional | measure, where)
    if "measure" in column and not (isinstance(column["measure"], str) and column["measure"]):
        raise ValueError(f"{where}measure must be a unit, got {column['measure']!r:.60}")
    if not all(column[key] is True for key in optional & set(column)):
        raise ValueError(f"{where}{', '.join(sorted(optional))} must be true or absent")
    if "average" in column and ("other" in column or not column["values"]):
        raise ValueError(f"{where}average is for a category with values and without other")
    if "common" in column and ("other" in column or "average" in column or column["common"] not in column["values"]):
        raise ValueError(f"{where}common must be one of the values of a category without other and average, "
                         f"got {column['common']!r:.60}")
    for name, values in (("missing", ("drop", "refuse", "mean", "zero", "constant", "nan")),
                         ("encoding", ("one-hot", "hashed")), ("scaling", ("none", "standard", "min-max"))):
        if name in keys:
            one_of(column, name, values)
    if "parts" in keys and not all(part in DATE_PARTS for part in column["parts"]):
        raise ValueError(f"{where}parts must be of {', '.join(DATE_PARTS)}, got {column['parts']!r:.60}")
    if "width" in keys:
        integer(column, "width", 1, 2**31 - 1)


def column_width(column):
    if column["role"] == "number":
        return 1
    if column["role"] == "date":
        return sum(DATE_PARTS[part] for part in column["parts"])
    if "values" in column:
        return len(column["values"]) + int("other" in column) + int("empty" in column)
    return int(column["width"])


def columns_of(X):
    """The names of the columns of a data frame, a table of Arrow or a structured array, and a function that returns
    the cells of a name; None of other rows."""
    refuse_lazy(X)
    if hasattr(X, "column_names") and hasattr(X, "column"):  # of Arrow
        return list(X.column_names), lambda name: of_arrow(X.column(name))
    if hasattr(X, "columns") and hasattr(X, "__getitem__"):
        return list(X.columns), lambda name: np.asarray(X[name])
    if getattr(getattr(X, "dtype", None), "names", None):
        return list(X.dtype.names), lambda name: X[name]
    return None


def refuse_lazy(X):
    if hasattr(X, "collect_schema") and hasattr(X, "collect"):  # of Polars
        raise TypeError("X is a LazyFrame, which has no rows yet: give X.collect()")


def of_arrow(column):
    """The cells of a column of Arrow. to_numpy gives a missing cell of a dictionary the value of another."""
    if hasattr(column.type, "index_type"):
        column = column.cast(column.type.value_type)
    return column.to_numpy(zero_copy_only=False)


def table(X, names):
    """How many rows a table has, and a function that returns the cells of a range of rows, column by column."""
    named = columns_of(X)
    if named is not None:
        have, cells_of = named
        lacking = [name for name in names if name not in have]
        twice = [name for name in names if have.count(name) > 1]
        if twice:
            raise ValueError(f"two columns of X have one name: {twice[0]!r}; drop one or rename it")
        columns = [] if lacking else [cells_of(name) for name in names]
        n, cells = len(X), lambda start, stop: [c[start:stop] for c in columns]
    else:
        if isinstance(X, str) or not hasattr(X, "__iter__") or hasattr(X, "tocsr"):
            raise ValueError(f"X must be a table of cells: a data frame, dicts or lists with the columns {names}")
        if not isinstance(X, np.ndarray):
            X = list(X)
        n, lacking = len(X), []
        if n and all(isinstance(row, dict) for row in X):
            lacking = [name for name in names if not any(name in row for row in X)]
            cells = lambda start, stop: [[row.get(name) for row in X[start:stop]] for name in names]
        else:
            for r, row in enumerate(X):
                if isinstance(row, (str, bytes, dict)) or not hasattr(row, "__len__") or len(row) != len(names):
                    raise ValueError(f"row {r} of X must be a list with a cell for each of the columns {names}")
            if isinstance(X, np.ndarray):
                cells = lambda start, stop: list(X[start:stop].T)
            else:
                cells = lambda start, stop: list(zip(*X[start:stop]))
    if lacking:
        raise ValueError(f'X lacks the column "{lacking[0]}" of the model, whose columns are {names}')
    return n, cells


# Cells.

SPACE_CHARACTERS = "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" \
    "\u2028\u2029\u202f\u205f\u3000"
SPACE = re.escape(SPACE_CHARACTERS)
NUMBER_SPACES = " \u00a0\u202f\u2009"
MISSING = frozenset("""na n/a n.a. #n/a #na nan -nan nat null <null> (null) nil none <na> \\n ? - -- \u2013 \u2014 . ..
    1.#ind -1.#ind 1.#qnan -1.#qnan #null! #div/0! #value! #ref! #name? #num! unknown missing""".split()) | {
        "", "#n/a n/a", "not available", "no data"}
THOUSANDS = {"": "(?!)", ".": "[.]", ",": ",", " ": f"[{NUMBER_SPACES}]", "'": "['\u2019]"}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Unusable(ValueError):
    """A cell that is not what its column needs."""


def is_missing(cell):
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):  # of pandas
        return True
    return isinstance(cell, (float, np.floating, Decimal)) and cell != cell or isinstance(cell, np.datetime64) and np.isnat(cell)


def scaled(x, column):
    return x if column["scaling"] == "none" else (x - column["center"]) / column["scale"]


def lower(text):
    """In lower case letter by letter. İ alone has more than one, and the simple mapping is its first."""
    return text.lower() if text.isascii() else "".join(c.lower()[0] for c in text)


def number_text(x):
    """The text of a number: the fewest digits, with an exponent below −4 and from 6 on."""
    if x == x // 1 and abs(x) < 2**53:
        return str(int(x))
    text = np.format_float_scientific(x, trim="-", exp_digits=2)
    return text if not -4 <= int(text.split("e")[1]) < 6 else repr(x)


def places_of(names, decimal):
    """A function that gives the place of a cell among names, or −1. A cell that no name spells has the place of the
    same number: 1.0 is 1, True is true, and true is 1 if no name is true. Numbers with leading zeros, such as 007, are
    codes: all names beside a code have one spelling."""
    spelled = {name: k for k, name in enumerate(names)}
    if any(is_code(name, ".") for name in names):
        return lambda cell: spelled.get(cell, -1)
    by_number = {}
    for k, name in enumerate(names):
        number = same_number(name, ".")
        if number is not None and (number not in by_number or number == name):
            by_number[number] = k
    other = {"true": "1", "false": "0", "1": "true", "0": "false"}

    def place(cell):
        if cell in spelled:
            return spelled[cell]
        number = same_number(cell, decimal)
        return by_number.get(number, by_number.get(other.get(number), -1))

    return place


@functools.lru_cache(maxsize=None)
def plain_number(decimal):
    point = re.escape(decimal)
    return re.compile(f"[-+]?([0-9]+({point}[0-9]*)?|{point}[0-9]+)([eE][-+]?[0-9]+)?")


def is_code(cell, decimal):
    return bool(re.match("[-+]?0[0-9]", cell) and plain_number(decimal).fullmatch(cell))


def same_number(cell, decimal):
    """The fewest decimals of the number in a cell, true or false, or None."""
    if cell.lower() in ("true", "false"):
        return cell.lower()
    if is_code(cell, decimal) or not plain_number(decimal).fullmatch(cell):
        return None
    x = float(cell.replace(decimal, "."))
    return number_text(x) if abs(x) < 2**53 else None


def one_by_one(cells, convert, found):
    x = np.zeros(len(cells))
    for r, cell in enumerate(cells):
        try:
            x[r] = np.nan if is_missing(cell) else convert(cell)
        except Unusable as e:
            found.add(r, e)
    return x


def number_cells(cells, reading, found):
    """The numbers of a column, NaN where one is missing."""
    measure, notes = found.column.get("measure", ""), found.notes
    array = cells if isinstance(cells, np.ndarray) else np.array(cells, dtype=object)
    if array.dtype.kind == "O" and not any(isinstance(cell, str) or is_missing(cell) for cell in cells):
        try:
            array = np.array(cells)
        except ValueError:  # cells of several lengths
            pass
    if array.dtype.kind == "m" and measure == CLOCK_UNIT:
        return array.astype("timedelta64[us]").astype(np.float64) / 3.6e9 + np.where(np.isnat(array), np.nan, 0)
    if array.dtype.kind in "biuf" and array.ndim == 1:
        x = array.astype(np.float64)
        for r in np.flatnonzero(np.isinf(x)):
            found.add(r, "the number is infinite; replace it by a finite one")
        if measure and array.dtype.kind != "b":
            notes.beside(found.column, "", np.count_nonzero(np.isfinite(x)))
        return np.where(np.isinf(x), 0, x)
    read = number_reader(reading["decimal"], reading["thousands"], measure)

    def number(cell):
        if measure == CLOCK_UNIT and isinstance(cell, (datetime.timedelta, datetime.time)):
            cell = str(cell)
        if not isinstance(cell, str):
            if not isinstance(cell, NUMBERS):
                raise Unusable(f"{cell!r:.40} {none_of(measure)}")
            x, beside = finite(cell), "" if measure and not isinstance(cell, (bool, np.bool_)) else None
        else:
            x, beside = read(cell.strip(SPACE_CHARACTERS))
        if beside is not None:
            notes.beside(found.column, beside, 1)
        return x

    return one_by_one(cells, number, found)


CLOCK_UNIT = "h:min"  # of times of day and durations, whose numbers are hours


def none_of(measure):
    """Why a cell is no number of its column."""
    if measure == CLOCK_UNIT:
        return "is no time such as 7:30"
    return f"is not a number of {quoted(measure)}" if measure else "is not a number"


@functools.lru_cache(maxsize=None)
def number_reader(decimal, thousands, measure):
    """A function that returns the number of a text, and what stands beside it: None if that is the unit of the column,
    or neither has one; "" if it lacks the unit; else the sign that the column lacks. dataset/number.go has the
    rules."""
    point, exponent = re.escape(decimal), "([eE][-+]?[0-9]+)?"
    plain = plain_number(decimal)
    space, separator, currency = f"[{NUMBER_SPACES}]*", THOUSANDS[thousands], currencies()
    groups = f"[1-9][0-9]{{0,2}}(?:{separator}[0-9]{{3}})+|[0-9]*"
    if thousands == ",":  # 12,34,567, as in India
        groups = "[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}|" + groups
    signed = re.compile(f"([-+\u2212]?){space}([{currency}]?){space}([-+\u2212]?){space}({groups})"
                        f"((?:{point}[0-9]*)?{exponent}){space}([{currency}%]?)")
    in_parentheses = re.compile(f"([{currency}]?){space}[(]{space}((?![-+\u2212]).+?){space}[)]")
    is_sign = measure == "%" or len(measure) == 1 and measure in currency

    def number(cell):
        if cell.lower() in MISSING:
            return np.nan, None
        if cell.lower() in ("true", "false"):
            return float(len(cell) == 4), None
        hours = clock_hours(cell) if measure == CLOCK_UNIT else None
        if hours is not None:
            return hours, None
        if plain.fullmatch(cell):
            return finite(cell.replace(decimal, ".")), "" if measure else None
        bare, has_unit = cell.strip(NUMBER_SPACES), False
        if measure and not is_sign:
            has_unit = bare.endswith(measure) or bare.startswith(measure)
            bare = bare[:-len(measure)] if bare.endswith(measure) else bare[len(measure):] if has_unit else bare
            bare = bare.strip(NUMBER_SPACES)
        inside = in_parentheses.fullmatch(bare)
        if inside:
            bare = "-" + inside.group(1) + inside.group(2)
        match = signed.fullmatch(bare) if len(cell.encode()) <= 64 else None
        wrong = Unusable(f"{cell!r:.40} {none_of(measure)}")
        if match is None:
            raise wrong
        first, before, second, digits, rest, power, after = match.groups()
        digits, rest, sign = re.sub("[^0-9]", "", digits), rest.replace(decimal, "."), before + after
        has_unit = has_unit or is_sign and sign == measure
        twice = first and second or before and after or after == "%" and power
        if twice or measure and sign and not has_unit or not re.search("[0-9]", digits + re.split("[eE]", rest)[0]):
            raise wrong
        minus = "-" if first + second in ("-", "\u2212") else ""
        x = finite(minus + digits + rest + ("e-2" if after == "%" else ""))
        return x, None if has_unit or not measure and not sign else sign

    return number


CLOCK_TEXT = re.compile("(-?)(?:([0-9]{1,6}) day[s, +]*(-?)([0-9]{1,2})|([0-9]{1,6})):([0-5][0-9])"
                        "(?::([0-5][0-9])(?:[.]([0-9]+))?)?(?: ?([aApP])[mM])?")
ISO_DURATION = re.compile("(-?)P(?:([-.0-9]+)D)?(T(?:([-.0-9]+)H)?(?:([-.0-9]+)M)?(?:([-.0-9]+)S)?)?")


def clock_hours(cell):
    """The hours of a time of day or a duration, or None. dataset/clock.go has the rules."""
    cell = cell.strip(NUMBER_SPACES)
    match = ISO_DURATION.fullmatch(cell)
    if match:
        sign, days, time, *parts = match.groups()
        if time == "T" or cell[-1] == "P":
            return None
        try:
            hours = sum(float(part) * hour for part, hour in zip([days, *parts], (24, 1, 1 / 60, 1 / 3600)) if part)
        except ValueError:
            return None
        return -hours if sign else hours
    match = CLOCK_TEXT.fullmatch(cell)
    if not match:
        return None
    first, days, second, of_day, hour, minute, second_of, fraction, half = match.groups()
    hour = int(of_day or hour)
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + 12 * (half in "pP")
    seconds = 3600 * hour + 60 * int(minute) + int(second_of or 0) + int((fraction or "0")[:6].ljust(6, "0")) / 1e6
    seconds = -seconds if (second if days else first) else seconds
    return (seconds + 86400 * int(days or 0) * (-1 if first else 1)) / 3600


@functools.lru_cache(maxsize=None)
def currencies():
    return "".join(c for c in map(chr, range(0x20000)) if unicodedata.category(c) == "Sc")


def finite(number):
    x = float(number)
    if x in (np.inf, -np.inf):
        raise Unusable("the number is infinite or too large for float64")
    return x


TIME = "(?:[T ]([0-9]{HOUR}):([0-9]{2})(?::([0-9]{2})(?:[.]([0-9]+))?)?HALF" \
    "(?: ?(Z|(?i:UTC|GMT)|[-+][0-9]{2}(?::?[0-9]{2})?))?)?"
CLOCK = TIME.replace("(?:", "(?:,?", 1).replace("HOUR", "1,2").replace("HALF", "(?: ?([aApP])[mM]$)?")
ISO = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})" + TIME.replace("HOUR", "2").replace("HALF", "()"))
YEAR_FIRST = re.compile("([0-9]{4})([./])([0-9]{1,2})\\2([0-9]{1,2})" + CLOCK)
DAY_OR_MONTH_FIRST = re.compile("([0-9]{1,2})([./-])([0-9]{1,2})\\2([0-9]{4})" + CLOCK)


def names_of(names):
    return "|".join(f"{name[:3]}(?:{name[3:]})?" for name in names.split()) + "|sept" * names.startswith("jan")


MONTHS = "january february march april may june july august september october november december"
GAP = ",?(?:[-/]| *)"
NAMED = "(?i:(?:(?:%s)(?![a-z])[.]?%s)?" % (
    names_of("monday tuesday wednesday thursday friday saturday sunday"), GAP)
MONTH = f"({names_of(MONTHS)})(?![a-z])[.]?"
MONTH_THEN_DAY = re.compile(f"{NAMED}{MONTH}{GAP}()([0-9]{{1,2}})(?![0-9]){GAP}([0-9]{{4}})){CLOCK}")
DAY_THEN_MONTH = re.compile(f"{NAMED}([0-9]{{1,2}}){GAP}(){MONTH}{GAP}([0-9]{{4}})){CLOCK}")


def day_of_text(cell, dates):
    """The parts of the time of a date, and its year, month and day, or None and None."""
    match = ISO.fullmatch(cell)
    if match:
        return match.groups()[3:], match.group(1, 2, 3)
    match = YEAR_FIRST.fullmatch(cell)
    if match:
        return match.groups()[4:], match.group(1, 3, 4)
    match = DAY_OR_MONTH_FIRST.fullmatch(cell) if dates != "iso" else None
    if match:
        return match.groups()[4:], match.group(4, 1, 3) if dates == "month-day-year" else match.group(4, 3, 1)
    for pattern, order in ((MONTH_THEN_DAY, (4, 1, 3)), (DAY_THEN_MONTH, (4, 3, 1))):
        match = pattern.fullmatch(cell)
        if match:
            year, month, day = match.group(*order)
            first = [name[:3] for name in MONTHS.split()]
            return match.groups()[4:], (year, first.index(month[:3].lower()) + 1, day)
    return None, None


def seconds_of_text(cell, dates):
    """The seconds since 1970 of a date."""
    wrong = Unusable(f"{cell!r:.40} is not a date; write it as 2026-11-20 or 2026-11-20T19:17:00Z")
    clock, day = day_of_text(cell, dates)
    if day is None:
        raise wrong
    year, month, day = day
    hour, minute, second, fraction, half, zone = clock
    hour = int(hour or 0)
    if half and not 1 <= hour <= 12:
        raise wrong
    if half:
        hour = hour % 12 + 12 * (half in "pP")
    try:
        time = datetime.datetime(int(year), int(month), int(day), hour, int(minute or 0), int(second or 0))
    except ValueError:
        raise wrong from None
    whole = (time - EPOCH.replace(tzinfo=None)) // datetime.timedelta(seconds=1)
    if zone and zone[0] in "+-":
        hours, minutes = int(zone[1:3]), int(zone[3:].strip(":") or 0)
        if hours > 23 or minutes > 59:
            raise wrong
        whole -= (3600 * hours + 60 * minutes) * (-1 if zone[0] == "-" else 1)
    return whole + int((fraction or "0")[:6].ljust(6, "0")) / 1e6


def date_cells(cells, reading, found):
    """The seconds since 1970 of a column of dates, NaN where one is missing."""
    known = {}

    def seconds(cell):
        if isinstance(cell, str):
            cell = cell.strip(SPACE_CHARACTERS)
            if cell not in known:
                known[cell] = np.nan if cell.lower() in MISSING else seconds_of_text(cell, reading["dates"])
            return known[cell]
        if isinstance(cell, datetime.date) and not isinstance(cell, datetime.datetime):
            cell = datetime.datetime(cell.year, cell.month, cell.day)
        if not isinstance(cell, datetime.datetime):
            raise Unusable(f"{cell!r:.40} is not a date; give a text, a datetime or a datetime64")
        if cell.tzinfo is None:
            cell = cell.replace(tzinfo=datetime.timezone.utc)
        since = cell - EPOCH
        return 86400 * since.days + since.seconds + since.microseconds / 1e6

    if isinstance(cells, np.ndarray) and cells.dtype.kind == "M":
        micro = cells.astype("datetime64[us]").astype(np.int64)
        x = np.where(np.isnat(cells), np.nan, micro // 1_000_000 + micro % 1_000_000 / 1e6)
    else:
        x = one_by_one(cells, seconds, found)
    for r in np.flatnonzero((x < -62135596800) | (x >= 253402300800)):
        found.add(r, "the time is outside the years 1 to 9999")
        x[r] = 0
    return x


def passed(part, seconds):
    """How much of the year, the week or the day has passed."""
    day = np.floor(seconds / 86400)
    in_day = (seconds - day * 86400) / 86400
    if part == "day":
        return in_day
    if part == "week":
        return ((day + 3) % 7 + in_day) / 7  # 1970-01-01 was a Thursday
    year = day.astype(np.int64).astype("datetime64[D]").astype("datetime64[Y]")
    first, following = (y.astype("datetime64[D]").astype(np.int64) for y in (year, year + 1))
    return (day - first + in_day) / (following - first)


def hashed(tokens, seed, width):
    """The coordinates and signs of tokens."""
    unique = list(dict.fromkeys(tokens))
    h = dict(zip(unique, murmur3([token.encode() for token in unique], seed).tolist()))
    h = np.array([h[token] for token in tokens], dtype=np.int64)
    return abs(h) % width, np.where(h < 0, -1.0, 1.0)


def murmur3(texts, seed):
    """MurmurHash3_x86_32 (Appleby) of each text, signed. Texts of one length go together."""
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    out = np.empty(len(texts), np.int64)

    def rotated(v, bits):
        return v << bits | v >> 32 - bits

    for length in np.unique(lengths).tolist():
        places = np.flatnonzero(lengths == length)
        padded = np.zeros((len(places), -(-length // 4) * 4), np.uint8)
        joined = b"".join(texts[k] for k in places)
        padded[:, :length] = np.frombuffer(joined, np.uint8).reshape(len(places), length)
        h = np.full(len(places), seed, np.uint32)
        for k, word in enumerate(padded.view("<u4").T):
            h ^= rotated(word * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
            if 4 * k + 4 <= length:
                h = rotated(h, 13) * np.uint32(5) + np.uint32(0xE6546B64)
        h ^= np.uint32(length)
        h = (h ^ h >> 16) * np.uint32(0x85EBCA6B)
        h = (h ^ h >> 13) * np.uint32(0xC2B2AE35)
        out[places] = (h ^ h >> 16).astype(np.int32)
    return out
