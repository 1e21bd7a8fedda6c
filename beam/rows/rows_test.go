package rows

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch/learn"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

func TestMain(m *testing.M) {
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

// TestCoder: a row comes back with every bit, and bytes that are cut short are refused.
func TestCoder(t *testing.T) {
	negative, nan := float32(math.Copysign(0, -1)), math.Float32frombits(0x7fc12345)
	for _, r := range []Row{
		{},
		{Values: []float32{1, negative, nan, math.MaxFloat32}, Label: learn.TextLabel("räder"),
			Cells: []string{"", "a\x00b"}},
		{Values: []float32{}, Indices: []int32{}, Label: learn.BoolLabel(true), File: "a.csv", Place: 1 << 40, IsLine: true},
		{Values: []float32{2, 3}, Indices: []int32{0, math.MaxInt32}, Label: learn.NumberLabel(0.1),
			Targets: []float64{1e-300}},
	} {
		text := encode(r)
		again, err := decode(text)
		if err != nil || !bytes.Equal(encode(again), text) || (again.Indices == nil) != (r.Indices == nil) ||
			!slices.EqualFunc(again.Values, r.Values, sameBits) || again.Label != r.Label ||
			!slices.Equal(again.Cells, r.Cells) || again.Place != r.Place {
			t.Errorf("%+v comes back as %+v (%v)", r, again, err)
		}
		for n := range text {
			if _, err := decode(text[:n]); err == nil {
				t.Errorf("%+v: %d of %d bytes are read without an error", r, n, len(text))
			}
		}
	}
}

func sameBits(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// FuzzDecode: bytes of any kind give a row or an error, and never more memory than the bytes stand for.
func FuzzDecode(f *testing.F) {
	f.Add(encode(Row{Values: []float32{1}, Indices: []int32{2}, Label: learn.TextLabel("a"), Cells: []string{"b"}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r, err := decode(data); err == nil {
			if again, err := decode(encode(r)); err != nil || !bytes.Equal(encode(again), encode(r)) {
				t.Errorf("%x: %+v comes back as %+v (%v)", data, r, again, err)
			}
		}
	})
}

var collected []Row

func init() { register.DoFn1x0[Row](&collect{}) }

// collect keeps the rows of a pipeline that runs in this process, in one bundle.
type collect struct{}

func (*collect) ProcessElement(r Row) { collected = append(collected, r) }

// read reads files on Prism, and returns the rows and the counters.
func read(t *testing.T, f Files, names ...string) ([]Row, map[string]int64, error) {
	collected = nil
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &collect{}, Read(s, f, beam.CreateList(s, names)))
	result, err := beam.Run(context.Background(), "prism", p)
	if err != nil {
		return nil, nil, err
	}
	counts := map[string]int64{}
	for _, c := range result.Metrics().Query(func(metrics.SingleResult) bool { return true }).Counters() {
		counts[c.Name()] += c.Result()
	}
	return collected, counts, nil
}

// TestRead: rows of two formats with their labels. Rows that cannot be used are left out and counted, or end the
// pipeline where the preprocessing says so.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	csv := write("a.csv", "x,y,kind\n1,2,a\nabc,1,b\n,1,b\n3,4,\n5,6, b \n")
	lines := write("b.jsonl", `{"kind":"a","y":8,"x":7}`+"\n")
	preprocessing := func(missing string) string {
		return `{"format":"tensorsketch-preprocessing","version":1,"unitNorm":false,"columns":[` +
			`{"name":"x","role":"number","missing":"` + missing + `","scaling":"none"},` +
			`{"name":"y","role":"number","missing":"` + missing + `","scaling":"none"},` +
			`{"name":"kind","role":"label"}]}`
	}
	files := Files{Preprocessing: preprocessing("drop"), Task: learn.TaskClassify}
	got, counts, err := read(t, files, csv, lines)
	want := []Row{
		{Values: []float32{1, 2}, Label: learn.TextLabel("a"), File: csv, Place: 2, IsLine: true},
		{Values: []float32{5, 6}, Label: learn.TextLabel("b"), File: csv, Place: 6, IsLine: true},
		{Values: []float32{7, 8}, Label: learn.TextLabel("a"), File: lines, Place: 1, IsLine: true},
	}
	slices.SortFunc(got, func(a, b Row) int { return int(a.Values[0] - b.Values[0]) })
	if err != nil || !reflect.DeepEqual(got, want) || counts["rows"] != 3 || counts["rows left out"] != 3 {
		t.Errorf("%+v, %v, %v; want %+v, 3 used and 3 left out", got, counts, err, want)
	}
	files.Task = ""
	if got, _, err := read(t, files, lines); err != nil || len(got) != 1 || !slices.Equal(got[0].Cells, []string{"a"}) {
		t.Errorf("without labels: %+v (%v), want the cell a", got, err)
	}
	files.Preprocessing, files.Task = preprocessing("refuse"), learn.TaskClassify
	if _, _, err := read(t, files, csv); err == nil || !strings.Contains(err.Error(), csv+", line 4, column \"x\"") {
		t.Errorf("a missing cell that is refused: %v", err)
	}
	files.Preprocessing = preprocessing("drop")
	other := write("c.csv", "x,y\n1,2\n")
	if _, _, err := read(t, files, other); err == nil || !strings.Contains(err.Error(), `no column "kind"`) {
		t.Errorf("a file without labels: %v", err)
	}
}
