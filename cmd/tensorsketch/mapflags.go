package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
)

// mapFlags defines the flags for a feature map.
func mapFlags(f *flags, p *jobs.MapParams) {
	f.heading("The feature map (docs/SPEC.md, section 8)")
	var methods []string
	for _, m := range sketch.Methods() {
		methods = append(methods, m.Name)
	}
	f.choice(&p.Method, "method", "`NAME` default tensor-sketch", methods)
	f.integer(&p.NComponents, "components", "`D` features of a row; default 100")
	kernelFlags(f, &p.Degree, &p.Gamma, func(x float64) { p.Coef0 = &x })
	f.choice(&p.Normalize, "normalize", "`HOW` none (default) or kernel",
		[]string{sketch.NormalizeNone, sketch.NormalizeKernel})
	f.integer(&p.Repeats, "repeats", "`T` independent maps side by side; default 1")
	f.value("seed", "`SEED` a whole number, or any other text; default 0", func(text string) error {
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			p.Seed = jobs.Seed{Number: n, Typed: true}
		} else {
			p.Seed = jobs.Seed{Text: text, IsText: true, Typed: true}
		}
		return nil
	})
	f.value("param", "`NAME=VALUE` a parameter of the method, such as distribution=gaussian", func(text string) error {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("must be NAME=VALUE, got %q", text)
		}
		if err := jobs.SetMethodParam(new(sketch.MethodParams), name, value); err != nil {
			return errors.New(strings.Replace(err.Error(), "methodParams.", "", 1))
		}
		if p.MethodParams == nil {
			p.MethodParams = map[string]any{}
		}
		p.MethodParams[name] = value
		return nil
	})
}

// kernelFlags defines the flags for the kernel (γ⟨x,y⟩ + c)^p.
func kernelFlags(f *flags, degree *int, gamma *float64, setCoef0 func(float64)) {
	f.integer(degree, "degree", "`P` of the kernel (gamma <x,y> + coef0)^P; default 2")
	f.positive(gamma, "gamma", "`X` default 1")
	f.value("coef0", "`X` default 0", func(text string) error {
		x, err := parseNumber(text)
		setCoef0(x)
		return err
	})
}

// A modelFlag names a model file.
type modelFlag struct{ name, keyFile string }

func modelFlags(f *flags, m *modelFlag) {
	f.input(&m.name, "model", "`FILE` the model")
	f.input(&m.keyFile, "key-file", "`FILE` the key of a keyed model, 64 hexadecimal digits")
}

// read reads the file and its key.
func (m *modelFlag) read() (file jobs.Named, err error) {
	file.Name = m.name
	if file.Content, err = readWhole(m.name); err == nil && m.keyFile != "" {
		var key [32]byte
		key, err = readKey(m.keyFile)
		file.Key = &key
	}
	return file, err
}

// ofMap reads the model that has the map of a verb with mapFlags, or returns nil if none is named.
func (m *modelFlag) ofMap(f *flags) (*jobs.Named, error) {
	if m.name == "" {
		if m.keyFile != "" {
			return nil, usage("--key-file is for a --model; leave it out")
		}
		return nil, nil
	}
	if err := f.refuse("--model, which has its own map", append(flagsOf(func(f *flags) {
		mapFlags(f, new(jobs.MapParams))
	}), "save-model")); err != nil {
		return nil, err
	}
	model, err := m.read()
	return &model, err
}

// readAll reads small files.
func readAll(names []string) (files []jobs.Named, err error) {
	for _, name := range names {
		content, err := readWhole(name)
		if err != nil {
			return nil, err
		}
		files = append(files, jobs.Named{Name: name, Content: content})
	}
	return files, nil
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
