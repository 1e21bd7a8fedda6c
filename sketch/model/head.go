package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// headFile is the JSON of the key "head", in the order of its keys.
type headFile struct {
	Task        string      `json:"task"`
	Loss        string      `json:"loss"`
	Classes     []any       `json:"classes,omitempty"`
	Alpha       number      `json:"alpha"`
	Intercept   numbers     `json:"intercept"`
	Weights     numbers     `json:"weights"`
	Calibration any         `json:"calibration,omitempty"`
	Conformal   *conformal  `json:"conformal,omitempty"`
	Report      *reportFile `json:"report"`
}

// calibrationFile is the JSON of a calibration that is not the softmax.
type calibrationFile struct {
	Offset numbers `json:"offset"`
	Matrix numbers `json:"matrix"`
}

// clipFile is the JSON of a calibration by a softmax with a Clip.
type clipFile struct {
	Clip number `json:"clip"`
}

// conformal is the JSON of a Conformal.
type conformal struct {
	Unit   numbers   `json:"unit,omitempty"`
	Counts [][]int64 `json:"counts"`
}

const softmax = "softmax"

type reportFile struct {
	Rows     int64        `json:"rows"`
	Counts   []int64      `json:"counts,omitempty"`
	Clipped  int64        `json:"clipped"`
	Cut      *int64       `json:"cut,omitempty"`
	Rule     string       `json:"rule"`
	DF       number       `json:"df,omitempty"`
	HeldOut  *heldOut     `json:"heldOut,omitempty"`
	Linear   *linearFile  `json:"linear,omitempty"`
	Solver   *solverFile  `json:"solver,omitempty"`
	Private  *privateFile `json:"private,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

type heldOut struct {
	Rows     int64   `json:"rows"`
	R2       *number `json:"r2,omitempty"`
	Accuracy *number `json:"accuracy,omitempty"`
}

type linearFile struct {
	Missing string   `json:"missing,omitempty"`
	Alpha   *number  `json:"alpha,omitempty"`
	DF      *number  `json:"df,omitempty"`
	HeldOut *heldOut `json:"heldOut,omitempty"`
}

type solverFile struct {
	Iterations int64  `json:"iterations"`
	Gradient   number `json:"gradient"`
	Converged  bool   `json:"converged"`
}

type privateFile struct {
	Epsilon number `json:"epsilon"`
	Delta   number `json:"delta"`
}

// A number is written as JavaScript writes it: −0 as 0.
type number float64

func (n number) MarshalJSON() ([]byte, error) { return json.Marshal(float64(n) + 0) }

// numbers are written like number.
type numbers []float64

func (list numbers) MarshalJSON() ([]byte, error) {
	plain := make([]float64, len(list))
	for i, v := range list {
		plain[i] = v + 0
	}
	return json.Marshal(plain)
}

// MarshalModel returns the file of a model that predicts: the model of its map, and the key "head"
// with the rest. If Options have no preprocessing, the Preprocessing text of the model is written if it
// is the JSON of one; any other text is left out.
//
// The errors are the errors of MarshalWith, of learn.Model.Validate, and a text that is not UTF-8.
func MarshalModel(m *learn.Model, o Options) ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, atHead(err)
	}
	o.preparation = m.Preparation
	f, err := fileOf(m.Map, o)
	if err != nil {
		return nil, err
	}
	if text := []byte(m.Preprocessing); o.Preprocessing == nil && isPreprocessing(text) {
		if f.Preprocessing, err = rewrite(text); err != nil {
			return nil, fmt.Errorf("model: preprocessing: %w", err)
		}
	}
	f.Head = &headFile{Task: m.Task, Loss: m.Loss, Alpha: number(m.Alpha), Intercept: m.Linear.Intercept,
		Weights: m.Linear.Weights, Report: writeReport(&m.Report, m.Preparation != nil)}
	for _, l := range m.Classes {
		f.Head.Classes = append(f.Head.Classes, l.Value())
	}
	switch c := m.Calibration; {
	case c == nil:
	case c.Clip > 0:
		f.Version, f.Head.Calibration = PreparedVersion, &clipFile{number(c.Clip)}
	case c.Matrix == nil:
		f.Head.Calibration = softmax
	default:
		f.Head.Calibration = &calibrationFile{c.Offset, c.Matrix}
	}
	if c := m.Conformal; c != nil {
		f.Version, f.Head.Conformal = PreparedVersion, &conformal{c.Unit, c.Counts}
	}
	if err := checkReport(f.Head.Report, len(m.Classes)); err != nil {
		return nil, err
	}
	return encode(f)
}

// atHead returns an error about a part of a model as one about a key of its file.
func atHead(err error) error {
	e, ok := err.(*sketch.Error)
	if !ok {
		return err
	}
	at := *e
	at.Argument = "head." + e.Argument
	return &at
}

// isPreprocessing reports whether a text is the JSON of a preprocessing.
func isPreprocessing(text []byte) bool {
	var p struct {
		Format string `json:"format"`
	}
	return len(text) > 0 && json.Unmarshal(text, &p) == nil && p.Format == preprocessingFormat
}

func writeReport(r *learn.Report, isPrepared bool) *reportFile {
	f := &reportFile{Rows: r.Rows, Counts: r.Counts, Clipped: r.Clipped, Rule: r.Rule, DF: number(r.DF),
		HeldOut: writeHeldOut(r.HeldOut), Warnings: r.Warnings}
	if isPrepared {
		f.Cut = &r.Cut
	}
	if l := r.Linear; l != nil && l.Missing != "" {
		f.Linear = &linearFile{Missing: l.Missing}
	} else if l != nil {
		alpha, df := number(l.Alpha), number(l.DF)
		f.Linear = &linearFile{Alpha: &alpha, DF: &df, HeldOut: writeHeldOut(l.HeldOut)}
	}
	if s := r.Solver; s != nil {
		f.Solver = &solverFile{int64(s.Iterations), number(s.Gradient), s.Converged}
	}
	if p := r.Private; p != nil {
		f.Private = &privateFile{number(p.Epsilon), number(p.Delta)}
	}
	return f
}

func writeHeldOut(h *learn.HeldOutReport) *heldOut {
	if h == nil {
		return nil
	}
	f := &heldOut{Rows: h.Rows}
	if r2 := number(h.R2); r2 == r2 {
		f.R2 = &r2
	}
	if accuracy := number(h.Accuracy); accuracy == accuracy {
		f.Accuracy = &accuracy
	}
	return f
}

// UnmarshalModel returns the model of a file that has a head. It accepts exactly what docs/SPEC.md
// describes, and its errors are the errors of Unmarshal; those about the head begin with "head.". The
// Preprocessing of the model is the JSON of the preprocessing in the file, or empty.
func UnmarshalModel(data []byte) (*learn.Model, error) { return unmarshalModel(data, nil) }

// UnmarshalModelKeyed is UnmarshalModel for a model whose map has a key.
func UnmarshalModelKeyed(data []byte, key [32]byte) (*learn.Model, error) {
	return unmarshalModel(data, &key)
}

func unmarshalModel(data []byte, key *[32]byte) (*learn.Model, error) {
	r, err := newReader(data, format, Version, PreparedVersion)
	if err != nil {
		return nil, err
	}
	r.key = key
	if r.keys["head"] == nil {
		return nil, errors.New("model: head is missing: this file has a map without a model that predicts")
	}
	head, preprocessing := r.take("head"), r.keys["preprocessing"]
	f, err := r.valid()
	if err != nil {
		return nil, err
	}
	m := &learn.Model{Preparation: f.preparation}
	if preprocessing != nil {
		if preprocessing, err = rewrite(preprocessing); err != nil {
			return nil, fmt.Errorf("model: preprocessing: %w", err)
		}
		m.Preprocessing = string(preprocessing)
	}
	// The map comes last: a damaged file may ask for a map that is too large.
	if err = r.head(head, f.NComponents*f.Repeats, m); err != nil {
		return nil, err
	}
	if err = f.preparation.ValidateFor(f.NFeatures); err != nil {
		return nil, atHead(err)
	}
	m.Map, err = f.featureMap()
	return m, err
}

// head reads a head for D features into a model.
func (r *reader) head(text json.RawMessage, D int, m *learn.Model) error {
	h := r.object("head.", text)
	h.version, h.isPrepared = r.version, m.Preparation != nil
	if value, held := h.keys["conformal"]; held && r.version >= PreparedVersion {
		h.take("conformal")
		o := h.object("head.conformal.", value)
		m.Conformal = new(learn.Conformal)
		if _, held := o.keys["unit"]; held {
			m.Conformal.Unit = o.numbers("unit")
		}
		var counts []json.RawMessage
		o.decode("head.conformal.counts", o.take("counts"), &counts)
		for k, list := range counts {
			m.Conformal.Counts = append(m.Conformal.Counts,
				integers[int64](o, fmt.Sprintf("head.conformal.counts[%d]", k), list))
		}
		o.end("a conformal")
		h.err = o.err
	}
	m.Task, m.Loss, m.Alpha = h.text("task"), h.text("loss"), h.number("alpha")
	if _, held := h.keys["classes"]; held {
		m.Classes = h.labels("classes")
	}
	m.Linear = &learn.Linear{D: D, Intercept: h.numbers("intercept"), Weights: h.numbers("weights")}
	m.Linear.K = len(m.Linear.Intercept)
	if _, held := h.keys["calibration"]; held {
		m.Calibration = h.calibration(m.Linear.K)
	}
	h.report(&m.Report)
	h.end("a head")
	if h.err != nil {
		return h.err
	}
	if err := m.Validate(); err != nil {
		return atHead(err)
	}
	return checkReport(writeReport(&m.Report, m.Preparation != nil), len(m.Classes))
}

// object returns a reader of an object in the file. It has the error so far, and r does not get its
// errors.
func (r *reader) object(prefix string, value json.RawMessage) *reader {
	o := &reader{prefix: prefix, err: r.err}
	o.decode(strings.TrimSuffix(prefix, "."), value, &o.keys)
	return o
}

// end makes any key that is left an error.
func (r *reader) end(what string) {
	for key := range r.keys {
		r.fail("%q is not a key of %s, or not beside the others here", r.prefix+key, what)
	}
}

// numbers takes an array of numbers.
func (r *reader) numbers(key string) (list []float64) {
	r.list(key, &list)
	for i := range list {
		list[i] += 0 // JavaScript writes −0 as 0
	}
	return list
}

// labels takes an array of labels.
func (r *reader) labels(key string) []learn.Label {
	var raw []json.RawMessage
	r.decode(r.prefix+key, r.take(key), &raw)
	labels := make([]learn.Label, len(raw))
	for k, value := range raw {
		var label any
		r.decode(fmt.Sprintf("%s%s[%d]", r.prefix, key, k), value, &label)
		switch v := label.(type) {
		case bool:
			labels[k] = learn.BoolLabel(v)
		case float64:
			labels[k] = learn.NumberLabel(v)
		case string:
			if loneSurrogate(v, value) {
				r.fail("%s%s[%d] must be Unicode text, got half a surrogate pair", r.prefix, key, k)
			}
			labels[k] = learn.TextLabel(v)
		default:
			r.fail("%s%s[%d] must be true, false, a number or a text, got %.60s", r.prefix, key, k, value)
		}
	}
	return labels
}

// calibration takes the calibration of K classes.
func (r *reader) calibration(K int) *learn.Calibration {
	value := r.take("calibration")
	var name string
	if json.Unmarshal(value, &name) == nil {
		if name != softmax {
			r.fail(`%scalibration must be "softmax", {clip} or {offset, matrix}, got %q`, r.prefix, name)
		}
		return &learn.Calibration{K: K}
	}
	o := r.object(r.prefix+"calibration.", value)
	c := &learn.Calibration{K: K}
	if _, held := o.keys["clip"]; held && r.version >= PreparedVersion {
		if c.Clip = o.number("clip"); !(c.Clip > 0) {
			o.fail("%scalibration.clip must be above 0, got %v", r.prefix, c.Clip)
		}
	} else {
		c.Offset, c.Matrix = o.numbers("offset"), o.numbers("matrix")
	}
	o.end("a calibration")
	r.err = o.err
	return c
}

// report takes the report of a model.
func (r *reader) report(to *learn.Report) {
	o := r.object(r.prefix+"report.", r.take("report"))
	to.Rows, to.Clipped, to.Rule = int64(o.integer("rows")), int64(o.integer("clipped")), o.text("rule")
	if r.isPrepared {
		to.Cut = o.long("cut")
	}
	if _, held := o.keys["counts"]; held {
		to.Counts = integers[int64](o, o.prefix+"counts", o.take("counts"))
	}
	if _, held := o.keys["df"]; held {
		to.DF = o.number("df")
	}
	to.HeldOut = o.heldOut()
	if value, held := o.keys["linear"]; held {
		o.take("linear")
		to.Linear = o.linear(value)
	}
	if value, held := o.keys["solver"]; held {
		o.take("solver")
		s := o.object(o.prefix+"solver.", value)
		to.Solver = &learn.SolverReport{Iterations: s.integer("iterations"), Gradient: s.number("gradient")}
		s.decode(s.prefix+"converged", s.take("converged"), &to.Solver.Converged)
		s.end("a report")
		o.err = s.err
	}
	if value, held := o.keys["private"]; held {
		o.take("private")
		p := o.object(o.prefix+"private.", value)
		to.Private = &learn.PrivateReport{Epsilon: p.number("epsilon"), Delta: p.number("delta")}
		p.end("a report")
		o.err = p.err
	}
	if _, held := o.keys["warnings"]; held {
		var raw []json.RawMessage
		o.decode(o.prefix+"warnings", o.take("warnings"), &raw)
		to.Warnings = make([]string, len(raw))
		for i, text := range raw {
			if o.decode(o.prefix+"warnings", text, &to.Warnings[i]); string(text) == "null" {
				o.fail("%swarnings must hold texts only, got null", o.prefix)
			}
		}
	}
	o.end("a report")
	r.err = o.err
}

// linear reads what a report says of the linear model on the rows.
func (r *reader) linear(value json.RawMessage) *learn.LinearReport {
	o := r.object(r.prefix+"linear.", value)
	l := new(learn.LinearReport)
	if _, held := o.keys["missing"]; held {
		l.Missing = o.text("missing")
	} else {
		l.Alpha, l.DF, l.HeldOut = o.number("alpha"), o.number("df"), o.heldOut()
	}
	o.end("a report")
	r.err = o.err
	return l
}

// heldOut takes the key heldOut, if it is there.
func (r *reader) heldOut() *learn.HeldOutReport {
	value, held := r.keys["heldOut"]
	if !held {
		return nil
	}
	r.take("heldOut")
	o := r.object(r.prefix+"heldOut.", value)
	h := &learn.HeldOutReport{Rows: int64(o.integer("rows")), R2: math.NaN(), Accuracy: math.NaN()}
	if _, held := o.keys["r2"]; held {
		h.R2 = o.number("r2")
	}
	if _, held := o.keys["accuracy"]; held {
		h.Accuracy = o.number("accuracy")
	}
	o.end("a report")
	r.err = o.err
	return h
}

// checkReport returns an error for a report that cannot be one of K classes.
func checkReport(f *reportFile, K int) error {
	refuse := func(key, want string, got any) error {
		return fmt.Errorf("model: head.report.%s must %s, got %v", key, want, got)
	}
	rules := []string{solve.RuleGiven, solve.RuleCrossValidation, solve.RuleHeldOut, solve.RuleNoise}
	switch {
	case f.Rows < 0:
		return refuse("rows", "be at least 0", f.Rows)
	case f.Clipped < 0:
		return refuse("clipped", "be at least 0", f.Clipped)
	case f.Cut != nil && *f.Cut < 0:
		return refuse("cut", "be at least 0", *f.Cut)
	case !slices.Contains(rules, f.Rule):
		return refuse("rule", fmt.Sprintf("be one of %q", rules), fmt.Sprintf("%q", f.Rule))
	case f.Counts != nil && len(f.Counts) != K:
		return refuse("counts", fmt.Sprintf("hold one number for each of %d classes", K), len(f.Counts))
	}
	return nil
}
