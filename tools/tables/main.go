// Command tables prints public/api/tables.js: what packages sketch, sketch/learn, jobs and dataset/columns know of
// methods, models and formats, for JavaScript. With the argument "types" it prints public/page/jobs.d.ts: the types of
// the requests and replies of package jobs. With "reports" it prints public/api/reports.d.ts, of what the package's
// users get.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/learn/metrics"
	"tensorsketch.example/sketch/learn/prepare"
)

const (
	forPage  = "what the page and its worker exchange"
	forUsers = "what fit and evaluate report"
)

func main() {
	if len(os.Args) > 1 {
		comments, err := commentsOf("jobs")
		if err != nil {
			log.Fatal(err)
		}
		if os.Args[1] == "reports" {
			declarations(os.Stdout, forUsers, reports, true, comments)
		} else {
			declarations(os.Stdout, forPage, protocol, false, comments)
		}
		return
	}
	var names, fitted, basis, slow, kinds, columnar, raw, roles []string
	takes := map[string][]string{}
	for _, m := range sketch.Methods() {
		names = append(names, m.Name)
		for _, name := range []string{"degree", "coef0"} {
			if slices.Contains(m.Takes, name) {
				takes[name] = append(takes[name], m.Name)
			}
		}
		if m.Fitted {
			fitted = append(fitted, m.Name)
		}
		if m.Basis {
			basis = append(basis, m.Name)
		}
		if m.Slow {
			slow = append(slow, m.Name)
		}
	}
	for kind := sketch.Exact; kind <= sketch.Measured; kind++ {
		kinds = append(kinds, kind.String())
	}
	for _, f := range columns.Formats {
		if f.Columnar {
			columnar = append(columnar, f.Name)
		}
		if f.Raw {
			raw = append(raw, f.Name)
		}
	}
	for _, role := range columns.Roles {
		roles = append(roles, role.String())
	}
	fmt.Println("// Written by tools/tables from packages sketch, sketch/learn, jobs and dataset/columns.")
	for _, c := range []struct {
		says, name string
		value      any
	}{
		{"The methods. The place of one is its number in the core.", "METHODS", names},
		{"Those that take a parameter which has a default for learning.", "TAKES", takes},
		{"Methods that are fitted to rows first.", "FITTED", fitted},
		{"Methods whose features are coordinates in a basis: their inner products do not estimate the kernel.", "BASIS",
			basis},
		{"Methods whose time for a row grows with d·D, and not with d + D log D.", "SLOW", slow},
		{"What σ can be. The place of one is its number in the core; only plan measures.", "KINDS", kinds},
		{"The map for learning, where it is not given: of few components and many features, the degree is another.",
			"LEARNING", jobs.Learning},
		{"Words that say how the rows of a part of moments went onto the grid.", "TALLY_WORDS", solve.TallyWords},
		{"The most components of moments.", "MOST_COMPONENTS", solve.MaxComponents},
		{"The largest integer of a feature in moments.", "LIMIT", solve.Limit16},
		{"Rows that a learner with five folds keeps.", "KEPT_ROWS", solve.KeptRows},
		{"The most rows that a learner keeps.", "MOST_KEPT", solve.MostKept},
		{"How kernels are normalised. The place of one is its number in the core, as in the lists that follow.", "NORMALIZE",
			[]string{sketch.NormalizeNone, sketch.NormalizeKernel}},
		{"What features are.", "OUTPUT", []string{sketch.OutputReal, sketch.OutputSpectrum}},
		{"What is predicted.", "TASKS", []string{learn.TaskClassify, learn.TaskRegress}},
		{"What a fit makes small.", "LOSSES", []string{learn.LossSquared, learn.LossSquaredHinge, learn.LossLogistic}},
		{"How alpha was chosen.", "RULES", []string{solve.RuleGiven, solve.RuleCrossValidation, solve.RuleHeldOut,
			solve.RuleNoise}},
		{"Forms of a preparation.", "FORMS", []string{prepare.Std, prepare.MM, prepare.QN, prepare.Raw}},
		{"Bins of what is known of rows held out.", "CONFORMAL_BINS", solve.ConformalBins},
		{"How often the values of a column are exchanged for its importance.", "IMPORTANCE_REPEATS",
			metrics.Repeats},
		{"The most rows that a search looks at, and numbers in them.", "SEARCHED",
			map[string]int{"rows": jobs.SampleRows, "numbers": jobs.SampleNumbers}},
		{"Kinds of releases in a ledger.", "RELEASES", jobs.ChargeKinds},
		{"The most numbers in the first rows, to which a map is fitted.", "HEAD_NUMBERS", jobs.HeadNumbers},
		{"Up to so many numbers, rows are kept.", "KEPT_NUMBERS", jobs.KeptNumbers},
		{"Formats of files that dataset-columnar.wasm reads.", "COLUMNAR", columnar},
		{"Formats of files that are a header, then the features as float32 and nothing else.", "RAW", raw},
		{"What is typed of a map, for the jobs of the command line.", "MAP_OPTIONS", keysOf(jobs.MapParams{})},
		{"What columns become.", "COLUMN_OPTIONS", keysOf(jobs.Columns{})},
		{"What a column is used for.", "ROLES", roles},
	} {
		text, err := json.Marshal(c.value)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("\n/** %s */\nexport const %s = %s;\n", c.says, c.name, text)
	}
}

// keysOf returns the keys that JSON of a struct may have.
func keysOf(value any) (keys []string) {
	for i, t := 0, reflect.TypeOf(value); i < t.NumField(); i++ {
		if key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); key != "" && key != "-" {
			keys = append(keys, key)
		}
	}
	return keys
}
