package sketch

import "math/bits"

// treeMethod is the tree of sketches of Ahle, Kapralov, Knudsen, Pagh, Velingker, Woodruff &
// Zandieh (SODA 2020). Its error grows polynomially with the degree; the error of the tensor sketch
// grows exponentially. The leaves of a binary tree are p independent count sketches of the row,
// filled up with constants to a power of two. A node is the tensor sketch of degree 2 of its two
// children. All sketches have D components.
func treeMethod() *method {
	return &method{
		law:   func(p *Params) law { return &treeLaw{polynomialLaw{p}} },
		core:  newTreeCore,
		bytes: treeBytes,
	}
}

// treeLeaves returns P, the least power of two that is at least the degree. Places in the tree are
// numbered as in a heap: 1 is the root, the children of n are 2n and 2n + 1, and the leaves are P …
// 2P−1. The first p leaves take the row.
func treeLeaves(degree int) int { return 1 << bits.Len(uint(degree-1)) }

// part returns the randomness of part n of a sketch with several parts. Each part draws as a separate
// sketch does. The third word of its nonces is repeat + 2^16·n.
func (r randomness) part(n int) randomness {
	return randomness{r.key, r.repeat + uint32(n)<<16}
}

// A treeCore computes a tree of sketches for several rows side by side, from the left. On each
// level it keeps the two children of one node.
type treeCore struct {
	degree, leaves int
	leaf, node     *tensorCore    // the sketch of a row, and of two children
	hash           []*hashTables  // by place; nil for constants
	children       [][2][]float32 // by level: rows of D numbers, one per lane
}

// treeParams returns the parameters of the sketches at the leaves and at the nodes.
func treeParams(p *Params, width int) (leaf, node *Params) {
	D := p.NComponents
	leaf = &Params{NFeatures: width, NComponents: D, Degree: 1}
	node = &Params{NFeaturesEach: []int{D, D}, NComponents: D, Degree: 2}
	leaf.setDefaults(allMethods)
	node.setDefaults(allMethods)
	return leaf, node
}

func newTreeCore(p *Params, width int, draw randomness) core {
	c := &treeCore{degree: p.Degree, leaves: treeLeaves(p.Degree)}
	leaf, node := treeParams(p, width)
	c.leaf, c.node = newTensorCore(leaf), newTensorCore(node)
	c.hash = make([]*hashTables, 2*c.leaves)
	c.draw(1, draw)
	c.allocate()
	return c
}

// draw draws the tables of the subtree at a place, each as the part with the number of its place.
func (c *treeCore) draw(place int, draw randomness) {
	switch {
	case c.constant(place):
	case place >= c.leaves:
		c.hash[place] = c.leaf.params.seedTables(draw.part(place))
	default:
		c.hash[place] = c.node.params.seedTables(draw.part(place))
		c.draw(2*place, draw)
		c.draw(2*place+1, draw)
	}
}

// constant reports whether the subtree at a place has only constants: its first leaf is a constant.
func (c *treeCore) constant(place int) bool {
	for place < c.leaves {
		place *= 2
	}
	return place >= c.leaves+c.degree
}

func (c *treeCore) allocate() {
	c.children = make([][2][]float32, bits.Len(uint(c.leaves))-1)
	for level := range c.children {
		for side := range 2 {
			c.children[level][side] = make([]float32, c.lanes()*c.leaf.params.NComponents)
		}
	}
}

func treeBytes(p *Params, width int) int64 {
	leaf, node := treeParams(p, width)
	leaves := treeLeaves(p.Degree)
	total := leaf.tensorSketchBytes() + node.tensorSketchBytes()
	total += 4 * int64(cachedEntries(leaf.widths())) * int64(p.Degree)
	total += 4 * int64(cachedEntries(node.widths())) * int64(leaves)
	total += 8 * int64(Lanes()) * int64(p.NComponents) * int64(bits.Len(uint(leaves)))
	return total + 1024*int64(leaves)
}

func (c *treeCore) clone() core {
	clone := *c
	clone.leaf, clone.node = c.leaf.clone().(*tensorCore), c.node.clone().(*tensorCore)
	clone.allocate()
	return &clone
}

func (c *treeCore) lanes() int { return c.leaf.plan.Lanes() }

func (c *treeCore) transformBlock(dst, x []float32, count int) {
	Dense(x).fill(&c.leaf.sources[0])
	c.compute(dst, count, 1, 0)
}

func (c *treeCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	c.leaf.loadSparse(rows)
	c.compute(dst, len(rows), 1, 0)
}

// compute writes the sketches of the subtree at a place on a level. The leaves take their rows from
// the source of c.leaf.
func (c *treeCore) compute(dst []float32, count, place, level int) {
	D := c.leaf.params.NComponents
	switch {
	case c.constant(place): // the first unit vector: sketching it would only apply its hash
		clear(dst[:count*D])
		for row := range count {
			dst[row*D] = 1
		}
	case place >= c.leaves:
		c.sketch(c.leaf, dst, count, place)
	default:
		left, right := c.children[level][0][:count*D], c.children[level][1][:count*D]
		c.compute(left, count, 2*place, level+1)
		c.compute(right, count, 2*place+1, level+1)
		Dense(left).fill(&c.node.sources[0])
		Dense(right).fill(&c.node.sources[1])
		c.sketch(c.node, dst, count, place)
	}
}

func (c *treeCore) sketch(t *tensorCore, dst []float32, count, place int) {
	t.hash = c.hash[place]
	t.sketch(dst[:count*t.params.NComponents], count)
}

// treeLaw is the law of the tree of sketches. The exact covariance is computed from the leaves to
// the root. The children of a node are independent, so it needs only their fourth moments.
type treeLaw struct{ polynomialLaw }

func (l *treeLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	row := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d)
	constant := pairings{1, 1, 1, 1}
	leaf := row.sketched(constant, nComponents) // a count sketch equals the tensor sketch of the row and a constant
	var subtree func(first, leaves int) pairings
	subtree = func(first, leaves int) pairings {
		switch {
		case first >= l.params.Degree:
			return constant
		case leaves == 1:
			return leaf
		}
		return subtree(first, leaves/2).sketched(subtree(first+leaves/2, leaves/2), nComponents)
	}
	return subtree(0, treeLeaves(l.params.Degree)).p - power(row.p, l.params.Degree)
}

// sketched returns the expected moments of the tensor sketch of degree 2 of two independent vectors
// with these expected moments. Write P' = P − s, and so on, without the part that all four vectors
// share. Then
//
//	E P = P₁P₂ + [(P₁+Q₁')(P₂+Q₂') + (P₁+R₁')(P₂+R₂') − 2P₁P₂]/D + q(Q₁'R₂' + R₁'Q₂')/D²
//	E s = s₁s₂ + [P₁P₂ + Q₁Q₂ + R₁R₂ − 3s₁s₂]/D + [Σ over unlike X, Y of P, Q, R: X₁'Y₂']/D²
//
// with q = gcd(2, D). E Q and E R are like E P with the letters exchanged. The first is the
// covariance in docs/theory.md with unlike vectors in the degrees. The second follows in the same
// way from the event that the hashes of all four indices are equal.
func (m pairings) sketched(n pairings, nComponents float64) pairings {
	D, q := nComponents, spread{0, 1}.at(nComponents) // q/D²
	x, y := [3]float64{m.p, m.q, m.r}, [3]float64{n.p, n.q, n.r}
	var moments [3]float64
	all := float64(m.s * n.s)
	shared := float64(-3 * all)
	mixed := 0.0
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		own := float64(x[i] * y[i])
		first := float64((x[i]+x[j]-m.s)*(y[i]+y[j]-n.s)) - own
		second := float64((x[i]+x[k]-m.s)*(y[i]+y[k]-n.s)) - own
		cross := float64((x[j]-m.s)*(y[k]-n.s)) + float64((x[k]-m.s)*(y[j]-n.s))
		moments[i] = own + (first+second)/D + float64(q*cross)
		shared += own
		mixed += cross
	}
	return pairings{moments[0], moments[1], moments[2], all + shared/D + mixed/float64(D*D)}
}
