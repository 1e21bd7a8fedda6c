package embed

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"tensorsketch.example/beam/rows"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/model"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

func TestMain(m *testing.M) {
	log.LogLevel = "error"
	beam.Init()
	os.Exit(m.Run())
}

var (
	lock      sync.Mutex
	collected map[int64][]float32
)

func init() { register.DoFn1x0[rows.Row](&collect{}) }

// collect keeps the features of a pipeline that runs in this process.
type collect struct{}

func (*collect) ProcessElement(r rows.Row) {
	lock.Lock()
	defer lock.Unlock()
	collected[r.Place] = r.Values
}

// TestBits: for every kind of map, features have the bits that the map gives all rows at once, whatever the order of
// the rows and their bundles.
func TestBits(t *testing.T) {
	const d, n = 20, 300
	random := rand.New(rand.NewPCG(1, 1))
	X := make(sketch.Dense, n*d)
	for i := range X {
		X[i] = float32(random.NormFloat64())
	}
	for _, params := range []sketch.Params{
		{NComponents: 100, Degree: 3, Coef0: 1},
		{NComponents: 64, Degree: 2, Normalize: sketch.NormalizeKernel, Repeats: 2},
		{Method: sketch.MethodNystroem, NComponents: 16, Degree: 2, Coef0: 1},
		{NComponents: 64, Degree: 2, Keyed: true, Seed: sketch.BytesSeed([32]byte{1})},
	} {
		params.NFeatures = d
		m, err := sketch.NewFeatureMap(params)
		need(t, err)
		if params.Method == sketch.MethodNystroem {
			need(t, m.Fit(X))
		}
		file, err := model.MarshalWith(m, model.Options{IncludeKey: params.Keyed})
		need(t, err)
		want, err := m.TransformRows(nil, X)
		need(t, err)

		var all []rows.Row
		for i := range n {
			all = append(all, rows.Row{Values: X[i*d : (i+1)*d], Place: int64(i)})
		}
		random.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
		collected = map[int64][]float32{}
		p, s := beam.NewPipelineWithRoot()
		parts := beam.Flatten(s, beam.CreateList(s, all[:1]), beam.CreateList(s, all[1:50]), beam.CreateList(s, all[50:]))
		Z, err := Rows(s, file, beam.Reshuffle(s, parts))
		need(t, err)
		beam.ParDo0(s, &collect{}, Z)
		_, err = beam.Run(context.Background(), "prism", p)
		need(t, err)
		D := m.NComponents()
		for i := range int64(n) {
			for k := range D {
				if len(collected[i]) != D || math.Float32bits(collected[i][k]) != math.Float32bits(want[int(i)*D+k]) {
					t.Fatalf("%+v: row %d has other features than on one machine", params, i)
				}
			}
		}
	}
}

// TestRefused: what is no model is refused before the pipeline runs, and so is a keyed model without its key; a row
// that the map cannot take ends the pipeline and is named.
func TestRefused(t *testing.T) {
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 8, Degree: 2, Keyed: true,
		Seed: sketch.BytesSeed([32]byte{1})})
	need(t, err)
	keyed, err := model.Marshal(m)
	need(t, err)
	p, s := beam.NewPipelineWithRoot()
	col := beam.CreateList(s, []rows.Row{{Values: []float32{1, 2, 3}, File: "a.parquet", Place: 7}})
	for _, file := range [][]byte{nil, []byte("{}"), keyed} {
		if _, err := Rows(s, file, col); err == nil {
			t.Errorf("%q is no model, and there is no error", file)
		}
	}
	m, err = sketch.New(sketch.Params{NFeatures: 2, NComponents: 8, Degree: 2})
	need(t, err)
	file, err := model.Marshal(m)
	need(t, err)
	if _, err := Write(s, file, col, t.TempDir(), "csv"); err == nil || !strings.Contains(err.Error(), "preprocessing") {
		t.Errorf("files for a model without a preprocessing: %v", err)
	}
	_, err = Rows(s, file, col)
	need(t, err)
	_, err = beam.Run(context.Background(), "prism", p)
	if err == nil || !strings.Contains(err.Error(), "a.parquet, row 7: the row must have 2 numbers") {
		t.Errorf("a row of another length: %v", err)
	}
}

func need(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
