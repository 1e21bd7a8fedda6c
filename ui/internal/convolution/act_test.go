package convolution

import (
	"math"
	"strconv"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// TestDrag: dragging to where a value is drawn gives that value, and leaves the
// others as they are; beyond the strip it is −1 or 1.
func TestDrag(t *testing.T) {
	random := splitmix.Source(9)
	var cache Cache
	for range 100 {
		p := someParams(&random)
		c := made(t, p, &cache)
		w := windows[random.Below(len(windows))]
		size := c.Fit(w[0], w[1], w[2])
		item := lesson.Item{Kind: lesson.Coordinate, I: random.Below(len(p.X))}
		r := lesson.Bounds(c.Areas(size), item)
		value := vector.Round(random.Between(-1, 1))
		y := c.layout(size).strip.Up(-1, 1).At(value)
		for _, test := range [][2]float64{{y, value}, {r.Y - 100, 1}, {r.Y + r.Height + 100, -1}} {
			change, ok := c.Drag(size, item, r.X, test[0])
			x, parsed := vector.Parse(change.Text)
			if !ok || change.Name != "x" || !parsed || len(x) != len(p.X) {
				t.Fatalf("%s: got %v, %v", named(p), change, ok)
			}
			for i := range x {
				want := p.X[i]
				if i == item.I {
					want = test[1]
				}
				if math.Abs(x[i]-want) > 1e-9 {
					t.Errorf("%s: coordinate %d is %v, want %v", named(p), i, x[i], want)
				}
			}
		}
		if _, ok := c.Drag(size, lesson.Item{Kind: lesson.Bucket}, 0, 0); ok {
			t.Error("a bucket can be dragged")
		}
	}
}

// TestNudge: up and down again is where it was, and the ends hold.
func TestNudge(t *testing.T) {
	p := Params{X: []float64{.5, -1, .98}, NComponents: 4, Degree: 2, Show: Products}
	for _, test := range []struct {
		i, by int
		want  string
	}{{0, 1, "0.55,-1,0.98"}, {0, -1, "0.45,-1,0.98"}, {1, -1, "0.5,-1,0.98"}, {1, 1, "0.5,-0.95,0.98"},
		{2, 1, "0.5,-1,1"}} {
		got, ok := made(t, p, nil).Nudge(lesson.Item{Kind: lesson.Coordinate, I: test.i}, test.by)
		if want := (lesson.Change{Name: "x", Text: test.want}); !ok || got != want {
			t.Errorf("coordinate %d by %d: got %v, want %v", test.i, test.by, got, want)
		}
	}
	if _, ok := made(t, p, nil).Nudge(lesson.Item{Kind: lesson.Cell}, 1); ok {
		t.Error("a cell can be changed")
	}
}

// TestStepTo: every step leads to itself, in every view.
func TestStepTo(t *testing.T) {
	for _, p := range extremes() {
		c := made(t, p, nil)
		for step := range c.steps() + 1 {
			change := c.StepTo(step)
			p.Step, _ = strconv.Atoi(change.Text)
			if got := made(t, p, nil).View(zero).Step; change.Name != "step" || got != step {
				t.Fatalf("%s: step %d leads to %d", named(p), step, got)
			}
			if step > 3 && step < c.steps()-2 {
				break // the rest is alike
			}
		}
	}
}

// TestGroups: what the keyboard walks through is what the picture has, and only
// what can be changed says so.
func TestGroups(t *testing.T) {
	for _, p := range extremes() {
		c := made(t, p, nil)
		for _, group := range c.Groups() {
			if group.Label == "" || group.Rows < 1 || group.Columns < 1 || group.Rows > 1 && group.Kind != lesson.Cell {
				t.Errorf("%s: %+v", named(p), group)
			}
			last := lesson.Item{Kind: group.Kind, I: group.Columns - 1}
			if group.Kind == lesson.Cell {
				last.I, last.J = group.Rows-1, group.Columns-1
			}
			beyond := last
			beyond.I++
			if !c.has(last) || c.has(beyond) {
				t.Errorf("%s: the last of %s is not %v", named(p), group.Label, last)
			}
			if _, ok := c.Nudge(last, 1); ok != group.CanNudge {
				t.Errorf("%s: %s can be changed: %v", named(p), group.Label, ok)
			}
		}
	}
}
