"""Tests the package with the core: python3 -m unittest discover -s python, after ./build.sh host.

Maps have the bits of sketch/testdata/vectors, and parts the bytes of the whole. TENSORSKETCH_SHELL names the command
line: then its model files and sums are compared, too. With TENSORSKETCH_LONG=1 scikit-learn checks the estimators.
"""

import concurrent.futures
import copy
import datetime
import doctest
import gc
import glob
import io
import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings
from decimal import Decimal

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if not os.environ.get("TENSORSKETCH_WHEEL"):
    sys.path.insert(0, os.path.join(ROOT, "python"))
import tensorsketch
from tensorsketch import SketchClassifier, SketchRegressor, TensorSketch, TensorSketchModel

try:
    import sklearn
except ImportError:
    if os.environ.get("TENSORSKETCH_WHEEL"):
        raise
    sklearn = None
SHELL = os.environ.get("TENSORSKETCH_SHELL")
MAP = {"method": "tensor-sketch", "n_components": 48, "degree": 2, "coef0": 1.0}


def has_core():
    try:
        tensorsketch.core.core_file()
    except FileNotFoundError:
        return False
    return tensorsketch.available()


def has_tables():
    try:
        return bool(tensorsketch.core.core_file("tensorsketch.table.wasm"))
    except FileNotFoundError:
        return False


def table(n=300, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    return X, X[:, 0] * X[:, 1] + 0.5 * X[:, 2] ** 2


def bytes_of(model):
    file = io.BytesIO()
    model.save(file)
    return file.getvalue()


def sums_of(model):
    file = io.BytesIO()
    model.save_sums(file)
    return file.getvalue()


@unittest.skipUnless(has_core(), "wasmtime or dist/host/tensorsketch.host.wasm is missing")
class TestCore(unittest.TestCase):
    def test_vectors(self):
        """Every vector of every map has the bits of package sketch, dense and sparse."""
        compared = 0
        for file in glob.glob(os.path.join(ROOT, "sketch/testdata/vectors/*.json")):
            with open(file) as opened:
                cases = json.load(opened)
            for case in cases:
                if isinstance(case["model"]["nFeatures"], list):
                    continue  # a product of several vectors
                key = bytes.fromhex(case["key"]) if "key" in case else None
                sketch = TensorSketch.load(io.StringIO(json.dumps(case["model"])), key)
                X, Z = np.array(case["rows"], np.float32), np.array(case["features"], np.float32)
                np.testing.assert_array_equal(sketch.transform(X), Z, case["name"])
                if sklearn:
                    from scipy.sparse import csr_matrix

                    np.testing.assert_array_equal(sketch.transform(csr_matrix(X)), Z, case["name"])
                compared += 1
        self.assertGreater(compared, 50)

    def test_methods(self):
        """A map that is made here is the one that its file opens."""
        X, _ = table()
        for options in ({"method": "random-fourier", "method_params": {"kernel": "laplacian"}, "gamma": 0.5},
                        {"method": "random-fourier", "method_params": {"kernel": "cauchy"}},
                        {"method": "random-fourier", "method_params": {"projection": "structured", "paired": True}},
                        {"method": "nystroem", "n_components": 16, "degree": 2, "coef0": 1},
                        {"method": "k-space", "n_components": 16, "degree": 2, "coef0": 1},
                        {"seed": "text", "repeats": 2}, {"seed": b"\1" * 32, "normalize": "kernel"},
                        {"output": "spectrum", "degree": 3}, {"seed": 2**64 - 1}):
            sketch = TensorSketch(**{"n_components": 32, **options})
            Z = sketch.fit_transform(X)
            file = io.BytesIO()
            sketch.save(file)
            file.seek(0)
            again = TensorSketch.load(file)
            np.testing.assert_array_equal(again.transform(X), Z)
            self.assertEqual(again.fit(X).model_, sketch.model_)
            np.testing.assert_array_equal(pickle.loads(pickle.dumps(sketch)).transform(X), Z)
            sketch.n_jobs = 2
            np.testing.assert_array_equal(sketch.transform(np.tile(X, (30, 1)))[-300:], Z)

    def test_rows_as_they_come(self):
        """Rows of any numbers, in any order of memory, have the features of float32; what is not finite is refused."""
        X, _ = table(700)
        sketch = TensorSketch(n_components=1024, coef0=1).fit(X)  # takes 256 rows at a time
        Z = sketch.transform(X)
        wide, high = np.repeat(X, 2, axis=1), np.repeat(X, 2, axis=0)
        for rows in (X.astype(np.float64), np.asfortranarray(X), np.asfortranarray(X, np.float64), wide[:, ::2],
                     high[::2], X[::-1].copy()[::-1], X.astype(np.longdouble), X.tolist()):
            np.testing.assert_array_equal(sketch.transform(rows), Z)
        whole = np.round(4 * X)
        for kind in (np.int8, np.int64, np.float16, bool):
            np.testing.assert_array_equal(sketch.transform(whole.astype(kind)),
                                          sketch.transform(whole.astype(kind).astype(np.float32)))
        for wrong, expected in ((np.nan, "contains NaN: TensorSketch takes no"), (-np.inf, "contains infinity"),
                                (1e300, r"too large for dtype\('float32'\)")):
            for n_jobs in (None, 2):
                rows = X.astype(np.float64)
                rows[3, 1] = 3e38  # whose features are too large
                rows[600, 2] = wrong
                with self.assertRaisesRegex(ValueError, expected):
                    sketch.set_params(n_jobs=n_jobs).transform(rows)
        rows[600, 2] = 0
        with self.assertRaisesRegex(ValueError, "row 3: "):
            sketch.transform(rows)

    def test_memory_of_results(self):
        """Memory of a large result is used again once nothing refers to it, and never before."""
        X, _ = table(1500)
        sketch = TensorSketch(n_components=1024).fit(X)
        Z = sketch.transform(X)
        want = Z.copy()
        part, kept = memoryview(Z[700:701]), pickle.dumps(Z)
        del Z
        others = [sketch.transform(X) for _ in range(3)]
        for i, a in enumerate(others):
            self.assertTrue(a.flags.writeable and a.flags.c_contiguous and a.flags.aligned)
            self.assertFalse(any(np.shares_memory(a, b) for b in [*others[:i], np.asarray(part)]))
            a[:] = i
        np.testing.assert_array_equal(part, want[700:701])
        np.testing.assert_array_equal(pickle.loads(kept), want)
        del a, others, part
        gc.collect()
        Z = sketch.transform(X)
        np.testing.assert_array_equal(Z, want)
        self.assertLessEqual(len(tensorsketch.results._kept), 1)
        addresses = {Z.ctypes.data}
        for _ in range(3):
            del Z
            Z = sketch.transform(X)
            addresses.add(Z.ctypes.data)
        self.assertEqual(len(addresses), 1)
        small = sketch.transform(X[:1100])  # of 4.5 MB: the memory of 6 MB is in use
        self.assertFalse(np.shares_memory(small, Z))

        def many(seed):
            its = TensorSketch(n_components=1024, seed=seed).fit(X)
            first = its.transform(X).copy()
            return all(np.array_equal(its.transform(X), first) for _ in range(5))

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertTrue(all(pool.map(many, range(4))))

    @unittest.skipUnless(sklearn, "scikit-learn is missing")
    def test_tables_of_sklearn(self):
        from sklearn.kernel_approximation import PolynomialCountSketch
        from sklearn.linear_model import RidgeClassifier
        from sklearn.pipeline import make_pipeline

        X, _ = table()
        for state in (3, np.random.RandomState(5)):
            for coef0 in (0, 2):
                theirs = PolynomialCountSketch(n_components=64, degree=3, gamma=0.7, coef0=coef0,
                                               random_state=copy.deepcopy(state)).fit(X)
                want = theirs.transform(X)
                own = TensorSketch(n_components=64, degree=3, gamma=0.7, coef0=coef0, random_state=copy.deepcopy(state))
                for sketch in (own.fit(X), TensorSketch.from_sklearn(theirs)):
                    np.testing.assert_allclose(sketch.transform(X), want, rtol=0, atol=1e-5 * np.abs(want).max())
        pipeline = make_pipeline(PolynomialCountSketch(random_state=0), RidgeClassifier()).fit(X, X[:, 0] > 0)
        want = pipeline.decision_function(X)
        own = TensorSketch.from_sklearn(pipeline["polynomialcountsketch"])
        got = pipeline.set_params(polynomialcountsketch=own).decision_function(X)
        self.assertIs(pipeline[0], own)
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-4 * np.abs(want).max())

    def test_parts(self):
        """Parts that are added, merged and taken away have the bytes of the whole, in any order and in threads."""
        X, t = table()
        for make, y in ((SketchClassifier, np.where(t > 0.5, "yes", "no")), (SketchRegressor, t)):
            whole = make(**MAP).fit(X, y)
            file = bytes_of(whole)
            self.assertEqual(bytes_of(make(**MAP, n_jobs=3).fit(np.tile(X, (40, 1)), np.tile(y, 40))),
                             bytes_of(make(**MAP).fit(np.tile(X, (40, 1)), np.tile(y, 40))))
            a, b = whole.like(), whole.like()
            a.partial_fit(X[200:], y[200:]).partial_fit(X[:50], y[:50])
            b.partial_fit(X[50:200], y[50:200])
            self.assertEqual(bytes_of(b.merge(pickle.loads(pickle.dumps(a)))), file)
            self.assertEqual(b.n_rows_, 300)
            c = whole.like().partial_fit(X[50:200], y[50:200])
            self.assertEqual(bytes_of(b.subtract(a)), bytes_of(c))
            sums = io.BytesIO()
            b.merge(a).save_sums(sums)
            sums.seek(0)
            self.assertEqual(bytes_of(make.load(sums)), file)
            again = make.load(io.BytesIO(file))
            np.testing.assert_array_equal(again.predict(X), whole.predict(X))
            self.assertEqual(again.score(X, y), whole.score(X, y))
            model = TensorSketchModel(json.loads(file))
            if make is SketchClassifier:
                np.testing.assert_allclose(model.predict_proba(X), whole.predict_proba(X), atol=1e-4)
            self.assertGreater(whole.score(X, y), 0.8)

    def test_search(self):
        """Without a map a search chooses one, with missing numbers, and parts of it merge."""
        X, t = table(100)
        X[3, 1] = np.nan
        model = SketchRegressor(n_components=64, candidates=["gaussian"]).fit(X, t)
        self.assertEqual(model.chosen_, "gaussian")
        parts = [model.like().partial_fit(X[i::2], t[i::2]) for i in range(2)]
        np.testing.assert_array_equal(parts[0].merge(parts[1]).predict(X), model.predict(X))
        self.assertEqual(SketchRegressor.load(io.BytesIO(bytes_of(model))).n_features_in_, 4)

    def test_tables(self):
        """Data frames of pandas and Polars and tables of Arrow are the rows that NumPy has of them."""
        X, t = table(100)
        model = SketchRegressor(**MAP).fit(X, t)
        for name in ("pandas", "polars", "pyarrow"):
            try:
                library = __import__(name)
            except ImportError:
                continue
            frame = library.table if name == "pyarrow" else library.DataFrame
            columns = {f"c{j}": X[:, j].astype(np.float64) for j in range(4)}
            wider, frame = frame({**columns, "word": ["a"] * 100}), frame(columns)
            other = SketchRegressor(**MAP).fit(frame, t)
            with self.assertRaisesRegex(ValueError, "unseen at fit time:\n- word"):
                other.predict(wider)
            file = json.loads(other.model_)
            self.assertEqual([c["name"] for c in file.pop("preprocessing")["columns"]], ["c0", "c1", "c2", "c3", "y"])
            self.assertEqual(file, json.loads(model.model_), name)
            self.assertEqual(list(other.feature_names_in_), ["c0", "c1", "c2", "c3"])
            column = {"pandas": "Series", "polars": "Series", "pyarrow": "array"}[name]
            for make, y in ((SketchRegressor, t), (SketchClassifier, np.where(t > 0.5, "b", "a"))):
                other = make(**MAP).fit(X, getattr(library, column)(y.tolist()))
                self.assertEqual(other.model_, make(**MAP).fit(X, y).model_, name)
            if name == "pyarrow":  # a missing number of a dictionary
                column = library.array([2.0, 7.0, None]).dictionary_encode()
                with self.assertRaisesRegex(ValueError, "contains NaN"):
                    TensorSketch().fit(library.table({"a": column}))
            with self.assertRaisesRegex(ValueError, "column 'c1' of X has cells that are no numbers"):
                wrong = library.table if name == "pyarrow" else library.DataFrame
                other.predict(wrong({"c0": [1.0], "c1": ["a"], "c2": [1.0], "c3": [1.0]}))

    def test_dates(self):
        """Dates are refused by the name of their column, never taken as numbers of microseconds."""
        days = np.array(["2020-01-01", "2020-01-05"], "datetime64[ms]")
        with self.assertRaisesRegex(ValueError, "X has dates or durations"):
            TensorSketch(n_components=4).fit(days.reshape(-1, 1))
        for name in ("pandas", "polars", "pyarrow"):
            try:
                library = __import__(name)
            except ImportError:
                continue
            frame = (library.table if name == "pyarrow" else library.DataFrame)({"day": days, "b": [1.0, 2.0]})
            with self.assertRaisesRegex(ValueError, "column 'day' of X has dates or durations"):
                SketchRegressor(**MAP).fit(frame, [1.0, 2.0])

    @unittest.skipUnless(sklearn, "scikit-learn is missing")
    def test_set_output(self):
        """A pipeline returns data frames where it is asked for them, and so do its copies."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is missing")
        from sklearn.base import clone
        from sklearn.pipeline import make_pipeline

        frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=[7, 9])
        sketch = TensorSketch(n_components=3)
        Z = sketch.fit_transform(frame)
        self.assertIsInstance(Z, np.ndarray)
        for made in (sketch.set_output(transform="pandas"), clone(make_pipeline(sketch))):
            features = made.fit_transform(frame)
            self.assertEqual([*features.columns, *features.index], ["f0", "f1", "f2", 7, 9])
            np.testing.assert_array_equal(features, Z)
        self.assertIsInstance(sketch.set_output(transform="default").transform(frame), np.ndarray)
        with self.assertRaisesRegex(ValueError, "transform must be"):
            sketch.set_output(transform="csv")

    @unittest.skipUnless(has_tables(), "`./build.sh wheel core` leaves out what reads tables with texts")
    def test_texts(self):
        """Texts, categories, dates and missing cells of a table become what `tensorsketch fit` makes of its CSV: the
        model files are equal."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is missing")
        quiet = warnings.catch_warnings()
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)
        warnings.simplefilter("ignore")  # missing cells
        rng = np.random.default_rng(1)
        frame = pandas.DataFrame({
            "size": rng.normal(size=300), "kind": rng.choice(["red", "green", "blue"], 300),
            "day": pandas.Timestamp("2015-01-01") + pandas.to_timedelta(rng.integers(0, 2000, 300), unit="D"),
            "on": rng.random(300) < 0.5, "code": pandas.Categorical(rng.choice(["007", "x, y", 'a "b"'], 300))})
        for row, name in enumerate(["size", "kind", "day", "code"]):
            frame.loc[row, name] = None
        red = frame["kind"] == "red"
        options = {"n_components": 64, "candidates": ["gaussian", "linear"]}
        for make, y in ((SketchClassifier, pandas.Series(np.where((frame["size"] > 0) != red, "yes", "no"), name="is")),
                        (SketchRegressor, pandas.Series(frame["size"].fillna(0) + 2 * red, name="is"))):
            model = make(**options).fit(frame, y)
            self.assertGreater(model.score(frame, y), 0.8)
            self.assertEqual([*model.feature_names_in_], [*frame.columns])
            self.assertEqual(model.n_features_in_, 5)
            for again in (pickle.loads(pickle.dumps(model)), make.load(io.BytesIO(model.model_))):
                np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
            np.testing.assert_allclose(TensorSketchModel(json.loads(model.model_)).scores(frame), model._scores(frame),
                                       atol=1e-4)
            half = model.like().partial_fit(frame[:100], y[:100])
            self.assertEqual(half.merge(model.like().partial_fit(frame[100:], y[100:])).model_,
                             model.like().partial_fit(frame, y).model_)
            texts = frame.assign(text=[f"number {i} of {i * i}" for i in range(300)])
            with self.assertWarnsRegex(UserWarning, 'column "text" is read as text.*change or drop'):
                tensorsketch.table.learn(texts, y.to_numpy(), "y", make._task)
            with self.assertRaisesRegex(ValueError, "indicators are for rows of numbers"):
                make(**options, indicators=[0]).fit(frame, y)
            with self.assertRaisesRegex(ValueError, "[0-9]+ rows cannot be used, since y is missing"):
                make(**options).fit(frame, np.where(frame["size"] > 1, None, y))
            want = ('2 cells of column "zz" are not used: the model has no such column; 2 cells of column "kind" have '
                    'categories that were not met before, such as "pink", and count as the average of those that were')
            for one in (model, TensorSketchModel(json.loads(model.model_))):
                with self.assertWarnsRegex(UserWarning, want) as said:
                    one.predict(frame[4:6].assign(kind="pink", zz=1))
                self.assertEqual(said.filename, __file__)
            with self.assertRaisesRegex(ValueError, "lacks the column \"kind\""):
                model.predict(frame.drop(columns="kind"))
            with self.assertRaisesRegex(ValueError, 'row 0: column "size"'):
                model.predict(frame[:1].assign(size="large"))
            for library in ("polars", "pyarrow"):
                try:
                    other = __import__(library)
                except ImportError:
                    continue
                same = other.from_pandas(frame) if library == "polars" else other.Table.from_pandas(frame)
                self.assertEqual(make(**options).fit(same, y).model_, model.model_, library)
            if not SHELL:
                continue
            with tempfile.TemporaryDirectory() as folder:
                frame.assign(**{"is": y}).to_csv(os.path.join(folder, "t.csv"), index=False)
                subprocess.run([SHELL, "fit", "t.csv", "--label", "is", "--mergeable", "--search", "gaussian,linear",
                                "--components", "64", "-o", "t.json", "--quiet"], cwd=folder, check=True)
                with open(os.path.join(folder, "t.json"), "rb") as file:
                    self.assertEqual(file.read(), model.model_)

    @unittest.skipUnless(has_tables(), "`./build.sh wheel core` leaves out what reads tables with texts")
    def test_units(self):
        """Numbers with units, durations and times of day of a table are numbers, here and in the model file."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is missing")
        rng = np.random.default_rng(2)
        kg, minutes = rng.uniform(40, 90, 200), rng.integers(1, 1440, 200)
        frame = pandas.DataFrame({
            "weight": [f"{x:.1f} kg" for x in kg], "share": [f"{x}%" for x in rng.integers(0, 100, 200)],
            "took": pandas.to_timedelta(minutes, unit="min"),
            "at": [datetime.time(int(m) // 60, int(m) % 60) for m in rng.permutation(minutes)]})
        frame.loc[3, "took"] = None
        y = kg + minutes / 60
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = SketchRegressor(candidates=["linear"]).fit(frame, y)
        for want in ('column "weight" is read as numbers of "kg"', 'column "share" is read as numbers of "%"',
                     'column "took" is read as hours', 'column "at" is read as hours'):
            self.assertIn(want, str(said[0].message))
        self.assertGreater(model.score(frame[4:], y[4:]), 0.99)
        other = TensorSketchModel(json.loads(model.model_))
        np.testing.assert_allclose(other.predict(frame), model.predict(frame), rtol=1e-4)
        again = SketchRegressor.load(io.BytesIO(model.model_))
        np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
        for library in ("polars", "pyarrow"):
            try:
                module = __import__(library)
            except ImportError:
                continue
            same = module.from_pandas(frame) if library == "polars" else module.Table.from_pandas(frame)
            np.testing.assert_array_equal(model.predict(same), model.predict(frame))
        with self.assertWarnsRegex(UserWarning, '1 number of column "weight" has no "kg" beside it, and counts as if it '
                                                'had; 1 number of column "weight" lies outside the range'):
            model.predict(frame[:1].assign(weight="900"))
        with self.assertWarnsRegex(UserWarning, '^1 number of column "1" lies outside the range that the model'):
            X, t = table(100)
            SketchRegressor(candidates=["linear"]).fit(X, t).predict(X[:1] + [0, 99, 0, 0])
        with self.assertRaisesRegex(ValueError, "seed must be left out beside random_state, .* got 7"):
            SketchRegressor(method="tensor-sketch", random_state=0, seed=7).fit(X, t)

    def test_labels(self):
        """Labels come back as they went in."""
        X, t = table(100)
        for y in (t > 0.5, (t > 0.5) * 1, np.where(t > 0.5, "b", "a"), np.where(t > 0.5, 2.0, -1.0),
                  (t > 0.5).astype(np.int8), np.where(t > 0.5, "b", "a").astype(object)):
            model = SketchClassifier(**MAP).fit(X, y)
            self.assertEqual(set(model.predict(X).tolist()), set(y.tolist()))
            self.assertEqual(model.predict(X).dtype.kind, y.dtype.kind)
            self.assertGreater(SketchClassifier.load(io.BytesIO(bytes_of(model))).score(X, y), 0.8)

    @unittest.skipUnless(has_tables(), "`./build.sh wheel core` leaves out what reads tables with texts")
    def test_decimals(self):
        """Decimals are numbers, also beside texts; what is infinite, or no cell of a table, is named with its remedy."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is missing")
        rng = np.random.default_rng(1)
        x = rng.normal(size=200).round(3)
        frame = pandas.DataFrame({"x": x, "kind": rng.choice(["red", "green"], 200)})
        y = np.where((x > 0) != (frame["kind"] == "red"), "yes", "no")
        exact = frame.assign(x=[None if v == x[7] else Decimal(f"{v:.3f}") for v in x])
        gap = frame.assign(x=np.where(x == x[7], np.nan, x))
        for columns in ["x", "kind"], ["x"]:
            own, want = (SketchClassifier(n_components=64, candidates=["gaussian"]).fit(X[columns], y)
                         for X in (exact, gap))
            self.assertEqual(own.model_, want.model_)
            for model in own, TensorSketchModel(json.loads(own.model_)):
                np.testing.assert_array_equal(model.predict(exact[columns]), want.predict(gap[columns]))
        for cells, expected in (
            (np.where(x == x[7], -np.inf, x), "column 'x' of X contains infinity: scale or remove it"),
            (pandas.cut(x, 4), r"column 'x' of X has Interval.* nor a date: make one of it, .* by astype\(str\)"),
        ):
            with self.assertRaisesRegex(ValueError, expected):
                SketchClassifier().fit(frame.assign(x=cells), y)
        with self.assertRaisesRegex(ValueError, "^y contains infinity"):
            SketchRegressor().fit(frame, np.where(x == x[7], np.inf, x))
        large = frame.assign(x=pandas.Series([np.float64(v) * 1e20 for v in x], dtype=object))
        roles = [c["role"] for c in json.loads(SketchClassifier().fit(large, y).model_)["preprocessing"]["columns"]]
        self.assertEqual(roles, ["number", "category", "label"])

    def test_score(self):
        """Labels as a column, such as a data frame, are scored as the same labels in a row."""
        X, t = table(100)
        y = np.where(t > 0.5, "b", "a")
        for model, y in (SketchClassifier(**MAP).fit(X, y), y), (SketchRegressor(**MAP).fit(X, t), t):
            self.assertEqual(model.score(X, y[:, None]), model.score(X, y))
            for wrong in (y[:-1], y[:1], np.column_stack([y, y])):
                with self.assertRaises(ValueError):
                    model.score(X, wrong)

    @unittest.skipUnless(has_tables(), "`./build.sh wheel core` leaves out what reads tables with texts")
    def test_columns(self):
        """Columns that a model could take for each other, or has no names for, are refused with a remedy."""
        try:
            import pandas
            import polars
            import pyarrow
        except ImportError:
            self.skipTest("pandas, polars or pyarrow is missing")
        rng = np.random.default_rng(1)
        frame = pandas.DataFrame({"size": rng.normal(size=200), "kind": rng.choice(["red", "green"], 200)})
        y = np.where((frame["size"] > 0) != (frame["kind"] == "red"), "yes", "no")
        model = SketchClassifier(n_components=64, candidates=["gaussian"]).fit(frame, y)
        opened = TensorSketchModel(json.loads(model.model_))
        want = model.predict(frame)
        twice = frame.assign(other=-frame["size"]).set_axis(["size", "kind", "size"], axis=1)
        lazy = polars.from_pandas(frame).lazy()
        for m in model, opened:
            for rows in pyarrow.Table.from_pandas(frame), frame.to_records(index=False), polars.from_pandas(frame):
                np.testing.assert_array_equal(m.predict(rows), want)
            with self.assertRaisesRegex(ValueError, "two columns of X have one name: 'size'; drop one or rename it"):
                m.predict(twice)
            with self.assertRaisesRegex(TypeError, r"LazyFrame, which has no rows yet: give X.collect\(\)"):
                m.predict(lazy)
        for make in SketchClassifier, lambda: SketchClassifier(**MAP):
            with self.assertRaisesRegex(TypeError, "LazyFrame"):
                make().fit(lazy, y)
        for names in [0, 1], pandas.MultiIndex.from_product([["a"], ["b", "c"]]):
            with self.assertRaisesRegex(ValueError, r"Give them by X.columns = X.columns.map\(str\)"):
                SketchClassifier().fit(frame.set_axis(names, axis=1), y)

    def test_examples(self):
        for module in (tensorsketch.transformer, tensorsketch.learners):
            self.assertEqual(doctest.testmod(module, verbose=False).failed, 0)

    @unittest.skipUnless(sklearn and os.environ.get("TENSORSKETCH_LONG"), "TENSORSKETCH_LONG=1 runs the README")
    def test_readme(self):
        """The programs of README.md run, one after the other. The last one opens a file of the command line."""
        with open(os.path.join(ROOT, "python/README.md")) as file:
            programs = re.findall("```python\n(.*?)```", file.read(), re.DOTALL)
        self.assertEqual(len(programs), 5)
        X, t = table(60)
        X = X[:, :2]
        y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
        known = {"X": X, "y": y, "X_new": X[:3], "X1": X[:40], "y1": y[:40], "X2": X[40:], "y2": y[40:]}
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                for program in programs[:4]:
                    exec(program, known)
            finally:
                os.chdir(before)

    def test_other_losses(self):
        X, t = table(200)
        for loss in ("squared-hinge", "logistic"):
            model = SketchClassifier(**MAP, loss=loss, C=10).fit(X, t > 0.5)
            self.assertGreater(model.score(X, t > 0.5), 0.9)
            self.assertIn("solver", model.report_)
            with self.assertRaisesRegex(ValueError, "loss must be 'squared' for partial_fit"):
                model.partial_fit(X, t > 0.5)

    def test_release(self):
        """A release has noise, new in each call, and says what it spent."""
        X, t = table(4000)
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        y = X[:, 0] * X[:, 1] > 0
        model = SketchClassifier(**MAP, radius=1, private=True)
        model.partial_fit(X[:1000], y[:1000], classes=[False, True]).partial_fit(X[1000:], y[1000:])
        one, two = model.release(8, 1e-6), model.release(8, 1e-6)
        self.assertNotEqual(one.model_, two.model_)
        self.assertEqual(one.report_["private"], {"epsilon": 8, "delta": 1e-6})
        self.assertGreater(one.score(X, y), 0.7)
        with self.assertRaisesRegex(ValueError, "there are no sums"):
            one.like()
        with self.assertRaisesRegex(ValueError, "private sums take nothing from the rows"):
            SketchClassifier(**MAP, private=True).fit(X, y)
        with self.assertRaisesRegex(ValueError, "bound .*stated before the first row"):
            SketchClassifier(**MAP).fit(X, y).release(1, 1e-6)

    def test_errors(self):
        """What is wrong is named with its remedy."""
        X, t = table(50)
        bad = X.copy()
        bad[7, 2] = 3e38
        for expected, call in (
            ("gamma must be .*, got 0", lambda: TensorSketch(gamma=0).fit(X)),
            ("method must be .*got \"none\"", lambda: TensorSketch(method="none").fit(X)),
            ("gamma must be a finite", lambda: TensorSketch(gamma=float("inf")).fit(X)),
            ("gamma must be a finite number, got 'scale'", lambda: TensorSketch(gamma="scale").fit(X)),
            ("coef0 must be a finite number, got None", lambda: TensorSketch(coef0=None).fit(X)),
            ("random_state must be from 0 to 2\\^32 - 1, got -1", lambda: TensorSketch(random_state=-1).fit(X)),
            ("random_state must be from 0 to 2\\^32 - 1, got 4294967296",
             lambda: SketchClassifier(**MAP, random_state=2**32).fit(X, t > 0)),
            ("contains NaN", lambda: TensorSketch().fit(np.ma.masked_array(X, X > 1))),
            ("contains NaN", lambda: SketchRegressor(**MAP).fit(X, np.ma.masked_array(t, t > 0))),
            ("some are missing", lambda: SketchClassifier(**MAP).fit(X, np.ma.masked_array(t > 0, t > 1))),
            ("y has dates or durations", lambda: SketchRegressor(**MAP).fit(X, np.arange(50).astype("M8[D]"))),
            ("degree must be an integer", lambda: TensorSketch(degree=2.5).fit(X)),
            ("n_components must be .*, got 0", lambda: TensorSketch(n_components=0).fit(X)),
            ("method_params.a must be left out", lambda: TensorSketch(method_params={"a": 1}).fit(X)),
            ("row 7: ", lambda: TensorSketch(degree=4).fit(X).transform(bad)),
            ("contains NaN", lambda: TensorSketch().fit(np.full((2, 2), np.nan))),
            ("state the map", lambda: SketchClassifier(loss="logistic").fit(X, t > 0)),
            ("it is fitted as it is", lambda: TensorSketch.load(io.StringIO(json.dumps(
                {**json.loads(TensorSketch(n_components=4).fit(X[:, :1]).model_), "hash": "tables", "indexHash": [[1], [0]],
                 "bitHash": [[1], [1]]}).replace(', "seed": "0"', ""))).fit(X)),
            ("one class only", lambda: SketchClassifier(**MAP).fit(X, np.zeros(50))),
            ("classes, and these numbers have fractions", lambda: SketchClassifier(**MAP).fit(X, t)),
            ("partial_fit needs the map", lambda: SketchClassifier().partial_fit(X, t > 0)),
            ("radius must be the same in all parts",
             lambda: SketchRegressor(**MAP).fit(X, t).merge(SketchRegressor(**MAP).fit(X[:9], t[:9]))),
            ("must name a class|one of the classes", lambda: SketchClassifier(**MAP).partial_fit(
                X, t > 0, classes=[False, True]).partial_fit(X, np.full(50, "a"))),
            ("alpha must be a finite number, got 'auto': leave it out to have it chosen",
             lambda: SketchClassifier(**MAP, alpha="auto").fit(X, t > 0)),
            ("candidates must be a list, got string", lambda: SketchClassifier(candidates="linear").fit(X, t > 0)),
            ("normalize must be a text, got bool", lambda: TensorSketch(normalize=True).fit(X)),
            ("method_params must be names with values, got array", lambda: TensorSketch(method_params=["a"]).fit(X)),
            ("folds must be an integer, got string", lambda: SketchClassifier(folds="a").fit(X, t > 0)),
            ("loss must be one of squared, squared-hinge, logistic, got 'hinge'",
             lambda: SketchClassifier(loss="hinge").fit(X, t > 0)),
            ("target_range must be the lowest and the highest target, got 3",
             lambda: SketchRegressor(**MAP, target_range=3).fit(X, t)),
            ("C must be a finite number, got nan: leave it out",
             lambda: SketchClassifier(**MAP, loss="logistic", C=float("nan")).fit(X, t > 0)),
            ("X must have a column that is not constant", lambda: SketchClassifier().fit(np.ones((50, 3)), t > 0)),
            ("not a model file: its key nFeatures is missing",
             lambda: TensorSketch.load(io.BytesIO(b'{"format":"tensorsketch-model","version":2}'))),
            ("sums of rows, and no map: open it by SketchClassifier.load", lambda: TensorSketch.load(
                io.BytesIO(sums_of(SketchRegressor(**MAP).fit(X, t))))),
            ("the model's task is 'regress': take SketchRegressor",
             lambda: SketchClassifier.load(io.BytesIO(bytes_of(SketchRegressor(**MAP).fit(X, t))))),
        ):
            with self.assertRaisesRegex(ValueError, expected):
                call()
        for content in (b"x,y\n0.5,1\n", b"", b"\x00\xff", b'{"format":"tensorsketch-mo', b"[1]", b"null", b"{}",
                        b"TSLEARN1", b"TSLEARN2"):
            for opens in (TensorSketch, SketchClassifier, TensorSketchModel):
                with self.assertRaisesRegex(ValueError, "^not a model", msg=f"{opens.__name__}, {content!r}") as said:
                    opens.load(io.BytesIO(content))
                self.assertIs(type(said.exception), ValueError)
        with self.assertRaisesRegex(MemoryError, "give fewer rows|lower n"):
            TensorSketch(n_components=2**24, method="random-fourier").fit(np.zeros((1, 400)))

    def test_memory(self):
        """A worker whose memory is too little says so, loses no row and counts none twice: fewer at a time fit."""
        X, t = table(60000)
        t = np.clip(t, -1, 1)
        part = SketchRegressor(**MAP, folds=0, linear=False).fit(X[:100], t[:100]).like().partial_fit(X[:100], t[:100])
        before = part._sums
        with unittest.mock.patch.object(tensorsketch.core, "MEMORY", 2**24 + 2**19):
            with self.assertRaisesRegex(MemoryError, "the core's memory of .* is too little: .* pass less data"):
                part.partial_fit(X[100:], t[100:])
            self.assertEqual(part._sums, before)
            for first in range(100, len(X), 10000):
                part.partial_fit(X[first:first + 10000], t[first:first + 10000])
        whole = part.like().partial_fit(X, t)
        self.assertEqual(part.model_, whole.model_)
        self.assertEqual(part.n_rows_, 60000)

    @unittest.skipUnless(sys.platform == "linux", "RLIMIT_DATA is of Linux")
    def test_memory_of_system(self):
        """A worker to which the system gives too little says so wherever it happens, loses no row and counts none
        twice."""
        program = """if True:
            import resource
            import numpy as np
            from tensorsketch import SketchRegressor
            X = np.random.default_rng(0).normal(size=(60000, 8)).astype(np.float32)
            t = np.clip(X[:, 0] * X[:, 1], -1, 1)
            options = {"method": "tensor-sketch", "n_components": 48, "folds": 0, "linear": False}
            part = SketchRegressor(**options).fit(X[:100], t[:100]).like().partial_fit(X[:100], t[:100])
            before, whole = part._sums, part.like().partial_fit(X, t)
            with open("/proc/self/status") as status:
                used = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))
            _, most = resource.getrlimit(resource.RLIMIT_DATA)
            for more in (0, 2 << 20, 8 << 20):  # no instance, one that cannot begin, one that cannot take the rows
                resource.setrlimit(resource.RLIMIT_DATA, (used + more, most))
                try:
                    part.partial_fit(X[100:], t[100:])
                except MemoryError as e:
                    error = str(e)
                resource.setrlimit(resource.RLIMIT_DATA, (most, most))
                print(error)
                assert part._sums == before
            part.partial_fit(X[100:], t[100:])
            assert part.model_ == whole.model_ and part.n_rows_ == 60000
        """
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(tensorsketch.__file__))})
        self.assertEqual(done.returncode, 0, done.stderr)
        first, *others = done.stdout.splitlines()
        self.assertIn("an instance of the core reserves 4 GiB", first)
        self.assertEqual(len(others), 2)
        for error in others:
            self.assertIn("too little memory", error)
            self.assertIn("wasm trap", error)

    @unittest.skipUnless(sys.platform == "linux", "ulimit -v is of Linux")
    def test_addresses(self):
        """A process that may not have 4 GiB of addresses is told what to raise."""
        program = "import resource, tensorsketch.core as c; c.compiled(); " \
            "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); c.Core()"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(tensorsketch.__file__))})
        self.assertIn("MemoryError: an instance of the core reserves 4 GiB", done.stderr)

    @unittest.skipUnless(SHELL, "TENSORSKETCH_SHELL names no command line")
    def test_shell(self):
        """Model files and sums have the bytes of the command line's."""
        X, t = table(400)
        y = np.where(t > 0.5, "yes", "no")
        with tempfile.TemporaryDirectory() as folder:
            def shell(*arguments):
                subprocess.run([SHELL, *arguments, "--quiet"], cwd=folder, check=True, capture_output=True)

            def csv(name, rows):
                with open(os.path.join(folder, name), "w") as file:
                    file.write("a,b,c,d,y\n")
                    file.writelines(",".join(repr(float(v)) for v in X[i]) + f",{y[i]}\n" for i in rows)

            def content(name):
                with open(os.path.join(folder, name), "rb") as file:
                    return file.read()

            csv("all.csv", range(400))
            csv("first.csv", range(150))
            # A search: the same model without the columns of a table.
            shell("fit", "all.csv", "--label", "y", "--mergeable", "--search", "gaussian,linear",
                  "--components", "64", "-o", "searched.json")
            searched = json.loads(content("searched.json"))
            del searched["preprocessing"]
            own = SketchClassifier(n_components=64, candidates=["gaussian", "linear"]).fit(X, y)
            self.assertEqual(own.model_.decode(), json.dumps(searched, separators=(",", ":"), ensure_ascii=False))
            # Features of its map, with what it makes of missing numbers.
            shell("transform", "all.csv", "--model", "searched.json", "--to", "npy", "-o", "features.npy")
            sketch = TensorSketch.load(os.path.join(folder, "searched.json"))
            features = np.load(os.path.join(folder, "features.npy"))[:, :64]
            for copied in (sketch, pickle.loads(pickle.dumps(sketch))):
                np.testing.assert_array_equal(copied.transform(X), features)
            with self.assertRaisesRegex(ValueError, "it is fitted as it is"):
                sketch.fit(X)
            with self.assertRaisesRegex(ValueError, "open a model by TensorSketchModel.load"):
                shell("fit", "first.csv", "--label", "y", "--search", "off", "-o", "unit.json")
                SketchClassifier.load(os.path.join(folder, "unit.json"))
            # Parts of both, merged by both.
            shell("fit", "all.csv", "--label", "y", "--mergeable", "--search", "gaussian", "--components", "64",
                  "--moments", "all.tsm", "-o", "all.json")
            shell("fit", "first.csv", "--like", "all.tsm", "--moments", "first.tsm")
            part = SketchClassifier.load(os.path.join(folder, "first.tsm"))
            self.assertEqual(list(part.feature_names_in_), ["a", "b", "c", "d"])
            with self.assertWarnsRegex(UserWarning, "does not have valid feature names"):
                rest = part.like().partial_fit(X[150:], y[150:])
            rest.save_sums(os.path.join(folder, "rest.tsm"))
            shell("merge", "first.tsm", "rest.tsm", "-o", "both.tsm")
            self.assertEqual(content("both.tsm"), content("all.tsm"))
            shell("fit", "--from", "both.tsm", "-o", "both.json")
            self.assertEqual(part.merge(rest).model_, content("both.json"))

    def test_names_of_numbers(self):
        """A model of a table of numbers knows its columns by their names, in every program that reads the file."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is missing")
        X, t = table(300)
        frame, y = pandas.DataFrame(X, columns=list("abcd")), np.where(t > 0.5, "yes", "no")
        other = frame[list("dcba")]
        stated = dict(method="tensor-sketch", n_components=64, degree=2, coef0=1)
        for options in dict(n_components=64, candidates=["gaussian"]), stated, dict(stated, loss="logistic"):
            own = SketchClassifier(**options).fit(frame, pandas.Series(y, name="answer"))
            want = own.predict(frame)
            bare = SketchClassifier(**options).fit(X, y)
            np.testing.assert_array_equal(bare.predict(X), want)
            self.assertNotIn("preprocessing", json.loads(bare.model_))
            with tempfile.TemporaryDirectory() as folder:
                path, rows = os.path.join(folder, "model.json"), os.path.join(folder, "rows.csv")
                own.save(path)
                model = TensorSketchModel.load(path)
                for given in (frame, other, X):
                    np.testing.assert_array_equal(model.predict(given), want)
                again = SketchClassifier.load(path)
                self.assertEqual(list(again.feature_names_in_), list("abcd"))
                np.testing.assert_array_equal(again.predict(frame), want)
                with self.assertRaisesRegex(ValueError, "order"):
                    again.predict(other)
                if SHELL:
                    other.assign(answer=y).to_csv(rows, index=False)
                    said = subprocess.run([SHELL, "predict", rows, "--model", path, "--quiet", "-o", "-"], check=True,
                                          capture_output=True, text=True).stdout.split()
                    self.assertEqual([line.split(",")[1] for line in said[1:]], list(want))
            if options is stated:
                two = SketchRegressor(**options).fit(frame, X[:, :2])
                model = TensorSketchModel(json.loads(two.model_))
                np.testing.assert_allclose(model.predict(other), two.predict(frame), atol=1e-4)
                parts = own.like().partial_fit(frame[:100], y[:100])
                parts.merge(own.like().partial_fit(frame[100:], y[100:]))
                self.assertEqual(parts.model_, own.model_)

    @unittest.skipUnless(sklearn and os.environ.get("TENSORSKETCH_LONG"), "TENSORSKETCH_LONG=1 checks estimators")
    def test_estimators(self):
        """scikit-learn's own checks. Predict goes by scores, and the most probable class may be another one."""
        from sklearn.utils.estimator_checks import check_estimator

        expected = {"check_classifiers_train": "the most probable class may differ from predict (docs/SPEC.md, Heads)"}
        options = {"method": "tensor-sketch", "n_components": 64, "coef0": 1}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for estimator in (TensorSketch(n_components=32, coef0=1), SketchClassifier(**options),
                              SketchRegressor(**options)):
                may = expected if isinstance(estimator, SketchClassifier) else {}
                check_estimator(estimator, expected_failed_checks=may, on_skip=None)


class TestWithoutCore(unittest.TestCase):
    def test_numpy(self):
        """Without wasmtime NumPy computes what it can, and says what it cannot."""
        program = """if True:
            import sys
            sys.modules["wasmtime"] = None
            import numpy as np
            import tensorsketch
            from tensorsketch import SketchClassifier, TensorSketch
            assert not tensorsketch.available()
            Z = TensorSketch(n_components=4, seed=5).fit_transform([[1, -0.5]])
            assert np.allclose(Z, [[1, 1, 0.25, 0]], atol=1e-6), Z
            model = SketchClassifier.load(sys.argv[1])
            assert model.predict([[1, -0.5] + [0] * (model.n_features_in_ - 2)]).shape == (1,)
            for call in (lambda: SketchClassifier().fit([[1]], [1]), lambda: TensorSketch(method="craft").fit([[1]])):
                try:
                    call()
                except ImportError as e:
                    assert "pip install wasmtime" in str(e), e
                else:
                    raise AssertionError("there was no error")
        """
        paths = [path for path in sys.path if path] if os.environ.get("TENSORSKETCH_WHEEL") else [
            os.path.join(ROOT, "python")]
        done = subprocess.run([sys.executable, "-c", program,
                               os.path.join(ROOT, "sketch/model/testdata/learned/model-squared.json")],
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
