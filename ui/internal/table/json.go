package table

import (
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// ColumnsJSON returns the columns that are used, and how, in the form that package dataset takes in a plan.
func (l *Layout) ColumnsJSON() string {
	b := make([]byte, 0, 96*len(l.Columns))
	b = append(b, '[')
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Role != columns.AsIgnored {
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
