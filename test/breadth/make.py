"""Writes tables by programs of Python, and what these programs read back from them: python3 make.py FOLDER"""

import csv
import io
import itertools
import json
import os
import sys

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from tables import DEEP, FLAT, MORE, NESTED, NEW, cells, table

FOLDER = sys.argv[1]
made = []


def put(name, write, read):
    """Writes a file and notes its cells as read returns them: a table of Arrow, or a dictionary of columns."""
    path = os.path.join(FOLDER, name)
    try:
        write(path)
        columns = read(path)
    except Exception as problem:  # the program does not have it: it is told, and no file remains
        if os.path.exists(path):
            os.remove(path)
        made.append({"file": name, "skipped": f"{type(problem).__name__}: {problem}"[:200]})
        return
    if isinstance(columns, pa.Table):
        columns = cells(columns)
    made.append({"file": name, "columns": columns})


def pyarrow_parquet():
    flat = table({**FLAT, **MORE}, 700)
    nested = table(NESTED, 900)
    both = {"flat": flat, "nested": nested}
    for codec, page, words in itertools.product(
        ["none", "snappy", "gzip", "brotli", "zstd", "lz4"], ["1.0", "2.0"], [True, False]
    ):
        for name, t in both.items():
            put(
                f"pyarrow-{name}-{codec}-v{page[0]}-{'words' if words else 'plain'}.parquet",
                lambda path: pq.write_table(
                    t, path, compression=codec, data_page_version=page, use_dictionary=words, row_group_size=300
                ),
                pq.read_table,
            )
    for page, size in itertools.product(["1.0", "2.0"], [1, 64, 1000]):
        for name, t in both.items():
            put(
                f"pyarrow-{name}-pages{size}-v{page[0]}.parquet",
                lambda path: pq.write_table(
                    t,
                    path,
                    data_page_version=page,
                    data_page_size=size,
                    write_batch_size=7,
                    dictionary_pagesize_limit=500,
                ),
                pq.read_table,
            )
    encodings = {
        "i32": "DELTA_BINARY_PACKED",
        "i64": "DELTA_BINARY_PACKED",
        "u32": "DELTA_BINARY_PACKED",
        "u64": "DELTA_BINARY_PACKED",
        "i8": "DELTA_BINARY_PACKED",
        "us": "DELTA_BINARY_PACKED",
        "text": "DELTA_BYTE_ARRAY",
        "large": "DELTA_LENGTH_BYTE_ARRAY",
        "blob": "DELTA_LENGTH_BYTE_ARRAY",
        "f32": "BYTE_STREAM_SPLIT",
        "f64": "BYTE_STREAM_SPLIT",
        "f16": "BYTE_STREAM_SPLIT",
        "dec38": "BYTE_STREAM_SPLIT",
        "dec9": "DELTA_BYTE_ARRAY",
        "day": "BYTE_STREAM_SPLIT",
        "ms": "BYTE_STREAM_SPLIT",
        "code": "DELTA_BYTE_ARRAY",
        "yes": "RLE",
    }
    deep = {
        "st.text": "DELTA_BYTE_ARRAY",
        "st.n": "BYTE_STREAM_SPLIT",
        "st.yes": "RLE",
        "st.deep.i": "DELTA_BINARY_PACKED",
        "li.list.element": "DELTA_BINARY_PACKED",
        "lf.list.element": "BYTE_STREAM_SPLIT",
        "lt.list.element": "DELTA_LENGTH_BYTE_ARRAY",
        "lb.list.element": "RLE",
        "ls.list.element.b": "DELTA_BYTE_ARRAY",
        "fx.list.element": "BYTE_STREAM_SPLIT",
    }
    for page, codec, nulls in itertools.product(["1.0", "2.0"], ["none", "zstd"], ["none", "some", "first"]):
        for name, kinds, encoding in [("flat", {**FLAT, **MORE}, encodings), ("nested", NESTED, deep)]:
            t = table(kinds, 1300, nulls, 5)
            put(
                f"pyarrow-{name}-encodings-v{page[0]}-{codec}-{nulls}.parquet",
                lambda path: pq.write_table(
                    t,
                    path,
                    data_page_version=page,
                    compression=codec,
                    use_dictionary=False,
                    column_encoding=encoding,
                    data_page_size=3000,
                ),
                pq.read_table,
            )
    for name, options in {
        "int96": dict(use_deprecated_int96_timestamps=True),
        "spark": dict(flavor="spark"),
        "v1": dict(version="1.0"),
        "v24": dict(version="2.4"),
        "integers": dict(store_decimal_as_integer=True),
        "ms": dict(coerce_timestamps="ms", allow_truncated_timestamps=True),
        "index": dict(write_page_index=True, write_page_checksum=True),
        "names": dict(use_compliant_nested_type=False),
        "noschema": dict(store_schema=False),
    }.items():
        for kind, t in both.items():
            put(f"pyarrow-{kind}-{name}.parquet", lambda path: pq.write_table(t, path, **options), pq.read_table)
    for n, nulls in [(1, "none"), (1, "all"), (5, "all"), (9000, "some"), (9000, "first"), (2000, "all")]:
        for name, kinds in [("flat", {**FLAT, **MORE}), ("nested", NESTED)]:
            t = table({name: kind for name, kind in kinds.items() if nulls != "all" or name != "fx"}, n, nulls)
            put(
                f"pyarrow-{name}-{n}-{nulls}.parquet",
                lambda path: pq.write_table(t, path, row_group_size=1000),
                pq.read_table,
            )

    def groups(path):  # with empty row groups between
        with pq.ParquetWriter(path, flat.schema) as w:
            for part in (flat[:0], flat[:5], flat[5:5], flat[5:]):
                w.write_table(part)

    put("pyarrow-empty-groups.parquet", groups, pq.read_table)


def read_ipc(path):
    with open(path, "rb") as f:
        content = f.read()
    r = ipc.open_file(content) if content[:6] == b"ARROW1" else ipc.open_stream(content)
    return r.read_all()


def pyarrow_ipc():
    kinds = {"flat": {**FLAT, **MORE}, "nested": NESTED, "new": NEW, "deep": DEEP}
    for (name, types), make, codec, nulls in itertools.product(
        kinds.items(), [ipc.new_file, ipc.new_stream], [None, "lz4", "zstd"], ["none", "some"]
    ):
        whole = table(types, 1100, nulls, 3).to_batches()[0]

        def write(path, parts=(0, 400, 400, 401, 1100)):
            options = ipc.IpcWriteOptions(compression=codec)
            with make(path, whole.schema, options=options) as w:
                for a, b in zip(parts, parts[1:]):
                    w.write_batch(whole[a:b])

        put(f"pyarrow-{name}-{make.__name__[4:]}-{codec}-{nulls}.arrow", write, read_ipc)
    for nulls in ["all", "first"]:
        for name, types in kinds.items():
            t = table(types, 1500, nulls)
            put(
                f"feather-{name}-{nulls}.arrow",
                lambda path: feather.write_feather(t, path, chunksize=333),
                feather.read_table,
            )
    names = ["", "a.b", "a", "A", "ü", " x ", "x", "column 2", "n" * 300, "1", "-", "select", "a[0]"]
    odd_names = pa.table([[float(i + k) for i in range(9)] for k in range(len(names))], names=names)
    for ending, write in [("arrow", feather.write_feather), ("parquet", pq.write_table)]:
        put(f"pyarrow-names.{ending}", lambda path: write(odd_names, path), lambda path: cells(odd_names))
    runs = pa.RunEndEncodedArray.from_arrays([3, 10], ["a", "b"])
    union = pa.UnionArray.from_sparse(
        pa.array([0, 1] * 5, pa.int8()), [pa.array(range(10)), pa.array([str(i) for i in range(10)])]
    )
    views = pa.array([[i, 2 * i] for i in range(10)], pa.list_view(pa.int32()))
    for name, odd in {
        "runs": runs,
        "union": union,
        "views": views,
        "interval": pa.array([pa.MonthDayNano([1, 2, 3])] * 10),
    }.items():
        t = pa.table({"a": [i / 4 for i in range(10)], "odd": odd, "b": list("xyxyxyxyxy")})

        def write_odd(path):
            with ipc.new_file(path, t.schema) as w:
                w.write_table(t)

        put(f"pyarrow-odd-{name}.arrow", write_odd, lambda path: cells(read_ipc(path), skip=["odd"]))
    d1 = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), ["a", "b"])
    d2 = pa.DictionaryArray.from_arrays(pa.array([2, 1, 0], pa.int32()), ["a", "b", "c"])
    d3 = pa.DictionaryArray.from_arrays(pa.array([0, None, 1], pa.int32()), pa.array(["z", None]))
    for name, parts, options in [
        ("delta", [d1, d2], dict(emit_dictionary_deltas=True)),
        ("replaced", [d1, d3, d2], {}),
    ]:

        def write_words(path):
            batches = [pa.record_batch({"w": p, "n": list(range(len(p)))}) for p in parts]
            with ipc.new_stream(path, batches[0].schema, options=ipc.IpcWriteOptions(**options)) as w:
                for b in batches:
                    w.write_batch(b)

        put(f"pyarrow-words-{name}.arrow", write_words, read_ipc)


def polars_files():
    import polars as pl

    names = [n for n in FLAT if n not in ("day64",)]
    flat = pl.from_arrow(table({n: FLAT[n] for n in names}, 900).drop_columns([]))
    nested = pl.from_arrow(table({n: k for n, k in NESTED.items() if n != "map"}, 900))
    extra = pl.DataFrame(
        {
            "c": pl.Series(["a", "b", None] * 4, dtype=pl.Categorical),
            "e": pl.Series(["x", "y", "x"] * 4, dtype=pl.Enum(["x", "y"])),
            "a": pl.Series([[1.5, 2], [3, 4], None] * 4, dtype=pl.Array(pl.Float64, 2)),
            "st": pl.Series([{"p": "r", "q": 1}, None, {"p": None, "q": 2}] * 4),
        }
    )

    def back(read):
        return lambda path: read(path).to_arrow()

    for name, df in {"flat": flat, "nested": nested, "extra": extra, "none": flat.drop_nulls("text")}.items():
        for codec in ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"]:
            put(
                f"polars-{name}-{codec}.parquet",
                lambda path: df.write_parquet(path, compression=codec, row_group_size=250, data_page_size=2000),
                back(pl.read_parquet),
            )
        for codec, level in itertools.product(["uncompressed", "lz4", "zstd"], ["oldest", "newest"]):
            compat = pl.CompatLevel.newest() if level == "newest" else pl.CompatLevel.oldest()
            put(
                f"polars-{name}-{codec}-{level}.arrow",
                lambda path: df.write_ipc(path, compression=codec, compat_level=compat),
                lambda path: back(pl.read_ipc)(path),
            )
            put(
                f"polars-{name}-{codec}-{level}-stream.arrow",
                lambda path: df.write_ipc_stream(path, compression=codec, compat_level=compat),
                back(pl.read_ipc_stream),
            )
    parts = pl.concat([flat[:3], flat[3:3], flat[3:500], flat[500:]], rechunk=False)
    put("polars-chunks.arrow", lambda path: parts.write_ipc(path, record_batch_size=100), back(pl.read_ipc))
    plain = flat.select("n", "i32", "f64", "yes", "text", "day", "us").with_columns(
        text=pl.col("text").str.replace_all("NA", "na").str.strip_chars()
    )
    for sep, quote, nulls in itertools.product(
        [",", ";", "\t", "|"], ["necessary", "always", "non_numeric"], ["", "NA"]
    ):
        name = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}[sep]
        put(
            f"polars-{name}-{quote}-{nulls or 'empty'}.csv",
            lambda path: plain.write_csv(path, separator=sep, quote_style=quote, null_value=nulls),
            lambda path: read_csv(path, sep, nulls),
        )
    put(
        "polars-lines.jsonl",
        lambda path: plain.write_ndjson(path),
        lambda path: json_rows(map(json.loads, open(path))),
    )


def read_csv(path, sep, null="", encoding="utf-8"):
    """The cells of a file as Python's module csv cuts them."""
    import gzip

    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding=encoding, newline="") as f:
        rows = list(csv.reader(f, delimiter=sep))
    rows = [row for row in rows if row]
    return {name: ["cell", [None if row[i] == null else row[i] for row in rows[1:]]] for i, name in enumerate(rows[0])}


def json_rows(rows):
    rows = list(rows)
    text = lambda v: v if v is None or isinstance(v, str) else str(v).lower() if isinstance(v, bool) else repr(v)
    return {name: ["cell", [text(row.get(name)) for row in rows]] for name in rows[0]}


def duckdb_files():
    import duckdb

    con = duckdb.connect()
    con.execute("SET TimeZone='UTC'")
    flat = table(FLAT, 2100)
    nested = table({n: k for n, k in NESTED.items() if n != "fx"}, 2100)
    con.register("flat", flat)
    con.register("nested", nested)
    con.execute(
        """CREATE TABLE extra AS SELECT i::INTEGER i, (i * 1000000007)::HUGEINT h, uuid() u, (i / 3)::DECIMAL(9, 3) d,
        TIMESTAMP '2024-01-01' + to_hours(i::INTEGER) t,
        TIMESTAMPTZ '2024-01-01 00:00:00+02' + to_minutes(i::INTEGER) z,
        CASE WHEN i % 3 = 0 THEN NULL ELSE ['a', 'b', 'c'][i % 3 + 1] END::ENUM('a', 'b', 'c') e, encode('b' || i) b,
        to_days(i::INTEGER) v, {'x': i, 'y': 'r' || i} s, [i, i + 1] l, MAP {'k': i} m, (i % 2)::BIT bits,
        TIME '01:02:03' tm
        FROM range(3000) r(i)"""
    )

    def back(path):
        return con.sql(f"SELECT * FROM read_parquet('{path}')").to_arrow_table()

    for name, codec, version in itertools.product(
        ["flat", "nested", "extra"], ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4_raw"], ["V1", "V2"]
    ):
        put(
            f"duckdb-{name}-{codec}-{version}.parquet",
            lambda path: con.execute(
                f"COPY {name} TO '{path}' (FORMAT parquet, CODEC '{codec}', PARQUET_VERSION {version},"
                "ROW_GROUP_SIZE 2048)"
            ),
            back,
        )
    put(
        "duckdb-strings.parquet",
        lambda path: con.execute(
            f"COPY extra TO '{path}' (FORMAT parquet, STRING_DICTIONARY_PAGE_SIZE_LIMIT 1, DICTIONARY_SIZE_LIMIT 1)"
        ),
        back,
    )
    plain = "SELECT n, i32, f64, yes, trim(replace(text, 'NA', 'na')) \"text\", \"day\", us FROM flat"
    for sep, quote, nulls in itertools.product([",", ";", "\\t", "|"], ["", ", FORCE_QUOTE *"], ["", "NULL"]):
        name = {",": "comma", ";": "semicolon", "\\t": "tab", "|": "bar"}[sep]
        put(
            f"duckdb-{name}-{'quoted' if quote else 'bare'}-{nulls or 'empty'}.csv",
            lambda path: con.execute(
                f"COPY ({plain}) TO '{path}' (FORMAT csv, DELIMITER '{sep}', HEADER, NULLSTR '{nulls}'{quote})"
            ),
            lambda path: read_csv(path, sep.replace("\\t", "\t"), nulls),
        )
    put(
        "duckdb-gz.csv.gz",
        lambda path: con.execute(f"COPY ({plain}) TO '{path}' (FORMAT csv, HEADER, COMPRESSION gzip)"),
        lambda path: read_csv(path, ","),
    )
    put(
        "duckdb.jsonl",
        lambda path: con.execute(f"COPY ({plain}) TO '{path}' (FORMAT json)"),
        lambda path: json_rows(map(json.loads, open(path))),
    )
    put(
        "duckdb-array.json",
        lambda path: con.execute(f"COPY ({plain}) TO '{path}' (FORMAT json, ARRAY true)"),
        lambda path: json_rows(json.load(open(path))),
    )


def pandas_frame():
    t = table({n: FLAT[n] for n in ("i32", "f64", "text", "day", "us", "yes")}, 400, "none")
    df = t.to_pandas()
    df["f64"] = [round(v, 3) if abs(v) < 1e9 else 0.5 for v in df["f64"]]  # what JSON and workbooks of pandas hold
    df["text"] = [v.replace("NA", "na").replace("\n", " ").strip() for v in df["text"]]
    df["day"] = df["day"].map(lambda v: v.isoformat())
    return df


def pandas_files():
    import pandas as pd

    df = pandas_frame()
    for sep, quoting in itertools.product(
        [",", ";", "\t", "|"], [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]
    ):
        name = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}[sep]
        put(
            f"pandas-{name}-{quoting}.csv",
            lambda path: df.to_csv(path, sep=sep, quoting=quoting, index=False),
            lambda path: read_csv(path, sep),
        )
    for end, mark in [("\r\n", "utf-8"), ("\n", "utf-8-sig"), ("\r\n", "utf-16"), ("\n", "cp1252")]:
        some = (
            df.assign(text=df["text"].map(lambda v: v.encode("cp1252", "replace").decode("cp1252")))
            if mark == "cp1252"
            else df
        )
        put(
            f"pandas-{mark}-{len(end)}.csv",
            lambda path: some.to_csv(path, index=False, lineterminator=end, encoding=mark),
            lambda path: read_csv(path, ",", encoding=mark),
        )
    for packed in ["gzip", "zip", "zstd"]:
        ending = {"gzip": "gz", "zip": "zip", "zstd": "zst"}[packed]
        put(
            f"pandas.csv.{ending}",
            lambda path: df.to_csv(path, index=False, compression=packed),
            lambda path: read_csv_of(df),
        )
    for orient in ["records", "index", "columns", "values", "split", "table"]:
        put(
            f"pandas-{orient}.json",
            lambda path: df[["i32", "f64", "text"]].to_json(
                path, orient=orient, double_precision=15, index=False if orient in ("split", "table") else None
            ),
            lambda path: json_frame(df[["i32", "f64", "text"]], orient),
        )
    put(
        "pandas.jsonl",
        lambda path: df[["i32", "f64", "text"]].to_json(path, orient="records", lines=True, double_precision=15),
        lambda path: json_rows(map(json.loads, open(path))),
    )
    df["us"] = df["us"].map(lambda v: v if v.year > 1905 else pd.Timestamp("2001-02-03"))  # workbooks begin in 1900
    for engine in ["openpyxl", "xlsxwriter"]:
        put(
            f"pandas-{engine}.xlsx",
            lambda path: df.to_excel(path, index=False, engine=engine),
            lambda path: frame(pd.read_excel(path, dtype={"text": str}, keep_default_na=False)),
        )
        put(
            f"pandas-{engine}-index.xlsx",
            lambda path: df.to_excel(path, engine=engine),
            lambda path: frame(
                pd.read_excel(path, dtype={"text": str}, keep_default_na=False).rename(
                    columns={"Unnamed: 0": "column 1"}
                )
            ),
        )
    for codec in ["snappy", "gzip", "brotli", "zstd", None]:
        put(f"pandas-pyarrow-{codec}.parquet", lambda path: df.to_parquet(path, compression=codec), pq.read_table)


def read_csv_of(df):
    return read_csv_text(df.to_csv(index=False))


def read_csv_text(text):
    rows = [row for row in csv.reader(io.StringIO(text)) if row]
    return {name: ["cell", [row[i] or None for row in rows[1:]]] for i, name in enumerate(rows[0])}


def json_frame(df, orient):
    out = frame(df)
    if orient == "values":
        return {f"column {i + 1}": v for i, v in enumerate(out.values())}
    return out


def frame(df):
    import pandas as pd

    def text(v):
        if v is None or v is pd.NaT or v is pd.NA or isinstance(v, float) and v != v:
            return None
        if isinstance(v, (bool,)) or type(v).__name__ == "bool_" or type(v).__name__ == "bool":
            return str(bool(v)).lower()
        if hasattr(v, "isoformat"):
            stamp = v.isoformat()
            stamp = stamp.rstrip("0") if "." in stamp else stamp
            return stamp[:10] if stamp.endswith("T00:00:00") else stamp
        return v if isinstance(v, str) else repr(float(v)) if isinstance(v, float) else str(v)

    return {str(name): ["loose", [text(v) for v in df[name].tolist()]] for name in df.columns}


def fastparquet_files():
    import fastparquet
    import pandas as pd

    df = pandas_frame().drop(columns=["us"])
    df["cat"] = pd.Categorical(["a", "b", None, "c"] * 100)
    df["opt"] = pd.array([1, None, 3, 4] * 100, dtype="Int32")
    df["flt"] = [1.5, float("nan"), -2, 0] * 100
    df["at"] = pd.date_range("1969-12-31 23:59:50", periods=400, freq="37s").astype("datetime64[us]")
    for codec, times, nulls in itertools.product(
        [None, "SNAPPY", "GZIP", "BROTLI", "ZSTD", "LZ4_RAW"], ["int64", "int96"], [True]
    ):
        put(
            f"fastparquet-{codec}-{times}.parquet",
            lambda path: fastparquet.write(
                path,
                df,
                compression=codec,
                times=times,
                has_nulls=nulls,
                row_group_offsets=150,
                write_index=False,
                object_encoding="utf8",
            ),
            lambda path: frame(fastparquet.ParquetFile(path).to_pandas()),
        )


for make in [pyarrow_parquet, pyarrow_ipc, polars_files, duckdb_files, pandas_files, fastparquet_files]:
    try:
        make()
    except ImportError as problem:
        made.append({"file": make.__name__, "skipped": str(problem)})
with open(os.path.join(FOLDER, "python.json"), "w") as f:
    json.dump(made, f)
