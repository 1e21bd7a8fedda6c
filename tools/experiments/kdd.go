package main

import (
	"fmt"
	"math"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/tools/internal/lab"
)

// A polynomial is the kernel (⟨x,y⟩ + c)^p.
type polynomial struct {
	degree int
	coef0  float64
}

func (k polynomial) id() string { return fmt.Sprintf("p%dc%g", k.degree, k.coef0) }

func (k polynomial) String() string {
	exponent := [...]string{2: "²", 3: "³", 4: "⁴"}[k.degree]
	if k.coef0 == 0 {
		return "⟨x,y⟩" + exponent
	}
	return fmt.Sprintf("(%g + ⟨x,y⟩)%s", k.coef0, exponent)
}

var kernels = []polynomial{{2, 0}, {2, 1}, {4, 0}, {4, 1}}

// The maps of the KDD paper. Its Random Maclaurin draws all orders; ours those with a term in the kernel.
var kddMaps = map[string]func(p *sketch.Params){
	"ts": func(p *sketch.Params) {},
	"kk": func(p *sketch.Params) {
		p.Method, p.MethodParams.AllOrders = sketch.MethodRandomMaclaurin, true
	},
	"rm":  func(p *sketch.Params) { p.Method = sketch.MethodRandomMaclaurin },
	"h01": func(p *sketch.Params) { p.Method, p.MethodParams.H01 = sketch.MethodRandomMaclaurin, true },
}

// A kddSet is a data set of the paper, or one in its place, with the paper's D.
type kddSet struct {
	name, title, paper string
	D                  int
}

var kddSets = []kddSet{
	{"adult", "Adult, D 200", "", 200},
	{"mnist", "MNIST, D 1,000", "", 1000},
	{"covtype", "covtype20k, D 500", "Covertype", 500},
	{"basehock", "basehock, D 5,000", "Gisette", 5000},
}

// paper1 is Table 1 of the paper: exact kernel, Tensor Sketch, Random Maclaurin.
var paper1 = map[string]map[string][3]mean{
	"adult": {
		"p2c0": {{84.33, 0, 1}, {84.33, .12, 5}, {77.85, 1.32, 5}},
		"p2c1": {{84.34, 0, 1}, {84.51, .07, 5}, {84.42, .10, 5}},
		"p4c0": {{79.34, 0, 1}, {81.09, .63, 5}, {58.04, 2.37, 5}},
		"p4c1": {{79.31, 0, 1}, {81.89, .24, 5}, {84.04, .46, 5}},
	},
	"mnist": {
		"p2c0": {{97.92, 0, 1}, {95.81, .08, 5}, {86.00, 1.12, 5}},
		"p2c1": {{97.93, 0, 1}, {95.84, .10, 5}, {92.76, .08, 5}},
		"p4c0": {{97.17, 0, 1}, {92.49, .22, 5}, {41.45, 4.81, 5}},
		"p4c1": {{97.31, 0, 1}, {92.44, .04, 5}, {90.07, .65, 5}},
	},
}

// params returns the parameters of a map of the paper.
func (b *book) params(k polynomial, D int, of string, seed int) sketch.Params {
	p := sketch.Params{NComponents: b.dimension(D), Degree: k.degree, Coef0: k.coef0, Seed: sketch.IntSeed(uint64(seed))}
	kddMaps[of](&p)
	return p
}

func table1Cells(b *book) (cells []cell) {
	for _, of := range kddSets {
		for _, k := range kernels {
			id := "kdd-table1/" + of.name + "/" + k.id()
			for _, m := range []string{"ts", "kk", "rm"} {
				cells = append(cells, b.seeds(id+"/"+m, of.name, 5, func(s *set, seed int) (values, error) {
					return s.mappedSVM(b.params(k, of.D, m, seed), 1)
				})...)
			}
			cells = append(cells, b.seeds(id+"/exact", of.name, 1, func(s *set, _ int) (values, error) {
				return s.exactSVM(sketch.Params{Degree: k.degree, Coef0: k.coef0}, 1)
			})...)
		}
	}
	return cells
}

func table1Text(b *book) string {
	var t strings.Builder
	// Of RM by this library's default: to Tensor Sketch where c = 0, and to all orders elsewhere.
	behind, apart := 0.0, 0.0
	t.WriteString("Accuracy in %, and below it the paper's. Random Maclaurin (RM) draws all orders, as in the paper.\n\n" +
		"| | kernel | exact | Tensor Sketch | RM |\n|---|---|---|---|---|\n")
	for _, of := range kddSets {
		for i, k := range kernels {
			id := "kdd-table1/" + of.name + "/" + k.id()
			row := []string{[]string{of.title, "", "", ""}[i], k.String()}
			accuracy := func(m string) mean { return b.over(id+"/"+m, "accuracy") }
			for i, m := range []string{"exact", "ts", "kk"} {
				text := accuracy(m).text(2)
				if paper, ok := paper1[of.name][k.id()]; ok {
					text = b.beside(accuracy(m), paper[i], id+"/"+m)
				}
				row = append(row, text)
			}
			t.WriteString("| " + strings.Join(row, " | ") + " |\n")
			if k.coef0 == 0 {
				behind = max(behind, accuracy("ts").value-accuracy("rm").value)
			} else {
				apart = max(apart, math.Abs(accuracy("kk").value-accuracy("rm").value))
			}
		}
	}
	fmt.Fprintf(&t, "\nRM of orders with a term in the kernel alone, the default here, is at most %.2f points behind "+
		"Tensor Sketch for ⟨x,y⟩^p, and within %.2f of RM above for (1 + ⟨x,y⟩)^p.\n", behind, apart)
	t.WriteString("\n**Table 2**, at (1 + ⟨x,y⟩)⁴, one thread: seconds for mapping the training rows + fitting, and how " +
		"many times as fast Tensor Sketch is; in brackets, the paper.\n\n" +
		"| | exact | Tensor Sketch | RM | mapping, against RM | training, against RM | both, against exact |\n" +
		"|---|---|---|---|---|---|---|\n")
	paper2 := map[string][3]string{"adult": {"–", "8", "1600"}, "mnist": {"2", "9", "2"}, "covtype": {"–", "–", "50"},
		"basehock": {"9", "25", "8"}}
	for _, of := range kddSets {
		id := "kdd-table1/" + of.name + "/p4c1"
		tsMap, tsTrain := b.over(id+"/ts", "map"), b.over(id+"/ts", "train")
		paper, note := paper2[of.name], ""
		if of.paper != "" {
			note = of.paper + " "
		}
		fmt.Fprintf(&t, "| %s | %s | %s + %s | %s + %s | %s (%s%s) | %s (%s%s) | %s (%s%s) |\n", of.title,
			seconds(b.over(id+"/exact", "train")), seconds(tsMap), seconds(tsTrain), seconds(b.over(id+"/kk", "map")),
			seconds(b.over(id+"/kk", "train")),
			ratio(b.over(id+"/kk", "map"), tsMap), note, paper[0], ratio(b.over(id+"/kk", "train"), tsTrain), note, paper[1],
			ratio(b.over(id+"/exact", "train"), mean{tsMap.value + tsTrain.value, 0, tsMap.n}), note, paper[2])
	}
	return t.String()
}

// table3 is Table 3 of the paper, with both meanings that its D can have.
var paper3 = map[string][2]mean{
	"adult": {{81.89, .24, 5}, {84.79, .09, 5}}, "mnist": {{92.44, .04, 5}, {89.19, .74, 5}},
}

func table3Cells(b *book) (cells []cell) {
	for _, of := range kddSets {
		for _, more := range []bool{false, true} {
			if of.name == "basehock" && !more {
				continue // D 5,000 leaves less than 140 random features
			}
			what := "h01"
			if more {
				what = "h01-more"
			}
			cells = append(cells, b.seeds("kdd-table3/"+of.name+"/"+what, of.name, 5,
				func(s *set, seed int) (values, error) { return s.mappedSVM(b.h01(s, of.D, what, seed), 1) })...)
		}
	}
	return cells
}

// h01 returns the parameters of H0/1 with D features in all, or as h01-more beside the 1 + d exact ones.
func (b *book) h01(s *set, D int, what string, seed int) sketch.Params {
	p := b.params(polynomial{4, 1}, D, "h01", seed)
	if what == "h01-more" {
		p.NComponents += 1 + s.d
	}
	p.NComponents = max(p.NComponents, s.d+2)
	return p
}

func table3Text(b *book) string {
	var t strings.Builder
	t.WriteString("(1 + ⟨x,y⟩)⁴; accuracy in % and, in brackets, seconds for mapping + training. The paper's D may " +
		"count the 1 + d exact features or not.\n\n" +
		"| | Tensor Sketch | H0/1, D in all | H0/1, D beside 1 + d |\n|---|---|---|---|\n")
	for _, of := range kddSets {
		row := []string{of.title}
		for i, id := range []string{"kdd-table1/" + of.name + "/p4c1/ts", "kdd-table3/" + of.name + "/h01",
			"kdd-table3/" + of.name + "/h01-more"} {
			ours := b.over(id, "accuracy")
			text := ours.text(2)
			if paper, ok := paper3[of.name]; ok && i > 0 {
				text = b.beside(ours, paper[1], id)
			}
			if ours.n > 0 {
				text += fmt.Sprintf(" (%s + %s)", seconds(b.over(id, "map")), seconds(b.over(id, "train")))
			}
			row = append(row, text)
		}
		t.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	return t.String()
}

// curveDs are the D of Figures 2 to 4.
var curveDs = map[string][]int{
	"adult": {50, 100, 200, 500, 1000}, "mnist": {100, 200, 500, 1000}, "covtype": {50, 100, 200, 500, 1000},
	"basehock": {500, 1000, 2000, 5000},
}

func curveSeeds(name string) int {
	if name == "mnist" || name == "basehock" {
		return 3
	}
	return 5
}

func curvesCells(b *book) (cells []cell) {
	for _, of := range kddSets {
		for _, k := range kernels[:2] {
			for _, m := range []string{"ts", "kk", "rm"} {
				for _, D := range curveDs[of.name] {
					id := fmt.Sprintf("kdd-curves/%s/%s/%s/%d", of.name, k.id(), m, D)
					cells = append(cells, b.seeds(id, of.name, curveSeeds(of.name), func(s *set, seed int) (values, error) {
						return s.mappedSVM(b.params(k, D, m, seed), 1)
					})...)
				}
			}
		}
	}
	return cells
}

func curvesText(b *book) string {
	return b.curvesPictures() + "Degree 2; five seeds, on MNIST and basehock three.\n"
}

// seconds writes two digits of a time.
func seconds(m mean) string {
	if m.n == 0 {
		return "–"
	}
	if m.value >= 100 {
		return lab.Grouped(float64(int(m.value + .5)))
	}
	return fmt.Sprintf("%.2g", m.value)
}

// ratio writes how many times as large a is as b.
func ratio(a, b mean) string {
	if a.n == 0 || b.n == 0 || b.value == 0 {
		return "–"
	}
	return fmt.Sprintf("%.3g", a.value/b.value)
}
