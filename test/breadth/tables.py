"""Tables of many types, and what their cells are as texts."""

import datetime as d
import decimal
import random
import uuid

import pyarrow as pa
import pyarrow.compute as pc

WORDS = [
    "red",
    "",
    "grün",
    "  spaced ",
    'say "yes"',
    "a,b;c",
    "two\nlines",
    "漢字🙂",
    "x" * 300,
    "NA",
    "0012",
    "1.50",
    "é" * 40,
]


def values(kind, n, nulls, seed):
    """Returns n values of a type: extremes first, then at random. Nulls are none, some, all, or the first 600."""
    r = random.Random(f"{kind} {n} {nulls} {seed}")
    missing = {
        "none": lambda i: False,
        "some": lambda i: r.random() < 0.2,
        "all": lambda i: True,
        "first": lambda i: i < 600,
    }[nulls]
    return [None if missing(i) else one(kind, i, r) for i in range(n)]


def one(kind, i, r):
    if pa.types.is_boolean(kind):
        return r.random() < 0.5
    if pa.types.is_integer(kind):
        lo, hi = (
            (0, 2**kind.bit_width - 1)
            if str(kind)[0] == "u"
            else (-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1)
        )
        return [lo, hi, 0, 1][i] if i < 4 else r.randint(lo, hi) if i % 2 else r.randint(max(lo, -9), 9)
    if pa.types.is_float16(kind):
        return r.randint(-2000, 2000) / 16
    if pa.types.is_float32(kind):
        return (
            [0.0, -1.5, 3.4028234663852886e38, 1.401298464324817e-45][i]
            if i < 4
            else r.randint(-(2**23), 2**23) / 1024
        )
    if pa.types.is_float64(kind):
        return [0.0, -0.1, 1.7976931348623157e308, 5e-324][i] if i < 4 else r.gauss(0, 10.0 ** r.randint(-9, 9))
    if pa.types.is_decimal(kind):
        most = 10**kind.precision - 1
        digits = [most, -most, 0][i] if i < 3 else r.randint(-most, most)
        return decimal.Decimal(digits).scaleb(-kind.scale, decimal.Context(prec=100))
    if pa.types.is_date32(kind) or pa.types.is_date64(kind):
        return d.date(1, 1, 1) + d.timedelta(days=r.randint(500000, 900000))
    if pa.types.is_timestamp(kind):
        units = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        return [0, -1, 1][i] if i < 3 else r.randint(-3 * 10**9 * units, 3 * 10**9 * units)
    if pa.types.is_time(kind):
        units = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        return r.randint(0, 86400 * units - 1)
    if pa.types.is_duration(kind):
        return r.randint(-(10**9), 10**9)
    if pa.types.is_dictionary(kind) and not pa.types.is_string(kind.value_type):
        return one(kind.value_type, r.randrange(4), random.Random(r.randrange(4)))
    if pa.types.is_dictionary(kind):
        return r.choice(["low", "middle", "high", "größt"])
    if kind == pa.binary(16):
        return uuid.UUID(int=r.getrandbits(128)).bytes
    if pa.types.is_fixed_size_binary(kind):
        return bytes(r.choice(b"abcdef") for _ in range(kind.byte_width))
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or str(kind) == "binary_view":
        return bytes([255, i % 256, 0, r.randrange(256)])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [one(kind.value_type, 9 + k, r) for k in range(3)]
    if pa.types.is_fixed_size_list(kind):
        return [None if r.random() < 0.1 else one(kind.value_type, 9 + k, r) for k in range(kind.list_size)]
    if pa.types.is_struct(kind):
        return {f.name: None if r.random() < 0.2 else one(f.type, i, r) for f in kind}
    if pa.types.is_map(kind):
        return [("k", one(kind.item_type, i, r))]
    return r.choice(WORDS) + (str(i) if i % 3 == 0 else "")


FLAT = {
    "i8": pa.int8(),
    "i16": pa.int16(),
    "i32": pa.int32(),
    "i64": pa.int64(),
    "u8": pa.uint8(),
    "u16": pa.uint16(),
    "u32": pa.uint32(),
    "u64": pa.uint64(),
    "f32": pa.float32(),
    "f64": pa.float64(),
    "yes": pa.bool_(),
    "text": pa.string(),
    "large": pa.large_string(),
    "dec9": pa.decimal128(9, 2),
    "dec18": pa.decimal128(18, 3),
    "dec38": pa.decimal128(38, 10),
    "day": pa.date32(),
    "day64": pa.date64(),
    "s": pa.timestamp("s"),
    "ms": pa.timestamp("ms"),
    "us": pa.timestamp("us"),
    "ns": pa.timestamp("ns"),
    "zone": pa.timestamp("us", "America/New_York"),
    "t32": pa.time32("ms"),
    "t64": pa.time64("us"),
    "word": pa.dictionary(pa.int32(), pa.string()),
    "blob": pa.binary(),
}
MORE = {  # of Arrow and Parquet, which other programs do not all have
    "f16": pa.float16(),
    "dec76": pa.decimal256(76, 20),
    "t32s": pa.time32("s"),
    "t64ns": pa.time64("ns"),
    "dur": pa.duration("ms"),
    "code": pa.binary(3),
    "lblob": pa.large_binary(),
    "word8": pa.dictionary(pa.int8(), pa.string()),
}
NEW = {  # of Arrow alone
    "view": pa.string_view(),
    "bview": pa.binary_view(),
    "dec32": pa.decimal32(7, 2),
    "dec64": pa.decimal64(15, 4),
    "uword": pa.dictionary(pa.uint16(), pa.large_string()),
    "nword": pa.dictionary(pa.int16(), pa.string()),
}
DEEP = {  # of Arrow, nested in other ways
    "negative": pa.decimal128(7, -3),
    "di": pa.dictionary(pa.int8(), pa.int64()),
    "dts": pa.dictionary(pa.int16(), pa.timestamp("ms", "UTC")),
    "dd": pa.dictionary(pa.int32(), pa.decimal128(9, 2)),
    "lw": pa.list_(pa.dictionary(pa.int8(), pa.string())),
    "lu": pa.list_(pa.decimal256(40, 3)),
    "sw": pa.struct(
        [("w", pa.dictionary(pa.int8(), pa.string())), ("v", pa.string_view()), ("l", pa.list_(pa.date32()))]
    ),
    "fs": pa.list_(pa.struct([("x", pa.float32()), ("s", pa.struct([("t", pa.large_string())]))]), 2),
    "sf": pa.struct([("f", pa.list_(pa.int16(), 2)), ("g", pa.struct([("h", pa.list_(pa.timestamp("us")))]))]),
    "lv": pa.large_list(pa.string_view()),
    "lt": pa.list_(pa.time64("us")),
}
NESTED = {
    "st": pa.struct(
        [
            ("text", pa.string()),
            ("n", pa.float64()),
            ("yes", pa.bool_()),
            ("dec", pa.decimal128(12, 2)),
            ("at", pa.timestamp("ms")),
            ("deep", pa.struct([("text", pa.string()), ("i", pa.int32())])),
        ]
    ),
    "li": pa.list_(pa.int32()),
    "lf": pa.list_(pa.float32()),
    "lt": pa.list_(pa.string()),
    "ll": pa.large_list(pa.int64()),
    "lb": pa.list_(pa.bool_()),
    "ld": pa.list_(pa.decimal128(10, 1)),
    "fx": pa.list_(pa.float64(), 4),
    "ls": pa.list_(pa.struct([("a", pa.int32()), ("b", pa.string())])),
    "map": pa.map_(pa.string(), pa.int32()),
    "lol": pa.list_(pa.list_(pa.int32())),
    "sl": pa.struct([("v", pa.list_(pa.float64())), ("w", pa.string())]),
}


def table(kinds, n, nulls="some", seed=0):
    columns = {"n": pa.array(range(n), pa.int32())}
    for name, kind in kinds.items():
        some = values(kind, n, nulls, seed + len(columns))
        if pa.types.is_dictionary(kind) and not pa.types.is_string(kind.value_type):
            columns[name] = pa.array(some, kind.value_type).dictionary_encode()
        else:
            columns[name] = pa.array(some, kind)
    return pa.table(columns)


def instant(n, unit):
    """A date as the library writes it: to the microsecond, without zeros at the end."""
    units = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    seconds, rest = divmod(n, units)
    micro = rest * 10**6 // units
    text = (d.datetime(1970, 1, 1) + d.timedelta(seconds=seconds)).isoformat()
    return text + (f".{micro:06d}".rstrip("0") if micro else "")


def cells(t, skip=()):
    """The columns of a table of Arrow that can be used: { name: [kind, texts] }."""
    out = {}
    for name in t.column_names:
        if name not in skip:
            column = t[name]
            if pa.types.is_dictionary(column.type):  # whose chunks may have dictionaries of their own
                kind = column.type.value_type
                column = pa.chunked_array([part.dictionary_decode() for part in column.chunks], kind)
            column = column.combine_chunks()
            flatten(out, name, column.type, column, None)
    return out


def flatten(out, name, kind, array, lists):
    types = pa.types
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], kind)
    if isinstance(kind, pa.BaseExtensionType):
        if kind.extension_name == "arrow.uuid":
            out[name] = ["text", [None if v is None else str(v) for v in array.to_pylist()]]
            return
        array, kind = array.storage, kind.storage_type
    if types.is_dictionary(kind):
        return flatten(out, name, kind.value_type, array.dictionary_decode(), lists)
    if types.is_struct(kind):
        for i, f in enumerate(kind):
            flatten(out, f"{name}.{f.name}", f.type, array.flatten()[i], lists)
        return
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        rows = array.to_pylist()
        widths = {len(v) for v in rows if v is not None}
        if types.is_fixed_size_list(kind):
            widths = {kind.list_size}
        if (
            lists
            or len(widths) != 1
            or widths == {0}
            or types.is_nested(kind.value_type)
            and not types.is_struct(kind.value_type)
        ):
            return
        for k in range(widths.pop()):
            whole = array if isinstance(array, pa.Array) else array.combine_chunks()
            parts = pc.list_element(whole, k)
            inner = {}
            flatten(inner, "", kind.value_type, parts, True)
            for below, value in inner.items():
                out[f"{name}{below}[{k}]"] = value
        return
    value = leaf(kind, array)
    if value:
        out[name] = value


def leaf(kind, array):
    types = pa.types
    if types.is_timestamp(kind):
        return ["text", [None if v is None else instant(v, kind.unit) for v in array.cast(pa.int64()).to_pylist()]]
    if types.is_time(kind) or types.is_duration(kind):
        units = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        width = pa.int32() if types.is_time32(kind) else pa.int64()
        return ["number", [None if v is None else repr(v / units) for v in array.cast(width).to_pylist()]]
    if types.is_boolean(kind):
        return ["exact", [None if v is None else str(v).lower() for v in array.to_pylist()]]
    if types.is_floating(kind):
        return ["number", [None if v is None or v != v else repr(float(v)) for v in array.to_pylist()]]
    if types.is_integer(kind):
        return ["exact", [None if v is None else str(v) for v in array.to_pylist()]]
    if types.is_decimal(kind):
        return ["exact", [None if v is None else format(v, "f") for v in array.to_pylist()]]
    if types.is_date(kind):
        return ["text", [None if v is None else v.isoformat() for v in array.to_pylist()]]
    if types.is_null(kind):
        return ["text", array.to_pylist()]
    if types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view":
        return ["text", array.to_pylist()]
    if (
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or str(kind) == "binary_view"
    ):
        found = [v for v in array.to_pylist() if v is not None]
        if not all(v.isascii() and not any(b < 32 for b in v) for v in found):
            return None
        return ["text", [None if v is None else v.decode() for v in array.to_pylist()]]
    return None
