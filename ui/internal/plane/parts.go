package plane

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// The values of View.
const (
	Models   = "models"
	Features = "features"
)

// A feature is a component of the sketch that some product fell into: f(x) = ⟨sums, u(x)⟩.
type feature struct {
	component int
	sums      []float64 // by monomial
	weight    float64
	mean      float64 // over the points learned from
}

// mapped is the number of features that have a map of their own.
const mapped = 8

// parts are the sketch's decision, taken apart. With the weights w of ridge regression, and means over the points
// learned from,
//
//	score(x) = t̄ + Σ w_k (f_k(x) − f̄_k),  and of the exact kernel  b + Σ α_i κ(x_i, x),  α_i = (t_i − score(x_i))/λ
//
// and w_k = Σ α_i f_k(x_i) with the α of the sketch.
type parts struct {
	features []feature // by number of component
	ranked   []int     // indices of features, largest weight first
	maps     []*model  // w_k (f_k − f̄_k) of the largest weights, then the sum of all others if there are some
	chosen   []bool    // by map: it is part of the sum
	sum      *model
	learned  []Point
	alphas   []float64 // of the exact kernel, by point learned from
}

// newParts takes the sketch's decision apart. An error is a *sketch.Error.
func (c *Picture) newParts() (*parts, error) {
	p := &parts{}
	for _, point := range c.points {
		if !point.HeldOut {
			p.learned = append(p.learned, point)
		}
	}
	p.alphas = c.alphas(exact, p.learned)
	size := c.basis.size()
	pull, u := make([]float64, size), make([]float64, size) // Σ α_i u(x_i)
	for i, alpha := range c.alphas(sketched, p.learned) {
		c.basis.at(u, p.learned[i].X, p.learned[i].Y)
		for m := range u {
			pull[m] += alpha * u[m]
		}
	}
	err := c.basis.eachBucket(c.maps, func(k int, met []int, sums []float64) {
		f := feature{component: k, sums: slices.Clone(sums)}
		if slices.ContainsFunc(met, func(m int) bool { return sums[m] != 0 }) {
			f.weight, f.mean = dot(f.sums, pull), dot(f.sums, c.moments.means)
			p.features = append(p.features, f)
		}
	})
	p.rank()
	c.addUp(p)
	return p, err
}

// addUp makes the maps of the ranked features, and the sum of those that are chosen.
func (c *Picture) addUp(p *parts) {
	rest := c.empty()
	for n, k := range p.ranked {
		at := rest
		if n < mapped {
			at = c.empty()
			p.maps = append(p.maps, at)
		}
		at.add(p.features[k])
	}
	if len(p.ranked) > mapped {
		p.maps = append(p.maps, rest)
	}
	p.sum = c.empty()
	p.sum.start = c.moments.target
	for n, m := range p.maps {
		p.chosen = append(p.chosen, strings.Contains(c.p.Maps, allMaps[p.digit(n):][:1]))
		if p.chosen[n] {
			p.sum.start += m.start
			for i, w := range m.weights {
				p.sum.weights[i] += w
			}
		}
	}
}

// empty returns a model that is 0 everywhere.
func (c *Picture) empty() *model {
	return &model{basis: c.basis, weights: make([]float64, c.basis.size())}
}

// add adds the contribution of a feature.
func (m *model) add(f feature) {
	for i, s := range f.sums {
		m.weights[i] += f.weight * s
	}
	m.start -= f.weight * f.mean
}

// alphas returns α of each point learned from.
func (c *Picture) alphas(k int, learned []Point) []float64 {
	alphas := make([]float64, len(learned))
	for i, p := range learned {
		alphas[i] = (p.target() - c.models[k].score(p.X, p.Y)) / c.p.Alpha
	}
	return alphas
}

// rank sorts the features, the largest weight first, and equal weights by their number.
func (p *parts) rank() {
	for k := range p.features {
		p.ranked = append(p.ranked, k)
	}
	size := func(k int) float64 { return math.Abs(p.features[k].weight) }
	slices.SortStableFunc(p.ranked, func(a, b int) int {
		if d := size(b) - size(a); math.Abs(d) > 1e-9*size(a) {
			return int(math.Copysign(1, d))
		}
		return a - b
	})
}

// scaled returns the maps, each scaled so that its largest value in the picture is ±1.
func (p *parts) scaled() (maps []*model) {
	for _, m := range p.maps {
		const steps = 24
		most := 1e-300
		for i := range steps + 1 {
			along := m.along(edge * (2*float64(i)/steps - 1))
			for j := range steps + 1 {
				most = max(most, math.Abs(along.at(edge*(2*float64(j)/steps-1))))
			}
		}
		scaled := &model{basis: m.basis, start: m.start / most}
		for _, w := range m.weights {
			scaled.weights = append(scaled.weights, w/most)
		}
		maps = append(maps, scaled)
	}
	return maps
}

// count returns the number of chosen maps.
func (p *parts) count() (n int) {
	for _, is := range p.chosen {
		if is {
			n++
		}
	}
	return n
}

// allMaps is the value of Maps in which all are chosen.
const allMaps = "123456789"

// mapsParameter is the maps that are added up, as ascending digits, or 0 for none. 9 is the one of all other features.
func mapsParameter(at *string) control.Parameter {
	return control.Parameter{Name: "maps", Passing: true, Unlinked: *at == allMaps,
		Get: func() string { return *at },
		Set: func(text string) error {
			left := allMaps
			for _, digit := range text {
				_, after, found := strings.Cut(left, string(digit))
				if left = after; !found && text != "0" {
					text = ""
					break
				}
			}
			if text == "" {
				return sketch.ErrParam.New("maps", strconv.Quote(format.Cut(text)), "be ascending digits such as 1258, or 0")
			}
			*at = text
			return nil
		}}
}

// toggled returns Maps with map n more or less.
func (c *Picture) toggled(n int) string {
	text := ""
	for i, digit := range allMaps {
		if strings.ContainsRune(c.p.Maps, digit) != (i == c.parts.digit(n)) {
			text += string(digit)
		}
	}
	return cmp.Or(text, "0")
}

// digit returns the place of map n in allMaps. The map of all other features has the last.
func (p *parts) digit(n int) int {
	if n < len(p.ranked) && n < mapped {
		return n
	}
	return mapped
}

// formula writes a feature as a sum of products of x, y and the constant.
func (c *Picture) formula(f feature) string {
	const most = 5
	text, terms := "", 0
	for m, sum := range f.sums {
		if sum == 0 {
			continue
		}
		if terms++; terms > most {
			return text + " …"
		}
		factor, name := math.Abs(sum)*c.basis.factors[m], monomial(c.basis.powers[m])
		size := format.Short(math.Round(1000*factor) / 1000)
		if factor == 1 && name != "" {
			size = ""
		}
		text += format.Term(sum < 0, size+name, terms == 1)
	}
	return text
}

// monomial writes x^a y^b.
func monomial(power [2]int) (text string) {
	for i, name := range []string{"x", "y"} {
		if power[i] > 0 {
			text += name
		}
		if power[i] > 1 {
			text += string([]rune("⁰¹²³⁴⁵⁶⁷⁸")[power[i]])
		}
	}
	return text
}

// partsView puts the view Features into words.
func (c *Picture) partsView(v *lesson.View) {
	v.Title = "A decision is a sum of features"
	v.Lede = "Each of the D numbers is a sum of products of x, y and a constant: a map over the plane. A linear model " +
		"gives each a weight, and their sum is the decision. The exact kernel sums over points instead."
	n := c.parts.count()
	v.Step, v.Steps = n, len(c.parts.maps)
	v.StepLabel = strconv.Itoa(n) + " of " + format.Plural(len(c.parts.maps), "map")
}

// partsSum says what the sum of the chosen maps is like, or what the map pointed at is.
func (c *Picture) partsSum(look lesson.Item) string {
	p := c.parts
	if c.has(look) {
		text := c.Describe(look)
		return strings.ToUpper(text[:1]) + text[1:] + "."
	}
	if p.count() == len(p.maps) {
		return "All maps together are the sketch’s decision: on " + part(1-c.differs) + " of the plane the exact kernel’s."
	}
	return "The sum of " + format.Plural(p.count(), "map") + " answers as all features together do on " +
		part(1-disagreement(p.sum, c.models[sketched])) + " of the plane."
}

// describePart describes a map.
func (c *Picture) describePart(n int) string {
	p := c.parts
	state := ", not in the sum"
	if p.chosen[n] {
		state = ", in the sum"
	}
	if n == mapped {
		return "the " + format.Count(len(p.ranked)-mapped) + " other features, times their weights" + state
	}
	f := p.features[p.ranked[n]]
	return "feature " + c.mapName(n) + "(x, y) = " + c.formula(f) + ", times its weight " + format.Fixed(f.weight, 3) +
		state
}

// describeParts compares the two sums at a place.
func (c *Picture) describeParts(x, y float64) string {
	s, e := c.models[sketched].score(x, y), c.models[exact].score(x, y)
	return "w·f(x) over " + format.Plural(c.p.NComponents, "number") + " gives " + format.Fixed(s, 2) + ", so " + sign(s) +
		"; Σ αᵢ κ(xᵢ, x) over " + format.Plural(len(c.parts.learned), "point") + " gives " + format.Fixed(e, 2) + ", so " +
		sign(e)
}
