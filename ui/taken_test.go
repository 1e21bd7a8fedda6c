package main

import (
	"encoding/csv"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/table"
)

// TestTaken: a picture is saved with its parameters in words and the link to it, never with the name of a file.
func TestTaken(t *testing.T) {
	const page = "https://a.example/sketch/"
	fromFile := func(a *App) {
		a.Result = &embed.Result{Rows: 1234, Embed: a.State.Embed, Report: &embed.Report{},
			Layout: &table.Layout{Name: "patients.csv", Stem: "patients"}}
		a.State.Embed.Degree = 5 // the picture is still the one before
	}
	for link, want := range map[string]struct {
		words, link string
		change      func(*App)
	}{
		"#/buckets?nFeatures=5&embed=1&seed=a%20b": {words: "vector x: Random, d 5, D 8, seed a b, step 5"},
		"#/convolution?degree=3":                   {words: "d 10, D 12, seed 415, step 12, p 3, view: "},
		"#/convergence?compare=craft":              {words: "Tensor Sketch against: CRAFT, at equal: "},
		"#/convergence":                            {words: "from 0 of 500 seeds, while the others were being"},
		"#/about":                                  {words: "#/about"},
		"#/embed?nComponents=64": {words: "1,234 rows of a file that the link does not hold, p 2, γ 1, c 1, D 64",
			change: fromFile},
	} {
		app := NewApp(link)
		state := app.State
		state.Embedded = false
		if want.change != nil {
			want.change(app)
		}
		taken := app.Taken(page)
		if printed := strings.ReplaceAll(app.Printed(page), "\u00a0", " "); link != "#/about" &&
			!strings.Contains(printed, want.words) && want.change == nil {
			t.Errorf("%s: on paper stands %q", link, printed)
		}
		svg := taken.SVG()
		plain := strings.NewReplacer("&amp;", "&", "\u00a0", " ").Replace(svg)
		heights := regexp.MustCompile(`<svg[^>]* height="(\d+)"`).FindAllStringSubmatch(svg, -1)
		if len(heights) != 2 || heights[0][1] != strconv.Itoa(int(taken.Size.Height)) || heights[0][1] == heights[1][1] {
			t.Errorf("%s: heights %q, want %v and less", link, heights, taken.Size.Height)
		}
		if !strings.Contains(plain, want.words) || !strings.Contains(plain, `<a href="`+page+state.Hash()+`"`) ||
			strings.Contains(svg, "patients") || strings.Contains(svg, "embed=1") {
			t.Errorf("%s: the picture says\n%s", link, plain[strings.LastIndex(plain, "</svg><text"):])
		}
	}
}

// TestTableCSV: cells are quoted as package encoding/csv quotes them.
func TestTableCSV(t *testing.T) {
	cells := []string{"", "a", "1,5", `say "x"`, " before", "after ", "\tb", "a\nb", "a\r\nb", `\.`, `\..`, "⟨x, y⟩", "−1",
		"\u00a0c"}
	table := lesson.Table{Head: cells}
	for i := range cells {
		table.Rows = append(table.Rows, append(cells[i:len(cells):len(cells)], cells[:i]...))
	}
	var want strings.Builder
	w := csv.NewWriter(&want)
	if err := w.WriteAll(append([][]string{table.Head}, table.Rows...)); err != nil {
		t.Fatal(err)
	}
	if got := tableCSV(table); got != want.String() {
		t.Errorf("got %q, want %q", got, want.String())
	}
}
