package columns

import (
	"slices"
	"testing"
)

// TestList: items stand between commas or on lines, and those with a comma in quotes.
func TestList(t *testing.T) {
	for text, want := range map[string][]string{
		"":                             nil,
		" , ,\n":                       nil,
		"no, yes":                      {"no", "yes"},
		"no\r\nyes\n":                  {"no", "yes"},
		`"in, ring" ,outside`:          {"in, ring", "outside"},
		`"say ""so""", 5" wide`:        {`say "so"`, `5" wide`},
		`" spaced ",""` + "\n" + `"a"`: {" spaced ", "", "a"},
		`""""`:                         {`"`},
	} {
		if got, err := List(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`no, "yes`:        "a quote is not closed",
		`"a" b, c`:        `a comma is missing after "a"`,
		`"a""`:            "a quote is not closed",
		`"in, ring"outer`: `a comma is missing after "in, ring"`,
	} {
		if got, err := List(text); err == nil || err.Error() != want {
			t.Errorf("%q: %q, %v, want %s", text, got, err, want)
		}
	}
}
