// Command experiments makes the tables of the papers again (Pham & Pagh, KDD 2013; Avron, Nguyen & Woodruff, NIPS
// 2014), and some that they do not have, with packages sketch, learn and privacy. Run it from the root:
//
//	experiments [-quick] [-only NAME] [-data FOLDER] [-jobs N]
//
// Each measurement is a cell, which runs in one thread. Finished cells are kept in bench/experiments.jsonl, so a run
// that was stopped goes on where it was. From all of them it writes docs/experiments.md, with what is missing as –.
// With -quick all cells run with few rows, features and seeds, into bin/experiments.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tensorsketch.example/tools/internal/lab"
)

// An experiment makes a section of the document. Without text it measures for the reasons in the other sections.
type experiment struct {
	name, title string
	cells       func(b *book) []cell
	text        func(b *book) string
}

var experiments = []experiment{
	{"kdd-table1", "KDD 2013, Tables 1 and 2: accuracy and time", table1Cells, table1Text},
	{"kdd-table3", "KDD 2013, Table 3: H0/1", table3Cells, table3Text},
	{"kdd-curves", "KDD 2013, Figures 2 to 4: against D", curvesCells, curvesText},
	{"nips", "NIPS 2014, Tables 1 and 2: k-Space", nipsCells, nipsText},
	{"maps", "All maps at equal D and at equal time", mapsCells, mapsText},
	{"private", "Private models against ε", privateCells, privateText},
	{"exact", "The exact kernel against the sketch", exactCells, exactText},
	{"why", "", whyCells, nil},
}

// A book is the document that is made: its cells, and what they measured.
type book struct {
	*store
	library *library
	quick   bool
	folder  string // of the document
}

// A difference is a figure that is not the paper's.
type difference struct {
	id          string
	ours, paper mean
}

// dimension returns D, or less under -quick.
func (b *book) dimension(D int) int {
	if b.quick {
		return min(D, 64)
	}
	return D
}

// seeds returns a cell for each seed from 1 on, or for the first two under -quick.
func (b *book) seeds(id, of string, n int, run func(s *set, seed int) (values, error)) (cells []cell) {
	if b.quick {
		n = min(n, 2)
	}
	for seed := 1; seed <= n; seed++ {
		cells = append(cells, cell{fmt.Sprintf("%s/%d", id, seed), of, func(s *set) (values, error) { return run(s, seed) }})
	}
	return cells
}

// testRows are the numbers of test rows of the sets with an official split.
var testRows = map[string]float64{"adult": 16281, "mnist": 10000, "usps": 2007}

// withError returns a share of one run, in per cent, with its standard error on the test rows for a deviation.
func withError(m mean, id string) mean {
	if rows := testRows[strings.Split(id, "/")[1]]; m.n == 1 && rows > 0 {
		m.deviation = math.Sqrt(m.value * (100 - m.value) / rows)
	}
	return m
}

// beside writes our figure above the paper's, and marks it if they differ: with the letter of the first change that
// takes off half of the difference or more, if there is one.
func (b *book) beside(ours, paper mean, id string) string {
	decimals := 2
	if strings.HasPrefix(id, "nips") {
		decimals = 1
	}
	text := ours.text(decimals) + "<br>" + paper.text(decimals)
	if differ(withError(ours, id), withError(paper, id)) {
		text += " ≠"
		if i := b.reasonFor(difference{id, ours, paper}); i >= 0 {
			text += " " + letter(i)
		}
	}
	return text
}

// title is the name of a set, also where its files are not there.
func (b *book) title(name string) string {
	return map[string]string{"adult": "Adult", "mnist": "MNIST", "covtype": "covtype20k", "basehock": "basehock",
		"usps": "USPS", "cpu": "CPU"}[strings.TrimSuffix(name, rawRows)]
}

func main() {
	only := flag.String("only", "", "run these `experiments` alone, separated by commas: "+names())
	quick := flag.Bool("quick", false, "few rows, features and seeds")
	data := flag.String("data", lab.Folder(), "the `folder` of the data sets")
	jobs := flag.Int("jobs", runtime.NumCPU(), "how many cells run at once, each in one thread")
	match := flag.String("match", "", "run only cells whose names have this `text`, such as adult/p2c0")
	fresh := flag.Bool("fresh", false, "forget what has been measured")
	flag.Parse()
	if err := run(*only, *match, *data, *jobs, *quick, *fresh); err != nil {
		fmt.Fprintln(os.Stderr, "experiments:", err)
		os.Exit(1)
	}
}

func names() string {
	var all []string
	for _, e := range experiments {
		all = append(all, e.name)
	}
	return strings.Join(all, ", ")
}

func run(only, match, data string, jobs int, quick, fresh bool) error {
	results, document := "bench/experiments.jsonl", "docs/experiments.md"
	if quick {
		results, document = "bin/experiments/results.jsonl", "bin/experiments/experiments.md"
		if err := os.MkdirAll("bin/experiments", 0o755); err != nil {
			return err
		}
	}
	if fresh || quick {
		if err := os.RemoveAll(results); err != nil {
			return err
		}
	}
	kept, err := openStore(results)
	if err != nil {
		return err
	}
	b := &book{store: kept, quick: quick, folder: filepath.Dir(document),
		library: &library{folder: data, quick: quick, sets: map[string]*set{}}}
	var chosen []string
	if only != "" {
		chosen = strings.Split(only, ",")
		for _, name := range chosen {
			if !slices.ContainsFunc(experiments, func(e experiment) bool { return e.name == name }) {
				return fmt.Errorf("-only must be one of %s, got %q", names(), name)
			}
		}
	}
	var todo []cell
	missing := map[string]bool{}
	for _, e := range experiments {
		if chosen != nil && !slices.Contains(chosen, e.name) {
			continue
		}
		for _, c := range e.cells(b) {
			switch file := b.library.missing(c.set); {
			case b.has(c.id) || !strings.Contains(c.id, match):
			case file != "":
				missing[b.title(c.set)+": "+filepath.Join(data, file)+" is not there"] = true
			default:
				todo = append(todo, c)
			}
		}
	}
	for text := range missing {
		fmt.Fprintln(os.Stderr, text+"; its cells are left out")
	}
	if err := b.measure(todo, jobs); err != nil {
		return err
	}
	return b.write(document)
}

// measure runs cells. The first interrupt ends the program: what was finished is kept.
func (b *book) measure(todo []cell, jobs int) error {
	interrupt := make(chan os.Signal, 1)
	signal.Notify(interrupt, os.Interrupt)
	go func() {
		<-interrupt
		fmt.Fprintln(os.Stderr, "stopped; the same command goes on from here")
		os.Exit(130)
	}()
	defer signal.Stop(interrupt)
	var next, done atomic.Int64
	var group sync.WaitGroup
	failed := make([]error, jobs)
	started := time.Now()
	for lane := range jobs {
		group.Go(func() {
			for failed[lane] == nil {
				at := int(next.Add(1)) - 1
				if at >= len(todo) {
					return
				}
				c := todo[at]
				s, err := b.library.set(c.set)
				start := time.Now()
				var v values
				if err == nil {
					v, err = c.run(s)
				}
				for name, x := range v {
					v[name] = round(x)
				}
				if err == nil {
					err = b.keep(record{c.id, v, round(time.Since(start).Seconds())})
				}
				if err != nil {
					failed[lane] = fmt.Errorf("%s: %w", c.id, err)
					return
				}
				fmt.Fprintf(os.Stderr, "%d of %d, %s: %s %s (%.1f s)\n", done.Add(1), len(todo),
					time.Since(started).Round(time.Second), c.id, v, time.Since(start).Seconds())
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// round keeps six digits, so that the file of results is short.
func round(x float64) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

// String writes values by name.
func (v values) String() string {
	var all []string
	for name, x := range v {
		all = append(all, fmt.Sprintf("%s %.4g", name, x))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// write makes the document.
func (b *book) write(name string) error {
	var t strings.Builder
	t.WriteString("# The papers' tables, made again\n\n" +
		"`./build.sh experiments` makes this page: the tables of Pham & Pagh (KDD 2013) and of Avron, Nguyen & " +
		"Woodruff (NIPS 2014), and some more. `-only NAME` makes one section.\n\n" +
		"- Five seeds unless said; mean ± standard deviation. – was not measured.\n" +
		"- Rows have length 1, as in the KDD paper; CPU's columns are taken to [0, 1].\n" +
		"- Adult, MNIST and USPS have the official split; covtype20k (15,000 + 5,000), basehock (1,495 + 498) and CPU " +
		"(6,554 + 819) a random one. covtype20k, the first rows of Covertype, and basehock, in place of " +
		"Gisette, cannot be compared with the paper.\n" +
		"- The linear SVM is LIBLINEAR's (squared hinge), the exact one LIBSVM's, C = 1.\n" +
		"- ≠ marks a figure that differs from the paper's by more than both standard deviations (of one run, the " +
		"standard error on the test rows).\n" +
		"- The papers leave C, the bias and other things open. A letter after ≠ names the one change that takes off half " +
		"of the difference or more (`-only why`):\n\n" + reasonList() + "\n")
	total := 0.0
	for _, r := range b.records {
		total += r.Seconds
	}
	fmt.Fprintf(&t, "%s, %s, %s: %.0f minutes of one core in all.\n", lab.Machine(), runtime.Version(),
		time.Now().Format("2006-01-02"), math.Ceil(total/60))
	for _, e := range experiments {
		if e.text == nil {
			continue
		}
		fmt.Fprintf(&t, "\n## %s\n\n%s", e.title, e.text(b))
	}
	return os.WriteFile(name, []byte(t.String()), 0o644)
}
