"""Figures of scikit-learn beside which the programs of this folder stand: python3 reference.py NAME [DATA FOLDER].

It wants scikit-learn: pip install scikit-learn==1.9.1
"""
import sys

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

folder = sys.argv[2] if len(sys.argv) > 2 else "../../../shared/data"


def products(X, coef0):
    """The coordinates of the kernel (<x, y> + coef0)^2: all products of two coordinates of x and the root of coef0."""
    X = np.hstack([X, np.full((len(X), 1), np.sqrt(coef0))])
    i, j = np.triu_indices(X.shape[1])
    return X[:, i] * X[:, j] * np.where(i == j, 1, np.sqrt(2))


def clusters():
    """clusters.js: k-means on the products of pixels of digits, from the first ten rows."""
    table = np.loadtxt(f"{folder}/digits.csv", delimiter=",", skiprows=1, max_rows=2000)
    X = table[:, :64] / np.linalg.norm(table[:, :64], axis=1, keepdims=True)
    features = products(X, 0.1)
    fitted = KMeans(10, init=features[:10], n_init=1, max_iter=100, tol=0, algorithm="lloyd").fit(features)
    print("mean squared distance", fitted.inertia_ / len(X))
    print("adjusted Rand index", adjusted_rand_score(table[:, 64], fitted.labels_))


{"clusters": clusters}[sys.argv[1]]()
