"""The rows of docs/formats.md: what the JSON of a preprocessing makes of a CSV
table, written from that page alone, with Python's standard library.

    python3 preprocessing.py <cases.jsonl >answers.jsonl

A case is a line of JSON: "preprocessing", the object of a model file, and "file",
the bytes of the table in base64. The answer has "rows", lists of float32 coordinates;
null is NaN.
"""

import base64
import calendar
import csv
import datetime
import io
import json
import math
import re
import sys
import unicodedata
from tensorsketch import float32

# How a table is read whose preprocessing, of version 1, does not say it.
PLAIN = {"encoding": "utf-8", "delimiter": ",", "quote": '"', "decimal": ".", "thousands": "", "header": True, "dates": "iso"}
CURRENCIES = "".join(c for c in map(chr, range(sys.maxunicode)) if unicodedata.category(c) == "Sc")
SPACES = " \u00a0\u202f\u2009"
THOUSANDS = {"": "(?!)", ".": "[.]", ",": ",", " ": f"[{SPACES}]", "'": "['\u2019]"}
MISSING = set("""na n/a n.a. #n/a #na nan -nan nat null <null> (null) nil none <na> \\n ? - -- \u2013 \u2014 . ..
    1.#ind -1.#ind 1.#qnan -1.#qnan #null! #div/0! #value! #ref! #name? #num! unknown missing""".split()) | {
        "", "#n/a n/a", "not available", "no data"}
MONTHS = [name.lower() for name in calendar.month_name]
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Dropped(Exception):
    """The row is passed over."""


def murmur3(text, seed):
    """MurmurHash3_x86_32 of the UTF-8 of a text, signed."""
    data, h = text.encode(), seed

    def rotate(v, bits):
        return (v << bits | v >> 32 - bits) & 0xFFFFFFFF

    def mix(k):
        return rotate(k * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF

    whole = len(data) // 4 * 4
    for i in range(0, whole, 4):
        h = rotate(h ^ mix(int.from_bytes(data[i : i + 4], "little")), 13) * 5 + 0xE6546B64 & 0xFFFFFFFF
    h ^= mix(int.from_bytes(data[whole:], "little")) ^ len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    h ^= h >> 16
    return h - 2**32 if h >= 2**31 else h


def add_token(row, token, seed):
    h = murmur3(token, seed)
    row[abs(h) % len(row)] += -1 if h < 0 else 1


def lower(text):
    return "".join(c.lower()[0] for c in text)  # only İ has more than one: the simple mapping is its first


def words(text):
    kept = (c if c == "_" or unicodedata.category(c)[0] in "LN" else " " for c in text)
    return [run for run in "".join(kept).split(" ") if len(run) > 1]


def successive(items, shortest, longest, joint):
    for n in range(shortest, longest + 1) if shortest else []:
        for i in range(len(items) - n + 1):
            yield joint.join(items[i : i + n])


def finite(text):
    if not math.isfinite(float(text)):
        raise Dropped
    return float(text)


def number(cell, reading, measure=""):
    """The number of a cell, whose unit may be the measure, or None where it is missing."""
    if cell.lower() in MISSING:
        return None
    if cell.lower() in ("true", "false"):
        return float(cell.lower() == "true")
    point, exponent = re.escape(reading["decimal"]), "([eE][-+]?[0-9]+)?"
    if re.fullmatch(f"[-+]?([0-9]+({point}[0-9]*)?|{point}[0-9]+){exponent}", cell):
        return finite(cell.replace(reading["decimal"], "."))
    if len(cell.encode()) > 64:
        raise Dropped
    is_sign = re.fullmatch(f"[{CURRENCIES}%]", measure)
    measured = measure and not is_sign and (cell.strip(SPACES).endswith(measure) or cell.strip(SPACES).startswith(measure))
    if measured:
        cell = cell.strip(SPACES)
        cell = cell[: -len(measure)] if cell.endswith(measure) else cell[len(measure) :]
    space, separator = f"[{SPACES}]*", THOUSANDS[reading["thousands"]]
    whole = f"[0-9]{{1,3}}(?:{separator}[0-9]{{3}})+|[0-9]*"
    cell = cell.strip(SPACES)
    inside = re.fullmatch(f"([{CURRENCIES}]?){space}[(]{space}(.+?){space}[)]", cell)
    if inside and not re.search("[-+\u2212]", inside.group(2).split("e")[0].split("E")[0]):
        cell = "-" + inside.group(1) + inside.group(2)
    match = re.fullmatch(
        f"([-+\u2212]?){space}([{CURRENCIES}]?){space}([-+\u2212]?){space}({whole})((?:{point}[0-9]*)?{exponent}){space}([{CURRENCIES}%]?)", cell.strip(SPACES))
    if not match:
        raise Dropped
    first, before, second, digits, rest, power, after = match.groups()
    digits, rest = re.sub("[^0-9]", "", digits), rest.replace(reading["decimal"], ".")
    if (first and second) or (before and after) or (after == "%" and power) or not re.search("[0-9]", digits + rest.split("e")[0]):
        raise Dropped
    sign = before or after or inside and inside.group(1)
    if measure and not measured and sign and sign != measure:
        raise Dropped
    minus = "-" if first + second in ("-", "\u2212") else ""
    return finite(minus + digits + rest + ("e-2" if after == "%" else ""))


def day_of(cell, dates):
    """Year, month and day of a date, the text of its time or None, and whether that may be as clocks say it."""
    match = re.fullmatch("([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T](.*))?", cell)
    if match:
        return *map(int, match.group(1, 2, 3)), match.group(4), False
    time = "(?:,?[ T](.*))?"
    match = re.fullmatch("([0-9]{4})([/.])([0-9]{1,2})\\2([0-9]{1,2})" + time, cell)
    if match:
        return *map(int, match.group(1, 3, 4)), match.group(5), True
    match = re.fullmatch("([0-9]{1,2})([./-])([0-9]{1,2})\\2([0-9]{4})" + time, cell)
    if match and dates != "iso":
        day, month = map(int, match.group(1, 3) if dates == "day-month-year" else match.group(3, 1))
        return int(match.group(4)), month, day, match.group(5), True
    name, gap = "([A-Za-z]+)[.]?", ",?(?:[-/]| *)"
    weekday = re.match(name + gap, cell)
    if weekday and len(letters := weekday.group(1).lower()) >= 3 and letters in (
            word[:n] for word in map(str.lower, calendar.day_name) for n in (3, len(word))):
        cell = cell[weekday.end() :]
    match = re.fullmatch(f"{name}{gap}([0-9]{{1,2}})(?![0-9]){gap}([0-9]{{4}}){time}", cell)
    if match:
        month, day, year, rest = match.groups()
    elif match := re.fullmatch(f"([0-9]{{4}})([/-]){name}\\2([0-9]{{1,2}}){time}", cell):
        year, _, month, day, rest = match.groups()
    else:
        match = re.fullmatch(f"([0-9]{{1,2}}){gap}{name}{gap}([0-9]{{4}}){time}", cell)
        if not match:
            raise Dropped
        day, month, year, rest = match.groups()
    month = month.lower()
    for i, word in enumerate(MONTHS):
        if word and month in (word, word[:3], "sept" if word == "september" else word):
            return int(year), i, int(day), rest, True
    raise Dropped


def seconds(cell, reading):
    """The seconds since 1970 of a date, or None where it is missing."""
    if cell.lower() in MISSING:
        return None
    year, month, day, time, clock = day_of(cell, reading["dates"])
    zone = " ?(Z|(?i:UTC|GMT)|[-+][0-9]{2}(?::?[0-9]{2})?)"
    digits, half = ("{1,2}", "(?: ?([AaPp])[Mm]$)?") if clock else ("{2}", "()")
    match = re.fullmatch(f"([0-9]{digits}):([0-9]{{2}})(?::([0-9]{{2}})(?:[.]([0-9]+))?)?{half}(?:{zone})?", time or "00:00")
    if not match:
        raise Dropped
    hour, minute, second, part, half, zone = match.groups()
    hour = int(hour)
    if half:
        if not 1 <= hour <= 12:
            raise Dropped
        hour = hour % 12 + 12 * (half in "Pp")
    try:
        day = datetime.datetime(year, month, day, hour, int(minute), int(second or 0), int((part or "")[:6].ljust(6, "0")), datetime.timezone.utc)
    except ValueError:
        raise Dropped from None
    if zone and zone[0] in "+-":
        hours, minutes = int(zone[1:3]), int(zone[3:].strip(":") or 0)
        if hours > 23 or minutes > 59:
            raise Dropped
        return (day - EPOCH) / datetime.timedelta(seconds=1) - int(zone[0] + "1") * (3600 * hours + 60 * minutes)
    return (day - EPOCH) / datetime.timedelta(seconds=1)


def passed(part, time):
    """How much of the year, the week or the day has passed."""
    day = time.replace(hour=0, minute=0, second=0, microsecond=0)
    start, length = day, datetime.timedelta(days=1)
    if part == "week":
        start, length = day - datetime.timedelta(days=day.weekday()), datetime.timedelta(days=7)
    if part == "year":
        start = day.replace(month=1, day=1)
        length = datetime.timedelta(days=365 + calendar.isleap(start.year))
    return (time - start) / length


def scaled(x, column):
    return x if column["scaling"] == "none" else (x - column["center"]) / column["scale"]


def number_of(cell, decimal):
    """The number that a cell spells plainly, without leading zeros, or true or false; with leading zeros "code"."""
    if cell.lower() in ("true", "false"):
        return cell.lower()
    point = re.escape(decimal)
    if not re.fullmatch(f"[-+]?([0-9]+({point}[0-9]*)?|{point}[0-9]+)([eE][-+]?[0-9]+)?", cell):
        return None
    if re.match("[-+]?0[0-9]", cell):
        return "code"
    x = float(cell.replace(decimal, "."))
    return x if abs(x) < 2**53 else None


def category(cell, values, reading):
    """The place of a value: the one that the cell spells, else the one of the same number."""
    if cell in values:
        return values.index(cell)
    numbers = [number_of(value, ".") for value in values]
    x = number_of(cell, reading["decimal"])
    if x not in numbers:
        x = {"true": 1, "false": 0, 1: "true", 0: "false"}.get(x)
    if "code" in numbers or x in (None, "code") or x not in numbers:
        return None
    shortest = x if isinstance(x, str) else str(int(x)) if x == int(x) else repr(x)
    return values.index(shortest) if shortest in values else numbers.index(x)


def coordinates(column, cell, reading):
    """The coordinates of one cell, in float64."""
    role, missing, cell = column["role"], column.get("missing"), cell.strip()
    if role in ("label", "keep"):
        return []
    if role == "words":
        row, text = [0] * column["width"], lower(cell)
        for token in successive(words(text), *column["words"], " "):
            add_token(row, token, 0)
        for token in successive(" ".join(text.split()), *column["chars"], ""):
            add_token(row, token, 1)
        norm = math.sqrt(sum(v * v for v in row)) if column.get("unit") else 0
        return [v / norm for v in row] if norm > 0 else row
    if role == "category":
        hashed = column["encoding"] == "hashed"
        rest, empty = column.get("other", False), column.get("empty", False)
        row = [0] * (column["width"] if hashed else len(column["values"]) + rest + empty)
        if cell == "":
            if missing != "zero":
                raise Dropped
            if empty:
                row[-1] = 1
            elif rest:
                row[len(column["values"])] = 1
        elif hashed:
            add_token(row, cell, 0)
        else:
            place = category(cell, column["values"], reading)
            if place is not None:
                row[place] = 1
            elif rest:
                row[len(column["values"])] = 1
        return row
    x = number(cell, reading, column.get("measure", "")) if role == "number" else seconds(cell, reading)
    if x is None and missing in ("mean", "constant"):
        x = column["fill"]
    if x is None and missing == "nan":
        parts = column.get("parts", ["days"])
        return [v for part in parts for v in ([math.nan] if part == "days" else [0, 0])]
    if x is None and missing != "zero":
        raise Dropped
    if role == "number":
        return [scaled(x or 0, column)]
    if x is None:
        return [0] * sum(1 if part == "days" else 2 for part in column["parts"])
    row, time = [], EPOCH + datetime.timedelta(seconds=x)
    for part in column["parts"]:
        if part == "days":
            row.append(scaled(x / 86400, column))
        else:
            angle = 2 * math.pi * passed(part, time)
            row += [math.sin(angle), math.cos(angle)]
    return row


def text_of(data, encoding):
    if encoding == "windows-1252":  # Python leaves five bytes out
        return "".join(bytes([b]).decode("cp1252", "ignore") or chr(b) for b in data)
    return data.decode("utf-8-sig" if encoding == "utf-8" else encoding)


MARKS = "\ufeff\u200b\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def trimmed(cell):
    """A cell without invisible marks at its ends; white space inside of them stays."""
    return cell.strip(MARKS)


def cells_of(data, reading):
    """The rows of a table, by name of their columns."""
    text = text_of(data, reading["encoding"])
    if reading["header"]:
        text = re.sub('^"?(?i:sep)=[,;\t| ]"?\r?\n', "", text)
    lines = text.split("\n")[reading.get("skip", 0):]
    if reading.get("comment"):
        lines = [line for line in lines if not line.lstrip(" \t").startswith(reading["comment"])]
    if reading["delimiter"] == " ":
        lines = [" ".join(line.split()) for line in lines]
    quotes = {"quotechar": reading["quote"]} if reading["quote"] else {"quoting": csv.QUOTE_NONE}
    if reading["quote"] == '\\"':
        quotes = {"quotechar": '"', "escapechar": "\\", "doublequote": False}
    text = "\n".join(lines)
    table = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=reading["delimiter"],
                                       skipinitialspace=True, **quotes) if row]
    names = [f"column {i + 1}" for i in range(len(table[0]))]
    if reading["header"]:
        names = [trimmed(name.strip()).strip() for name in table.pop(0)]
        if names[0].startswith("#") and not names[0].startswith("# of "):
            names[0] = names[0][1:].strip() or names[0]
    if reading.get("rownames"):
        names.insert(0, "column 1")
    return [dict(zip(names, map(trimmed, row))) for row in table if len(row) == len(names)]


def rows(preprocessing, file):
    assert preprocessing["format"] == "tensorsketch-preprocessing" and preprocessing["version"] in (1, 2, 3, 4)
    reading = preprocessing.get("reading", PLAIN)
    for cells in cells_of(base64.b64decode(file), reading):
        try:
            row = [float32(v) for c in preprocessing["columns"] for v in coordinates(c, cells.get(c["name"], ""), reading)]
        except Dropped:
            continue
        norm = math.sqrt(sum(v * v for v in row))
        if preprocessing["unitNorm"] and norm > 0:
            row = [float32(v / norm) for v in row]
        yield row


if __name__ == "__main__":
    for line in sys.stdin:
        case = json.loads(line)
        answer = [[None if math.isnan(v) else v for v in row] for row in rows(**case)]
        print(json.dumps({"rows": answer}), flush=True)
