package buckets

import (
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
)

// A Cache keeps the last map, so that dragging a bar does not make a new one. Its zero value is ready to use.
type Cache struct {
	key key
	tables
	draws
}

// tables are a map with its hash tables.
type tables struct {
	m    *sketch.FeatureMap
	h    []int // bucket of each coordinate
	s    []bars.Turn
	slot []int // of each coordinate: the index in the sketch that it adds to
}

type key struct {
	method                 string
	nFeatures, nComponents int
	seed                   sketch.Seed
	hash                   string
}

// prepare makes the map for the parameters, unless the cache already has it.
func (c *Cache) prepare(p *Params) error {
	wanted := keyOf(p, p.Seed)
	if c.m != nil && c.key == wanted {
		return nil
	}
	m, err := newMap(wanted)
	if err != nil {
		return err
	}
	c.key, c.tables = wanted, tables{m: m}
	for i := range p.X {
		bucket, sign := bars.Hash(m, 0, i, bars.Parts(p.Method))
		slot := bucket*bars.Parts(p.Method) + sign.Part()
		c.slot, c.h, c.s = append(c.slot, slot), append(c.h, bucket), append(c.s, sign)
	}
	return nil
}

// keyOf returns the key of the parameters with the given seed.
func keyOf(p *Params, seed sketch.Seed) key {
	method := p.Method
	if method == "" || method == sketch.MethodTensorSketch {
		method = sketch.MethodCountSketch
	}
	return key{method, len(p.X), p.NComponents, seed, p.Hash}
}

// newMap returns the map at degree 1, which is the count sketch: its features are the sketch of x itself.
func newMap(k key) (*sketch.FeatureMap, error) {
	params := sketch.Params{Method: k.method, NFeatures: k.nFeatures, NComponents: k.nComponents, Degree: 1, Gamma: 1,
		Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
	if k.hash == sketch.HashRandomState {
		n, _ := k.seed.Int() // below 2³²: State.Settle sees to it
		params.RandomState = new(uint32(n))
	} else {
		params.Seed = k.seed
	}
	if err := params.ValidateForNew(); err != nil { // because New would take 0 as a default
		return nil, err
	}
	return sketch.New(params)
}
