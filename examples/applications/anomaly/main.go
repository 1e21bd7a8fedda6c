//go:build !js

// Anomaly watches a stream of rows, and says how unlike each is to the rows before. The sums of a learner are all that
// it keeps: they merge, and old rows can be taken away from them. In a row (x, y) and six columns of noise, y is about
// x² minus its mean. In one row of fifty y belongs to another x, so each column for itself looks as ever. The reference
// is the same score on all products of two columns.
//
// Run it at the top of the clone: go run ./examples/applications/anomaly. main_test.go has what it prints.
package main

import (
	"fmt"
	"log"
	"math/rand"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

const (
	columns = 8
	rows    = 2000
	every   = 50 // rows, of which one is wrong
)

func main() {
	random := rand.New(rand.NewSource(1))
	known, next := draw(random, 0), draw(random, every)
	linear := sketch.Params{NFeatures: columns, NComponents: 64, Degree: 1, Coef0: 1}
	sketched := sketch.Params{NFeatures: columns, NComponents: 256, Degree: 2, Coef0: 1}
	exact := sketch.Params{NFeatures: columns, NComponents: 512, Degree: 2, Coef0: 1} // hardly any of 45 collides
	fmt.Printf("%d rows seen before, %d new ones, %d of them wrong\n", rows, rows, rows/every)
	for _, c := range []struct {
		name string
		p    sketch.Params
	}{{"linear", linear}, {"sketch", sketched}, {"all products", exact}} {
		area, err := areaOf(c.p, known, next)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("area under the curve, %s: %.3f\n", c.name, area)
	}
}

// draw returns rows. If every is not 0, the y of each such row is of another x.
func draw(random *rand.Rand, every int) sketch.Dense {
	X := make(sketch.Dense, rows*columns)
	for i := range rows {
		row := X[i*columns : (i+1)*columns]
		for j := range row {
			row[j] = float32(random.NormFloat64()) / 4
		}
		x := 2*random.Float64() - 1
		row[0] = float32(x)
		if every > 0 && i%every == 0 {
			x = 2*random.Float64() - 1
		}
		row[1] = float32(x*x - 1./3 + 0.05*random.NormFloat64())
	}
	return X
}

// areaOf returns the probability that a wrong row is more novel than a right one.
func areaOf(p sketch.Params, known, next sketch.Dense) (float64, error) {
	m, err := sketch.New(p)
	if err != nil {
		return 0, err
	}
	spec, err := learn.PrepareTargets(learn.Spec{Map: m, WithoutLinear: true}, known, make([]float64, rows))
	if err != nil {
		return 0, err
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		return 0, err
	}
	if err := l.AddTargets(known, make([]float64, rows), nil); err != nil { // its sums know no targets
		return 0, err
	}
	v, err := l.Novelty()
	if err != nil {
		return 0, err
	}
	novelty, _, err := v.Of(next)
	if err != nil {
		return 0, err
	}
	right, pairs := 0.0, 0.0
	for i := 0; i < rows; i += every {
		for j := range rows {
			if j%every == 0 {
				continue
			}
			pairs++
			if novelty[i] > novelty[j] {
				right++
			}
		}
	}
	return right / pairs, nil
}
