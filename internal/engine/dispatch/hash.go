package dispatch

// Hash returns a 64-bit hash of a row of integers, the same on every machine. Two integers at a time
// are a word w, and the words go round four streams:
//
//	h_s = (h_s xor w)·golden   s = i mod 4, w = the 32 bits of q_2i + 2^32·(the 32 bits of q_2i+1)
//	h   = mix(mix(mix(mix(h_0) xor h_1) xor h_2) xor h_3)
//
// All h_s begin with 0, and an integer after the last is 0. mix is the finaliser of SplitMix64.
func Hash(q []int32) uint64 {
	var h0, h1, h2, h3 uint64
	for len(q) >= 8 {
		h0 = (h0 ^ pair(q[0], q[1])) * golden
		h1 = (h1 ^ pair(q[2], q[3])) * golden
		h2 = (h2 ^ pair(q[4], q[5])) * golden
		h3 = (h3 ^ pair(q[6], q[7])) * golden
		q = q[8:]
	}
	var last [8]int32
	copy(last[:], q)
	h := [4]uint64{h0, h1, h2, h3}
	for s := range (len(q) + 1) / 2 {
		h[s] = (h[s] ^ pair(last[2*s], last[2*s+1])) * golden
	}
	return mix(mix(mix(mix(h[0])^h[1])^h[2]) ^ h[3])
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
