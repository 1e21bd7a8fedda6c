package dataset

import (
	"encoding/binary"
	"io"
	"strconv"
)

// IDX is the format of the MNIST files: two zero bytes, the element's code, the
// number of dimensions, each dimension in four bytes, and the numbers, big-endian.
var idxElements = map[byte]element{
	0x08: {'u', 1, true}, 0x09: {'i', 1, true}, 0x0b: {'i', 2, true},
	0x0c: {'i', 4, true}, 0x0d: {'f', 4, true}, 0x0e: {'f', 8, true},
}

// maxIDXDimensions keeps other binary files from passing for IDX.
const maxIDXDimensions = 8

func looksIDX(h *fileHead) bool { return isIDX(h.bytes) }

func isIDX(head []byte) bool {
	if len(head) < 4 || head[0] != 0 || head[1] != 0 || head[3] == 0 || head[3] > maxIDXDimensions {
		return false
	}
	_, ok := idxElements[head[2]]
	return ok
}

func readIDXHeader(r io.Reader, name string) (array, error) {
	const tooShort = "the file ends inside its header"
	var start [4]byte
	if _, err := io.ReadFull(r, start[:]); err != nil {
		return array{}, truncated(err, name, 0, tooShort)
	}
	if !isIDX(start[:]) {
		return array{}, newProblem(name, "the file does not begin as IDX does, with 0, 0, a type and 1 to "+
			strconv.Itoa(maxIDXDimensions)+" dimensions", "choose another format, or export the file again")
	}
	dimensions := make([]byte, 4*start[3])
	if _, err := io.ReadFull(r, dimensions); err != nil {
		return array{}, truncated(err, name, 0, tooShort)
	}
	shape := make([]int64, start[3])
	for i := range shape {
		shape[i] = int64(binary.BigEndian.Uint32(dimensions[4*i:]))
	}
	return newArray(name, idxElements[start[2]], shape)
}
