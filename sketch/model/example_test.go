package model_test

import (
	"fmt"
	"log"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// A model file is all that another program, or a browser, needs to make the same map.
func Example() {
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 3, Coef0: 1, Seed: sketch.StringSeed("shop")})
	if err != nil {
		log.Fatal(err)
	}
	file, err := model.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.ReplaceAll(string(file), `,"`, ",\n\"")) // a line for each key

	again, err := model.Unmarshal(file)
	if err != nil {
		log.Fatal(err)
	}
	x := []float32{0.5, -2}
	fmt.Println(m.Transform(nil, x))
	fmt.Println(again.Transform(nil, x))
	// Output:
	// {"format":"tensorsketch-model",
	// "version":1,
	// "method":"tensor-sketch",
	// "nFeatures":2,
	// "nComponents":3,
	// "degree":2,
	// "gamma":1,
	// "coef0":1,
	// "normalize":"none",
	// "output":"real",
	// "repeats":1,
	// "methodParams":{},
	// "hash":"seed",
	// "seed":{"string":"shop"}}
	// [-3.9999998 -1.2499998 5.499999]
	// [-3.9999998 -1.2499998 5.499999]
}

// One file has the map and what was learned: another program, or a browser, predicts from it.
func ExampleMarshalModel() {
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 8, Coef0: 1, Seed: sketch.StringSeed("shop")})
	if err != nil {
		log.Fatal(err)
	}
	X := sketch.Dense{1, 1, -1, -1, 1, -1, -1, 1, 0.5, 0.7, 0.6, -0.5, -0.8, -0.4, -0.7, 0.6}
	labels := learn.Labels([]bool{true, true, false, false, true, false, true, false})
	l, err := learn.NewLearner(learn.Spec{Map: m, Task: learn.TaskClassify, Radius: 1.5})
	if err != nil {
		log.Fatal(err)
	}
	if err := l.Add(X, labels, nil); err != nil {
		log.Fatal(err)
	}
	fitted, err := l.Fit(learn.RidgeOptions{Alpha: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	file, err := model.MarshalModel(fitted, model.Options{})
	if err != nil {
		log.Fatal(err)
	}

	again, err := model.UnmarshalModel(file)
	if err != nil {
		log.Fatal(err)
	}
	predicted, err := again.Predict(sketch.Dense{-0.9, -0.9, 0.9, -0.9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(predicted[0].Value(), predicted[1].Value())
	// Output:
	// true false
}

// A keyed map can be repeated by those who have the key, not by those who have the
// file.
func ExampleUnmarshalKeyed() {
	key := [32]byte{1, 2, 3} // of crypto/rand in earnest
	m, err := sketch.New(sketch.Params{NFeatures: 2, NComponents: 4, Seed: sketch.BytesSeed(key), Keyed: true})
	if err != nil {
		log.Fatal(err)
	}
	file, err := model.Marshal(m)
	if err != nil {
		log.Fatal(err)
	}
	again, err := model.UnmarshalKeyed(file, key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(again.NComponents())
	_, err = model.UnmarshalKeyed(file, [32]byte{})
	fmt.Println(err)
	// Output:
	// 4
	// model: this key is not the model's
}
