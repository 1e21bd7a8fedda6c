package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// mapFlags defines the flags for a feature map.
func mapFlags(f *flags, p *sketch.Params) {
	f.heading("The feature map (docs/SPEC.md, section 8)")
	var methods []string
	for _, m := range sketch.Methods() {
		methods = append(methods, m.Name)
	}
	f.choice(&p.Method, "method", "`NAME` default tensor-sketch", methods)
	f.integer(&p.NComponents, "components", "`D` features of a row")
	kernelFlags(f, &p.Degree, &p.Gamma, &p.Coef0)
	f.choice(&p.Normalize, "normalize", "`HOW` none or kernel",
		[]string{sketch.NormalizeNone, sketch.NormalizeKernel})
	f.integer(&p.Repeats, "repeats", "`T` independent maps side by side")
	f.value("seed", "`SEED` a whole number, or any other text; default 0", func(text string) error {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			p.Seed = sketch.IntSeed(n)
		} else {
			p.Seed = sketch.StringSeed(text)
		}
		return nil
	})
	f.value("param", "`NAME=VALUE` a parameter of the method, such as distribution=gaussian", func(text string) error {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("must be NAME=VALUE, got %q", text)
		}
		if err := setMethodParam(&p.MethodParams, name, value); err != nil {
			return errors.New(strings.Replace(err.Error(), "methodParams.", "", 1))
		}
		return nil
	})
}

// kernelFlags defines the flags for the kernel (γ⟨x,y⟩ + c)^p.
func kernelFlags(f *flags, degree *int, gamma, coef0 *float64) {
	f.integer(degree, "degree", "`P` of the kernel (gamma <x,y> + coef0)^P")
	f.positive(gamma, "gamma", "`X` default 1")
	f.number(coef0, "coef0", "`X` default 0")
}

// setMethodParam sets a parameter to the first type that its value can have.
func setMethodParam(m *sketch.MethodParams, name, value string) error {
	candidates := []any{}
	if x, err := strconv.ParseFloat(value, 64); err == nil {
		candidates = append(candidates, x)
	}
	if b, err := strconv.ParseBool(value); err == nil {
		candidates = append(candidates, b)
	}
	var list []float64
	for item := range strings.SplitSeq(value, ",") {
		if x, err := strconv.ParseFloat(item, 64); err == nil {
			list = append(list, x)
		}
	}
	var err error
	for _, candidate := range append(candidates, list, value) {
		if err = m.Set(name, candidate); err == nil {
			return nil
		}
	}
	return err
}

// flagOf are the flags for the arguments that errors of package sketch name.
var flagOf = map[string]string{"nComponents": "--components", "degree": "--degree", "gamma": "--gamma",
	"coef0": "--coef0", "normalize": "--normalize", "repeats": "--repeats", "method": "--method", "seed": "--seed",
	"epsilon": "--error", "delta": "--delta", "cosine": "--cosine", "nFeatures": "--features"}

// paramError returns an error about a parameter as one about its flag.
func paramError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Code != sketch.ErrParam {
		return err
	}
	renamed := *e
	if name, ok := flagOf[e.Argument]; ok {
		renamed.Argument = name
	} else if name, ok := strings.CutPrefix(e.Argument, "methodParams."); ok {
		renamed.Argument = "--param " + name
	} else if strings.HasPrefix(e.Argument, "methods") {
		renamed.Argument = "--methods"
	}
	return usageError{&renamed}
}

// newMap makes a map, and fits it to the first rows if its method needs that.
func newMap(params sketch.Params, t *table) (*sketch.FeatureMap, error) {
	params.NFeatures = t.p.NFeatures()
	m, err := sketch.NewFeatureMap(params)
	if err != nil {
		return nil, paramError(err)
	}
	if facts := factsOf(params.Method); facts != nil && facts.Fitted {
		if err := t.spool(); err != nil {
			return nil, err
		}
		if facts.Basis {
			err = t.fitBasis(m)
		} else {
			var X sketch.Rows
			if X, err = t.head(math.MaxInt); err == nil {
				err = m.Fit(X)
			}
		}
		if err != nil {
			return nil, paramError(err)
		}
		t.forget()
	}
	m.SetGoroutines(runtime.GOMAXPROCS(0))
	return m, nil
}

// factsOf returns the facts about a method, or nil for an empty name.
func factsOf(name string) *sketch.Method {
	for _, m := range sketch.Methods() {
		if m.Name == name {
			return &m
		}
	}
	return nil
}

// fitBasis fits a map to all rows, after a pass that finds the longest one.
func (t *table) fitBasis(m *sketch.FeatureMap) error {
	fitter, err := m.NewFitter(0)
	if err != nil {
		return err
	}
	for _, pass := range []struct {
		does string
		add  func(sketch.Rows) error
	}{{"Finding the longest row", fitter.Measure}, {"Fitting the map", fitter.Add}} {
		for b, err := range t.blocks(pass.does, 1<<12) {
			if err != nil {
				return err
			}
			if err := pass.add(b.rows(t.p.NFeatures())); err != nil {
				return b.rowError(err)
			}
		}
		t.forget()
	}
	return fitter.Finish()
}

// A modelFlag names a model file.
type modelFlag struct{ name, keyFile string }

func modelFlags(f *flags, m *modelFlag) {
	f.words(&m.name, "model", "`FILE` the model")
	f.words(&m.keyFile, "key-file", "`FILE` the key of a keyed model, 64 hexadecimal digits")
}

// read reads the model and its preprocessing, which is nil if there is none: by unmarshal or, with a key, by keyed.
func readModel[T any](m *modelFlag, unmarshal func([]byte) (T, error), keyed func([]byte, [32]byte) (T, error)) (
	value T, p *dataset.Preprocessing, err error) {
	text, err := readWhole(m.name)
	if err != nil {
		return value, nil, err
	}
	if m.keyFile == "" {
		value, err = unmarshal(text)
	} else {
		var key [32]byte
		if key, err = readKey(m.keyFile); err != nil {
			return value, nil, err
		}
		value, err = keyed(text, key)
	}
	var keys struct{ Preprocessing json.RawMessage }
	if err == nil && json.Unmarshal(text, &keys) == nil && keys.Preprocessing != nil {
		p, err = dataset.FromModel(text)
	}
	if err != nil {
		message := strings.Replace(plainMessage(err), "give it to UnmarshalKeyed", "give it by --key-file", 1)
		return value, nil, fmt.Errorf("%s: %s", m.name, message)
	}
	return value, p, nil
}

// openFor opens files for a map with the preprocessing of its model. Without one, the columns must be as many numbers
// as the map takes.
func openFor(m *sketch.FeatureMap, p *dataset.Preprocessing, files []string, r columns.Reading, c *columnUse) (*table,
	error) {
	if p == nil && c.scaling == "" {
		c.scaling = columns.NoScaling.String()
	}
	t, err := openTable(files, r, c, p)
	if err != nil {
		return nil, err
	}
	if t.p.Sparse && t.p.Width == 0 {
		t.p.Width = m.NFeatures()
	}
	if d := t.p.NFeatures(); d != m.NFeatures() || t.p.NeedsFit() {
		t.close()
		return nil, fmt.Errorf("%s has %d numbers in a row, and the map takes %d; the model does not say what columns "+
			"become, so say it with --use, --ignore and --label", t.parts[0].name, d, m.NFeatures())
	}
	m.SetGoroutines(runtime.GOMAXPROCS(0))
	return t, nil
}

// readKey reads a key from a file of 64 hexadecimal digits.
func readKey(name string) (key [32]byte, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return key, err
	}
	if n, err := hex.Decode(key[:], []byte(strings.TrimSpace(string(text)))); err != nil || n != len(key) {
		return key, fmt.Errorf("%s: a key has 64 hexadecimal digits", name)
	}
	return key, nil
}
