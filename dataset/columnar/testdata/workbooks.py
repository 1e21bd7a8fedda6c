# Writes the workbooks of XlsxWriter in xlsx_test.go: python3 workbooks.py FOLDER (XlsxWriter 3.0.2 made what is here).
import datetime as d, sys
import xlsxwriter


def book(name, options):
    w = xlsxwriter.Workbook(sys.argv[1] + "/" + name, options)
    w.set_properties({"created": d.datetime(2026, 1, 1)})
    s, other = w.add_worksheet("Rows"), w.add_worksheet("Other")
    other.activate()
    other.write_row(0, 0, ["not", "this"])
    day, at, percent = (w.add_format({"num_format": f}) for f in ["dd.mm.yyyy", "yyyy\\-mm\\-dd hh:mm:ss.000", "0.0%"])
    s.write_row(0, 0, ["name", "size", "day", "at", "open", "sum", "said"])
    for i, name in enumerate(["a & b", "c\nd", "a & b"], 1):
        s.write_string(i, 0, name)
        s.write_number(i, 1, i - .5, percent)
        s.write_datetime(i, 2, d.datetime(2024, 2, 26 + i), day)
        s.write_datetime(i, 3, d.datetime(2024, 5, 6, 7, 8, 9, 500000), at)
        s.write_boolean(i, 4, i % 2 == 1)
        s.write_formula(i, 5, f"=B{i + 1}*2", None, 2 * i - 1)
        s.write_formula(i, 6, f'="x"&A{i + 1}', None, "x" + name)
    s.write_number(5, 1, -1.5e-7)
    s.write_blank(5, 2, None, day)
    s.write_formula(5, 5, "=NA()", None, "#N/A")
    s.write_rich_string(5, 6, "plain, ", w.add_format({"bold": True}), "bold", " and  more ")
    s.write_row(6, 0, [" Zürich 𝕏 ", 1e300])
    s.write_string(6, 6, "_x0041_\x07")
    w.close()


book("xlsxwriter.xlsx", {})
book("xlsxwriter-inline-1904.xlsx", {"constant_memory": True, "date_1904": True})
