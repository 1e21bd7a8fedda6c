//go:build goexperiment.simd && go1.27 && !tinygo

package sketch

import "testing"

// The engine for amd64 without AVX2 passes the tests that compare features, and
// gives the same bits.
func TestScalarEngine(t *testing.T) {
	if !hasAVX2 {
		t.Log("this machine has no AVX2: the other tests run the scalar engine already")
	}
	defer func(has bool) { hasAVX2 = has }(hasAVX2)
	hasAVX2 = false
	t.Run("Identity", TestIdentity)
	t.Run("IdentityOfProducts", TestIdentityOfProducts)
	t.Run("ScikitLearn", TestScikitLearn)
	t.Run("Contract", TestContract)
	t.Run("BadRows", TestBadRows)
	t.Run("MemoryBytes", TestMemoryBytes)
	t.Run("Digests", TestDigests)
}
