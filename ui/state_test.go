package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tensorsketch/tensorsketch/sketch"
)

func TestParseHash(t *testing.T) {
	with := func(change func(*State)) State {
		s := DefaultState()
		change(&s)
		return s
	}
	for hash, want := range map[string]State{
		"":                                   DefaultState(),
		"#":                                  DefaultState(),
		"#/embed":                            DefaultState(),
		"#/embed?":                           DefaultState(),
		"#/embed/?":                          DefaultState(),
		"#/embed?degree=3&nComponents=100":   with(func(s *State) { s.Degree, s.NComponents = 3, 100 }),
		"#/embed?gamma=0.5&coef0=0":          with(func(s *State) { s.Gamma, s.Coef0 = .5, 0 }),
		"#/embed?seed=18446744073709551615":  with(func(s *State) { s.Seed = sketch.IntSeed(1<<64 - 1) }),
		"#/embed?seed=hello+world":           with(func(s *State) { s.Seed = sketch.StringSeed("hello world") }),
		"#/embed?seed=%225%22":               with(func(s *State) { s.Seed = sketch.StringSeed("5") }),
		"#/embed?rows=none&normalize=kernel": with(func(s *State) { s.Rows, s.Normalize = RowsNone, sketch.NormalizeKernel }),
		"#/embed?output=spectrum&embed=1":    with(func(s *State) { s.Output, s.Embedded = sketch.OutputSpectrum, true }),
		"#/embed?hide=seed,degree,seed":      with(func(s *State) { s.Hide = "degree,seed" }),
	} {
		got, notes := ParseHash(hash)
		if got != want || len(notes) > 0 {
			t.Errorf("%s: got %+v, notes %q; want %+v", hash, got, notes, want)
		}
	}
}

// TestBadHash: a bad part keeps its default, is named, and spoils nothing else.
func TestBadHash(t *testing.T) {
	for hash, want := range map[string]string{
		"#/nowhere?degree=3":                    `there is no place "nowhere".`,
		"#/embed?degree=0&degree=3":             `degree must be an integer from 1 to 64, got 0.`,
		"#/embed?degree=3&degree=65":            `degree must be an integer from 1 to 64, got 65.`,
		"#/embed?degree=3&degree=two":           `degree must be an integer from 1 to 64, got "two".`,
		"#/embed?degree=3&degree=":              `degree must be an integer from 1 to 64, got "".`,
		"#/embed?degree=3&gamma=0":              `gamma must be a finite number > 0, got 0.`,
		"#/embed?degree=3&gamma=NaN":            `gamma must be a finite number > 0, got "NaN".`,
		"#/embed?degree=3&coef0=-1":             `coef0 must be a finite number ≥ 0, got -1.`,
		"#/embed?degree=3&coef0=1e999":          `coef0 must be a finite number ≥ 0, got "1e999".`,
		"#/embed?degree=3&nComponents=16777217": `nComponents must be an integer from 1 to 16777216, got 16777217.`,
		"#/embed?degree=3&rows=l2":              `rows must be one of "none", "unit", got "l2".`,
		"#/embed?degree=3&normalize=unit":       `normalize must be one of "none", "kernel", got "unit".`,
		"#/embed?degree=3&output=complex":       `output must be one of "real", "spectrum", got "complex".`,
		"#/embed?degree=3&Gamma=2":              `Gamma must be one of degree, gamma, coef0, nComponents, seed, rows, normalize, output.`,
		"#/embed?degree=3&seed=%zz":             `"seed=%zz" is not properly escaped.`,
		"#/embed?degree=3&hide=everything":      `hide knows no control "everything".`,
	} {
		got, notes := ParseHash(hash)
		wantState := DefaultState()
		wantState.Degree = 3
		if got != wantState || len(notes) != 1 || !strings.HasSuffix(notes[0], want) {
			t.Errorf("%s: got %+v, notes %q; want %q", hash, got, notes, want)
		}
	}
}

func TestSeedText(t *testing.T) {
	for text, want := range map[string]sketch.Seed{
		"0":                    sketch.IntSeed(0),
		"18446744073709551616": sketch.StringSeed("18446744073709551616"),
		"-1":                   sketch.StringSeed("-1"),
		"":                     sketch.StringSeed(""),
		`"7"`:                  sketch.StringSeed("7"),
		`"`:                    sketch.StringSeed(`"`),
		`""a""`:                sketch.StringSeed(`"a"`),
	} {
		seed := parseSeed(text)
		if seed != want {
			t.Errorf("%q: got %v, want %v", text, seed, want)
		}
		if again := parseSeed(formatSeed(seed)); again != seed {
			t.Errorf("%q: %v is written %q, which reads %v", text, seed, formatSeed(seed), again)
		}
	}
}

// FuzzParseHash: any fragment gives a state the core accepts, and its own link
// gives it again without a note.
func FuzzParseHash(f *testing.F) {
	for _, hash := range []string{"", "#/embed?degree=3&gamma=.5", "#/embed?seed=%225%22&hide=seed,x", "#/a/b?=&&%", "#/embed?seed=\"\"5\"\"", "#/embed?seed=%20a"} {
		f.Add(hash)
	}
	f.Fuzz(func(t *testing.T, hash string) {
		s, _ := ParseHash(hash)
		params := s.Params(1)
		if err := params.Validate(); err != nil {
			t.Fatalf("%q gives %+v: %v", hash, s, err)
		}
		again, notes := ParseHash(s.Hash())
		if !utf8.ValidString(s.Seed.Text()) {
			t.Fatalf("%q gives a seed that JavaScript would change: %q", hash, s.Seed.Text())
		}
		if again != s || len(notes) > 0 {
			t.Fatalf("%q gives %+v, its link %q gives %+v, notes %q", hash, s, s.Hash(), again, notes)
		}
	})
}
