package main

import (
	"context"
	"math"
	"time"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embedding"
)

// core is the public JavaScript API, loaded by boot.js.
type core struct{ module safejs.Value }

// threads returns how many workers the core has.
func (c *core) threads() int { return dom.Int(c.module, "capabilities", "threads") }

// warmUp has the core start its workers while there is a network to fetch them
// from: the page promises to work without one. The work is made up and dropped, and
// the workers end: what comes next may do without them.
func (c *core) warmUp() error {
	theory, err := sketch.NewTensorFormulas(sketch.Params{NFeatures: 1, NComponents: 1024, Degree: 16})
	if err != nil {
		return err
	}
	model, err := c.featureMap(theory.Params(), safejs.Undefined())
	if err != nil {
		return err
	}
	defer model.dispose()
	rows := 250 * c.threads() // some tens of milliseconds each
	_, err = dom.Ask(model.value, "transformAsync", dom.New("Float32Array", rows))
	c.rest()
	return err
}

// rest ends the core's workers, which another run starts again: what a file takes has
// workers of its own.
func (c *core) rest() { _, _ = c.module.Call("rest") }

// A featureMap is one of the API's.
type featureMap struct{ value safejs.Value }

// featureMap makes a map, from a key in place of the seed if there is one.
func (c *core) featureMap(p sketch.Params, key safejs.Value) (*featureMap, error) {
	params := paramsValue(p)
	if !key.IsUndefined() {
		delete(params, "seed")
		params["key"] = key
	}
	value, err := c.module.Call("featureMap", params)
	return &featureMap{value}, thrown(err)
}

// paramsValue returns parameters as featureMap takes them.
func paramsValue(p sketch.Params) map[string]any {
	params := map[string]any{"method": p.Method, "nFeatures": p.NFeatures, "nComponents": p.NComponents, "coef0": p.Coef0,
		"seed": seedValue(p.Seed), "normalize": p.Normalize}
	give(params, "degree", p.Degree != 0, p.Degree)
	give(params, "gamma", p.Gamma != 0, p.Gamma)
	give(params, "output", p.Output != "", p.Output)
	own := map[string]any{}
	give(own, "kernel", p.MethodParams.Kernel != "", p.MethodParams.Kernel)
	give(own, "a", p.MethodParams.A != 0, p.MethodParams.A)
	params["methodParams"] = own
	return params
}

// give sets what is not left to the core's default.
func give(params map[string]any, name string, given bool, value any) {
	if given {
		params[name] = value
	}
}

// seedValue returns an integer as a BigInt, for it may exceed what a number holds.
func seedValue(seed sketch.Seed) any {
	if text, ok := seed.Text(); ok {
		return text
	}
	n, _ := seed.Int()
	return dom.BigInt(n)
}

// start begins to embed rows; the promise is of a Float32Array.
func (m *featureMap) start(x safejs.Value, signal safejs.Value) (safejs.Value, error) {
	return m.value.Call("transformAsync", x, map[string]any{"signal": signal})
}

// timePerRow measures the core alone, without reading, keeping or drawing: the
// best of three calls.
func (m *featureMap) timePerRow(rows embedding.Rows) (time.Duration, error) {
	x, err := rowsForCore(rows)
	if err != nil {
		return 0, err
	}
	best := time.Duration(math.MaxInt64)
	for range 3 {
		started := time.Now()
		if _, err := dom.Ask(m.value, "transformAsync", x); err != nil {
			return 0, err
		}
		best = min(best, time.Since(started))
	}
	return best / time.Duration(rows.Len()), nil
}

// fit chooses landmarks among rows.
func (m *featureMap) fit(head *embedding.Head) error {
	parts := []any{}
	for _, rows := range head.Blocks {
		x, err := rowsForCore(rows)
		if err != nil {
			return err
		}
		parts = append(parts, x)
	}
	joined, err := safejs.Global().Call("joinRows", parts)
	if err != nil {
		return err
	}
	_, err = m.value.Call("fit", joined)
	return rowError(thrown(err))
}

// formulas are those of the map: it is a report.Formulas.
func (m *featureMap) formulas(rows []float32) ([]float64, error) {
	said, err := safejs.Global().Call("formulas", m.value, dom.Float32Array(rows))
	if err != nil {
		return nil, thrown(err)
	}
	return dom.Numbers[float64](nil, said), nil
}

func (m *featureMap) dispose() { _, _ = m.value.Call("dispose") }

// A mapper embeds blocks: it is an embedding.Mapper.
type mapper struct {
	model   *featureMap
	signal  safejs.Value
	first   embedding.Rows // that it began with
	scratch []float32
}

// newMapper returns a mapper whose work ends when the context does.
func newMapper(ctx context.Context, model *featureMap) (m *mapper, release func(), err error) {
	controller, err := newObject("AbortController")
	if err != nil {
		return nil, nil, err
	}
	signal, err := controller.Get("signal")
	if err != nil {
		return nil, nil, err
	}
	stop := context.AfterFunc(ctx, func() { _, _ = controller.Call("abort") })
	return &mapper{model: model, signal: signal}, func() { stop() }, nil
}

func (m *mapper) Start(rows embedding.Rows) (func() ([]float32, error), error) {
	if m.first == nil {
		m.first = rows
	}
	x, err := rowsForCore(rows)
	if err != nil {
		return nil, err
	}
	promise, err := m.model.start(x, m.signal)
	if err != nil {
		return nil, thrown(err)
	}
	settled, err := awaitable(promise)
	if err != nil {
		return nil, err
	}
	return func() ([]float32, error) {
		z, err := settled()
		if err != nil {
			return nil, rowError(err)
		}
		m.scratch, err = copyFloats(m.scratch, z)
		return m.scratch, err
	}, nil
}

// rowError makes the core's error on a row one that can be told the row's line.
func rowError(err error) error {
	if failure, ok := err.(*dom.Error); ok && failure.Row >= 0 {
		return &embedding.RowError{Row: failure.Row, Overflow: failure.Code == sketch.ErrOverflow.String(),
			Message: failure.Message}
	}
	return err
}
