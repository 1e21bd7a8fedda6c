"""Tensor Sketch in Python: the core of Go and of the browser, run by wasmtime, as estimators of scikit-learn.

TensorSketch makes features, SketchClassifier and SketchRegressor learn from them, and TensorSketchModel opens the model
files of tables by NumPy alone. python/README.md is the guide.
"""

from typing import Any

from .core import CoreError, available
from .learners import SketchClassifier, SketchRegressor
from .transformer import TensorSketch

__all__ = ["CoreError", "SketchClassifier", "SketchRegressor", "TensorSketch", "TensorSketchModel", "available"]


def __getattr__(name: str) -> Any:
    if name == "TensorSketchModel":  # its patterns of cells take longer to compile than the first rows to transform
        from .numpymodel import TensorSketchModel

        return TensorSketchModel
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
