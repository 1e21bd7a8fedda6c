package convolution

import (
	"math"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// TestDrag: dragging to where a value is drawn gives that value. TestPictures drags beyond the strip.
func TestDrag(t *testing.T) {
	random := splitmix.Source(9)
	var cache Cache
	for range 100 {
		p := someParams(&random)
		c := made(t, p, &cache)
		size := c.Fit([]float64{320, 521, 1100}[random.Below(3)], 800, 13)
		item := lesson.Item{Kind: lesson.Coordinate, I: random.Below(len(p.X))}
		value := vector.Round(random.Between(-1, 1))
		y := c.layout(size).strip.Up(-1, 1).At(value)
		change, _ := c.Drag(size, item, 0, y)
		if x, _ := vector.Parse(change.Text); len(x) != len(p.X) || math.Abs(x[item.I]-value) > 1e-9 {
			t.Errorf("%s: dragged to %v, coordinate %d gives %+v", named(p), value, item.I, change)
		}
	}
}
