//go:build tinycore && host

package main

import (
	"cmp"
	"encoding/json"

	"tensorsketch.example/internal/udf"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/sketch/model"
)

// mapOptions are the parameters of a map, as JSON. Those that are left out have the defaults of sketch.Params.
type mapOptions struct {
	Method       string         `json:"method"`
	NFeatures    int            `json:"nFeatures"`
	NComponents  *int           `json:"nComponents"`
	Degree       *int           `json:"degree"`
	Gamma        *float64       `json:"gamma"`
	Coef0        float64        `json:"coef0"`
	Normalize    string         `json:"normalize"`
	Output       string         `json:"output"`
	Repeats      *int           `json:"repeats"`
	MethodParams map[string]any `json:"methodParams"`
	Seed         uint64         `json:"seed"`
	SeedText     *string        `json:"seedText"`
	SeedBytes    []byte         `json:"seedBytes"` // 32, in base64
	RandomState  *uint32        `json:"randomState"`
	IndexHash    [][]int32      `json:"indexHash"`
	BitHash      [][]int8       `json:"bitHash"`
}

// read puts the options into parameters.
func (o *mapOptions) read(p *sketch.Params) error {
	p.Method, p.NFeatures, p.Coef0, p.Normalize, p.Output = o.Method, o.NFeatures, o.Coef0, o.Normalize, o.Output
	p.RandomState, p.IndexHash, p.BitHash = o.RandomState, o.IndexHash, o.BitHash
	p.Repeats = 1
	err := cmp.Or(given("nComponents", o.NComponents, &p.NComponents), given("degree", o.Degree, &p.Degree),
		given("repeats", o.Repeats, &p.Repeats))
	if err != nil {
		return err
	}
	if p.Gamma = 1; o.Gamma != nil {
		if p.Gamma = *o.Gamma; p.Gamma == 0 {
			return sketch.ErrParam.New("gamma", "0", "be a finite number > 0")
		}
	}
	switch {
	case o.RandomState != nil || o.IndexHash != nil:
	case o.SeedText != nil:
		p.Seed = sketch.StringSeed(*o.SeedText)
	case len(o.SeedBytes) == 32:
		p.Seed = sketch.BytesSeed([32]byte(o.SeedBytes))
	case o.SeedBytes != nil:
		return sketch.ErrParam.New("seed", formatBytes(int64(len(o.SeedBytes)))+" bytes", "have 32 bytes")
	default:
		p.Seed = sketch.IntSeed(o.Seed)
	}
	for name, value := range o.MethodParams {
		if list, ok := value.([]any); ok {
			numbers := make([]float64, len(list))
			for i, v := range list {
				numbers[i], _ = v.(float64)
			}
			value = numbers
		}
		if err := p.MethodParams.Set(name, value); err != nil {
			return err
		}
	}
	*p = p.WithDefaults()
	return p.Validate()
}

// given sets a parameter to an option that was given. A 0 would stand for the default.
func given(name string, option, to *int) error {
	if option == nil {
		return nil
	}
	if *to = *option; *option < 1 {
		return sketch.ErrParam.New(name, formatBytes(int64(*option)), "be an integer from 1 on")
	}
	return nil
}

// newMapOf returns the handle of the map of the options (mapOptions).
//
//go:wasmexport tensorsketch_map_new
func newMapOf(options uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	text, ok := content(options)
	if !ok {
		failPointer("the options")
		return 0
	}
	o := new(mapOptions)
	err := udf.OptionError(json.Unmarshal(text, o))
	p := new(sketch.Params)
	if err == nil {
		err = o.read(p)
	}
	if failWith(err) != statusOK {
		return 0
	}
	return createWork(p.MemoryBytes(), lowerComponents, func() (made slot, err error) {
		made.m, err = sketch.NewFeatureMap(*p)
		return made, err
	})
}

// fitMapOf fits a map of method nystroem or k-space to rows.
//
//go:wasmexport tensorsketch_map_fit
func fitMapOf(handle, data, indices, indptr, rows, nnz uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	X, ok := rowsAt(data, indices, indptr, rows, nnz, m.NFeatures())
	if !ok {
		return failPointer("the rows")
	}
	return failWith(m.Fit(X))
}

// sizesOf writes the length of the rows that a map takes, and of its features, two int32.
//
//go:wasmexport tensorsketch_map_sizes
func sizesOf(handle, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	sizes, ok := view[int32](out, 2)
	if !ok {
		return failPointer("out")
	}
	sizes[0], sizes[1] = int32(m.NFeatures()), int32(m.NComponents())
	return statusOK
}

// readMapOf returns the handle of the map of a model file. The key is a buffer with 32 bytes, or 0.
//
//go:wasmexport tensorsketch_map_read
func readMapOf(text, key uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	file, ok := content(text)
	if !ok {
		failPointer("the file")
		return 0
	}
	var m *sketch.FeatureMap
	var err error
	if key == 0 {
		m, err = model.Unmarshal(file)
	} else if bytes, ok := content(key); ok && len(bytes) == 32 {
		m, err = model.UnmarshalKeyed(file, [32]byte(bytes))
	} else {
		failPointer("the key")
		return 0
	}
	if failWith(err) != statusOK {
		return 0
	}
	return createWork(paramsOf(m).MemoryBytes(), lowerComponents, func() (slot, error) { return slot{m: m}, nil })
}

// prepareMapOf has a map prepare the rows that it is given, as the JSON of a model file's preparation says.
//
//go:wasmexport tensorsketch_map_prepare
func prepareMapOf(handle, text uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	file, ok := content(text)
	if !ok {
		return failPointer("the preparation")
	}
	p, err := model.UnmarshalPreparation(file)
	if err == nil {
		err = p.ValidateFor(m.NFeatures())
	}
	if err != nil {
		return failWith(err)
	}
	at, _ := at(handle)
	slots[at].preparation = p
	return statusOK
}

// writeMapOf returns a buffer with the model file of a map, or 0.
//
//go:wasmexport tensorsketch_map_write
func writeMapOf(handle uint32) (buffer uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return 0
	}
	return written(model.Marshal(m))
}

// readModelOf returns the handle of the model of a file. The key is a buffer with 32 bytes, or 0.
//
//go:wasmexport tensorsketch_model_read
func readModelOf(text, key uint32) (handle uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	file, ok := content(text)
	if !ok {
		failPointer("the file")
		return 0
	}
	if key == 0 {
		return made(model.UnmarshalModel(file))
	}
	bytes, ok := content(key)
	if !ok || len(bytes) != 32 {
		failPointer("the key")
		return 0
	}
	return made(model.UnmarshalModelKeyed(file, [32]byte(bytes)))
}

// writeModelOf returns a buffer with the file of a model, or 0.
//
//go:wasmexport tensorsketch_model_write
func writeModelOf(handle uint32) (buffer uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, err := object[*learn.Model](handle)
	if err != nil {
		failWith(err)
		return 0
	}
	return written(model.MarshalModel(m, model.Options{}))
}

// applyModel writes what a model says of rows, n float64: their scores, or the probabilities of the classes if what is
// 1. Rows have the numbers that its preparation takes, or else its map.
//
//go:wasmexport tensorsketch_model_apply
func applyModel(handle, what, data, indices, indptr, rows, nnz, out, n uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, err := object[*learn.Model](handle)
	if err != nil {
		return failWith(err)
	}
	X, okX := rowsAt(data, indices, indptr, rows, nnz, m.NFeatures())
	dst, ok := view[float64](out, uint64(n))
	if !ok || !okX || uint64(n) != uint64(rows)*uint64(m.NOutputs()) {
		return failPointer("the rows or the results")
	}
	var results []float64
	if what == 1 {
		results, err = m.Probabilities(X)
	} else {
		results, err = m.Scores(X)
	}
	copy(dst, results)
	return failWith(err)
}
