package buckets

import (
	"math"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/vector"
)

// MostDraws is the maximum number of seeds in the histogram.
const MostDraws = 1000

// New draws the first seeds at once. Each call of Advance multiplies their number by growth.
const (
	drawnAtOnce = 10
	growth      = 1.2
)

// draws keep the hash tables of many seeds, so that dragging a bar does not make their maps again.
type draws struct {
	first  key // of the first seed
	tables [][]target
}

// A target is where a coordinate falls: its slot, and whether it is taken away there.
type target struct {
	slot  uint8
	minus bool
}

// firstSeed returns the key of the first seed drawn.
func (p *Picture) firstSeed() key { return keyOf(&p.p, sketch.IntSeed(p.seed(0))) }

// drawn returns how many seeds have been drawn, if the first one was of this key.
func (d *draws) drawn(first key) int {
	if d.first != first {
		return 0
	}
	return len(d.tables)
}

// estimates returns the estimates of n seeds, from seed(0) on, with the core's bits. It draws those that have not been
// drawn yet.
func (p *Picture) estimates(n int) []float64 {
	d, first := &p.cache.draws, p.firstSeed()
	if d.first != first {
		*d = draws{first: first}
	}
	for k := len(d.tables); k < n; k++ {
		d.tables = append(d.tables, p.draw(keyOf(&p.p, sketch.IntSeed(p.seed(k)))))
	}
	estimates := make([]float64, n)
	x, y := vector.Float32(p.fallenX), vector.Float32(p.fallenY)
	cx, cy := make([]float32, p.p.NComponents), make([]float32, p.p.NComponents)
	for k := range estimates {
		clear(cx)
		clear(cy)
		for i, to := range d.tables[k] {
			if to.minus && !p.p.Signless {
				cx[to.slot] -= x[i]
				cy[to.slot] -= y[i]
			} else {
				cx[to.slot] += x[i]
				cy[to.slot] += y[i]
			}
		}
		estimates[k] = sketch.Dot(cx, cy)
	}
	return estimates
}

// draw returns the tables of a seed.
func (p *Picture) draw(k key) []target {
	m, err := newMap(k)
	if err != nil {
		return nil // cannot happen with parameters that made this picture
	}
	table := make([]target, p.d())
	for i := range table {
		bucket, sign := bars.Hash(m, 0, i, p.parts())
		table[i] = target{uint8(bucket*p.parts() + sign.Part()), sign.IsMinus()}
	}
	return table
}

// HasWork implements lesson.Worker: more seeds are to be drawn.
func (p *Picture) HasWork() bool { return len(p.drawn) < p.p.Draws }

// Advance implements lesson.Worker: it draws about a fifth more seeds.
func (p *Picture) Advance() (shows bool) {
	p.estimates(min(int(growth*float64(len(p.drawn)))+1, p.p.Draws))
	return true
}

// average returns the mean of the estimates drawn so far.
func (p *Picture) average() float64 { return sum(p.drawn) / float64(len(p.drawn)) }

// meanText writes that mean and its standard error.
func (p *Picture) meanText() string {
	return p.value(p.average()) + " ± " + p.value(p.sigma/math.Sqrt(float64(len(p.drawn))))
}

// bins counts the estimates drawn in n intervals of equal width from low to high.
func (p *Picture) bins(low, high float64, n int) []int {
	counts := make([]int, n)
	for _, estimate := range p.drawn {
		counts[min(max(int((estimate-low)/(high-low)*float64(n)), 0), n-1)]++
	}
	return counts
}
