"""Tests numpymodel.py: python3 -m unittest discover -s python, from the root of the repository.

The vectors of sketch/testdata, the examples of docs/SPEC.md, cells of every kind, what scikit-learn asks of an
estimator where it is installed, and errors. TENSORSKETCH_CASES names a folder of cases, in which cmd/tensorsketch
leaves models, tables, features and predictions (its TestPython): then all of these are compared.

    python3 python/test_tensorsketch.py speed      prints rows per second
"""

import copy
import csv
import datetime
import glob
import io
import json
import math
import os
import pickle
import re
import sys
import tempfile
import time
import unittest
import warnings

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tensorsketch.numpymodel import METHODS, Preprocessing, TensorSketchModel, first_residues, murmur3, number_text, seed_key

try:
    import sklearn
except ImportError:
    sklearn = None
try:
    import pandas
except ImportError:
    pandas = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAP = {"format": "tensorsketch-model", "version": 1, "method": "tensor-sketch", "nFeatures": 2, "nComponents": 4,
       "degree": 2, "gamma": 1, "coef0": 0, "normalize": "none", "output": "real", "repeats": 1, "methodParams": {},
       "hash": "seed", "seed": "5"}
HEAD = {"task": "classify", "loss": "squared", "classes": [False, 3, "b"], "alpha": 0.5, "intercept": [-0.25, 0, 0.125],
        "weights": [1, 0, 0.5, 0, 0, 0.1, 0, -1, 0.0000015, 0, -1e-7, 2],
        "calibration": {"offset": [-1, -1.5, 0], "matrix": [2, -1, -1, -1, 2, -1, -1, -1, 2]}, "report": {}}
REGRESS = {"task": "regress", "loss": "squared", "alpha": 0.5, "intercept": [1], "weights": [1, 2, 3, 4], "report": {}}


def with_changes(model, **changes):
    return {**copy.deepcopy(model), **changes}


def relative_error(got, want):
    """The largest error of a row, relative to its norm."""
    norms = np.linalg.norm(want, axis=1)
    errors = np.linalg.norm(np.asarray(got, np.float64) - want, axis=1)
    return float(np.max(np.divide(errors, norms, out=errors.copy(), where=norms > 0), initial=0))


def table_model(columns, version=1, **more):
    """A map of degree 1 whose rows are the coordinates of these columns."""
    p = {"format": "tensorsketch-preprocessing", "version": version, "unitNorm": False, "columns": columns, **more}
    width = sum({"number": 1}.get(c["role"]) or len(c.get("values", ())) or c.get("width")
                or sum(1 if part == "days" else 2 for part in c.get("parts", ())) for c in columns
                if c["role"] not in ("label", "keep")) + more.get("sparseWidth", 0)
    return TensorSketchModel(with_changes(MAP, nFeatures=width, preprocessing=p))


def number_column(name="n", missing="drop", **more):
    return {"name": name, "role": "number", "missing": missing, "scaling": "none", **more}


KIND = {"name": "kind", "role": "category", "missing": "zero", "encoding": "one-hot", "values": ["a", "b"]}


class Maps(unittest.TestCase):
    def test_vectors(self):
        worst, count = 0, 0
        for method in METHODS:
            with open(os.path.join(ROOT, "sketch", "testdata", "vectors", method + ".json"), encoding="utf-8") as file:
                cases = json.load(file)
            for case in cases:
                with self.subTest(method=method, name=case["name"]):
                    model = TensorSketchModel(case["model"], bytes.fromhex(case["key"]) if "key" in case else None)
                    error = relative_error(model.transform(case["rows"]), np.array(case["features"]))
                    self.assertLess(error, 1e-5)
                    worst, count = max(worst, error), count + 1
        self.assertGreater(count, 20)
        print(f"\n{count} vectors, features within {worst:.1e} of a row's norm")

    def test_examples_of_the_specification(self):
        key = seed_key("5")
        self.assertEqual(key.hex(), "173edbf8c74dd3e8c3617db728eafae84fe57019701fe7a26901c4edf80606be")
        a = first_residues(key, 1, np.arange(1), np.arange(1), 3)
        self.assertEqual(a.ravel().tolist(), [363714576020764938, 1041542064211083416, 1914929858547067262])
        self.assertEqual(murmur3([b"", b"a", b"hello", "naïve".encode()], 0)[2], 613153351)

    def test_residues_skip_the_prime(self):
        words = np.full((8, 1), 2**61 - 1, np.uint64)
        words[[1, 4, 6, 7], 0] = 7, 8, 9, 10
        order = np.argsort(words == 2**61 - 1, axis=0, kind="stable")
        self.assertEqual(np.take_along_axis(words, order, axis=0)[:4, 0].tolist(), [7, 8, 9, 10])

    def test_other_methods_say_so(self):
        vectors = glob.glob(os.path.join(ROOT, "sketch", "testdata", "vectors", "*.json"))
        methods = [os.path.basename(name)[:-5] for name in vectors]
        self.assertLess(set(METHODS), set(methods))
        for method in set(methods) - set(METHODS):
            with self.assertRaisesRegex(NotImplementedError, f"{method}.*--method tensor-sketch"):
                TensorSketchModel(with_changes(MAP, method=method))

    def test_blocks(self):
        """Many rows, in blocks, have the features of each alone; so have lists, sparse matrices and float64."""
        model = TensorSketchModel(with_changes(MAP, nFeatures=30, nComponents=4096, coef0=0.5))
        X = np.random.RandomState(1).standard_normal((300, 30)).astype(np.float32)
        X[X < 0.5] = 0
        Z = model.transform(X)
        self.assertEqual((Z.shape, Z.dtype), ((300, 4096), np.float32))
        np.testing.assert_allclose(np.concatenate([model.transform([row]) for row in X[::37]]), Z[::37], atol=1e-6)
        np.testing.assert_array_equal(model.transform(X.astype(np.float64).tolist()), Z)
        self.assertEqual(model.transform(X[:0]).shape, (0, 4096))
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            return
        np.testing.assert_array_equal(model.transform(csr_matrix(X)), Z)

    def test_passphrase(self):
        salt = {"salt": bytes(range(16)).hex(), "iterations": 600_000}
        file = with_changes(MAP, hash="key", keySalt=salt)
        del file["seed"]
        key = bytes.fromhex("6d3a6b88067400ba09e0623aacafbf31fc8886d1709f603060463b522332562d")
        import hashlib

        file["keyCheck"] = hashlib.sha256(b"tensorsketch key check 1" + key).hexdigest()[:32]
        Z = TensorSketchModel(file, key).transform([[1, 2]])
        np.testing.assert_array_equal(TensorSketchModel(file, "correct horse – naïve").transform([[1, 2]]), Z)
        for wrong in ("another", None, bytes(32), b"short"):
            with self.assertRaisesRegex(ValueError, "key"):
                TensorSketchModel(file, wrong)
        del file["keySalt"]
        with self.assertRaisesRegex(ValueError, "no keySalt"):
            TensorSketchModel(file, "correct horse – naïve")


class Heads(unittest.TestCase):
    def test_example_of_the_specification(self):
        model = TensorSketchModel(with_changes(MAP, head=HEAD))
        row = [[1, -0.5]]
        np.testing.assert_allclose(model.transform(row), [[1, 1, 0.25, 0]], atol=1e-7)
        np.testing.assert_allclose(model.scores(row), [[0.875, 0.1, 0.125001475]], atol=1e-6)
        np.testing.assert_allclose(model.predict_proba(row), [[0.743044331, 0.044068961, 0.212886707]], atol=1e-6)
        self.assertEqual(model.predict(row).tolist(), [False])
        self.assertEqual(model.classes_.tolist(), [False, 3, "b"])
        self.assertEqual([type(v) for v in model.classes_], [bool, int, str])
        self.assertEqual(model.score(row, [False]), 1)

    def test_types_of_labels(self):
        for classes, kind in (([False, True], "b"), ([1, 2.0], "i"), ([0.5, 2], "f"), (["a", "b"], "U"),
                              (["1", "a\0"], "O")):
            head = with_changes(HEAD, classes=classes, intercept=[1, 1], weights=[0] * 8, calibration="softmax")
            model = TensorSketchModel(with_changes(MAP, head=head))
            self.assertEqual((model.classes_.dtype.kind, model.classes_.tolist()), (kind, classes))
            self.assertEqual(model.predict([[1, 2]]).tolist(), classes[:1])  # the first of equals
            self.assertEqual(model.decision_function([[1, 2]]).shape, (1,))
            self.assertEqual(model.predict_proba([[1, 2]]).tolist(), [[0.5, 0.5]])

    def test_regression(self):
        model = TensorSketchModel(with_changes(MAP, head=REGRESS))
        np.testing.assert_allclose(model.predict([[1, -0.5], [0, 0]]), [4.75, 1], atol=1e-6)
        self.assertAlmostEqual(model.score([[1, -0.5], [0, 0]], [4.75, 1]), 1, 5)
        two = with_changes(REGRESS, intercept=[1, 2], weights=[1, 2, 3, 4] * 2)
        self.assertEqual(TensorSketchModel(with_changes(MAP, head=two)).predict([[1, 2]]).shape, (1, 2))
        for name in ("predict_proba", "decision_function", "classes_"):
            self.assertFalse(hasattr(model, name))

    def test_score_takes_a_column(self):
        rows, labels = [[1, -0.5], [0, 0], [2, 1]], [False, 3, "b"]
        model = TensorSketchModel(with_changes(MAP, head=HEAD))
        right = model.predict(rows).tolist()
        numbers = TensorSketchModel(with_changes(MAP, head=REGRESS))
        targets = numbers.predict(rows) + [0.5, 0, -0.5]
        for m, y in ((model, np.array(right, dtype=object)), (model, np.array(labels, dtype=object)),
                     (numbers, targets)):
            self.assertEqual(m.score(rows, y[:, None]), m.score(rows, y))
            for wrong in (y[:-1], y[:1], np.column_stack([y, y])):
                with self.assertRaisesRegex(ValueError, r"y must have one .* for each of the 3 rows of X, got shape"):
                    m.score(rows, wrong)
        two = with_changes(REGRESS, intercept=[1, 2], weights=[1, 2, 3, 4] * 2)
        two = TensorSketchModel(with_changes(MAP, head=two))
        self.assertEqual(two.score(rows, two.predict(rows)), 1)

    def test_map_alone(self):
        model = TensorSketchModel(MAP)
        for name in ("predict", "scores", "score", "predict_proba", "decision_function", "classes_"):
            self.assertFalse(hasattr(model, name))
        with self.assertRaisesRegex(AttributeError, "no predict: its file has a map alone"):
            model.predict([[1, 2]])


class Tables(unittest.TestCase):
    def coordinates(self, column, cells, reading=None):
        more = {"version": 2, "reading": reading} if reading else {}
        return table_model([column], **more).prepare([[cell] for cell in cells])

    def test_every_form_of_table(self):
        model = table_model([number_column("a"), {"name": "y", "role": "label"},
                             {"name": "c", "role": "category", "missing": "zero", "encoding": "one-hot",
                              "values": ["u", "v"]}])
        self.assertEqual(model.feature_names_in_.tolist(), ["a", "c"])
        self.assertEqual(model.n_features_in_, 2)
        want = [[1, 0, 1], [2.5, 1, 0], [-3, 0, 0], [4, 0, 0]]
        rows = [["1", "v"], [2.5, " u "], ["-3", "w"], [4, None]]
        dicts = [{"c": c, "a": a, "b": "not looked at"} for a, c in rows]
        class Frame:  # has what of a data frame is asked for
            columns = ["c", "a"]
            __len__ = lambda self: len(rows)
            __getitem__ = lambda self, name: [row[name] for row in dicts]
        for X in (rows, list(map(tuple, rows)), dicts, (row for row in dicts), np.array(rows, dtype=object), Frame()):
            np.testing.assert_array_equal(model.prepare(X), want)
        if pandas:
            np.testing.assert_array_equal(model.prepare(pandas.DataFrame(dicts)), want)

    def test_what_cells_become_is_said(self):
        """In the words of dataset/notes.go: the shell, the page and JavaScript say the same."""
        model = table_model([number_column("a", missing="mean", fill=9), {"name": "y", "role": "label"},
                             {"name": "c", "role": "category", "missing": "zero", "encoding": "one-hot",
                              "values": ["u", "v"]}])
        rows = [{"a": None, "c": "w", "zz": 1}, {"a": 2, "c": "x"}, {"a": 3, "c": None, "zz": 0}]
        want = ('2 cells of column "zz" are not used: the model has no such column; '
                '1 cell of column "a" is missing and counts as the mean; '
                '1 cell of column "c" is missing and counts as none of the values; '
                '2 cells of column "c" have categories that were not met before, such as "w" and "x", and count as none')
        for X in [rows] + ([pandas.DataFrame(rows[:1])] if pandas else []):
            with self.assertWarns(UserWarning) as said:
                model.prepare(X)
            if X is rows:
                self.assertEqual(str(said.warning), want)
                self.assertEqual(said.filename, __file__)
            else:
                self.assertIn('1 cell of column "zz" is not used: the model has no such column; 1 cell', str(said.warning))
        columns = [number_column("kg", measure="kg"), number_column("%", measure="%"), number_column("$"),
                   number_column("at", measure="h:min"), number_column("b")]
        with self.assertWarns(UserWarning) as said:
            table_model(columns, version=4).prepare([["1 kg", "46%", "$1", "7:30", "5 %"], [2, "46", "2", "7", 1],
                                                     ["3", 4.6, "$3", 8, 2]])
        self.assertEqual(str(said.warning), "; ".join((
            '2 numbers of column "kg" have no "kg" beside them, and count as if they had',
            '2 numbers of column "%" have no "%" beside them, and count as they are: 46 is 4600%',
            '2 numbers of column "$" have "$" beside them, which others have not, and count like them',
            '2 numbers of column "at" have no colon in them, and count as hours',
            '1 number of column "b" has "%" beside it, which others have not, and counts as a hundredth')))
        preparation = {"form": "std", "columns": [
            {"mean": 1, "scale": 1, "low": 0, "high": 9, "fill": 1}, {"mean": 1, "scale": 1, "low": 0, "high": 9, "fill": 1,
                                                                      "missing": True, "codes": [1, 2]}]}
        columns = [number_column("a", missing="nan"), number_column("b", missing="nan")]
        p = {"format": "tensorsketch-preprocessing", "version": 3, "unitNorm": False, "columns": columns}
        for more, names in (({"preprocessing": p}, '"a" "b"'), ({}, '"0" "1"')):
            other = TensorSketchModel(with_changes(MAP, version=2, nFeatures=5, head=REGRESS, preparation=preparation, **more))
            with self.assertWarns(UserWarning) as said:
                other.predict(np.array([[10, 1], [math.nan, 3], [-1, math.nan], [math.nan, 10]]))
            first, second = names.split()
            missing = [f'1 cell of column {second} is missing, and the model fills it'] if more else []
            self.assertEqual(set(str(said.warning).split("; ")), {*missing,
                f'2 numbers of column {first} lie outside the range that the model was prepared for, and count as its ends',
                f'2 numbers of column {first} are missing and count as the mean, since no row that the model was prepared '
                'with lacked one',
                f'1 number of column {second} lies outside the range that the model was prepared for, and counts as its '
                'end',
                f'1 number of column {second} is no code that the model knows, and counts by its size alone'})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.prepare([{"a": 1, "c": "u", "y": "a label is no column too many"}])
            self.assertEqual(model.usable(rows).tolist(), [True] * 3)

    def test_numbers(self):
        reading = {"format": "csv", "decimal": ",", "thousands": "."}
        got = self.coordinates(number_column(), ["1.234,5", "12,5 %", "-€ 7", "\u22121", " 1e3 ", ",5", 2, 0.25, True,
                                                 np.float32(3)], reading)
        self.assertEqual(got[:, 0].tolist(), [1234.5, 0.125, -7, -1, 1000, 0.5, 2, 0.25, 1, 3])
        got = self.coordinates(number_column(), ["(1,5)", "($1.234,5)", "$(2)", "True", "FALSE"], reading)
        self.assertEqual(got[:, 0].tolist(), [-1.5, -1234.5, -2, 1, 0])
        fill = number_column(missing="mean", fill=9, scaling="standard", center=1, scale=2)
        got = self.coordinates(fill, ["", None, math.nan, "N/A", "?", "3"])
        self.assertEqual(got[:, 0].tolist(), [4, 4, 4, 4, 4, 1])
        words = ["#N/A", "\\N", "<NA>", "-", ".", "-nan", "#N/A N/A", "\u2014", "(null)", "#DIV/0!",
                 "Unknown", "not available"]
        self.assertEqual(self.coordinates(fill, words)[:, 0].tolist(), [4] * 12)
        got = self.coordinates(number_column(missing="zero", scaling="min-max", center=1, scale=2), [None, "5"])
        self.assertEqual(got[:, 0].tolist(), [-0.5, 2])
        for bad in ("1 2", "1_0", "inf", "0x1", "5 kg", "1.234.5", "e5", "1,2", "1e999", "+-1", "5%%", math.inf, 1j,
                    [1]):
            with self.assertRaisesRegex(ValueError, 'row 1, column "n"'):
                self.coordinates(number_column(), ["1", bad])

    def test_number_as_category(self):
        for x, text in ((5, "5"), (5.0, "5"), (0.1, "0.1"), (1234567.5, "1.2345675e+06"), (1e-5, "1e-05"),
                        (1e22, "1e+22"), (123456.5, "123456.5"), (0.0001, "0.0001"), (-0.0, "0")):
            self.assertEqual(number_text(x), text)
        column = {"name": "c", "role": "category", "missing": "drop", "encoding": "one-hot", "values": ["1", "5"]}
        self.assertEqual(self.coordinates(column, [5, "5", 5.0, 1, True])[:, 1].tolist(), [1, 1, 1, 0, 0])
        cells = ["1.0", "+5", "05", "1e0", "x", "5"]
        self.assertEqual(self.coordinates(column, cells)[:, 0].tolist(), [1, 0, 0, 1, 0, 0])
        self.assertEqual(self.coordinates(column, cells)[:, 1].tolist(), [0, 1, 0, 0, 0, 1])
        column["values"] = ["007", "7"]  # codes have one spelling
        self.assertEqual(self.coordinates(column, ["7.0", "7", "007", "07"]).tolist(), [[0, 0], [0, 1], [1, 0], [0, 0]])

    def test_dates(self):
        column = {"name": "d", "role": "date", "missing": "drop", "scaling": "none", "parts": ["days"]}
        reading = {"format": "csv", "dates": "day-month-year"}
        noon = 365.5  # days since 1970
        utc = datetime.timezone.utc
        got = self.coordinates(column, [
            "1971-01-01T12:00", "1971-01-01 13:00:00+01:00", "1.1.1971 12:00", "01/01/1971 12:00 pm", "1-1-1971T12:00Z",
            datetime.datetime(1971, 1, 1, 12), datetime.datetime(1971, 1, 1, 12, tzinfo=utc),
        ], reading)
        self.assertEqual(got[:, 0].tolist(), [noon] * 7)
        got = self.coordinates(column, [
            "1971/1/1 12:00", "Jan 1, 1971 12:00 PM", "1-JAN-1971 12:00:00 UTC", "Fri, 01 Jan 1971 13:00 +01",
            "1971.01.01, 12:00",
        ])
        self.assertEqual(got[:, 0].tolist(), [noon] * 5)
        days = table_model([column]).prepare(np.array([["1971-01-01T12"]], dtype="datetime64[ns]"))
        self.assertEqual(days.tolist(), [[noon]])
        self.assertEqual(self.coordinates(column, [datetime.date(1971, 1, 1)]).tolist(), [[365]])
        parts = {**column, "parts": ["year", "week", "day"]}
        got = self.coordinates(parts, ["1970-01-05T06:00"])[0]  # a Monday
        turns = [4.25 / 365, 0.25 / 7, 0.25]
        np.testing.assert_allclose(got, [f(2 * np.pi * t) for t in turns for f in (np.sin, np.cos)], atol=1e-7)
        for bad in ("2026-02-30", "20.11.2026", "0000-01-01", "2026-11-20T24:00", "2026-11-20T1:00", "2026-11-20Z", 5,
                    "NA", "Jan 1 71", "Janu 1 1971", "1971/1-1"):
            with self.assertRaisesRegex(ValueError, 'row 0, column "d"'):
                self.coordinates(column, [bad])

    def test_words(self):
        column = {"name": "w", "role": "words", "words": [1, 2], "chars": [0, 0], "width": 1000}
        got = self.coordinates(column, ["One two ONE a two", "", None])
        want = np.zeros((3, 1000))
        for token, times in (("one", 2), ("two", 2), ("one two", 2), ("two one", 1)):
            h = int(murmur3([token.encode()], 0)[0])
            want[0, abs(h) % 1000] += times if h >= 0 else -times
        np.testing.assert_array_equal(got, want)
        if sklearn:
            from sklearn.feature_extraction.text import HashingVectorizer

            texts = ["The quick  brown_fox, the quick 42", "ÜBER Straße x y2", "un-deux-trois quatre ½ x² Ⅷ a1"]
            peer = HashingVectorizer(norm=None, n_features=1000, ngram_range=(1, 2)).transform(texts).toarray()
            np.testing.assert_array_equal(self.coordinates(column, texts), peer)

    def test_unit_norm(self):
        model = table_model([number_column("a"), number_column("b")], unitNorm=True)
        np.testing.assert_allclose(model.prepare([[3, 4], [0, 0]]), [[0.6, 0.8], [0, 0]], atol=1e-7)

    def test_usable(self):
        X = [["1"], ["x"], [None], ["2"], [1e300]]
        model = table_model([number_column()])
        self.assertEqual(model.usable(X).tolist(), [True, False, False, True, False])
        usable = TensorSketchModel(MAP).usable([[1, 2], [math.nan, 1], [1, 1e39]])
        self.assertEqual(usable.tolist(), [True, False, False])
        model = table_model([number_column()], unitNorm=True)
        self.assertEqual(model.usable(X).tolist(), [True, False, False, True, False])
        with self.assertRaisesRegex(ValueError, r'row 2, column "n": the cell is missing.*usable\(X\)'):
            model.transform([["1"], ["2"], [""]])

    def test_sparse_features(self):
        model = table_model([{"name": "label", "role": "label"}], sparseWidth=3)
        self.assertEqual(model.prepare([[1, 0, 2]]).tolist(), [[1, 0, 2]])
        with self.assertRaisesRegex(NotImplementedError, "sparse features"):
            table_model([number_column()], sparseWidth=3)

    def test_bad_tables(self):
        model = table_model([number_column("a"), number_column("b")])
        for X, message in (
            ([{"a": 1}], 'lacks the column "b"'), ([[1]], "row 0 of X"), ([[1, 2], [1, 2, 3]], "row 1 of X"),
            ("1,2", "table of cells"), (5, "table of cells"), ([1, 2], "row 0 of X"), (["ab"], "row 0 of X"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                model.transform(X)


class Errors(unittest.TestCase):
    def test_rows(self):
        model = TensorSketchModel(MAP)
        for X, message in (
            ([[1, 2], [3, math.nan]], "row 1, column 1"), ([[math.inf, 0]], "row 0, column 0"),
            ([[1e39, 0]], "row 0, column 0"),
            ([[1, 2, 3]], r"shape \(n, 2\), got \(1, 3\)"), ([1, 2], r"a single row is \[row\]"),
            ([["a", "b"]], "numbers"),
            ([[1j, 2]], "numbers"), ([[1, 2]] * 7 + [[3e38, 3e38]], "row 7: .*beyond float32"),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                model.transform(X)

    def test_models(self):
        for change, message in (
            ({"version": 3}, "version must be 1 or 2, got 3"), ({"version": True}, "version"),
            ({"format": "x"}, "not a model"),
            ({"more": 1}, '"more" is not a key'), ({"randomState": 1}, '"randomState"'),
            ({"nFeatures": 0}, "nFeatures"),
            ({"nFeatures": 2.5}, "nFeatures"), ({"nComponents": True}, "nComponents"), ({"degree": 65}, "degree"),
            ({"gamma": 0}, "gamma"), ({"coef0": -1}, "coef0"), ({"normalize": None}, "normalize"),
            ({"repeats": 0}, "repeats"),
            ({"repeats": 2**16, "nComponents": 2**16}, "repeats"), ({"methodParams": {"h01": True}}, "methodParams"),
            ({"method": "count-sketch"}, "degree of count-sketch"), ({"nFeatures": [2]}, "nFeatures"),
            ({"seed": "05"}, "seed"),
            ({"method": "complex-tensor-sketch", "nComponents": 5}, "even"), ({"seed": str(2**64)}, "seed"),
            ({"seed": {"bytes": "00"}}, "seed"), ({"hash": "none"}, "hash"),
            ({"preprocessing": {}}, 'preprocessing: ".*" is missing'),
        ):
            with self.subTest(change), self.assertRaisesRegex(ValueError, message):
                TensorSketchModel(with_changes(MAP, **change))
        for name in MAP:
            with self.subTest(name), self.assertRaisesRegex((ValueError, NotImplementedError), name):
                TensorSketchModel({k: v for k, v in MAP.items() if k != name})

    def test_clip(self):
        plain, clipped = (TensorSketchModel(with_changes(MAP, head=with_changes(HEAD, calibration=c)))._head
                          for c in ("softmax", {"clip": 0.5}))
        scores = np.array([[1.0, 2.0, 30.0]])
        np.testing.assert_allclose(clipped.probabilities(scores), (plain.probabilities(scores) + 0.5 / 3) / 1.5)

    def test_heads(self):
        for change, message in (
            ({"intercept": [1, 2]}, "intercept must have 3"), ({"weights": [1]}, "weights must have 12"),
            ({"weights": [math.nan] * 12}, "weights"), ({"classes": ["b", "a", "c"]}, "classes"),
            ({"classes": ["b"]}, "classes"),
            ({"task": "rank"}, "task|classes"), ({"loss": "hinge"}, "loss"), ({"calibration": "x"}, "calibration"),
            ({"calibration": {"offset": [1, 2, 3], "matrix": [1]}}, "matrix"), ({"more": 1}, '"more"'),
            ({"calibration": {"clip": 0}}, "clip"), ({"calibration": {"clip": 2}}, "clip"),
            ({"calibration": {"clip": 0.5, "matrix": []}}, "matrix"),
            ({"alpha": -1}, "alpha"),
        ):
            with self.subTest(change), self.assertRaisesRegex(ValueError, message):
                TensorSketchModel(with_changes(MAP, head=with_changes(HEAD, **change)))

    def test_preprocessings(self):
        for column, message in (
            ({"role": "number"}, '"name"|missing'), ({"name": "a", "role": "x", "width": 3}, "role"),
            (number_column(missing="x"), "missing"),
            (number_column(fill=1), '"fill" is not'), (number_column(scaling="standard"), '"center"|"scale"'),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                table_model([column])
        with self.assertRaisesRegex(ValueError, "version must be 1 to 5, got 6"):
            table_model([number_column()], version=6)
        for measure in ("", 1, None):
            with self.assertRaisesRegex(ValueError, "measure must be a unit, got"):
                table_model([number_column(measure=measure)], version=4)
        for column in ({"other": False}, {"empty": 1}, {"unit": True}):
            with self.subTest(column), self.assertRaisesRegex(ValueError, "true or absent|not a key"):
                table_model([{**KIND, **column}], version=3)
        file = with_changes(table_model([number_column()]).model, nFeatures=7)
        with self.assertRaisesRegex(ValueError, "nFeatures must be 1"):
            TensorSketchModel(file)

    def test_columns_for_learning(self):
        rows = Preprocessing({"format": "tensorsketch-preprocessing", "version": 3, "unitNorm": False, "columns": [
            number_column(missing="nan"), {**KIND, "other": True, "empty": True},
            {"name": "when", "role": "date", "missing": "nan", "scaling": "none", "parts": ["year", "days"]},
            {"name": "text", "role": "words", "words": [1, 1], "chars": [0, 0], "width": 2, "unit": True}]})
        (block,) = rows.blocks([[1.5, "b", "1970-01-01", "one two two"], [None, "new", None, ""], ["", None, "", "a b"]], 10)
        got, nan = block.dense(), np.nan
        want = [[1.5, 0, 1, 0, 0, 0, 1, 0], [nan, 0, 0, 1, 0, 0, 0, nan], [nan, 0, 0, 0, 1, 0, 0, nan]]
        np.testing.assert_array_equal(got[:, :8], want)
        self.assertEqual(block.problems, {})
        np.testing.assert_allclose(np.linalg.norm(got[:, 8:], axis=1), [1, 0, 0], atol=1e-6)
        (block,) = rows.blocks([[1.5, "b", "1970-01-01", "x"]], 10)  # no word at all
        np.testing.assert_array_equal(block.dense()[:, 8:], [[0, 0]])

    def test_new_categories(self):
        """A category of learned values without other: what is none of them is their average, or the commonest."""
        for more, want in (({"average": True}, [[1, 0], [.5, .5], [.5, .5]]), ({"common": "b"}, [[1, 0], [0, 1], [0, 1]]),
                           ({"average": True, "empty": True}, [[1, 0, 0], [.5, .5, 0], [0, 0, 1]])):
            rows = Preprocessing({"format": "tensorsketch-preprocessing", "version": 5, "unitNorm": False,
                                  "columns": [{**KIND, **more}]})
            (block,) = rows.blocks([["a"], ["new"], [""]], 10)
            np.testing.assert_array_equal(block.dense(), want)
        with self.assertRaisesRegex(ValueError, "average is for a category with values and without other"):
            table_model([{**KIND, "average": True, "other": True}], version=5)
        for more in ({"common": "c"}, {"common": "a", "average": True}, {"common": 1}):
            with self.assertRaisesRegex(ValueError, "common must be one of the values of a category without other and average"):
                table_model([{**KIND, **more}], version=5)

    def test_files(self):
        for text in ("", "[]", "{", '{"format":NaN}', "\ufeff" + json.dumps(MAP), json.dumps(MAP) + "x", "null",
                     '{"a":' * 100_000):
            with self.subTest(text[:40]), self.assertRaises(ValueError):
                TensorSketchModel.load(io.StringIO(text))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(MAP, file)
            with open(path, "rb") as file:
                self.assertEqual(TensorSketchModel.load(file).model, TensorSketchModel.load(path).model)


class Estimator(unittest.TestCase):
    """What scikit-learn asks for; without it, the calls themselves."""

    def test_parameters(self):
        model = TensorSketchModel(with_changes(MAP, head=HEAD))
        self.assertEqual(set(model.get_params()), {"model", "key"})
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.predict([[1, 2], [2, 1]]), model.predict([[1, 2], [2, 1]]))
        self.assertIs(model.fit([[1, 2]], [0]), model)
        model.set_params(model=MAP)
        self.assertFalse(hasattr(model, "predict") or hasattr(model, "classes_"))
        with self.assertRaisesRegex(ValueError, "no parameter 'alpha'"):
            model.set_params(alpha=1)
        self.assertEqual(model.get_feature_names_out().tolist(), ["f0", "f1", "f2", "f3"])
        with self.assertRaisesRegex(ValueError, "not keyed"):
            TensorSketchModel(MAP, bytes(32))

    @unittest.skipUnless(sklearn, "wants scikit-learn: Debian's python3-sklearn")
    def test_scikit_learn(self):
        from sklearn.base import clone, is_classifier, is_regressor
        from sklearn.kernel_approximation import PolynomialCountSketch
        from sklearn.linear_model import RidgeClassifier
        from sklearn.metrics import accuracy_score
        from sklearn.model_selection import cross_val_score
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler
        from sklearn.utils.validation import check_is_fitted

        draws = np.random.RandomState(0)
        X = draws.standard_normal((200, 2))
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        step = TensorSketchModel(with_changes(MAP, nComponents=64, coef0=1))
        pipeline = make_pipeline(StandardScaler(), step, RidgeClassifier()).fit(X, y)
        self.assertGreater(pipeline.score(X, y), 0.9)
        self.assertGreater(cross_val_score(pipeline, X, y).mean(), 0.9)
        np.testing.assert_array_equal(clone(pipeline).fit(X, y).predict(X), pipeline.predict(X))
        self.assertEqual(pipeline[:-1].get_feature_names_out().tolist(), [f"f{j}" for j in range(64)])
        self.assertIn("TensorSketchModel", repr(pipeline) + pipeline._repr_html_())
        head = with_changes(HEAD, classes=[0, 1], intercept=[1, 1], weights=list(range(8)), calibration="softmax")
        classifier = TensorSketchModel(with_changes(MAP, head=head))
        regressor = TensorSketchModel(with_changes(MAP, head=REGRESS))
        check_is_fitted(classifier)
        self.assertTrue(is_classifier(classifier) and is_regressor(regressor) and not is_classifier(step))
        last = make_pipeline(StandardScaler(), classifier).fit(X, y)
        self.assertEqual(last.score(X, y), accuracy_score(y, last.predict(X)))
        self.assertEqual((last.predict_proba(X).shape, last.decision_function(X).shape), ((200, 2), (200,)))
        self.assertEqual(last.classes_.tolist(), [0, 1])
        self.assertFalse(hasattr(make_pipeline(StandardScaler(), regressor), "predict_proba"))
        peer = PolynomialCountSketch(n_components=16, degree=3, coef0=1, gamma=0.5, random_state=7).fit(X)
        file = with_changes(MAP, nComponents=16, degree=3, coef0=1, gamma=0.5, hash="random-state", randomState=7)
        del file["seed"]
        self.assertLess(relative_error(TensorSketchModel(file).transform(X), peer.transform(X)), 1e-5)


class Preparations(unittest.TestCase):
    """The files of sketch/model/testdata/learned that have a preparation: the same rows to the bit, the same scores."""

    def rows(self, form, n=20, d=8):
        """As preparedRows of sketch/model/vectors_test.go."""
        X = np.array([[((row * row * 7919 + row * 31 * (i + 1) + i * i * 17) % 201 - 100) / 128 for i in range(d)]
                      for row in range(n)], np.float32)
        if form != "raw":
            X[::9, 2], X[:, 4], X[:, 7] = np.nan, 1, np.arange(n) % 2
        X[1, 1] = 1e8
        return X

    def test_files(self):
        for form in ("std", "mm", "qn", "raw", "codes"):
            path = os.path.join(ROOT, "sketch", "model", "testdata", "learned", f"prepared-{form}")
            with open(path + "-scores.json", encoding="utf-8") as file:
                want = json.load(file)
            X = self.rows(form)
            for name, which in (("", "model"), ("-linear", "linear")):
                with self.subTest(form=form, which=which):
                    model = TensorSketchModel.load(path + name + ".json")
                    scores = np.reshape(want[which], (len(X), -1))
                    np.testing.assert_allclose(model.scores(X), scores, rtol=0, atol=1e-5 * np.abs(scores).max())
                    if which == "model":
                        rows = np.reshape(np.array(want["prepared"], np.float32), (len(X), -1))
                        self.assertEqual(model.prepare(X).tobytes(), (rows + 0).tobytes())

    def test_errors(self):
        path = os.path.join(ROOT, "sketch", "model", "testdata", "learned", "prepared-qn.json")
        with open(path, encoding="utf-8") as file:
            good = json.load(file)

        def changed(change):
            model = copy.deepcopy(good)
            change(model, model["preparation"], model["preparation"]["columns"][0])
            return model

        for message, change in (
            ("version 2 is for", lambda m, p, c: m.update(version=1)),
            ("head", lambda m, p, c: m.pop("head")),
            ("form must be one of", lambda m, p, c: p.update(form="rank")),
            ("unit must be true", lambda m, p, c: p.update(unit=False)),
            ("weights must have", lambda m, p, c: p.update(weights=[1])),
            ("columns.0.: scale must be above 0", lambda m, p, c: c.update(scale=0)),
            ("columns.0.: knots must be", lambda m, p, c: c.update(knots=c["knots"][::-1])),
            ("values must have", lambda m, p, c: c.update(values=[1])),
            ("codes must be ascending", lambda m, p, c: c.update(codes=[2, 1])),
            ("codes must have", lambda m, p, c: c.update(codes=5)),
            ("is not a key here", lambda m, p, c: c.update(median=1)),
            ("nFeatures must be", lambda m, p, c: p.pop("weights") and p["columns"].append({"indicator": True})),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                TensorSketchModel(changed(change))
        model = TensorSketchModel(good)
        for X in (np.full((1, 8), np.inf), np.full((1, 8), np.nan)):  # the last column is an indicator
            with self.assertRaisesRegex(ValueError, "not a finite float32"):
                model.prepare(X)


class CommandLine(unittest.TestCase):
    """The features and predictions of the command line, row by row."""

    @unittest.skipUnless(os.environ.get("TENSORSKETCH_CASES"), "go test ./cmd/tensorsketch -run TestPython runs it")
    def test_rows(self):
        folder = os.environ["TENSORSKETCH_CASES"]
        names = sorted(name[:-11] for name in os.listdir(folder) if name.endswith(".model.json"))
        self.assertTrue(names)
        for name in names:
            with self.subTest(name):
                self.compare(name, os.path.join(folder, name))

    def compare(self, name, path):
        model = TensorSketchModel.load(path + ".model.json")
        reading = model.model["preprocessing"]["reading"]
        with open(path + ".csv", encoding="utf-8", newline="") as file:
            X = list(csv.DictReader(file, delimiter=reading["delimiter"]))
        with open(path + ".jsonl", encoding="utf-8") as file:
            predictions = [json.loads(line) for line in file]
        usable = model.usable(X)
        self.assertEqual([p["row"] - 2 for p in predictions], list(range(len(X))))
        self.assertEqual(usable.tolist(), [p["why"] == "" for p in predictions])
        predictions = [p for p in predictions if p["why"] == ""]
        X = [row for row, keep in zip(X, usable) if keep]
        Z = np.load(path + ".npy")
        error = relative_error(model.transform(X), Z)
        # docs/SPEC.md: float32 phases change features in proportion to the largest frequencies, which the Laplacian has
        limit = 1e-4 if model.model["methodParams"].get("kernel") == "laplacian" else 1e-5
        self.assertLess(error, limit)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            wanted, got = [p["prediction"] for p in predictions], model.predict(X)
        if os.path.exists(path + ".notes"):
            with open(path + ".notes", encoding="utf-8") as file:
                notes = re.findall("note: (.*?)(?:;.*)?\n", file.read())
            self.assertGreater(len(notes), 6)
            self.assertEqual(set(str(said[0].message).split("; ")), set(notes))
        if hasattr(model, "classes_"):
            equal = sum(str(a) == str(b) for a, b in zip(got.tolist(), wanted))
            self.assertEqual(equal, len(X))
            text = f"{equal} of {len(X)} labels equal"
            if hasattr(model, "predict_proba"):
                want = [[p[f"probability {c}"] for c in model.classes_] for p in predictions]
                off = np.max(abs(model.predict_proba(X) - want))
                self.assertLess(off, 1e-4)
                text += f", probabilities within {off:.1e}"
        else:
            off = np.max(abs(got - np.array(wanted, float))) / np.std(np.array(wanted, float))
            self.assertLess(off, limit)
            text = f"{len(X)} predictions within {off:.1e} of their deviation"
        print(f"\n{name}: {len(usable) - len(X)} rows left out, features within {error:.1e}, {text}")


def speed():
    for d, p, D in ((780, 4, 4096), (123, 2, 1024), (780, 2, 1000)):
        model = TensorSketchModel(with_changes(MAP, nFeatures=d, degree=p, nComponents=D))
        X = np.random.RandomState(0).random_sample((2000, d)).astype(np.float32)
        X[np.random.RandomState(1).random_sample(X.shape) > 0.2] = 0
        times = []
        for _ in range(5):
            start = time.perf_counter()
            model.transform(X)
            times.append(time.perf_counter() - start)
        print(f"d {d}, p {p}, D {D}, 20 % dense: {len(X) / sorted(times)[2]:,.0f} rows/s")


if __name__ == "__main__":
    speed() if sys.argv[1:] == ["speed"] else unittest.main()
