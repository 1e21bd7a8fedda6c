package native_test

import (
	"fmt"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/jobs"
	"tensorsketch.example/jobs/native"
)

// A table of texts alone took 23 GB to search, 1,500 rows of 786,432 columns each: its words share 3,072 columns now.
// Sparse rows of more columns than a search takes have the usual map, which a note says.
func TestWideRows(t *testing.T) {
	var texts, sparse strings.Builder
	texts.WriteString("who,what,label\n")
	for i := range 100 {
		fmt.Fprintf(&texts, "u%d,%s row %d,%s\n", i%20, []string{"a good", "a bad"}[i%2], i, []string{"yes", "no"}[i%2])
		fmt.Fprintf(&sparse, "%d %d:1 %d:1\n", i%2, 1+i%2, 300+i*400)
	}
	libsvm := jobs.Rows{Files: []jobs.File{jobs.NewFile("rows.libsvm", strings.NewReader(sparse.String()))}}
	const wide = "sparse rows of 39,900 columns are too wide for a search, which takes 32,768 columns"
	for _, c := range []struct {
		rows   jobs.Rows
		search string
		d      int
		want   string
	}{
		{rowsOf(texts.String()), "linear-unit", 3072 + 20, ""},
		{libsvm, "", 39900, wide + ": the map is the usual one; hash words into fewer columns, or choose the map yourself"},
		{libsvm, "linear-unit", 0, "search: " + wide + ": leave search out, or hash words into fewer columns"},
	} {
		reply, err := jobs.Fit(nil, native.Mapper{}, &jobs.FitRequest{Rows: c.rows, Search: c.search, Task: "classify"})
		got := ""
		if err != nil {
			got = "search: " + jobs.Plain(err)
		} else {
			for _, n := range reply.Notes {
				if n.Code == columns.NoteNoSearch {
					got += n.String()
				}
			}
			if d := reply.Learner.Spec().Features.NFeatures(); d != c.d {
				t.Errorf("%d columns, want %d", d, c.d)
			}
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
