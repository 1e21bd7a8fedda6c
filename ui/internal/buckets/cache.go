package buckets

import (
	"strconv"

	"github.com/tensorsketch/tensorsketch/sketch"
)

// A Cache keeps the last map, so that dragging a bar makes no new one. Its zero
// value is ready.
type Cache struct {
	key  key
	m    *sketch.TensorSketch
	h, s []int
}

type key struct {
	nFeatures, nComponents int
	seed                   sketch.Seed
	hash                   sketch.HashSource
}

// prepare makes the map of the parameters, unless it is the last one.
func (c *Cache) prepare(p *Params, d int) error {
	wanted := key{d, p.NComponents, p.Seed, p.Hash}
	if c.m != nil && c.key == wanted {
		return nil
	}
	m, err := newMap(wanted)
	if err != nil {
		return err
	}
	c.key, c.m = wanted, m
	c.h, c.s = make([]int, d), make([]int, d)
	for i := range d {
		c.h[i], c.s[i] = m.Hash(0, i)
	}
	return nil
}

// newMap returns the count sketch; its features are those of x itself.
func newMap(k key) (*sketch.TensorSketch, error) {
	params := sketch.Params{Method: sketch.MethodCountSketch, NFeatures: k.nFeatures, NComponents: k.nComponents, Degree: 1, Gamma: 1,
		Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
	switch k.hash {
	case "", sketch.HashSeed:
		params.Seed = k.seed
	case sketch.HashRandomState:
		if k.seed.Kind() != sketch.SeedInt || k.seed.Int() >= 1<<32 {
			return nil, refuse("seed", k.seed.String(), "be an integer from 0 to 4294967295 for scikit-learn's tables")
		}
		state := uint32(k.seed.Int())
		params.RandomState = &state
	default:
		return nil, refuse("hash", strconv.Quote(string(k.hash)), `be one of "`+string(sketch.HashSeed)+`", "`+string(sketch.HashRandomState)+`"`)
	}
	if err := params.ValidateForNew(); err != nil { // New would take 0 as a default
		return nil, err
	}
	return sketch.New(params)
}

func refuse(argument, value, want string) error {
	return &sketch.Error{Code: sketch.ErrParam, Argument: argument, Value: value, Want: want, Row: -1, Column: -1, RowsDone: -1}
}
