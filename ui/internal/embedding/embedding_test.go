package embedding

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
)

// A nativeMapper embeds with the core itself, and remembers everything.
type nativeMapper struct {
	t        *testing.T
	core     *sketch.FeatureMap
	features []float32
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

func (m *nativeMapper) Start(rows Rows) (func() ([]float32, error), error) {
	d := m.core.NFeatures()
	x := make([]float32, rows.Len()*d)
	for i := range rows.Len() {
		rows.Vector(x[i*d:(i+1)*d], i)
	}
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
	return NewRecording(&Dense{features, labels})
}

func job(source Source, mapper Mapper, d, D int) *Job {
	return &Job{Source: source, Mapper: mapper, NFeatures: d, NComponents: D, BeginSmall: true, Pace: func() error {
		return nil
	}, Progress: func(int) {}}
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
		want, err := mapper.core.TransformBatch(nil, featuresIn(source).X)
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
			if row.Label != strconv.Itoa(i) || !slices.Equal(row.First, want[i*D:i*D+PreviewColumns]) ||
				row.Largest != max(slices.Max(want[i*D:(i+1)*D]), -slices.Min(want[i*D:(i+1)*D])) {
				t.Errorf("%d rows: preview row %d is %+v", n, i, row)
			}
		}
		if n == 7000 && mapper.most != blocksAhead {
			t.Errorf("%d blocks at work at a time, want %d", mapper.most, blocksAhead)
		}
	}
}

// TestMost: of a source some rows can be embedded, in blocks of any size.
func TestMost(t *testing.T) {
	const d, D, n = 5, 700, 3000
	for _, most := range []int{1, 127, 128, 129, 2500, n, n + 1} {
		source, mapper := numbers(n, d), newMapper(t, d, D)
		j := job(source.Replay(), mapper, d, D)
		j.Most = most
		outcome, err := j.Run()
		if rows := min(most, n); err != nil || outcome.Rows != rows || len(mapper.features) != rows*D {
			t.Errorf("%d wanted: %d embedded, %v", most, outcome.Rows, err)
		}
	}
}

// TestStop: the outcome is about the rows that are done, and those are the first.
func TestStop(t *testing.T) {
	const d, D, n = 5, 700, 7000
	stopped := errors.New("stopped")
	for _, paces := range []int{0, 1, 6} { // before the stop
		mapper := newMapper(t, d, D)
		j := job(numbers(n, d).Replay(), mapper, d, D)
		calls := 0
		j.Pace = func() error {
			if calls++; calls > paces {
				return stopped
			}
			return nil
		}
		outcome, err := j.Run()
		if !errors.Is(err, stopped) || outcome.Rows*D != len(mapper.features) || outcome.Rows > n/2 {
			t.Errorf("stop after %d paces: %d embedded, %d features kept, %v", paces, outcome.Rows, len(mapper.features), err)
		}
	}
	mapper := newMapper(t, d, D)
	mapper.failAt, mapper.failure = 2, stopped
	outcome, err := job(numbers(n, d).Replay(), mapper, d, D).Run()
	if !errors.Is(err, stopped) || outcome.Rows != 128 {
		t.Errorf("second block failed: %d rows, %v", outcome.Rows, err)
	}
}

// numbered are rows that stand in a file, row i in line 2·i + 3.
type numbered struct {
	*Dense
	first int
}

func (n *numbered) Place(i int) int { return 2*(n.first+i) + 3 }
func (n *numbered) Slice(from, to int) Rows {
	return &numbered{n.Dense.Slice(from, to).(*Dense), n.first + from}
}

// TestRefusedRow: the row that the core refuses is counted among all rows and has its
// place in the file.
func TestRefusedRow(t *testing.T) {
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
	file := NewRecording(&numbered{featuresIn(numbers(300, 2)), 0})
	if got := refuse(file.Replay(), 1, 2); got.Row != 2 || got.Place != 7 {
		t.Errorf("first block: row %d, place %d, want 2 and 7", got.Row, got.Place)
	}
	if got := refuse(file.Replay(), 3, 1); got.Row != 257 || got.Place != 517 {
		t.Errorf("third block: row %d, place %d, want 257 and 517", got.Row, got.Place)
	}
	if got := refuse(numbers(10, 2).Replay(), 1, 3); got.Row != 3 || got.Place != 0 {
		t.Errorf("rows of no file: row %d, place %d, want 3 and 0", got.Row, got.Place)
	}
}

// featuresIn returns the rows of a recording of one block.
func featuresIn(r *Recording) *Dense { return r.blocks[0].(*Dense) }

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

// TestRecording: what is replayed is what was passed on, in blocks of any size.
func TestRecording(t *testing.T) {
	const n, d = 10, 3
	r := Record(numbers(n, d).Replay())
	if r.Replay() != nil {
		t.Error("replay before the end")
	}
	for {
		if _, err := r.Next(4); err == io.EOF {
			break
		}
	}
	want := featuresIn(numbers(n, d)).X
	for _, most := range []int{1, 3, 4, 100} {
		replay, row := r.Replay(), 0
		for {
			rows, err := replay.Next(most)
			if err == io.EOF {
				break
			}
			if err != nil || rows.Len() == 0 || rows.Len() > most || rows.Numbers() != d*rows.Len() {
				t.Fatalf("%d wanted: %d rows, %v", most, rows.Len(), err)
			}
			x := make([]float32, d)
			for i := range rows.Len() {
				if rows.Vector(x, i); rows.Label(i) != strconv.Itoa(row) || !slices.Equal(x, want[row*d:(row+1)*d]) {
					t.Fatalf("row %d: %q, %v", row, rows.Label(i), x)
				}
				row++
			}
		}
		if row != n || r.Rows() != n {
			t.Errorf("%d rows, %d recorded, want %d", row, r.Rows(), n)
		}
	}
	large := Record(numbers(1025, recordedNumbers/1024).Replay())
	rows := 0
	for {
		block, err := large.Next(100)
		if err != nil {
			break
		}
		rows += block.Len()
	}
	if rows != 1025 || large.Replay() != nil || large.blocks != nil {
		t.Errorf("%d rows passed on, %d blocks kept", rows, len(large.blocks))
	}
}
