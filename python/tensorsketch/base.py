"""What scikit-learn asks of an estimator, without importing scikit-learn: that takes longer than the first rows."""

import copy
import inspect
import sys
import warnings
from typing import Any, Dict, List, Optional, TypeVar

import numpy as np

from .rows import Rows, names_of, rows_of

__all__ = ["Estimator"]


E = TypeVar("E", bound="Estimator")


class Estimator:
    """An estimator whose parameters are the arguments of its ``__init__``."""

    _kind: Optional[str] = None  # "classifier" or "regressor"

    @classmethod
    def _names(cls) -> List[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Returns the parameters by their names."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: E, **params: Any) -> E:
        """Sets parameters by their names."""
        for name, value in params.items():
            if name not in self._names():
                raise ValueError(f"Invalid parameter {name!r} for estimator {self}. Valid parameters are: "
                                 f"{self._names()!r}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [f"{name}={value!r:.80}" for name, value in self.get_params().items()
                   if repr(value) != repr(defaults[name].default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_idle"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state, _idle=[])

    @property
    def _estimator_type(self) -> Optional[str]:  # scikit-learn before 1.6 asks for it
        return self._kind

    def _more_tags(self) -> Dict[str, Any]:  # and for this
        return {"requires_y": self._kind is not None, "allow_nan": self._takes_missing()}

    def _takes_missing(self) -> bool:
        return False

    def __sklearn_tags__(self) -> Any:  # scikit-learn 1.6 and later
        from sklearn.utils import ClassifierTags, InputTags, RegressorTags, Tags, TargetTags, TransformerTags

        kind = self._kind
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(required=kind is not None, multi_output=kind == "regressor"),
            transformer_tags=TransformerTags(preserves_dtype=[]) if kind is None else None,
            classifier_tags=ClassifierTags(multi_class=True) if kind == "classifier" else None,
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(sparse=True, allow_nan=self._takes_missing()),
        )

    # Tables of features: the transformer names its features.

    def _contained(self, Z: np.ndarray, X: Any) -> Any:
        """Z, or a table of it, as set_output or scikit-learn's set_config says."""
        if "sklearn" not in sys.modules:
            return Z
        try:
            from sklearn.utils._set_output import _wrap_data_with_container
        except ImportError:  # before 1.2
            return Z
        return _wrap_data_with_container("transform", Z, X, self)

    # Rows.

    def _rows(self, X: Any, reset: bool = False, can_miss: bool = False, raw: bool = False) -> Rows:
        """The rows of X, raw as for rows_of. With reset they say how many columns there are, and their names."""
        names = names_of(X)
        if not reset:  # before cells: a column too many may hold texts
            self._check_names(names)
        rows = rows_of(X, type(self).__name__, can_miss, raw)
        if reset:
            self.n_features_in_ = rows.d
            if names is not None:
                self.feature_names_in_ = names
            else:
                self.__dict__.pop("feature_names_in_", None)
            return rows
        if rows.d != self.n_features_in_:
            raise ValueError(f"X has {rows.d} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                             "features as input.")
        return rows

    def _check_names(self, names: Optional[np.ndarray]) -> None:
        known = getattr(self, "feature_names_in_", None)
        if names is None and known is None:
            return
        if names is None:
            warnings.warn(f"X does not have valid feature names, but {type(self).__name__} was fitted with feature "
                          "names", UserWarning, stacklevel=4)
        elif known is None:
            warnings.warn(f"X has feature names, but {type(self).__name__} was fitted without feature names",
                          UserWarning, stacklevel=4)
        elif list(names) != list(known):
            message = "The feature names should match those that were passed during fit.\n"
            unseen, missing = sorted(set(names) - set(known)), sorted(set(known) - set(names))
            for title, found in (("Feature names unseen at fit time", unseen),
                                 ("Feature names seen at fit time, yet now missing", missing)):
                if found:
                    message += f"{title}:\n" + "".join(f"- {name}\n" for name in found[:5])
                    message += "- ...\n" if len(found) > 5 else ""
            if not unseen and not missing:
                message += "Feature names must be in the same order as they were in fit.\n"
            raise ValueError(message)

    def _check_fitted(self, attribute: str) -> None:
        if hasattr(self, attribute):
            return
        try:
            from sklearn.exceptions import NotFittedError as Kind
        except ImportError:
            Kind = type("NotFittedError", (ValueError, AttributeError), {})
        raise Kind(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
                   "before using this estimator.")

    def _copy(self: E) -> E:
        """A copy with the same parameters, not fitted."""
        return type(self)(**{name: copy.deepcopy(value) for name, value in self.get_params().items()})
