package main

import (
	"fmt"
	"strings"

	"tensorsketch.example/sketch"
)

// The experiments that look for why a figure is not the paper's: each changes one thing that the paper does not state.

var whyCs = []float64{0.1, 1, 10, 100}

func whyCells(b *book) (cells []cell) {
	for _, k := range kernels {
		for _, C := range whyCs {
			id := fmt.Sprintf("why/adult/%s/C%g", k.id(), C)
			if C != 1 { // 1 is in Table 1
				cells = append(cells, b.seeds(id+"/exact", "adult", 1, func(s *set, _ int) (values, error) {
					return s.exactSVM(sketch.Params{Degree: k.degree, Coef0: k.coef0}, C)
				})...)
				cells = append(cells, b.seeds(id+"/ts", "adult", 5, func(s *set, seed int) (values, error) {
					return s.mappedSVM(b.params(k, 200, "ts", seed), C)
				})...)
				cells = append(cells, b.seeds(fmt.Sprintf("why/mnist/%s/C%g/ts", k.id(), C), "mnist", 1,
					func(s *set, seed int) (values, error) { return s.mappedSVM(b.params(k, 1000, "ts", seed), C) })...)
			}
		}
		for _, of := range kddSets[:2] {
			for _, m := range []string{"ts", "kk"} {
				seeds := 5
				if of.name == "mnist" {
					seeds = 2
				}
				cells = append(cells, b.seeds("why/"+of.name+"/"+k.id()+"/no-bias/"+m, of.name, seeds,
					func(s *set, seed int) (values, error) {
						Z, T, _, err := s.mapped(b.params(k, of.D, m, seed), 0)
						if err != nil {
							return nil, err
						}
						return s.svmWithoutBias(Z, T, 1)
					})...)
			}
		}
	}
	return cells
}

func whyText(b *book) string {
	var t strings.Builder
	t.WriteString("Accuracy in % where one thing that the papers do not state is changed.\n\n| Adult, D 200 |")
	for _, C := range whyCs {
		fmt.Fprintf(&t, " C = %g |", C)
	}
	t.WriteString(" C = 1, no bias |\n|---|---|---|---|---|---|\n")
	for _, k := range kernels {
		for _, m := range []string{"exact", "ts", "kk"} {
			fmt.Fprintf(&t, "| %s, %s |", k, map[string]string{"exact": "exact", "ts": "Tensor Sketch", "kk": "RM, all orders"}[m])
			for _, C := range whyCs {
				id := fmt.Sprintf("why/adult/%s/C%g/%s", k.id(), C, m)
				if C == 1 {
					id = "kdd-table1/adult/" + k.id() + "/" + m
				}
				fmt.Fprintf(&t, " %s |", b.over(id, "accuracy").text(1))
			}
			fmt.Fprintf(&t, " %s |\n", b.over("why/adult/"+k.id()+"/no-bias/"+m, "accuracy").text(1))
		}
	}
	return t.String()
}

// A reason says why figures are not the paper's, from the experiments that show it.
type reason struct {
	of   func(id string) bool // the cells that it explains
	text func(b *book) string
}

var reasons []reason
