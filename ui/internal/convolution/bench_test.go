package convolution

import (
	"fmt"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// BenchmarkRepaint is what one move of a dragged bar costs at the largest d and
// D, in every view, by both methods.
func BenchmarkRepaint(b *testing.B) {
	for _, show := range views {
		for _, degree := range []int{2, 4} {
			for _, method := range methods {
				b.Run(fmt.Sprintf("%s/p=%d/%s", show, degree, method),
					func(b *testing.B) { benchmarkRepaint(b, show, degree, method) })
			}
		}
	}
}

func benchmarkRepaint(b *testing.B, show View, degree int, method string) {
	x := vector.Preset(vector.Random, vector.Most, 0)
	var cache Cache
	var pixels []byte
	for k := 0; b.Loop(); k++ {
		x[3] = vector.Round(float64(k%200)/100 - 1)
		c, err := New(Params{X: x, Method: method, NComponents: bars.MostBuckets, Degree: degree, Stage: degree - 1,
			Seed: sketch.IntSeed(1), Show: show, Step: bars.MostBuckets}, &cache)
		if err != nil {
			b.Fatal(err)
		}
		size := c.Fit(1100, 800, 13)
		look := lesson.Item{Kind: lesson.Coordinate, I: 3}
		c.View(look)
		c.SVG(size, look, false)
		_, _, _, pixels = c.Paint(size, look, 1, false, pixels)
	}
}

func BenchmarkWork(b *testing.B) {
	c, err := New(Params{X: vector.Preset(vector.Random, vector.Most, 0), NComponents: bars.MostBuckets, Degree: 4,
		Stage: 3,
		Seed:  sketch.IntSeed(1), Show: Products}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if c.direct.taken+100_000 > c.direct.products {
			c.direct.taken = 0
		}
		c.Work(100_000)
	}
}
