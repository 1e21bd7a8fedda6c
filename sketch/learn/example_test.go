package learn_test

import (
	"fmt"
	"log"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// xor returns points of the plane on a grid, and the label "same" where both coordinates have one sign.
func xor() (X sketch.Dense, labels []learn.Label) {
	for i := -7; i <= 7; i += 2 {
		for j := -7; j <= 7; j += 2 {
			X = append(X, float32(i)/8, float32(j)/8)
			if i*j > 0 {
				labels = append(labels, learn.TextLabel("same"))
			} else {
				labels = append(labels, learn.TextLabel("different"))
			}
		}
	}
	return X, labels
}

// A model of degree 2 knows products of coordinates, which no straight line does.
func Example() {
	X, labels := xor()
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 32, Degree: 2, Coef0: 1, Seed: sketch.IntSeed(5)})
	if err != nil {
		log.Fatal(err)
	}
	spec, err := learn.Prepare(learn.Spec{Map: m}, X, labels)
	if err != nil {
		log.Fatal(err)
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		log.Fatal(err)
	}
	if err := l.Add(X, labels, nil); err != nil {
		log.Fatal(err)
	}
	model, err := l.Fit(learn.RidgeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := model.Predict(sketch.Dense{0.9, 0.8, 0.9, -0.8})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(predicted)
	metrics, err := model.Evaluate(X, labels)
	if err != nil {
		log.Fatal(err)
	}
	linear, err := model.Beside.Evaluate(X, labels)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.2f, 95 %% interval %.2f to %.2f\n", metrics.Accuracy.Value, metrics.Accuracy.Low,
		metrics.Accuracy.High)
	fmt.Println("the linear model is better:", linear.Accuracy.Value > metrics.Accuracy.Value)
	// Output:
	// ["same" "different"]
	// accuracy 1.00, 95 % interval 0.94 to 1.00
	// the linear model is better: false
}

// Parts of the data are added where they are, merged in any order, and taken away again exactly.
func ExampleLearner_Merge() {
	X, labels := xor()
	newLearner := func() *learn.Learner {
		m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 32, Coef0: 1, Seed: sketch.IntSeed(5)})
		if err != nil {
			log.Fatal(err)
		}
		l, err := learn.NewLearner(learn.Spec{Map: m, Task: learn.TaskClassify, Radius: 1.25, Folds: 1})
		if err != nil {
			log.Fatal(err)
		}
		return l
	}
	weights := func(l *learn.Learner) []float64 {
		model, err := l.Fit(learn.RidgeOptions{Alpha: 0.1})
		if err != nil {
			log.Fatal(err)
		}
		return model.Linear.Weights
	}
	whole, first, second := newLearner(), newLearner(), newLearner()
	for l, rows := range map[*learn.Learner][2]int{whole: {0, 64}, first: {0, 40}, second: {40, 64}} {
		if err := l.Add(X[2*rows[0]:2*rows[1]], labels[rows[0]:rows[1]], nil); err != nil {
			log.Fatal(err)
		}
	}
	before := weights(first)
	if err := first.Merge(second); err != nil {
		log.Fatal(err)
	}
	fmt.Println("merged, every bit of the whole:", fmt.Sprint(weights(first)) == fmt.Sprint(weights(whole)))
	if err := first.Subtract(second); err != nil {
		log.Fatal(err)
	}
	fmt.Println("taken away, every bit as before:", fmt.Sprint(weights(first)) == fmt.Sprint(before))
	// Output:
	// merged, every bit of the whole: true
	// taken away, every bit as before: true
}

// A regression predicts numbers. The range of the targets is part of what learners share.
func ExamplePrepareTargets() {
	var X sketch.Dense
	var y []float64
	for i := range 100 {
		a, b := float32(i%10)/10, float32(i/10)/10
		X, y = append(X, a, b), append(y, float64(a*b))
	}
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 32, Coef0: 1, Seed: sketch.IntSeed(5)})
	if err != nil {
		log.Fatal(err)
	}
	spec, err := learn.PrepareTargets(learn.Spec{Map: m}, X, y)
	if err != nil {
		log.Fatal(err)
	}
	l, err := learn.NewLearner(spec)
	if err != nil {
		log.Fatal(err)
	}
	if err := l.AddTargets(X, y, nil); err != nil {
		log.Fatal(err)
	}
	model, err := l.Fit(learn.RidgeOptions{})
	if err != nil {
		log.Fatal(err)
	}
	scores, err := model.Scores(sketch.Dense{0.5, 0.5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f, held out: R² %.2f, and of a linear model %.2f\n", scores[0], model.Report.HeldOut.R2,
		model.Report.Linear.HeldOut.R2)
	// Output:
	// 0.25, held out: R² 1.00, and of a linear model 0.78
}
