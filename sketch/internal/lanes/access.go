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

func getWord(p unsafe.Pointer, offset uintptr) word { return *(*word)(unsafe.Add(p, offset)) }

func getDoubles(p unsafe.Pointer, offset uintptr) doubles { return *(*doubles)(unsafe.Add(p, offset)) }

func putDoubles(p unsafe.Pointer, offset uintptr, v doubles) { *(*doubles)(unsafe.Add(p, offset)) = v }
