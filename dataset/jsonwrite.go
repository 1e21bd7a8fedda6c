package dataset

import "unicode/utf8"

var jsonEncoding = encoding{row: appendJSON}

func appendJSON(e *Encoder, dst []byte, cells [][]byte, features []float32) ([]byte, error) {
	if e.keys == nil {
		for _, name := range e.uniqueNames() {
			e.keys = append(e.keys, append(appendQuoted(nil, []byte(name)), ':'))
		}
	}
	dst = append(dst, '{')
	for i, cell := range cells {
		dst = append(dst, e.keys[i]...)
		last := len(cells) - e.texts
		isNumber := i == 0 && e.rowNumbers || i >= last-e.numbers && i < last
		if isNumber && len(cell) == 0 {
			dst = append(dst, "null,"...)
		} else if isNumber {
			dst = append(append(dst, cell...), ',')
		} else {
			dst = append(appendQuoted(dst, cell), ',')
		}
	}
	if e.nComponents == 0 {
		dst[len(dst)-1] = '}'
		return append(dst, '\n'), nil
	}
	dst = append(append(dst, e.keys[len(cells)]...), '[')
	for _, x := range features {
		dst = append(appendFloat32(dst, x), ',')
	}
	dst[len(dst)-1] = ']'
	return append(dst, '}', '\n'), nil
}

// appendQuoted appends a string of JSON.
func appendQuoted(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', digits[r>>4], digits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
		text = text[size:]
	}
	return append(dst, '"')
}
