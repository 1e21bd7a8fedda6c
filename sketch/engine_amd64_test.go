//go:build goexperiment.simd && go1.27 && !tinygo

package sketch

import (
	"testing"

	"tensorsketch.example/internal/engine/dispatch"
)

// The engine for amd64 without AVX2 passes the tests that compare features, and
// gives the same bits.
func TestScalarEngine(t *testing.T) {
	if !dispatch.HasAVX2 {
		t.Log("this machine has no AVX2: the other tests run the scalar engine already")
	}
	defer func(has bool) { dispatch.HasAVX2 = has }(dispatch.HasAVX2)
	dispatch.HasAVX2 = false
	t.Run("Identity", TestIdentity)
	t.Run("IdentityOfProducts", TestIdentityOfProducts)
	t.Run("ScikitLearn", TestScikitLearn)
	t.Run("Contract", TestContract)
	t.Run("BadRows", TestBadRows)
	t.Run("MemoryBytes", TestMemoryBytes)
	t.Run("Digests", TestDigests)
}
