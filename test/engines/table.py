"""Writes parts of a table as Parquet: table.py FOLDER PARTS ROWS. Its labels need products of columns."""

import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

folder, parts, rows = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for part in range(parts):
    X = np.random.default_rng(part).normal(size=(rows, 8))
    X[::97, 3] = np.nan  # a missing cell
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * X[:, 2] ** 2 > 0.5, "yes", "no")
    columns = {f"x{j}": pa.array(X[:, j], from_pandas=True) for j in range(8)}
    pq.write_table(pa.table({**columns, "y": pa.array(y)}), folder / f"part-{part:02}.parquet")
