# Writes the tables of TestLargeTexts with pyarrow: python3 large.py FOLDER (pyarrow 26.0.1 made those that are here).
import sys
import pyarrow as pa, pyarrow.feather as feather, pyarrow.parquet as pq

table = pa.table({"n": list(range(20)), "page": ["x" * (4 << 20)] * 20, "label": ["a", "b"] * 10})
pq.write_table(table, sys.argv[1] + "/large.parquet", use_dictionary=False, compression="zstd", write_statistics=False)
feather.write_feather(table, sys.argv[1] + "/large.arrow", compression="zstd")
