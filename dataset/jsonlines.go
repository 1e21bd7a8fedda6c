package dataset

import (
	"bytes"
	"io"
	"strconv"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

// jsonRows reads one JSON value per line: an object whose keys name the columns, or a list of numbers. A key may also
// hold a list of numbers with the same length in every row. Its columns are named key[0], key[1], …
type jsonRows struct {
	layout *Layout
	fields map[string]*jsonField // by key
	nested map[string]bool       // objects whose members are fields, with points: "a" of "a.b"
	order  []*jsonField          // in the order of the first rows; a single one if rows are lists
	slots  []int                 // of each column: its index among the numbers or the texts

	count   int64    // rows so far, to notice a key that occurs twice
	known   int      // keys of the row that are columns
	unknown []string // keys of the row that are no columns of the model
	next    int      // the field that comes next if the row is like the first
	key     []byte
	numbers []float64
	text    []byte
	spans   [][2]int // of each textual column, in text
	unused  *Unused  // counts numbers with another unit
}

// jsonField is the columns of one key.
type jsonField struct {
	columns.Key
	order int
	first int
	seen  int64 // the last row that had it
}

// columnsOf returns the number of columns of a key.
func columnsOf(key columns.Key) int { return max(key.Length, 1) }

func newJSONRows(r io.Reader, l *Layout) RowReader {
	j := &jsonRows{layout: l, fields: map[string]*jsonField{}, nested: map[string]bool{}}
	for i := range l.Columns {
		switch l.Columns[i].Role {
		case columns.AsIgnored:
			j.slots = append(j.slots, -1)
		case columns.AsNumber:
			j.slots = append(j.slots, len(j.numbers))
			j.numbers = append(j.numbers, missing)
		default:
			j.slots = append(j.slots, len(j.spans))
			j.spans = append(j.spans, [2]int{})
		}
	}
	at := 0
	for _, key := range l.keys {
		f := &jsonField{Key: key, first: at}
		at += columnsOf(key)
		f.order = len(j.order)
		j.fields[key.Name] = f
		j.order = append(j.order, f)
		for i, b := range []byte(key.Name) {
			if b == '.' {
				j.nested[key.Name[:i]] = true
			}
		}
	}
	return &lineRows{lines: newLines(r), layout: l, tooLong: "the row is longer than 8 MB", remedy: jsonRemedy,
		content: bytes.TrimSpace, add: j.add, unknown: &j.unknown, counts: &j.unused}
}

func (j *jsonRows) add(b *Block, line []byte) *Problem {
	if problem := j.parse(line); problem != nil {
		return problem
	}
	b.Numbers = append(b.Numbers, j.numbers...)
	for _, span := range j.spans {
		b.AddText(j.text[span[0]:span[1]])
	}
	return nil
}

const jsonRemedy = "write one object, or one list of numbers, per line"

// parse reads a row into numbers and spans.
func (j *jsonRows) parse(line []byte) *Problem {
	j.count++
	j.next, j.known, j.unknown = 0, 0, j.unknown[:0]
	j.text = j.text[:0]
	for i := range j.numbers {
		j.numbers[i] = missing
	}
	clear(j.spans)
	if !utf8.Valid(line) {
		return &Problem{What: notUTF8Text, Remedy: utf8Remedy}
	}
	s := jsonScanner{text: line}
	var problem *Problem
	switch {
	case j.layout.lists && line[0] == '[':
		problem = j.list(&s, j.order[0])
	case j.layout.lists:
		return &Problem{What: "the row is no list, as the first one is", Remedy: "write all rows in one form"}
	case line[0] != '{':
		return &Problem{What: "the row is no object", Remedy: "write an object with the keys of the others"}
	default:
		problem = j.object(&s, "")
	}
	if problem != nil {
		return problem
	}
	if s.space(); s.at != len(line) {
		return s.malformed()
	}
	if len(j.unknown) > 0 && j.known == 0 {
		return &Problem{Place: "key " + columns.Quoted(j.unknown[0]), What: "no key of the row is a column of the model",
			Remedy: "give it the column " + columns.Quoted(j.order[0].Name) + ", and the others"}
	}
	return nil
}

// malformed returns the problem of a text that is not JSON at the scanner's position.
func (s *jsonScanner) malformed() *Problem {
	return &Problem{Place: "character " + strconv.Itoa(min(s.at, len(s.text)-1)+1),
		What: "the row is not JSON from here on", Remedy: jsonRemedy}
}

// object reads an object, whose keys follow a prefix: "a." for the object under the key "a".
func (j *jsonRows) object(s *jsonScanner, prefix string) (problem *Problem) {
	s.next('{')
	ok := s.members('{', func(_ int, key []byte) bool {
		var f *jsonField
		if f, problem = j.field(key, prefix); problem != nil {
			return false
		}
		s.space()
		isObject := s.at < len(s.text) && s.text[s.at] == '{'
		switch {
		case f == unknownKey:
			_, ok := s.value(0)
			return ok
		case isObject && f == nil:
			problem = j.object(s, string(j.key)+".")
		case isObject && j.nested[f.Name]:
			problem = j.object(s, f.Name+".")
		case f == nil:
			problem = j.nothing(s)
		default:
			f.seen = j.count
			j.known++
			problem = j.member(s, f)
		}
		return problem == nil
	})
	if !ok && problem == nil {
		return s.malformed()
	}
	return problem
}

// nothing reads the value of a key whose members are fields, and which is no object here: it must be null.
func (j *jsonRows) nothing(s *jsonScanner) *Problem {
	v, ok := s.value(0)
	switch {
	case !ok:
		return s.malformed()
	case v.kind != '0':
		return &Problem{Place: "key " + columns.Quoted(string(j.key)), What: "the value " + quoted(v.text) +
			" is no object, as in the rows at the beginning", Remedy: "write an object, or null"}
	}
	return nil
}

// unknownKey stands for the field of a key that is no column of the model.
var unknownKey = new(jsonField)

// field finds the field of a key. It first looks at the field that followed in the first row. It is nil for a key whose
// members are fields, which is then in j.key with its prefix, and unknownKey for one that a model has no column for.
func (j *jsonRows) field(key []byte, prefix string) (*jsonField, *Problem) {
	var f *jsonField
	if j.next < len(j.order) && isName(j.order[j.next].Name, prefix, key) {
		f = j.order[j.next]
	} else {
		var ok bool
		if j.key, ok = appendString(append(j.key[:0], prefix...), key); !ok {
			return nil, &Problem{Place: "key " + quoted(key), What: "it is no valid string", Remedy: jsonRemedy}
		}
		if f = j.fields[string(j.key)]; f == nil && j.nested[string(j.key)] {
			return nil, nil
		} else if f == nil && j.layout.forModel {
			j.unknown = append(j.unknown, string(j.key))
			return unknownKey, nil
		} else if f == nil {
			return nil, &Problem{Place: "key " + quoted(j.key), What: "no row at the beginning has this key",
				Remedy: "give it in the first rows, as null where it has no value, or set {keys} to all keys"}
		}
	}
	if f.seen == j.count {
		return nil, &Problem{Place: "key " + quoted([]byte(f.Name)), What: "it occurs twice", Remedy: "give each key once"}
	}
	j.next = f.order + 1
	return f, nil
}

// isName reports whether a raw key without escapes is the rest of a name behind a prefix.
func isName(name, prefix string, key []byte) bool {
	return len(name) == len(prefix)+len(key)-2 && name[:len(prefix)] == prefix &&
		name[len(prefix):] == string(key[1:len(key)-1]) && bytes.IndexByte(key, '\\') < 0
}

// member reads the value of a key.
func (j *jsonRows) member(s *jsonScanner, f *jsonField) *Problem {
	if f.Length > 0 && s.next('[') {
		s.at--
		return j.list(s, f)
	}
	v, ok := s.value(0)
	if !ok {
		return s.malformed()
	}
	if f.Length > 0 {
		if v.kind == '0' {
			return nil
		}
		return &Problem{Place: "key " + columns.Quoted(f.Name),
			What: "there is no list of " + plural(int64(f.Length), "number"), Remedy: "write one, or null"}
	}
	return j.cell(f.first, v)
}

// list reads a list into the columns of a field.
func (j *jsonRows) list(s *jsonScanner, f *jsonField) (problem *Problem) {
	s.next('[')
	n := 0
	ok := s.members('[', func(i int, _ []byte) bool {
		v, ok := s.value(0)
		if n++; ok && i < f.Length {
			problem = j.cell(f.first+i, v)
		}
		return ok && problem == nil
	})
	switch {
	case problem != nil:
	case !ok:
		return s.malformed()
	case n != f.Length:
		problem = &Problem{What: "the list has " + plural(int64(n), "element") + " where the first has " +
			strconv.Itoa(f.Length), Remedy: "make all lists equally long"}
		if f.Name != "" {
			problem.Place = "key " + columns.Quoted(f.Name)
		}
	}
	return problem
}

// cell reads a value into column i.
func (j *jsonRows) cell(i int, v jsonValue) *Problem {
	problem := func(what, remedy string) *Problem {
		return &Problem{Place: j.layout.Place(i), What: what, Remedy: remedy}
	}
	switch role := j.layout.Columns[i].Role; {
	case role == columns.AsIgnored:
	case v.kind == '[' || v.kind == '{':
		return problem("the value "+quoted(v.text)+" is no single cell",
			"write its parts under keys of their own, or ignore the column")
	case role == columns.AsNumber:
		return j.number(i, v)
	case v.kind != '0':
		from := len(j.text)
		if v.kind != 's' {
			j.text = append(j.text, v.text...)
		} else {
			var ok bool
			if j.text, ok = appendString(j.text, v.text); !ok {
				return problem("the string "+quoted(v.text)+" has an escape that JSON does not know",
					"write \\n, \\u00e9 and the like, or the character itself")
			}
		}
		j.spans[j.slots[i]] = [2]int{from, len(j.text)}
	}
	return nil
}

func (j *jsonRows) number(i int, v jsonValue) *Problem {
	x, reason, beside, c := missing, "", rune(0), &j.layout.Columns[i]
	switch v.kind {
	case '0':
	case 'n':
		if x, reason = parseNumber(v.text, '.'); c.Measure != "" {
			beside = bare
		}
	case 's':
		x, reason, beside = j.quotedNumber(i, v.text)
	default:
		x, reason = plainNumbers.number(v.text)
	}
	if reason != "" {
		text := v.text
		if v.kind == 's' {
			text, _ = appendString(nil, v.text)
		}
		return &Problem{Place: j.layout.Place(i),
			What:   "the value " + quoted(text) + " " + c.whyNone(reason),
			Remedy: "correct it, or use the column for something else than a number"}
	}
	j.unused.addBeside(c, beside)
	j.numbers[j.slots[i]] = x
	return nil
}

// quotedNumber returns the number in a string of column i, and what stands beside it.
func (j *jsonRows) quotedNumber(i int, text []byte) (x float64, reason string, beside rune) {
	inside := text[1 : len(text)-1]
	if bytes.IndexByte(inside, '\\') >= 0 { // as in "\\N"
		var ok bool
		if inside, ok = appendString(nil, text); !ok {
			return 0, notANumber, 0
		}
	}
	return j.layout.styleIn(i).numberBeside(trimCell(inside))
}
