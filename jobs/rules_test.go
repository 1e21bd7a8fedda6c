package jobs

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/test/need"
)

var updateRules = flag.Bool("updaterules", false, "write testdata/rules.json anew")

// A mapRule is the map for learning of some parameters.
type mapRule struct {
	Map       MapParams `json:"map"`
	NFeatures int       `json:"nFeatures"`
	Rows      int       `json:"rows"`
	Want      [3]any    `json:"want"` // components, degree and coef0, or null
}

// TestRulesOfJavaScript: what the JavaScript API has to know of rules that are Go's, since it cannot ask Go.
// test/api/rules.test.mjs reads the same file.
func TestRulesOfJavaScript(t *testing.T) {
	const path = "testdata/rules.json"
	var rules struct {
		Maps        []mapRule            `json:"maps"`
		Importances []metrics.Importance `json:"importances"`
	}
	for _, m := range sketch.Methods() {
		for _, p := range []MapParams{{}, {NComponents: 512}, {NComponents: 513}, {Degree: 4}, {Coef0: new(0.5)},
			{MethodParams: map[string]any{"kernel": "gaussian"}}, {MethodParams: map[string]any{"kernel": "polynomial"}},
			{MethodParams: map[string]any{"coefficients": []any{1.0, 1.0}}}} {
			for _, nFeatures := range []int{29, 30} {
				p.Method = m.Name
				rules.Maps = append(rules.Maps, ruleOf(t, p, nFeatures, 600))
			}
		}
	}
	X := make(sketch.Dense, 40*3)
	for i := range X {
		X[i] = float32(i * i % 17)
	}
	rules.Importances = need.Value(metrics.Importances(X, 3, [][]int{{0}, {1}, {0, 2}}, productLoss))(t)
	text := append(need.Value(json.Marshal(rules))(t), '\n')
	if *updateRules {
		need.OK(t, os.WriteFile(path, text, 0o666))
	}
	if want := need.Value(os.ReadFile(path))(t); !bytes.Equal(text, want) {
		t.Errorf("the rules are\n%s, want\n%s: the JavaScript API has them too; change both, then -updaterules", text, want)
	}
}

func ruleOf(t *testing.T, p MapParams, nFeatures, rows int) mapRule {
	made := need.Value(p.params())(t)
	made = need.Value(p.forRows(made, nFeatures, func(most int) (int, error) { return min(rows, most), nil }))(t)
	r := mapRule{Map: p, NFeatures: nFeatures, Rows: rows}
	r.Want[0] = made.NComponents
	if made.Degree != 0 {
		r.Want[1] = made.Degree
	}
	if made.Coef0 != 0 {
		r.Want[2] = made.Coef0
	}
	return r
}

// productLoss is a loss of rows of three numbers.
func productLoss(X sketch.Dense) ([]float64, error) {
	losses := make([]float64, len(X)/3)
	for i := range losses {
		losses[i] = float64(X[3*i]*X[3*i+1] - 2*X[3*i+2])
	}
	return losses, nil
}
