package learn_test

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

var rowsFlag = flag.Int("rows", 60000, "")
var long = flag.Bool("long", false, "compare with LIBLINEAR, LIBSVM and scikit-learn on real data")

// openData opens a file of ../shared/data, or skips the test.
func openData(t testing.TB, name string) io.Reader {
	t.Helper()
	folder := os.Getenv("TENSORSKETCH_DATA")
	if folder == "" {
		folder = "../../../shared/data"
	}
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Skip(name, " is not there: ", err)
	}
	t.Cleanup(func() { file.Close() })
	if strings.HasSuffix(name, ".gz") {
		return bufio.NewReader(need.Value(gzip.NewReader(bufio.NewReader(file)))(t))
	}
	return bufio.NewReader(file)
}

// mnist returns the first n images of MNIST with rows of length 1, and their classes.
func mnist(t testing.TB, name string, n int) ([]float32, []int32) {
	t.Helper()
	images, labels := openData(t, name+"-images-idx3-ubyte.gz"), openData(t, name+"-labels-idx1-ubyte.gz")
	need.Value(io.CopyN(io.Discard, images, 16))(t)
	need.Value(io.CopyN(io.Discard, labels, 8))(t)
	X, y := make([]float32, n*784), make([]int32, n)
	row := make([]byte, 784)
	for i := range n {
		need.Value(io.ReadFull(images, row))(t)
		for j, v := range row {
			X[i*784+j] = float32(v)
		}
		unit(X[i*784 : (i+1)*784])
		var class uint8
		need.OK(t, binary.Read(labels, binary.LittleEndian, &class))
		y[i] = int32(class)
	}
	return X, y
}

func unit(row []float32) {
	square := 0.0
	for _, v := range row {
		square += float64(v) * float64(v)
	}
	if square > 0 {
		for i, v := range row {
			row[i] = float32(float64(v) / math.Sqrt(square))
		}
	}
}

func accuracy(l *learn.Linear, Z []float32, y []int32) float64 {
	right := 0
	for i, class := range y {
		best, at := math.Inf(-1), 0
		for k := range l.K {
			s := l.Intercept[k]
			for j, w := range l.Weights[k*l.D : (k+1)*l.D] {
				s += w * float64(Z[i*l.D+j])
			}
			if s > best {
				best, at = s, k
			}
		}
		if at == int(class) {
			right++
		}
	}
	return 100 * float64(right) / float64(len(y))
}

func TestSpeedOfSVM(t *testing.T) {
	if !*long {
		t.Skip("long")
	}
	n := *rowsFlag
	X, y := mnist(t, "mnist-train", n)
	Xt, yt := mnist(t, "mnist-t10k", 10000)
	m := need.Value(sketch.NewFeatureMap(sketch.Params{NFeatures: 784, NComponents: 1024, Degree: 2, Coef0: 1,
		Seed: sketch.IntSeed(1)}))(t)
	Z := need.Value(m.TransformBatch(nil, X))(t)
	Zt := need.Value(m.TransformBatch(nil, Xt))(t)
	source := need.Value(learn.FeatureSource(Z, 1024))(t)
	p := learn.Problem{Loss: learn.LossSquaredHinge, NComponents: 1024, Classes: 10}
	begin := time.Now()
	l, s, err := learn.FitRows(p, learn.RowData{Source: source, Labels: learn.RowLabels{Classes: y}},
		learn.SolverOptions{}, learn.RunOptions{})
	need.OK(t, err)
	t.Logf("%v, %d passes, accuracy %.2f", time.Since(begin), s.Passes(), accuracy(l, Zt, yt))
}
