package native_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
	"tensorsketch.example/test/need"
)

var update = flag.Bool("updatetables", false, "write testdata/tables.txt anew")

// Model files of real tables have the bytes that they had when the command line fitted them by itself, with
//
//	tensorsketch fit TABLE --components 64 --degree 2 --coef0 1 --folds 1 --alpha 0.5 --unit-norm --seed 7 -o MODEL
//
// All that a default could change is typed.
func TestTables(t *testing.T) {
	data := os.Getenv("TENSORSKETCH_DATA")
	if data == "" {
		data = "../../../shared/data"
	}
	paths := need.Value(filepath.Glob(filepath.Join(data, "tables", "*.csv.gz")))(t)
	if len(paths) == 0 {
		t.Skip(filepath.Join(data, "tables"), " is not there")
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(need.Value(os.ReadFile("testdata/tables.txt"))(t))) {
		name, sum, _ := strings.Cut(strings.TrimSpace(line), " ")
		sums[name] = sum
	}
	for _, path := range paths {
		name := filepath.Base(path)
		q := &jobs.FitRequest{Alpha: 0.5, Folds: new(1), Map: jobs.MapParams{NComponents: 64, Degree: 2, Coef0: new(1.0),
			Seed: jobs.Seed{Number: 7}}}
		q.Columns.UnitNorm = new(true)
		q.Files = []jobs.File{jobs.NewFile(name, bytes.NewReader(need.Value(os.ReadFile(path))(t)))}
		reply, err := jobs.Fit(nil, native.Mapper{}, q)
		if err != nil {
			if sums[name] != "" { // others have no label, or a column without cells
				t.Error(err)
			}
			continue
		}
		sum := fmt.Sprintf("%x", sha256.Sum256(need.Value(reply.Model.File())(t)))
		if *update {
			sums[name] = sum
		} else if sums[name] != sum {
			t.Errorf("%s: the model file has the hash %s, want %s", name, sum, sums[name])
		}
	}
	if *update {
		var text strings.Builder
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			fmt.Fprintf(&text, "%s %s\n", name, sums[name])
		}
		need.OK(t, os.WriteFile("testdata/tables.txt", []byte(text.String()), 0o666))
	}
}
