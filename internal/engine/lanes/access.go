//go:build !tinycore

package lanes

import "unsafe"

func get(z unsafe.Pointer, offset uintptr) vec    { return *(*vec)(unsafe.Add(z, offset)) }
func put(z unsafe.Pointer, offset uintptr, v vec) { *(*vec)(unsafe.Add(z, offset)) = v }

// transpose4 writes four rows of four numbers, fromStep bytes apart, as columns, toStep bytes apart.
func transpose4(to unsafe.Pointer, toStep uintptr, from unsafe.Pointer, fromStep uintptr) {
	for i := range uintptr(4) {
		gather(unsafe.Add(to, 4*i), toStep, unsafe.Add(from, i*fromStep), 4, 4)
	}
}

// The orders in which the numbers of two vecs are wanted: v holds 0 to 3, and w holds 4 to 7.
func evens(v, w vec) vec    { return shuffle(v, w, 0, 2, 4, 6) }
func odds(v, w vec) vec     { return shuffle(v, w, 1, 3, 5, 7) }
func zipLow(v, w vec) vec   { return shuffle(v, w, 0, 4, 1, 5) }
func zipHigh(v, w vec) vec  { return shuffle(v, w, 2, 6, 3, 7) }
func lows(v, w vec) vec     { return shuffle(v, w, 0, 1, 4, 5) }
func highs(v, w vec) vec    { return shuffle(v, w, 2, 3, 6, 7) }
func reversed(v, w vec) vec { return shuffle(v, w, 4, 3, 2, 1) }

func shuffle(v, w vec, a, b, c, d int) vec {
	from := [2]vec{v, w}
	x := (*[8]float32)(unsafe.Pointer(&from))
	to := [lanes]float32{x[a], x[b], x[c], x[d]}
	return *(*vec)(unsafe.Pointer(&to))
}

func getWord(p unsafe.Pointer, offset uintptr) word { return *(*word)(unsafe.Add(p, offset)) }

func putWord(p unsafe.Pointer, offset uintptr, w word) { *(*word)(unsafe.Add(p, offset)) = w }

func getInts(p unsafe.Pointer, offset uintptr) ints { return *(*ints)(unsafe.Add(p, offset)) }

func getPacked(p unsafe.Pointer, offset uintptr) packed { return *(*packed)(unsafe.Add(p, offset)) }

func getDoubles(p unsafe.Pointer, offset uintptr) doubles { return *(*doubles)(unsafe.Add(p, offset)) }

func putDoubles(p unsafe.Pointer, offset uintptr, v doubles) { *(*doubles)(unsafe.Add(p, offset)) = v }
