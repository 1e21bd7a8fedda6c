//go:build js && wasm

package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset"
	"tensorsketch.example/jobs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// NewMap makes a map of the API.
func (m mapper) NewMap(p sketch.Params) (jobs.Map, error) {
	given, err := paramsOf(&p)
	if err != nil {
		return nil, err
	}
	value, err := ask(m.api, "featureMap", given)
	if err != nil {
		return nil, err
	}
	return m.mapOf(value, p)
}

// OpenMap opens the map of a model file. A model has its preparation before it.
func (m mapper) OpenMap(file []byte, key *[32]byte) (jobs.Map, error) {
	value, err := m.open(file, key)
	if err != nil {
		return nil, err
	}
	content, err := parametersOf(file, key)
	if err != nil {
		return nil, err
	}
	if content.Head != nil {
		if value, err = value.Get("map"); err != nil {
			return nil, err
		}
	}
	made, err := m.mapOf(value, content.Params)
	if err == nil && content.Head != nil {
		made.preparation = content.Head.Preparation
	}
	return made, err
}

// mapOf returns a map of the API, with the defaults that the API resolves. Params.WithDefaults would do so, too, and
// link every method.
func (m mapper) mapOf(value safejs.Value, p sketch.Params) (*apiMap, error) {
	params, err := value.Get("params")
	for name, to := range map[string]*int{"degree": &p.Degree, "nComponents": &p.NComponents, "repeats": &p.Repeats} {
		if err == nil {
			*to, err = integerOf(params, name)
		}
	}
	p.Method = cmp.Or(p.Method, sketch.MethodTensorSketch)
	if err != nil {
		return nil, err
	}
	threads, err := m.threads()
	return &apiMap{value: value, params: p, saved: m.saved, flights: make([]flight, threads+2)}, err
}

// threads returns the number of workers of the API.
func (m mapper) threads() (int, error) {
	able, err := m.api.Get("capabilities")
	if err != nil {
		return 0, err
	}
	return integerOf(able, "threads")
}

// paramsOf returns parameters as featureMap of the API takes them.
func paramsOf(p *sketch.Params) (map[string]any, error) {
	own := map[string]any{}
	for name, value := range p.MethodParams.All {
		if list, ok := value.([]float64); ok {
			items := make([]any, len(list))
			for i, x := range list {
				items[i] = x
			}
			value = items
		}
		own[name] = value
	}
	given := map[string]any{"nFeatures": p.NFeatures, "coef0": p.Coef0, "methodParams": own}
	for name, text := range map[string]string{"method": p.Method, "normalize": p.Normalize, "output": p.Output} {
		if text != "" {
			given[name] = text
		}
	}
	for name, n := range map[string]int{"nComponents": p.NComponents, "degree": p.Degree, "repeats": p.Repeats} {
		if n != 0 {
			given[name] = n
		}
	}
	if p.Gamma != 0 {
		given["gamma"] = p.Gamma
	}
	if p.IndexHash != nil {
		return given, setTables(given, p)
	}
	return given, setSeed(given, p)
}

// setTables sets the tables of hashes, as JavaScript takes them.
func setTables(given map[string]any, p *sketch.Params) error {
	text, err := json.Marshal(map[string]any{"indexHash": p.IndexHash, "bitHash": p.BitHash})
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &given)
}

// setSeed sets the seed, which is a BigInt since it may exceed the integers that a number holds, or the key.
func setSeed(given map[string]any, p *sketch.Params) (err error) {
	if key, ok := p.Seed.Bytes(); ok && p.Keyed {
		given["key"], err = newArray("Uint8Array", key[:])
	} else if text, ok := p.Seed.Text(); ok {
		given["seed"] = text
	} else if n, ok := p.Seed.Int(); ok {
		given["seed"], err = ask(safejs.Global(), "BigInt", strconv.FormatUint(n, 10))
	}
	return err
}

// key returns the key of a keyed map, or nil.
func (m *apiMap) key() *[32]byte {
	if key, ok := m.params.Seed.Bytes(); ok && m.params.Keyed {
		return &key
	}
	return nil
}

// An apiMap is a map of the API. The map of a model has no value: the API uses it within.
type apiMap struct {
	jobs.Map
	value       safejs.Value
	params      sketch.Params
	preparation *prepare.Preparation // before the map, or nil
	candidates  json.RawMessage      // of the search that chose the map, or nil
	saved       map[string]any       // options of toJSON
	rows        arrays
	flights     []flight // in turn
	begun       int
	alone       flight // of Features, which may come between a Begin and its end
	features    []float32
}

// A flight is rows whose features are being made.
type flight struct {
	rows arrays
	out  array
}

// Params returns the parameters.
func (m *apiMap) Params() sketch.Params { return m.params }

// NFeatures returns the length of a row before it is prepared.
func (m *apiMap) NFeatures() int {
	if m.preparation != nil {
		return m.preparation.NFeatures()
	}
	return m.params.NFeatures
}

// NComponents returns the number of features of a row.
func (m *apiMap) NComponents() int { return m.params.NComponents * max(1, m.params.Repeats) }

// Features returns the features of rows.
func (m *apiMap) Features(c *jobs.Control, X sketch.Rows) ([]float32, error) {
	return m.begin(c, X, &m.alone)()
}

// Ahead returns a block for each worker, and one that waits.
func (m *apiMap) Ahead() int { return len(m.flights) - 1 }

// Begin begins the features of rows.
func (m *apiMap) Begin(c *jobs.Control, X sketch.Rows) (wait func() ([]float32, error)) {
	m.begun++
	return m.begin(c, X, &m.flights[m.begun%len(m.flights)])
}

func (m *apiMap) begin(c *jobs.Control, X sketch.Rows, in *flight) (wait func() ([]float32, error)) {
	X, _, err := m.preparation.Rows(X, nil)
	if err != nil {
		return func() ([]float32, error) { return nil, err }
	}
	rows, err := in.rows.of(X)
	n := m.NComponents() * jobs.CountRows(X, m.params.NFeatures)
	var out safejs.Value
	if err == nil {
		out, err = in.out.view("Float32Array", n, 4*n)
	}
	done := interruptible(c, func(options map[string]any) (safejs.Value, error) {
		if err != nil {
			return out, err
		}
		options["out"] = out
		return m.value.Call("transformAsync", rows, options)
	})
	return func() ([]float32, error) {
		if _, err := done(); err != nil {
			return nil, err
		}
		m.features = slices.Grow(m.features[:0], n)[:n]
		_, err := safejs.CopyBytesToGo(bytesOf(m.features), in.out.bytes)
		return m.features, err
	}
}

// Fit fits a map whose method needs it to rows.
func (m *apiMap) Fit(c *jobs.Control, X sketch.Rows) error {
	if err := c.Check(); err != nil {
		return err
	}
	rows, err := m.rows.of(X)
	if err == nil {
		_, err = ask(m.value, "fit", rows)
	}
	return err
}

// Fitter fits a map of method k-space to rows in parts.
func (m *apiMap) Fitter(c *jobs.Control) (jobs.Fitter, error) {
	value, err := ask(m.value, "fitter")
	return &apiFitter{c: c, value: value, rows: &m.rows}, err
}

type apiFitter struct {
	c     *jobs.Control
	value safejs.Value
	rows  *arrays
}

func (f *apiFitter) take(method string, X sketch.Rows) error {
	rows, err := f.rows.of(X)
	if err == nil {
		_, err = ask(f.value, method, rows)
	}
	return err
}

func (f *apiFitter) Measure(X sketch.Rows) error { return f.take("measure", X) }

func (f *apiFitter) Add(X sketch.Rows) error { return f.take("add", X) }

// Step does all the work, in which the API gives way to other events.
func (f *apiFitter) Step() (done float64, finished bool, err error) {
	_, err = interruptible(f.c, func(options map[string]any) (safejs.Value, error) {
		return f.value.Call("finishAsync", options)
	})()
	return 1, err == nil, err
}

// Bound returns C for a private release.
func (m *apiMap) Bound(radius float64) (float64, error) {
	options := map[string]any{"epsilon": 1, "delta": 1e-5}
	if radius == radius {
		options["radius"] = radius
	}
	privacy, err := m.value.Get("privacy")
	if err != nil {
		return 0, err
	}
	meter, err := ask(privacy, "meter", options)
	if err != nil {
		return 0, err
	}
	signal, err := meter.Get("signal")
	if err != nil {
		return 0, err
	}
	return signal.Float()
}

// File returns the map as a model file.
func (m *apiMap) File(p *dataset.Preprocessing) ([]byte, error) {
	var text []byte
	if p != nil {
		var err error
		if text, err = json.Marshal(p); err != nil {
			return nil, err
		}
	}
	return fileOf(m.value, string(text), m.saved)
}

// fileOf returns the model file of a map or model of the API, with the JSON of a preprocessing or "", and with other
// options of toJSON.
func fileOf(value safejs.Value, preprocessing string, saved map[string]any) ([]byte, error) {
	options := map[string]any{}
	maps.Copy(options, saved)
	if preprocessing != "" {
		parsed, err := parsed(preprocessing)
		if err != nil {
			return nil, err
		}
		options["preprocessing"] = parsed
	}
	object, err := ask(value, "toJSON", options)
	if err != nil {
		return nil, err
	}
	text, err := fromJSON("stringify", object)
	if err != nil {
		return nil, err
	}
	file, err := text.String()
	return []byte(file), err
}

// parsed returns the value of a JSON text.
func parsed(text string) (safejs.Value, error) { return fromJSON("parse", text) }

// fromJSON calls a function of JSON.
func fromJSON(method string, argument any) (safejs.Value, error) {
	object, err := safejs.Global().Get("JSON")
	if err != nil {
		return object, err
	}
	return ask(object, method, argument)
}

// integerOf returns a whole number among the properties of v.
func integerOf(v safejs.Value, name string) (int, error) {
	n, err := v.Get(name)
	if err != nil {
		return 0, err
	}
	return n.Int()
}

// Close gives the memory of the core back.
func (m *apiMap) Close() { _, _ = m.value.Call("dispose") }
