# Writes the workbooks of xlsx_test.go with openpyxl: python3 workbook.py FOLDER (openpyxl 3.0.9 made those that are here).
import datetime as d, sys
import openpyxl

def book(epoch):
    w = openpyxl.Workbook()
    w.epoch = epoch
    s = w.active
    s.title = "Rows"
    s.append(["width", "kind", "day", "at", "yes", "own"])
    for i in range(6):
        s.append([i + .5, "a & b" if i % 2 else "c\nd", d.date(2024, 2, 27 + i) if i < 3 else d.date(1999, 12, 31),
                  d.datetime(2024, 5, 6, 7, 8, 9, 500000), i % 2 == 0, 44000 + i])
        s.cell(i + 2, 6).number_format = '[$-409]"h"0.0'
    s["B4"] = "=1/0"
    s["B4"].data_type = "e"
    s["B4"].value = "#DIV/0!"
    s["F9"] = 1234567.25
    s["A9"] = "x"
    s["A12"] = -1.5e-7
    w.create_sheet("Other").append(["not", "this"])
    return w

book(openpyxl.utils.datetime.WINDOWS_EPOCH).save(sys.argv[1] + "/openpyxl-1900.xlsx")
book(openpyxl.utils.datetime.MAC_EPOCH).save(sys.argv[1] + "/openpyxl-1904.xlsx")
