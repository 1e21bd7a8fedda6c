package jobs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// MapParams are the parameters of a feature map, without the number of features, which the columns say.
type MapParams struct {
	Method       string         `json:"method,omitempty"` // default tensor-sketch
	NComponents  int            `json:"nComponents,omitempty"`
	Degree       int            `json:"degree,omitempty"`
	Gamma        float64        `json:"gamma,omitempty"`
	Coef0        *float64       `json:"coef0,omitempty"`
	Normalize    string         `json:"normalize,omitempty"`
	Output       string         `json:"output,omitempty"`
	Repeats      int            `json:"repeats,omitempty"`
	Seed         Seed           `json:"seed,omitzero"`
	MethodParams map[string]any `json:"methodParams,omitempty"` // of single methods
	Key          *[32]byte      `json:"-"`                      // instead of the seed, for a keyed map
}

// A Seed is a whole number from 0 to 2^64 − 1 or, if IsText is set, a text.
type Seed struct {
	Number uint64
	Text   string
	IsText bool
	Typed  bool // it was given, though it may be 0
}

// UnmarshalJSON reads a number or a text.
func (s *Seed) UnmarshalJSON(text []byte) (err error) {
	s.Typed = true
	if s.Number, err = strconv.ParseUint(string(text), 10, 64); err == nil {
		return nil
	}
	s.IsText = true
	if json.Unmarshal(text, &s.Text) != nil {
		return fail("seed", "{seed} must be a whole number from 0 to 2^64 − 1 or a text, got %s", text)
	}
	return nil
}

// seed returns the seed for package sketch.
func (s *Seed) seed() sketch.Seed {
	if s.IsText {
		return sketch.StringSeed(s.Text)
	}
	return sketch.IntSeed(s.Number)
}

// after returns seed number k after this one.
func (s Seed) after(k int) Seed {
	if s.IsText {
		s.Text += " " + strconv.Itoa(k)
	}
	s.Number += uint64(k)
	return s
}

// params returns the parameters for package sketch.
func (p *MapParams) params() (sketch.Params, error) {
	made := sketch.Params{Method: p.Method, NComponents: p.NComponents, Degree: p.Degree, Gamma: p.Gamma,
		Normalize: p.Normalize, Output: p.Output, Repeats: p.Repeats, Seed: p.Seed.seed()}
	if p.Coef0 != nil {
		made.Coef0 = *p.Coef0
	}
	if p.Key != nil {
		made.Keyed, made.Seed = true, sketch.BytesSeed(*p.Key)
	}
	for name, value := range p.MethodParams {
		if err := SetMethodParam(&made.MethodParams, name, value); err != nil {
			return made, mistake(err)
		}
	}
	return made, nil
}

// SetMethodParam sets a parameter of a method. A text stands for the first type that the parameter can have: a number,
// true or false, a list of numbers with commas between them, or a text.
func SetMethodParam(m *sketch.MethodParams, name string, value any) error {
	if list, ok := value.([]any); ok {
		value = strings.ReplaceAll(strings.Trim(fmt.Sprint(list...), "[]"), " ", ",")
	}
	text, ok := value.(string)
	if !ok {
		return m.Set(name, value)
	}
	candidates := []any{}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		candidates = append(candidates, x)
	}
	if b, err := strconv.ParseBool(text); err == nil {
		candidates = append(candidates, b)
	}
	var list []float64
	for item := range strings.SplitSeq(text, ",") {
		if x, err := strconv.ParseFloat(item, 64); err == nil {
			list = append(list, x)
		}
	}
	var err error
	for _, candidate := range append(candidates, list, text) {
		if err = m.Set(name, candidate); err == nil {
			return nil
		}
	}
	return err
}

// factsOf returns the facts about a method, or nil for an unknown name.
func factsOf(name string) *sketch.Method {
	for _, m := range sketch.Methods() {
		if m.Name == name {
			return &m
		}
	}
	return nil
}

// Learning is the map for learning, where it is not given (docs/learn.md). Up to FewComponents, and from ManyFeatures
// on, degree 2 loses less to the sketch than it lacks.
var Learning = struct {
	Components    int     `json:"components"`
	Degree        int     `json:"degree"`
	Coef0         float64 `json:"coef0"`
	FewComponents int     `json:"fewComponents"`
	ManyFeatures  int     `json:"manyFeatures"`
	FewDegree     int     `json:"fewDegree"`

	Folds map[string]int `json:"folds"` // by the task, where the map is not searched
}{1024, 3, 1, 512, 30, 2, map[string]int{learn.TaskClassify: 1, learn.TaskRegress: 5}}

// forLearning fills in the defaults for learning. A method that is fitted to rows has no more components than there are
// rows.
func (p *MapParams) forLearning(made sketch.Params, t *table) (sketch.Params, error) {
	return p.forRows(made, t.p.NFeatures(), t.rowsUpTo)
}

// forRows is forLearning for rows of nFeatures numbers. mapParams of learnermap.js is the same for the JavaScript API,
// with the figures of Learning: TestRulesOfJavaScript compares them.
func (p *MapParams) forRows(made sketch.Params, nFeatures int, rowsUpTo func(most int) (int, error)) (sketch.Params,
	error) {
	facts := factsOf(cmp.Or(made.Method, sketch.MethodTensorSketch)) // WithDefaults would link every map
	if facts == nil {
		return made, nil // NewMap says so
	}
	if made.NComponents == 0 {
		made.NComponents = Learning.Components
		if facts.Fitted {
			var err error
			if made.NComponents, err = rowsUpTo(Learning.Components); err != nil {
				return made, err
			}
		}
	}
	takes := facts.Takes
	if kernel := made.MethodParams.Kernel; kernel != "" && kernel != sketch.KernelPolynomial ||
		made.MethodParams.Coefficients != nil {
		takes = nil // no other kernel has a degree and coef0
	}
	if made.Degree == 0 && slices.Contains(takes, "degree") {
		if made.Degree = Learning.Degree; made.NComponents <= Learning.FewComponents &&
			nFeatures >= Learning.ManyFeatures {
			made.Degree = Learning.FewDegree
		}
	}
	if p.Coef0 == nil && slices.Contains(takes, "coef0") {
		made.Coef0 = Learning.Coef0
	}
	return made, nil
}

// newMap makes a map, and fits it to the first rows if its method needs that.
func (t *table) newMap(mapper Mapper, params sketch.Params) (Map, error) {
	params.NFeatures = t.p.NFeatures()
	m, err := mapper.NewMap(params)
	if err != nil {
		return nil, mistake(err)
	}
	if facts := factsOf(params.Method); facts != nil && facts.Fitted {
		if err := t.keep(); err != nil {
			return nil, err
		}
		if facts.Basis {
			err = t.fitBasis(m)
		} else {
			var X sketch.Rows
			if X, err = t.head(math.MaxInt); err == nil {
				err = m.Fit(t.c, X)
			}
		}
		if err != nil {
			m.Close()
			return nil, mistake(err)
		}
		t.forget()
	}
	return m, nil
}

// fitBasis fits a map to all rows, after a pass that finds the longest one.
func (t *table) fitBasis(m Map) error {
	fitter, err := m.Fitter(t.c)
	if err != nil {
		return err
	}
	for _, pass := range []struct {
		phase string
		add   func(sketch.Rows) error
	}{{"finding the longest row", fitter.Measure}, {"fitting the map", fitter.Add}} {
		for b, err := range t.blocks(pass.phase, rowsToFit(m)) {
			if err != nil {
				return err
			}
			if err := pass.add(b.rows(t.p.NFeatures())); err != nil {
				return b.rowError(err)
			}
		}
		t.forget()
	}
	return finish(t.c, fitter)
}

// rowsToFit returns how many rows are added to a fitter at a time: a row takes about the square of D.
func rowsToFit(m Map) int { return max(8, min(1<<9, 1<<23/(m.NComponents()*m.NComponents()))) }

// finish does all steps of a fitter.
func finish(c *Control, f Fitter) error {
	c.Begin("fitting the map to sums")
	for {
		done, finished, err := f.Step()
		if err != nil || finished {
			return err
		}
		if err := c.At(0, done); err != nil {
			return err
		}
	}
}

// fitTo fits a map whose method needs it to rows in memory.
func fitTo(c *Control, m Map, X sketch.Rows) error {
	if facts := factsOf(m.Params().Method); !facts.Basis {
		return m.Fit(c, X)
	}
	fitter, err := m.Fitter(c)
	if err == nil {
		err = fitter.Measure(X)
	}
	d, each := m.NFeatures(), rowsToFit(m)
	n := CountRows(X, d)
	for from := 0; from < n && err == nil; from += each {
		if err = fitter.Add(slice(X, d, from, min(from+each, n))); err == nil {
			err = c.Check()
		}
	}
	if err != nil {
		return err
	}
	return finish(c, fitter)
}
