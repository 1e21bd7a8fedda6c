package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// A jsonKind is where the rows of a JSON document are.
type jsonKind uint8

const (
	asElements jsonKind = iota // elements of a list
	asMembers                  // members of an object, whose keys name the rows
	asColumns                  // members of an object are columns
	asValues                   // values one after another, or a single one
)

// A jsonShape says where the rows of a JSON document are.
type jsonShape struct {
	kind  jsonKind
	path  []string // keys that lead to the list or object
	part  string   // the key of each row under which its cells are, as in GeoJSON
	names []string // of the columns, if the rows are lists
	skip  bool     // the first list has the names
}

// A headMember is a member of an object in the head of a file, whose value may be cut off.
type headMember struct {
	key   string
	value []byte
}

// kind returns the first byte of the value.
func (m *headMember) kind() byte {
	if len(m.value) == 0 {
		return 0
	}
	return m.value[0]
}

// first returns the first byte of the first element of a list, and of the first element in that.
func (m *headMember) first() (element, inside byte) {
	value := bytes.TrimLeft(m.value[1:], jsonSpaces)
	if len(value) == 0 {
		return 0, 0
	}
	if rest := bytes.TrimLeft(value[1:], jsonSpaces); len(rest) > 0 {
		inside = rest[0]
	}
	return value[0], inside
}

const jsonSpaces = " \t\r\n"

// valueEnd returns the length of the value at the beginning of a text, and whether the text has its end.
func valueEnd(text []byte, alone bool) (n int, ok bool) {
	var nesting jsonNesting
	if n = nesting.end(text, alone); n < 0 {
		return len(text), false
	}
	return n, true
}

// headMembers returns the members of an object, as far as a text has them, and whether it has them all.
func headMembers(text []byte) (members []headMember, whole bool) {
	s := jsonScanner{text: text}
	if !s.next('{') {
		return nil, false
	}
	for n := 0; !s.next('}'); n++ {
		if n > 0 && !s.next(',') || n > maxColumns {
			return members, false
		}
		raw := s.key()
		if raw == nil {
			return members, false
		}
		key, _ := appendString(nil, raw)
		s.space()
		end, ok := valueEnd(text[s.at:], false)
		members = append(members, headMember{string(key), bytes.TrimRight(text[s.at:s.at+end], jsonSpaces)})
		if s.at += end; !ok {
			return members, false
		}
	}
	return members, true
}

// looksDocument reports whether a text is a JSON document: not JSON Lines, whose rows are values on lines of their own.
// The text begins with a list of objects or lists, or it has a single value, or its values go over several lines. White
// space decides nothing else.
func looksDocument(h *fileHead) bool {
	text := h.text
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	if h.isTable() {
		s := jsonScanner{text: text}
		if _, ok := s.value(0); !ok && (h.whole || s.at < len(text)) {
			return false
		}
	}
	end, ended := valueEnd(text, true)
	m := headMember{"", text}
	if first, _ := m.first(); text[0] == '[' && (first == '{' || first == '[') {
		return true
	} else if first == ']' || first == '}' || text[0] == '[' && first == '"' { // no row, or a list of texts
		return h.whole && len(bytes.TrimSpace(text[end:])) == 0
	}
	rest, isLines := text[end:], h.extension == ".jsonl" || h.extension == ".ndjson"
	switch {
	case !ended && isLines:
		return false
	case !ended:
		_, found, _ := shapeOf(text, h.whole, 0)
		return !h.whole || found
	case len(bytes.TrimSpace(rest)) == 0:
		shape, found, _ := shapeOf(text[:end], true, 0)
		return h.whole && (found && (shape.kind == asElements || !isLines) || bytes.IndexByte(text[:end], '\n') >= 0)
	}
	return bytes.IndexByte(text[:end], '\n') >= 0 || bytes.ContainsAny(bytes.TrimLeft(rest, " \t\r")[:1], "{[")
}

// isTable reports whether a file has the name of a table of text.
func (h *fileHead) isTable() bool { return h.extension == ".csv" || h.extension == ".tsv" }

// deepestRows is how many objects may stand around the object that holds the rows.
const deepestRows = 3

// rowNames are the usual names of the list of rows in a document, the surest first.
var rowNames = []string{"data", "rows", "records", "values", "items", "results", "features", "docs", "observations"}

// shapeOf finds the shape of an object or list from the head of its text. found is false if it is a single row, or
// rows one after another. sure is false if what follows the head could change that.
func shapeOf(text []byte, whole bool, depth int) (shape jsonShape, found, sure bool) {
	if text[0] == '[' {
		m := headMember{"", text}
		first, _ := m.first()
		return jsonShape{}, first == '{' || first == '[' || first == ']', true
	}
	members, ended := headMembers(text)
	sure = ended || whole
	if shape, found = wrapperOf(members); found {
		return shape, true, true
	}
	if shape, found = columnsOrRows(members, ended); found {
		return shape, true, sure
	}
	for _, m := range members {
		if m.kind() == '{' && depth < deepestRows {
			inner, ok, _ := shapeOf(m.value, true, depth+1)
			if ok && inner.kind != asMembers {
				inner.path = append([]string{m.key}, inner.path...)
				return inner, true, true
			}
		}
	}
	return jsonShape{kind: asValues}, false, sure
}

// wrapperOf finds the list of rows among the members of an object.
func wrapperOf(members []headMember) (shape jsonShape, found bool) {
	find := func(key string) *headMember {
		i := slices.IndexFunc(members, func(m headMember) bool { return m.key == key })
		if i < 0 {
			return nil
		}
		return &members[i]
	}
	if data := find("data"); data != nil && data.kind() == '[' {
		if columns := find("columns"); columns != nil && columns.kind() == '[' {
			if first, _ := data.first(); first == '[' || first == ']' {
				if names := namesOf(columns.value); names != nil {
					return jsonShape{path: []string{"data"}, names: names}, true
				}
			}
		}
	}
	if kind := find("type"); kind != nil && string(kind.value) == `"FeatureCollection"` && find("features") != nil {
		return jsonShape{path: []string{"features"}, part: "properties"}, true
	}
	best, rank := "", len(rowNames)+2
	lists := 0
	for i := range members {
		if members[i].kind() == '[' {
			lists++
		}
	}
	for _, m := range members {
		if m.kind() != '[' {
			continue
		}
		known := slices.Index(rowNames, strings.ToLower(m.key))
		at := known
		if known < 0 {
			at = len(rowNames)
		}
		switch first, inside := m.first(); {
		case first == '{':
		case first == '[' && inside != '[' && inside != '{' && (known >= 0 || lists == 1):
			at++ // behind a list of objects
		case first == ']' && known >= 0 && lists == 1:
		default:
			continue
		}
		if at < rank {
			best, rank = m.key, at
		}
	}
	if rank == len(rowNames)+2 {
		return shape, false
	}
	return jsonShape{path: []string{best}}, true
}

// namesOf returns the texts of a list of names. A name that is a list, as of several levels, has points.
func namesOf(list []byte) []string {
	s := jsonScanner{text: list, at: 1}
	var names []string
	ok := s.members('[', func(int, []byte) bool {
		v, ok := s.value(0)
		if !ok {
			return false
		}
		name := v.cell()
		if v.kind == '[' {
			name = strings.Join(namesOf(v.text), ".")
		}
		names = append(names, name)
		return len(names) <= maxColumns
	})
	if !ok {
		return nil
	}
	return names
}

// columnsOrRows finds the shape of an object whose members are all lists, or all objects of single values.
func columnsOrRows(members []headMember, ended bool) (shape jsonShape, found bool) {
	lists, objects := 0, 0
	for _, m := range members {
		switch m.kind() {
		case '[':
			lists++
		case '{':
			objects++
		}
	}
	switch {
	case len(members) == 0:
	case lists == len(members):
		return jsonShape{kind: asColumns}, true
	case objects == len(members):
		return objectsOf(members, ended)
	}
	return shape, false
}

// objectsOf decides whether the members of an object are rows or columns. pandas numbers the rows, unless they have
// names. Otherwise a column has values of one type, and so has a key of all rows.
func objectsOf(members []headMember, ended bool) (shape jsonShape, found bool) {
	var outer, inner []string
	alike, sameType := true, true // the keys of all members; the values of each
	keyKinds, keysAlike := map[string]byte{}, true
	for i, m := range members {
		cells, whole := headMembers(m.value)
		var keys []string
		kind := byte(0)
		for _, c := range cells {
			k := cellKind(c.kind())
			if k == '{' || k == '[' {
				return shape, false
			}
			keys = append(keys, c.key)
			if k != 0 {
				sameType = sameType && (kind == 0 || kind == k)
				keysAlike = keysAlike && (keyKinds[c.key] == 0 || keyKinds[c.key] == k)
				kind, keyKinds[c.key] = k, k
			}
		}
		if outer = append(outer, m.key); i == 0 {
			inner = keys
		} else if whole {
			alike = alike && slices.Equal(keys, inner)
		}
	}
	if len(inner) == 0 {
		return shape, false
	}
	switch rows, columns := areWhole(outer), areWhole(inner); {
	case rows && !columns:
		return jsonShape{kind: asMembers}, true
	case !alike || len(members) < 2 && !columns:
		return shape, false
	case columns, sameType && !keysAlike:
		return jsonShape{kind: asColumns}, true
	}
	return jsonShape{kind: asMembers}, true
}

// cellKind returns one byte for each type of value, or 0 for null.
func cellKind(first byte) byte {
	switch first {
	case 'n', 'N':
		return 0
	case 't', 'f':
		return 't'
	case '"', '{', '[', 0:
		return first
	}
	return '0'
}

func areWhole(keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { _, err := strconv.Atoi(key); return err != nil })
}

// findShape finds the shape of the document with this head, and adds a note on what is not read.
func (l *Layout) findShape(head []byte, whole bool) error {
	text := bytes.TrimLeft(head, jsonSpaces)
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return nil // a list, as its reader says
	}
	end, _ := valueEnd(text, true)
	isAlone := len(bytes.TrimSpace(text[end:])) == 0
	shape, found, sure := shapeOf(text[:end], whole, 0)
	if !found || !isAlone && text[0] == '{' {
		shape = jsonShape{kind: asValues}
	}
	if !sure && !whole && isAlone || shape.kind == asColumns && !whole {
		return ErrShortHead
	}
	if shape.kind == asElements && shape.names == nil && shape.part == "" {
		shape.names = namesInFirst(text[:end], shape.path)
		shape.skip = shape.names != nil
	}
	l.shape = shape
	if l.typed() {
		return nil
	}
	if problem := l.emptyShape(text[:end]); problem != nil {
		return problem
	}
	l.noteShape(text[:end])
	return nil
}

// namesInFirst returns the first list of a list of lists if it names the columns: it has different texts alone, and
// numbers or booleans stand below one of them in each of the next rows.
func namesInFirst(text []byte, path []string) []string {
	for _, key := range path {
		text = partOf(text, key)
	}
	s := jsonScanner{text: text}
	var first []jsonValue
	numbers, rows := map[int]int{}, 0
	s.next('[')
	s.members('[', func(n int, _ []byte) bool {
		v, ok := s.value(0)
		cells, isList := jsonElements(v, true)
		if !ok || !isList || n > 20 {
			return false
		}
		if n == 0 {
			first = cells
			return true
		}
		rows++
		for i, c := range cells {
			if k := kind(c.cell(), plainNumbers, ""); k.IsNumeric() || k == columns.Boolean {
				numbers[i]++
			}
		}
		return true
	})
	names, seen := []string(nil), map[string]bool{}
	isHeader := false
	for i, v := range first {
		name := strings.TrimSpace(v.cell())
		if v.kind != 's' || name == "" || seen[name] || kind(name, plainNumbers, "") != columns.Text {
			return nil
		}
		seen[name] = true
		names = append(names, name)
		isHeader = isHeader || rows > 0 && numbers[i] == rows
	}
	if !isHeader {
		return nil
	}
	return names
}

// emptyShape returns the problem of a document without rows.
func (l *Layout) emptyShape(text []byte) error {
	const remedy = "choose a file with at least one row"
	for _, key := range l.shape.path {
		text = partOf(text, key)
	}
	if len(text) == 0 {
		return nil // damaged, as its reader says
	}
	if inside := bytes.Trim(text, "[]{}"+jsonSpaces); len(inside) > 0 {
		if m := (headMember{"", text}); l.shape.kind == asValues && text[0] == '[' {
			if first, _ := m.first(); first == '"' && isListOfTexts(text) {
				return newProblem(l.Name, "the file is a list of texts", `write an object for each, such as {"text": "…"}`)
			}
		}
		return nil
	}
	what := map[byte]string{'[': "list", '{': "object"}[text[0]]
	if n := len(l.shape.path); n > 0 {
		return newProblem(l.Name, "the "+what+" "+columns.Quoted(l.shape.path[n-1])+" of the file is empty", remedy)
	}
	if len(bytes.TrimSpace(text)) > 0 && bytes.Count(text, []byte("{"))+bytes.Count(text, []byte("[")) > 1 {
		return nil // lists in a list
	}
	return newProblem(l.Name, "the file is an empty "+what, remedy)
}

func isListOfTexts(text []byte) bool {
	s := jsonScanner{text: text, at: 1}
	return s.members('[', func(int, []byte) bool {
		v, ok := s.value(0)
		return ok && v.kind == 's'
	})
}

// noteShape adds a note on the parts of the document that are not read.
func (l *Layout) noteShape(text []byte) {
	if l.shape.skip {
		l.note(columns.Note{Code: columns.NoteGuessedHeader, What: "the first list is taken for the names of the columns",
			Remedy: "write objects if it is a row"})
	}
	n := columns.Note{Code: columns.NotePart}
	switch {
	case l.shape.part != "":
		n.What = "the rows are the properties of the features; their geometry is not read"
		n.Remedy = "write the coordinates as properties if you need them"
	case len(l.shape.path) > 0:
		var others []string
		for _, key := range l.shape.path {
			members, _ := headMembers(text)
			for _, m := range members {
				if m.key != key && (l.shape.names == nil || m.key != "columns") {
					others = append(others, m.key)
				}
			}
			text = partOf(text, key)
		}
		if n.Count = int64(len(others)); n.Count == 0 {
			return
		}
		n.What = "the rows are in " + columns.Quoted(strings.Join(l.shape.path, ".")) + "; not read: " + quotedList(others)
	case l.shape.kind == asMembers || l.shape.kind == asColumns:
		members, _ := headMembers(text)
		if l.shape.kind == asColumns {
			if len(members) == 0 || members[0].kind() != '{' {
				return
			}
			members, _ = headMembers(members[0].value)
		}
		if len(members) == 0 || isCounting(members) {
			return
		}
		n.What = "the rows have names, such as " + columns.Quoted(members[0].key) + ", which are not read"
		n.Remedy = "write them under a key of each row if you need them"
	default:
		return
	}
	l.note(n)
}

// isCounting reports whether the keys are 0, 1, 2, …
func isCounting(members []headMember) bool {
	for i, m := range members {
		if m.key != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// quotedList returns the first names in quotes, and how many more there are.
func quotedList(names []string) string {
	text := ""
	for i, name := range names {
		if i == 3 {
			return text + " and " + plural(int64(len(names)-3), "other")
		}
		if i > 0 {
			text += ", "
		}
		text += columns.Quoted(name)
	}
	return text
}
