package plane

import "tensorsketch.example/sketch"

// With x = (x, y) and u(x) the vector of the monomials x^a y^b √c^r, a + b + r = p, a kernel of degree p is
//
//	k(x, x′) = u(x)ᵀ B u(x′)
//
// For the exact kernel (⟨x, x′⟩ + c)^p, B is diagonal and has the numbers p!/(a! b! r!). For the sketch, B = NᵀN, where
// N has for each bucket and monomial the sum of the signs of those products of p coordinates that make the monomial and
// fall into the bucket. So a model in the plane is a polynomial of degree p, and needs only matrices as large as the
// number of monomials, at most 45, whatever D is.

// MostDegree is the maximum degree p.
const MostDegree = 8

// A basis holds the monomials of a kernel.
type basis struct {
	degree  int
	root    float64  // √c
	powers  [][2]int // a and b of each monomial
	index   [MostDegree + 1][MostDegree + 1]int
	factors []float64 // √c^r
}

// newBasis returns the monomials of degree p. Where c is 0, only those without √c are left. If linear, it has x and y
// alone, whatever c is.
func newBasis(degree int, coef0 float64, linear bool) *basis {
	b := &basis{degree: degree}
	if linear {
		b.degree, coef0 = 1, 0
	}
	b.root = sqrt(coef0)
	for total := b.degree; total >= 0; total-- {
		if total < b.degree && coef0 == 0 {
			break
		}
		factor := 1.0
		for range b.degree - total {
			factor *= b.root
		}
		for j := range total + 1 {
			b.index[total-j][j] = len(b.powers)
			b.powers, b.factors = append(b.powers, [2]int{total - j, j}), append(b.factors, factor)
		}
	}
	return b
}

// size returns the number of monomials.
func (b *basis) size() int { return len(b.powers) }

// at writes u(x) into dst.
func (b *basis) at(dst []float64, x, y float64) {
	var xs, ys [MostDegree + 1]float64
	xs[0], ys[0] = 1, 1
	for k := range b.degree {
		xs[k+1], ys[k+1] = xs[k]*x, ys[k]*y
	}
	for m, power := range b.powers {
		dst[m] = b.factors[m] * xs[power[0]] * ys[power[1]]
	}
}

// exact returns B of the exact kernel.
func (b *basis) exact() square {
	B := newSquare(b.size())
	for m, power := range b.powers {
		ways := 1 // p!/(a! b! r!)
		for k := range b.degree {
			ways *= k + 1
		}
		for _, n := range [3]int{power[0], power[1], b.degree - power[0] - power[1]} {
			for k := range n {
				ways /= k + 1
			}
		}
		*B.at(m, m) = float64(ways)
	}
	return B
}

// sketched returns B of a tensor sketch, with the hashes of the core. An error is a *sketch.Error.
func (b *basis) sketched(params sketch.Params) (square, error) {
	B := newSquare(b.size())
	err := b.eachBucket(params, func(_ int, met []int, sums []float64) {
		for _, i := range met {
			for _, j := range met {
				*B.at(i, j) += sums[i] * sums[j]
			}
		}
	})
	return B, err
}

// eachBucket calls f for each bucket with its number, the monomials that fell into it, and the sum of the signs of each
// monomial, which f must not keep. An error is a *sketch.Error.
func (b *basis) eachBucket(params sketch.Params, f func(k int, met []int, sums []float64)) error {
	m, err := sketch.New(params)
	if err != nil {
		return err
	}
	s := sketcher{basis: b, components: params.NComponents, coordinates: 3}
	if b.root == 0 {
		s.coordinates = 2
	}
	s.hashes = make([][2]int, b.degree*s.coordinates)
	for i := range s.hashes {
		s.hashes[i][0], s.hashes[i][1] = m.Hash(i/s.coordinates, i%s.coordinates)
	}
	s.count = make([]int, s.components)
	s.fall(0, 0, 1, [3]int{})
	sums, seen := make([]float64, b.size()), make([]int, b.size())
	var met []int
	for k, bucket := range s.byBucket() {
		met = met[:0]
		for _, f := range bucket {
			if seen[f.monomial] <= k {
				seen[f.monomial] = k + 1
				met = append(met, f.monomial)
			}
			sums[f.monomial] += f.sign
		}
		f(k, met, sums)
		for _, i := range met {
			sums[i] = 0
		}
	}
	return nil
}

// A sketcher lets the products of p coordinates fall into their buckets one by one.
type sketcher struct {
	*basis
	components  int
	coordinates int      // x, y and √c, or without the last
	hashes      [][2]int // bucket and sign of each degree and coordinate
	fallen      []fallen
	count       []int // of products by bucket
}

// fallen is a product that fell into a bucket, as the number of its monomial, with its sign.
type fallen struct {
	bucket, monomial int
	sign             float64
}

// byBucket returns what fell into each bucket.
func (s *sketcher) byBucket() [][]fallen {
	sorted, buckets, from := make([]fallen, len(s.fallen)), make([][]fallen, s.components), 0
	for k := range buckets {
		buckets[k] = sorted[from : from : from+s.count[k]]
		from += s.count[k]
	}
	for _, f := range s.fallen {
		buckets[f.bucket] = append(buckets[f.bucket], f)
	}
	return buckets
}

// fall takes the coordinates of degree k and all further ones. The product so far has the bucket and the sign; used
// counts its coordinates.
func (s *sketcher) fall(k, bucket int, sign float64, used [3]int) {
	if k == s.degree {
		s.fallen = append(s.fallen, fallen{bucket, s.index[used[0]][used[1]], sign})
		s.count[bucket]++
		return
	}
	for i := range s.coordinates {
		hash := s.hashes[k*s.coordinates+i]
		used[i]++
		s.fall(k+1, (bucket+hash[0])%s.components, sign*float64(hash[1]), used)
		used[i]--
	}
}
