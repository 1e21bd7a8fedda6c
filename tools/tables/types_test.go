package main

import (
	"os"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
)

// The types that JavaScript reads are the structs'.
func TestTypesAreCurrent(t *testing.T) {
	var text strings.Builder
	declarations(&text, protocol, need.Value(commentsOf("../../jobs"))(t))
	if written := need.Value(os.ReadFile("../../public/page/jobs.d.ts"))(t); string(written) != text.String() {
		t.Error("public/page/jobs.d.ts is not what package jobs has; run go run ./tools/tables types >public/page/jobs.d.ts")
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
	declarations(&text, []any{Outer{}}, map[string]string{"Outer.C": "of c\n"})
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
