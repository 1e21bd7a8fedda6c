package ball_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/internal/ball"
)

// No vector is longer than the limit, none is shortened without need, and no number grows.
func TestRound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	shortened := 0
	for range 20000 {
		limit := 1 + rng.Int64N(5000)
		z, square := make([]float32, 1+rng.IntN(60)), 0.0
		for i := range z {
			z[i] = float32(rng.NormFloat64())
			square += float64(z[i]) * float64(z[i])
		}
		scale := float64(limit) / math.Sqrt(square) * (1 - 1e-3*float64(rng.IntN(2)))
		v, nearest, sum := make([]int32, len(z)), int64(0), int64(0)
		ball.Round(v, z, scale, limit)
		same := true
		for i, x := range v {
			near := int64(math.RoundToEven(scale * float64(z[i])))
			nearest += near * near
			sum += int64(x) * int64(x)
			same = same && int64(x) == near
			if math.Abs(float64(x)) > math.Abs(float64(near)) {
				t.Fatalf("%v times %g became %v", z, scale, v)
			}
		}
		if sum > limit*limit || ball.Inside(v, limit) != (sum <= limit*limit) || same != (nearest <= limit*limit) {
			t.Fatalf("limit %d: %v times %g became %v", limit, z, scale, v)
		}
		if !same {
			shortened++
		}
	}
	if shortened < 1000 {
		t.Errorf("only %d vectors were near the limit", shortened)
	}
}
