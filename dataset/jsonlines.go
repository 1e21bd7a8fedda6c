package dataset

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/dataset/plan"
)

// jsonRows reads one JSON value per line: an object whose keys name the columns, or a list of numbers. A key may also
// hold a list of numbers with the same length in every row. Its columns are named key[0], key[1], …
type jsonRows struct {
	layout *Layout
	fields map[string]*jsonField // by key
	order  []*jsonField          // in the order of the first rows; a single one if rows are lists
	slots  []int                 // of each column: its index among the numbers or the texts

	count   int64 // rows so far, to notice a key that occurs twice
	key     []byte
	numbers []float64
	text    []byte
	spans   [][2]int // of each textual column, in text
}

// jsonField is the columns of one key.
type jsonField struct {
	plan.Key
	first int
	seen  int64 // the last row that had it
}

// columnsOf returns the number of columns of a key.
func columnsOf(key plan.Key) int { return max(key.Length, 1) }

func newJSONRows(r io.Reader, l *Layout) RowReader {
	j := &jsonRows{layout: l, fields: map[string]*jsonField{}}
	for i := range l.Columns {
		switch l.Columns[i].Role {
		case plan.AsIgnored:
			j.slots = append(j.slots, -1)
		case plan.AsNumber:
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
		j.fields[key.Name] = f
		j.order = append(j.order, f)
	}
	return &lineRows{lines: newLines(r), layout: l, tooLong: "the row is longer than 8 MB", remedy: jsonRemedy,
		content: bytes.TrimSpace, add: j.add}
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
		problem = j.object(&s)
	}
	if problem != nil {
		return problem
	}
	if s.space(); s.at != len(line) {
		return s.malformed()
	}
	return nil
}

// malformed returns the problem of a text that is not JSON at the scanner's position.
func (s *jsonScanner) malformed() *Problem {
	return &Problem{Place: "character " + strconv.Itoa(min(s.at, len(s.text)-1)+1),
		What: "the row is not JSON from here on", Remedy: jsonRemedy}
}

func (j *jsonRows) object(s *jsonScanner) (problem *Problem) {
	s.next('{')
	ok := s.members('{', func(n int, key []byte) bool {
		var f *jsonField
		if f, problem = j.field(key, n); problem == nil {
			problem = j.member(s, f)
		}
		return problem == nil
	})
	if !ok && problem == nil {
		return s.malformed()
	}
	return problem
}

// field finds the field of a key. It first looks at the position that the key had in the first row.
func (j *jsonRows) field(key []byte, n int) (*jsonField, *Problem) {
	var f *jsonField
	if n < len(j.order) && string(key[1:len(key)-1]) == j.order[n].Name && bytes.IndexByte(key, '\\') < 0 {
		f = j.order[n]
	} else {
		var ok bool
		if j.key, ok = appendString(j.key[:0], key); !ok {
			return nil, &Problem{Place: "key " + quoted(key), What: "it is no valid string", Remedy: jsonRemedy}
		}
		if f = j.fields[string(j.key)]; f == nil {
			return nil, &Problem{Place: "key " + quoted(j.key), What: "no row at the beginning has this key",
				Remedy: "give it in the first rows, as null where it has no value, or type the keys of the reading"}
		}
	}
	if f.seen == j.count {
		return nil, &Problem{Place: "key " + quoted([]byte(f.Name)), What: "it occurs twice", Remedy: "give each key once"}
	}
	f.seen = j.count
	return f, nil
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
		return &Problem{Place: "key " + plan.Quoted(f.Name),
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
			problem.Place = "key " + plan.Quoted(f.Name)
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
	case role == plan.AsIgnored:
	case v.kind == '[' || v.kind == '{':
		return problem("the value "+quoted(v.text)+" is no single cell",
			"write its parts under keys of their own, or ignore the column")
	case role == plan.AsNumber:
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
	x, reason := missing, ""
	switch v.kind {
	case '0':
	case 'n':
		x, reason = parseNumber(v.text, '.')
	case 's':
		x, reason = j.quotedNumber(v.text)
	default:
		x, reason = plainNumbers.number(v.text)
	}
	if reason != "" {
		return &Problem{Place: j.layout.Place(i), What: "the value " + quoted(v.text) + " " + reason,
			Remedy: "correct it, or use the column for something else than a number"}
	}
	j.numbers[j.slots[i]] = x
	return nil
}

// quotedNumber returns the number in a string.
func (j *jsonRows) quotedNumber(text []byte) (x float64, reason string) {
	inside := text[1 : len(text)-1]
	if bytes.IndexByte(inside, '\\') >= 0 { // as in "\\N"
		var ok bool
		if inside, ok = appendString(nil, text); !ok {
			return 0, notANumber
		}
	}
	return plainNumbers.number(bytes.TrimSpace(inside))
}

// looksJSONLines reports whether a text has the name of JSON Lines, or begins like an object or a list. A table may
// also begin like that, with a name in brackets. If a file has the name of a table, its first line must be a row.
func looksJSONLines(h *fileHead) bool {
	text := h.text
	switch {
	case h.extension == ".jsonl" || h.extension == ".ndjson":
		return true
	case len(text) == 0 || text[0] != '{' && text[0] != '[':
		return false
	case h.extension != ".csv" && h.extension != ".tsv":
		return true
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	s := jsonScanner{text: bytes.TrimSpace(line)}
	_, ok := s.value(0)
	return ok && s.at == len(s.text)
}

// sniffJSON makes columns of the keys that the rows of the head have, in the order in which they appear.
func (l *Layout) sniffJSON(head []byte, whole bool) error {
	if l.typed() {
		if err := l.checkKeys(); err != nil {
			return err
		}
		l.nameJSONColumns()
		return nil
	}
	knowsKeys := l.keys != nil
	var rows [][]jsonMember
	number, members := int64(0), 0
	for line := range bytes.Lines(head) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		row, problem := jsonMembers(line)
		members += len(row)
		switch {
		case problem != nil && problem.What == tooManyCells && len(rows) == 0:
			problem.File, problem.Line = l.Name, number
			return problem
		case problem != nil && len(rows) == 0 && !knowsKeys:
			return l.notJSONLines(line, number, problem)
		case problem != nil:
		case len(rows) == 0 && !knowsKeys:
			l.lists = line[0] == '['
			rows = append(rows, row)
		case l.lists == (line[0] == '['):
			rows = append(rows, row)
		}
		if len(rows) == sniffRows || members > sniffCells {
			break
		}
	}
	if len(rows) == 0 {
		return l.noRows(whole, jsonRemedy)
	}
	return l.setJSONColumns(rows)
}

// notJSONLines returns the problem of a file whose first row cannot be read.
func (l *Layout) notJSONLines(line []byte, number int64, problem *Problem) error {
	if string(line) == "[" || string(line) == "{" || bytes.HasSuffix(line, []byte("[")) ||
		bytes.HasSuffix(line, []byte(",")) {
		return &Problem{File: l.Name, Line: number, What: "one JSON value goes over several lines",
			Remedy: jsonRemedy + ", as jq -c '.[]' does"}
	}
	problem.File, problem.Line = l.Name, number
	if l.Format == JSON {
		problem.inArray()
	}
	return problem
}

// inArray changes the problem of a line into the problem of an array element.
func (p *Problem) inArray() {
	p.Line, p.Row = 0, p.Line
	p.Remedy = strings.Replace(p.Remedy, jsonRemedy, arrayRemedy, 1)
}

// jsonMember is a key and its value. If the row is a list, the key is "".
type jsonMember struct {
	key   string
	value jsonValue
}

// jsonMembers cuts a row into its members.
func jsonMembers(line []byte) ([]jsonMember, *Problem) {
	if !utf8.Valid(line) {
		return nil, &Problem{What: notUTF8Text, Remedy: utf8Remedy}
	}
	s := jsonScanner{text: line}
	if line[0] != '{' {
		v, ok := s.value(0)
		if !ok || v.kind != '[' || s.at != len(line) {
			return nil, s.malformed()
		}
		return []jsonMember{{"", v}}, nil
	}
	s.next('{')
	var members []jsonMember
	ok := s.members('{', func(n int, raw []byte) bool {
		if n == maxColumns {
			return false
		}
		key, valid := appendString(nil, raw)
		v, ok := s.value(0)
		members = append(members, jsonMember{string(key), v})
		return valid && ok
	})
	if !ok && len(members) == maxColumns {
		return nil, &Problem{What: tooManyCells, Remedy: useSparse}
	}
	if !ok {
		return nil, s.malformed()
	}
	if s.space(); s.at != len(line) || len(members) == 0 {
		return nil, s.malformed()
	}
	return members, nil
}

// setJSONColumns makes the columns of the keys and guesses their roles.
func (l *Layout) setJSONColumns(rows [][]jsonMember) error {
	typed := l.keys != nil
	index := map[string]int{} // of keys
	for k := range l.keys {
		index[l.keys[k].Name] = k
	}
	for _, row := range rows {
		for _, m := range row {
			k, ok := index[m.key]
			if typed {
				continue
			}
			if !ok {
				k = len(l.keys)
				index[m.key] = k
				l.keys = append(l.keys, plan.Key{Name: m.key})
			}
			if l.keys[k].Length > 0 {
				continue
			}
			if elements, ok := jsonElements(m.value); ok {
				l.keys[k].Length = len(elements)
			}
		}
	}
	if l.lists && l.keys[0].Length == 0 {
		return &Problem{File: l.Name, Line: 1, What: "the rows are lists, but not of numbers",
			Remedy: "write objects, or lists of numbers"}
	}
	if at := slices.Index(l.Guessed, "keys"); at >= 0 && l.lists {
		l.Guessed[at] = "lists"
	}
	if err := l.checkKeys(); err != nil {
		return err
	}
	first := l.nameJSONColumns()
	l.describeJSON(rows[:min(len(rows), 1+sniffCells/len(l.Columns))], index, first)
	return nil
}

// checkKeys refuses keys that become too many columns.
func (l *Layout) checkKeys() error {
	columns, names := 0, 0
	for _, key := range l.keys {
		if n := columnsOf(key); n > maxColumns-columns {
			return newProblem(l.Name, "it has more than "+strconv.Itoa(maxColumns)+" columns", useSparse)
		} else if columns += n; len(key.Name) > (maxNames-names)/n {
			return tooManyNames(l.Name)
		} else {
			names += n * len(key.Name)
		}
	}
	return nil
}

// nameJSONColumns makes the columns of the keys, and returns the first column of each key. Lists become columns of
// numbers; the other columns get their roles later.
func (l *Layout) nameJSONColumns() (first map[string]int) {
	first = map[string]int{}
	for _, key := range l.keys {
		first[key.Name] = len(l.Columns)
		for i := range columnsOf(key) {
			c := Column{Name: key.Name, Role: plan.AsIgnored}
			switch {
			case l.lists:
				c.Name = columnName(i)
			case key.Length > 0:
				c.Name += "[" + strconv.Itoa(i) + "]"
			}
			if key.Length > 0 {
				c.Role = plan.AsNumber
			}
			l.Columns = append(l.Columns, c)
		}
	}
	return first
}

// jsonElements returns the elements of a list of numbers, up to one more than a table may have columns.
func jsonElements(v jsonValue) ([]jsonValue, bool) {
	if v.kind != '[' {
		return nil, false
	}
	s := jsonScanner{text: v.text, at: 1}
	var elements []jsonValue
	ok := s.members('[', func(n int, _ []byte) bool {
		e, ok := s.value(0)
		elements = append(elements, e)
		return n < maxColumns && ok && e.kind != '[' && e.kind != '{' && e.kind != 's'
	})
	return elements, ok || len(elements) > maxColumns
}

// describeJSON sets types and roles. A number may stand in quotes.
func (l *Layout) describeJSON(rows [][]jsonMember, index, first map[string]int) {
	table := make([][]string, len(rows))
	for r, row := range rows {
		table[r] = make([]string, len(l.Columns))
		for _, m := range row {
			at, ok := first[m.key]
			if !ok { // not one of the typed keys
				continue
			}
			values := []jsonValue{m.value}
			if key := l.keys[index[m.key]]; key.Length > 0 {
				values, _ = jsonElements(m.value)
				values = values[:min(len(values), key.Length)]
			}
			for i, v := range values {
				table[r][at+i] = v.cell()
			}
		}
	}
	l.describe(table)
	l.noteNumbers(table)
	l.guessRoles(table)
}

// cell returns the text of a value as a cell.
func (v jsonValue) cell() string {
	switch v.kind {
	case '0', '[', '{':
		return ""
	case 's':
		text, _ := appendString(nil, v.text)
		return string(text)
	}
	return string(v.text)
}
