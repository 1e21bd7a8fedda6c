"""Times the package beside scikit-learn, one thread each: python3 python/bench.py [MNIST_FOLDER]

MNIST_FOLDER has mnist-train-images-idx3-ubyte.gz and the labels (../shared/data by default).
"""

import gzip
import os
import pathlib
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import numpy as np
from sklearn.kernel_approximation import PolynomialCountSketch
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline

from tensorsketch import SketchClassifier, TensorSketch


def seconds(work, times=5):
    """The least processor time of some runs."""
    took = []
    for _ in range(times):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took)


def row(name, ours, theirs, unit, scale):
    print(f"| {name} | {ours * scale:.3g} {unit} | {theirs * scale:.3g} {unit} | {theirs / ours:.1f} |", flush=True)


def main(folder):
    rng = np.random.RandomState(0)
    for name, n, d, degree, D in (("A", 1000, 780, 4, 4096), ("B", 10000, 123, 2, 1024)):
        X = rng.rand(n, d) * (rng.rand(n, d) < 0.2)
        X /= np.linalg.norm(X, axis=1, keepdims=True) + 1e-12
        made = [of(n_components=D, degree=degree, random_state=0).fit(X)
                for of in (TensorSketch, PolynomialCountSketch)]
        ours, theirs = (seconds(lambda m=m: m.transform(X)) for m in made)
        row(f"transform {name}, d {d}, degree {degree}, D {D}", ours, theirs, "µs/row", 1e6 / n)
    if not (folder / "mnist-train-images-idx3-ubyte.gz").exists():
        return
    X, y = (np.frombuffer(gzip.open(folder / f"mnist-train-{name}.gz").read(), np.uint8, offset=at)
            for name, at in (("images-idx3-ubyte", 16), ("labels-idx1-ubyte", 8)))
    X = X.reshape(-1, 784).astype(np.float32)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    options = {"n_components": 1024, "degree": 2, "coef0": 1, "random_state": 0}
    theirs = seconds(lambda: make_pipeline(PolynomialCountSketch(**options), RidgeClassifier()).fit(X, y), 1)
    same = {"alpha": 1.0, "folds": 0, "linear": False}
    for name, more in (("fit 60,000 × 784, D 1,024, alpha given", same),
                       ("the same, alpha chosen, probabilities, a linear model beside", {})):
        model = SketchClassifier(method="tensor-sketch", **options, **more)
        row(name, seconds(lambda: model.fit(X, y), 1), theirs, "s", 1)


main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "shared/data")
