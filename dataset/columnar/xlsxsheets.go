package columnar

import (
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// headOfWorkbook returns the first rows of a sheet, the header among them.
func headOfWorkbook(name string, f dataset.File, r columns.Reading) (head *dataset.Head, err error) {
	err = guard(name, nowhere, func() {
		w := openWorkbook(&file{f, name})
		entry := w.choose(r.Sheet)
		skip := 0
		if r.Skip != nil {
			skip = *r.Skip
		}
		var s *sheet
		head, s = w.head(entry, skip, headRows)
		if len(head.Rows) == 0 {
			remedy := "choose a workbook with at least one row"
			if others := w.names(entry); others != "" {
				remedy = "set {sheet} to " + others
			}
			refuse("its sheet "+columns.Quoted(entry.name)+" has no rows", remedy)
		}
		head.Sheet, head.Formulas, head.Errors = entry.name, s.formulas, s.errors
		if r.Sheet == "" {
			head.Others, head.Unread = w.names(entry), len(w.sheets)-1
		}
	})
	return head, err
}

// head returns the first rows of a sheet, and the sheet behind them. Rows up to number skip are left out.
func (w *workbook) head(entry *sheetEntry, skip, most int) (*dataset.Head, *sheet) {
	s := w.openSheet(entry)
	head, cells, more := &dataset.Head{}, 0, true
	for len(head.Rows) <= most && cells < headCells {
		if more = s.next(); !more {
			break
		}
		if s.row <= int64(skip) {
			continue
		}
		row := make([]string, len(s.cells.ends))
		for i := range row {
			row[i] = string(s.cells.at(i))
		}
		head.Rows, head.Lines = append(head.Rows, row), append(head.Lines, s.row)
		cells += len(row)
	}
	rows := float64(max(len(head.Rows), 1))
	if read := float64(s.xml.InputOffset()); more && read > 0 {
		rows *= float64(s.xml.size) / read
	}
	head.BytesPerRow = float64(w.file.Size()) / rows
	return head, s
}

// choose returns the sheet of a name, or of a number from 1. Without one it returns the first visible sheet that holds
// a table; if there is none, the first visible one with any cells.
func (w *workbook) choose(sheet string) *sheetEntry {
	if sheet != "" {
		return w.find(sheet)
	}
	var first, withCells *sheetEntry
	looked := int64(0)
	for i := range w.sheets {
		entry := &w.sheets[i]
		if entry.isHidden {
			continue
		}
		if first == nil {
			first = entry
		}
		head, s := w.head(entry, 0, tableRows)
		if holdsTable(head.Rows) {
			return entry
		}
		if looked += s.xml.InputOffset(); looked > mostLooked {
			break
		}
		if withCells == nil && len(head.Rows) > 0 {
			withCells = entry
		}
	}
	switch {
	case withCells != nil:
		return withCells
	case first == nil:
		refuse("all sheets of the workbook are hidden", "set {sheet} to one of "+w.names(nil))
	}
	return first
}

// tableRows is how many rows are looked at for a table.
const tableRows = 60

// holdsTable reports whether two rows, one after the other, have two cells.
func holdsTable(rows [][]string) bool {
	before := 0
	for _, row := range rows {
		n := 0
		for _, cell := range row {
			if cell != "" {
				n++
			}
		}
		if n > 1 && before > 1 {
			return true
		}
		before = n
	}
	return false
}

func (w *workbook) find(sheet string) *sheetEntry {
	for i := range w.sheets {
		if w.sheets[i].name == sheet {
			return &w.sheets[i]
		}
	}
	n, err := strconv.Atoi(sheet)
	if err != nil || n < 1 || n > len(w.sheets) {
		refuse("it has no sheet "+columns.Quoted(sheet), "set {sheet} to one of "+w.names(nil)+", or to its number")
	}
	return &w.sheets[n-1]
}

// names lists up to ten sheets, without one. Hidden ones are marked.
func (w *workbook) names(without *sheetEntry) string {
	var names []string
	for i := range w.sheets {
		entry := &w.sheets[i]
		switch {
		case entry == without:
		case len(names) == 10:
			return strings.Join(names, ", ") + ", …"
		case entry.isHidden:
			names = append(names, columns.Quoted(entry.name)+" (hidden)")
		default:
			names = append(names, columns.Quoted(entry.name))
		}
	}
	return strings.Join(names, ", ")
}
