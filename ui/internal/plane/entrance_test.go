package plane

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

// TestEntrance: while D moves by itself, the share of right answers rises from below a straight line's to the exact
// kernel's, and never falls by more than a point of the plane or two. The seed is an ordinary one: at no D is it
// further from the mean over seeds than most are.
func TestEntrance(t *testing.T) {
	const seeds = 30
	c, err := NewEntrance(DefaultEntrance(), nil)
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
	c, err := NewEntrance(s, nil)
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

// TestEntranceSteps: with the picture before, a step of D and a moved point give what they give alone.
func TestEntranceSteps(t *testing.T) {
	var before *Entrance
	s := DefaultEntrance()
	for D := 2; D <= 256; D *= 2 {
		s.NComponents = D
		c, err := NewEntrance(s, before)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := New(s.Params())
		if err != nil {
			t.Fatal(err)
		}
		want := float64(alone.right[sketched]) / float64(alone.asked)
		if last := c.shares[len(c.shares)-1]; last.X != float64(D) || last.Y != want {
			t.Errorf("D %d: %v, want %v", D, last, want)
		}
		before = c
	}
	for _, points := range []string{s.Points, FormatPoints(drawn(Spirals, 100, .1, 2))} {
		s.Points = points
		c, err := NewEntrance(s, before)
		fresh, bad := NewEntrance(s, nil)
		if err != nil || bad != nil || !slices.Equal(c.shares, fresh.shares) || len(c.shares) != 8 {
			t.Errorf("shares %v, alone %v; %v, %v", c.shares, fresh.shares, err, bad)
		}
	}
}

// The last step of D, and a moved point.
func BenchmarkEntrance(b *testing.B) {
	s := DefaultEntrance()
	last, err := NewEntrance(s, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("step", func(b *testing.B) {
		for b.Loop() {
			NewEntrance(s, last)
		}
	})
	b.Run("drag", func(b *testing.B) {
		for b.Loop() {
			NewEntrance(s, nil)
		}
	})
	b.Run("svg", func(b *testing.B) {
		for b.Loop() {
			last.SVG(lesson.Size{Width: 900, Height: 450, Em: 16}, lesson.Item{}, false)
		}
	})
}

// TestEntranceLabels: on a phone no label of the chart lies over its curve or over its title: "kernel 99.2 %" did.
func TestEntranceLabels(t *testing.T) {
	c, err := NewEntrance(DefaultEntrance(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []float64{320, 350, 420, 1300} {
		size := c.Fit(width, 740, 16)
		_, plot := c.plan(size)
		labels := regexp.MustCompile(`<text class="ink" x="([0-9.]+)" y="([0-9.]+)"[^>]*>([^<]*)<`).
			FindAllStringSubmatch(c.SVG(size, lesson.Item{}, false), -1)
		if len(labels) != 2 {
			t.Fatalf("%d labels", len(labels))
		}
		title := regexp.MustCompile(`y="([0-9.]+)" text-anchor="start">right`).FindStringSubmatch(
			c.SVG(size, lesson.Item{}, false))
		above, _ := strconv.ParseFloat(title[1], 64)
		for _, label := range labels {
			right, _ := strconv.ParseFloat(label[1], 64)
			y, _ := strconv.ParseFloat(label[2], 64)
			left := right - draw.TextWidth(label[3], size.Em)
			if left < plot.Start+draw.TextWidth("right", size.Em) && y < above+size.Em {
				t.Errorf("%v wide: %q lies over the title", width, label[3])
			}
			for k := 1; k < len(c.shares); k++ {
				from, to := c.shares[k-1], c.shares[k]
				for part := range 21 {
					s := float64(part) / 20
					atX := plot.X.At(from.X) + s*(plot.X.At(to.X)-plot.X.At(from.X))
					atY := plot.Y.At(from.Y) + s*(plot.Y.At(to.Y)-plot.Y.At(from.Y))
					if atX > left && atX < right && atY > y-.7*size.Em && atY < y {
						t.Errorf("%v wide: the curve crosses %q at %v, %v", width, label[3], atX, atY)
					}
				}
			}
		}
	}
}
