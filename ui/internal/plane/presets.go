package plane

import (
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/splitmix"
)

// The values of Params.Preset.
const (
	Circles = "circles"
	XOR     = "xor"
	Spirals = "spirals"
	Moons   = "moons"
	Own     = "own" // only the visitor's points
)

var presets = control.Options(Circles, "Circles", XOR, "XOR", Spirals, "Spirals", Moons, "Moons", Own, "Only yours")

// drawn returns n points of a preset. The classes alternate. Each point takes four numbers of the generator, whatever
// the noise, so that points move continuously with the noise and stay where they are when more are drawn.
func drawn(preset string, n int, noise float64, seed uint64) []Point {
	source := splitmix.Source(seed)
	points := make([]Point, 0, n)
	for i := range n {
		p := Point{Minus: i%2 == 1, HeldOut: i%4 >= 2}
		u, v := source.Between(0, 1), source.Between(0, 1)
		p.X, p.Y = place(preset, p.Minus, u, v)
		p.X += noise * normal(&source)
		p.Y += noise * normal(&source)
		p.X, p.Y = min(max(p.X, -edge), edge), min(max(p.Y, -edge), edge)
		points = append(points, p)
	}
	return points
}

// place returns where a point of a class is without noise, for u and v from 0 to 1.
func place(preset string, minus bool, u, v float64) (x, y float64) {
	side := 1.0
	if minus {
		side = -1
	}
	switch preset {
	case XOR: // + where x and y have the same sign
		x, y = .08+.92*u, .08+.92*v
		if int(64*u+64*v)%2 == 1 {
			x, y = -x, -y
		}
		return x, side * y
	case Spirals:
		radius, turn := .12+.85*u, .75*u
		return side * radius * portable.CosTurns(turn), side * radius * portable.SinTurns(turn)
	case Moons:
		x, y = portable.CosTurns(u/2), portable.SinTurns(u/2)
		return .62*side*x - side*.31, .62*side*y - side*.2
	}
	radius := .4
	if minus {
		radius = .9
	}
	return radius * portable.CosTurns(u), radius * portable.SinTurns(u)
}

// normal draws from the standard normal distribution.
func normal(source *splitmix.Source) float64 {
	return portable.NormalQuantile(source.Between(1e-9, 1-1e-9))
}
