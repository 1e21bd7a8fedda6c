//go:build !js

// Command bench measures the library against the peers found on the machine and
// against its own scalar build, all in one run, and writes a table:
//
//	bench [-rounds N] [-quick] [-only maps|pffft|learn|folds|fit|large] [-json FILE] [-readme FILE] [-details FILE]
//	bench -only tables [-quick] [-sets NAMES] [-flags FLAGS] [-cache FOLDER] [-check] [-learn FILE] [-readme FILE]
//	bench -only tables -grid [-sets NAMES] [-splits N] [-large N]
//
// It is run by ./build.sh bench, after dist. Each round measures everything once,
// peers and library in turn; figures are medians over rounds, and ratios medians
// of the rounds' ratios, since the machine's speed drifts.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"tensorsketch.example/tools/internal/lab"
)

// A run is everything of one call, as bench.json keeps it.
type run struct {
	Date     string            `json:"date"`
	Machine  string            `json:"machine"`
	Versions map[string]string `json:"versions"`
	Command  string            `json:"command"`
	Rounds   []round           `json:"rounds"`
	Missing  []string          `json:"missing"`
}

// A round holds µs per row by program and workload, and what only the library has.
type round struct {
	Peers    map[string]map[string]float64 `json:"peers"`           // "scikit-learn", "fft.js", "pffft-wasm"
	Node     map[string]figures            `json:"node"`            // by build
	Chromium map[string]figures            `json:"chromium"`        // by build
	Native   map[string]nativeFigures      `json:"native"`          // by workload
	Duels    map[string]map[string]duel    `json:"duels"`           // by "Node" or "Chromium" and shape
	Learning *learning                     `json:"learning"`        // in Node
	Folds    map[string]*folds             `json:"folds,omitempty"` // by D, in Node
}

// figures are what bench/measure.js measures of one build.
type figures struct {
	Build     string              `json:"build"`
	Lanes     int                 `json:"lanes"`
	Threads   int                 `json:"threads"`
	Workloads map[string]workload `json:"workloads"`
	OneRow    float64             `json:"oneRow"`
	Noise     float64             `json:"noise,omitempty"` // millions of numbers a second
	// Maps are all feature maps by workload and method (bench/family.js), in Node.
	Maps map[string]map[string]mapFigures `json:"maps,omitempty"`
}

type workload struct {
	Rows              int     `json:"rows"`
	OneThread         float64 `json:"oneThread"`
	Workers           float64 `json:"workers"`
	OneThreadSameRows float64 `json:"oneThreadSameRows,omitempty"`
}

func main() {
	rounds := flag.Int("rounds", 3, "how often everything is measured")
	quick := flag.Bool("quick", false, "few rows and one round, to see that it works")
	jsonFile := flag.String("json", "", "write every figure to this `file`")
	readme := flag.String("readme", "", "replace the three figures of speed in this `file`, between the marks of bench")
	details := flag.String("details", "", "replace the other tables in this `file`, between the marks of bench and maps")
	only := flag.String("only", "",
		"\"maps\" measures only the feature maps beside one another, \"pffft\" only this peer beside the library, "+
			"\"learn\" only learning, \"folds\" only ridge with five folds, "+
			"\"large\" only where features of many rows go; only its table is written. "+
			"\"fit\" says how long ts.fit takes in Chromium. "+
			"\"tables\" compares learning with scikit-learn on many tables")
	var tables breadthOptions
	cache, _ := os.UserCacheDir()
	flag.Func("sets", "of tables, only these `names`, separated by commas", func(text string) error {
		tables.names = strings.Split(text, ",")
		return nil
	})
	flag.StringVar(&tables.folder, "cache", filepath.Join(cache, "tensorsketch-bench"),
		"keep tables, and what was measured on them, in this `folder`")
	flag.StringVar(&tables.shell, "shell", "", "on tables, measure this `program`, such as an earlier release")
	flag.IntVar(&tables.splits, "splits", splits, "of each table, `N` splits, or more where 200 rows are not predicted")
	flag.IntVar(&tables.large, "large", splits, "of each table of more than 2,000 rows, `N` splits")
	flag.StringVar(&tables.flags, "flags", "", "on tables, `flags` of fit, separated by spaces, for an ablation")
	flag.StringVar(&tables.report, "learn", "", "replace the tables of learning in this `file`")
	flag.BoolVar(&tables.ablate, "ablate", false, "on tables, measure what each part of the search is worth")
	flag.BoolVar(&tables.grid, "grid", false, "on tables, fail where the grid costs more than it may beside float64")
	flag.BoolVar(&tables.check, "check", false, "on tables, fail where a claim does not hold")
	flag.Parse()
	if *only == "tables" {
		tables.splits, tables.large = max(tables.splits, 1), max(tables.large, 1)
		tables.quick, tables.readme = *quick, *readme
		tables.json = filepath.Join(tables.folder, "tables.json")
		fail(benchTables(tables))
		return
	}
	if *only == "fit" {
		fail(benchFits(*quick))
		return
	}
	if *only == "large" {
		fail(benchLarge(*quick, *details))
		return
	}
	if *quick {
		*rounds = 1
	}
	if *only != "" {
		*jsonFile, *readme = "", ""
	}
	fail(bench(*rounds, *quick, *only, *jsonFile, *readme, *details))
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(rounds int, quick bool, only, jsonFile, readme, details string) error {
	folder, err := os.MkdirTemp("", "tensorsketch-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	r := &run{Date: time.Now().Format("2006-01-02"), Machine: lab.Machine(), Command: "./build.sh bench",
		Versions: map[string]string{"Go": runtime.Version()}}
	if only != "" {
		r.Command += " -only " + only
	}
	if version, err := exec.Command("node", "--version").Output(); err == nil {
		r.Versions["Node"] = strings.TrimSpace(string(version))
	}
	images := 60_000
	if quick {
		images = 3_000
	}
	if err := writeData(folder, images); err != nil {
		r.Missing = append(r.Missing, err.Error())
	}
	peers := findPeers(folder, r)
	browser, err := startBrowser(folder, r)
	if err != nil {
		r.Missing = append(r.Missing, "Chromium: "+err.Error())
	} else {
		defer browser.close()
	}
	for i := range rounds {
		fmt.Fprintf(os.Stderr, "bench: round %d of %d\n", i+1, rounds)
		one := &round{}
		switch only {
		case "maps":
			one.Node = map[string]figures{}
			one.Node["simd"], err = measureNode(folder, "simd", "maps")
		case "pffft":
			one.Duels, err = measureDuels(folder, quick, peers, browser)
		case "folds":
			one.Folds, err = measureFolds(folder, quick)
		case "learn":
			one.Learning, err = measureLearning(folder, quick)
		default:
			one, err = measureRound(folder, quick, peers, browser)
		}
		if err != nil {
			return err
		}
		r.Rounds = append(r.Rounds, *one)
	}
	sections := []section{{readme, "speed", r.speedMarkdown}, {details, "bench", r.markdown},
		{details, "pffft", r.duelsMarkdown}, {details, "maps", r.mapsMarkdown},
		{details, "learn", r.learnMarkdown}}
	if only == "folds" {
		sections = append(sections, section{details, only, r.foldsMarkdown})
	}
	if only != "" {
		sections = slices.DeleteFunc(sections, func(s section) bool { return s.name != only })
	}
	for _, s := range sections {
		fmt.Print(s.text())
	}
	if jsonFile != "" {
		data, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(jsonFile, append(data, '\n'), 0o644); err != nil {
			return err
		}
	}
	for _, s := range sections {
		if s.file == "" {
			continue
		}
		if err := lab.ReplaceSection(s.file, s.name, s.text()); err != nil {
			return err
		}
	}
	return nil
}

// A section is a text between the marks of its name in a file.
type section struct {
	file, name string
	text       func() string
}

func measureRound(folder string, quick bool, peers []peer, browser *browser) (*round, error) {
	one := &round{Peers: map[string]map[string]float64{}, Node: map[string]figures{}, Chromium: map[string]figures{}}
	for _, p := range peers {
		one.Peers[p.name] = map[string]float64{}
		for _, w := range []string{"A", "B"} {
			us, err := p.measure(w, quick)
			if err != nil {
				return nil, err
			}
			one.Peers[p.name][w] = us
		}
	}
	for _, build := range []string{"simd", "scalar"} {
		mode := ""
		if quick {
			mode = "quick"
		}
		node, err := measureNode(folder, build, mode)
		if err != nil {
			return nil, err
		}
		one.Node[build] = node
		if browser != nil {
			if one.Chromium[build], err = browser.measure(build, quick); err != nil {
				return nil, err
			}
		}
	}
	var err error
	if one.Duels, err = measureDuels(folder, quick, peers, browser); err != nil {
		return nil, err
	}
	if one.Learning, err = measureLearning(folder, quick); err != nil {
		return nil, err
	}
	one.Native, err = measureNative(folder, quick)
	return one, err
}

func measureNode(folder, build, mode string) (figures, error) {
	var f figures
	return f, node(folder, &f, build, mode)
}

// node runs bench/node.mjs with the library that dist made, and reads its JSON.
func node(folder string, into any, arguments ...string) error {
	command := exec.Command("node", append([]string{"bench/node.mjs", folder}, arguments...)...)
	dist, err := filepath.Abs("dist/npm")
	if err != nil {
		return err
	}
	command.Env = append(os.Environ(), "TENSORSKETCH_DIST="+dist)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("node bench/node.mjs: %w", err)
	}
	return json.Unmarshal(out, into)
}
