package convolution

import (
	"fmt"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

var methods = []string{sketch.MethodTensorSketch, sketch.MethodComplexTensorSketch}

// someParams draws parameters of all kinds, small sizes more often than large
// ones.
// views are all views.
var views = []View{Products, Coordinates, Frequencies}

func someParams(random *splitmix.Source) Params {
	below := func(n int) int { return random.Below(1 + random.Below(n)) }
	d := 1 + below(vector.Most)
	p := Params{
		X:           vector.Preset(bars.Presets[random.Below(len(bars.Presets))].Value, d, random.Below(3)),
		NComponents: 1 + below(bars.MostBuckets),
		Degree:      2 + random.Below(3),
		Seed:        sketch.IntSeed(random.Uint64() % 1000),
		Show:        views[random.Below(len(views))],
		Question:    random.Below(4),
	}
	p.Method = methods[random.Below(2)]
	if p.Method == sketch.MethodComplexTensorSketch {
		p.NComponents += p.NComponents % 2
	}
	p.Stage = 1 + random.Below(p.Degree-1)
	p.Slice, p.Slice2 = random.Below(d), random.Below(d)
	p.Step = random.Below(p.buckets() + 1)
	if random.Below(3) == 0 {
		p.Step = p.buckets()
	}
	return p
}

func made(t *testing.T, p Params, cache *Cache) *Picture {
	t.Helper()
	c, err := New(p, cache)
	if err != nil {
		t.Fatalf("%s: %v", named(p), err)
	}
	return c
}

func named(p Params) string {
	return fmt.Sprintf("%s %s d=%d D=%d p=%d seed=%v stage=%d slice=%d,%d step=%d", p.Method, p.Show, len(p.X),
		p.NComponents, p.Degree, p.Seed, p.Stage, p.Slice, p.Slice2, p.Step)
}
