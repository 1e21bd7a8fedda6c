# Writes the tables of nested_test.go with pyarrow: python3 nested.py FOLDER (pyarrow 26.0.1 made those that are here).
import datetime as d, decimal, sys, uuid
import pyarrow as pa, pyarrow.ipc as ipc, pyarrow.parquet as pq

N = 9
zone = d.timezone(d.timedelta(hours=2))


def leaf(i):
    if i == 1:  # all leaves are missing
        return {}
    return {
        "text": ["red", "", "grün", "blue"][i % 4],
        "large": f"large {i}",
        "dec": decimal.Decimal(f"{i - 4}.25"),
        "dec256": decimal.Decimal(f"-{i}.000001"),
        "flag": i % 3 == 0,
        "word": ["a", "b"][i % 2],
        "when": d.datetime(2024, 3, 1, i, 30, 0, 250000, tzinfo=zone),
        "nano": d.datetime(1969, 12, 31, 23, 59, i),
        "day": d.date(2024, 2, 25 + i) if i < 5 else d.date(1950, 1, i),
        "clock": d.time(1, 0, i),
        "small": -i,
        "big": 2**63 + 2048 * i,
        "half": i / 4,
        "id": uuid.UUID(int=i << 100).bytes,
        "hash": bytes([255, i, 0]),
        "ascii": f"b{i}".encode(),
        "pair": [i + 0.5, None if i == 6 else -i],
        "inner": None if i == 7 else {"text": f"in {i}"},
        "map": [("k", i)],
        "nested": [[i], []],
        "rows": [{"a": i, "b": f"r{i}"}],
    }


kind = pa.struct(
    [
        ("text", pa.string()),
        ("large", pa.large_string()),
        ("dec", pa.decimal128(20, 2)),
        ("dec256", pa.decimal256(50, 6)),
        ("flag", pa.bool_()),
        ("word", pa.dictionary(pa.int8(), pa.string())),
        ("when", pa.timestamp("ms", "Europe/Berlin")),
        ("nano", pa.timestamp("ns")),
        ("day", pa.date32()),
        ("clock", pa.time64("us")),
        ("small", pa.int8()),
        ("big", pa.uint64()),
        ("half", pa.float32()),
        ("id", pa.binary(16)),
        ("hash", pa.binary()),
        ("ascii", pa.binary()),
        ("pair", pa.list_(pa.float64(), 2)),
        ("inner", pa.struct([("text", pa.string())])),
        ("map", pa.map_(pa.string(), pa.int32())),
        ("nested", pa.list_(pa.list_(pa.int32()))),
        ("rows", pa.list_(pa.struct([("a", pa.int32()), ("b", pa.string())]))),
    ]
)
rows = [None if i in (0, 5) else leaf(i) for i in range(N)]


def structures(rows, kind):
    plain = pa.array([leaf(8)] + rows, type=kind)
    parts = [
        plain.field(f.name) if f.name != "id" else pa.ExtensionArray.from_storage(pa.uuid(), plain.field(f.name))
        for f in kind
    ]
    fields = [pa.field(f.name, part.type) for f, part in zip(kind, parts)]
    return pa.StructArray.from_arrays(parts, fields=fields, mask=plain.is_null())[1:]  # begins inside of its buffers


s = structures(rows, kind)
table = pa.table({"n": list(range(N)), "s": s, "label": ["x", "y", "x"] * 3})


def plain(t):  # Parquet has structures of plain texts, and lists of any length
    fields = [
        pa.field(f.name, {"word": pa.string(), "pair": pa.list_(pa.float64())}.get(f.name, f.type)) for f in kind
    ]
    return t.set_column(1, "s", structures(rows, pa.struct(fields)))


def arrow(name, make, **options):
    with make(sys.argv[1] + "/" + name, table.schema, options=ipc.IpcWriteOptions(**options)) as w:
        whole = table.to_batches()[0]
        for part in whole[:3], whole[:0], whole[3:4], whole[4:]:
            w.write_batch(part)


arrow("stream.arrow", ipc.new_stream, unify_dictionaries=True)
arrow("file-lz4.arrow", ipc.new_file, compression="lz4", unify_dictionaries=True)
for name, options in {
    "plain.parquet": dict(use_dictionary=False, compression="none", row_group_size=4),
    "words-v2.parquet": dict(data_page_version="2.0", compression="zstd", data_page_size=1, write_batch_size=2),
    "delta.parquet": dict(
        use_dictionary=False,
        compression="gzip",
        use_deprecated_int96_timestamps=True,
        column_encoding={
            "s.text": "DELTA_BYTE_ARRAY",
            "s.large": "DELTA_LENGTH_BYTE_ARRAY",
            "s.dec": "DELTA_BYTE_ARRAY",
            "s.day": "DELTA_BINARY_PACKED",
            "s.small": "DELTA_BINARY_PACKED",
            "s.big": "DELTA_BINARY_PACKED",
            "s.half": "BYTE_STREAM_SPLIT",
            "s.pair.list.element": "BYTE_STREAM_SPLIT",
            "s.clock": "BYTE_STREAM_SPLIT",
            "s.flag": "RLE",
            "s.inner.text": "DELTA_BYTE_ARRAY",
        },
    ),
    "integers.parquet": dict(use_dictionary=["s.text"], store_decimal_as_integer=True, compression="brotli"),
}.items():
    pq.write_table(plain(table), sys.argv[1] + "/" + name, **options)
