package onnx

import "tensorsketch.example/sketch/learn/prepare"

// preparation adds a preparation to the graph and returns the row for the map. It computes in float64, as the
// package learn does, since means may be large beside deviations.
func (e *export) preparation(row string) string {
	p := e.model.Preparation
	wide := e.node("Cast", "cells", []string{row}, to(typeDouble))
	var parts []string
	var order []int64 // of each output among the parts, one after another
	add := func(outputs []int, part string) {
		parts = append(parts, part)
		for _, output := range outputs {
			order = append(order, int64(output))
		}
	}
	g := &preparationGraph{export: e, p: p, cells: wide}
	g.sort()
	if len(g.numbers) > 0 {
		add(g.outputsOf(g.numbers), g.addNumbers())
	}
	if len(g.indicators) > 0 {
		outputs := g.outputsOf(g.indicators)
		add(outputs, g.weighted("indicators", g.take("indicators", g.indicators), outputs))
	}
	if len(g.missing) > 0 {
		is := e.node("IsNaN", "missing cells", []string{g.take("cells that may be missing", g.missing)})
		is = e.node("Cast", "missing as numbers", []string{is}, to(typeDouble))
		add(g.missingOutputs, g.weighted("missing", is, g.missingOutputs))
	}
	if len(g.coded) > 0 {
		is := e.node("Equal", "codes that cells have", []string{g.take("cells beside their codes", g.coded),
			e.doubles("codes", []int{1, len(g.codes)}, g.codes...)})
		is = e.node("Cast", "codes as numbers", []string{is}, to(typeDouble))
		add(g.codeOutputs, g.weighted("codes", is, g.codeOutputs))
	}
	row = parts[0]
	if len(parts) > 1 {
		row = e.node("Concat", "prepared cells", parts, axis(1))
	}
	places := make([]int64, len(order))
	for at, output := range order {
		places[output] = int64(at)
	}
	row = e.node("Gather", "prepared in order", []string{row,
		e.integers("order of prepared cells", []int{len(places)}, places...)}, axis(1))
	if p.Unit {
		square := e.node("Mul", "squares of prepared cells", []string{row, row})
		square = e.node("ReduceSum", "square of the length", []string{square, e.integers("along the row", []int{1}, 1)},
			keepDims(1))
		isPositive := e.node("Greater", "has prepared length", []string{square, e.doubles("no square", nil, 0)})
		square = e.node("Where", "square of the divisor", []string{isPositive, square, e.doubles("square 1", nil, 1)})
		row = e.node("Div", "prepared row of length 1", []string{row, e.node("Sqrt", "prepared length", []string{square})})
	}
	return e.node("Cast", "prepared row", []string{row}, to(typeFloat))
}

// A preparationGraph has the columns of a preparation by what becomes of them.
type preparationGraph struct {
	*export
	p                            *prepare.Preparation
	cells                        string
	numbers, indicators, missing []int // columns
	first                        []int // the first output of each column
	missingOutputs               []int
	coded, codeOutputs           []int // for each code its column, and its output
	codes                        []float64
}

// sort sorts the columns. The form raw makes all of them indicators.
func (g *preparationGraph) sort() {
	at := 0
	for i := range g.p.NFeatures() {
		c := prepare.Column{Kind: prepare.Indicator}
		if g.p.Form != prepare.Raw {
			c = g.p.Columns[i]
		}
		g.first = append(g.first, at)
		switch {
		case c.Unused:
		case c.Kind == prepare.Indicator:
			g.indicators = append(g.indicators, i)
			at++
		default:
			g.numbers = append(g.numbers, i)
			at++
		}
		if c.Missing {
			g.missing, g.missingOutputs = append(g.missing, i), append(g.missingOutputs, at)
			at++
		}
		for _, code := range c.Codes {
			g.coded, g.codeOutputs, g.codes = append(g.coded, i), append(g.codeOutputs, at), append(g.codes, code)
			at++
		}
	}
}

// outputsOf returns the outputs of columns.
func (g *preparationGraph) outputsOf(columns []int) (outputs []int) {
	for _, i := range columns {
		outputs = append(outputs, g.first[i])
	}
	return outputs
}

// take gathers columns.
func (g *preparationGraph) take(name string, columns []int) string {
	places := make([]int64, len(columns))
	for k, i := range columns {
		places[k] = int64(i)
	}
	at := g.integers("columns of "+name, []int{len(places)}, places...)
	return g.node("Gather", name, []string{g.cells, at}, axis(1))
}

// weighted multiplies columns by the weights of their outputs.
func (g *preparationGraph) weighted(name, row string, outputs []int) string {
	if g.p.Weights == nil {
		return row
	}
	weights := make([]float64, len(outputs))
	for k, output := range outputs {
		weights[k] = g.p.Weights[output]
	}
	by := g.doubles("weights of "+name, []int{1, len(weights)}, weights...)
	return g.node("Mul", "weighted "+name, []string{row, by})
}

// column adds a constant with a number for each column of numbers.
func (g *preparationGraph) column(name string, of func(c *prepare.Column) float64) string {
	values := make([]float64, len(g.numbers))
	for k, i := range g.numbers {
		values[k] = of(&g.p.Columns[i])
	}
	return g.doubles(name, []int{1, len(values)}, values...)
}

// addNumbers fills, cuts and scales the columns of numbers.
func (g *preparationGraph) addNumbers() string {
	cells := g.take("numbers", g.numbers)
	isMissing := g.node("IsNaN", "missing numbers", []string{cells})
	filled := g.node("Where", "filled numbers", []string{isMissing,
		g.column("fills", func(c *prepare.Column) float64 { return c.Fill }), cells})
	outputs := g.outputsOf(g.numbers)
	if g.p.Form == prepare.QN {
		scores := g.node("Where", "scores or 0", []string{isMissing, g.doubles("score of missing", nil, 0), g.scores(filled)})
		return g.weighted("scores", scores, outputs)
	}
	low := func(c *prepare.Column) float64 { return c.Low }
	high := func(c *prepare.Column) float64 { return c.High }
	cut := g.node("Max", "not below low", []string{filled, g.column("low ends", low)})
	cut = g.node("Min", "cut numbers", []string{cut, g.column("high ends", high)})
	origin, scale := low, func(c *prepare.Column) float64 { return 1 / (c.High - c.Low) }
	if g.p.Form == prepare.Std {
		origin = func(c *prepare.Column) float64 { return c.Mean }
		scale = func(c *prepare.Column) float64 { return 1 / c.Scale }
	}
	centred := g.node("Sub", "centred numbers", []string{cut, g.column("origins", origin)})
	return g.weighted("numbers", g.node("Mul", "scaled numbers", []string{centred, g.column("factors", scale)}), outputs)
}

// scores adds the lines through the knots: the first value, and for each stretch its slope times how far the number
// goes into it.
func (g *preparationGraph) scores(cells string) string {
	n, most := len(g.numbers), 0
	for _, i := range g.numbers {
		most = max(most, len(g.p.Columns[i].Knots)-1)
	}
	starts, lengths, slopes := make([]float64, n*most), make([]float64, n*most), make([]float64, n*most)
	for k, i := range g.numbers {
		c := &g.p.Columns[i]
		for s := range len(c.Knots) - 1 {
			at := k*most + s
			starts[at], lengths[at] = c.Knots[s], c.Knots[s+1]-c.Knots[s]
			slopes[at] = (c.Values[s+1] - c.Values[s]) / lengths[at]
		}
	}
	dims := []int{1, n, most}
	into := g.node("Unsqueeze", "numbers by stretch", []string{cells, g.integers("stretches", []int{1}, 2)})
	into = g.node("Sub", "beyond the starts", []string{into, g.doubles("starts", dims, starts...)})
	into = g.node("Max", "after the starts", []string{into, g.doubles("nothing", nil, 0)})
	into = g.node("Min", "within the stretches", []string{into, g.doubles("lengths", dims, lengths...)})
	rises := g.node("Mul", "rises", []string{into, g.doubles("slopes", dims, slopes...)})
	rise := g.node("ReduceSum", "rise", []string{rises, g.integers("along the stretches", []int{1}, 2)}, keepDims(0))
	return g.node("Add", "scores of numbers", []string{rise,
		g.column("first values", func(c *prepare.Column) float64 { return c.Values[0] })})
}
