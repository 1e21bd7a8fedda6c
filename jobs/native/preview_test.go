package native_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// previewRows returns a request for rows of numbers, kept as they are, whose labels are their numbers from 0.
func previewRows(X []float32, d int, params jobs.MapParams) *jobs.PreviewRequest {
	var b strings.Builder
	for j := range d {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("label\n")
	for i := range len(X) / d {
		for _, x := range X[i*d : (i+1)*d] {
			fmt.Fprintf(&b, "%g,", x)
		}
		fmt.Fprintf(&b, "r%d\n", i)
	}
	return &jobs.PreviewRequest{ID: 1, Map: params, Rows: jobs.Rows{
		Files:   []jobs.File{jobs.NewFile("rows.csv", bytes.NewReader([]byte(b.String())))},
		Columns: jobs.Columns{Scaling: "none", Roles: map[string][]string{"keep": {"label"}}},
	}}
}

// unitRows returns rows of positive numbers and length 1.
func unitRows(n, d int) []float32 {
	draw := rand.New(rand.NewSource(1))
	X := make([]float32, n*d)
	for i := range n {
		row, sum := X[i*d:(i+1)*d], 0.0
		for j := range row {
			row[j] = draw.Float32()
			sum += float64(row[j]) * float64(row[j])
		}
		for j := range row {
			row[j] /= float32(math.Sqrt(sum))
		}
	}
	return X
}

func previewOf(t *testing.T, q *jobs.PreviewRequest) *jobs.PreviewReply {
	t.Helper()
	s := jobs.NewSession(native.Mapper{})
	defer s.Close()
	return need.Value(s.Preview(nil, q))(t)
}

// Every figure of three pairs is by its definition: the kernel, the product of the features, bias and σ of the map.
func TestPreviewFigures(t *testing.T) {
	const d, D = 5, 16
	X := unitRows(3, d)
	for _, params := range []jobs.MapParams{{Degree: 2, Coef0: new(1.0)}, {Degree: 2, Normalize: "kernel"},
		{Method: "spherical"}} {
		params.NComponents, params.Seed = D, jobs.Seed{Number: 3}
		p := sketch.Params{Method: params.Method, NFeatures: d, NComponents: D, Degree: params.Degree,
			Normalize: params.Normalize, Seed: sketch.IntSeed(3)}
		if params.Coef0 != nil {
			p.Coef0 = *params.Coef0
		}
		Z := need.Value(need.Value(sketch.NewFeatureMap(p))(t).TransformBatch(nil, X))(t)
		f := need.Value(sketch.NewFormulas(p))(t)
		got, self := previewOf(t, previewRows(X, d, params)), 0.0
		row := func(i int) (x []float64) {
			for _, v := range X[i*d : (i+1)*d] {
				x = append(x, float64(v))
			}
			return x
		}
		for k, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			x, y, estimate := row(pair[0]), row(pair[1]), 0.0
			for c := range D {
				estimate += float64(Z[pair[0]*D+c]) * float64(Z[pair[1]*D+c])
			}
			sigma, kind := f.StdError(x, y)
			for i, want := range []float64{f.Kernel(x, y), estimate, f.Bias(x, y), sigma} {
				if is := got.Pairs[4*k+i]; math.Abs(is-want) > 1e-12*math.Abs(want) {
					t.Errorf("%+v: number %d of pair %d is %g, want %g", params, i, k, is, want)
				}
			}
			if got.Kind < int(kind) {
				t.Errorf("%+v: the kind is %d, want %d", params, got.Kind, kind)
			}
		}
		for i := range 3 {
			self += f.Kernel(row(i), row(i)) / 3
		}
		if len(got.Pairs) != 12 || math.Abs(got.Self-self) > 1e-12*self || got.Unlike != 3 {
			t.Errorf("%+v: %d numbers, self %g, want %g; %d pairs differ", params, len(got.Pairs), got.Self, self, got.Unlike)
		}
	}
}

// Where no formula gives σ, the measured error is there all the same.
func TestPreviewFitted(t *testing.T) {
	q := previewRows(unitRows(40, 5), 5, jobs.MapParams{Method: "nystroem", NComponents: 10})
	got := previewOf(t, q)
	if len(got.Pairs) != 4*40*39/2 || got.Fitted == nil || got.Fitted.Rows != 40 || !got.Fitted.IsWhole {
		t.Fatalf("%d pairs, fitted to %+v", len(got.Pairs)/4, got.Fitted)
	}
	for at := 0; at < len(got.Pairs); at += 4 {
		if got.Pairs[at] == got.Pairs[at+1] || got.Pairs[at+2] != 0 || !math.IsNaN(got.Pairs[at+3]) {
			t.Fatalf("pair %d is %v", at/4, got.Pairs[at:at+4])
		}
	}
	q = previewRows(unitRows(9, 5), 5, jobs.MapParams{Method: "nystroem", NComponents: 10})
	if got := previewOf(t, q); got.TooFew == nil || *got.TooFew != 9 {
		t.Errorf("too few rows: %+v", got.TooFew)
	}
}

// Pairs of rows that differ are told from others, and the heaviest column has the largest share of the squared length.
func TestPreviewUnlike(t *testing.T) {
	const d = 5
	X := unitRows(20, d)
	far := jobs.MapParams{Method: "random-fourier", NComponents: 16, Gamma: 1e6}
	got := previewOf(t, previewRows(append(X, X[:d]...), d, far))
	if got.Unlike != 21*20/2-1 || got.Apart >= 1e-6 || got.Self != 1 {
		t.Errorf("%d pairs differ, apart %g, self %g", got.Unlike, got.Apart, got.Self)
	}
	if got := previewOf(t, previewRows(append(X[:d:d], X[:d]...), d, far)); got.Unlike != 0 {
		t.Errorf("%d pairs of equal rows differ", got.Unlike)
	}
	got = previewOf(t, previewRows([]float32{3, 4, 0, 0, 0, 0, 0, 0, 0, 2}, d, jobs.MapParams{NComponents: 16}))
	if h := got.Heaviest; h == nil || h.Name != "x4" || h.Share != .5 {
		t.Errorf("the heaviest column is %+v", h)
	}
}

// The first rows are shown with their labels, rows of zeros are counted, and one row leaves nothing to compare. Most
// bounds the rows that are embedded, and First those that are read.
func TestPreviewRows(t *testing.T) {
	const d, D = 5, 16
	X := unitRows(9, d)
	clear(X[3*d : 4*d])
	q := previewRows(X, d, jobs.MapParams{NComponents: D, Degree: 2})
	got := previewOf(t, q)
	p := sketch.Params{NFeatures: d, NComponents: D, Degree: 2}
	Z := need.Value(need.Value(sketch.NewFeatureMap(p))(t).TransformBatch(nil, X))(t)
	if got.Rows != 9 || got.ZeroRows != 1 || len(got.First) != 6 {
		t.Fatalf("%d rows, %d of zeros, %d shown", got.Rows, got.ZeroRows, len(got.First))
	}
	for i, row := range got.First {
		if row.Label != fmt.Sprint("r", i) || fmt.Sprint(row.Features) != fmt.Sprint(Z[i*D:(i+1)*D]) {
			t.Errorf("row %d is %q, %v", i, row.Label, row.Features)
		}
	}
	q.Most = 4
	if got := previewOf(t, q); got.Rows != 4 || len(got.Pairs) != 4*6 {
		t.Errorf("of 4 rows: %d, %d pairs", got.Rows, len(got.Pairs)/4)
	}
	q.Most, q.First = 4, 7
	if got := previewOf(t, q); got.Rows != 4 {
		t.Errorf("of 7 rows, 4 embedded: %d", got.Rows)
	}
	if got := previewOf(t, previewRows(X[:d], d, q.Map)); got.Rows != 1 || len(got.Pairs) != 0 || len(got.First) != 1 {
		t.Errorf("of one row: %d, %d pairs", got.Rows, len(got.Pairs)/4)
	}
}

// A row that the map refuses is named by its place in the file, also where the rows are kept.
func TestPreviewRefuses(t *testing.T) {
	s := jobs.NewSession(native.Mapper{})
	defer s.Close()
	X := unitRows(30, 5)
	X[12*5] = 3e38
	q := previewRows(X, 5, jobs.MapParams{NComponents: 16, Degree: 1})
	need.Value(s.Preview(nil, q))(t)
	q.Map.Degree = 3
	if _, err := s.Preview(nil, q); err == nil || !strings.Contains(err.Error(), "rows.csv, line 14: the row must") {
		t.Errorf("%v", err)
	}
}

// A countedFile counts how often it is opened.
type countedFile struct {
	jobs.File
	opened int
}

func (f *countedFile) Open(l *dataset.Layout) (dataset.Source, error) {
	f.opened++
	return f.File.Open(l)
}

// Few rows are read once, many each time.
func TestPreviewReads(t *testing.T) {
	for _, n := range []int{1000, 1_700_000} {
		s := jobs.NewSession(native.Mapper{})
		q := previewRows(make([]float32, 5*n), 5, jobs.MapParams{NComponents: 1, Method: "count-sketch"})
		counted := &countedFile{File: q.Files[0]}
		q.Files[0] = counted
		for range 3 {
			if got := need.Value(s.Preview(nil, q))(t); got.Rows != int64(n) {
				t.Fatalf("%d rows, want %d", got.Rows, n)
			}
		}
		if want := map[bool]int{true: 1, false: 3}[n == 1000]; counted.opened != want {
			t.Errorf("%d rows are read %d times, want %d", n, counted.opened, want)
		}
		s.Close()
		if testing.Short() {
			break
		}
	}
}
