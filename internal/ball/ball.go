// Package ball rounds vectors to integer vectors that are never longer than a limit.
package ball

import "math"

// Round writes into v the integers nearest to scale·z, where ‖scale·z‖ ≤ limit to rounding. Then it
// makes sure that ‖v‖ ≤ limit, from 1 to 2^31. v has the length of z, whose numbers are finite.
//
// That last inequality is checked exactly, in integers, whatever the rounding before. It alone
// carries the privacy, because any two results then differ by at most ‖v‖ + ‖w‖ ≤ 2·limit. If
// rounding pushed v outside, every component moves one unit towards zero. Each nonzero |v_i| was
// rounded up by at most ½, so one such step leaves it below scale·|z_i| and ‖v‖ inside again. The
// loop covers the rounding of scale.
func Round[T int32 | int64](v []T, z []float32, scale float64, limit int64) {
	for i, x := range z {
		v[i] = T(math.RoundToEven(scale * float64(x)))
	}
	for !Inside(v, limit) {
		for i, x := range v {
			switch {
			case x > 0:
				v[i] = x - 1
			case x < 0:
				v[i] = x + 1
			}
		}
	}
}

// Inside reports whether ‖v‖ ≤ limit. It stops adding squares above limit² ≤ 2^62, and components
// are at most limit + 1, so nothing overflows.
func Inside[T int32 | int64](v []T, limit int64) bool {
	most, sum := uint64(limit)*uint64(limit), uint64(0)
	for _, x := range v {
		if sum += uint64(int64(x) * int64(x)); sum > most {
			return false
		}
	}
	return true
}
