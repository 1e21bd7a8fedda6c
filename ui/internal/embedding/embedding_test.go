package embedding

import (
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tensorsketch/tensorsketch/sketch"
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
)

// A nativeMapper embeds with the core itself, and remembers everything.
type nativeMapper struct {
	t        *testing.T
	core     *sketch.TensorSketch
	features []float32
	packed   []byte
	atWork   int
	most     int   // blocks at work at a time
	failAt   int   // the Wait that fails, from 1; 0: none
	failure  error // with which
	waits    int
}

func newMapper(t *testing.T, d, D int) *nativeMapper {
	core, err := sketch.New(sketch.Params{NFeatures: d, NComponents: D, Seed: sketch.IntSeed(1)})
	if err != nil {
		t.Fatal(err)
	}
	return &nativeMapper{t: t, core: core}
}

func (m *nativeMapper) Start(x []float32, cells []byte) (func() ([]float32, error), error) {
	x = slices.Clone(x)
	m.packed = append(m.packed, cells...)
	m.atWork++
	m.most = max(m.most, m.atWork)
	return func() ([]float32, error) {
		m.atWork--
		m.waits++
		if m.waits == m.failAt {
			return nil, m.failure
		}
		z, err := m.core.TransformBatch(nil, x)
		if err != nil {
			m.t.Fatal(err)
		}
		m.features = append(m.features, z...)
		return z, nil
	}, nil
}

// numbers returns n rows of d numbers, row 3 all zero, labelled 0, 1, …
func numbers(n, d int) *Recording {
	features, labels := make([]float32, n*d), make([]string, n)
	for i := range n {
		labels[i] = strconv.Itoa(i)
		for j := range d {
			if i != 3 {
				features[i*d+j] = float32((i*7+j*3)%11) - 4.5
			}
		}
	}
	return NewRecording(features, d, labels)
}

func job(source Source, mapper Mapper, d, D int) *Job {
	return &Job{Source: source, Mapper: mapper, NFeatures: d, NComponents: D, HasLabel: true, BeginSmall: true, Pace: func() error { return nil }, Progress: func(int) {}}
}

// TestRun: the features are those of one batch, whatever the blocks.
func TestRun(t *testing.T) {
	const d, D = 5, 700 // 8 blocks of 128 rows, then of 1,497
	for _, n := range []int{0, 1, 128, 129, 1024, 1025, 7000} {
		source, mapper := numbers(n, d), newMapper(t, d, D)
		progress := 0
		j := job(source.Replay(), mapper, d, D)
		j.Progress = func(rows int) { progress = rows }
		outcome, err := j.Run()
		if err != nil || outcome.Rows != n || progress != n {
			t.Fatalf("%d rows: %d embedded, %d reported, %v", n, outcome.Rows, progress, err)
		}
		want, err := mapper.core.TransformBatch(nil, source.features)
		if err != nil || !slices.Equal(mapper.features, want) {
			t.Errorf("%d rows: features differ from one batch, %v", n, err)
		}
		if zero := min(max(n-3, 0), 1); outcome.ZeroRows != zero {
			t.Errorf("%d rows: %d zero rows, want %d", n, outcome.ZeroRows, zero)
		}
		if len(outcome.Preview) != min(n, previewRows) {
			t.Errorf("%d rows: preview of %d", n, len(outcome.Preview))
		}
		for i, row := range outcome.Preview {
			if row.Label != strconv.Itoa(i) || !slices.Equal(row.First, want[i*D:i*D+PreviewColumns]) || row.Largest != max(slices.Max(want[i*D:(i+1)*D]), -slices.Min(want[i*D:(i+1)*D])) {
				t.Errorf("%d rows: preview row %d is %+v", n, i, row)
			}
		}
		if n == 7000 && mapper.most != blocksAhead {
			t.Errorf("%d blocks at work at a time, want %d", mapper.most, blocksAhead)
		}
		for i, packed := 0, mapper.packed; len(packed) > 0; i++ {
			cells, rest, err := csvfile.UnpackCells(packed)
			if err != nil || string(cells) != strconv.Itoa(i)+"," {
				t.Fatalf("%d rows: cells of row %d are %q, %v", n, i, cells, err)
			}
			packed = rest
		}
	}
}

// TestStop: the outcome is about the rows that are done, and those are the first.
func TestStop(t *testing.T) {
	const d, D, n = 5, 700, 7000
	stopped := errors.New("stopped")
	for _, rows := range []int{0, 1, 4000} { // read before the stop
		mapper := newMapper(t, d, D)
		j := job(numbers(n, d).Replay(), mapper, d, D)
		calls := 0
		j.Pace = func() error {
			if calls++; calls > rows {
				return stopped
			}
			return nil
		}
		outcome, err := j.Run()
		if !errors.Is(err, stopped) || outcome.Rows*D != len(mapper.features) || outcome.Rows > rows {
			t.Errorf("stop after %d rows: %d embedded, %d features kept, %v", rows, outcome.Rows, len(mapper.features), err)
		}
	}
	mapper := newMapper(t, d, D)
	mapper.failAt, mapper.failure = 2, stopped
	outcome, err := job(numbers(n, d).Replay(), mapper, d, D).Run()
	if !errors.Is(err, stopped) || outcome.Rows != 128 {
		t.Errorf("second block failed: %d rows, %v", outcome.Rows, err)
	}
}

// TestRefusedRow: the row that the core refuses is counted among all rows and has
// its line of the file, also when the rows come from a recording.
func TestRefusedRow(t *testing.T) {
	const rows, unusable = 300, 5 // line 1 is the header, line 5 cannot be used
	var b strings.Builder
	b.WriteString("a,b\n")
	for line := 2; line < rows+3; line++ {
		if line == unusable {
			b.WriteString("1,\n")
		} else {
			b.WriteString("1,2\n")
		}
	}
	layout, err := csvfile.Sniff("f.csv", []byte(b.String()), true, csvfile.GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(source Source, waits, row int) *RowError {
		mapper := newMapper(t, 2, 8)
		mapper.failAt, mapper.failure = waits, &RowError{Row: row, Overflow: true, Message: "X row …"}
		_, err := job(source, mapper, 2, 8).Run()
		refused, ok := err.(*RowError)
		if !ok {
			t.Fatalf("got %v", err)
		}
		return refused
	}
	recording := Record(csvfile.NewReader(strings.NewReader(b.String()), layout))
	if got := refuse(recording, 1, 2); got.Row != 2 || got.Line != 4 {
		t.Errorf("first block: row %d, line %d, want 2 and 4", got.Row, got.Line)
	}
	recording = Record(csvfile.NewReader(strings.NewReader(b.String()), layout))
	if _, err := job(recording, newMapper(t, 2, 8), 2, 8).Run(); err != nil {
		t.Fatal(err)
	}
	if got := refuse(recording.Replay(), 3, 1); got.Row != 257 || got.Line != 257+3 {
		t.Errorf("third block, again: row %d, line %d, want 257 and 260", got.Row, got.Line)
	}
	if got := refuse(numbers(10, 2).Replay(), 1, 3); got.Row != 3 || got.Line != 0 {
		t.Errorf("rows of no file: row %d, line %d, want 3 and 0", got.Row, got.Line)
	}
}

// TestFilledColumns: rounding dust counts as zero.
func TestFilledColumns(t *testing.T) {
	sparse := func(cells map[int]float32) PreviewRow {
		features := make([]float32, 100)
		for column, value := range cells {
			features[column] = value
		}
		return newPreviewRow("", features)
	}
	rows := []PreviewRow{
		sparse(map[int]float32{3: 1e-9, 40: -2, 50: 1}),
		sparse(map[int]float32{30: .5, 50: 3, 51: 1, 52: 1, 53: 1, 54: 1, 55: 1, 56: 1, 57: 1, 58: 1}),
		sparse(nil),
	}
	if got, want := FilledColumns(rows, false), []int{30, 40, 50, 51, 52, 53, 54, 55}; !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	for i, want := range []int{2, 10, 0} {
		if rows[i].NFilled != want {
			t.Errorf("row %d: %d features are not zero, want %d", i, rows[i].NFilled, want)
		}
	}
	if rows[0].At(40) != -2 || rows[1].At(40) != 0 || rows[1].At(50) != 3 || rows[0].Largest != 2 {
		t.Errorf("rows %+v", rows)
	}
	if got := FilledColumns(rows[2:], false); len(got) != 0 {
		t.Errorf("of a row of zeros: %v", got)
	}
}

// TestVariedColumns: columns of one value are passed over, but for rounding, and no
// column is shown whose cells are not kept.
func TestVariedColumns(t *testing.T) {
	var rows []PreviewRow
	for row := range 3 {
		features := make([]float32, 200)
		for column := range features {
			features[column] = 2
			if column%10 == 5 {
				features[column] += float32(row)
			}
		}
		features[0] += 1e-6 * float32(row)
		rows = append(rows, newPreviewRow("", features))
	}
	if got, want := FilledColumns(rows, true), []int{5, 15, 25, 35, 45, 55}; !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	if !IsConstant(rows, 0) || IsConstant(rows, 5) || rows[2].At(55) != 4 {
		t.Errorf("columns 0 and 5 of %+v", rows)
	}
	if got := FilledColumns(rows[:1], true); len(got) != 0 {
		t.Errorf("of one row: %v", got)
	}
}

func TestUnit(t *testing.T) {
	for _, x := range [][]float32{{3, 4}, {1e-30, 1e-30}, {1e30, -1e30, 1e30}, {-5}} {
		Unit(x)
		norm := 0.0
		for _, v := range x {
			norm += float64(v) * float64(v)
		}
		if math.Abs(norm-1) > 1e-6 {
			t.Errorf("%v has squared length %v", x, norm)
		}
	}
	zero := []float32{0, 0}
	Unit(zero)
	if zero[0] != 0 || zero[1] != 0 {
		t.Errorf("zeros become %v", zero)
	}
	d, D := 4, 8
	source, mapper := numbers(5, d), newMapper(t, d, D)
	j := job(source.Replay(), mapper, d, D)
	j.Unit = true
	if _, err := j.Run(); err != nil {
		t.Fatal(err)
	}
	x := slices.Clone(source.features)
	for i := range 5 {
		Unit(x[i*d : (i+1)*d])
	}
	if want, _ := mapper.core.TransformBatch(nil, x); !slices.Equal(mapper.features, want) {
		t.Error("the rows were not scaled before the transform")
	}
}

func TestRecording(t *testing.T) {
	r := Record(numbers(10, 3).Replay())
	if r.Replay() != nil {
		t.Error("replay before the end")
	}
	var want []csvfile.Row
	for {
		row, err := r.Next()
		if err == io.EOF {
			break
		}
		want = append(want, csvfile.Row{Features: slices.Clone(row.Features), Label: row.Label})
	}
	for range 2 {
		replay := r.Replay()
		for i := range want {
			row, err := replay.Next()
			if err != nil || row.Label != want[i].Label || !slices.Equal(row.Features, want[i].Features) {
				t.Fatalf("row %d: %+v, %v", i, row, err)
			}
		}
		if _, err := replay.Next(); err != io.EOF {
			t.Errorf("after the last row: %v", err)
		}
	}
	large := Record(numbers(1025, recordedNumbers/1024).Replay())
	rows := 0
	for ; ; rows++ {
		if _, err := large.Next(); err != nil {
			break
		}
	}
	if rows != 1025 || large.Replay() != nil || large.features != nil {
		t.Errorf("%d rows passed on, %d numbers kept", rows, len(large.features))
	}
}
