package sketch_test

import (
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/product"
	"tensorsketch.example/test/need"
)

func init() { sketch.OfProduct = ofProduct }

func ofProduct(t *testing.T, nComponents, repeats int, seed sketch.Seed, A, B []float32) (values []float64) {
	c := need.Value(product.New(product.Params{M: 5, N: 7, NComponents: nComponents, Repeats: repeats, Seed: seed}))(t)
	need.OK(t, c.Add(A, B))
	for i := range 5 {
		for j := range 7 {
			values = append(values, c.Entry(i, j))
		}
	}
	values = append(values, c.StdError(4, 6))
	for _, e := range c.Largest(3) {
		values = append(values, float64(e.I), float64(e.J), e.Value)
	}
	return values
}
