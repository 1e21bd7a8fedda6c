"""Compares the features that Spark wrote with the command line's, as sets of rows: features.py FOLDER FEATURES.npy"""

import sys

import numpy as np
import pyarrow.parquet as pq

table = pq.read_table(sys.argv[1])
theirs = np.stack(table["features"].to_numpy())
ours = np.load(sys.argv[2])
assert theirs.shape == ours.shape and theirs.dtype == ours.dtype, (theirs.shape, ours.shape)
for Z in (theirs, ours):
    Z[:] = Z[np.lexsort(Z[:, :4].T)]
np.testing.assert_array_equal(theirs, ours)
assert set(table["label"].to_pylist()) == {"yes", "no"}
