//go:build !js

// Anomaly watches a stream of rows, and says how unlike each is to the rows before: the squared distance of its
// features to the second nearest of the rows that a learner has kept. Learners merge, and old rows can be taken away
// from them. In a row (x, y) and two columns of noise, y is about x² less its mean. In one row of fifty y belongs to
// another x, so each column for itself looks as ever. The reference has the same distance by the exact Gaussian kernel,
// 2 − 2κ.
//
// Run it at the top of the clone: go run ./examples/applications/anomaly. It prints:
//
//	1000 rows seen before, 1000 new ones, 20 of them wrong
//	area under the curve, features: 0.90
//	area under the curve, exact kernel: 0.91
package main

import (
	"fmt"
	"log"
	"math"
	"math/rand"
	"slices"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

const (
	columns = 4
	rows    = 1000
	every   = 50 // one row of so many is wrong
	gamma   = 4
	near    = 2 // as in learn.Novelty
)

func main() {
	here, exact, err := above()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(said(here, exact))
}

// said returns what the program prints.
func said(here, exact []float64) string {
	return fmt.Sprintf("%d rows seen before, %d new ones, %d of them wrong\n"+
		"area under the curve, features: %.2f\narea under the curve, exact kernel: %.2f\n",
		rows, rows, rows/every, mean(here), mean(exact))
}

// above draws rows and returns, for each wrong one, the share of right ones that are less novel: by features and by the
// exact kernel. The means of the shares are the areas under the curve.
func above() (here, exact []float64, err error) {
	random := rand.New(rand.NewSource(1))
	known, next := draw(random, 0), draw(random, every)
	novelty, err := noveltyOf(known, next)
	return sharesOf(novelty), sharesOf(exactly(known, next)), err
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

// noveltyOf returns how unlike rows are to known ones, by what a learner keeps of these.
func noveltyOf(known, next sketch.Dense) ([]float64, error) {
	m, err := sketch.NewFeatureMap(sketch.Params{
		Method: sketch.MethodRandomFourier, NFeatures: columns, NComponents: 256, Gamma: gamma})
	if err != nil {
		return nil, err
	}
	targets := make([]float64, rows) // there is nothing to predict
	spec, err := learn.PrepareTargets(learn.Spec{Map: m, WithoutLinear: true}, known, targets)
	if err != nil {
		return nil, err
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		return nil, err
	}
	if err := l.AddTargets(known, targets, nil); err != nil {
		return nil, err
	}
	v, err := l.Novelty()
	if err != nil {
		return nil, err
	}
	novelty, _, err := v.Of(next)
	return novelty, err
}

// exactly returns the squared distance to the second nearest known row, of the kernel exp(-gamma ‖x − y‖²) itself.
func exactly(known, next sketch.Dense) []float64 {
	novelty := make([]float64, rows)
	for i := range novelty {
		distances := make([]float64, rows)
		for k := range distances {
			square := 0.0
			for j := range columns {
				difference := float64(known[k*columns+j]) - float64(next[i*columns+j])
				square += difference * difference
			}
			distances[k] = 2 - 2*math.Exp(-gamma*square)
		}
		slices.Sort(distances)
		novelty[i] = distances[near-1]
	}
	return novelty
}

// sharesOf returns, for each wrong row, the share of right rows that are less novel.
func sharesOf(novelty []float64) []float64 {
	var shares []float64
	for i := 0; i < len(novelty); i += every {
		less := 0.0
		for j, other := range novelty {
			if j%every != 0 && novelty[i] > other {
				less++
			}
		}
		shares = append(shares, less/float64(rows-rows/every))
	}
	return shares
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, value := range values {
		sum += value
	}
	return sum / float64(len(values))
}
