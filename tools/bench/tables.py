"""The tables of the breadth bench, and what scikit-learn makes of them.

    python3 tables.py sets  DATA FOLDER              write FOLDER/NAME.SEED.{train,test}.csv, and print the sets as JSON
    python3 tables.py peers DATA FOLDER [NAME ...]   fit the peers, and print what they reach as JSON, set by set

DATA is ../shared/data. A set has at most 8,000 rows; its last column, "label", is what to predict. A split has 75 % of
the rows to learn from, by its seed, from 1. SPLITS in the environment is their number, LARGE that of sets of more than
2,000 rows; a set of few rows has more, so that at least 200 rows are predicted in all. Where the few rows are made
here, each split has rows of its own: splits of the same few rows share the luck of these, which their spread does not
show.
What the peers reach is kept in FOLDER/peers/, under a hash of the set and of the code that fits, so that a second run
fits only what has changed.

The peers are scikit-learn's LogisticRegression or RidgeCV, SVC or SVR, HistGradientBoosting and RandomForest, with
their defaults, on easy preparation: numbers cut at the quantiles 0.5 % and 99.5 % and standardised, a missing one the
mean with a 0/1 column beside it; the 50 commonest values of a category as 0/1 columns, and one for the rest.
"""

import csv
import gzip
import hashlib
import inspect
import io
import json
import os
import sys
import time
import warnings

import numpy as np
from sklearn import datasets
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.svm import SVC, SVR

ROWS, BINS = 8000, 15
LARGE, PREDICTED = 2000, 200  # rows of a large set; rows to predict in all splits of a set
FEW_PREDICTED = {"few-20": 4000, "few-60": 1000, "few-embeddings": 1000}  # where each split has rows of its own


# The sets: (name, columns, labels, whether they are numbers). A column is a list of texts.


def cells(X):
    """The columns of an array of numbers, as texts with the fewest digits."""
    X = np.asarray(X)
    if X.dtype.kind == "f" and np.all(X == np.floor(X)) and np.all(np.abs(X) < 2**53):
        X = X.astype(np.int64)
    return [[str(v) for v in column.tolist()] for column in X.T]


def thinned(random, *arrays, rows=ROWS):
    """At most so many rows, drawn without replacement, in their order."""
    n = len(arrays[0])
    kept = np.sort(random.permutation(n)[:rows])
    return [a[kept] for a in arrays]


def is_number(text):
    try:
        return np.isfinite(float(text))
    except ValueError:
        return False


def tables(folder):
    """The files of DATA/tables; their last column is the label."""
    for file in sorted(os.listdir(folder)):
        with gzip.open(os.path.join(folder, file), "rt", encoding="utf-8") as f:
            rows = [row for row in csv.reader(f)][1:]
        table = np.array([row for row in rows if row[-1] != ""], dtype=object)
        (table,) = thinned(np.random.RandomState(0), table)
        y = table[:, -1]
        numbers = all(map(is_number, y)) and len(set(y)) > 20
        yield file.split(".")[0], [list(c) for c in table[:, :-1].T], y, numbers


def images(data, name):
    with gzip.open(os.path.join(data, f"mnist-{name}-images-idx3-ubyte.gz")) as f:
        X = np.frombuffer(f.read(), np.uint8, offset=16).reshape(-1, 784)
    with gzip.open(os.path.join(data, f"mnist-{name}-labels-idx1-ubyte.gz")) as f:
        return X, np.frombuffer(f.read(), np.uint8, offset=8)


def libsvm(data, name, width):
    with gzip.open(os.path.join(data, name)) as f:
        X, y = datasets.load_svmlight_file(f, n_features=width)
    return X.toarray(), y


def files(data):
    """The other files of DATA, thinned."""
    def plain(name, header):
        opened = gzip.open if name.endswith(".gz") else open
        with opened(os.path.join(data, name), "rt") as f:
            return np.loadtxt(f, delimiter=",", skiprows=header)

    random = np.random.RandomState(5)
    digits = plain("digits.csv", 1)
    yield "digits", cells(digits[:, :-1]), digits[:, -1].astype(int), False
    with gzip.open(os.path.join(data, "usps-zip.train.gz"), "rt") as f:
        usps = np.loadtxt(f)
    X, y = thinned(random, usps[:, 1:], usps[:, 0].astype(int), rows=6000)
    yield "usps", cells(X), y, False
    X, y = thinned(random, *images(data, "t10k"), rows=6000)
    yield "mnist", cells(X), y, False
    X, y = thinned(random, *libsvm(data, "a9a.libsvm.gz", 123))
    yield "a9a", cells(X), y.astype(int), False
    (covtype,) = thinned(random, plain("covtype20k.csv.gz", 0))
    yield "covtype", cells(covtype[:, :-1]), covtype[:, -1].astype(int), False
    X, y = libsvm(data, "basehock.libsvm.gz", 4862)
    yield "basehock", cells(X), y.astype(int), False
    cpu = plain("cpu_act.csv", 1)
    yield "cpu_act", cells(cpu[:, :-1]), cpu[:, -1], True


def bundled():
    """The sets that scikit-learn brings, and its generators."""
    for name in ("iris", "wine", "breast_cancer"):
        d = getattr(datasets, "load_" + name)()
        yield name, cells(d.data), d.target, False
    d = datasets.load_diabetes()
    yield "diabetes", cells(d.data), d.target, True
    X, y = datasets.make_moons(1000, noise=0.2, random_state=1)
    yield "moons", cells(X), y, False
    X, y = datasets.make_circles(1000, noise=0.1, factor=0.5, random_state=1)
    yield "circles", cells(X), y, False
    for k in (1, 2, 3):
        X, y = getattr(datasets, f"make_friedman{k}")(2000, noise=0.1, random_state=1)
        yield f"friedman{k}", cells(X), y, True
    X, y = datasets.make_hastie_10_2(4000, random_state=1)
    yield "hastie", cells(X), y.astype(int), False
    X, y = datasets.make_gaussian_quantiles(n_samples=3000, n_classes=4, n_features=5, random_state=1)
    yield "shells", cells(X), y, False
    X, y = datasets.make_swiss_roll(2000, noise=0.1, random_state=1)
    yield "swiss-roll", cells(X), y, True
    X, y = datasets.make_s_curve(1500, noise=0.1, random_state=1)
    yield "s-curve", cells(X), y, True
    X, y = datasets.make_blobs(1000, centers=6, n_features=4, cluster_std=3, random_state=1)
    yield "blobs", cells(X), y, False
    X, y = datasets.make_sparse_uncorrelated(1500, 30, random_state=1)
    yield "uncorrelated", cells(X), y, True
    X, y = datasets.make_regression(1000, 60, n_informative=8, noise=20, random_state=1)
    yield "plane", cells(X), y, True
    X, y = datasets.make_low_rank_matrix(800, 80, effective_rank=8, random_state=1), None
    yield "low-rank", cells(X * 20), np.sin(20 * X[:, 0]) + X[:, 1] * X[:, 2] * 400, True
    X, y = datasets.make_classification(3000, 30, n_informative=5, weights=[0.99], flip_y=0, random_state=1)
    yield "one-in-100", cells(X), y, False
    X, y = datasets.make_classification(2000, 100, n_informative=6, n_redundant=0, n_clusters_per_class=3, random_state=2)
    yield "noise-columns", cells(X), y, False


def made():
    """Sets on which learners go wrong: few rows, coins, outliers, heavy tails, many classes, fast waves."""
    random = np.random.RandomState(11)
    normal, uniform = random.normal, random.rand
    for n in (100, 300, 1000):
        yield f"coin-{n}", cells(normal(size=(n, 3))), np.where(uniform(n) < 0.5, "a", "b"), False
    normal(size=(60, 50)), normal(size=(20, 10)), normal(size=20)  # few-60 and few-20 once came from these
    X = normal(size=(2000, 4))
    y = np.where(X[:, 0] * X[:, 1] > 0, "a", "b")
    X[7, 2] = 100
    yield "outlier", cells(X), y, False
    centres = normal(size=(10, 384))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    yield "embeddings", *embeddings(random, centres, 1200), False
    embeddings(random, centres, 56)  # few-embeddings once came from these
    X = random.standard_t(1.2, size=(2000, 6))
    y = np.sign(X[:, 0]) * np.log1p(abs(X[:, 0])) + np.sin(np.arctan(X[:, 1]) * 2) + 0.2 * normal(size=2000)
    yield "heavy-tails", cells(X), y, True
    X = np.exp(2 * normal(size=(2000, 6)))
    yield "lognormal", cells(X), np.where(np.log(X[:, 0]) * np.log(X[:, 1]) + np.log(X[:, 2]) > 0, "a", "b"), False
    centres, y = normal(size=(100, 8)) * 1.5, random.randint(0, 100, 4000)
    yield "classes-100", cells(centres[y] + 0.5 * normal(size=(4000, 8))), y, False
    X = normal(size=(3000, 5))
    ring = X[:, 0] ** 2 + X[:, 1] ** 2 + 0.3 * normal(size=3000) > 9
    yield "rare-ring", cells(X), np.where(ring, "rare", "no"), False
    values = np.array(["u", "v", "w"])[random.randint(0, 3, (1500, 3))]
    p = 0.1 + 0.3 * ((values[:, 0] == "u") & (values[:, 1] == "v")) + 0.25 * (values[:, 2] == "w")
    yield "few-distinct", [list(c) for c in values.T], np.where(uniform(1500) < p, "yes", "no"), False
    X = uniform(1500, 1)
    yield "steps", cells(X), np.floor(X[:, 0] * 6) % 2 + 0.1 * normal(size=1500), True
    X = uniform(1200, 2)
    yield "waves", cells(X), np.sin(12 * X[:, 0]) * np.cos(9 * X[:, 1]) + 0.1 * normal(size=1200), True
    X = np.abs(np.cumsum(normal(size=(300, 200)), 1))
    y = random.randint(0, 2, 300)
    X[:, 60:80] *= 1 + 0.35 * y[:, None]
    yield "spectra", cells(X), y, False
    kinds = np.array(["low", "mid", "high", ""])[random.randint(0, 4, (2500, 2))]
    X = normal(size=(2500, 3))
    y = np.where(kinds[:, 0] == "low", X[:, 0], np.where(kinds[:, 0] == "high", -X[:, 0], X[:, 1])) + (kinds[:, 1] == "")
    lost = uniform(2500, 3) < 0.1
    numbers = [["" if lost[i, j] else cell for i, cell in enumerate(column)] for j, column in enumerate(cells(X))]
    yield "mixed", [list(c) for c in kinds.T] + numbers, y + 0.1 * normal(size=2500), True


def embeddings(random, centres, n):
    y = random.randint(0, len(centres), n)
    X = centres[y] * 0.6 + random.normal(size=(n, centres.shape[1])) * 0.05
    return cells(X / np.linalg.norm(X, axis=1, keepdims=True)), y


def few(seed):
    """Sets of few rows, drawn with a seed."""
    random = np.random.RandomState(1000 + seed)
    X = random.normal(size=(60, 50))
    yield "few-60", cells(X), np.where(X[:, 0] > 0, "a", "b"), False
    X = random.normal(size=(20, 10))
    yield "few-20", cells(X), np.where(X[:, 0] + 0.5 * random.normal(size=20) > 0, "a", "b"), False
    centres = random.normal(size=(10, 384))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    yield "few-embeddings", *embeddings(random, centres, 56), False


def sets(data, names):
    """Yields the name of a set, whether its labels are numbers, the seeds of its splits, and columns and labels by seed."""
    for source in (tables(os.path.join(data, "tables")), files(data), bundled(), made()):
        for name, columns, y, numbers in source:
            if not names or name in names:
                yield name, numbers, seeds_of(len(y)), lambda seed, rows=(columns, texts(y)): rows
    for name, _, y, numbers in few(0):
        if not names or name in names:
            seeds = range(1, FEW_PREDICTED[name] // (len(y) - 3 * len(y) // 4) + 1)
            yield name, numbers, seeds, lambda seed, name=name: next(
                (columns, texts(y)) for its, columns, y, _ in few(seed) if its == name)


def texts(y):
    return np.array([str(v) for v in np.asarray(y).tolist()], dtype=object)


def split(n, seed):
    order = np.random.RandomState(seed).permutation(n)
    return np.sort(order[: 3 * n // 4]), np.sort(order[3 * n // 4 :])


def seeds_of(n):
    """The seeds of the splits of n rows."""
    splits = int(os.environ.get("LARGE" if n > LARGE else "SPLITS", 5))
    return range(1, max(splits, -(-PREDICTED // (n - 3 * n // 4))) + 1)


def text_of(columns, y, rows):
    out = io.StringIO()
    w = csv.writer(out, lineterminator="\n")
    w.writerow([f"c{j + 1}" for j in range(len(columns))] + ["label"])
    for i in rows:
        w.writerow([c[i] for c in columns] + [y[i]])
    return out.getvalue()


# The peers.


def prepared(columns, train, test):
    """The coordinates of the rows to learn from and of the others."""
    out = []
    for cells in columns:
        cells = np.array(cells, dtype=object)
        known = cells[train][cells[train] != ""]
        if len(known) and all(map(is_number, known)):
            x = np.array([float(c) if is_number(c) else np.nan for c in cells])
            known = x[train][~np.isnan(x[train])]
            low, high = np.quantile(known, [0.005, 0.995])
            cut = np.clip(known, low, high)
            mean, scale = cut.mean(), cut.std() or known.std() or 1
            z = np.clip((x - mean) / scale, (low - mean) / scale - 1, (high - mean) / scale + 1)
            missing = np.isnan(z)
            out.append(np.where(missing, np.nanmean(z[train]), z))
            if missing[train].any():
                out.append(missing * 1.0)
            continue
        values, counts = np.unique(known.astype(str), return_counts=True)
        if len(values) == 0 or len(values) > max(50, len(known) / 2):
            continue
        own = values[np.argsort(-counts, kind="stable")][:50]
        out += [(cells == v) * 1.0 for v in own] + [(~np.isin(cells.astype(str), own)) * 1.0]
    X = np.array(out).T if out else np.zeros((len(columns[0]), 1))
    return X[train], X[test]


def peers(numbers):
    if numbers:
        return {"linear": RidgeCV(np.logspace(-4, 4, 17)), "svm": SVR(),
                "boosting": HistGradientBoostingRegressor(random_state=0), "forest": RandomForestRegressor(random_state=0)}
    return {"linear": LogisticRegression(max_iter=1000), "svm": SVC(),
            "boosting": HistGradientBoostingClassifier(random_state=0), "forest": RandomForestClassifier(random_state=0)}


def doubt(p, classes, y):
    """Log loss over the rows whose class was met, and the calibration error less what perfect p would have."""
    index = {c: k for k, c in enumerate(classes)}
    known = np.array([v in index for v in y])
    at = [index[v] for v in y[known]]
    loss = -np.log(np.maximum(p[known, :][np.arange(len(at)), at], 1e-12)).mean() if len(at) else None
    sure, right = p.max(1), np.asarray(classes)[p.argmax(1)] == y
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)

    def error(hit):
        return sum(abs((hit - sure)[bins == b].sum()) for b in range(BINS)) / len(y)

    random = np.random.RandomState(0)
    expected = np.mean([error(random.rand(len(y)) < sure) for _ in range(100)])
    return {"logLoss": loss, "ece": error(right) - expected}


def fit(columns, y, numbers, seed):
    train, test = split(len(y), seed)
    X, T = prepared(columns, train, test)
    y = y.astype(float) if numbers else y
    reached = {}
    for name, model in peers(numbers).items():
        began = time.perf_counter()
        try:
            if numbers:  # on the scale of the mean and deviation of the rows to learn from, as SVR wants it
                mean, scale = y[train].mean(), y[train].std() or 1
                model.fit(X, (y[train] - mean) / scale)
                got = model.predict(T) * scale + mean
                score = 1 - ((got - y[test]) ** 2).sum() / max(((y[test] - y[test].mean()) ** 2).sum(), 1e-300)
                reached[name] = {"score": max(score, -1)}
            else:
                model.fit(X, y[train])
                reached[name] = {"score": (model.predict(T) == y[test]).mean()}
                if hasattr(model, "predict_proba"):
                    reached[name] |= doubt(model.predict_proba(T), model.classes_, y[test])
        except ValueError as error:  # such as boosting with a class of one row
            reached[name] = {"error": str(error)[:200]}
        reached[name]["seconds"] = time.perf_counter() - began
    return reached


def write_sets(data, folder):
    """Writes the splits, unless this program has written them from files of the same names and sizes."""
    files = [(f.path, f.stat().st_size) for d in (data, os.path.join(data, "tables")) for f in os.scandir(d)]
    with open(__file__, encoding="utf-8") as f:
        asked = [os.environ.get(name) for name in ("SPLITS", "LARGE")]
        key = hashlib.sha256(repr((f.read(), sorted(files), asked)).encode()).hexdigest()[:32]
    path = os.path.join(folder, f"sets.{key}.jsonl")
    if not os.path.exists(path):
        with open(path + ".part", "w") as list_of_sets:
            for name, numbers, seeds, rows_of in sets(data, ()):
                for seed in seeds:
                    columns, y = rows_of(seed)
                    for part, rows in zip(("train", "test"), split(len(y), seed)):
                        with open(os.path.join(folder, f"{name}.{seed}.{part}.csv"), "w", encoding="utf-8") as f:
                            f.write(text_of(columns, y, rows))
                print(json.dumps({"name": name, "rows": len(y), "columns": len(columns), "splits": len(seeds),
                                  "classes": 0 if numbers else len(set(y))}), file=list_of_sets)
        os.rename(path + ".part", path)
    with open(path) as f:
        print(f.read(), end="")


def main():
    verb, data, folder, *names = sys.argv[1:]
    warnings.filterwarnings("ignore")
    os.makedirs(os.path.join(folder, "peers"), exist_ok=True)
    if verb == "sets":
        return write_sets(data, folder)
    program = "".join(map(inspect.getsource, (split, prepared, peers, doubt, fit)))
    for name, numbers, seeds, rows_of in sets(data, names):
        reached, rows, key = [], None, None
        for seed in seeds:
            if rows is not (rows := rows_of(seed)):
                columns, y = rows
                key = hashlib.sha256((program + text_of(columns, y, range(len(y)))).encode()).hexdigest()[:32]
            path = os.path.join(folder, "peers", f"{name}.{seed}.{key}.json")
            if not os.path.exists(path):
                with open(path + ".part", "w") as f:
                    json.dump(fit(columns, y, numbers, seed), f)
                os.rename(path + ".part", path)
            with open(path) as f:
                reached.append(json.load(f))
        print(json.dumps({"name": name, "splits": reached}), flush=True)


main()
