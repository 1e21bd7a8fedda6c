"""Writes tables by Gnumeric, and what Gnumeric reads back from them: python3 makegnumeric.py FOLDER"""

import csv
import datetime as d
import itertools
import json
import os
import random
import subprocess
import sys

FOLDER = sys.argv[1]
HEAD = ["word", "size", "yes", "day", "at", "double", "large", "gap"]
KINDS = ["cell", "numeric", "cell", "date", "date", "numeric", "cell", "cell"]
RAW = ["cell", "numeric", "cell", "numeric", "numeric", "numeric", "cell", "cell"]  # days are numbers there
WORDS = ["red", "grün", "a,b;c", 'say "no"', "漢字🙂", "two\nlines", "x" * 60, "& <b> 'c'", "-", "#5"]
made = []


def path(file):
    return os.path.join(FOLDER, file)


def convert(*arguments):
    subprocess.run(["ssconvert", *arguments], check=True, capture_output=True)


def table(n, seed):
    """Rows as they are typed: booleans, days and formulas are texts that Gnumeric takes for what they are."""
    r = random.Random(seed)
    rows = []
    for i in range(n):
        at = d.datetime(1950, 1, 1) + d.timedelta(days=r.randrange(40000), seconds=r.randrange(86400) if i % 5 else 0)
        size = r.choice([r.randint(-9, 9), r.gauss(0, 10.0 ** r.randint(-5, 12))])
        row = [r.choice(WORDS), size, r.random() < 0.5, at.date(), at, f"=B{i + 2}*2", f'=IF(B{i + 2}>1,"yes","no")']
        row = [v if j == 0 or r.random() > 0.05 else "" for j, v in enumerate(row)]
        rows.append([str(v).upper() if isinstance(v, bool) else v for v in row] + [["", f"t{i}", "=1/0"][i % 3]])
    return rows


def source(file, head, rows):
    """Writes a CSV for Gnumeric, which takes the delimiter behind a quoted name."""
    with open(path(file), "w", newline="") as f:
        f.write(",".join(f'"{name}"' for name in head) + "\n")
        csv.writer(f).writerows(rows)
    return path(file)


def export(options, file, to):
    convert("-T", "Gnumeric_stf:stf_assistant", "-O", options, file, to)


def put(file, write, sheet=None, sep=None, kinds=KINDS):
    """Writes a file and notes its cells: a text is cut at its delimiter, and Gnumeric exports a workbook again."""
    write(path(file))
    back, isBook = path(file), not sep
    if isBook:
        back, sep = path("back.csv"), ","
        export("eol=unix separator=, quoting-mode=always" + (f" sheet={sheet}" if sheet else ""), path(file), back)
    with open(back, newline="") as f:
        rows = list(csv.reader(f, delimiter=sep))
    columns = {
        name: [kinds[i], [text(row[i], kinds[i], isBook) for row in rows[1:]]] for i, name in enumerate(rows[0])
    }
    made.append({"file": file, "columns": columns})


def text(cell, kind, isBook):
    """A cell as the library shows it. Errors of formulas are missing in workbooks."""
    if not cell or cell == "#DIV/0!" and isBook:
        return None
    if kind == "date" and isBook and cell[4:5] == "/":
        day, _, time = cell.replace("/", "-").partition(" ")
        time = time.rstrip("0").rstrip(".") if "." in time else time
        return f"{day}T{time}" if time.strip("0:") else day
    return cell


for n in [4, 60, 700]:
    typed = source(f"typed-{n}.csv", HEAD, table(n, n))
    other = source("other.csv", ["k", "v"], [[i, i / 8] for i in range(9)])
    for kind in ["xlsx", "xlsx2"]:
        write = ["-T", f"Gnumeric_Excel:{kind}"]
        put(f"gnumeric-{kind}-{n}.xlsx", lambda to: convert(*write, typed, to))
        put(
            f"gnumeric-{kind}-sheets-{n}.xlsx",
            lambda to: convert(*write, f"--merge-to={to}", typed, other),
            sheet=os.path.basename(typed),
        )
    put(f"gnumeric-{n}.csv", lambda to: convert(typed, to), sep=",")
sixty = path("typed-60.csv")
for (name, sign), quoting, form, end in itertools.product(
    {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}.items(),
    ["auto", "always"],
    ["automatic", "raw", "preserve"],
    ["unix", "windows"],
):
    put(
        f"gnumeric-{name}-{quoting}-{form}-{end}.csv",
        lambda to: export(f"separator='{sign}' quoting-mode={quoting} format={form} eol={end}", sixty, to),
        sep=sign,
        kinds=RAW if form == "raw" else KINDS,
    )
OLD, OPEN, XML = "an old workbook (.xls)", "the file is an OpenDocument", "the file is XML"
for exporter, ending, words in [
    ("Excel:excel_biff7", "xls", OLD),
    ("Excel:excel_biff8", "xls", OLD),
    ("OpenCalc:odf", "ods", OPEN),
    ("OpenCalc:openoffice", "ods", OPEN),
    ("XmlIO:sax", "gnumeric", XML),
    ("XmlIO:sax:0", "xml", XML),
    ("dif:dif", "dif", "the file is DIF"),
    ("sylk:sylk", "slk", "the file is SYLK"),
    ("html:html40", "html", "the file is a page in HTML"),
    ("html:html40frag", "html", "the file is a table in HTML"),
    ("html:xhtml", "html", "the file is"),
    ("html:latex", "tex", "the file is LaTeX"),
]:
    file = "gnumeric-" + exporter.replace(":", "-") + "." + ending
    convert("-T", f"Gnumeric_{exporter}", typed, path(file))
    made.append({"file": file, "refused": words})
with open(path("gnumeric.json"), "w") as f:
    json.dump(made, f)
