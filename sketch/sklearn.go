package sketch

import "strconv"

// mt19937 is the Mersenne Twister of NumPy's legacy RandomState, seeded with an integer
// (init_genrand of Matsumoto & Nishimura 2002).
type mt19937 struct {
	state [624]uint32
	next  int
}

func newMT19937(seed uint32) *mt19937 {
	m := &mt19937{next: 624}
	m.state[0] = seed
	for i := 1; i < 624; i++ {
		previous := m.state[i-1]
		m.state[i] = 1812433253*(previous^previous>>30) + uint32(i)
	}
	return m
}

func (m *mt19937) uint32() uint32 {
	if m.next == 624 {
		for i := range m.state {
			y := m.state[i]&0x80000000 | m.state[(i+1)%624]&0x7fffffff
			m.state[i] = m.state[(i+397)%624] ^ y>>1 ^ (y&1)*0x9908b0df
		}
		m.next = 0
	}
	y := m.state[m.next]
	m.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

// bounded returns a uniform number from 0 to most in the way of RandomState.randint: masked
// rejection on 32-bit words. It draws nothing if most is 0.
func (m *mt19937) bounded(most uint32) uint32 {
	if most == 0 {
		return 0
	}
	mask := most
	for shift := 1; shift < 32; shift *= 2 {
		mask |= mask >> shift
	}
	for {
		if v := m.uint32() & mask; v <= most {
			return v
		}
	}
}

// randomStateTables returns the tables that scikit-learn's PolynomialCountSketch fits with
// random_state: randint(0, D, (p, d')), then choice([−1, 1], (p, d')).
func randomStateTables(randomState uint32, widths []int, nComponents int) *hashTables {
	m := newMT19937(randomState)
	tables := make([][]entry, len(widths))
	for k, width := range widths {
		tables[k] = make([]entry, width)
		for i := range tables[k] {
			tables[k][i] = entry(m.bounded(uint32(nComponents - 1)))
		}
	}
	for k := range tables {
		for i := range tables[k] {
			tables[k][i] |= entry(1-m.bounded(1)) << 31
		}
	}
	return &hashTables{nComponents: nComponents, tables: tables}
}

// givenTables checks every value of tables fitted elsewhere and packs them.
func givenTables(indexHash [][]int32, bitHash [][]int8, widths []int, nComponents int) (*hashTables, error) {
	tables := make([][]entry, len(widths))
	for k, width := range widths {
		if len(indexHash[k]) != width || len(bitHash[k]) != width {
			return nil, paramError("indexHash, bitHash", strconv.Itoa(len(indexHash[k]))+" and "+strconv.Itoa(len(bitHash[k])),
				"have one column per feature and one more where coef0 > 0: "+strconv.Itoa(width)+" in row "+strconv.Itoa(k))
		}
		tables[k] = make([]entry, width)
		for i, bucket := range indexHash[k] {
			if bucket < 0 || int(bucket) >= nComponents {
				return nil, paramError("indexHash", strconv.Itoa(int(bucket)),
					"hold integers from 0 to nComponents − 1 = "+strconv.Itoa(nComponents-1))
			}
			sign := bitHash[k][i]
			if sign != 1 && sign != -1 {
				return nil, paramError("bitHash", strconv.Itoa(int(sign)), "hold −1 and +1 only")
			}
			tables[k][i] = entry(bucket) | entry((1-sign)/2)<<31
		}
	}
	return &hashTables{nComponents: nComponents, tables: tables}, nil
}
