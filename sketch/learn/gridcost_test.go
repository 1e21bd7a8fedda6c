//go:build !js

package learn_test

import (
	"compress/gzip"
	encodingcsv "encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/prepare"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/plainsums"
	"tensorsketch.example/test/slow"
)

// costTable is a table for TestGridCost: columns of numbers, NaN where they are missing, and of 0 and 1.
type costTable struct {
	name    string
	kinds   []prepare.Kind
	X       []float32
	classes []int32 // or
	y       []float64
}

// TestGridCost: at a fixed λ, fits to features on the grid are as right as fits to the features themselves, in float64:
// within 0.2 points or two test rows a table, and 0.05 points on average. R² counts as a share of right answers.
//
// Maps have 512 components. With -short there are three tables and maps of 256.
func TestGridCost(t *testing.T) {
	slow.Emulated(t)
	D, tables := 512, append(madeTables(), realTables(t)...)
	if testing.Short() {
		D, tables = 256, tables[:3]
	}
	mean, count := 0.0, 0
	for _, c := range tables {
		train, test := c.split()
		for _, m := range c.maps(t, D, train) {
			cost := c.gridCost(t, m, D, train, test)
			limit := max(0.2, 200/float64(len(test)))
			if c.y != nil {
				limit = 0.2
			}
			t.Logf("%-14s %-12s %6.2f", c.name, m.name, cost)
			if cost > limit {
				t.Errorf("%s, %s: the grid costs %.2f points, at most %.2f", c.name, m.name, cost, limit)
			}
			mean += cost
			count++
		}
	}
	if mean /= float64(count); mean > 0.05 {
		t.Errorf("the grid costs %.3f points on average", mean)
	}
	t.Logf("mean of %d: %.3f", count, mean)
}

// split returns the rows to learn from and to test on: at most 4,000 and 2,000.
func (c *costTable) split() (train, test []int) {
	rows := rand.New(rand.NewPCG(1, 2)).Perm(len(c.X) / len(c.kinds))
	cut := len(rows) * 3 / 4
	return rows[:min(cut, 4000)], rows[cut:min(len(rows), cut+2000)]
}

// A costMap makes features of rows.
type costMap struct {
	name string
	p    *prepare.Preparation
	m    *sketch.FeatureMap
}

// features returns the features of some rows of a table.
func (m *costMap) features(t *testing.T, c *costTable, rows []int) []float32 {
	t.Helper()
	X, _, err := m.p.Rows(c.rows(rows), nil)
	need.OK(t, err)
	return need.Value(m.m.TransformRows(nil, X))(t)
}

func (c *costTable) rows(rows []int) sketch.Dense {
	d := len(c.kinds)
	X := make(sketch.Dense, 0, len(rows)*d)
	for _, i := range rows {
		X = append(X, c.X[i*d:(i+1)*d]...)
	}
	return X
}

// maps returns the maps of the search's families: Gaussian, Laplacian, and polynomials of both kinds of rows.
func (c *costTable) maps(t *testing.T, D int, train []int) (maps []costMap) {
	t.Helper()
	rows := c.rows(train)
	for _, k := range []struct {
		name, form string
		unit       bool
		degree     int
		kernel     string
	}{{"gaussian", prepare.Std, false, 0, "gaussian"}, {"laplacian", prepare.Std, false, 0, "laplacian"},
		{"polynomial 2", prepare.MM, false, 2, ""}, {"polynomial 3", prepare.MM, true, 3, ""}} {
		p := need.Value(prepare.New(k.form, rows, c.kinds))(t)
		p.Unit = k.unit
		X, _, err := p.Rows(rows, nil)
		need.OK(t, err)
		size, gap := scales(X.(sketch.Dense), p.NOutputs(), k.kernel == "laplacian")
		params := sketch.Params{NFeatures: p.NOutputs(), NComponents: D, Seed: sketch.IntSeed(5)}
		if k.kernel != "" {
			params.Method, params.MethodParams = sketch.MethodRandomFourier, sketch.MethodParams{Kernel: k.kernel}
			params.Gamma = 1 / gap
		} else if params.Degree, params.Coef0 = k.degree, 1; !k.unit {
			params.Gamma = 1 / size
		}
		maps = append(maps, costMap{k.name, p, need.Value(sketch.NewFeatureMap(params))(t)})
	}
	return maps
}

// scales returns the means of ‖x‖² and of ‖x − y‖², or of Σ|x − y|, over rows.
func scales(X []float32, d int, absolute bool) (size, gap float64) {
	n := len(X) / d
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		a, b := X[r.IntN(n)*d:][:d], X[r.IntN(n)*d:][:d]
		for j, v := range a {
			size += float64(v) * float64(v) / 500
			if delta := float64(v - b[j]); absolute {
				gap += math.Abs(delta) / 500
			} else {
				gap += delta * delta / 500
			}
		}
	}
	return max(size, 1e-9), max(gap, 1e-9)
}

// gridCost returns by how many points a fit on the grid is less right than one to the features themselves.
func (c *costTable) gridCost(t *testing.T, m costMap, D int, train, test []int) float64 {
	t.Helper()
	Z, T := m.features(t, c, train), m.features(t, c, test)
	grid, shape := solve.GridFor(Z, D), learn.Shape{NComponents: D}
	var classes []int32
	var y []float64
	for _, i := range train {
		if c.y != nil {
			y = append(y, c.y[i])
		} else {
			classes = append(classes, c.classes[i])
		}
	}
	if c.y != nil {
		shape.Targets, grid.Low, grid.High = 1, slices.Min(c.y), slices.Max(c.y)
	} else {
		shape.Classes = int(slices.Max(c.classes)) + 1
	}
	moments := need.Value(learn.NewMoments(shape, grid, 5))(t)
	need.OK(t, moments.AddFeatures(Z, classes, y, nil))
	head := need.Value(learn.FitMoments(moments, learn.RidgeOptions{}))(t)
	options := learn.RidgeOptions{Alpha: head.Alpha}
	rounded, _, err := solve.FitRidge(moments.System(), options)
	need.OK(t, err)
	exact, _, err := solve.FitRidge(plainsums.System(moments.System(), Z, classes, y), options)
	need.OK(t, err)
	return 100 * (c.right(exact.Scores(nil, T), test) - c.right(rounded.Scores(nil, T), test))
}

// right returns the share of right answers of scores, or R².
func (c *costTable) right(scores []float64, test []int) float64 {
	if c.y == nil {
		K, right := len(scores)/len(test), 0
		for i, row := range test {
			best := 0
			for k := range K {
				if scores[i*K+k] > scores[i*K+best] {
					best = k
				}
			}
			if int(c.classes[row]) == best {
				right++
			}
		}
		return float64(right) / float64(len(test))
	}
	mean, wrong, all := 0.0, 0.0, 0.0
	for _, row := range test {
		mean += c.y[row] / float64(len(test))
	}
	for i, row := range test {
		wrong += (c.y[row] - scores[i]) * (c.y[row] - scores[i])
		all += (c.y[row] - mean) * (c.y[row] - mean)
	}
	return 1 - wrong/all
}

// madeTables are a smooth function (Friedman's first, Multivariate adaptive regression splines, 1991), two moons, and
// four nested shells.
func madeTables() []costTable {
	r := rand.New(rand.NewPCG(7, 8))
	const n = 2000
	friedman, moons := costTable{name: "friedman"}, costTable{name: "moons"}
	shells := costTable{name: "shells"}
	friedman.kinds, moons.kinds, shells.kinds = make([]prepare.Kind, 10), make([]prepare.Kind, 2), make([]prepare.Kind, 5)
	for range n {
		var x [10]float64
		for j := range x {
			x[j] = r.Float64()
			friedman.X = append(friedman.X, float32(x[j]))
		}
		friedman.y = append(friedman.y, 10*math.Sin(math.Pi*x[0]*x[1])+20*(x[2]-0.5)*(x[2]-0.5)+10*x[3]+5*x[4])
		class := int32(r.IntN(2))
		angle, up := math.Pi*r.Float64(), float64(1-2*class)
		moons.X = append(moons.X, float32(math.Cos(angle)*up+float64(class)+0.2*r.NormFloat64()),
			float32(math.Sin(angle)*up+0.5*float64(class)+0.2*r.NormFloat64()))
		moons.classes = append(moons.classes, class)
		class = int32(r.IntN(4))
		for range 5 {
			shells.X = append(shells.X, float32(r.NormFloat64()*math.Exp2(float64(class))))
		}
		shells.classes = append(shells.classes, class)
	}
	return []costTable{friedman, moons, shells}
}

// realTables are the tables of the shared data, as far as they are there.
func realTables(t *testing.T) (tables []costTable) {
	t.Helper()
	for _, file := range cases.Tables(t) {
		content := need.Value(gzip.NewReader(need.Value(os.Open(file))(t)))(t)
		records := need.Value(encodingcsv.NewReader(content).ReadAll())(t)
		tables = append(tables, tableOf(strings.TrimSuffix(filepath.Base(file), ".csv.gz"), records[1:]))
	}
	return tables
}

// tableOf returns a table of records whose last column is to be predicted.
func tableOf(name string, records [][]string) costTable {
	c := costTable{name: name}
	var columns [][]float32
	last := len(records[0]) - 1
	records = slices.DeleteFunc(records, func(record []string) bool { return record[last] == "" })
	for j := range last + 1 {
		numbers, isNumber := make([]float32, len(records)), true
		counts := map[string]int{}
		for i, record := range records {
			counts[record[j]]++
			v, err := strconv.ParseFloat(record[j], 64)
			if record[j] == "" {
				v, err = math.NaN(), nil
			}
			isNumber = isNumber && err == nil
			numbers[i] = float32(v)
		}
		var words []string
		for word := range counts {
			words = append(words, word)
		}
		slices.Sort(words)
		switch {
		case j == last && isNumber && len(words) > 20:
			for _, v := range numbers {
				c.y = append(c.y, float64(v))
			}
		case j == last:
			for _, record := range records {
				k, _ := slices.BinarySearch(words, record[j])
				c.classes = append(c.classes, int32(k))
			}
		case isNumber && counts[""] < len(records):
			columns, c.kinds = append(columns, numbers), append(c.kinds, prepare.Number)
		case len(words) <= 50:
			for _, word := range words {
				column := make([]float32, len(records))
				for i, record := range records {
					if record[j] == word {
						column[i] = 1
					}
				}
				columns, c.kinds = append(columns, column), append(c.kinds, prepare.Indicator)
			}
		}
	}
	c.X = rowsOf(columns...)
	return c
}
