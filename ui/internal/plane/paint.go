package plane

import (
	"math"
	"slices"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
)

// mostPixels is the maximum number of pixels that are painted: enough for soft colours, because the borders are drawn
// sharply over them.
const mostPixels = 200_000

// Paint implements lesson.Painter: it paints the answers of the three models, stronger where the score is larger, with
// stripes where the answer is −.
func (c *Picture) Paint(size lesson.Size, _ lesson.Item, scale float64, dark bool, pixels []byte) (part lesson.Rect,
	width, height int, painted []byte) {
	if c.learned == 0 {
		return lesson.Rect{}, 0, 0, pixels[:0]
	}
	l := c.layout(size)
	if c.parts == nil {
		return paint(c.models[:], l.panels[:], size.Em, scale, dark, pixels)
	}
	models := append(c.parts.scaled(), c.parts.sum, c.models[exact])
	return paint(models, append(slices.Clip(l.maps), l.panels[1:]...), size.Em, scale, dark, pixels)
}

// paint paints the answers of models into their panels.
func paint(models []*model, panels []lesson.Rect, em, scale float64, dark bool, pixels []byte) (part lesson.Rect,
	width, height int, painted []byte) {
	part = panels[0]
	right, bottom := 0.0, 0.0
	for _, r := range panels {
		part.X, part.Y = min(part.X, r.X), min(part.Y, r.Y)
		right, bottom = max(right, r.X+r.Width), max(bottom, r.Y+r.Height)
	}
	part.Width, part.Height = right-part.X, bottom-part.Y
	zoom := min(scale, math.Sqrt(mostPixels/(part.Width*part.Height)))
	width, height = max(int(part.Width*zoom), 1), max(int(part.Height*zoom), 1)
	pixels = slices.Grow(pixels[:0], 4*width*height)[:4*width*height]
	clear(pixels)
	plus, minus := draw.RGB{R: 29, G: 95, B: 196}, draw.RGB{R: 184, G: 72, B: 10}
	if dark {
		plus, minus = draw.RGB{R: 125, G: 176, B: 255}, draw.RGB{R: 255, G: 154, B: 92}
	}
	period := max(int(.75*em*zoom), 4)
	for k, r := range panels {
		x0, y0 := int((r.X-part.X)*zoom+.5), int((r.Y-part.Y)*zoom+.5)
		x1, y1 := min(x0+int(r.Width*zoom), width), min(y0+int(r.Height*zoom), height)
		step := 2 * edge / (r.Width * zoom)
		scores := make([]float64, max(x1-x0, 0))
		for y := y0; y < y1; y++ {
			along := models[k].along(edge - (float64(y-y0)+.5)*step)
			along.fill(scores, step)
			row := pixels[4*(y*width+x0) : 4*(y*width+x1)]
			for x, score := range scores {
				colour, alpha := plus, 36+70*score
				switch {
				case score > 1:
					alpha = 36 + 70
				case score <= 0:
					colour, alpha = minus, 26-60*score
					if score < -1 {
						alpha = 26 + 60
					}
					if (x+y)%period < (period+2)/4 {
						alpha += 60
					}
				}
				pixel := row[4*x : 4*x+4]
				pixel[0], pixel[1], pixel[2], pixel[3] = colour.R, colour.G, colour.B, byte(alpha)
			}
		}
	}
	return part, width, height, pixels
}
