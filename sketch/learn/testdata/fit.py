#!/usr/bin/env python3
"""Fit what peers_test.go has fitted, by scikit-learn, and print its objective and accuracies as one JSON line.

usage: /usr/bin/python3 fit.py FOLDER D ROWS TEST-ROWS logistic | svc DEGREE
FOLDER has Z, Zt (float32, row-major) and y, yt (int32). logistic: lbfgs with C 1. svc: (<x,y> + 1)^DEGREE with C 1.
"""
import json
import sys
import time

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

folder, D, n, nt, what = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
Z, Zt = (np.fromfile(f"{folder}/{f}", np.float32).reshape(-1, D).astype(float) for f in ("Z", "Zt"))
y, yt = (np.fromfile(f"{folder}/{f}", np.int32) for f in ("y", "yt"))
assert len(Z) == len(y) == n and len(Zt) == len(yt) == nt
begin = time.perf_counter()
if what == "logistic":
    m = LogisticRegression(C=1, tol=1e-6, max_iter=10000).fit(Z, y)
    S = Z @ m.coef_.T + m.intercept_
    if len(m.coef_) == 1:
        loss = np.logaddexp(0, -(2 * y - 1) * S[:, 0]).sum()
    else:
        S -= S[np.arange(n), y][:, None]
        loss = np.log(np.exp(S).sum(1)).sum()
    out = dict(objective=float((m.coef_ ** 2).sum() / 2 + loss))
else:
    m = SVC(C=1, kernel="poly", degree=int(sys.argv[6]), gamma=1, coef0=1, tol=1e-5, cache_size=500).fit(Z, y)
    out = dict(support=int(m.n_support_.sum()))
out.update(seconds=time.perf_counter() - begin, accuracy=100 * float((m.predict(Zt) == yt).mean()))
print(json.dumps(out))
