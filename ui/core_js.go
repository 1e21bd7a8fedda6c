package main

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
)

// core is the public JavaScript API, loaded by boot.js. It runs in the page, so long computations go to the worker
// instead.
type core struct{ module dom.Value }

// featureMap makes a feature map of the API. If key is not undefined, it replaces the seed.
func (c *core) featureMap(p sketch.Params, key dom.Value) (dom.Value, error) {
	params := paramsValue(p, key)
	give(params, "key", !key.IsUndefined(), key)
	return dom.Try(c.module, "featureMap", params)
}

// paramsValue returns parameters in the form that featureMap of the API takes, without the seed if there is a key.
func paramsValue(p sketch.Params, key dom.Value) map[string]any {
	params := map[string]any{"method": p.Method, "nFeatures": p.NFeatures, "nComponents": p.NComponents, "coef0": p.Coef0,
		"normalize": p.Normalize}
	give(params, "seed", key.IsUndefined(), seedValue(p.Seed))
	give(params, "degree", p.Degree != 0, p.Degree)
	give(params, "gamma", p.Gamma != 0, p.Gamma)
	give(params, "output", p.Output != "", p.Output)
	own := map[string]any{}
	give(own, "kernel", p.MethodParams.Kernel != "", p.MethodParams.Kernel)
	give(own, "a", p.MethodParams.A != 0, p.MethodParams.A)
	params["methodParams"] = own
	return params
}

// give sets params[name] if given; otherwise the core's default applies.
func give(params map[string]any, name string, given bool, value any) {
	if given {
		params[name] = value
	}
}

// seedValue returns a text seed as a string and an integer seed as a BigInt, because it may exceed the range of a
// number.
func seedValue(seed sketch.Seed) any {
	if text, ok := seed.Text(); ok {
		return text
	}
	n, _ := seed.Int()
	return dom.BigInt(n)
}

// refusal explains err if the core refused a row of the data; other errors it returns unchanged.
func refusal(err error, data *embed.Data, params embed.Settings) error {
	failure, ok := err.(*dom.Error)
	if !ok || failure.Row < 0 {
		return err
	}
	return data.Refusal(&embed.RowError{Place: failure.Place, Overflow: failure.Code == sketch.ErrOverflow.String(),
		Message: failure.Message}, params)
}
