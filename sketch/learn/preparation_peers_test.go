//go:build !js

package learn_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	encodingcsv "encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
)

// prepareInNumPy reads tables of float32 with n and d before each, prepares them with the reference in each form, and
// writes float64.
const prepareInNumPy = `
import sys
sys.path.insert(0, sys.argv[1])
try:
    import numpy as np, pandas as pd
    from ml import Prep
except ImportError as e:
    sys.exit(f"not there: {e}")
values, at = np.frombuffer(sys.stdin.buffer.read(), '<f4'), 0
while at < len(values):
    n, d = values[at:at+2].astype(int)
    df = pd.DataFrame(values[at+2:at+2+n*d].reshape(n, d).astype(float))
    at += 2 + n*d
    for form in sys.argv[2:]:
        sys.stdout.buffer.write(np.ascontiguousarray(Prep(form).fit(df)(df)).tobytes())
`

// The reference of the recipe prepares columns as NewPreparation does, where they have more than ten different
// numbers and none has more than half of the rows: for the others NewPreparation has rules of its own.
func TestPreparationAsNumPyHasIt(t *testing.T) {
	files := cases.NeedTables(t)
	reference := filepath.Dir(cases.Data(t, "../peers/recipe/ml.py"))
	// The reference takes minimum and maximum of mm from numbers that are not cut.
	forms := []string{prepare.Std, prepare.QN}
	var in bytes.Buffer
	var names []string
	var got []float32
	var widths []int
	for _, file := range files {
		rows, d := measurements(t, file)
		if d == 0 {
			continue
		}
		need.OK(t, binary.Write(&in, binary.LittleEndian, slices.Concat([]float32{float32(len(rows) / d), float32(d)}, rows)))
		for _, form := range forms {
			p := need.Value(prepare.New(form, rows, make([]prepare.Kind, d)))(t)
			X, _ := prepared(t, p, rows)
			for range len(X) {
				names, widths = append(names, filepath.Base(file)+" "+form), append(widths, p.NOutputs())
			}
			got = append(got, X...)
		}
	}
	command := exec.Command("/usr/bin/python3", append([]string{"-c", prepareInNumPy, reference}, forms...)...)
	command.Stdin = &in
	out, err := command.Output()
	if failed, ok := err.(*exec.ExitError); ok && bytes.HasPrefix(failed.Stderr, []byte("not there")) {
		t.Skipf("python3: %s", failed.Stderr)
	}
	need.OK(t, err)
	want := make([]float64, len(out)/8)
	need.OK(t, binary.Read(bytes.NewReader(out), binary.LittleEndian, want))
	if len(want) != len(got) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for i, w := range want {
		if math.Abs(float64(got[i])-w) > 1e-5*max(1, math.Abs(w)) {
			t.Fatalf("%s: number %d, with %d a row, is %v, want %v", names[i], i, widths[i], got[i], w)
		}
	}
	t.Logf("%d numbers compared", len(want))
}

// measurements returns the columns of a table that have more than ten different numbers, none of them in more than
// half of the rows.
func measurements(t *testing.T, file string) (rows []float32, d int) {
	t.Helper()
	content := need.Value(gzip.NewReader(need.Value(os.Open(file))(t)))(t)
	records := need.Value(encodingcsv.NewReader(content).ReadAll())(t)[1:]
	records = records[:min(1000, len(records))]
	var columns [][]float32
	for j := range records[0] {
		column, counts := make([]float32, len(records)), map[float32]int{}
		for i, record := range records {
			v, err := strconv.ParseFloat(record[j], 32)
			if record[j] == "" {
				v, err = math.NaN(), nil
			}
			if err != nil {
				counts, column = nil, nil
				break
			}
			column[i] = float32(v)
			if v == v {
				counts[column[i]]++
			}
		}
		most := 0
		for _, count := range counts {
			most = max(most, count)
		}
		if len(counts) > 10 && 2*most <= total(counts) {
			columns = append(columns, column)
		}
	}
	if len(columns) == 0 {
		return nil, 0
	}
	return rowsOf(columns...), len(columns)
}

func total(counts map[float32]int) (n int) {
	for _, count := range counts {
		n += count
	}
	return n
}

// No column of real tables of 0 and 1 is cut away, however rare its ones: cuts at the quantiles of all rows would take
// 44 of 123 columns and 2,050 of 4,862.
func TestRareColumnsOfData(t *testing.T) {
	for name, d := range map[string]int{"a9a.libsvm.gz": 123, "basehock.libsvm.gz": 4862} {
		x := libsvm(t, name, d)
		n := min(x.rows(), 2000)
		for i, v := range x.X { // which libsvm has divided by the length of the row
			if v != 0 {
				x.X[i] = 1
			}
		}
		p := need.Value(prepare.New(prepare.Std, x.X[:n*d], make([]prepare.Kind, d)))(t)
		X, _ := prepared(t, p, x.X[:n*d])
		width, at, lost, used := p.NOutputs(), 0, 0, 0
		for j := range d {
			if p.Columns[j].Unused {
				continue
			}
			least, largest := X[at], X[at]
			for i := range n {
				least, largest = min(least, X[i*width+at]), max(largest, X[i*width+at])
			}
			if used++; largest-least < 1.9 { // two deviations, of halves
				lost++
			}
			at++
		}
		if lost > 0 {
			t.Errorf("%s: of %d columns %d are cut away", name, used, lost)
		}
		t.Logf("%s: %d columns that are not constant", name, used)
	}
}
