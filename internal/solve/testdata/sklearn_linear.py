"""Makes sklearn-linear.json: what scikit-learn and NumPy fit to small random rows, for TestScikitLearn.

    python3 internal/solve/testdata/sklearn_linear.py > internal/solve/testdata/sklearn-linear.json

Rows and targets are multiples of 2^-10, so that their sums are exact.
"""

import json

import numpy
import sklearn
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge, RidgeClassifier


def grid(x):
    return numpy.round(x * 1024) / 1024


def gcv(X, Y, alpha):
    """n·‖Y − H·Y‖²/(n − tr H)², per row, from H itself."""
    n = len(X)
    ones = numpy.full((n, n), 1 / n)
    centred = X - X.mean(axis=0)
    H = ones + centred @ numpy.linalg.solve(centred.T @ centred + alpha * numpy.eye(X.shape[1]), centred.T)
    df = numpy.trace(H)
    return df, numpy.sum((Y - H @ Y) ** 2) / (n - df) ** 2


def main():
    rng = numpy.random.default_rng(18)
    cases = []
    for n, D, K in [(40, 6, 2), (9, 12, 1), (60, 20, 3)]:
        X = grid(rng.normal(size=(n, D)) + rng.normal(size=D))
        Y = grid(X @ rng.normal(size=(D, K)) + rng.normal(size=(n, K)) + 2)
        classes = rng.integers(0, 3, n)
        fits = []
        for alpha in [1e-3, 1.0, 50.0]:
            for intercept in [True, False]:
                ridge = Ridge(alpha=alpha, fit_intercept=intercept, solver="svd").fit(X, Y)
                classifier = RidgeClassifier(alpha=alpha, fit_intercept=intercept, solver="svd").fit(X, classes)
                fits.append({
                    "alpha": alpha, "fitIntercept": intercept,
                    "coef": ridge.coef_.ravel().tolist(), "intercept": (numpy.zeros(K) + ridge.intercept_).tolist(),
                    "classCoef": classifier.coef_.ravel().tolist(),
                    "classIntercept": (numpy.zeros(3) + classifier.intercept_).tolist(),
                })
        pca = PCA(svd_solver="full").fit(X)
        k = min(D, n - 1)
        components = pca.components_[:k]
        signs = numpy.sign(components[numpy.arange(k), numpy.abs(components).argmax(axis=1)])
        half = D // 3
        centred = X - X.mean(axis=0)
        qa, qb = (numpy.linalg.qr(part)[0] for part in (centred[:, :half], centred[:, half:]))
        cases.append({
            "n": n, "D": D, "K": K, "X": X.ravel().tolist(), "y": Y.ravel().tolist(), "classes": classes.tolist(),
            "fits": fits,
            "gcv": [{"alpha": a, "df": df, "score": s} for a in [0.01, 1.0, 100.0] for df, s in [gcv(X, Y, a)]],
            "variance": pca.explained_variance_[:k].tolist(), "share": pca.explained_variance_ratio_[:k].tolist(),
            "components": (components * signs[:, None]).ravel().tolist(),
            "narrow": half,
            # With D ≥ n every correlation is 1.
            "correlations": numpy.linalg.svd(qa.T @ qb, compute_uv=False).tolist() if n > D + 1 else [],
        })
    print(json.dumps({"source": f"scikit-learn {sklearn.__version__}, numpy {numpy.__version__}",
                      "made": "internal/solve/testdata/sklearn_linear.py", "cases": cases}, indent=None))


main()
