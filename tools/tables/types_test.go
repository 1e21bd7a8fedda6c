package main

import (
	"os"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// The types that JavaScript reads are the structs'.
func TestTypesAreCurrent(t *testing.T) {
	comments := need.Value(commentsOf("../../jobs"))(t)
	var page, users strings.Builder
	declarations(&page, forPage, protocol, false, comments)
	declarations(&users, forUsers, reports, true, comments)
	for _, c := range []struct{ file, argument, want string }{
		{"public/page/jobs.d.ts", "types", page.String()}, {"public/api/reports.d.ts", "reports", users.String()},
	} {
		if written := need.Value(os.ReadFile("../../" + c.file))(t); string(written) != c.want {
			t.Errorf("%s is not what package jobs has; run go run ./tools/tables %s >%[1]s", c.file, c.argument)
		}
	}
}

// A field that is left out where it is empty, one that may be null, and the fields of embedded structs.
func TestDeclarations(t *testing.T) {
	type Inner struct {
		A []*float64 `json:"a"`
		E int        `json:"e"`
	}
	type Outer struct {
		Inner
		B map[string]bool `json:"b,omitempty"`
		C *Inner          `json:"c"`
		D func()          `json:"-"`
		E string          `json:"e"` // in place of Inner's
	}
	var text strings.Builder
	declarations(&text, forPage, []any{Outer{}}, false, map[string]string{"Outer.C": "of c\n"})
	_, got, _ := strings.Cut(text.String(), "\n\n")
	want := `export interface Outer {
  a: Array<number | null>;
  b?: Record<string, boolean>;
  /** of c */
  c: Inner | null;
  e: string;
}

export interface Inner {
  a: Array<number | null>;
  e: number;
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
