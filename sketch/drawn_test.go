package sketch

import (
	"strconv"

	"tensorsketch.example/internal/engine/block"
)

// Drawn returns what each repeat of a map drew from its seed, under the names and in
// the order of test/spec/tensorsketch.py, with numbers and texts that JSON can hold.
func Drawn(m *FeatureMap) []map[string]any {
	var all []map[string]any
	for r, c := range m.cores {
		drawn := drawnOf(c)
		if signs := m.Signs(); signs != nil {
			drawn["signs"] = signs[r*m.params.NComponents:][:m.params.NComponents]
		}
		all = append(all, drawn)
	}
	return all
}

func drawnOf(c core) map[string]any {
	switch c := c.(type) {
	case *tensorCore:
		return drawnHashes(c.hash, c.params.widths())
	case *treeCore:
		places := map[string]any{}
		for place, h := range c.hash {
			if h == nil {
				continue
			}
			widths := c.node.params.widths()
			if place >= c.leaves {
				widths = c.leaf.params.widths()
			}
			drawn := drawnHashes(h, widths)
			var degrees []any
			for k := range widths {
				degrees = append(degrees, []any{drawn["indexHash"].([][]int)[k], drawn["bitHash"].([][]int)[k]})
			}
			places[strconv.Itoa(place)] = degrees
		}
		return map[string]any{"places": places}
	case *productCore:
		return drawnProduct(c)
	case *srhtCore:
		drawn := drawnHadamard(c)
		if c.waves != nil {
			waves := drawnFourier(c.waves)
			drawn["lengths"] = waves["frequencies"].([][]float64)[0]
			if waves["offsets"] != nil {
				drawn["offsets"] = waves["offsets"]
			}
		}
		return drawn
	case *craftCore:
		return drawnCraft(c)
	case *sparseCraftCore:
		return drawnCraft(c.craftCore)
	case sphericalCore:
		return drawnFourier(c.fourierCore)
	case *fourierCore:
		return drawnFourier(c)
	case *kspaceCore:
		params := Params{Method: MethodKSpace, NFeatures: c.first.(*tensorCore).params.NFeatures, NComponents: c.k,
			Degree: c.first.(*tensorCore).params.Degree, MethodParams: MethodParams{M: c.m, R: c.r}}
		sketches := newKSpacePair(&params, c.draw).cores[0].(*kspacePair).sketches
		return map[string]any{"first": drawnOf(c.first), "second": drawnOf(sketches[1])}
	case *taylorCore:
		parts := map[string]any{}
		for _, part := range c.parts {
			t := part.(*tensorCore)
			parts[strconv.Itoa(t.params.Degree)] = drawnHashes(t.hash, t.params.widths())
		}
		return map[string]any{"lengths": c.lengths, "parts": parts}
	}
	return map[string]any{}
}

func drawnHashes(h *hashTables, widths []int) map[string]any {
	var buckets, signs, turns [][]int
	for k, width := range widths {
		var b, s, u []int
		for i := range width {
			e := h.at(k, i)
			bucket, sign := e.Bucket(), int(e.Sign())
			if h.poly != nil && h.poly[k].turn != nil {
				u = append(u, 1-2*(bucket%2))
				bucket /= 2
			}
			b, s = append(b, bucket), append(s, sign)
		}
		buckets, signs = append(buckets, b), append(signs, s)
		if u != nil {
			turns = append(turns, u)
		}
	}
	drawn := map[string]any{"indexHash": buckets, "bitHash": signs}
	if turns != nil {
		drawn["turns"] = turns
	}
	return drawn
}

func drawnProduct(c *productCore) map[string]any {
	p, entries := c.projection, make([][]float64, c.projection.rows)
	for r := range entries {
		tile, lane := r/block.Tile*block.Tile, r%block.Tile
		for i := range c.width {
			v := 1.0
			if p.normal {
				v = float64(p.normalsOf(tile)[i*block.Tile+lane])
			} else if p.signsOf(tile)[i/32*block.Tile+lane]&(signBit>>(i%32)) != 0 {
				v = -1
			}
			entries[r] = append(entries[r], v)
		}
	}
	orders := make([]int, c.features)
	for j := range orders {
		for orders[j] < len(c.starts) && c.starts[orders[j]] <= j {
			orders[j]++
		}
	}
	return map[string]any{"projections": entries, "orders": orders}
}

func drawnHadamard(c *srhtCore) map[string]any {
	name := "signs"
	if c.isComplex {
		name = "turns"
	}
	var signs [][][]int
	var entries [][][]int32
	for k := range c.transforms() {
		var signsOf [][]int
		for b := range c.blocks() {
			var s []int
			for i := range c.signed {
				v := int(c.signsOf(b, k)[i])
				if c.isComplex {
					v = 1 - v
					if imaginary := int(c.signsOf(b, k)[c.length()+i]); imaginary != 0 {
						v = 2 - imaginary
					}
				}
				s = append(s, v)
			}
			signsOf = append(signsOf, s)
		}
		signs = append(signs, signsOf)
	}
	for k := range c.degree {
		var entriesOf [][]int32
		for b := range c.blocks() {
			entriesOf = append(entriesOf, c.entriesOf(b, k))
		}
		entries = append(entries, entriesOf)
	}
	return map[string]any{name: signs, "entries": entries}
}

func drawnCraft(c *craftCore) map[string]any {
	down := drawnHadamard(c.down)
	return map[string]any{
		"signs": down["signs"].([][][]int)[0], "entries": down["entries"].([][][]int32)[0], "base": drawnOf(c.base),
	}
}

func drawnFourier(c *fourierCore) map[string]any {
	frequencies := make([][]float64, c.width)
	for i := range frequencies {
		for j := range c.frequencies {
			frequencies[i] = append(frequencies[i], float64(*c.at(i, j)))
		}
	}
	drawn := map[string]any{"frequencies": frequencies}
	if c.offsets != nil {
		var offsets []float64
		for _, b := range c.offsets[:c.frequencies] {
			offsets = append(offsets, float64(b))
		}
		drawn["offsets"] = offsets
	}
	return drawn
}

// SameBits reports whether two rows of features have the same bits.
func SameBits(a, b []float32) bool { return sameBits(a, b) }

// RelativeError is ‖got − want‖/‖want‖, or ‖got‖ where want is zero.
func RelativeError(got []float32, want []float64) float64 { return relativeError(got, want) }
