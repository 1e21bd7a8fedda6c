package main

import "tensorsketch.example/sketch"

// A method is a curve's: what is measured, and how it is drawn.
type method struct {
	name   string
	class  string // of the stylesheet
	mark   string // a path from its middle, given as x and y
	params func(kernel sketch.Params) sketch.Params
}

const (
	circle  = "M%.1f %.1fm-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0"
	square  = "M%.1f %.1fm-2.5 -2.5h5v5h-5Z"
	diamond = "M%.1f %.1fm0 -3.6l3.6 3.6l-3.6 3.6l-3.6 -3.6Z"
)

var (
	tensorSketch = &method{"Tensor Sketch", "ts", circle, func(p sketch.Params) sketch.Params { return p }}
	maclaurin    = &method{"Random Maclaurin", "rm", square, randomMaclaurin}
	maclaurinH01 = &method{"RM with H0/1", "other", diamond, func(p sketch.Params) sketch.Params {
		p = randomMaclaurin(p)
		p.MethodParams.H01 = true
		return p
	}}
	homogeneousMaclaurin = &method{"RM, c = 0", "other", diamond, func(p sketch.Params) sketch.Params {
		p = randomMaclaurin(p)
		p.Coef0 = 0
		return p
	}}
)

func randomMaclaurin(p sketch.Params) sketch.Params {
	p.Method = sketch.MethodRandomMaclaurin
	return p
}
