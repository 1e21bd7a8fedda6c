package pad

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"io"
	"math"
	"os"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/cases"
)

// arc returns points of an ellipse, by angles in degrees, clockwise from the right.
func arc(x, y, rx, ry, from, to float64) (points []Point) {
	for i := range 25 {
		angle := (from + (to-from)*float64(i)/24) * math.Pi / 180
		points = append(points, Point{x + rx*math.Cos(angle), y + ry*math.Sin(angle)})
	}
	return points
}

func join(parts ...[]Point) (all []Point) {
	for _, part := range parts {
		all = append(all, part...)
	}
	return all
}

// digits are drawn as people draw them.
var digits = [10][][]Point{
	{arc(.5, .5, .17, .3, -90, 270)},
	{{{.42, .3}, {.52, .2}, {.5, .8}}},
	{join(arc(.5, .36, .16, .16, -160, 40), []Point{{.34, .8}, {.7, .79}})},
	{join(arc(.48, .35, .16, .15, -150, 90), arc(.48, .65, .18, .15, -90, 150))},
	{{{.48, .2}, {.33, .55}, {.68, .55}}, {{.58, .35}, {.54, .82}}},
	{join([]Point{{.65, .2}, {.4, .2}, {.37, .45}}, arc(.47, .62, .18, .19, -120, 150))},
	{join([]Point{{.58, .18}, {.4, .45}}, arc(.5, .64, .14, .16, 190, 550))},
	{{{.32, .22}, {.68, .2}, {.48, .8}}, {{.38, .5}, {.66, .5}}},
	{join(arc(.5, .34, .13, .14, 90, -270), arc(.5, .64, .16, .16, -90, 270))},
	{join(arc(.5, .36, .15, .15, 0, 360), []Point{{.65, .36}, {.63, .55}, {.5, .82}})},
}

// drawn returns a digit at another place and in another size.
func drawn(digit int, scale, x, y float64) *Drawing {
	d := new(Drawing)
	for _, stroke := range digits[digit] {
		for i, p := range stroke {
			if p = (Point{x + scale*p.X, y + scale*p.Y}); i == 0 {
				d.Begin(p)
			} else {
				d.Extend(p)
			}
		}
	}
	return d
}

func classes() (all []string) {
	for digit := range 10 {
		all = append(all, strconv.Itoa(digit))
	}
	return all
}

func TestFormOf(t *testing.T) {
	for _, c := range []struct {
		columns int
		classes []string
		side    int
	}{
		{64, classes(), 8}, {784, classes(), 28}, {64, []string{"0", "1"}, 8},
		{63, classes(), 0}, {64, []string{"cat", "dog"}, 0}, {64, []string{"10", "11"}, 0}, {64, nil, 0},
	} {
		side := 0
		if f := FormOf(c.columns, c.classes); f != nil {
			side = f.Side
		}
		if side != c.side {
			t.Errorf("FormOf(%d, %q) has side %d, want %d", c.columns, c.classes, side, c.side)
		}
	}
}

// TestImage: neither the place nor the size of a drawing matters; nothing is outside the range; MNIST's centre of mass
// is in the middle.
func TestImage(t *testing.T) {
	for i := range forms {
		f := &forms[i]
		if f.Image(new(Drawing), 1) != nil {
			t.Errorf("%s: an empty pad has an image", f.Size())
		}
		for digit := range 10 {
			want := f.Image(drawn(digit, 1, 0, 0), f.Usual)
			got := f.Image(drawn(digit, .4, .5, .1), f.Usual)
			var off, sum, x, y float64
			for k, v := range want {
				if v < 0 || v > f.Usual {
					t.Errorf("%s, digit %d: %g", f.Size(), digit, v)
				}
				off, sum = off+math.Abs(v-got[k]), sum+v
				x, y = x+v*(float64(k%f.Side)+.5), y+v*(float64(k/f.Side)+.5)
			}
			if off > .03*sum {
				t.Errorf("%s, digit %d: small and moved, %.0f of %.0f differ", f.Size(), digit, off, sum)
			}
			if middle := float64(f.Side) / 2; f.Side == 28 && math.Hypot(x/sum-middle, y/sum-middle) > .2 {
				t.Errorf("digit %d has its centre of mass at %g, %g", digit, x/sum, y/sum)
			}
		}
		dot := new(Drawing)
		dot.Begin(Point{.9, .9})
		if sum := sumOf(f.Image(dot, 1)); sum < 1 || sum > float64(f.Side*f.Side)/4 {
			t.Errorf("%s: a dot has %g ink", f.Size(), sum)
		}
	}
}

func sumOf(image []float64) (sum float64) {
	for _, v := range image {
		sum += v
	}
	return sum
}

// TestKeys: arrows walk and stop at the border, Space fills and empties, and with Shift a line is drawn, as a pointer
// draws it.
func TestKeys(t *testing.T) {
	var d Drawing
	d.Press("ArrowUp", false)
	d.Press("ArrowLeft", true)
	if d.Row != 0 || d.Column != 0 || !d.Filled[0][0] {
		t.Errorf("at the corner: %+v", d)
	}
	d.Press(" ", false)
	if !d.IsEmpty() || d.Place() != "Row 1, column 1 of 16: empty." {
		t.Errorf("%+v", d)
	}
	for range 8 {
		d.Press("ArrowRight", false)
	}
	for range 12 {
		d.Press("ArrowDown", true)
	}
	if d.Press("a", false) || d.Place() != "Row 13, column 9 of 16: filled." {
		t.Errorf("%s", d.Place())
	}
	line := new(Drawing)
	line.Begin(Point{8.5 / Cells, .5 / Cells})
	line.Extend(Point{8.5 / Cells, 12.5 / Cells})
	for i := range forms {
		keys, pointer := forms[i].Image(&d, 1), forms[i].Image(line, 1)
		for k := range keys {
			if math.Abs(keys[k]-pointer[k]) > 1e-9 {
				t.Fatalf("%s: keys give %v\npointer %v", forms[i].Size(), keys, pointer)
			}
		}
	}
	d.Clear()
	if !d.IsEmpty() || d.Row != 12 {
		t.Errorf("after Clear: %+v", d)
	}
}

func data(t *testing.T, name string) *os.File {
	file, err := os.Open(cases.Data(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// readUCI returns the rows of digits.csv.
func readUCI(t *testing.T) (X [][]float64, y []int) {
	rows, err := csv.NewReader(data(t, "digits.csv")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cells := range rows[1:] {
		x := make([]float64, 64)
		for i := range x {
			x[i], _ = strconv.ParseFloat(cells[i], 64)
		}
		digit, _ := strconv.Atoi(cells[64])
		X, y = append(X, x), append(y, digit)
	}
	return X, y
}

// readMNIST returns 3,000 images, which are enough to learn from.
func readMNIST(t *testing.T) (X [][]float64, y []int) {
	read := func(name string, head int) []byte {
		unzipped, err := gzip.NewReader(data(t, name))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(unzipped)
		if err != nil || binary.BigEndian.Uint32(content[4:]) != 10000 {
			t.Fatalf("%s: %v", name, err)
		}
		return content[head:]
	}
	images, labels := read("mnist-t10k-images-idx3-ubyte.gz", 16), read("mnist-t10k-labels-idx1-ubyte.gz", 8)
	for i, label := range labels[:3000] {
		x := make([]float64, 784)
		for k := range x {
			x[k] = float64(images[784*i+k])
		}
		X, y = append(X, x), append(y, int(label))
	}
	return X, y
}

// TestDrawnDigits: the images of digits, drawn in several hands, look like the mean image of that digit, and a model
// that has learned from the data knows them.
func TestDrawnDigits(t *testing.T) {
	for side, read := range map[int]func(t *testing.T) ([][]float64, []int){8: readUCI, 28: readMNIST} {
		t.Run(strconv.Itoa(side), func(t *testing.T) {
			X, y := read(t)
			f := FormOf(side*side, classes())
			mean := make([][]float64, 10)
			ink := 0.0
			for digit := range mean {
				mean[digit] = make([]float64, side*side)
			}
			var flat []float32
			var labels []learn.Label
			for i, x := range X {
				for k, v := range x {
					mean[y[i]][k] += v
				}
				ink += sumOf(x) / float64(len(X))
				flat = append(flat, unit(x)...)
				labels = append(labels, learn.NumberLabel(float64(y[i])))
			}
			model := fit(t, flat, labels, side*side)
			own, nearest, right, all := 0.0, 0, 0, 0
			for digit := range 10 {
				for _, slant := range []float64{-.1, 0, .2, .4} {
					for _, width := range []float64{.7, 1, 1.2} {
						d := drawn(digit, 1, 0, 0)
						for _, stroke := range d.Strokes {
							for i, p := range stroke {
								stroke[i].X = .5 + (p.X-.5)*width - slant*(p.Y-.5)
							}
						}
						image := f.Image(d, f.Usual)
						own += sumOf(image)
						all++
						rank := 0 // of the digit's own mean
						for other := range mean {
							if cosine(image, mean[other]) > cosine(image, mean[digit]) {
								rank++
							}
						}
						if rank < 2 {
							nearest++
						}
						said, err := model.Predict(sketch.Dense(unit(image)))
						if err != nil {
							t.Fatal(err)
						}
						if said[0] == learn.NumberLabel(float64(digit)) {
							right++
						}
					}
				}
			}
			own /= float64(all)
			t.Logf("of %d, %d are first or second among the means, %d are known; ink %.0f, of the data %.0f", all, nearest,
				right, own, ink)
			if nearest < all*8/10 || right < all*8/10 || math.Abs(own/ink-1) > .1 {
				t.Error("they are not like the data")
			}
		})
	}
}

func unit(x []float64) []float32 {
	row := make([]float32, len(x))
	for i, v := range x {
		row[i] = float32(v / norm(x))
	}
	return row
}

func norm(x []float64) float64 { return math.Sqrt(cosine2(x, x)) }

func cosine2(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func cosine(a, b []float64) float64 { return cosine2(a, b) / norm(a) / norm(b) }

func fit(t *testing.T, X []float32, labels []learn.Label, d int) *learn.Model {
	m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: 256, Degree: 2, Gamma: 1, Coef0: 1})
	if err != nil {
		t.Fatal(err)
	}
	spec, err := learn.Prepare(learn.Spec{Map: m}, sketch.Dense(X), labels)
	if err != nil {
		t.Fatal(err)
	}
	l, err := learn.NewLearner(spec)
	if err == nil {
		err = l.Add(sketch.Dense(X), labels, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	model, err := l.Fit(learn.RidgeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return model
}
