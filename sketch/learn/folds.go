package learn

// foldCount is the number of folds that rows are hashed to.
const foldCount = 5

// partOf returns the part of a row, by its integers.
func (m *Moments) partOf(q []int32) int {
	if m.folds == 0 {
		return 0
	}
	return min(int(foldOf(q)), partsOf(m.folds)-1)
}

// foldOf returns the fold of a row: a 64-bit hash of its integers mod 5. Equal rows have the same
// fold, whatever the order and the machine. Two integers at a time are a word, and the words go
// round four streams:
//
//	h_s = (h_s xor w)·golden   s = i mod 4, w = the 32 bits of q_2i + 2^32·(those of q_2i+1)
//	h   = mix(mix(mix(mix(h_0) xor h_1) xor h_2) xor h_3)
//
// All h_s begin with 0, and an integer after the last is 0. mix is the finaliser of SplitMix64.
func foldOf(q []int32) uint64 {
	var h [4]uint64
	i := 0
	for ; i+8 <= len(q); i += 8 {
		q := q[i : i+8 : i+8]
		h[0] = (h[0] ^ pair(q[0], q[1])) * golden
		h[1] = (h[1] ^ pair(q[2], q[3])) * golden
		h[2] = (h[2] ^ pair(q[4], q[5])) * golden
		h[3] = (h[3] ^ pair(q[6], q[7])) * golden
	}
	for ; i < len(q); i += 2 {
		second := int32(0)
		if i+1 < len(q) {
			second = q[i+1]
		}
		s := i / 2 % 4
		h[s] = (h[s] ^ pair(q[i], second)) * golden
	}
	return mix(mix(mix(mix(h[0])^h[1])^h[2])^h[3]) % foldCount
}

const golden = 0x9e3779b97f4a7c15

func pair(a, b int32) uint64 { return uint64(uint32(a)) | uint64(uint32(b))<<32 }

// mix is the finaliser of SplitMix64 (Steele, Lea & Flood, Fast splittable pseudorandom number
// generators, OOPSLA 2014, with Stafford's constants).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
