//go:build !js

package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/tools/internal/lab"
)

// breadth is the bench of learning over many tables, `bench -only tables`: what `fit` and `predict` of the command line
// reach beside scikit-learn (tables.py), over some splits of each table.
type breadth struct {
	folder  string // of the tables and of all that is kept for a second run
	variant string // flags of fit, for an ablation; empty: the defaults
	python  string
	splits  int    // of a table
	large   int    // of a table of more than 2,000 rows
	shell   string // the command line that is measured
	build   string // a hash of it
}

// A tableSet is a table, what the command line reaches on it, and what the peers reach.
type tableSet struct {
	Name    string                 `json:"name"`
	Rows    int                    `json:"rows"`
	Columns int                    `json:"columns"`
	Classes int                    `json:"classes"` // 0: numbers are predicted
	Splits  int                    `json:"splits"`  // more than asked for of few rows: 200 are predicted in all
	Half    string                 `json:"half"`
	Ours    []reached              `json:"ours"` // by split
	Peers   []map[string]peerFound `json:"peers"`
}

// A peerFound is what a peer reaches on a split; Error says why it did not run.
type peerFound struct {
	reached
	Error string `json:"error,omitempty"`
}

// Defaults may be chosen by the tables of one half, and must hold on the other.
const (
	choosing = "choosing" // the tables with an even index, from 0, in the order of tables.py
	checking = "checking" // those with an odd one
)

func half(i int) string { return [...]string{choosing, checking}[i%2] }

// quickTables are the tables of -quick.
var quickTables = []string{"autompg", "few-60", "heart-c", "mixed", "shells"}

const (
	splits    = 5    // of a table, where it has many rows
	largeRows = 2000 // a table of more rows is large, as tables.py has it
)

// newBreadth builds the command line and finds scikit-learn. Without scikit-learn it returns nil, and says so.
func newBreadth(o *breadthOptions) (*breadth, error) {
	b := &breadth{folder: o.folder, variant: o.flags, splits: o.splits, large: o.large,
		shell: filepath.Join(o.folder, "tensorsketch")}
	if b.python = sklearn(); b.python == "" {
		fmt.Fprintln(os.Stderr, "bench: tables are skipped, since scikit-learn is missing (Debian: python3-sklearn)")
		return nil, nil
	}
	if err := os.MkdirAll(filepath.Join(b.folder, "ours"), 0o755); err != nil {
		return nil, err
	}
	if o.shell != "" {
		b.shell = o.shell
	} else {
		return b, b.compile()
	}
	return b, b.identify()
}

// compile builds the command line.
func (b *breadth) compile(flags ...string) error {
	build := exec.Command("go", append(append([]string{"build", "-o", b.shell}, flags...), "./cmd/tensorsketch")...)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build ./cmd/tensorsketch: %w", err)
	}
	return b.identify()
}

// identify takes the hash of the command line.
func (b *breadth) identify() error {
	file, err := os.ReadFile(b.shell)
	b.build = fmt.Sprintf("%x", sha256.Sum256(file))
	return err
}

// sklearn returns a Python that has scikit-learn, or "".
func sklearn() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import sklearn").Run() == nil {
			return python
		}
	}
	return ""
}

// script runs tables.py, and calls line with each line of its output.
func (b *breadth) script(verb string, names []string, line func(text []byte) error) error {
	data, err := filepath.Abs(lab.Folder())
	if err != nil {
		return err
	}
	command := exec.Command(b.python, append([]string{"tools/bench/tables.py", verb, data, b.folder}, names...)...)
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", fmt.Sprint("SPLITS=", b.splits),
		fmt.Sprint("LARGE=", b.large))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("tables.py %s: %w", verb, err)
	}
	for text := range bytes.Lines(out) {
		if err := line(text); err != nil {
			return err
		}
	}
	return nil
}

// sets writes the tables, and returns the ones with these names, or all.
func (b *breadth) sets(names []string) (sets []tableSet, err error) {
	fmt.Fprintln(os.Stderr, "bench: writing the tables")
	err = b.script("sets", nil, func(text []byte) error { // all, so that a table's half does not hang on names
		s := tableSet{Half: half(len(sets))}
		err := json.Unmarshal(text, &s)
		sets = append(sets, s)
		return err
	})
	if err != nil {
		return nil, err
	}
	isLeftOut := func(s tableSet) bool { return len(names) > 0 && !slices.Contains(names, s.Name) }
	if sets = slices.DeleteFunc(sets, isLeftOut); len(sets) == 0 {
		return nil, fmt.Errorf("no table is named %s", strings.Join(names, ", "))
	}
	return sets, nil
}

// run measures the tables of these names, or all.
func (b *breadth) run(names []string) ([]tableSet, error) {
	sets, err := b.sets(names)
	if err != nil {
		return nil, err
	}
	for i := range sets {
		if sets[i].Ours, err = b.measure(&sets[i]); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "bench: %-16s %s\n", sets[i].Name, mean(sets[i].Ours, score))
	}
	fmt.Fprintln(os.Stderr, "bench: fitting the peers")
	at := 0
	return sets, b.script("peers", names, func(text []byte) error {
		var p struct {
			Name   string
			Splits []map[string]peerFound
		}
		if err := json.Unmarshal(text, &p); err != nil || at == len(sets) || p.Name != sets[at].Name {
			return cmp.Or(err, fmt.Errorf("tables.py peers: got table %q", p.Name))
		}
		sets[at].Peers = p.Splits
		at++
		return nil
	})
}

// measure returns what the command line reaches on each split of a table, kept from an earlier run of the same program.
func (b *breadth) measure(s *tableSet) (ours []reached, err error) {
	hash := sha256.New()
	fmt.Fprintln(hash, b.build, b.variant, s.Splits)
	for seed := range s.Splits {
		for _, part := range []string{"train", "test"} {
			content, err := os.ReadFile(b.file(s, seed, part))
			if err != nil {
				return nil, err
			}
			hash.Write(content)
		}
	}
	kept := filepath.Join(b.folder, "ours", fmt.Sprintf("%s.%.12x.json", s.Name, hash.Sum(nil)))
	if text, err := os.ReadFile(kept); err == nil {
		return ours, json.Unmarshal(text, &ours)
	}
	for seed := range s.Splits {
		r, err := b.split(s, seed)
		if err != nil {
			return nil, fmt.Errorf("%s, split %d: %w", s.Name, seed+1, err)
		}
		ours = append(ours, *r)
	}
	text, err := json.Marshal(ours)
	if err != nil {
		return nil, err
	}
	return ours, os.WriteFile(kept, text, 0o644)
}

func (b *breadth) file(s *tableSet, seed int, part string) string {
	return filepath.Join(b.folder, fmt.Sprintf("%s.%d.%s.csv", s.Name, seed+1, part))
}

// split fits a model to the rows to learn from, and predicts the others.
func (b *breadth) split(s *tableSet, seed int) (*reached, error) {
	model, predicted := filepath.Join(b.folder, "model.json"), filepath.Join(b.folder, "predicted.csv")
	var more []string
	if s.Classes > 0 {
		more = append(more, "--probabilities")
	}
	began := time.Now()
	if err := b.call(b.fitOf(s, seed, model)); err != nil {
		return nil, err
	}
	seconds := time.Since(began).Seconds()
	test := b.file(s, seed, "test")
	predict := []string{"predict", test, "--model", model, "-o", predicted}
	if err := b.call(append(predict, more...)); err != nil {
		return nil, err
	}
	got, err := readTable(predicted)
	if err != nil {
		return nil, err
	}
	rows, err := readTable(test)
	if err != nil {
		return nil, err
	}
	var r *reached
	if s.Classes == 0 {
		r, err = reachedNumbers(rows.column("label"), got.column("prediction"))
	} else {
		r, err = reachedClasses(rows.column("label"), got)
	}
	if err == nil {
		r.Seconds = seconds
	}
	return r, err
}

// fitOf returns the arguments that fit a model to the rows to learn from.
func (b *breadth) fitOf(s *tableSet, seed int, model string) []string {
	task := "classify"
	if s.Classes == 0 {
		task = "regress"
	}
	fit := []string{"fit", b.file(s, seed, "train"), "--label", "label", "--task", task, "-o", model}
	return append(fit, strings.Fields(b.variant)...)
}

func (b *breadth) call(arguments []string) error {
	command := exec.Command(b.shell, append(arguments, "--quiet")...)
	var said bytes.Buffer
	command.Stdout, command.Stderr = io.Discard, &said
	if err := command.Run(); err != nil {
		return fmt.Errorf("tensorsketch %s: %w: %s", strings.Join(arguments, " "), err, said.String())
	}
	return nil
}

// A csvTable has the cells of a file below its header, column by column.
type csvTable struct {
	names   []string
	columns [][]string
}

func readTable(name string) (*csvTable, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) < 2 {
		return nil, errors.Join(err, fmt.Errorf("%s has %d lines", name, len(rows)))
	}
	t := &csvTable{names: rows[0], columns: make([][]string, len(rows[0]))}
	for i := range t.columns {
		for _, row := range rows[1:] {
			t.columns[i] = append(t.columns[i], row[i])
		}
	}
	return t, nil
}

// column returns the cells of a column, or nil. Of two with that name it is the last.
func (t *csvTable) column(name string) []string {
	for i := len(t.names) - 1; i >= 0; i-- {
		if t.names[i] == name {
			return t.columns[i]
		}
	}
	return nil
}

// numbersOf returns the numbers in cells, and fallback for an empty one.
func numbersOf(cells []string, fallback float64) ([]float64, error) {
	numbers := make([]float64, len(cells))
	for i, cell := range cells {
		var err error
		if numbers[i] = fallback; cell == "" {
			continue
		}
		if numbers[i], err = strconv.ParseFloat(cell, 64); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}
