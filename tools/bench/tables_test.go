//go:build !js

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReachedClasses(t *testing.T) {
	got := &csvTable{names: []string{"label", "prediction", "probability a", "probability b", "why"}, columns: [][]string{
		nil, {"a", "b", "", "a"}, {"0.75", "0.5", "", "0.5"}, {"0.25", "0.5", "", "0.5"}, {"", "", "missing", ""},
	}}
	r, err := reachedClasses([]string{"a", "a", "b", "new"}, got)
	if err != nil {
		t.Fatal(err)
	}
	if want := -(math.Log(0.75) + math.Log(0.5)) / 2; *r.Score != 0.25 || math.Abs(*r.LogLoss-want) > 1e-12 {
		t.Errorf("score %v, log loss %v, want 0.25 and %v", *r.Score, *r.LogLoss, want)
	}
	if _, err := reachedClasses([]string{"a"}, got); err == nil {
		t.Error("one row has four predictions")
	}
}

func TestReachedNumbers(t *testing.T) {
	for _, c := range []struct {
		got  string
		want float64
	}{{"1 2 3 4", 1}, {"2.5 2.5 2.5 2.5", 0}, {"1 2 3 ", 1 - 1.5*1.5/5}, {"9 9 9 9", -1}} {
		r, err := reachedNumbers([]string{"1", "2", "3", "4"}, strings.Split(c.got, " "))
		if err != nil || math.Abs(*r.Score-c.want) > 1e-12 {
			t.Errorf("%q: %v, %v, want %v", c.got, r, err, c.want)
		}
	}
	if _, err := reachedNumbers([]string{"1", "2"}, []string{"1"}); err == nil {
		t.Error("two rows have one prediction")
	}
}

func TestCalibrationError(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	sure, right, all := make([]float64, 4000), make([]bool, 4000), make([]bool, 4000)
	for i := range sure {
		sure[i] = 0.5 + random.Float64()/2
		right[i], all[i] = random.Float64() < sure[i], true
	}
	if x := calibrationError(sure, right); math.Abs(x) > 0.01 {
		t.Errorf("%v with perfect probabilities", x)
	}
	if x := calibrationError(sure, all); math.Abs(x-0.25) > 0.03 {
		t.Errorf("%v where all are right, want about 0.25", x)
	}
}

// oneScore is a split of a score.
func oneScore(x float64) reached { return reached{Score: &x} }

func TestClaims(t *testing.T) {
	set := func(i int, ours, linear float64) tableSet {
		s := tableSet{Name: fmt.Sprint("t", i), Rows: 1000, Half: half(i)}
		for k := range splits {
			noise := 0.001 * float64(k)
			s.Ours = append(s.Ours, oneScore(ours+noise))
			s.Peers = append(s.Peers, map[string]peerFound{"linear": {reached: oneScore(linear + noise)},
				"svm": {reached: oneScore(linear - 0.1)}, "boosting": {Error: "one row of a class"},
				"forest": {reached: oneScore(linear - 0.2)}})
		}
		return s
	}
	broken := func(sets ...tableSet) (list []string) {
		for _, c := range claims(sets) {
			if !c.holds && !strings.Contains(c.what, "NaN") {
				list = append(list, c.what)
			}
		}
		return list
	}
	if list := broken(set(0, 0.9, 0.9), set(1, 0.95, 0.9), set(2, 0.9, 0.91)); len(list) > 0 {
		t.Errorf("broken: %q", list)
	}
	list := strings.Join(broken(set(0, 0.9, 0.9), set(1, 0.7, 0.9)), "\n")
	for _, want := range []string{"10.00 points behind the best of linear", "t1: 20.00 points behind the best",
		"t1: 20.00 ± 0.00 points behind linear"} {
		if !strings.Contains(list, want) {
			t.Errorf("%q is not among\n%s", want, list)
		}
	}
	text := breadthMarkdown([]tableSet{set(0, 0.9, 0.9), set(1, 0.7, 0.9)})
	for _, want := range []string{"| **`fit`** | 10.00 ± 10.00 | 0.00 | 20.00 |",
		"behind, with the best peer: t1 70.2 (LogisticRegression, RidgeCV 90.2), t0"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestReadTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(file, []byte("label,prediction,label\n1,\"a,b\",2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := readTable(file)
	if err != nil {
		t.Fatal(err)
	}
	if table.column("label")[0] != "2" || table.column("prediction")[0] != "a,b" || table.column("x") != nil {
		t.Errorf("%+v, %v", table, err)
	}
}

// TestAblations: each part that an ablation leaves out is in the source, once.
func TestAblations(t *testing.T) {
	t.Chdir("../..")
	for i := range ablations {
		if a := &ablations[i]; a.file != "" {
			if _, err := a.source(); err != nil {
				t.Errorf("%s: %v", a.what, err)
			}
		}
	}
}
