package plane

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// shown returns the model whose answers a square shows: in the view Features, the sum of the chosen maps.
func (c *Picture) shown(k int) *model {
	if k == sketched && c.parts != nil && c.parts.count() < len(c.parts.maps) {
		return c.parts.sum
	}
	return c.models[k]
}

// pointed returns the place or point whose numbers are shown: without another, the first point learned from.
func (c *Picture) pointed(look lesson.Item) lesson.Item {
	if c.has(look) && look.Kind != lesson.Bucket {
		return look
	}
	for i, p := range c.points {
		if !p.HeldOut {
			return lesson.Item{Kind: lesson.Coordinate, I: i}
		}
	}
	return lesson.Item{}
}

// mapName names a map.
func (c *Picture) mapName(n int) string {
	p := c.parts
	if n == mapped {
		return "other " + format.Count(len(p.ranked)-mapped)
	}
	return "f" + format.Subscript(p.features[p.ranked[n]].component)
}

// drawMaps draws the frames and names of the maps of features.
func (c *Picture) drawMaps(b *draw.Builder, l *layout, look lesson.Item, standalone bool) {
	x, y := c.at(c.pointed(look))
	var place draw.Builder
	var scaled []*model
	if standalone {
		scaled = c.parts.scaled()
	}
	for n, r := range l.maps {
		class := "axis"
		if c.parts.chosen[n] {
			class = "other"
		}
		if look == (lesson.Item{Kind: lesson.Bucket, I: n}) {
			class = "border"
		}
		if standalone {
			c.drawRegions(b, r, scaled[n], lines/2)
		}
		b.Rect(class, r.X, r.Y, r.Width, r.Height)
		if !l.isLow {
			name := c.mapName(n)
			if draw.TextWidth(name, l.em) > r.Width+mapGap*l.em {
				name, _, _ = strings.Cut(name, " ")
			}
			if n < mapped {
				weighted := name + " × " + format.Fixed(c.parts.features[c.parts.ranked[n]].weight, 2)
				if draw.TextWidth(weighted, l.em) < r.Width+mapGap*l.em {
					name = weighted
				}
			}
			class = ""
			if c.parts.chosen[n] {
				class = "strong"
			}
			b.LabelOf(class, r.X, r.Y-.25*l.em, "start", name)
		}
		px, py := pixel(r, x, y)
		place.Circle(px, py, .25*l.em)
	}
	b.Path("outline", place.String())
}

// drawStrips draws the numbers of one point: its features, these times their weights, and the terms of the exact
// kernel's sum over points.
func (c *Picture) drawStrips(b *draw.Builder, l *layout, look lesson.Item) {
	if l.strips == nil {
		return
	}
	x, y := c.at(c.pointed(look))
	f, weighed := c.numbers(x, y)
	terms := c.terms(x, y)
	its := ": its " + format.Count(len(f)) + " numbers"
	if none := len(f) - len(c.parts.ranked); none > 0 { // no product of x, y and the constant falls there
		its += "; " + format.Count(none) + " are 0 everywhere"
	}
	for k, strip := range []struct {
		name, detail string
		values       []float64
		model        int
	}{
		{"f(x)", its, f, -1},
		{"w·f(x)", ": times their weights", weighed, sketched},
		{"αᵢ κ(xᵢ, x)", ": the exact kernel’s terms, for " + format.Plural(len(terms), "point"), terms, exact},
	} {
		r := l.strips[k]
		values, of := binned(strip.values, mostBars(r.Width, l.em))
		sum, each := "", ""
		if strip.model > 0 {
			sum = "sum with the constant " + format.Fixed(c.models[strip.model].score(x, y), 2)
		}
		if of > 1 {
			each = ", the largest of each " + strconv.Itoa(of)
		}
		if draw.TextWidth(strip.name+strip.detail+each+sum, 1.1*l.em) > r.Width {
			strip.detail, each, sum = "", "", strings.ReplaceAll(sum, " with the constant", "")
		}
		strip.name += strip.detail + each
		b.Label(r.X, r.Y-.3*l.em, "start", strip.name)
		b.LabelOf("strong", r.X+r.Width, r.Y-.3*l.em, "end", sum)
		drawBars(b, r, values)
	}
}

// binned returns values, or where there are more than most, of each group of equally many the one of the largest size.
func binned(values []float64, most int) (shown []float64, of int) {
	of = (len(values) + most - 1) / max(most, 1)
	if of <= 1 {
		return values, 1
	}
	for k, x := range values {
		if k%of == 0 {
			shown = append(shown, x)
		} else if last := &shown[len(shown)-1]; x*x > *last**last {
			*last = x
		}
	}
	return shown, of
}

// drawBars draws values as bars above and below the middle of a strip.
func drawBars(b *draw.Builder, r lesson.Rect, values []float64) {
	most := 1e-300
	for _, x := range values {
		most = max(most, x, -x)
	}
	middle, step := r.Y+r.Height/2, r.Width/float64(len(values))
	var plus, minus draw.Builder
	for k, x := range values {
		path := &plus
		if x < 0 {
			path = &minus
		}
		if height := x / most * r.Height / 2; height > .05 || height < -.05 {
			path.Text("M", r.X+float64(k)*step, " ", middle, "h", max(.8*step, .5), "v", -height, "h", -max(.8*step, .5), "Z")
		}
	}
	b.Line("axis", r.X, middle, r.X+r.Width, middle)
	b.Path("plus", plus.String())
	b.Path("minus", minus.String())
}

// numbers returns the D numbers of a place, and each times its weight.
func (c *Picture) numbers(x, y float64) (f, weighed []float64) {
	f, weighed = make([]float64, c.p.NComponents), make([]float64, c.p.NComponents)
	u := make([]float64, c.basis.size())
	c.basis.at(u, x, y)
	for _, feature := range c.parts.features {
		f[feature.component] = dot(feature.sums, u)
		weighed[feature.component] = feature.weight * f[feature.component]
	}
	return f, weighed
}

// terms returns α_i κ(x_i, x) of a place, by point learned from.
func (c *Picture) terms(x, y float64) (terms []float64) {
	for i, p := range c.parts.learned {
		base, power := p.X*x+p.Y*y+c.p.Coef0, c.parts.alphas[i]
		for range c.p.Degree {
			power *= base
		}
		terms = append(terms, power)
	}
	return terms
}
