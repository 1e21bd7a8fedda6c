package main

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/tools/internal/plot"
)

// A method is a curve's: what is measured, and how it is drawn.
type method struct {
	plot.Style
	params func(kernel sketch.Params) sketch.Params
}

var (
	tensorSketch = &method{plot.Style{Name: "Tensor Sketch", Class: "ts", Mark: plot.Circle},
		func(p sketch.Params) sketch.Params { return p }}
	maclaurin    = &method{plot.Style{Name: "Random Maclaurin", Class: "rm", Mark: plot.Square}, randomMaclaurin}
	maclaurinH01 = &method{plot.Style{Name: "RM with H0/1", Class: "other", Mark: plot.Diamond},
		func(p sketch.Params) sketch.Params {
			p = randomMaclaurin(p)
			p.MethodParams.H01 = true
			return p
		}}
	homogeneousMaclaurin = &method{plot.Style{Name: "RM, c = 0", Class: "other", Mark: plot.Diamond},
		func(p sketch.Params) sketch.Params {
			p = randomMaclaurin(p)
			p.Coef0 = 0
			return p
		}}
)

func randomMaclaurin(p sketch.Params) sketch.Params {
	p.Method = sketch.MethodRandomMaclaurin
	return p
}
