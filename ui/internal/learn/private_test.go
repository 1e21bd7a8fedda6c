package learn

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestLabels: a class may have a comma in quotes, and numbers are read as people type them.
func TestLabels(t *testing.T) {
	for text, want := range map[string][]any{
		"no, yes":                      {"no", "yes"},
		`"in, ring", outside`:          {"in, ring", "outside"},
		`"say ""so""", no,, 5" wide`:   {`say "so"`, "no", `5" wide`},
		`" spaced ",x`:                 {" spaced ", "x"},
		"yes, no, yes":                 {"yes", "no"},
		"yes, yes":                     nil,
		"yes":                          nil,
		`"open, no`:                    nil,
		`"in, ring" and more, outside`: nil,
		"":                             nil,
	} {
		if got, err := Labels(text, false); !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("the classes of %s are %q, %v", text, got, err)
		}
	}
	for text, want := range map[string][]any{
		"0, 10": {0., 10.}, "0,10": {0., 10.}, "−5, 5": {-5., 5.}, "-5 5": {-5., 5.}, "0.5, 10.5": {.5, 10.5},
		"0,5; 10,5": {.5, 10.5}, "1e3, 2e3": {1e3, 2e3},
		"5, 0": nil, "5": nil, "0, 1, 2": nil, "low, high": nil, "0, inf": nil, "nan, 1": nil, "0 1,000": nil, "": nil,
	} {
		if got, err := Labels(text, true); !slices.Equal(got, want) || (err == nil) != (want != nil) {
			t.Errorf("the range of %s is %v, %v", text, got, err)
		}
	}
}

// TestRanges: each line is of one column, or of all; none is taken for another or read in part.
func TestRanges(t *testing.T) {
	names := []string{"age", "age 2", "height: cm"}
	all := func(age, second, height Range) map[string]Range {
		return map[string]Range{"age": age, "age 2": second, "height: cm": height}
	}
	hundred := Range{0, 100}
	for text, want := range map[string]map[string]Range{
		"0 100":                                 all(hundred, hundred, hundred),
		"−1,5 2,5":                              all(Range{-1.5, 2.5}, Range{-1.5, 2.5}, Range{-1.5, 2.5}),
		"0 100\nage 0,5 7":                      all(Range{.5, 7}, hundred, hundred),
		"age: 0, 120\n0 100":                    all(Range{0, 120}, hundred, hundred),
		"age 2 3\nage  2 4 5\nheight: cm 0 2e2": all(Range{2, 3}, Range{4, 5}, Range{0, 200}),
		"  age;0;1 \n\n,\n0,100":                all(Range{0, 1}, hundred, hundred),
	} {
		if got, err := Ranges(text, names); err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	const twoNumbers = "range must be two numbers for all columns, or the name of a column and two numbers, " +
		"the lower first"
	for text, want := range map[string]string{
		"ageing 0 10\n0 100":     `range must begin with the name of a column that is used as a number, got "ageing 0 10"`,
		"age 7 8 9\n0 100":       `range must begin with the name of a column that is used as a number, got "age 7 8 9"`,
		"age 1,000 5,000\n0 100": twoNumbers + `, got "age 1,000 5,000"`,
		"0 100\n0 200":           `range must be given once for all columns, got "0 200"`,
		"age 0 1\nage 0 2\n0 1":  `range must be given once for column "age", got "age 0 2"`,
		"age 5 1\n0 1":           twoNumbers + `, got "age 5 1"`,
		"5 1":                    twoNumbers + `, got "5 1"`,
		"age":                    twoNumbers + `, got "age"`,
		"age 0 inf":              twoNumbers + `, got "age 0 inf"`,
		"age 0 1": "range must be given for every column, from what is known without the rows: two numbers for all, " +
			`or a line for each, got none for column "age 2"`,
	} {
		if got, err := Ranges(text, names); err == nil || err.Error() != want {
			t.Errorf("%q: %v, %v, want %s…", text, got, err, want)
		}
	}
}

// Every row that was changed is told, also where no row could try the models.
// TestUnderstood: the question of a private training says what was read from its fields.
func TestUnderstood(t *testing.T) {
	one, other := Range{0, 1.5}, Range{-1, 1}
	for want, got := range map[string]string{
		`The classes are "no", "yes". Ranges of columns: "a" from 0 to 1.5.`: Understood([]any{"no", "yes"},
			map[string]Range{"a": one}, []string{"a"}),
		"The numbers to be predicted are from -10 to 10.": Understood([]any{-10., 10.}, nil, nil),
		"The numbers to be predicted are from -10 to 10. The 2\u00a0columns of numbers are from 0 to 1.5.": Understood(
			[]any{-10., 10.}, map[string]Range{"a": one, "b": one}, []string{"a", "b"}),
		`The classes are "no", "yes". Ranges of columns: "a" from 0 to 1.5, "b" from -1 to 1.`: Understood(
			[]any{"no", "yes"}, map[string]Range{"a": one, "b": other}, []string{"a", "b"}),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOutcomeCounts(t *testing.T) {
	score := new(float64)
	*score = 0.5
	for _, noisy := range []*float64{nil, score} {
		classes := strings.Join((&Outcome{Rows: 9, Odd: 2, Unusable: 1, Noisy: noisy, Plain: score}).Words(), " ")
		numbers := strings.Join((&Outcome{Rows: 9, Odd: 1, Cut: 3, IsNumber: true, Noisy: noisy, Plain: score}).Words(), " ")
		for want, words := range map[string]string{
			"2\u00a0rows had a label that is not among the public ones and counted as rows of zeros.": classes,
			"1\u00a0row had cells that do not fit the columns and counted as a row of zeros.":         classes,
			"1\u00a0row had no number to be predicted and counted as a row of zeros.":                 numbers,
			"3\u00a0rows had a number beyond the public range, which was cut to it.":                  numbers,
		} {
			if !strings.Contains(words, want) {
				t.Errorf("%q lacks %q", words, want)
			}
		}
	}
}
