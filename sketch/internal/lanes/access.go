//go:build !tinycore

package lanes

import "unsafe"

func get(z unsafe.Pointer, offset uintptr) vec    { return *(*vec)(unsafe.Add(z, offset)) }
func put(z unsafe.Pointer, offset uintptr, v vec) { *(*vec)(unsafe.Add(z, offset)) = v }

func getWord(p unsafe.Pointer, offset uintptr) word { return *(*word)(unsafe.Add(p, offset)) }

func getDoubles(p unsafe.Pointer, offset uintptr) doubles { return *(*doubles)(unsafe.Add(p, offset)) }

func putDoubles(p unsafe.Pointer, offset uintptr, v doubles) { *(*doubles)(unsafe.Add(p, offset)) = v }
