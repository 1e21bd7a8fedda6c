package learn

import (
	"strings"
	"testing"
)

// TestReadWith: the remedy for a file that is written otherwise than the model's is followed, and no other, and said.
func TestReadWith(t *testing.T) {
	for problem, want := range map[string][2]string{
		`a.csv: "1,5" is not a number; correct the cell, or read the file with decimal ",".`: {"decimal", ","},
		`a.csv: the text is UTF-16; read it with encoding "utf-16"`:                          {"encoding", "utf-16"},
		`a.csv: a quote stays open; write it twice, or read the file with quote "" for none`: {},
		`a.csv: choose one with at least one row.`:                                           {},
		``:        {},
		` with `:  {},
		`decimal`: {},
	} {
		if key, value := ReadWith(problem); key != want[0] || value != want[1] {
			t.Errorf("%s: %q %q, want %q", problem, key, value, want)
		}
	}
	second := Second{Name: "a.csv", Rows: 3, Read: []string{`encoding "utf-16"`, `decimal ","`}}
	want := `predicted. It was read with encoding "utf-16" and decimal ",", otherwise than the model's file.`
	if got := second.Words(); !strings.Contains(got, want) {
		t.Errorf("it says %q", got)
	}
}

// TestForget: another file takes all with it but the drawing, another label of the same file only what was suggested.
func TestForget(t *testing.T) {
	digits := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for _, c := range []struct {
		isSameFile     bool
		typed, want    Typed
		suggestedFirst bool
	}{
		{true, Typed{"yes, no", "0 100"}, Typed{"yes, no", "0 100"}, false},
		{false, Typed{"yes, no", "0 100"}, Typed{}, false},
		{true, Typed{}, Typed{}, true},
		{true, Typed{"0, 1", ""}, Typed{"0, 1", ""}, true},
	} {
		var r Use
		r.Recognise(64, digits, 16)
		r.Private.Typed = c.typed
		if c.suggestedFirst {
			r.Suggest()
			if r.Private.Typed.Ranges != "0 16" {
				t.Fatalf("suggested is %+v", r.Private.Typed)
			}
		}
		r.Forget(c.isSameFile)
		if r.Private.Typed != c.want || r.Form != nil || r.Classes != nil {
			t.Errorf("%+v: %+v stays, with the form %v", c, r.Private.Typed, r.Form)
		}
	}
}

// A file of several dots lost all but the first part of its name.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{"sales.2026.csv": "sales.2026-predictions.csv",
		"rows.tsv.gz": "rows-predictions.csv", "rows": "rows-predictions.csv"} {
		if got := (&Second{Name: name}).FileName(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
