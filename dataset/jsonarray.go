package dataset

import (
	"bytes"
	"io"
)

// arrayRemedy is jsonRemedy for a file that is one array.
const arrayRemedy = "write an array of objects, or of lists of numbers"

// looksArray reports whether a text begins like an array of rows, which are objects or lists. A list of numbers is
// a row of JSON Lines instead.
func looksArray(h *fileHead) bool {
	inside, ok := bytes.CutPrefix(h.text, []byte("["))
	inside = bytes.TrimLeft(inside, " \t\r\n")
	return ok && len(inside) > 0 && (inside[0] == '{' || inside[0] == '[')
}

// arrayLines converts one array to JSON Lines: line n is element n. A missing element becomes a line that is not JSON.
type arrayLines struct {
	name    string
	r       io.Reader
	in      []byte
	out     []byte // converted
	depth   int    // nesting of lists and objects; 0 before the array
	text    bool   // inside a string
	escaped bool   // after a backslash
	element bool   // the current element has begun
	again   bool   // there was an element before
	ended   bool   // the array has ended
}

// newArrayElements returns the elements of an array as rows.
func newArrayElements(r io.Reader, l *Layout) RowReader {
	return newJSONRows(newArrayLines(r, l.Name), l)
}

func newArrayLines(r io.Reader, name string) io.Reader {
	a := &arrayLines{name: name, r: r, in: make([]byte, 64<<10)}
	return &parts{next: a.next}
}

func (a *arrayLines) next() ([]byte, error) {
	n, err := a.r.Read(a.in)
	a.out = a.out[:0]
	for _, b := range a.in[:n] {
		if problem := a.add(b); problem != nil {
			return a.out, problem
		}
	}
	if err == io.EOF && !a.ended {
		err = newProblem(a.name, "the array is not closed", "fetch or export the file again, it is cut off")
	}
	return a.out, err
}

// add takes the next byte of the file.
func (a *arrayLines) add(b byte) *Problem {
	isSpace := isJSONSpace(b)
	switch {
	case a.text:
		a.text = a.escaped || b != '"'
		a.escaped = !a.escaped && b == '\\'
		if b == '\n' {
			b = 0 // no string may hold a 0 byte either
		}
	case isSpace:
		b = ' '
	case a.ended:
		return newProblem(a.name, "there is more behind the array", "write one array of rows, or one row per line")
	case a.depth == 0:
		if b == '[' {
			a.depth = 1
		}
		return nil // otherwise a byte order mark
	case b == '"':
		a.text = true
	case b == '[' || b == '{':
		a.depth++
	case b == ',' && a.depth == 1:
		a.endElement()
		a.again = true
		return nil
	case b == ']' || b == '}':
		if a.depth--; a.depth == 0 {
			a.ended = true
			if a.element || a.again {
				a.endElement()
			}
			return nil
		}
	}
	if a.depth > 0 && !a.ended {
		a.element = a.element || !isSpace
		a.out = append(a.out, b)
	}
	return nil
}

// endElement ends a line.
func (a *arrayLines) endElement() {
	if !a.element {
		a.out = append(a.out, ',')
	}
	a.out = append(a.out, '\n')
	a.element = false
}

// headOfArray returns the head of a file with its rows as lines.
func (l *Layout) headOfArray(head []byte, whole bool) ([]byte, error) {
	lines, err := io.ReadAll(newArrayLines(bytes.NewReader(head), l.Name))
	if err != nil && len(lines) == 0 && whole {
		return nil, err
	}
	return lines, nil
}
