package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tensorsketch.example/dataset/columns"
)

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
	knowsKeys, flat := l.keys != nil, flattener{keys: map[string]bool{}}
	for _, key := range l.keys {
		flat.keys[key.Name] = true
	}
	var rows [][]jsonMember
	number, members, isDeep := int64(0), 0, false
	for line := range bytes.Lines(head) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		row, problem := jsonMembers(line)
		isDeep = isDeep || slices.ContainsFunc(row, func(m jsonMember) bool { return m.value.kind == '{' })
		row = flat.members(row, "")
		members += len(row)
		if flat.isFull() && len(rows) > 0 {
			break
		}
		switch {
		case flat.isFull():
			return tooManyNames(l.Name)
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
	if whole && number == 1 && isDeep && !knowsKeys {
		l.note(columns.Note{Code: columns.NotePart, Count: 1,
			What:   "the file gives one row, whose columns are the keys inside it",
			Remedy: "write one object for each row if it holds several"})
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
	if s.space(); s.at != len(line) {
		return nil, s.malformed()
	}
	return members, nil
}

// A flattener puts the members of objects in the place of the objects: "a.b" for b of a.
type flattener struct {
	keys  map[string]bool // of the reading: they stay as they are
	names int             // bytes of the names that were made
}

// isFull reports whether the names have too many bytes. A long key is in the name of each member of its object.
func (f *flattener) isFull() bool { return f.names > maxNames }

func (f *flattener) members(row []jsonMember, prefix string) []jsonMember {
	isNested := func(m jsonMember) bool { return m.value.kind == '{' && !f.keys[prefix+m.key] }
	if prefix == "" && !slices.ContainsFunc(row, isNested) {
		return row
	}
	var flat []jsonMember
	for _, m := range row {
		if f.names += len(prefix) + len(m.key); f.isFull() {
			break
		}
		if isNested(m) && !m.value.isEmptyObject() {
			inner, _ := jsonMembers(m.value.text)
			flat = append(flat, f.members(inner, prefix+m.key+".")...)
			continue
		}
		m.key = prefix + m.key
		flat = append(flat, m)
	}
	return flat
}

func (v jsonValue) isEmptyObject() bool {
	return v.kind == '{' && len(bytes.Trim(v.text, "{}"+jsonSpaces)) == 0
}

// setJSONColumns makes the columns of the keys and guesses their roles.
func (l *Layout) setJSONColumns(rows [][]jsonMember) error {
	typed := l.keys != nil
	index := map[string]int{} // of keys
	for k := range l.keys {
		index[l.keys[k].Name] = k
	}
	counts, objects := make([]listCount, len(l.keys)), objectsIn(rows)
	for _, row := range rows {
		for _, m := range row {
			k, ok := index[m.key]
			if typed || (m.value.kind == '0' || m.value.kind == '{') && objects[m.key] {
				continue
			}
			if !ok {
				k = len(l.keys)
				index[m.key] = k
				l.keys, counts = append(l.keys, columns.Key{Name: m.key}), append(counts, listCount{})
			}
			counts[k].add(m.value, l.lists)
		}
	}
	unread := map[string]string{}
	for k := range counts {
		if unread[l.keys[k].Name] = counts[k].unread(l.lists); !typed && unread[l.keys[k].Name] == "" {
			l.keys[k].Length = counts[k].length
		}
	}
	switch {
	case len(l.keys) == 0:
		return newProblem(l.Name, "the rows are empty objects", "write a key for each column")
	case l.lists && l.keys[0].Length == 0:
		return newProblem(l.Name, "the rows are empty lists", "write objects, or lists of numbers")
	}
	if at := slices.Index(l.Guessed, "keys"); at >= 0 && l.lists {
		l.Guessed[at] = "lists"
	}
	if err := l.checkKeys(); err != nil {
		return err
	}
	first := l.nameJSONColumns()
	l.describeJSON(rows[:min(len(rows), 1+sniffCells/len(l.Columns))], index, first)
	for _, key := range l.keys {
		if what := unread[key.Name]; what != "" {
			l.Columns[first[key.Name]].Example = "(" + what + ")"
			l.note(columns.Note{Code: columns.NoteUnusedColumn, Column: key.Name, Count: 1,
				What: columnText(key.Name) + " is not used: it holds " + what, Remedy: "write its values under keys of their own"})
		}
	}
	return nil
}

// objectsIn returns the keys of objects whose members stand in their place, such as "a" of "a.b".
func objectsIn(rows [][]jsonMember) map[string]bool {
	objects := map[string]bool{}
	for _, row := range rows {
		for _, m := range row {
			for key := m.key; ; {
				i := strings.LastIndexByte(key, '.')
				if i < 0 || objects[key[:i]] {
					break
				}
				key = key[:i]
				objects[key] = true
			}
		}
	}
	return objects
}

// listCount counts the lists under a key, and beside them empty objects and cells.
type listCount struct {
	objects int
	cells   int
	length  int // of the first list that is not empty
	lists   int
	empty   int
	odd     int // of another length, but not empty
	others  int // lists of other values than numbers
}

func (c *listCount) add(v jsonValue, any bool) {
	switch v.kind {
	case '0':
		return
	case '{':
		c.objects++
		return
	case '[':
		c.lists++
	default:
		c.cells++
		return
	}
	elements, ok := jsonElements(v, any)
	switch {
	case !ok:
		c.others++
	case len(elements) == 0:
		c.empty++
	case c.length == 0:
		c.length = len(elements)
	case len(elements) != c.length:
		c.odd++
	}
}

// unread says what lists are that cannot be columns, or is empty. A few of another length leave out their rows. Rows
// that are lists are columns.
func (c *listCount) unread(areRows bool) string {
	switch {
	case areRows:
		return ""
	case c.others > 0:
		return "lists of other values than numbers"
	case c.objects > 0 && c.lists+c.cells == 0:
		return "empty objects"
	case c.lists > 0 && c.length == 0:
		return "empty lists"
	case 10*(c.odd+c.empty) > c.lists:
		return "lists of different lengths"
	}
	return ""
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
			c := Column{Name: key.Name, Role: columns.AsIgnored}
			switch {
			case l.lists && i < len(l.shape.names):
				c.Name = l.shape.names[i]
			case l.lists:
				c.Name = columnName(i)
			case key.Length > 0:
				c.Name += "[" + strconv.Itoa(i) + "]"
			}
			if key.Length > 0 {
				c.Role = columns.AsNumber
			}
			l.Columns = append(l.Columns, c)
		}
	}
	names := make([]string, len(l.Columns))
	for i := range names {
		if names[i] = l.Columns[i].Name; l.lists {
			names[i] = strings.TrimSpace(names[i])
		}
	}
	changed := nameEach(names)
	for i, name := range names {
		l.Columns[i].Name = name
	}
	l.noteNames(changed)
	return first
}

// jsonElements returns the elements of a list of numbers, or of any values, up to one more than a table may have
// columns.
func jsonElements(v jsonValue, any bool) ([]jsonValue, bool) {
	if v.kind != '[' {
		return nil, false
	}
	s := jsonScanner{text: v.text, at: 1}
	var elements []jsonValue
	ok := s.members('[', func(n int, _ []byte) bool {
		e, ok := s.value(0)
		elements = append(elements, e)
		return n < maxColumns && ok && (any || e.kind != '[' && e.kind != '{' && e.kind != 's')
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
			if !ok { // not one of the typed keys, or an object that is null or empty
				continue
			}
			values := []jsonValue{m.value}
			if key := l.keys[index[m.key]]; key.Length > 0 {
				values, _ = jsonElements(m.value, l.lists)
				values = values[:min(len(values), key.Length)]
			}
			for i, v := range values {
				table[r][at+i] = v.cell()
			}
		}
	}
	l.describe(table)
	l.noteCells(table)
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
