package rowsmap

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
)

func cloud() *Cloud {
	return &Cloud{XY: []float64{0, 5, 3, 1, -2, 1, 3, 0, 1, 2}, Share: []float64{.5, .25}, Of: 1000}
}

// Each row is a dot of its group's colour where the axes, of one scale, say; wrong ones have a ring.
func TestSVG(t *testing.T) {
	c, size := cloud(), lesson.Size{Width: 600, Height: 300, Em: 13}
	g := &Groups{Names: []string{"a", "<b>"}, Of: func(i int) int { return i % 2 },
		Wrong: func(i int) bool { return i == 3 }}
	svg, spots := c.SVG(size, g)
	if n := strings.Count(svg, `class="place"`); n != 2 || strings.Count(svg, `class="outline"`) != 1 {
		t.Errorf("want 2 colours and the ring: %s", svg)
	}
	if len(spots) != 5 {
		t.Fatalf("%d places of 5 rows", len(spots))
	}
	across := (spots[1].X - spots[0].X) / 3
	if down := (spots[1].Y - spots[0].Y) / 4; math.Abs(across-down) > 1e-9 {
		t.Errorf("the axes differ in scale: %g and %g pixels", across, down)
	}
	for _, want := range []string{"&lt;b&gt;", "predicted wrongly"} {
		if got := g.KeysHTML(); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s in it", got, want)
		}
	}
	for _, want := range []string{"a row held out, 5 of 1,000 evenly drawn", "50.0 and 25.0\u00a0% of the variance"} {
		if got := c.Words("row held out"); !strings.Contains(got, want) {
			t.Errorf("got %q, want %q in it", got, want)
		}
	}
	for _, rows := range []int{0, 2, 4} {
		flat := &Cloud{XY: make([]float64, 2*rows), Share: []float64{0, 0}}
		if svg, spots := flat.SVG(size, g); svg != "" || spots != nil || flat.NoneHTML() == "" {
			t.Errorf("%d rows without variance: %q, %d places, %q", rows, svg, len(spots), flat.NoneHTML())
		}
	}
}

// The arrows go through all rows, also those that share a coordinate, and stop at the ends.
func TestStep(t *testing.T) {
	c := cloud()
	for key, order := range map[string][]int{"ArrowRight": {2, 0, 4, 1, 3, 3}, "ArrowLeft": {3, 1, 4, 0, 2, 2},
		"ArrowUp": {3, 1, 2, 4, 0, 0}, "ArrowDown": {0, 4, 2, 1, 3, 3}} {
		row := order[0]
		for _, want := range order[1:] {
			got, ok := c.Step(row, key)
			if !ok || got != want {
				t.Errorf("%s from %d: got %d, %v, want %d", key, row, got, ok, want)
			}
			row = got
		}
	}
	if _, ok := c.Step(0, "Tab"); ok {
		t.Error("Tab leaves the map")
	}
}

// Rows are coloured by few values, by fifths of many numbers, or by the first of many texts.
func TestGroups(t *testing.T) {
	list := func(g *Groups, rows int) string {
		text := strings.Join(g.Names, ",") + " |"
		for i := range rows {
			text += " " + strconv.Itoa(g.Of(i))
		}
		return text
	}
	var numbers, letters []string
	for i := range 20 {
		numbers = append(numbers, strconv.Itoa(max(i, 2)))
		letters = append(letters, string(rune('a'+min(i, 13))))
	}
	for want, texts := range map[string][]string{
		"(empty),a,b | 2 1 0 1": {"b", "a", "", "a"},
		"1,2,10 | 2 1 1 0":      {"10", "2", "2.0", "1"},
		"1,nan | 1 0":           {"nan", "1"},
		"lowest fifth,second,third,fourth,highest fifth | 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4": numbers,
		"a,b,c,d,e,f,g,h,i,j,k,the other 3 | 0 1 2 3 4 5 6 7 8 9 10 11 11 11 11 11 11 11 11 11":    letters,
	} {
		if got := list(ByText(texts, false), len(texts)); got != want {
			t.Errorf("%q: got %s, want %s", texts, got, want)
		}
	}
	if got, want := list(ByNumber([]float64{float64(float32(.1)), 3, -1}), 3), "-1,0.1,3 | 1 2 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Up to twelve days are groups of their own; more are fifths of the rows, named after their first days.
func TestByDay(t *testing.T) {
	var days []string
	for i := range 30 {
		days = append(days, "2024-01-"+strconv.Itoa(10+i*7%20))
	}
	if g := ByText(days[:12], true); len(g.Names) != 12 || g.Names[0] != "2024-01-10" || g.Of(0) != 0 {
		t.Errorf("of 12 days: %q, the first is of group %d", g.Names, g.Of(0))
	}
	g := ByText(days, true)
	if got, want := strings.Join(g.Names, ", "), "from 2024-01-10, from 2024-01-13, from 2024-01-18, from 2024-01-21, "+
		"from 2024-01-26"; got != want {
		t.Errorf("of 20 days: %s, want %s", got, want)
	}
	for i := range days[:20] {
		days[i] = "2024-01-10"
	}
	days = append(days, "2024-02-01", "2024-02-02", "2024-02-03")
	if got := ByText(days, true).KeysHTML(); strings.Contains(got, "</svg></span>") {
		t.Errorf("a fifth without rows has a key: %s", got)
	}
}
