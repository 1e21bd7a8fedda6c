"""DuckDB for Python runs the statements of docs/sql.md: python duckdb.py PAGE FOLDER EXAMPLES.

FOLDER has t.csv and start.tsm, and EXAMPLES core.py.
"""

import hashlib
import re
import resource
import sys
import time

sys.path.pop(0)  # this file's folder, whose duckdb.py is not the package
page, folder, examples = sys.argv[1:]
sys.path.insert(0, examples)
import duckdb  # noqa: E402
from core import register_core  # noqa: E402

connection = duckdb.connect(config={"threads": 1})
register_core(connection)


def ask(sql):
    return connection.execute(sql).fetchall()


def digest(text):
    return hashlib.sha256(text.strip().encode()).hexdigest()[:16]


def fails(sql, want):
    try:
        ask(sql)
    except duckdb.Error as e:
        assert re.search(want, str(e)), e
    else:
        raise AssertionError(f"{sql} has no error")


ask(f"CREATE TABLE t AS SELECT i, [a, b, c]::FLOAT[] AS x, y AS label FROM '{folder}/t.csv'")
blocks = re.findall(r"^```sql\n(.*?)^```", open(page).read(), re.M | re.S)
for sql in ";\n".join(blocks).split(";\n"):
    if "['in']" in sql:
        fails(sql, r"labels must be 2, since there are 2 rows.*got 1")
    elif sql.strip():
        rows = ask(sql)
        if sql.strip().startswith("SELECT"):
            print(f"accuracy {rows[0][0]:.3f}")
print("model", digest(ask("SELECT model FROM model")[0][0]))
print("shell", digest(ask(f"""WITH spec AS (SELECT tensorsketch_spec_of(content) AS spec
    FROM read_blob('{folder}/start.tsm')),
  sums AS (SELECT tensorsketch_sums(any_value(spec), list(x), list(label)) AS s FROM t, spec GROUP BY i % 7)
  SELECT tensorsketch_fit(tensorsketch_merge(list(s)), '{{}}') FROM sums""")[0][0]))
fails("SELECT tensorsketch_sums(spec, [[1, 2, 3]], [NULL]) FROM spec", "an item of a list is NULL")
fails("SELECT tensorsketch_predict('', [1, 2, 3]::FLOAT[])", "its first argument is an empty text")
each = ask("""WITH g AS (SELECT i % 3 AS g, list(x) AS xs, list(label) AS ls FROM t GROUP BY g)
  SELECT tensorsketch_spec('{"degree":2,"nComponents":16}', xs, ls) LIKE '%"nComponents":16,"degree":2,%',
    tensorsketch_fit(tensorsketch_sums(tensorsketch_spec('{"nComponents":8}', xs, ls), xs, ls), '{"alpha":7}')
      LIKE '%"alpha":7,%' FROM g""")
assert each == [(True, True)] * 3, each  # the options of every group

n = 100_000
ask(f"""CREATE TABLE wide AS SELECT i,
  [(((i * 7919 + j * 104729) % 2003) / 1001.5 - 1)::FLOAT FOR j IN range(64)] AS x, (i % 3)::VARCHAR AS label
  FROM range({n}) AS r(i)""")
ask("""CREATE TABLE wide_spec AS SELECT tensorsketch_spec('{"nComponents":256,"degree":2,"folds":1,
  "candidates":["polynomial-2"]}', list(x), list(label)) AS spec FROM (FROM wide WHERE i < 400)""")
began = time.perf_counter()
ask("""CREATE TABLE wide_sums AS SELECT tensorsketch_sums(any_value(spec), list(x), list(label)) AS s
  FROM wide, wide_spec GROUP BY i // 5000""")
print(f"# DuckDB in Python, sums, d 64, D 256: {n / (time.perf_counter() - began):.0f} rows/s, "
      f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")
