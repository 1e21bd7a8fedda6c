package learn_test

import (
	stdcsv "encoding/csv"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// tableNames are tables of ../shared/data/tables, and whether they have classes.
var tableNames = map[string]bool{"abalone": false, "anneal": true, "autohorse": false, "autompg": false, "autos": true,
	"bank8fm": false, "bodyfat": false, "car": true, "colic": true, "credit-g": true, "heart-c": true,
	"hypothyroid": true, "ionosphere": true, "page-blocks": true, "puma8nh": false, "segment": true, "sick": true,
	"sonar": true, "soybean": true, "splice": true, "stock": false, "tic-tac-toe": true, "vehicle": true, "vowel": true,
	"waveform5000": true}

// readTable returns a table with numbers standardised and a coordinate for each of up to 50 words of a column, and its
// last column: at most 8,000 rows, in a seeded order; three quarters are for training.
func readTable(t *testing.T, name string) (train, test table) {
	t.Helper()
	return readSplit(t, name, 7)
}

// readSplit is readTable with another split.
func readSplit(t *testing.T, name string, seed uint64) (train, test table) {
	t.Helper()
	lines := need.Value(stdcsv.NewReader(openData(t, filepath.Join("tables", name+".csv.gz"))).ReadAll())(t)[1:]
	state := seed
	for i := len(lines) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int(state >> 33 % uint64(i+1))
		lines[i], lines[j] = lines[j], lines[i]
	}
	lines = lines[:min(8000, len(lines))]
	last := len(lines[0]) - 1
	columns := make([][]float32, 0, last)
	for j := range last {
		cells := make([]string, len(lines))
		for i, line := range lines {
			cells[i] = line[j]
		}
		columns = append(columns, coordinates(cells)...)
	}
	all := table{d: len(columns), X: make(sketch.Dense, len(lines)*len(columns))}
	for i, line := range lines {
		for j, column := range columns {
			all.X[i*all.d+j] = column[i]
		}
		if tableNames[name] {
			all.labels = append(all.labels, learn.TextLabel(line[last]))
		} else {
			all.y = append(all.y, need.Value(strconv.ParseFloat(line[last], 64))(t))
		}
	}
	n := len(lines) * 3 / 4
	return all.part(0, n), all.part(n, len(lines))
}

// coordinates returns the coordinates of a column's cells.
func coordinates(cells []string) (columns [][]float32) {
	numbers, sum, square, known, isText := make([]float32, len(cells)), 0.0, 0.0, 0.0, false
	counts := map[string]int{}
	for i, cell := range cells {
		counts[cell]++
		v, err := strconv.ParseFloat(cell, 64)
		isText = isText || err != nil && cell != ""
		if numbers[i] = float32(v); cell != "" {
			sum, square, known = sum+v, square+v*v, known+1
		}
	}
	if !isText && known > 0 {
		mean := sum / known
		unit := math.Sqrt(max(1e-12, square/known-mean*mean))
		for i, v := range numbers {
			if numbers[i] = float32((float64(v) - mean) / unit); cells[i] == "" {
				numbers[i] = 0
			}
		}
		return [][]float32{numbers}
	}
	var words []string
	for word := range counts {
		words = append(words, word)
	}
	slices.SortFunc(words, func(a, b string) int { return 4*(counts[b]-counts[a]) + 2*compareText(a, b) })
	for _, word := range words[:min(50, len(words))] {
		column := make([]float32, len(cells))
		for i, cell := range cells {
			if cell == word {
				column[i] = 1
			}
		}
		columns = append(columns, column)
	}
	return columns
}

func compareText(a, b string) int {
	if a < b {
		return -1
	}
	return 1
}

// gaussian returns a map of the Gaussian kernel with γ = 1/mean ‖x − y‖² of the rows.
func gaussian(t *testing.T, data table, D int) *sketch.FeatureMap {
	t.Helper()
	total, n := 0.0, data.rows()
	for i := range 500 {
		a, b := data.X[i%n*data.d:][:data.d], data.X[(i*7919+1)%n*data.d:][:data.d]
		for j, v := range a {
			total += float64((v-b[j])*(v-b[j])) / 500
		}
	}
	return need.Value(sketch.NewFeatureMap(sketch.Params{Method: sketch.MethodRandomFourier, NFeatures: data.d,
		NComponents: D, Gamma: 1 / total, Seed: sketch.IntSeed(1)}))(t)
}

// expected returns the expected calibration error over 15 bins.
func expectedError(p []float64, K int, truth []int32) float64 {
	var n, sure, right [15]float64
	for i, class := range truth {
		own := p[i*K : (i+1)*K]
		best := solve.Largest(own)
		bin := min(14, int(15*own[best]))
		n[bin]++
		sure[bin] += own[best]
		if int32(best) == class {
			right[bin]++
		}
	}
	total := 0.0
	for bin := range n {
		total += math.Abs(right[bin]-sure[bin]) / float64(len(truth))
	}
	return total
}

// Calibration from kept rows beats the one from sums alone on tables, in log loss and in the expected calibration
// error, and costs no accuracy. Without -long it takes three tables, whose few rows do not show the calibration error.
func TestCalibrationOfTables(t *testing.T) {
	leftOut(t)
	var sum [2][3]float64
	tables := 0.0
	for _, name := range []string{"car", "vehicle", "credit-g", "anneal", "autos", "colic", "heart-c", "hypothyroid",
		"ionosphere", "page-blocks", "segment", "sick", "sonar", "soybean", "splice", "tic-tac-toe", "vowel",
		"waveform5000"} {
		if !*long && tables == 3 {
			break
		}
		train, test := readTable(t, name)
		var got [2][3]float64
		for kept, keep := range []float64{1e-18, 1} { // of the first none is kept
			spec := learn.Spec{Map: gaussian(t, train, 512), WithoutLinear: true, Folds: 5, Keep: keep}
			m := need.Value(learn.FitModel(spec, train.X, train.labels, learn.RowsOptions{}))(t)
			e := need.Value(m.Evaluate(test.X, test.labels))(t)
			p := need.Value(m.Probabilities(test.X))(t)
			truth := make([]int32, test.rows())
			for i, label := range test.labels {
				truth[i] = int32(slices.Index(m.Classes, label))
			}
			got[kept] = [3]float64{e.LogLoss, expectedError(p, len(m.Classes), truth), e.Accuracy.Value}
			for i, v := range got[kept] {
				sum[kept][i] += v
			}
		}
		tables++
		t.Logf("%-13s log loss %.3f → %.3f, ECE %.3f → %.3f, accuracy %.3f → %.3f", name, got[0][0], got[1][0],
			got[0][1], got[1][1], got[0][2], got[1][2])
	}
	for i := range 3 {
		sum[0][i] /= tables
		sum[1][i] /= tables
	}
	t.Logf("mean of %.0f: sums %.4f, kept rows %.4f", tables, sum[0], sum[1])
	if sum[1][0] > sum[0][0] || *long && sum[1][1] > sum[0][1] || sum[1][2] < sum[0][2]-0.003 {
		t.Errorf("log loss, ECE and accuracy: from sums %.4f, from kept rows %.4f", sum[0], sum[1])
	}
}
