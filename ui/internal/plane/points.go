package plane

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/control"
)

// A Point of the plane belongs to the class + or −.
type Point struct {
	X, Y  float64
	Minus bool
}

// The values of Params.Preset.
const (
	Circles = "circles"
	XOR     = "xor"
	Spirals = "spirals"
	Moons   = "moons"
	Own     = "own" // only the visitor's points
)

var presets = control.Options(Circles, "Circles", XOR, "XOR", Spirals, "Spirals", Moons, "Moons", Own, "Only yours")

const (
	// MostOwn is the maximum number of the visitor's points. The limit exists because each link contains them.
	MostOwn = 200
	// edge is the end of the picture: x and y reach from −edge to edge.
	edge = 1.2
)

// FormatPoints writes points for a link, in hundredths: p35,-20 is + at (0.35, −0.20), m stands for −.
func FormatPoints(points []Point) string {
	var b strings.Builder
	for _, p := range points {
		class := byte('p')
		if p.Minus {
			class = 'm'
		}
		b.WriteByte(class)
		b.WriteString(strconv.Itoa(hundredths(p.X)) + "," + strconv.Itoa(hundredths(p.Y)))
	}
	return b.String()
}

// ParsePoints reads what FormatPoints writes. ok is false if a point is not of this form or out of the picture, or if
// there are too many.
func ParsePoints(text string) (points []Point, ok bool) {
	for text != "" {
		class := text[0]
		if class != 'p' && class != 'm' || len(points) == MostOwn {
			return nil, false
		}
		text = text[1:]
		end := strings.IndexAny(text, "pm")
		if end < 0 {
			end = len(text)
		}
		first, second, _ := strings.Cut(text[:end], ",")
		x, err := strconv.Atoi(first)
		y, wrong := strconv.Atoi(second)
		if err != nil || wrong != nil || max(x, -x, y, -y) > 100*edge {
			return nil, false
		}
		points = append(points, Point{float64(x) / 100, float64(y) / 100, class == 'm'})
		text = text[end:]
	}
	return points, true
}

// hundredths returns x in hundredths, within the picture.
func hundredths(x float64) int {
	n := 100*x + .5
	if n < 0 {
		n--
	}
	return min(max(int(n), -int(100*edge)), int(100*edge))
}
