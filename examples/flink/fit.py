"""Fits one model to files on Flink, by exact sums that merge; the bytes are those of one machine.

    tensorsketch fit sample.csv --label y --mergeable --no-rows --moments start.tsm
    flink run --jobmanager HOST:8081 --python fit.py 'parts/*.parquet' --label y --like start.tsm --model model.json

start.tsm has the map, the columns and the ranges, and no rows. Every task manager needs tensorsketch-wasm, wasmtime and
pyarrow, and a folder for files and model that all share: python/README.md, "On Spark and Flink".
"""

import argparse
import glob
import io
import os
import pathlib
import uuid

from pyflink.common import Types
from pyflink.datastream import MapFunction, RuntimeExecutionMode, StreamExecutionEnvironment


def opened(file):
    """The sums of a file, or a model of them."""
    from tensorsketch import SketchClassifier

    return SketchClassifier.load(io.BytesIO(file))


def packed(sums):
    file = io.BytesIO()
    sums.save_sums(file)
    return file.getvalue()


def merged(a, b):
    return a[0], packed(opened(a[1]).merge(opened(b[1])))


class SumsOfFile(MapFunction):
    """The sums of the rows of a Parquet file, beside the number of the subtask that read it."""

    def __init__(self, empty, label):
        self.empty, self.label = empty, label

    def open(self, context):
        self.subtask = context.get_index_of_this_subtask()

    def map(self, file):
        import pyarrow.parquet as pq

        part = opened(self.empty)
        for batch in pq.ParquetFile(file).iter_batches(65536):
            part.partial_fit(batch.select(list(part.feature_names_in_)), batch.column(self.label))
        return self.subtask, packed(part)


class WriteModel(MapFunction):
    """Writes the model of the sums under another name, and then renames it: an attempt that died leaves no half."""

    def __init__(self, name):
        self.name = name

    def map(self, part):
        model, beside = opened(part[1]), f"{self.name}.{uuid.uuid4().hex}"
        pathlib.Path(beside).write_bytes(model.model_)
        os.replace(beside, self.name)
        return f"{model.n_rows_} rows"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", help="a pattern of Parquet files")
    parser.add_argument("--label", required=True)
    parser.add_argument("--like", required=True, help="sums of no rows")
    parser.add_argument("--model", required=True, help="the file to write")
    options = parser.parse_args()
    empty = packed(opened(pathlib.Path(options.like).read_bytes()).like())
    environment = StreamExecutionEnvironment.get_execution_environment()
    environment.set_runtime_mode(RuntimeExecutionMode.BATCH)
    kind = Types.TUPLE([Types.INT(), Types.PICKLED_BYTE_ARRAY()])
    parts = environment.from_collection(sorted(glob.glob(options.files)), Types.STRING()).rebalance() \
        .map(SumsOfFile(empty, options.label), kind).set_parallelism(environment.get_parallelism())
    each = parts.key_by(lambda part: part[0], Types.INT()).reduce(merged)  # the sums of each subtask
    all_of = each.map(lambda part: (0, part[1]), kind).key_by(lambda part: part[0], Types.INT()).reduce(merged)
    all_of.map(WriteModel(os.path.abspath(options.model)), Types.STRING()).print()
    environment.execute("tensorsketch")
    report = opened(pathlib.Path(options.model).read_bytes()).report_
    print(f"{report['rows']} rows; on rows held out: {report['heldOut']}")


main()
