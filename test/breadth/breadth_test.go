// Package breadth reads files that other programs write, and compares each cell with what these programs read back.
package breadth

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset"
	_ "tensorsketch.example/dataset/columnar"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/need"
)

var (
	long   = flag.Bool("long", false, "install the programs and make the files")
	folder = flag.String("folder", "", "keep programs and files in this folder, and use what is there")
)

// A made file is one that a program wrote, with its cells as the program reads them back: a kind and a text, or null,
// for each row of a column.
type made struct {
	File    string
	Skipped string // why the program does not write it
	Refused string // what the error says, if the file is of a format that is not read
	Columns map[string][2]json.RawMessage
}

// TestBreadth makes the files with make.py, make.mjs, make.R and makegnumeric.py. A program that is not there and
// cannot be installed is skipped by its name.
func TestBreadth(t *testing.T) {
	if !*long {
		t.Skip("-long makes the files")
	}
	at := *folder
	if at == "" {
		at = t.TempDir()
	}
	t.Run("Python", func(t *testing.T) {
		compareAll(t, at, "python.json", func(files string) *exec.Cmd {
			python := filepath.Join(at, "venv", "bin", "python")
			if _, err := os.Stat(python); err != nil {
				run(t, exec.Command("python3", "-m", "venv", filepath.Join(at, "venv")))
				run(t, exec.Command(python, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "-r",
					"requirements.txt"))
			}
			return exec.Command(python, "make.py", files)
		})
	})
	t.Run("Node", func(t *testing.T) {
		compareAll(t, at, "node.json", func(files string) *exec.Cmd {
			if _, err := os.Stat("node_modules"); err != nil {
				run(t, exec.Command("npm", "ci", "--no-audit", "--no-fund"))
			}
			return exec.Command("node", "make.mjs", files)
		})
	})
	for _, of := range []struct {
		name, list, program, install string
		command                      []string
	}{
		{"R", "r.json", "Rscript", "r-base-core", []string{"Rscript", "make.R"}},
		{"Gnumeric", "gnumeric.json", "ssconvert", "gnumeric", []string{"python3", "makegnumeric.py"}},
	} {
		t.Run(of.name, func(t *testing.T) {
			if _, err := exec.LookPath(of.program); err != nil {
				t.Skipf("%s is not there; install %s", of.program, of.install)
			}
			compareAll(t, at, of.list, func(files string) *exec.Cmd {
				command := exec.Command(of.command[0], of.command[1], files)
				command.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
				return command
			})
		})
	}
}

// run runs a program, and skips the test where it cannot be installed.
func run(t *testing.T, command *exec.Cmd) {
	t.Helper()
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("%v: %v: %s", command.Args, err, out)
	}
}

// compareAll compares all files of a list, which are made if the list is not there.
func compareAll(t *testing.T, at, list string, command func(files string) *exec.Cmd) {
	files := filepath.Join(at, "files")
	if err := os.MkdirAll(files, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(files, list)); err != nil {
		if out, err := command(files).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	var all []made
	if err := json.Unmarshal(need.Value(os.ReadFile(filepath.Join(files, list)))(t), &all); err != nil {
		t.Fatal(err)
	}
	read, cells := 0, 0
	for _, m := range all {
		if m.Skipped != "" {
			t.Logf("%s: not written: %s", m.File, m.Skipped)
			continue
		}
		t.Run(m.File, func(t *testing.T) {
			read++
			cells += m.compare(t, filepath.Join(files, m.File))
		})
	}
	t.Logf("%d files of %d, %d cells", read, len(all), cells)
	if 10*read < 9*len(all) {
		t.Errorf("%d files of %d were not written", len(all)-read, len(all))
	}
}

// compare reads a file and compares its cells. It returns how many it compared.
func (m *made) compare(t *testing.T, path string) (cells int) {
	content := need.Value(os.ReadFile(path))(t)
	start := time.Now()
	l, err := dataset.SniffFile(m.File, strings.NewReader(string(content)), columns.Reading{})
	if m.Refused != "" {
		if err == nil || !strings.Contains(err.Error(), m.Refused) {
			t.Errorf("got %v, want the error %q", err, m.Refused)
		}
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	unused := map[string]bool{}
	for _, note := range l.Notes() {
		if note.Code == columns.NoteUnusedColumn {
			unused[note.Column] = true
		}
	}
	var names []string
	var types []columns.Type
	for i, c := range l.Columns {
		if unused[c.Name] {
			if _, ok := m.Columns[c.Name]; ok {
				t.Errorf("column %q is not used: %s", c.Name, c.Example)
			}
			continue
		}
		names, types = append(names, c.Name), append(types, c.Type)
		l = l.With(i, columns.AsKept)
	}
	for name := range m.Columns {
		if !slices.Contains(names, name) && !unused[name] {
			t.Errorf("there is no column %q; there are %q", name, names)
		}
	}
	rows, err := allRows(l, string(content))
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	for k, name := range names {
		column, ok := m.Columns[name]
		if !ok {
			t.Errorf("column %q is not one of the program's", name)
			continue
		}
		var kind string
		var want []*string
		if err := errors.Join(json.Unmarshal(column[0], &kind), json.Unmarshal(column[1], &want)); err != nil {
			t.Fatal(err)
		}
		if len(want) != len(rows) {
			t.Fatalf("%d rows, want %d", len(rows), len(want))
		}
		if kind == "numeric" && !types[k].IsNumeric() || kind == "date" && types[k] != columns.Date {
			t.Errorf("column %q is %v: %v", name, types[k], l.Notes())
		}
		wrong := 0
		for i, row := range rows {
			if !same(l, kind, row[k], want[i]) {
				if wrong++; wrong <= 3 {
					t.Errorf("column %q, row %d: got %.80q, want %s", name, i, row[k], shown(want[i]))
				}
			}
		}
		if wrong > 3 {
			t.Errorf("column %q: %d of %d cells are wrong", name, wrong, len(rows))
		}
		cells += len(rows)
	}
	return cells
}

func shown(cell *string) string {
	if cell == nil {
		return "nothing"
	}
	return fmt.Sprintf("%.80q", *cell)
}

// allRows returns the texts of all rows. A row that is left out is an error.
func allRows(l *dataset.Layout, content string) (rows [][]string, err error) {
	s, err := l.Open(strings.NewReader(content))
	if err != nil {
		return nil, err
	}
	var b dataset.Block
	for {
		if err := s.Next(&b); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		for row := range b.Rows() {
			cells := make([]string, len(s.Schema().Fields))
			for k := range cells {
				cells[k] = string(b.Text(row, k))
			}
			rows = append(rows, cells)
		}
	}
	if unused := s.Unused(); unused.Total > 0 {
		return nil, fmt.Errorf("%d rows are left out: %w", unused.Total, unused.First[0])
	}
	return rows, nil
}

// same compares a cell with a program's. Kinds: "exact" and "text" are the same text, "number" the same float64, "cell"
// a text whose spaces around it do not count or the same float64, "numeric" and "date" such a cell in a column of
// numbers or dates, and "loose" also dates at midnight.
func same(l *dataset.Layout, kind, got string, want *string) bool {
	if want == nil && kind == "numeric" {
		x, what := l.Number([]byte(got))
		return what == "" && math.IsNaN(x)
	}
	if want == nil {
		return got == "" || got == "NaN" || (kind == "cell" || kind == "date") && slices.Contains([]string{"NA", "NULL"}, got)
	}
	if got == *want {
		return true
	}
	switch kind {
	case "text", "exact":
		return false
	case "cell", "numeric", "date", "loose":
		if lower := strings.ToLower(*want); got == lower && (lower == "true" || lower == "false") {
			return true
		}
		if strings.TrimSpace(got) == strings.TrimSpace(strings.ReplaceAll(*want, "\r\n", "\n")) {
			return true
		}
	}
	x, what := l.Number([]byte(got))
	y, err := strconv.ParseFloat(*want, 64)
	return what == "" && err == nil && x == y
}
