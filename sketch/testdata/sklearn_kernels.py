#!/usr/bin/env python3
"""Print statistics of scikit-learn's RBFSampler and Nystroem as JSON.

Needs scikit-learn (Debian: python3-sklearn). For each case and each of a few
pairs of fixed rows: mean and mean square of the error of the kernel estimate
over many random states, with the standard errors of both; and for Nystroem the
estimates where the first n_components rows are the landmarks, which have
nothing random.

    python3 sketch/testdata/sklearn_kernels.py > sketch/testdata/sklearn-kernels.json
"""
import json
import sys

import numpy as np
import sklearn
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.metrics.pairwise import pairwise_kernels

N_ROWS, N_FEATURES, N_SEEDS = 60, 6, 2000
PAIRS = [(40, 40), (41, 42), (43, 44), (45, 46), (47, 48), (49, 50), (51, 52), (53, 54)]

CASES = [  # method, kernel, degree, gamma, coef0, n_components
    ("random-fourier", "gaussian", 1, 0.25, 0, 50),
    ("random-fourier", "gaussian", 1, 1, 0, 20),
    ("nystroem", "gaussian", 1, 0.25, 0, 15),
    ("nystroem", "polynomial", 3, 0.5, 1, 15),
    ("nystroem", "polynomial", 2, 1, 0, 10),
]


def rows():
    """Multiples of 1/8 from -1 to 1, of a linear congruential generator."""
    values, state = [], 1
    for _ in range(N_ROWS * N_FEATURES):
        state = (1664525 * state + 1013904223) % 2**32
        values.append(((state >> 24) % 17 - 8) / 8)
    return np.array(values).reshape(N_ROWS, N_FEATURES)


def kernel(name, degree, gamma, coef0):
    return dict(metric="rbf", gamma=gamma) if name == "gaussian" else dict(
        metric="polynomial", degree=degree, gamma=gamma, coef0=coef0)


def transformer(method, name, degree, gamma, coef0, D, seed):
    if method == "random-fourier":
        return RBFSampler(gamma=gamma, n_components=D, random_state=seed)
    k = kernel(name, degree, gamma, coef0)
    return Nystroem(kernel=k.pop("metric"), n_components=D, random_state=seed, **k)


def estimates(Z):
    return np.array([Z[i] @ Z[j] for i, j in PAIRS])


def short(values):
    return [float("%.7g" % v) for v in values]


def case(X, method, name, degree, gamma, coef0, D):
    K = pairwise_kernels(X, **kernel(name, degree, gamma, coef0))
    exact = np.array([K[i, j] for i, j in PAIRS])
    errors = np.array([
        estimates(transformer(method, name, degree, gamma, coef0, D, seed).fit(X).transform(X)) - exact
        for seed in range(N_SEEDS)])
    squares = errors**2
    result = dict(method=method, kernel=name, degree=degree, gamma=gamma, coef0=coef0, nComponents=D,
                  exact=short(exact), mean=short(errors.mean(0)), meanError=short(errors.std(0, ddof=1) / N_SEEDS**0.5),
                  square=short(squares.mean(0)), squareError=short(squares.std(0, ddof=1) / N_SEEDS**0.5))
    if method == "nystroem":
        fitted = transformer(method, name, degree, gamma, coef0, D, 0).fit(X[:D])
        assert sorted(fitted.component_indices_) == list(range(D))
        result["ofFirstRows"] = [float("%.12g" % v) for v in estimates(fitted.transform(X))]
    return result


X = rows()
json.dump(dict(source="scikit-learn " + sklearn.__version__, made="sketch/testdata/sklearn_kernels.py", nSeeds=N_SEEDS,
               nRows=N_ROWS, nFeatures=N_FEATURES, pairs=PAIRS, cases=[case(X, *c) for c in CASES]), sys.stdout, indent=1)
print()
