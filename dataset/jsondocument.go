package dataset

import (
	"bytes"
	"io"
	"strconv"

	"tensorsketch.example/dataset/columns"
)

// arrayRemedy is jsonRemedy for a file that is one JSON document.
const arrayRemedy = "write an array of objects, or of lists of numbers"

// A jsonNesting follows a JSON text byte by byte, without checking more than quotes and brackets.
type jsonNesting struct {
	depth   int
	text    bool // inside a string
	escaped bool // after a backslash
	begun   bool // the value has begun
}

// end returns the index behind the value that b continues, or −1 if it goes on behind b. A value of a list or object
// ends before a comma or a closing bracket. If alone, it also ends behind its own bracket and before a space.
func (n *jsonNesting) end(b []byte, alone bool) int {
	for i, c := range b {
		if n.text {
			n.text = n.escaped || c != '"'
			n.escaped = !n.escaped && c == '\\'
			continue
		}
		if !endsPlainText[c] {
			n.begun = true
			continue
		}
		switch c {
		case '"':
			n.text = true
		case '[', '{':
			n.depth++
		case ',':
			if n.depth == 0 {
				return i
			}
		case ']', '}':
			if n.depth == 0 {
				return i
			}
			if n.depth--; alone && n.depth == 0 {
				return i + 1
			}
		default: // a space
			if alone && n.begun && n.depth == 0 {
				return i
			}
			continue
		}
		n.begun = true
	}
	return -1
}

// endsPlainText has the bytes that mean something outside strings.
var endsPlainText = [256]bool{'"': true, '[': true, ']': true, '{': true, '}': true, ',': true, ' ': true, '\t': true,
	'\r': true, '\n': true}

// A jsonCutter cuts a JSON text, which it reads from front to back, into values.
type jsonCutter struct {
	r       io.Reader
	buf     []byte // [at:] is read ahead
	at      int
	ended   bool
	err     error  // of r
	value   []byte // the last one, if it was kept, with spaces for line ends
	tooLong bool   // it has more than longestRow bytes
}

func newJSONCutter(r io.Reader) *jsonCutter { return &jsonCutter{r: r, buf: make([]byte, 0, 64<<10)} }

// fill reads more, when all was used. It returns false at the end.
func (c *jsonCutter) fill() bool {
	for c.at == len(c.buf) {
		if c.ended {
			return false
		}
		n, err := c.r.Read(c.buf[:cap(c.buf)])
		c.buf, c.at = c.buf[:n], 0
		if err != nil {
			c.ended = true
			if err != io.EOF {
				c.err = err
			}
		}
	}
	return true
}

// peek returns the next byte that is no space, or 0 at the end.
func (c *jsonCutter) peek() byte {
	for c.fill() {
		b := c.buf[c.at]
		if !isJSONSpace(b) {
			return b
		}
		c.at++
	}
	return 0
}

// next skips b if it comes next.
func (c *jsonCutter) next(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.at++
	return true
}

// cut reads a value, and keeps its text if keep is set. It returns false if the text ends in it.
func (c *jsonCutter) cut(keep, alone bool) bool {
	var nesting jsonNesting
	c.value, c.tooLong = c.value[:0], false
	for c.fill() {
		part := c.buf[c.at:]
		end := nesting.end(part, alone)
		if end >= 0 {
			part = part[:end]
		}
		c.at += len(part)
		if c.tooLong = c.tooLong || keep && len(c.value)+len(part) > longestRow; keep && !c.tooLong {
			c.value = append(c.value, part...)
		}
		if end >= 0 {
			return true
		}
	}
	return alone && nesting.depth == 0 && !nesting.text
}

// key reads a key and its colon.
func (c *jsonCutter) key() (key string, ok bool) {
	if c.peek() != '"' {
		return "", false
	}
	var raw []byte
	for n := 0; c.fill() && n < 2; { // quotes
		b := c.buf[c.at]
		c.at++
		raw = append(raw, b)
		switch {
		case b == '\\' && c.fill():
			raw = append(raw, c.buf[c.at])
			c.at++
		case b == '"':
			n++
		}
		if len(raw) > longestRow {
			return "", false
		}
	}
	if len(raw) < 2 || raw[len(raw)-1] != '"' {
		return "", false
	}
	text, ok := appendString(nil, raw)
	return string(text), ok && c.next(':')
}

// A jsonDocument makes a line of each row of a JSON document.
type jsonDocument struct {
	*jsonCutter
	name   string
	shape  jsonShape
	out    []byte
	rows   int64
	inside int  // lists and objects that are open
	begun  bool // the list, or object, of rows
	comma  bool // the last row was followed by one
	ended  bool
	table  *jsonColumns // of the shape asColumns
}

// newJSONDocument returns the rows of a JSON document.
func newJSONDocument(r io.Reader, l *Layout) RowReader {
	return newJSONRows(newDocumentLines(r, l.Name, l.shape), l)
}

// newDocumentLines returns the rows of a document as lines. A missing row becomes a line that is not JSON.
func newDocumentLines(r io.Reader, name string, shape jsonShape) io.Reader {
	d := &jsonDocument{jsonCutter: newJSONCutter(r), name: name, shape: shape}
	return &parts{next: d.lines}
}

// lines returns the next lines.
func (d *jsonDocument) lines() ([]byte, error) {
	d.out = d.out[:0]
	if !d.begun {
		d.begun = true
		if problem := d.begin(); problem != nil {
			return nil, errorOr(d.err, problem)
		}
	}
	for !d.ended && len(d.out) < 64<<10 {
		if problem := d.row(); problem != nil {
			return d.out, errorOr(d.err, problem)
		}
	}
	if d.ended && d.err == nil {
		return d.out, io.EOF
	}
	return d.out, d.err
}

// errorOr returns the error of reading the file, if there is one, or else the problem that it causes.
func errorOr(err error, problem *Problem) error {
	if err != nil {
		return err
	}
	return problem
}

// begin goes to the rows.
func (d *jsonDocument) begin() *Problem {
	for d.fill() && bytes.IndexByte(byteOrderMark, d.buf[d.at]) >= 0 {
		d.at++
	}
	for _, key := range d.shape.path {
		if !d.enter('{') || !d.find(key) {
			return newProblem(d.name, "the object "+columns.Quoted(key)+" that the rows were in at first is not there",
				"open the file again")
		}
	}
	switch d.shape.kind {
	case asElements:
		if !d.enter('[') {
			return newProblem(d.name, "the file is no list of rows", arrayRemedy)
		}
	case asMembers:
		if !d.enter('{') {
			return newProblem(d.name, "the file is no object of rows", arrayRemedy)
		}
	case asColumns:
		return d.readColumns()
	}
	return nil
}

func (d *jsonDocument) enter(bracket byte) bool {
	if !d.next(bracket) {
		return false
	}
	d.inside++
	return true
}

// find skips the members of an object before a key.
func (d *jsonDocument) find(key string) bool {
	for {
		found, ok := d.key()
		if !ok || found == key {
			return ok
		}
		if !d.cut(false, false) || !d.next(',') {
			return false
		}
	}
}

// row adds a line for the next row, or ends the rows.
func (d *jsonDocument) row() *Problem {
	switch d.shape.kind {
	case asColumns:
		more, problem := d.table.row(&d.out)
		d.ended = !more
		return problem
	case asValues:
		return d.valueAlone()
	}
	close := byte(']')
	if d.shape.kind == asMembers {
		close = '}'
	}
	switch b := d.peek(); {
	case b == 0:
		return newProblem(d.name, "the "+map[byte]string{']': "array", '}': "object"}[close]+" is not closed", cutOffRemedy)
	case b == close || b == ']' || b == '}':
		if d.comma {
			d.out = append(d.out, ",\n"...)
		}
		d.at++
		d.inside--
		d.ended = true
		return d.leave()
	}
	if close == '}' {
		if _, ok := d.key(); !ok {
			return newProblem(d.name, "member "+strconv.FormatInt(d.rows+1, 10)+" of the object has no key", arrayRemedy)
		}
	}
	return d.element()
}

const cutOffRemedy = "fetch or export the file again, it is cut off"

// element adds the line of an element, and skips the comma behind it.
func (d *jsonDocument) element() *Problem {
	if !d.cut(true, false) {
		return newProblem(d.name, "the array is not closed", cutOffRemedy)
	}
	if problem := d.add(); problem != nil {
		return problem
	}
	d.comma = d.next(',')
	return nil
}

// valueAlone adds the line of a value that stands in no list.
func (d *jsonDocument) valueAlone() *Problem {
	if d.peek() == 0 {
		d.ended = true
		return nil
	}
	if !d.cut(true, true) {
		return newProblem(d.name, "the last value is not closed", cutOffRemedy)
	}
	if len(d.value) == 0 { // a comma or a bracket
		d.at++
	}
	return d.add()
}

// add adds the line of the value that was cut.
func (d *jsonDocument) add() *Problem {
	d.rows++
	if d.tooLong {
		return &Problem{File: d.name, Row: d.rows, What: "the row is longer than 8 MB", Remedy: arrayRemedy}
	}
	if d.rows == 1 && d.shape.skip {
		d.out = append(d.out, '\n')
		return nil
	}
	value := bytes.TrimFunc(d.value, func(r rune) bool { return r <= ' ' })
	if d.shape.part != "" {
		if value = partOf(value, d.shape.part); string(value) == "null" {
			value = []byte("{}")
		}
	}
	if len(value) == 0 {
		value = []byte{','} // which is not JSON
	}
	d.out = appendLine(d.out, value)
	return nil
}

// appendLine appends a JSON text on one line. A line end in a string, where JSON has none, becomes a zero byte.
func appendLine(dst, value []byte) []byte {
	from := len(dst)
	dst = append(dst, value...)
	if bytes.IndexByte(value, '\n') >= 0 {
		text, escaped := false, false
		for i := from; i < len(dst); i++ {
			switch b := dst[i]; {
			case text && b == '\n':
				dst[i] = 0
			case text:
				text = escaped || b != '"'
				escaped = !escaped && b == '\\'
			case b == '"':
				text = true
			case isJSONSpace(b):
				dst[i] = ' '
			}
		}
	}
	return append(dst, '\n')
}

// partOf returns the value of a key of an object, or the object if it has none.
func partOf(value []byte, key string) []byte {
	members, _ := headMembers(value)
	for _, m := range members {
		if m.key == key {
			return m.value
		}
	}
	return value
}

// leave skips what stands behind the rows.
func (d *jsonDocument) leave() *Problem {
	for ; d.inside > 0; d.inside-- {
		for d.next(',') {
			if _, ok := d.key(); !ok || !d.cut(false, false) {
				break
			}
		}
		if !d.next('}') {
			return newProblem(d.name, "the object around the rows is not closed", cutOffRemedy)
		}
	}
	if d.peek() != 0 {
		return newProblem(d.name, "there is more behind the array", "write one array of rows, or one row per line")
	}
	return nil
}

// headOfDocument returns the head of a file with its rows as lines.
func (l *Layout) headOfDocument(head []byte, whole bool) ([]byte, error) {
	if err := l.findShape(head, whole); err != nil {
		return nil, err
	}
	lines, err := io.ReadAll(newDocumentLines(bytes.NewReader(head), l.Name, l.shape))
	if err != nil && len(lines) == 0 && whole {
		return nil, err
	}
	return lines, nil
}
