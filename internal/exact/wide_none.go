//go:build !(goexperiment.simd && go1.27 && !tinygo && amd64)

package exact

func wideAddFour(b *Block, rows *[4][]float32, factors *[4]float64, shift, shift2 float64) int {
	return 0
}

func wideSpread(values []float32) (Spread, []float32) { return 0, values }
