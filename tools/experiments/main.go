package main

import (
	"fmt"
	"os"
	"strconv"

	"tensorsketch.example/sketch"
)

func main() {
	l := &library{folder: "../shared/data", sets: map[string]*set{}}
	s, err := l.set(os.Args[1])
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.title, s.train.rows(), s.test.rows(), s.d, s.train.X[:5], len(s.train.classes), len(s.test.classes))
	D, _ := strconv.Atoi(os.Args[3])
	for _, p := range []int{2, 4} {
		for _, c := range []float64{0, 1} {
			q := sketch.Params{NComponents: D, Degree: p, Coef0: c, Seed: sketch.IntSeed(1)}
			switch os.Args[2] {
			case "rm", "kk":
				q.Method = "random-maclaurin"
				q.MethodParams.AllOrders = os.Args[2] == "kk"
			case "exact":
				C, _ := strconv.ParseFloat(os.Args[4], 64)
				fmt.Println(p, c, C)
				fmt.Println(s.exactSVM(q, C))
				continue
			case "data":
				return
			}
			v, err := s.mappedSVM(q, 1)
			fmt.Println(p, c, v, err)
		}
	}
}
