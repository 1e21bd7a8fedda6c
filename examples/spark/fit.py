"""Fits one model to a table on Spark, by exact sums that merge; the bytes are those of one machine.

    tensorsketch fit sample.csv --label y --mergeable --no-rows --moments start.tsm
    spark-submit fit.py 'parts/*.parquet' --label y --like start.tsm --model model.json [--features features/]

start.tsm has the map, the columns and the ranges, and no rows. Every executor needs tensorsketch-wasm, wasmtime and
pyarrow: python/README.md, "On Spark and Flink". With --features the label and the features of each row are written, too.
"""

import argparse
import io
import pathlib

import pyarrow as pa
from pyspark.sql import SparkSession

from tensorsketch import SketchClassifier, TensorSketch


def opened(file):
    """The sums of a file, or a model of them."""
    return SketchClassifier.load(io.BytesIO(file))


def packed(sums):
    file = io.BytesIO()
    sums.save_sums(file)
    return file.getvalue()


def merged(a, b):
    return packed(opened(a).merge(opened(b)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="files of Parquet")
    parser.add_argument("--label", required=True)
    parser.add_argument("--like", required=True, help="sums of no rows")
    parser.add_argument("--model", required=True, help="the file to write")
    parser.add_argument("--features", help="the folder to write")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("tensorsketch").getOrCreate()
    start = opened(pathlib.Path(options.like).read_bytes()).like()
    label, names = options.label, list(start.feature_names_in_)
    empty = spark.sparkContext.broadcast(packed(start))

    def sums_of(batches):
        part = opened(empty.value)
        for batch in batches:
            part.partial_fit(batch.select(names), batch.column(label))
        yield pa.RecordBatch.from_pydict({"sums": [packed(part)]})

    table = spark.read.parquet(options.table)
    parts = table.select(*names, label).mapInArrow(sums_of, "sums binary")
    file = parts.rdd.map(lambda row: bytes(row.sums)).treeReduce(merged)
    model = opened(file)
    pathlib.Path(options.model).write_bytes(model.model_)
    print(f"{model.n_rows_} rows; on rows held out: {model.report_['heldOut']}")
    if options.features:
        write_features(spark, table, model.model_, names, label, options.features)
    spark.stop()


def write_features(spark, table, model, names, label, folder):
    """Writes the label and the features of each row as Parquet."""
    shared = spark.sparkContext.broadcast(model)

    def features_of(batches):
        sketch = TensorSketch.load(io.BytesIO(shared.value))
        for batch in batches:
            Z = sketch.transform(batch.select(names))
            rows = pa.FixedSizeListArray.from_arrays(pa.array(Z.reshape(-1)), Z.shape[1]).cast(pa.list_(pa.float32()))
            yield pa.RecordBatch.from_arrays([batch.column(label), rows], ["label", "features"])

    kind = table.schema[label].dataType.simpleString()
    table.select(*names, label).mapInArrow(features_of, f"label {kind}, features array<float>").write.parquet(folder)


main()
