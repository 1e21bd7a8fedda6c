package main

import (
	"errors"
	"strconv"
	"syscall/js"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/sketch"
)

// core is the public JavaScript API, loaded by boot.js. What takes long is for the worker and not for this one.
type core struct{ module safejs.Value }

// loadCore waits for the core, which is loaded once.
func loadCore() (*core, error) {
	promise, err := safejs.Global().Call("tensorsketch")
	if err != nil {
		return nil, err
	}
	module, err := await(promise)
	return &core{module}, err
}

// threads returns how many workers the core has.
func (c *core) threads() int {
	capabilities, err := c.module.Get("capabilities")
	if err != nil {
		return 0
	}
	value, err := capabilities.Get("threads")
	if err != nil {
		return 0
	}
	threads, _ := value.Int()
	return threads
}

// A featureMap is one of the API's.
type featureMap struct{ value safejs.Value }

// featureMap makes a map, from a key in place of the seed if there is one.
func (c *core) featureMap(p sketch.Params, key safejs.Value) (*featureMap, error) {
	params, err := paramsValue(p)
	if err != nil {
		return nil, err
	}
	if !key.IsUndefined() {
		delete(params, "seed")
		params["key"] = key
	}
	value, err := c.module.Call("featureMap", params)
	return &featureMap{value}, thrown(err)
}

// paramsValue returns parameters as featureMap takes them.
func paramsValue(p sketch.Params) (map[string]any, error) {
	seed, err := seedValue(p.Seed)
	if err != nil {
		return nil, err
	}
	params := map[string]any{"method": p.Method, "nFeatures": p.NFeatures, "nComponents": p.NComponents, "coef0": p.Coef0,
		"seed": seed, "normalize": p.Normalize}
	give(params, "degree", p.Degree != 0, p.Degree)
	give(params, "gamma", p.Gamma != 0, p.Gamma)
	give(params, "output", p.Output != "", p.Output)
	own := map[string]any{}
	give(own, "kernel", p.MethodParams.Kernel != "", p.MethodParams.Kernel)
	give(own, "a", p.MethodParams.A != 0, p.MethodParams.A)
	params["methodParams"] = own
	return params, nil
}

// give sets what is not left to the core's default.
func give(params map[string]any, name string, given bool, value any) {
	if given {
		params[name] = value
	}
}

// seedValue returns an integer as a BigInt, for it may exceed what a number holds.
func seedValue(seed sketch.Seed) (any, error) {
	if text, ok := seed.Text(); ok {
		return text, nil
	}
	bigInt, err := safejs.Global().Get("BigInt")
	if err != nil {
		return nil, err
	}
	n, _ := seed.Int()
	return bigInt.Invoke(strconv.FormatUint(n, 10))
}

// thrown turns what JavaScript threw into an error with its message alone.
func thrown(err error) error {
	var exception js.Error
	if errors.As(err, &exception) {
		return newJSError(safejs.Safe(exception.Value))
	}
	return err
}

func (m *featureMap) dispose() { _, _ = m.value.Call("dispose") }

// rowError makes an error on a row one that Data.Refusal can tell of.
func rowError(err error) (*RowError, bool) {
	failure, ok := err.(*jsError)
	if !ok || failure.row < 0 {
		return nil, false
	}
	return &RowError{Place: failure.place, Overflow: failure.code == sketch.ErrOverflow.String(),
		Message: failure.message}, true
}
