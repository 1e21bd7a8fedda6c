package columnar

import (
	"io"
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// A source returns the rows of a table.
type source struct {
	layout *dataset.Layout
	schema dataset.Schema
	table  table
	fields []field

	strip     int // rows at a time
	rows      int // of the strip
	row       int // of the strip, next
	before    int64
	reading   int // column of the layout, of the table's column being read, or −1
	numbers   []float64
	width     int // numbers of a row
	texts     []texts
	textBytes int
	bad       map[int]*dataset.Problem // rows of the strip that cannot be used
	vector    vector
	values    []float64
	isBad     []bool
	scratch   []byte
}

// A field is a column of the layout that is read.
type field struct {
	column  int // of the table
	layout  int // column of the layout
	element int // of the column's lists
	kind    dataset.Kind
	slot    int // among the numbers or the texts of a row
}

func newSource(l *dataset.Layout, t table) (*source, error) {
	s := &source{layout: l, table: t, reading: -1, schema: dataset.Schema{File: l.Name}}
	at, columns := 0, t.told().columns
	for i := range columns {
		for element := range columns[i].cells() {
			if at == len(l.Columns) {
				return nil, changed(l)
			}
			if err := s.use(i, at, element); err != nil {
				return nil, err
			}
			at++
		}
	}
	if at != len(l.Columns) {
		return nil, changed(l)
	}
	s.strip = max(1, min(stripRows, stripBytes/(8*max(len(s.fields), 1))))
	if len(s.texts) > 0 {
		s.strip = min(s.strip, textStrip)
	}
	return s, nil
}

func changed(l *dataset.Layout) error {
	return &dataset.Problem{File: l.Name, What: "the file has changed since its head was read", Remedy: "open it again"}
}

// use adds a column of the layout to the fields unless it is ignored.
func (s *source) use(column, at, element int) error {
	c, l := &s.table.told().columns[column], &s.layout.Columns[at]
	f := field{column: column, layout: at, element: element}
	switch {
	case l.Role == columns.AsIgnored:
		return nil
	case c.note != "":
		return &dataset.Problem{File: s.layout.Name, Place: s.layout.Place(at), What: "it cannot be used: it holds " + c.note,
			Remedy: "ignore the column, or " + c.advice()}
	case l.Role == columns.AsNumber:
		f.kind = dataset.Numeric
	case l.Role == columns.AsDate && c.meaning == instant:
		f.kind = dataset.Time
	default:
		f.kind, f.slot = dataset.Textual, len(s.texts)
		s.texts = append(s.texts, texts{})
	}
	if f.kind != dataset.Textual {
		f.slot = s.width
		s.width++
	}
	s.schema.Fields = append(s.schema.Fields, dataset.Field{Name: l.Name, Kind: f.kind})
	s.fields = append(s.fields, f)
	return nil
}

// readColumn returns the column of the table that is being read, or nil.
func (s *source) readColumn() *column {
	for _, f := range s.fields {
		if f.layout == s.reading {
			return &s.table.told().columns[f.column]
		}
	}
	return nil
}

func (s *source) place() (int64, string) {
	if s.reading < 0 {
		return 0, ""
	}
	return s.before + 1, s.layout.Place(s.reading)
}

func (s *source) Row(b *dataset.Block, unused *dataset.Unused) error {
	if s.row == s.rows {
		if err := guard(s.layout.Name, s.place, s.load); err != nil {
			return err
		}
		if s.rows == 0 {
			return io.EOF
		}
	}
	row := s.row
	s.row++
	if problem := s.bad[row]; problem != nil {
		unused.Add(problem)
		return nil
	}
	b.Numbers = append(b.Numbers, s.numbers[row*s.width:(row+1)*s.width]...)
	for k := range s.texts {
		b.AddText(s.texts[k].at(row))
	}
	b.EndRow(s.before + int64(row) + 1)
	return nil
}

// load reads the next strip.
func (s *source) load() {
	s.before += int64(s.rows)
	s.row, s.reading = 0, -1
	s.rows, s.textBytes = 0, 0
	n := s.table.next(s.strip)
	if n == 0 {
		return
	}
	if cap(s.numbers) < n*s.width {
		s.numbers = make([]float64, n*s.width)
	}
	s.numbers = s.numbers[:n*s.width]
	for k := range s.texts {
		s.texts[k].clear()
	}
	s.bad = map[int]*dataset.Problem{}
	for from := 0; from < len(s.fields); {
		to := from + 1
		for to < len(s.fields) && s.fields[to].column == s.fields[from].column {
			to++
		}
		s.reading = s.fields[from].layout
		s.vector.reset()
		s.table.read(s.fields[from].column, &s.vector)
		s.take(s.fields[from:to], n)
		from = to
	}
	s.reading = -1
	s.rows = n
}

// take puts the cells of one column of the table into the slots of its fields.
func (s *source) take(fields []field, n int) {
	c := &s.table.told().columns[fields[0].column]
	width := c.cells()
	starts := s.starts(c, width, fields[0].layout, n)
	if fields[0].kind != dataset.Textual || len(fields) > 1 {
		s.values, s.isBad = c.numbers(s.values[:0], s.isBad[:0], &s.vector, s.layout, fields[0].layout)
	}
	if starts != nil && areNumbers(fields, width) && len(s.isBad) == 0 {
		s.takeLists(fields[0].slot, width, starts)
		return
	}
	for _, f := range fields {
		if f.kind == dataset.Textual {
			s.takeTexts(f, c, starts, n)
			continue
		}
		for row := range n {
			at := row
			if starts != nil {
				if at = starts[row]; at < 0 {
					s.numbers[row*s.width+f.slot] = missing
					continue
				}
				at += f.element
			}
			if len(s.isBad) > 0 && s.isBad[at] {
				_, what := s.layout.NumberIn(f.layout, s.vector.at(s.vector.index(at)))
				s.refuseRow(row, f.layout, what, "correct it, or use the column for something else")
			}
			s.numbers[row*s.width+f.slot] = s.values[at]
		}
	}
}

// areNumbers reports whether the fields are all elements of a list, as numbers.
func areNumbers(fields []field, width int) bool {
	for _, f := range fields {
		if f.kind == dataset.Textual {
			return false
		}
	}
	return len(fields) == width
}

// takeLists takes whole lists: every number of a list is wanted.
func (s *source) takeLists(slot, width int, starts []int) {
	for row, start := range starts {
		numbers := s.numbers[row*s.width+slot:][:width]
		if start >= 0 {
			copy(numbers, s.values[start:])
			continue
		}
		for k := range numbers {
			numbers[k] = missing
		}
	}
}

// starts returns the index of the first cell of each row's list, −1 for a row without a list, or nil if the column has
// no lists. A row whose list has another length cannot be used.
func (s *source) starts(c *column, width, layout, n int) []int {
	if !c.isList {
		check(len(s.vector.valid) == n, "the column has too few cells")
		return nil
	}
	starts, at := make([]int, n), 0
	for row, length := range s.vector.lengths {
		starts[row] = -1
		if length == width {
			starts[row] = at
			at += width
		} else if length >= 0 {
			s.refuseRow(row, layout, "the list has "+strconv.Itoa(length)+" numbers, the first one "+
				strconv.Itoa(width), "give all lists one length, or ignore the column")
		}
	}
	return starts
}

func (s *source) takeTexts(f field, c *column, starts []int, n int) {
	t := &s.texts[f.slot]
	k, at, cell := 0, 0, 0 // values and cells before the row's
	for row := range n {
		cell = row
		if starts != nil {
			cell = starts[row]
		}
		if cell >= 0 {
			cell += f.element
			for ; at < cell; at++ {
				if s.vector.valid[at] {
					k++
				}
			}
			if s.vector.valid[cell] {
				s.scratch = c.appendText(s.scratch[:0], &s.vector, k)
				if c.meaning == text && !utf8.Valid(s.scratch) {
					s.refuseRow(row, f.layout, "the text is not UTF-8",
						"ignore the column, or write the file with texts in UTF-8")
				}
				t.bytes = append(t.bytes, s.scratch...)
				if s.textBytes += len(s.scratch); s.textBytes > 2*mostPage {
					refuse("the texts of "+strconv.Itoa(textStrip)+" rows have more than 128 MB",
						"shorten them, or ignore some columns")
				}
			}
		}
		t.ends = append(t.ends, len(t.bytes))
	}
}

func (s *source) refuseRow(row, layout int, what, remedy string) {
	if s.bad[row] == nil {
		s.bad[row] = &dataset.Problem{File: s.layout.Name, Row: s.before + int64(row) + 1,
			Place: s.layout.Place(layout), What: what, Remedy: remedy}
	}
}
