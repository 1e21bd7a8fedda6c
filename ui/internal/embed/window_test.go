package embed

import (
	"slices"
	"testing"
)

func TestWindow(t *testing.T) {
	for name, test := range map[string]struct {
		n              int
		top, view, row float64
		kept           int
		want           []Span
	}{
		"no rows":                {0, 0, 400, 50, -1, nil},
		"a short list":           {5, 0, 400, 50, -1, []Span{{0, 5}}},
		"the top":                {10_000, 0, 400, 50, -1, []Span{{0, 20}}},
		"the middle":             {10_000, 250_000, 400, 50, -1, []Span{{4992, 5020}}},
		"the end":                {10_000, 499_600, 400, 50, -1, []Span{{9984, 10_000}}},
		"beyond the end":         {10, 4_000, 400, 50, -1, []Span{{9, 10}}},
		"the focus in view":      {10_000, 250_000, 400, 50, 5000, []Span{{4992, 5020}}},
		"the focus just above":   {10_000, 250_000, 400, 50, 4991, []Span{{4991, 5020}}},
		"the focus just below":   {10_000, 250_000, 400, 50, 5020, []Span{{4992, 5021}}},
		"the focus far above":    {10_000, 250_000, 400, 50, 3, []Span{{3, 4}, {4992, 5020}}},
		"the focus far below":    {10_000, 250_000, 400, 50, 9000, []Span{{4992, 5020}, {9000, 9001}}},
		"the focus has no row":   {100, 0, 400, 50, 100, []Span{{0, 20}}},
		"pulled above the start": {10_000, -60, 400, 50, -1, []Span{{0, 20}}},
	} {
		if got := Window(test.n, test.top, test.view, test.row, test.kept); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// TestWindowCovers: wherever a list is scrolled to, all rows in view are drawn, the spans are in order and few.
func TestWindowCovers(t *testing.T) {
	const n, view, row = 3000, 417, 52.4
	for top := 0.0; top < n*row-view; top += 97.3 {
		for _, kept := range []int{-1, 0, 7, 1500, n - 1} {
			spans, drawn := Window(n, top, view, row, kept), 0
			for i, s := range spans {
				if s.From >= s.To || s.From < 0 || s.To > n || i > 0 && s.From <= spans[i-1].To {
					t.Fatalf("at %v with %d: %v", top, kept, spans)
				}
				drawn += s.To - s.From
			}
			has := func(i int) bool {
				return slices.ContainsFunc(spans, func(s Span) bool { return s.From <= i && i < s.To })
			}
			for i := int(top / row); i < min(int((top+view)/row)+1, n); i++ {
				if !has(i) {
					t.Fatalf("at %v row %d is in view and not in %v", top, i, spans)
				}
			}
			if kept >= 0 && !has(kept) || drawn > 40 {
				t.Fatalf("at %v with %d: %v", top, kept, spans)
			}
		}
	}
}
