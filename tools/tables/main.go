// Command tables prints public/api/tables.js: what packages sketch, jobs and dataset/columns know of methods and
// formats, for JavaScript. With the argument "types" it prints public/page/jobs.d.ts: the types of the requests and
// replies of package jobs.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "types" {
		comments, err := commentsOf("jobs")
		if err != nil {
			log.Fatal(err)
		}
		declarations(os.Stdout, protocol, comments)
		return
	}
	var names, fitted, basis, slow, kinds, columnar, raw []string
	takes := map[string][]string{}
	for _, m := range sketch.Methods() {
		names, takes[m.Name] = append(names, m.Name), m.Takes
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
	fmt.Println("// Written by tools/tables from packages sketch, jobs and dataset/columns.")
	for _, c := range []struct {
		says, name string
		value      any
	}{
		{"The methods. The place of one is its number in the core.", "METHODS", names},
		{"What each takes beside nFeatures, nComponents, seed, normalize and repeats: parameters, then methodParams.",
			"TAKES", takes},
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
		{"Formats of files that dataset-columnar.wasm reads.", "COLUMNAR", columnar},
		{"Formats of files that are a header, then the features as float32 and nothing else.", "RAW", raw},
	} {
		text, err := json.Marshal(c.value)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("\n/** %s */\nexport const %s = %s;\n", c.says, c.name, text)
	}
}
