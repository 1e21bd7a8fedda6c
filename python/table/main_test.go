package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// TestFound: a number, a category, a date and a label are told apart, and mistakes are said.
func TestFound(t *testing.T) {
	file := filepath.Join(t.TempDir(), "X.csv")
	text := new(strings.Builder)
	text.WriteString("size,kind,day,y\n")
	for i := range 60 {
		text.WriteString([]string{"1.5,red,2020-01-03,u\n", ",blue,2020-02-04,v\n", "2.25,red,,u\n"}[i%3])
	}
	text.WriteString("1,red,2020-01-03,\n")
	need.OK(t, os.WriteFile(file, []byte(text.String()), 0o644))
	reply := need.Value(found(file, "y", "classify"))(t)
	for _, role := range []string{`"size","role":"number"`, `"kind","role":"category"`, `"day","role":"date"`,
		`"y","role":"label"`} {
		if !strings.Contains(reply.Preprocessing, role) {
			t.Errorf("the preprocessing lacks %s: %s", role, reply.Preprocessing)
		}
	}
	if reply.Unused != 1 || reply.Sparse || !slices.Equal(reply.Indicators, []int{1, 2}) {
		t.Errorf("got %+v", reply)
	}
	if _, err := found(file, "z", "classify"); err == nil || !strings.Contains(err.Error(), `"z"`) {
		t.Errorf("a label that is no column: %v", err)
	}
}
