package dataset

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// The .npy format is specified in NumPy's documentation of numpy.lib.format.
const npyMagic = "\x93NUMPY"

// longestNPYHeader bounds the header; NumPy's own limit for safe reading is 10,000.
const longestNPYHeader = 64 << 10

func looksNPY(h *fileHead) bool {
	return bytes.HasPrefix(h.bytes, []byte(npyMagic)) || h.extension == ".npy"
}

// readNPYHeader reads up to the first number.
func readNPYHeader(r io.Reader, name string) (array, error) {
	const tooShort = "the file ends inside its header"
	var start [12]byte
	n, err := io.ReadFull(r, start[:10])
	if !strings.HasPrefix(npyMagic, string(start[:min(n, len(npyMagic))])) {
		return array{}, newProblem(name, `the file does not begin with \x93NUMPY, so it is no .npy`,
			"save the array with numpy.save")
	}
	if err != nil {
		return array{}, truncated(err, name, 0, tooShort)
	}
	length := int(binary.LittleEndian.Uint16(start[8:]))
	switch version := start[6]; version {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, start[10:]); err != nil {
			return array{}, truncated(err, name, 0, tooShort)
		}
		length = int(binary.LittleEndian.Uint32(start[8:]))
	default:
		return array{}, newProblem(name, "version "+strconv.Itoa(int(version))+" of .npy is not known",
			"save the array with numpy.save, which writes 1, 2 or 3")
	}
	if length > longestNPYHeader {
		return array{}, newProblem(name, "the header has "+strconv.Itoa(length)+
			" bytes, more than any array of numbers needs", "save the array again")
	}
	header := make([]byte, length)
	if _, err := io.ReadFull(r, header); err != nil {
		return array{}, truncated(err, name, 0, tooShort)
	}
	a, err := parseNPYHeader(name, string(header))
	a.start = int64(length) + 10
	if start[6] > 1 {
		a.start += 2
	}
	return a, err
}

// parseNPYHeader reads a dictionary as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }.
func parseNPYHeader(name, text string) (array, error) {
	descr, ok1 := npyValue(text, "descr")
	order, ok2 := npyValue(text, "fortran_order")
	tuple, ok3 := npyValue(text, "shape")
	shape, ok4 := npyShape(tuple)
	if !ok1 || !ok2 || !ok3 || !ok4 || order != "True" && order != "False" {
		return array{}, newProblem(name, "its header is not one of .npy: "+columns.Quoted(strings.TrimSpace(text)),
			"save the array with numpy.save")
	}
	e, ok := npyElement(descr)
	if !ok {
		return array{}, newProblem(name, "its elements are of type "+inner(descr)+", not numbers that fit a float64",
			npyRemedy(descr))
	}
	a, err := newArray(name, e, shape)
	a.fortran = order == "True" && len(shape) > 1
	return a, err
}

// npyRemedy says how numpy saves elements of another type as numbers or as a table, without losing missing dates and
// imaginary parts as astype does.
func npyRemedy(descr string) string {
	kind := strings.TrimLeft(descr, "'<>|=")
	switch {
	case strings.HasPrefix(kind, "f"):
		return "save array.astype('f8')"
	case strings.HasPrefix(kind, "c"):
		return "save numpy.stack([array.real, array.imag], -1)"
	}
	return "write a table: pandas.DataFrame(array).to_csv('table.csv', index=False)"
}

// npyValue returns the text after a key, up to the next comma.
func npyValue(text, key string) (string, bool) {
	_, value, ok := strings.Cut(text, "'"+key+"':")
	if !ok {
		return "", false
	}
	value = strings.TrimLeft(value, " ")
	end := ","
	switch {
	case strings.HasPrefix(value, "("):
		end = ")"
	case strings.HasPrefix(value, "["):
		end = "]"
	}
	value, _, ok = strings.Cut(value, end)
	return strings.TrimSpace(value), ok
}

// npyShape reads "(3, 5" or "(3,".
func npyShape(tuple string) ([]int64, bool) {
	numbers, ok := strings.CutPrefix(tuple, "(")
	if !ok {
		return nil, false
	}
	var shape []int64
	for number := range strings.SplitSeq(numbers, ",") {
		if number = strings.TrimSpace(number); number == "" {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(number, "L"), 10, 64)
		if err != nil || n < 0 {
			return nil, false
		}
		shape = append(shape, n)
	}
	return shape, true
}

// npyElement reads '<f4', '|u1' and the like.
func npyElement(descr string) (element, bool) {
	text := strings.Trim(descr, "'")
	if len(text) != 3 || len(descr) != 5 {
		return element{}, false
	}
	e := element{kind: text[1], size: int(text[2] - '0'), big: text[0] == '>'}
	switch {
	case !strings.Contains("<>|=", text[:1]), text[0] == '|' && e.size != 1:
		return e, false
	case e.kind == 'f':
		return e, e.size == 2 || e.size == 4 || e.size == 8
	case e.kind == 'i', e.kind == 'u':
		return e, e.size == 1 || e.size == 2 || e.size == 4 || e.size == 8
	}
	return e, e.kind == 'b' && e.size == 1
}

// npyHeaderSize leaves room for any number of rows and columns.
const npyHeaderSize = 128

var npyEncoding = encoding{
	tooMany: "dataset: .npy holds numbers alone; write labels and kept columns beside it, " +
		"as CSV or JSON Lines with row numbers and nComponents 0",
	counted: func(e *Encoder, rows int64) []byte {
		shape := "(" + strconv.FormatInt(rows, 10) + ", " + strconv.Itoa(e.nComponents) + ")"
		header := npyMagic + "\x01\x00" + string([]byte{npyHeaderSize - 10, 0}) +
			"{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }"
		return []byte(header + strings.Repeat(" ", npyHeaderSize-1-len(header)) + "\n")
	},
	row: func(_ *Encoder, dst []byte, _ [][]byte, features []float32) ([]byte, error) {
		for _, x := range features {
			dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
		}
		return dst, nil
	},
}
