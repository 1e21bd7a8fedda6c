package npy

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestFloat32Header: one header in full, and the format's rules for others.
func TestFloat32Header(t *testing.T) {
	want := "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }" + strings.Repeat(" ", 58) + "\n"
	if got := string(Float32Header(3, 5)); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for _, shape := range [][2]int{{0, 1}, {1, 1}, {5620, 1024}, {1 << 40, 1 << 24}} {
		header := Float32Header(shape[0], shape[1])
		if n := len(header); n%64 != 0 || int(binary.LittleEndian.Uint16(header[8:])) != n-10 || header[n-1] != '\n' {
			t.Errorf("%v: %q", shape, header)
		}
	}
}
