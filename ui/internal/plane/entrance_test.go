package plane

import (
	"math"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/lesson"
)

// TestEntrance: while D moves by itself, the share of right answers rises from below a straight line's to the exact
// kernel's, and never falls by more than a point of the plane or two. The seed is an ordinary one: at no D is it
// further from the mean over seeds than most are.
func TestEntrance(t *testing.T) {
	const seeds = 30
	c, err := NewEntrance(DefaultEntrance())
	if err != nil {
		t.Fatal(err)
	}
	line, kernel := c.rate(straight), c.rate(exact)
	first, last := c.shares[0].Y, c.shares[len(c.shares)-1].Y
	t.Logf("line %.3f, exact %.3f, D from 2 to 256: %v", line, kernel, c.shares)
	if kernel < .97 || line > .8 || math.Abs(last-kernel) > .02 || first > line+.02 {
		t.Errorf("line %v, first %v, last %v, exact kernel %v", line, first, last, kernel)
	}
	for k, at := range c.shares {
		if k > 0 && at.Y < c.shares[k-1].Y-.02 {
			t.Errorf("the share falls from %v to %v at D = %v", c.shares[k-1].Y, at.Y, at.X)
		}
		mean, spread := 0., 0.
		for seed := range uint64(seeds) {
			s := DefaultEntrance()
			s.NComponents = int(at.X)
			p := s.Params()
			p.Seed = sketch.IntSeed(seed)
			other, err := New(p)
			if err != nil {
				t.Fatal(err)
			}
			share := float64(other.right[sketched]) / float64(other.asked)
			mean, spread = mean+share/seeds, spread+share*share/seeds
		}
		spread = math.Sqrt(max(spread-mean*mean, 0))
		if math.Abs(at.Y-mean) > 1.5*spread+.01 {
			t.Errorf("D = %v: the share is %.3f; over seeds it is %.3f ± %.3f", at.X, at.Y, mean, spread)
		}
	}
}

// TestEntranceDrag: a point follows the pointer and the keys, and stays within the picture.
func TestEntranceDrag(t *testing.T) {
	s := DefaultEntrance()
	c, err := NewEntrance(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []float64{330, 1100} {
		size := c.Fit(width, 800, 15)
		l, _ := c.plan(size)
		for i, p := range c.points {
			x, y := l.at(0, p.X, p.Y)
			if got := lesson.Hit(c.Areas(size), x, y); got.Kind != lesson.Coordinate {
				t.Fatalf("width %v: at point %d is %v", width, i, got)
			}
		}
		x, y := l.at(0, .5, -.25)
		change, ok := c.Drag(size, lesson.Item{Kind: lesson.Coordinate, I: 3}, x, y)
		moved, parsed := ParsePoints(change.Text)
		if !ok || !parsed || len(moved) != len(c.points) || moved[3] != (Point{X: .5, Y: -.25, Minus: c.points[3].Minus}) {
			t.Errorf("width %v: dragged to %v, %v", width, moved[3], ok)
		}
	}
	change, ok := c.Nudge(lesson.Item{Kind: lesson.Coordinate, I: 0}, 1)
	moved, _ := ParsePoints(change.Text)
	if want := min(c.points[0].Y+.05, edge); !ok || math.Abs(moved[0].Y-want) > .006 {
		t.Errorf("nudged from %v to %v", c.points[0].Y, moved[0].Y)
	}
	if _, ok := c.Drag(lesson.Size{Width: 1, Height: 1, Em: 1}, lesson.Item{}, 0, 0); ok {
		t.Error("the ground can be dragged")
	}
}
