package table

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// ColumnsJSON returns the columns that are used, and how, in the form that package dataset takes in a plan.
func (l *Layout) ColumnsJSON() string {
	b := make([]byte, 0, 96*len(l.Columns))
	b = append(b, '[')
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Role != columns.AsIgnored || c.Chosen {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = c.appendJSON(b)
		}
	}
	return string(append(b, ']'))
}

func (c *Column) appendJSON(b []byte) []byte {
	text := func(key, value string) { b = appendText(append(appendText(append(b, ','), key), ':'), value) }
	whole := func(key string, n int) {
		b = strconv.AppendInt(append(appendText(append(b, ','), key), ':'), int64(n), 10)
	}
	span := func(key string, n [2]int) {
		b = append(strconv.AppendInt(append(appendText(append(b, ','), key), ":["...), int64(n[0]), 10), ',')
		b = append(strconv.AppendInt(b, int64(n[1]), 10), ']')
	}
	b = appendText(append(b, `{"name":`...), c.Name)
	text("role", c.Role.String())
	if c.Chosen {
		b = append(b, `,"chosen":true`...)
	}
	if c.Measure != "" {
		text("measure", c.Measure)
	}
	if c.Role.Policies() != nil {
		text("missing", c.Missing.String())
	}
	if c.Missing == columns.Constant {
		b = strconv.AppendFloat(append(b, `,"fill":`...), c.Fill, 'g', -1, 64)
	}
	if c.IsScaled() {
		text("scaling", c.Scaling.String())
	}
	if c.Hashed > 0 {
		whole("hashed", c.Hashed)
	}
	switch c.Role {
	case columns.AsDate:
		b = append(b, `,"parts":[`...)
		for k, name := range c.PartNames() {
			if k > 0 {
				b = append(b, ',')
			}
			b = appendText(b, name)
		}
		b = append(b, ']')
	case columns.AsWords:
		span("words", c.Words)
		span("chars", c.Chars)
		whole("width", c.Width)
	}
	return append(b, '}')
}

// appendText appends a text in quotes.
func appendText(b []byte, text string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c < ' ' || c == '"' || c == '\\':
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
			i++
		case c < utf8.RuneSelf:
			b = append(b, c)
			i++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			b = utf8.AppendRune(b, r)
			i += size
		}
	}
	return append(b, '"')
}

// ParseColumns reads the columns of a layout from the text that JSON.stringify makes of a list of
// [name, type, role, usual, example, odd, values, measure].
func ParseColumns(text string) ([]Column, error) {
	var list []Column
	r := &columnReader{rest: text}
	r.needs("[")
	for !r.takes("]") && r.err == nil {
		if list != nil {
			r.needs(",")
		}
		list = append(list, r.column())
	}
	if r.rest != "" && r.err == nil {
		r.refuse("its end")
	}
	return list, r.err
}

// A columnReader reads a text from its beginning.
type columnReader struct {
	rest string
	err  error // the first one
}

func (r *columnReader) column() Column {
	part := func(mark string) string {
		r.needs(mark)
		return r.text()
	}
	name, kind, role, usual := part("["), part(","), part(","), part(",")
	c := Column{Column: columns.NewColumn(name, named(r, columns.ParseRole, role)),
		Type: named(r, columns.ParseType, kind), Usual: named(r, columns.ParseRole, usual), Example: part(",")}
	r.needs(",")
	digits := r.rest[:len(r.rest)-len(strings.TrimLeft(r.rest, "0123456789"))]
	c.Odd, _ = strconv.Atoi(digits)
	c.Values, c.Beside = part(digits+","), part(",")
	c.measure()
	r.needs("]")
	return c
}

// named parses a name.
func named[T any](r *columnReader, parse func(string) (T, bool), name string) T {
	value, ok := parse(name)
	if !ok && r.err == nil {
		r.err = fmt.Errorf("the worker's columns have %.20q, which names no type or role", name)
	}
	return value
}

func (r *columnReader) text() string {
	quoted, _ := strconv.QuotedPrefix(r.rest)
	text, err := strconv.Unquote(quoted)
	if err != nil && r.err == nil {
		r.refuse("a text")
	}
	r.rest = r.rest[len(quoted):]
	return text
}

func (r *columnReader) takes(mark string) (found bool) {
	r.rest, found = strings.CutPrefix(r.rest, mark)
	return found
}

func (r *columnReader) needs(mark string) {
	if !r.takes(mark) && r.err == nil {
		r.refuse(strconv.Quote(mark))
	}
}

func (r *columnReader) refuse(want string) {
	r.err = fmt.Errorf("the worker's columns have %.20q where %s was expected", r.rest, want)
}
