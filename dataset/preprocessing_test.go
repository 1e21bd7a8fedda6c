package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/exact"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/slow"
)

// vectors returns the vectors of a file, sparse ones written out.
func vectors(t testing.TB, l *Layout, content string, p *Preprocessing) ([][]float32, *Reader, error) {
	t.Helper()
	return sourceVectors(t, open(t, l, content), p)
}

func sourceVectors(t testing.TB, s Source, p *Preprocessing) (rows [][]float32, r *Reader, err error) {
	t.Helper()
	if r, err = NewReader(s, p); err != nil {
		return nil, nil, err
	}
	err = each(r, func(b *Batch) {
		for i := range b.Rows() {
			row := make([]float32, p.NFeatures())
			if p.IsSparse() {
				for k := b.Sparse.Indptr[i]; k < b.Sparse.Indptr[i+1]; k++ {
					if k > b.Sparse.Indptr[i] && b.Sparse.Indices[k] <= b.Sparse.Indices[k-1] {
						t.Fatalf("columns %v are not sorted", b.Sparse.Indices)
					}
					row[b.Sparse.Indices[k]] = b.Sparse.Data[k]
				}
			} else {
				copy(row, b.Dense[i*len(row):])
			}
			rows = append(rows, row)
		}
	})
	return rows, r, err
}

func fit(t testing.TB, l *Layout, content string, p *Preprocessing) *Counts {
	t.Helper()
	return must(p.Fit(open(t, l, content)))
}

// fitted returns the vectors of a file after a first pass over it.
func fitted(t testing.TB, l *Layout, content string, p *Preprocessing) [][]float32 {
	t.Helper()
	fit(t, l, content, p)
	rows, _, err := vectors(t, l, content, p)
	if err != nil {
		t.Fatal(l.Name, err)
	}
	return rows
}

func marshal(t testing.TB, p *Preprocessing) string {
	t.Helper()
	return string(must(json.Marshal(p)))
}

// bitsOf writes vectors so that every bit counts, but the sign of zero.
func bitsOf(rows [][]float32) string {
	h := fnv.New64a()
	for _, row := range rows {
		for _, x := range row {
			fmt.Fprintf(h, "%08x", math.Float32bits(x+0))
		}
	}
	return fmt.Sprintf("%d rows %016x", len(rows), h.Sum64())
}

// TestEveryFormatSameBits: the same rows through every format give the same vectors,
// also after a scaling that was learned from them; without one they are the numbers of the rows.
func TestEveryFormatSameBits(t *testing.T) {
	for _, scaling := range []columns.Scaling{columns.NoScaling, columns.Standard, columns.MinMax} {
		for _, unitNorm := range []bool{false, true} {
			want := ""
			if scaling == columns.NoScaling && !unitNorm {
				want = bitsOf(table)
			}
			for name, content := range tableFiles(t) {
				l := mustSniff(t, name, content).WithLabel(-1)
				if l.Sparse {
					if scaling != columns.NoScaling {
						continue
					}
					l = l.With(0, columns.AsIgnored)
				}
				p := NewPreprocessing(l)
				p.SetScaling(scaling)
				p.UnitNorm = unitNorm
				rows := fitted(t, l, content, p)
				if got := bitsOf(rows); want == "" {
					want = got
				} else if got != want {
					t.Errorf("%s, %v, unit norm %v: got %s, want %s: %v", name, scaling, unitNorm, got, want, rows)
				}
			}
		}
	}
}

// mixed is a table with every role, and the plan of its columns.
func mixed(t testing.TB, rows int) (content string, l *Layout, p *Preprocessing) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString("id,x,y,colour,code,when,words,label\n")
	for i := range rows {
		x := fmt.Sprint(math.Ldexp(random.Float64(), random.IntN(20)-10))
		if random.IntN(10) == 0 {
			x = ""
		}
		colour := []string{"red", "green", "blue", ""}[random.IntN(4)]
		when := time.Unix(random.Int64N(2e9), 0).UTC().Format("2006-01-02 15:04:05")
		fmt.Fprintf(&text, "%d,%s,%v,%s,%d,%s,\"the %s word, a%d\",%d\n", i, x, random.Float64()-0.5, colour,
			random.IntN(100), when, colour, i%7, i%2)
	}
	content = text.String()
	l = mustSniff(t, "mixed.csv", content)
	for i, role := range []columns.Role{columns.AsKept, columns.AsNumber, columns.AsNumber, columns.AsCategory,
		columns.AsCategory, columns.AsDate, columns.AsWords, columns.AsLabel} {
		l = l.With(i, role)
	}
	p = NewPreprocessing(l)
	p.SetMissing(columns.Mean)
	p.SetScaling(columns.Standard)
	p.Columns[2].Scaling = columns.MinMax
	p.Columns[3].Missing = columns.Zero
	p.Columns[4].Hashed = 8
	p.Columns[5].Parts = []columns.DatePart{columns.Days, columns.YearPhase, columns.WeekPhase, columns.DayPhase}
	p.Columns[6].Words, p.Columns[6].Chars, p.Columns[6].Width = [2]int{1, 2}, [2]int{3, 3}, 64
	return content, l, p
}

// TestFitInAnyOrder: what is learned does not depend on the order of the rows, nor on
// how the bytes arrive.
func TestFitInAnyOrder(t *testing.T) {
	content, l, p := mixed(t, 1000)
	unfitted := *p
	fit(t, l, content, p)
	lines := strings.SplitAfter(content, "\n")[1:1001]
	random := rand.New(rand.NewPCG(3, 4))
	for range 3 {
		random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		shuffled := unfitted
		s, err := l.Open(iotest.HalfReader(strings.NewReader("header\n" + strings.Join(lines, ""))))
		if err == nil {
			_, err = shuffled.Fit(s)
		}
		if got, want := marshal(t, &shuffled), marshal(t, p); err != nil || got != want {
			t.Errorf("got %s, %v\nwant %s", got, err, want)
		}
	}
}

// TestSignOfZero: nor does it depend on which of 0 and −0 comes first.
func TestSignOfZero(t *testing.T) {
	var texts []string
	for _, content := range []string{"a,b\n0,1\n-0,1\n1,2\n", "a,b\n-0,1\n0,1\n1,2\n"} {
		l := mustSniff(t, "f.csv", content)
		p := NewPreprocessing(l)
		p.SetScaling(columns.MinMax)
		fit(t, l, content, p)
		texts = append(texts, marshal(t, p))
	}
	if texts[0] != texts[1] || strings.Contains(texts[0], "-0") {
		t.Errorf("got %s\nand %s", texts[0], texts[1])
	}
}

// TestDigest holds the bits of every role on every platform, and a preprocessing read from its JSON gives the same.
func TestDigest(t *testing.T) {
	const want = "300 rows 34b64f5e4564088d"
	content, l, p := mixed(t, 300)
	if got := bitsOf(fitted(t, l, content, p)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var read Preprocessing
	if err := json.Unmarshal([]byte(marshal(t, p)), &read); err != nil {
		t.Fatal(err)
	}
	if again, text := marshal(t, &read), marshal(t, p); again != text {
		t.Errorf("written again: %s\nfirst: %s", again, text)
	}
	applied := must(read.Apply(mustSniff(t, "mixed.csv", content)))
	got, _, err := vectors(t, applied, content, &read)
	if err != nil || bitsOf(got) != want {
		t.Errorf("read from JSON: %s, %v, want %s", bitsOf(got), err, want)
	}
}

// TestScaling: scaled columns have the mean, deviation and range they should.
func TestScaling(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	text := "a,b,c\n"
	for range 1000 {
		text += fmt.Sprintf("%v,%v,7\n", 1e6+random.NormFloat64(), random.ExpFloat64())
	}
	l := mustSniff(t, "f.csv", text).WithLabel(-1)
	for _, scaling := range []columns.Scaling{columns.Standard, columns.MinMax} {
		p := NewPreprocessing(l)
		p.SetScaling(scaling)
		rows := fitted(t, l, text, p)
		for column := range 2 {
			sum, squares, least, largest := 0.0, 0.0, math.Inf(1), math.Inf(-1)
			for _, row := range rows {
				x := float64(row[column])
				sum, squares, least, largest = sum+x, squares+x*x, min(least, x), max(largest, x)
			}
			switch {
			case scaling == columns.MinMax && (least != 0 || largest != 1):
				t.Errorf("column %d: from %v to %v", column, least, largest)
			case scaling == columns.Standard && (math.Abs(sum) > 1e-4 || math.Abs(squares/1000-1) > 1e-6): // float32 rounds
				t.Errorf("column %d: sum %v, squares %v", column, sum, squares)
			}
		}
		if rows[0][2] != 0 {
			t.Errorf("a constant column scaled to %v, want 0", rows[0][2])
		}
	}
}

func TestMissing(t *testing.T) {
	const text = "a,c,when,k\n1,x,2026-01-01,p\n,x,2026-01-02,q\n5,,2026-01-03,r\n6,y,,s\n"
	l := mustSniff(t, "f.csv", text).WithLabel(-1).With(0, columns.AsNumber).With(1, columns.AsCategory).
		With(2, columns.AsDate).With(3, columns.AsKept)
	day := func(n int) float32 { return float32(daysSince1970(2026, 1, n)) }
	for name, test := range map[string]struct {
		set  func(p *Preprocessing)
		want [][]float32
	}{
		"default": {func(p *Preprocessing) {}, [][]float32{{1, 1, day(1)}, {5, 0, day(3)}}},
		"drop":    {func(p *Preprocessing) { p.SetMissing(columns.Drop) }, [][]float32{{1, 1, day(1)}}},
		"zero": {func(p *Preprocessing) { p.SetMissing(columns.Zero) },
			[][]float32{{1, 1, 0, day(1)}, {0, 1, 0, day(2)}, {5, 0, 0, day(3)}, {6, 0, 1, 0}}},
		"mean": {func(p *Preprocessing) { p.SetMissing(columns.Mean) }, // of the category it is zero
			[][]float32{{1, 1, 0, day(1)}, {4, 1, 0, day(2)}, {5, 0, 0, day(3)}, {6, 0, 1, day(2)}}},
		"constant": {func(p *Preprocessing) {
			p.SetMissing(columns.Zero)
			p.Columns[0].Missing, p.Columns[0].Fill, p.Columns[0].Learned = columns.Constant, -1, true
		}, [][]float32{{1, 1, 0, day(1)}, {-1, 1, 0, day(2)}, {5, 0, 0, day(3)}, {6, 0, 1, 0}}},
		"given values": {func(p *Preprocessing) {
			p.SetMissing(columns.Zero)
			p.Columns[1].Values, p.Columns[1].Learned = []string{"y", "z"}, true
		}, [][]float32{{1, 0, 0, day(1)}, {0, 0, 0, day(2)}, {5, 0, 0, day(3)}, {6, 1, 0, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPreprocessing(l)
			test.set(p)
			fitted := fit(t, l, text, p)
			got, r, err := vectors(t, l, text, p)
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Fatalf("got %v, %v; want %v", got, err, test.want)
			}
			if c := r.Counts(); c.Rows != int64(len(got)) || !reflect.DeepEqual(c.Missing, []int64{1, 1, 1, 0}) ||
				!reflect.DeepEqual(fitted.Missing, c.Missing) || fitted.Rows != c.Rows {
				t.Errorf("counts %+v, of Fit %+v", c, fitted)
			}
			if name == "given values" && r.Counts().Unknown[1] != 2 {
				t.Errorf("unknown %v, want 2", r.Counts().Unknown)
			}
			if unused := r.Unused(); unused.Total != int64(4-len(got)) {
				t.Errorf("unused %+v", unused)
			} else if name == "drop" {
				const want = `f.csv, line 3, column "a": the cell is missing; fill it, or set missing to mean or zero.`
				if unused.First[0].Error() != want {
					t.Errorf("got %v, want %s", unused.First[0], want)
				}
			}
		})
	}
}

// TestRefuse: a refused cell ends the reading after the rows before it.
func TestRefuse(t *testing.T) {
	const text = "a,b\n1,2\n3,4\n,5\n6,7\n"
	want := `f.csv, line 4, column "a": the cell is missing; fill it, or set missing to mean or zero.`
	l := mustSniff(t, "f.csv", text)
	p := NewPreprocessing(l)
	p.SetMissing(columns.Refuse)
	rows, r, err := vectors(t, l, text, p)
	if err == nil || err.Error() != want || len(rows) != 2 || r.Counts().Missing[0] != 1 {
		t.Errorf("got %v, %v, %+v", rows, err, r.Counts())
	}
	p.SetScaling(columns.Standard)
	if _, err := p.Fit(open(t, l, text)); err == nil || err.Error() != want || !p.NeedsFit() {
		t.Errorf("Fit: %v", err)
	}
	p.SetScaling(columns.NoScaling)
	p.MarkOfModel() // what becomes of missing cells is settled
	want = `f.csv, line 4, column "a": the cell is missing; fill it, or leave the row out.`
	if _, _, err := vectors(t, l, text, p); err == nil || err.Error() != want {
		t.Errorf("of a model: %v, want %s", err, want)
	}
}

// TestRowProblems: rows that a preprocessing cannot use, and files that it cannot.
func TestRowProblems(t *testing.T) {
	problems := map[string]error{}
	for name, test := range map[string]struct {
		file, text string
		roles      []columns.Role
	}{
		"no date":        {"f.csv", "a,b\n1,2026-01-01\n2,soon\n", []columns.Role{columns.AsNumber, columns.AsDate}},
		"wrong day":      {"f.csv", "a,b\n1,2026-01-01\n2,2026-02-29\n", []columns.Role{columns.AsNumber, columns.AsDate}},
		"too large":      {"f.csv", "a,b\n1,2\n1e39,2\n", nil},
		"sparse, large":  {"f.svm", "1 1:2 4:1\n1 2:1e39\n", nil},
		"sparse, beyond": {"f.svm", "1 1:2\n1 7:1\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			l := mustSniff(t, test.file, test.text)
			for i, role := range test.roles {
				l = l.With(i, role)
			}
			p := NewPreprocessing(l)
			if p.Sparse {
				p.Width = 5
			}
			rows, r, err := vectors(t, l, test.text, p)
			if err != nil || len(rows) != 1 || r.Unused().Total != 1 {
				t.Fatalf("got %v, %v", rows, err)
			}
			problems[name] = r.Unused().First[0]
		})
	}
	golden.Errors(t, problems)
}

func TestPreprocessingErrors(t *testing.T) {
	const text = "a,b,c\n1,x,2026-01-01\n2,y,2026-01-02\n"
	l := mustSniff(t, "f.csv", text)
	number, words := columns.NewColumn("a", columns.AsNumber), columns.NewColumn("b", columns.AsWords)
	category, date := columns.NewColumn("b", columns.AsCategory), columns.NewColumn("c", columns.AsDate)
	of := func(columns ...columns.Column) *Preprocessing { return &Preprocessing{Columns: columns} }
	with := func(c columns.Column, set func(c *columns.Column)) *Preprocessing {
		set(&c)
		return of(c)
	}
	errors := map[string]error{}
	for name, p := range map[string]*Preprocessing{
		"twice the same column": of(number, number),
		"two labels": of(columns.Column{Name: "a", Role: columns.AsLabel},
			columns.Column{Name: "b", Role: columns.AsLabel}),
		"a column that is not there":   of(columns.NewColumn("z", columns.AsNumber)),
		"texts as numbers":             of(columns.NewColumn("b", columns.AsNumber)),
		"numbers as dates":             of(columns.NewColumn("a", columns.AsDate)),
		"numbers as words":             of(columns.NewColumn("a", columns.AsWords)),
		"no coordinate":                &Preprocessing{},
		"sparse, of dense rows":        &Preprocessing{Sparse: true, Width: 1},
		"a sparse width of dense rows": &Preprocessing{Width: 1},
		"not fitted":                   with(number, func(c *columns.Column) { c.Scaling = columns.Standard }),
		"scale 0": with(number,
			func(c *columns.Column) { c.Scaling, c.Learned = columns.Standard, true }),
		"a fill that is NaN": with(number,
			func(c *columns.Column) { c.Missing, c.Fill, c.Learned = columns.Constant, math.NaN(), true }),
		"n-grams 2 to 1":    with(words, func(c *columns.Column) { c.Words = [2]int{2, 1} }),
		"no n-grams":        with(words, func(c *columns.Column) { c.Words = [2]int{} }),
		"width 0":           with(words, func(c *columns.Column) { c.Width = 0 }),
		"scaled words":      with(words, func(c *columns.Column) { c.Scaling = columns.MinMax }),
		"words that refuse": with(words, func(c *columns.Column) { c.Missing = columns.Refuse }),
		"hashed into -1":    with(category, func(c *columns.Column) { c.Hashed = -1 }),
		"values out of order": with(category,
			func(c *columns.Column) { c.Values, c.Learned = []string{"y", "x"}, true }),
		"a date without parts": with(date, func(c *columns.Column) { c.Parts = nil }),
		"days twice": with(date,
			func(c *columns.Column) { c.Parts = []columns.DatePart{columns.Days, columns.Days} }),
	} {
		open := l.With(1, columns.AsWords)
		if len(p.Columns) > 0 && p.Columns[0].Role == columns.AsCategory {
			open = l.With(1, columns.AsCategory)
		}
		_, _, errors[name] = vectors(t, open, text, p)
	}
	golden.Errors(t, errors)
	var many strings.Builder
	for i := range maxValues + 1 {
		fmt.Fprintf(&many, "%d,v%d\n", i, i)
	}
	l = mustSniff(t, "f.csv", many.String()).With(1, columns.AsCategory)
	const want = `dataset: column "column 2" has more than 4096 values, or of more than 1 MB; ` +
		`hash them into coordinates, or use it for something else`
	if _, err := NewPreprocessing(l).Fit(open(t, l, many.String())); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestApply(t *testing.T) {
	first := mustSniff(t, "f.csv", "a,b,label\n1,x,0\n2,y,1\n").With(1, columns.AsKept)
	p := NewPreprocessing(first)
	const content = "extra,a\n7,3\n8,4\n"
	l := must(p.Apply(mustSniff(t, "g.csv", content)))
	rows, _, err := vectors(t, l, content, p)
	if err != nil || !reflect.DeepEqual(rows, [][]float32{{3}, {4}}) {
		t.Errorf("got %v, %v", rows, err)
	}
	for content, want := range map[string]string{
		"b,c\n1,2\n": `g.csv: it has no column "a", and the preprocessing needs it; ` +
			`rename the column or choose another file.`,
		"b,A\n1,2\n": `g.csv: it has no column "a", and the preprocessing needs it; rename column "A".`,
		"1 1:2\n2 3:4": `g.csv: it has no column "a", and the preprocessing needs it; ` +
			`rename the column or choose another file.`,
	} {
		if _, err := p.Apply(mustSniff(t, "g.csv", content)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	sparse := NewPreprocessing(mustSniff(t, "f.svm", "1 1:2\n"))
	if _, err := sparse.Apply(first); err == nil ||
		err.Error() != "f.csv: its rows are dense, and the preprocessing takes sparse rows; choose a LIBSVM file." {
		t.Errorf("got %v", err)
	}
}

// TestCells: label first, then the kept cells, unchanged; absent ones are empty.
func TestCells(t *testing.T) {
	const content = "a,k,label,m\n1,\" x \",1.50,07\n"
	l := mustSniff(t, "f.csv", content).With(1, columns.AsKept).With(2, columns.AsLabel).With(3, columns.AsKept)
	p := NewPreprocessing(l)
	p.Columns = append(p.Columns, columns.NewColumn("absent", columns.AsKept))
	r := must(NewReader(open(t, l, content), p))
	var got []string
	err := each(r, func(b *Batch) {
		for k := range p.CellNames() {
			got = append(got, string(b.Cell(0, k)))
		}
	})
	if want := []string{"1.50", " x ", "07", ""}; err != nil || !reflect.DeepEqual(got, want) ||
		!reflect.DeepEqual(p.CellNames(), []string{"label", "k", "m", "absent"}) {
		t.Errorf("got %q of %q, %v, want %q", got, p.CellNames(), err, want)
	}
}

// threeRows is a Source of three rows that is none of this package's formats, as a reader of Parquet.
type threeRows struct {
	next   int
	unused Unused
}

func (c *threeRows) Schema() *Schema {
	return &Schema{File: "t.parquet", Fields: []Field{{"x", Numeric}, {"s", Textual}, {"when", Time}}}
}

func (c *threeRows) Unused() *Unused { return &c.unused }

func (c *threeRows) Next(b *Block) error {
	if b.Reset(c.Schema()); c.next == 3 {
		return io.EOF
	}
	b.AddNumber([]float64{1, math.Inf(1), 3}[c.next])
	b.AddText([]byte("text"))
	b.AddNumber([]float64{86400, 0, 129600}[c.next])
	c.next++
	b.EndRow(int64(c.next))
	return nil
}

func TestSourceOfAnotherFormat(t *testing.T) {
	p := &Preprocessing{Columns: []columns.Column{columns.NewColumn("when", columns.AsDate),
		columns.NewColumn("x", columns.AsNumber), columns.NewColumn("s", columns.AsKept)}}
	rows, r, err := sourceVectors(t, new(threeRows), p)
	if err != nil || !reflect.DeepEqual(rows, [][]float32{{1, 1}, {1.5, 3}}) {
		t.Errorf("got %v, %v", rows, err)
	}
	const want = `t.parquet, row 2, column "x": the number is infinite; replace it by a finite one.`
	if r.Unused().Total != 1 || r.Unused().First[0].Error() != want {
		t.Errorf("unused %+v, want %s", r.Unused(), want)
	}
}

// TestDeviation: against the deviations from the mean.
func TestDeviation(t *testing.T) {
	for name, numbers := range map[string][]float64{"integers": {1, 2, 3, 4}, "one": {0.1}, "equal": {0.1, 0.1, 0.1},
		"far": {1e9, 1e9 + 1, 1e9 + 2}} {
		var sum, squares exact.Wide
		for _, x := range numbers {
			sum.Add(x)
			squares.AddSquare(x)
		}
		n := int64(len(numbers))
		m, variance := mean(&sum, n), 0.0
		for _, x := range numbers {
			variance += (x - m) * (x - m) / float64(n)
		}
		if got := deviation(&sum, &squares, n); math.Abs(got-math.Sqrt(variance)) > 1e-12 {
			t.Errorf("%s: deviation %v, want %v", name, got, math.Sqrt(variance))
		}
	}
}

// TestDates: against package time.
func TestDates(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
	for i := range 20000 {
		at := time.Unix(first+random.Int64N(last-first), 0).In(time.FixedZone("", 60*(random.IntN(1440)-720)))
		if at.UTC().Year() < 1 || at.Year() < 1 || at.Year() > 9999 {
			continue
		}
		format := []string{"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05-0700", "2006-01-02T15:04:05.000000Z07:00"}[i%3]
		got, ok := parseISODate([]byte(at.Format(format)))
		if !ok || got != float64(at.Unix()) {
			t.Fatalf("%s: got %v, %v, want %d", at.Format(format), got, ok, at.Unix())
		}
		at = at.UTC()
		inDay := float64(at.Hour()*3600+at.Minute()*60+at.Second()) / 86400
		begin := func(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }
		year := begin(at.Year()+1).Sub(begin(at.Year())).Hours() / 24
		for part, want := range map[columns.DatePart]float64{
			columns.DayPhase:  inDay,
			columns.WeekPhase: (float64((at.Weekday()+6)%7) + inDay) / 7,
			columns.YearPhase: (float64(at.YearDay()-1) + inDay) / year,
		} {
			if phase := phase(part, got); math.Abs(phase-want) > 1e-12 {
				t.Fatalf("%v of %v: got %v, want %v", part, at, phase, want)
			}
		}
	}
	for text, want := range map[string]float64{"1970-01-01": 0, "1970-01-02T00:00": 86400,
		"1969-12-31 23:59:59.25Z": -0.75, "2000-02-29": 951782400, "1970-01-01T00:00:00.1234567": 0.123456} {
		if got, ok := parseISODate([]byte(text)); !ok || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-01-32", "2026-02-29",
		"1900-02-29", "0000-01-01", "2026-01-01T", "2026-01-01T24:00", "2026-01-01T10", "2026-01-01T10:60",
		"2026-01-01T10:00:60", "2026-01-01T10:00:00.", "2026-01-01T10:00Zx", "2026-01-01T10:00+1", "2026-01-01x",
		"20/11/2026", "２026-01-01"} {
		if got, ok := parseISODate([]byte(text)); ok {
			t.Errorf("%q: got %v, want none", text, got)
		}
	}
}

// TestMurmur: Appleby's hash, by values of Wikipedia's table and of scikit-learn's
// tests of murmurhash3_32.
func TestMurmur(t *testing.T) {
	for _, test := range []struct {
		text string
		seed uint32
		want uint32
	}{
		{"", 0, 0}, {"", 1, 0x514e28b7}, {"", 0xffffffff, 0x81f16f39},
		{"test", 0, 0xba6bd213}, {"test", 0x9747b28c, 0x704b81dc}, {"Hello, world!", 0, 0xc0363e43},
		{"Hello, world!", 0x9747b28c, 0x24884cba},
		{"The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723}, {"foo", 0, 0xf6a5c420}, {"foo", 42, 0xb12f489e},
	} {
		if got := murmur3([]byte(test.text), test.seed); got != test.want {
			t.Errorf("%q, seed %d: got %#x, want %#x", test.text, test.seed, got, test.want)
		}
	}
}

// TestTokens: the n-grams of a text, by a naive cut, hashed and summed by a map.
func TestTokens(t *testing.T) {
	for _, test := range []struct {
		text         string
		words, chars [2]int
		tokens       []string // words, then characters behind a bar
	}{
		{"The cat, the CAT a", [2]int{1, 1}, [2]int{}, []string{"the", "cat", "the", "cat"}},
		{"it's x_1 Ünïcode 日本", [2]int{1, 2}, [2]int{},
			[]string{"it", "x_1", "ünïcode", "日本", "it x_1", "x_1 ünïcode", "ünïcode 日本"}},
		{"aB\t c", [2]int{}, [2]int{2, 3}, []string{"|ab", "|b ", "| c", "|ab ", "|b c"}},
		{"ab", [2]int{1, 1}, [2]int{2, 2}, []string{"ab", "|ab"}},
		{"a b c", [2]int{1, 1}, [2]int{}, nil},
		{"one", [2]int{2, 3}, [2]int{}, nil},
	} {
		for _, width := range []int{1 << 18, 3} {
			want := map[int32]float64{}
			for _, token := range test.tokens {
				text, seed := token, uint32(wordSeed)
				if rest, ok := strings.CutPrefix(token, "|"); ok {
					text, seed = rest, charsSeed
				}
				index, sign := hashed([]byte(text), seed, width)
				want[index] += sign
			}
			tokenizer := tokenizer{words: test.words, chars: test.chars, width: width}
			var sorted []entry
			for _, index := range slices.Sorted(maps.Keys(want)) {
				if want[index] != 0 {
					sorted = append(sorted, entry{index, want[index]})
				}
			}
			if got := tokenizer.count([]byte(test.text)); !slices.Equal(got, sorted) {
				t.Errorf("%q: got %v, want %v", test.text, got, sorted)
			}
		}
	}
}

const goldenPreprocessing = `{"format":"tensorsketch-preprocessing","version":1,"unitNorm":true,"sparseWidth":9,` +
	`"columns":[` +
	`{"name":"a","role":"number","missing":"mean","fill":0.1,"scaling":"standard","center":0.1,"scale":2.5},` +
	`{"name":"b","role":"number","missing":"drop","scaling":"none"},` +
	`{"name":"c","role":"category","missing":"zero","encoding":"one-hot","values":["<x>","é"]},` +
	`{"name":"d","role":"category","missing":"refuse","encoding":"hashed","width":16},` +
	`{"name":"e","role":"date","missing":"drop","scaling":"min-max","center":20000,"scale":1e-7,"parts":["days",` +
	`"year"]},` +
	`{"name":"f","role":"words","words":[1,2],"chars":[0,0],"width":1024},` +
	`{"name":"g","role":"label"},{"name":"h","role":"keep"}]}`

func TestPreprocessingJSON(t *testing.T) {
	var p Preprocessing
	if err := json.Unmarshal([]byte(goldenPreprocessing), &p); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(&p); err != nil ||
		strings.ReplaceAll(strings.ReplaceAll(string(got), `\u003c`, "<"), `\u003e`, ">") != goldenPreprocessing {
		t.Errorf("got %s, %v\nwant %s", got, err, goldenPreprocessing)
	}
	if got, err := p.MarshalJSON(); err != nil || string(got) != goldenPreprocessing {
		t.Errorf("got %s, %v\nwant %s", got, err, goldenPreprocessing)
	}
	if p.NFeatures() != 1+1+2+16+3+1024+9 || p.NeedsFit() || !p.IsSparse() {
		t.Errorf("%d features, needs fit %v, sparse %v", p.NFeatures(), p.NeedsFit(), p.IsSparse())
	}
	for _, test := range []struct{ from, to, want string }{
		{`"version":1`, `"version":6`, "version must be 1 to 5, got 6; a newer release may read it"},
		{`"version":1`, `"version":2`, "version 2 has a reading, and version 1 has none; got version 2"},
		{`"tensorsketch-preprocessing"`, `"other"`, `format must be "tensorsketch-preprocessing", got "other"`},
		{`"unitNorm":true,`, ``, `"unitNorm" is missing`},
		{`"unitNorm":true,`, `"unitNorm":true,"x":1,`, `"x" is not a key here, or not beside the others; leave it out`},
		{`"fill":0.1,`, ``, `columns[0]: "fill" is missing`},
		{`"fill":0.1,`, `"fill":null,`, `columns[0]: "fill" must be as MarshalJSON writes it, got <nil>`},
		{`"scale":2.5`, `"scale":-1`, `column "a": scale must be above 0, got -1`},
		{`"scale":2.5`, `"scale":"x"`, "columns[0]: json: "},
		{`"role":"words"`, `"role":"word"`,
			`columns[5]: role must be number, category, date, words, label or keep, got "word"`},
		{`"missing":"refuse"`, `"missing":"none"`,
			`columns[3]: missing must be drop, refuse, mean, zero or constant, got "none"`},
		{`"scaling":"none"`, `"scaling":"log"`, `columns[1]: scaling must be none, standard or min-max, got "log"`},
		{`"encoding":"hashed"`, `"encoding":"onehot"`,
			`columns[3]: encoding must be "one-hot", or "hashed" with a width above 0, got "onehot"`},
		{`"days","year"`, `"days","month"`, `columns[4]: parts must be some of days, year, week and day, got "month"`},
		{`["<x>","é"]`, `["é","<x>"]`,
			`column "c": values must be texts in increasing order of their bytes, none empty or twice, got "<x>" at 1`},
		{`"words":[1,2]`, `"words":[1,2,3]`, `columns[5]: "words" must be as MarshalJSON writes it, got [1 2 3]`},
		{`"values":["<x>","é"]`, `"values":["<x>","é"],"average":true`, "version must be 5 for these columns, got 1"},
		{`"values":["<x>","é"]`, `"values":["<x>","é"],"other":true,"average":true`,
			`column "c": average is for a category with values and without other`},
		{`"values":["<x>","é"]`, `"values":[],"average":true`,
			`column "c": average is for a category with values and without other`},
		{`"values":["<x>","é"]`, `"values":["<x>","é"],"common":"é"`, "version must be 5 for these columns, got 1"},
		{`"values":["<x>","é"]`, `"values":["<x>","é"],"common":"e"`,
			`column "c": common must be one of the values of a category without other and average, got "e"`},
		{`"values":["<x>","é"]`, `"values":["<x>","é"],"average":true,"common":"é"`,
			`column "c": common must be one of the values of a category without other and average, got "é"`},
		{`"role":"words"`, `"role":"words","average":true`,
			`column "f": other, empty, average and common are for one-hot categories, and unit for words`},
		{`"role":"label"`, `"role":"label","width":3`,
			`columns[6]: "width" is not a key here, or not beside the others; leave it out`},
		{`"name":"b"`, `"name":"a"`, `column "a" occurs twice in the preprocessing; plan it once`},
		{`"name":"b"`, "\"name\":\"\xff\"", "the preprocessing is not UTF-8; write it with MarshalJSON"},
	} {
		text := strings.Replace(goldenPreprocessing, test.from, test.to, 1)
		var p Preprocessing
		if err := p.UnmarshalJSON([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "dataset: "+test.want) {
			t.Errorf("%s: got %v\nwant %s", test.to, err, test.want)
		}
	}
	if _, err := (&Preprocessing{Sparse: true}).MarshalJSON(); !errors.Is(err, ErrNeedsFit) {
		t.Errorf("got %v, want ErrNeedsFit", err)
	}
}

func FuzzPreprocessing(f *testing.F) {
	f.Add([]byte(goldenPreprocessing))
	f.Add([]byte(`{"format":"tensorsketch-preprocessing","version":1,"unitNorm":false,"columns":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p, again Preprocessing
		if p.UnmarshalJSON(data) != nil {
			return
		}
		text, err := p.MarshalJSON()
		if err != nil {
			t.Fatalf("%s is read but not written: %v", data, err)
		}
		if err := again.UnmarshalJSON(text); err != nil || !reflect.DeepEqual(p, again) {
			t.Fatalf("%s: %v", text, err)
		}
	})
}

// FuzzVectors: whatever the file and the roles of its columns, vectors are finite and
// sparse rows sorted, or a sentence says why there are none.
func FuzzVectors(f *testing.F) {
	for _, seed := range examples(f) {
		for roles := range uint32(4) {
			f.Add([]byte(seed), roles*0x12345)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint32) {
		l, err := Sniff("f", data, true, columns.Reading{})
		if err != nil {
			return
		}
		for i := range l.Columns {
			l.Columns[i].Role = columns.Role(seed >> (i % 16) % uint32(columns.AsIgnored+1))
		}
		p := NewPreprocessing(l)
		p.SetMissing(columns.Missing(seed % 5))
		p.SetScaling(columns.Scaling(seed % 3))
		p.UnitNorm = seed%2 == 0
		s, err := l.Open(strings.NewReader(string(data)))
		if err != nil {
			checkSentence(t, err)
			return
		}
		if _, err := p.Fit(s); err != nil {
			checkSentence(t, err)
			return
		}
		if p.NFeatures() > 1<<20 {
			return // vectors would write them out
		}
		rows, _, err := vectors(t, l, string(data), p)
		if err != nil {
			checkSentence(t, err)
		}
		for _, row := range rows {
			for _, x := range row {
				if !isFinite(float64(x)) {
					t.Fatalf("vector %v", row)
				}
			}
		}
	})
}

// checkSentence tells a Problem and this package's errors from all others.
func checkSentence(t *testing.T, err error) {
	t.Helper()
	var problem *Problem
	if !errors.As(err, &problem) && !strings.HasPrefix(err.Error(), "dataset: ") {
		t.Fatalf("%v is no sentence of this package", err)
	}
}

// longRows has a row for each format. Long files repeat it.
var longRows = map[string]string{
	"f.csv":   "1,2.5,some words,0.12345678901234567,\"a \"\"quoted\"\" cell\",2026-11-20\n",
	"f.jsonl": "{\"a\":1.5,\"b\":\"some words\",\"v\":[1,2,3]}\n",
	"f.svm":   "1 1:0.5 7:2 12:1 100:0.25\n",
	"f.txt":   "some words here and a few more\n",
}

// TestAllocations: reading allocates by the file, not by the row.
func TestAllocations(t *testing.T) {
	slow.Emulated(t)
	files := map[string]string{"numbers.csv": numericCSV(20000)}
	for name, row := range longRows {
		files[name] = strings.Repeat(row, 20000)
	}
	for name, content := range files {
		l := mustSniff(t, name, content)
		p := NewPreprocessing(l)
		fit(t, l, content, p)
		if n := testing.AllocsPerRun(1, func() { readBatches(t, l, content, p) }); n > 500 {
			t.Errorf("%s: %v allocations for 20000 rows", name, n)
		}
	}
}

// TestMemory: a file of 16 MB keeps less than 6 MB of memory, whatever its format.
func TestMemory(t *testing.T) {
	slow.Emulated(t)
	for name, row := range longRows {
		head := row + row + row + row
		l := mustSniff(t, name, head)
		p := NewPreprocessing(l)
		fit(t, l, head, p)
		content := strings.Repeat(row, 16<<20/len(row))
		var before, during runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s := must(l.Open(strings.NewReader(content)))
		r := must(NewReader(s, p))
		most, batches := uint64(0), 0
		err := each(r, func(*Batch) {
			if batches++; batches%16 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&during)
				most = max(most, during.HeapAlloc-min(before.HeapAlloc, during.HeapAlloc))
			}
		})
		if err != nil || most > 6<<20 || batches < 16 {
			t.Errorf("%s: %d bytes of heap in %d batches, %v", name, most, batches, err)
		}
	}
}

func readBatches(t testing.TB, l *Layout, content string, p *Preprocessing) {
	if err := each(must(NewReader(open(t, l, content), p)), func(*Batch) {}); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkReader(b *testing.B) {
	benchmark := func(name string, l *Layout, content string, p *Preprocessing) {
		fit(b, l, content, p)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			b.ReportAllocs()
			for b.Loop() {
				readBatches(b, l, content, p)
			}
		})
	}
	content, l, p := mixed(b, 10000)
	benchmark("mixed", l, content, p)
	for name, row := range longRows {
		content := strings.Repeat(row, 20000)
		l := mustSniff(b, name, content)
		p := NewPreprocessing(l)
		p.SetScaling(columns.Standard)
		benchmark(name, l, content, p)
	}
}

func BenchmarkFit(b *testing.B) {
	content := numericCSV(20000)
	l := mustSniff(b, "f.csv", content)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		p := NewPreprocessing(l)
		p.SetScaling(columns.Standard)
		fit(b, l, content, p)
	}
}
