# Writes the tables of TestLate with pyarrow: python3 late.py FOLDER (pyarrow 26.0.1 made those that are here).
import sys
import pyarrow as pa, pyarrow.feather as feather, pyarrow.parquet as pq

late = lambda cell: [None] * 1100 + [cell(i) for i in range(3)]
table = pa.table(
    {
        "n": list(range(1103)),
        "took": pa.array([1500 * i for i in range(1103)], pa.duration("ms")),
        "blob": pa.array(late(lambda i: bytes([255, i])), pa.binary()),
        "code": pa.array(late(lambda i: b"c%d" % i), pa.binary()),
        "pair": pa.array(late(lambda i: [i, i + 0.5]), pa.list_(pa.float64())),
        "none": pa.array([None] * 1103, pa.binary()),
        "empty": pa.array([None] * 1100 + [[]] * 3, pa.list_(pa.int32())),
    }
)
pq.write_table(table, sys.argv[1] + "/late.parquet")
feather.write_feather(table, sys.argv[1] + "/late.arrow", chunksize=400)
