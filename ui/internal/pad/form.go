package pad

import "strconv"

// A Form is how the makers of a set of digits brought each drawing into an image of Side × Side numbers.
type Form struct {
	Side  int
	Usual float64 // the largest number of an image, where the data does not say it
	draw  func(all []segment) []float64
	About string // for the visitor
}

// forms are the sets of digits that are known.
var forms = []Form{
	{8, 16, counts, "As in the UCI digits, the drawing is made upright and fills 20 × 32 points; each number counts " +
		"the dark points among 4 × 4."},
	{28, 255, grey, "As in MNIST, the drawing fills a box of 20 × 20, and its centre of mass is in the middle of " +
		"28 × 28."},
}

// FormOf returns the form of data with so many columns of numbers and these classes, or nil if they are no digits.
func FormOf(columns int, classes []string) *Form {
	for _, class := range classes {
		if len(class) != 1 || class[0] < '0' || class[0] > '9' {
			return nil
		}
	}
	for i := range forms {
		if f := &forms[i]; columns == f.Side*f.Side && len(classes) >= 2 {
			return f
		}
	}
	return nil
}

// Image returns the drawing as a row of numbers from 0 to largest, or nil if nothing is drawn.
func (f *Form) Image(d *Drawing, largest float64) []float64 {
	if d.IsEmpty() {
		return nil
	}
	image := f.draw(d.segments())
	for i := range image {
		image[i] *= largest
	}
	return image
}

// Size describes the size of an image.
func (f *Form) Size() string { return strconv.Itoa(f.Side) + " × " + strconv.Itoa(f.Side) }

// least is the smallest extent of a drawing that is enlarged. A dot stays a dot.
const least = .05

// The form reader of NIST made the bitmaps of UCI's digits. It sheared each digit upright and scaled it to 20 × 32, so
// that narrow digits were stretched, with their strokes. Strokes are about 5 points wide.
const (
	uciSide, uciBlock = 32, 4
	uciWidth          = 20
	uciPen            = 2.4 // the radius
	uciStretch        = 2   // at most
	uciEdge           = .06 // of the height: the highest and the lowest stroke
)

// upright shears segments until the left end of the lowest stroke is below the left end of the highest one.
func upright(all []segment) []segment {
	low, high := box(all)
	height := high.Y - low.Y
	if height < least {
		return all
	}
	top, bottom := high.X, high.X
	for _, s := range all {
		const pieces = 8
		for i := range pieces + 1 {
			t := float64(i) / pieces
			p := Point{s.a.X + t*(s.b.X-s.a.X), s.a.Y + t*(s.b.Y-s.a.Y)}
			if p.Y < low.Y+uciEdge*height {
				top = min(top, p.X)
			}
			if p.Y > high.Y-uciEdge*height {
				bottom = min(bottom, p.X)
			}
		}
	}
	return moved(all, func(p Point) Point { return Point{p.X + (top-bottom)*(p.Y-low.Y)/height, p.Y} })
}

// counts draws on a bitmap, and counts the dark points of each block.
func counts(all []segment) []float64 {
	all = upright(all)
	low, high := box(all)
	width, height := max(high.X-low.X, least), max(high.Y-low.Y, least)
	x, y := (uciWidth-2*uciPen)/width, (uciSide-2*uciPen)/height
	x, y = min(x, uciStretch*y), min(y, uciStretch*x)
	pen := min(max(x/y, 1), uciStretch) // how much wider the pen is than high
	middle := Point{(low.X + high.X) / 2, (low.Y + high.Y) / 2}
	place := func(p Point) Point { // where the pen is round
		return Point{((p.X-middle.X)*x + uciSide/2) / pen, (p.Y-middle.Y)*y + uciSide/2}
	}
	all = moved(all, place)
	const side = uciSide / uciBlock
	image := make([]float64, side*side)
	for row := range uciSide {
		for column := range uciSide {
			if near(all, Point{(float64(column) + .5) / pen, float64(row) + .5}) <= uciPen {
				image[row/uciBlock*side+column/uciBlock] += 1. / (uciBlock * uciBlock)
			}
		}
	}
	return image
}

// Strokes of MNIST are about 2.6 of 28 pixels wide.
const (
	mnistSide, mnistBox = 28, 20
	mnistPen            = 1.3 // the radius
)

// grey draws with soft edges in the box, and once more with the centre of mass in the middle.
func grey(all []segment) []float64 {
	low, high := box(all)
	scale := (mnistBox - 2*mnistPen) / max(high.X-low.X, high.Y-low.Y, least)
	centre := Point{(low.X + high.X) / 2, (low.Y + high.Y) / 2}
	var image []float64
	for range 2 {
		placed := moved(all, func(p Point) Point {
			return Point{(p.X-centre.X)*scale + mnistSide/2, (p.Y-centre.Y)*scale + mnistSide/2}
		})
		image = make([]float64, mnistSide*mnistSide)
		var mass, sumX, sumY float64
		for row := range mnistSide {
			for column := range mnistSide {
				p := Point{float64(column) + .5, float64(row) + .5}
				ink := min(max(mnistPen+.5-near(placed, p), 0), 1)
				image[row*mnistSide+column] = ink
				mass, sumX, sumY = mass+ink, sumX+ink*p.X, sumY+ink*p.Y
			}
		}
		centre.X += (sumX/mass - mnistSide/2) / scale
		centre.Y += (sumY/mass - mnistSide/2) / scale
	}
	return image
}

func moved(all []segment, place func(Point) Point) []segment {
	placed := make([]segment, len(all))
	for i, s := range all {
		placed[i] = segment{place(s.a), place(s.b)}
	}
	return placed
}

// near returns the distance of a point from the nearest segment.
func near(all []segment, p Point) float64 {
	least := all[0].distance(p)
	for _, s := range all[1:] {
		least = min(least, s.distance(p))
	}
	return least
}
