package main

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/dom"
	"tensorsketch.example/ui/internal/embed"
)

// core is the public JavaScript API, loaded by boot.js. What takes long is for the worker and not for this one.
type core struct{ module dom.Value }

// threads returns how many workers the core has.
func (c *core) threads() int { return dom.Int(c.module, "capabilities", "threads") }

// A featureMap is one of the API's.
type featureMap struct{ value dom.Value }

// featureMap makes a map, from a key in place of the seed if there is one.
func (c *core) featureMap(p sketch.Params, key dom.Value) (*featureMap, error) {
	params := paramsValue(p)
	if !key.IsUndefined() {
		delete(params, "seed")
		params["key"] = key
	}
	value, err := dom.Try(c.module, "featureMap", params)
	return &featureMap{value}, err
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

func (m *featureMap) dispose() { m.value.Call("dispose") }

// rowError makes an error on a row one that Data.Refusal can tell of.
func rowError(err error) (*embed.RowError, bool) {
	failure, ok := err.(*dom.Error)
	if !ok || failure.Row < 0 {
		return nil, false
	}
	return &embed.RowError{Place: failure.Place, Overflow: failure.Code == sketch.ErrOverflow.String(),
		Message: failure.Message}, true
}
