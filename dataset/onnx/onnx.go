// Package onnx writes model files as ONNX, for the runtimes of other languages and devices.
//
//	content, err := onnx.Marshal(file) // file: what package model writes
//
// A graph of opset 17 in float32 computes the features of a tensor sketch, a count sketch, a complex
// tensor sketch or random Fourier features, and the head of the model. It has no DFT operator: real
// matrices give the spectra of the count sketches, and the head is moved from the features to the
// spectrum. A preparation computes in float64.
package onnx

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

const (
	producer = "tensorsketch"
	version  = "0.3.0" // as in public/api/module.js

	irVersion = 8 // of ONNX 1.12, the first with opset 17
	opset     = 17
)

// The largest sizes, in numbers: of the matrices that a runtime makes of a file, 512 MB, and of the file, 128 MB.
const (
	maxNumbers = 1 << 27
	maxWritten = 1 << 25
)

// Marshal returns the ONNX file of a model file. Its input is X, rows of float32. They have the cells of
// the columns if all of these are numbers: the graph then fills, scales and divides as the preprocessing
// says. Otherwise they are the rows that the preprocessing makes.
//
// A map alone has the output features. A classifier has label, the int64 numbers or texts of the
// classes; probabilities, if the model has them; and scores. A regression has variable, the predicted
// numbers. A missing number of a model with a preparation is NaN. A person with the file can repeat the
// map, even a keyed map.
//
// The errors are the errors of model.UnmarshalContent, Params.Hashes and Params.Frequencies of sketch,
// and dataset.FromModel; and what
// ONNX cannot hold: another method, matrices of more than 2^27 numbers or a file of more than 2^25, and
// classes with the same text.
func Marshal(file []byte) ([]byte, error) { return marshal(file, model.UnmarshalContent) }

// MarshalKeyed is Marshal for a keyed model whose file does not hold its key.
func MarshalKeyed(file []byte, key [32]byte) ([]byte, error) {
	return marshal(file, func(file []byte) (*model.Content, error) { return model.UnmarshalContentKeyed(file, key) })
}

func marshal(file []byte, read func([]byte) (*model.Content, error)) ([]byte, error) {
	content, err := read(file)
	if err == nil {
		err = canWrite(content.Params.Method)
	}
	if err != nil {
		return nil, err
	}
	content.Params.Repeats = max(1, content.Params.Repeats)
	e := &export{params: content.Params, model: content.Head, metadata: map[string]string{}}
	if err := checkSize(&content.Params, content.Head); err != nil {
		return nil, err
	}
	if e.params.Method != sketch.MethodRandomFourier {
		e.hash, err = e.params.Hashes()
	}
	if err == nil && content.Head != nil {
		err = checkOutputs(content)
	}
	if err != nil {
		return nil, err
	}
	var has struct{ Preprocessing json.RawMessage }
	if err = json.Unmarshal(file, &has); err == nil && has.Preprocessing != nil {
		e.preprocessing = string(has.Preprocessing)
		e.rows, err = dataset.FromModel(file)
	}
	if err != nil {
		return nil, err
	}
	return e.write()
}

// canWrite returns nil for a method that can be written, and else an error with the remedy.
func canWrite(method string) error {
	var names []string
	for _, m := range sketch.Methods() {
		can := m.Hashed || m.Drawn
		if can && m.Name == method {
			return nil
		}
		if can {
			names = append(names, m.Name)
		}
	}
	return fmt.Errorf("onnx: method %q cannot be written as ONNX; fit the model again with one of %s", method,
		strings.Join(names, ", "))
}

// checkSize returns an error for a map whose matrices or hash tables are too large. The parameters may be invalid.
func checkSize(p *sketch.Params, head *learn.Model) error {
	shape := newShape(p)
	matrices, written := shape.numbers(head == nil)
	if head != nil {
		written += 2 * float64(head.Linear.K) * float64(p.Repeats) * float64(shape.parts)
	}
	switch {
	case matrices > maxNumbers:
		return fmt.Errorf("onnx: this map needs matrices of %.0f numbers, more than %d; take fewer components, "+
			"or hash into fewer columns", matrices, maxNumbers)
	case written > maxWritten:
		return fmt.Errorf("onnx: the file needs %.0f numbers, more than %d; take fewer components, classes or columns",
			written, maxWritten)
	}
	return nil
}

// checkOutputs returns an error unless the map takes what the preparation of a model makes.
func checkOutputs(content *model.Content) error {
	p := content.Head.Preparation
	if p == nil || p.NOutputs() == content.Params.NFeatures {
		return nil
	}
	return fmt.Errorf("onnx: nFeatures must be the number of prepared coordinates, %d, got %d", p.NOutputs(),
		content.Params.NFeatures)
}

// An export is a model that becomes a file.
type export struct {
	graph
	params   sketch.Params // complete
	hash     func(repeat, k, i int) (bucket, sign int)
	model    *learn.Model           // nil for a map alone
	rows     *dataset.Preprocessing // or nil
	metadata map[string]string

	preprocessing string // its JSON
}

func (e *export) write() ([]byte, error) {
	s := newSketchGraph(&e.graph, &e.params, e.hash)
	row := e.prepare()
	width := s.width()
	if e.model != nil && e.model.Preparation != nil {
		row, width = e.preparation(row), e.model.Preparation.NFeatures()
	}
	if err := s.compute(row); err != nil {
		return nil, err
	}
	if e.model == nil {
		e.output("features", s.features(), s.p.Repeats*s.p.NComponents, "The features of each row.")
	} else if err := e.head(s); err != nil {
		return nil, err
	}
	e.describe()
	input := value("X", typeFloat, []int{0, width}, e.metadata["input"])
	m := message(nil).integer(1, irVersion).text(2, producer).text(3, version).integer(5, 1)
	m = m.bytes(7, e.message(input)).bytes(8, message(nil).text(1, "").integer(2, opset))
	for _, key := range slices.Sorted(maps.Keys(e.metadata)) {
		m = m.bytes(14, message(nil).text(1, key).text(2, e.metadata[key]))
	}
	return m, nil
}

// output makes a value N × width an output of the graph under a name.
func (e *export) output(name, of string, width int, doc string) {
	if of != name {
		e.node("Identity", name, []string{of})
	}
	e.outputs = append(e.outputs, value(name, typeFloat, []int{0, width}, doc))
}

// prepare adds the preprocessing to the graph, if all columns are numbers, and returns the row for the map.
func (e *export) prepare() string {
	p := e.rows
	e.metadata["input"] = "the rows that the map takes"
	if e.model != nil && e.model.Preparation != nil {
		e.metadata["input"] = "the rows that the preparation of the model file takes"
	}
	if p == nil {
		return "X"
	}
	e.metadata["input"] = "the rows that the preprocessing of the model file makes"
	var features []columns.Column
	for _, c := range p.Columns {
		if c.Role.IsFeature() {
			features = append(features, c)
		}
	}
	isOther := func(c columns.Column) bool { return c.Role != columns.AsNumber }
	if p.Sparse || slices.ContainsFunc(features, isOther) {
		e.metadata["preprocessing"] = e.preprocessing
		if !p.IsSparse() {
			var names []string
			for _, c := range features {
				names = append(names, c.Coordinates()...)
			}
			e.metadata["coordinates"] = jsonOf(names)
		}
		return "X"
	}
	e.metadata["input"] = "the numbers of the columns, in their order"
	var names, units []string
	var fill, center, scale []float64
	isFilled, isScaled, hasUnits := false, false, false
	for _, c := range features {
		names, units = append(names, c.Name), append(units, c.Measure)
		hasUnits = hasUnits || c.Measure != ""
		missing := math.NaN()
		switch c.Missing {
		case columns.Zero:
			missing = 0
		case columns.Mean, columns.Constant:
			missing = c.Fill
		}
		isFilled = isFilled || missing == missing
		at, by := 0.0, 1.0
		if c.Scaling != columns.NoScaling {
			at, by, isScaled = c.Center, c.Scale, true
		}
		fill, center, scale = append(fill, missing), append(center, at), append(scale, by)
	}
	e.metadata["columns"] = jsonOf(names)
	if hasUnits {
		e.metadata["units"] = jsonOf(units)
	}
	row, d := "X", len(features)
	if isFilled || isScaled { // in float64, as package dataset does, since means may be large beside deviations
		row = e.node("Cast", "cells of columns", []string{row}, to(typeDouble))
		if isFilled {
			isMissing := e.node("IsNaN", "is missing", []string{row})
			row = e.node("Where", "filled", []string{isMissing, e.doubles("fill", []int{1, d}, fill...), row})
		}
		if isScaled {
			row = e.node("Sub", "centred", []string{row, e.doubles("center", []int{1, d}, center...)})
			row = e.node("Div", "scaled columns", []string{row, e.doubles("scale of columns", []int{1, d}, scale...)})
		}
		row = e.node("Cast", "prepared", []string{row}, to(typeFloat))
	}
	if p.Divides() {
		norm := e.node("ReduceL2", "length", []string{row}, axes(1), keepDims(1))
		isPositive := e.node("Greater", "has length", []string{norm, e.floats("no length", nil, 0)})
		norm = e.node("Where", "divisor of the row", []string{isPositive, norm, e.floats("unit", nil, 1)})
		row = e.node("Div", "row of length 1", []string{row, norm})
	}
	return row
}

// head adds the head of the model and its outputs.
func (e *export) head(s *sketchGraph) error {
	m := e.model
	K := m.Linear.K
	if m.Task == learn.TaskRegress {
		s.scores("variable", m.Linear.Intercept, m.Linear.Weights)
		e.output("variable", "variable", K, "The predicted numbers.")
		return nil
	}
	s.scores("scores", m.Linear.Intercept, m.Linear.Weights)
	classes, kind, err := e.classes()
	if err != nil {
		return err
	}
	at := e.node("ArgMax", "place of the label", []string{"scores"}, axis(1), keepDims(0))
	e.node("Gather", "label", []string{classes, at}, axis(0))
	e.outputs = append(e.outputs, value("label", kind, []int{0}, "The class of the largest score."))
	if c := m.Calibration; c != nil {
		logits := "scores"
		if c.Matrix != nil {
			matrix, offset := make([]float32, K*K), make([]float32, K)
			for i := range K {
				offset[i] = float32(c.Offset[i])
				for k := range K {
					matrix[k*K+i] = float32(c.Matrix[i*K+k])
				}
			}
			logits = e.node("Gemm", "calibrated", []string{logits, e.floats("calibration", []int{K, K}, matrix...),
				e.floats("offset", []int{K}, offset...)})
		}
		if c.Clip > 0 {
			p := e.node("Softmax", "softmax", []string{logits}, axis(1))
			p = e.node("Mul", "most of the softmax", []string{p, e.floats("share of the softmax", []int{1},
				float32(1/(1+c.Clip)))})
			e.node("Add", "probabilities", []string{p, e.floats("least probability", []int{1},
				float32(c.Clip/float64(K)/(1+c.Clip)))})
		} else {
			e.node("Softmax", "probabilities", []string{logits}, axis(1))
		}
		e.output("probabilities", "probabilities", K, "The probability of each class, in the order of the metadata.")
	}
	e.output("scores", "scores", K, "The score of each class, in the order of the metadata.")
	return nil
}

// classes adds the classes as a constant: whole numbers as int64, all others as texts.
func (e *export) classes() (name string, kind int64, err error) {
	const safe = 1 << 53
	var values []any
	var numbers []int64
	texts, seen := []string{}, map[string]bool{}
	for _, l := range e.model.Classes {
		values = append(values, l.Value())
		text := textOf(l.Value())
		if x, ok := l.Value().(float64); ok && x == math.Trunc(x) && math.Abs(x) <= safe {
			numbers = append(numbers, int64(x))
		}
		if seen[text] {
			return "", 0, fmt.Errorf("onnx: two classes have the text %q, which ONNX cannot tell apart; "+
				"rename one and fit the model again", text)
		}
		seen[text] = true
		texts = append(texts, text)
	}
	e.metadata["classes"] = jsonOf(values)
	if len(numbers) == len(texts) {
		return e.integers("classes", []int{len(numbers)}, numbers...), typeInt64, nil
	}
	return e.constant("classes", textTensor("classes", texts)), typeString, nil
}

func textOf(label any) string {
	switch v := label.(type) {
	case string:
		return v
	case float64:
		return portable.FormatNumber(v)
	}
	return fmt.Sprint(label)
}

// describe makes the parameters of the model metadata.
func (e *export) describe() {
	p := &e.params
	for name, v := range map[string]any{"method": p.Method, "nFeatures": p.NFeatures, "nComponents": p.NComponents,
		"degree": p.Degree, "gamma": p.Gamma, "coef0": p.Coef0, "normalize": p.Normalize, "output": p.Output,
		"repeats": p.Repeats} {
		e.metadata[name] = strings.Trim(jsonOf(v), `"`)
	}
	if p.NFeaturesEach != nil {
		e.metadata["nFeatures"] = jsonOf(p.NFeaturesEach)
	}
	if m := e.model; m != nil {
		e.metadata["task"], e.metadata["loss"], e.metadata["alpha"] = m.Task, m.Loss, jsonOf(m.Alpha)
	}
}

// jsonOf returns the JSON of a value that has one.
func jsonOf(v any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(text.String(), "\n")
}
