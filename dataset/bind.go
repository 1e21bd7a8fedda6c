package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
)

// Counts counts the rows used, and the missing and unknown cells of each column of a preprocessing.
type Counts struct {
	Rows    int64   // rows used
	Missing []int64 // missing cells in all rows read
	Unknown []int64 // cells with a value that the one-hot category does not have; columns.Column says what they become

	Examples [][]string // up to 3 such values
}

// binding connects the columns of a preprocessing with the fields of a source.
type binding struct {
	schema   *Schema
	features []*feature
	cells    []slot // of label and kept columns
	dense    int32  // coordinates of the features
	sparse   int    // coordinates after them
	ofModel  bool   // Preprocessing.ofModel
	counts   Counts
}

// slot is the place of a field's cells in a block.
type slot struct {
	kind  Kind
	index int // among the numbers or the texts of a row, −1 if the field is absent
}

// feature is a column that becomes coordinates.
type feature struct {
	*columns.Column
	slot
	column    int   // of the preprocessing
	offset    int32 // of its first coordinate
	place     string
	dates     string // of the source
	decimal   byte   // of the source
	names     *Names // of a category
	inDoubt   bool   // dates is a guess that a date of the other order disproves
	tokenizer tokenizer
	learning  *learner // while Fit reads
	isLate    bool     // Fit found other cells than texts

	// The current cell.
	isMissing bool
	isOther   bool // a date of the other order than dates
	x         float64
	cell      []byte
	digits    []byte
}

// bind finds the columns of p by name. Label and kept columns may be absent.
func (p *Preprocessing) bind(s *Schema) (*binding, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	b := &binding{schema: s, sparse: p.Width, ofModel: p.ofModel,
		counts: Counts{Missing: make([]int64, len(p.Columns)), Unknown: make([]int64, len(p.Columns)),
			Examples: make([][]string, len(p.Columns))}}
	if s.Sparse != p.Sparse {
		return nil, fmt.Errorf("dataset: rows with sparse features: the preprocessing says %v, the source %v; "+
			"read the file with the layout that Apply returns", p.Sparse, s.Sparse)
	}
	slots := s.slots()
	for i := range p.Columns {
		c := &p.Columns[i]
		at, ok := slots[c.Name]
		if !c.Role.IsFeature() {
			continue
		}
		if !ok {
			return nil, lacksColumn(s.File, c.Name, "")
		}
		if err := fits(c, at.kind); err != nil {
			return nil, err
		}
		b.features = append(b.features, newFeature(c, at, i, b.dense, s))
		b.dense += int32(c.NFeatures())
	}
	for _, name := range p.CellNames() {
		at, ok := slots[name]
		if !ok {
			at.index = -1
		}
		b.cells = append(b.cells, at)
	}
	return b, nil
}

// slots returns where blocks have each field.
func (s *Schema) slots() map[string]slot {
	slots := map[string]slot{}
	numbers, texts := 0, 0
	for _, f := range s.Fields {
		if f.Kind == Textual {
			slots[f.Name] = slot{f.Kind, texts}
			texts++
		} else {
			slots[f.Name] = slot{f.Kind, numbers}
			numbers++
		}
	}
	return slots
}

// rolesOf are the roles that columns with cells of a kind can have as features.
var rolesOf = [...][]columns.Role{
	Numeric: {columns.AsNumber, columns.AsCategory},
	Time:    {columns.AsDate},
	Textual: {columns.AsCategory, columns.AsDate, columns.AsWords},
}

// fits returns an error if cells of a kind cannot have the role of a column.
func fits(c *columns.Column, kind Kind) error {
	if slices.Contains(rolesOf[kind], c.Role) {
		return nil
	}
	return fmt.Errorf("dataset: %s has role %q, but holds %s; give it another role", columnText(c.Name), c.Role,
		[...]string{"numbers", "times", "texts"}[kind])
}

func newFeature(c *columns.Column, at slot, column int, offset int32, s *Schema) *feature {
	f := &feature{Column: c, slot: at, column: column, offset: offset, place: columnText(c.Name), dates: s.Dates,
		decimal: s.decimal, inDoubt: s.datesInDoubt}
	f.tokenizer = tokenizer{words: c.Words, chars: c.Chars, width: c.Width}
	if c.Role == columns.AsCategory && c.Hashed == 0 {
		f.names = NewNames(c.Values)
	}
	return f
}

// load reads the cells of a row. It returns a problem if the row cannot be used. If fatal, the reading ends.
func (b *binding) load(block *Block, row int) (problem *Problem, fatal bool) {
	place := block.Places[row]
	for _, f := range b.features {
		what, remedy := f.load(block, row)
		if what == "" && f.isMissing {
			b.counts.Missing[f.column]++
			if f.Missing == columns.Drop || f.Missing == columns.Refuse {
				what, remedy = "the cell is missing", "fill it, or leave the row out"
				if !b.ofModel {
					remedy = "fill it, or set {missing} to " + f.filling()
				}
			}
			if f.Missing == columns.Refuse {
				return b.schema.at(place, f.place, what, remedy), true
			}
		}
		if what != "" && problem == nil {
			problem = b.schema.at(place, f.place, what, remedy)
		}
		if f.isOther && f.inDoubt {
			return b.schema.at(place, f.place, what, remedy), true
		}
	}
	if indices, _ := block.Entries(row); b.sparse > 0 && len(indices) > 0 && problem == nil {
		if last := int(indices[len(indices)-1]); last >= b.sparse {
			problem = b.schema.at(place, "",
				fmt.Sprintf("coordinate %d, counted from 0, is beyond the %d of the preprocessing", last, b.sparse),
				"leave it out, or fit the preprocessing to all files")
		}
	}
	return problem, false
}

// load reads the feature's cell of a row.
func (f *feature) load(block *Block, row int) (what, remedy string) {
	if f.kind == Textual {
		f.cell = trimCell(block.Text(row, f.index))
		f.isMissing = len(f.cell) == 0
	} else {
		f.x = block.Numbers[row*block.numbersPerRow+f.index]
		f.isMissing = math.IsNaN(f.x)
	}
	switch f.Role {
	case columns.AsNumber:
		if math.IsInf(f.x, 0) {
			return "the number is infinite", "replace it by a finite one"
		}
	case columns.AsCategory:
		if f.kind == Numeric {
			f.digits = AppendNumber(f.digits[:0], f.x)
			f.cell = f.digits
		}
	case columns.AsDate:
		return f.loadDate()
	case columns.AsWords:
		f.isMissing = false
	}
	return "", ""
}

func (f *feature) loadDate() (what, remedy string) {
	f.isOther = false
	if f.kind == Textual {
		f.isMissing = isMissing(f.cell)
		if f.isMissing {
			return "", ""
		}
		var ok bool
		if f.x, ok = parseDate(f.cell, f.dates); !ok {
			return f.noDate()
		}
	}
	if !f.isMissing && !isTime(f.x) {
		return "the time is outside the years 1 to 9999", "correct it"
	}
	return "", ""
}

// noDate says why a cell is not a date.
func (f *feature) noDate() (what, remedy string) {
	what, remedy = quoted(f.cell)+" is not a date", "or use the column for something else"
	other, order := columns.MonthDayYear, " with the day first, but one with the month first"
	if f.dates == other {
		other, order = columns.DayMonthYear, " with the month first, but one with the day first"
	}
	if _, f.isOther = parseDate(f.cell, other); f.isOther && f.dates != columns.ISODates {
		return what + order, "read the file with {dates} " + strconv.Quote(other) + ", " + remedy
	}
	return what, "write it as " + dateExample(f.dates) + ", " + remedy
}

// filling returns the settings with which missing cells of the column count as something.
func (f *feature) filling() string {
	if f.Role.Allows(columns.Mean) {
		return "mean or zero"
	}
	return "zero"
}

// dateExample returns an example of a date.
func dateExample(dates string) string {
	switch dates {
	case columns.DayMonthYear:
		return "20.11.2026 or 2026-11-20"
	case columns.MonthDayYear:
		return "11/20/2026 or 2026-11-20"
	}
	return "2026-11-20 or 2026-11-20T19:17:00Z"
}

// appendEntries appends the coordinates of the cell that load has read, in increasing order. Absent coordinates are 0.
func (f *feature) appendEntries(entries []entry, counts *Counts) []entry {
	x := f.x
	if f.isMissing {
		switch {
		case f.Role == columns.AsCategory:
			return f.appendEmpty(entries)
		case f.Missing == columns.Zero && f.Role != columns.AsNumber:
			return entries
		case f.Missing == columns.NaN && f.Role == columns.AsDate:
			return f.appendNoDate(entries)
		case f.Missing == columns.NaN:
			x = missing
		case f.Missing == columns.Zero:
			x = 0
		default:
			x = f.Fill
		}
	}
	switch f.Role {
	case columns.AsNumber:
		return append(entries, entry{f.offset, f.scale(x)})
	case columns.AsCategory:
		return f.appendCategory(entries, counts)
	case columns.AsDate:
		return f.appendDate(entries, x)
	}
	from := len(entries)
	squares := 0.0
	for _, e := range f.tokenizer.count(f.cell) {
		entries = append(entries, entry{f.offset + e.index, e.value})
		squares += e.value * e.value // of whole numbers, so exact
	}
	if norm := math.Sqrt(squares); f.Unit {
		for i := range entries[from:] {
			entries[from+i].value /= norm
		}
	}
	return entries
}

func (f *feature) scale(x float64) float64 {
	if f.Scaling == columns.NoScaling {
		return x
	}
	return (x - f.Center) / f.Scale
}

func (f *feature) appendCategory(entries []entry, counts *Counts) []entry {
	if f.Hashed > 0 {
		index, sign := hashed(f.cell, wordSeed, f.Hashed)
		return append(entries, entry{f.offset + index, sign})
	}
	if index, ok := f.names.Find(f.cell, f.decimal); ok {
		return append(entries, entry{f.offset + index, 1})
	}
	counts.addUnknown(f.column, f.cell)
	return f.appendRest(entries)
}

// appendRest appends the coordinate of values that have none of their own, or what such a value counts as, if the
// column has either.
func (f *feature) appendRest(entries []entry) []entry {
	if f.Rest {
		return append(entries, entry{f.offset + int32(len(f.Values)), 1})
	}
	if f.Average {
		for i := range f.Values {
			entries = append(entries, entry{f.offset + int32(i), 1 / float64(len(f.Values))})
		}
	}
	if i, ok := slices.BinarySearch(f.Values, f.Common); ok {
		entries = append(entries, entry{f.offset + int32(i), 1})
	}
	return entries
}

// appendEmpty appends the coordinate of an empty cell of a category.
func (f *feature) appendEmpty(entries []entry) []entry {
	if f.Empty {
		return append(entries, entry{f.offset + int32(f.NFeatures()) - 1, 1})
	}
	return f.appendRest(entries)
}

func (f *feature) appendDate(entries []entry, seconds float64) []entry {
	at := f.offset
	for _, part := range f.Parts {
		if part == columns.Days {
			entries = append(entries, entry{at, f.scale(seconds / secondsOfDay)})
			at++
			continue
		}
		turn := phase(part, seconds)
		entries = append(entries, entry{at, portable.SinTurns(turn)}, entry{at + 1, portable.CosTurns(turn)})
		at += 2
	}
	return entries
}

// appendNoDate appends NaN for the days of a missing date. Its phases are 0.
func (f *feature) appendNoDate(entries []entry) []entry {
	at := f.offset
	for _, part := range f.Parts {
		if part == columns.Days {
			return append(entries, entry{at, missing})
		}
		at += 2
	}
	return entries
}
