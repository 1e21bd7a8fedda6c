#!/usr/bin/env python3
"""Make peers.json anew: what LIBLINEAR and scikit-learn find on small problems.

usage: /usr/bin/python3 peers.py > peers.json
Needs Debian's liblinear-tools and python3-sklearn. The problems are drawn by xorshift32, as in newton_test.go.
"""
import json
import subprocess
import tempfile

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.svm import SVC


class Draw:
    def __init__(self, seed):
        self.x = seed

    def __call__(self, n):
        self.x ^= self.x << 13 & 0xFFFFFFFF
        self.x ^= self.x >> 17
        self.x ^= self.x << 5 & 0xFFFFFFFF
        return self.x % n


def problem(seed, n, d, K):
    """Rows of eighths, and classes by the largest of K noisy linear functions of small integers."""
    draw = Draw(seed)
    F = [[draw(9) - 4 for _ in range(d)] for _ in range(K)]
    X, y = [], []
    for _ in range(n):
        x = [draw(17) - 8 for _ in range(d)]
        s = [sum(f * v for f, v in zip(F[k], x)) + draw(61) - 30 for k in range(K)]
        X.append([v / 8 for v in x])
        y.append(s.index(max(s)))
    return np.array(X), np.array(y)


def liblinear(X, y, C):
    """Weights and biases, one row per class, of liblinear-train -s 2 -B 1."""
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + "/train", "w") as f:
            for x, c in zip(X, y):
                print(c, *(f"{j + 1}:{v!r}" for j, v in enumerate(x.tolist()) if v), file=f)
        subprocess.run(["liblinear-train", "-q", "-s", "2", "-B", "1", "-e", "1e-9", "-c", str(C), folder + "/train",
                        folder + "/model"], check=True)
        lines = open(folder + "/model").read().split("\n")
    labels = [int(v) for v in lines[2].split()[1:]]
    W = np.array([[float(v) for v in line.split()] for line in lines[6:] if line.strip()]).T
    if len(W) == 1:  # positive for the first label
        return W if labels[0] == 1 else -W
    return W[np.argsort(labels)]


def hinge(W, X, t, C):
    s = X @ W[:-1] + W[-1]
    return float(W @ W / 2 + C * (np.maximum(0, 1 - t * s) ** 2).sum())


out = {"made by": "testdata/peers.py with liblinear-tools 2.3.0 and scikit-learn " + sklearn.__version__, "cases": []}
for seed, n, d, K, C in [(1, 300, 12, 3, 1.0), (2, 700, 20, 2, 0.25), (3, 60, 40, 4, 10.0)]:
    X, y = problem(seed, n, d, K)
    case = dict(seed=seed, rows=n, d=d, classes=K, C=C, counts=np.bincount(y).tolist())
    W = liblinear(X, y, C)
    targets = [np.where(y == 1, 1, -1)] if K == 2 else [np.where(y == k, 1, -1) for k in range(K)]
    case["hinge"] = [hinge(w, X, t, C) for w, t in zip(W, targets)]
    case["hingeFirst"] = W[0].tolist()
    m = LogisticRegression(C=C, tol=1e-10, max_iter=100000).fit(X, y)
    S = X @ m.coef_.T + m.intercept_
    if K == 2:
        loss = np.logaddexp(0, -targets[0] * S[:, 0]).sum()
    else:
        loss = (np.log(np.exp(S).sum(1)) - S[np.arange(n), y]).sum()
    case["logistic"] = float((m.coef_ ** 2).sum() / 2 + C * loss)
    case["logisticFirst"] = m.coef_[0].tolist()
    T = np.where(y == 1, 1, -1)
    r = Ridge(alpha=1 / C, tol=1e-14, solver="cholesky").fit(X, T)
    case["ridge"] = r.coef_.tolist() + [float(r.intercept_)]
    svc = SVC(kernel="poly", degree=2, gamma=0.5, coef0=1, C=C, tol=1e-5).fit(X, y)
    case["svc"] = "".join(str(v) for v in svc.predict(X))
    case["svcSupport"] = svc.n_support_.tolist()
    out["cases"].append(case)
print(json.dumps(out, indent=1))
