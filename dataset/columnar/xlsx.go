package columnar

import (
	"encoding/xml"
	"io"
	"math"
	slashes "path"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

func init() { dataset.Register(dataset.XLSX, &dataset.Codec{Head: headOfWorkbook, Open: openSheet}) }

// A workbook of Office Open XML (ECMA-376) is a ZIP archive of XML files. One of its sheets is read from front to back.
// Its texts are in a separate list, which is kept in memory.

// Limits of a workbook.
const (
	mostSheets  = 1 << 12
	mostLooked  = 64 << 20 // bytes of sheets that are looked into for a table
	mostStrings = 1 << 22
	mostStyles  = 1 << 16
	mostToken   = 8 << 20 // bytes of a tag or of a text
	mostRowText = 8 << 20 // bytes of the texts of a row
)

// A workbook holds the data of the other files that its sheet needs.
type workbook struct {
	file    *file
	sheets  []sheetEntry // of cells, in the order of their tabs
	since04 bool         // days count from 1904
	strings texts
	isDate  []bool // of each style
}

// A sheetEntry is a sheet of cells that a workbook lists.
type sheetEntry struct {
	name     string
	entry    string // its file in the archive
	isHidden bool
}

// An xmlReader reads the tags and texts of one file of a workbook.
type xmlReader struct {
	*xml.Decoder
	r    io.Reader
	err  error // of r
	left int   // bytes that the current token may still take
	size int64
}

func (x *xmlReader) Read(p []byte) (int, error) {
	if x.left <= 0 {
		refuse("a cell has more than 8 MB", "shorten it")
	}
	var n int
	n, x.err = x.r.Read(p[:min(len(p), x.left)])
	x.left -= n
	return n, x.err
}

// open opens a file of the archive for reading, or returns nil if it is absent.
func (w *workbook) open(entry string) *xmlReader {
	r, size, err := dataset.OpenZipped(w.file, w.file.name, entry)
	if err != nil {
		panic(readError{err})
	}
	if r == nil {
		return nil
	}
	x := &xmlReader{r: r, size: size}
	x.Decoder = xml.NewDecoder(x)
	return x
}

// next returns the next tag or text; nil at the end, and of an absent file.
func (x *xmlReader) next() xml.Token {
	if x == nil {
		return nil
	}
	x.left = mostToken
	token, err := x.RawToken()
	if err == nil {
		return token
	}
	if err == io.EOF {
		return nil
	}
	if err != x.err || err == io.ErrUnexpectedEOF {
		fail("the XML of the workbook is damaged")
	}
	panic(readError{err})
}

// attribute returns an attribute of a tag by its name without a prefix.
func attribute(tag *xml.StartElement, name string) string {
	for i := range tag.Attr {
		if tag.Attr[i].Name.Local == name {
			return tag.Attr[i].Value
		}
	}
	return ""
}

// each calls f with every tag that opens.
func (x *xmlReader) each(f func(tag *xml.StartElement)) {
	for token := x.next(); token != nil; token = x.next() {
		if tag, ok := token.(xml.StartElement); ok {
			f(&tag)
		}
	}
}

func openWorkbook(f *file) *workbook {
	w := &workbook{file: f}
	listed := w.readList()
	targets, texts, styles := w.readTargets()
	for _, sheet := range listed {
		if sheet.entry = targets[sheet.entry]; sheet.entry != "" {
			w.sheets = append(w.sheets, sheet)
		}
	}
	if len(w.sheets) == 0 {
		refuse("the workbook has no sheet of cells", "choose one that has")
	}
	if texts != "" {
		w.readStrings(w.open(texts))
	}
	if styles != "" {
		w.readStyles(w.open(styles))
	}
	return w
}

const workbookFolder = "xl/"

// readList reads the list of sheets, with the identifiers of their files.
func (w *workbook) readList() (sheets []sheetEntry) {
	x := w.open(workbookFolder + "workbook.xml")
	check(x != nil, "it has no xl/workbook.xml")
	x.each(func(tag *xml.StartElement) {
		switch tag.Name.Local {
		case "workbookPr":
			text := attribute(tag, "date1904")
			w.since04 = text == "1" || text == "true"
		case "sheet":
			if len(sheets) == mostSheets {
				refuse("the workbook has more than "+strconv.Itoa(mostSheets)+" sheets", "save the table as CSV UTF-8")
			}
			state := attribute(tag, "state")
			sheets = append(sheets, sheetEntry{attribute(tag, "name"), attribute(tag, "id"),
				state == "hidden" || state == "veryHidden"})
		}
	})
	return sheets
}

// readTargets reads where the sheets of cells are, by their identifiers, and where texts and styles are.
func (w *workbook) readTargets() (sheets map[string]string, texts, styles string) {
	sheets = map[string]string{}
	x := w.open(workbookFolder + "_rels/workbook.xml.rels")
	check(x != nil, "it does not say where its sheets are")
	x.each(func(tag *xml.StartElement) {
		if tag.Name.Local != "Relationship" {
			return
		}
		target := attribute(tag, "Target")
		if strings.HasPrefix(target, "/") {
			target = target[1:]
		} else {
			target = slashes.Join(workbookFolder, target)
		}
		switch slashes.Base(attribute(tag, "Type")) {
		case "worksheet":
			sheets[attribute(tag, "Id")] = target
		case "sharedStrings":
			texts = target
		case "styles":
			styles = target
		}
	})
	return sheets, texts, styles
}

// A content collects the text of a cell, or of an entry in the list of texts, without phonetic text.
type content struct {
	inText   bool
	phonetic int
}

// append appends the part of the text that is in a token.
func (c *content) append(dst []byte, token xml.Token) []byte {
	switch token := token.(type) {
	case xml.StartElement:
		c.tag(token.Name.Local, true, 1)
	case xml.EndElement:
		c.tag(token.Name.Local, false, -1)
	case xml.CharData:
		if c.inText && c.phonetic == 0 {
			return append(dst, token...)
		}
	}
	return dst
}

func (c *content) tag(name string, opens bool, deeper int) {
	switch name {
	case "v", "t":
		c.inText = opens
	case "rPh":
		c.phonetic += deeper
	}
}

func (w *workbook) readStrings(x *xmlReader) {
	var content content
	s := &w.strings
	for token := x.next(); token != nil; token = x.next() {
		s.bytes = content.append(s.bytes, token)
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "si" {
			s.ends = append(s.ends, len(s.bytes))
		}
		if len(s.bytes) > mostPage || len(s.ends) > mostStrings {
			refuse("the texts of the workbook have more than 64 MB, or are more than 4,194,304",
				"save its sheet as CSV UTF-8: File, Save As")
		}
	}
}

func (w *workbook) readStyles(x *xmlReader) {
	dates := map[string]bool{}
	inCells := false
	for token := x.next(); token != nil; token = x.next() {
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "numFmt":
				dates[attribute(&token, "numFmtId")] = isDateFormat(attribute(&token, "formatCode"))
			case "cellXfs":
				inCells = true
			case "xf":
				if !inCells {
					continue
				}
				id := attribute(&token, "numFmtId")
				isDate, isOwn := dates[id]
				w.isDate = append(w.isDate, isOwn && isDate || !isOwn && isBuiltInDate(id))
			}
		case xml.EndElement:
			inCells = inCells && token.Name.Local != "cellXfs"
		}
		if len(dates) > mostStyles || len(w.isDate) > mostStyles {
			refuse("the workbook has more than 65,536 styles", "save its sheet as CSV UTF-8: File, Save As")
		}
	}
}

// isBuiltInDate reports whether a built-in format, which workbooks do not spell out, is a date. 27 to 36 and 50 to 58
// are dates in East Asian versions.
func isBuiltInDate(id string) bool {
	n, err := strconv.Atoi(id)
	return err == nil && (n >= 14 && n <= 22 || n >= 27 && n <= 36 || n >= 45 && n <= 47 || n >= 50 && n <= 58)
}

// isDateFormat reports whether a format has days, months, years or hours outside quotes, brackets and escapes. Its
// first section, for positive numbers, decides.
func isDateFormat(code string) bool {
	for i := 0; i < len(code); i++ {
		end := byte(0)
		switch code[i] {
		case ';':
			return false
		case '\\', '_', '*':
			i++
		case '"':
			end = '"'
		case '[':
			end = ']'
		case 'd', 'm', 'y', 'h', 'D', 'M', 'Y', 'H':
			return true
		}
		if end != 0 {
			n := strings.IndexByte(code[i+1:], end)
			if n < 0 {
				return false
			}
			i += 1 + n
		}
	}
	return false
}

// appendDate writes the day of a number, with its time of day to the millisecond if it has one. In the 1900 system, 60
// is a day that never existed; it counts as the day before.
func (w *workbook) appendDate(dst []byte, text string) []byte {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x < 2_958_466) { // up to the end of 9999
		return append(dst, text...)
	}
	const day = 86_400_000
	milli := int64(math.Round(x * day))
	first := time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	if !w.since04 {
		first = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		if milli < 60*day {
			milli += day
		}
	}
	t := first.AddDate(0, 0, int(milli/day)).Add(time.Duration(milli%day) * time.Millisecond)
	if t.Year() > 9999 {
		return append(dst, text...)
	}
	return appendTime(dst, t)
}

// appendISO writes a date that a cell has in ISO 8601, in the same form as appendDate.
func appendISO(dst, text []byte) []byte {
	t, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(string(text), "Z"))
	if err != nil {
		return append(dst, text...)
	}
	return appendTime(dst, t)
}

func appendTime(dst []byte, t time.Time) []byte {
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.AppendFormat(dst, "2006-01-02")
	}
	return t.AppendFormat(dst, "2006-01-02T15:04:05.999")
}

// A sheet reads the rows of a sheet.
type sheet struct {
	*workbook
	xml    *xmlReader
	row    int64 // its number
	cells  texts // of the row, up to the last that is there
	value  []byte
	inRow  bool
	nextAt int // column of the next cell without a reference

	formulas map[int]int // of each column: formulas without a stored result so far,
	errors   map[int]int // and cells with an error
}

func (w *workbook) openSheet(entry *sheetEntry) *sheet {
	x := w.open(entry.entry)
	check(x != nil, "its sheet "+columns.Quoted(entry.name)+" is not there")
	return &sheet{workbook: w, xml: x, formulas: map[int]int{}, errors: map[int]int{}}
}

// next moves to the next row with any content. It returns false after the last.
func (s *sheet) next() bool {
	for token := s.xml.next(); token != nil; token = s.xml.next() {
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "row":
				s.row++
				if text := attribute(&token, "r"); text != "" {
					n, err := strconv.ParseInt(text, 10, 64)
					check(err == nil && n > 0, "the number of a row is none")
					s.row = n
				}
				s.cells.clear()
				s.nextAt, s.inRow = 0, true
			case "c":
				check(s.inRow, "a cell stands in no row")
				s.cell(&token)
			}
		case xml.EndElement:
			if token.Name.Local == "row" {
				if s.inRow = false; len(s.cells.bytes) > 0 {
					return true
				}
			}
			if token.Name.Local == "sheetData" {
				return false
			}
		}
	}
	fail("its sheet ends too early")
	return false
}

// cell reads the cell that a tag opens.
func (s *sheet) cell(tag *xml.StartElement) {
	at := s.nextAt
	if reference := attribute(tag, "r"); reference != "" {
		at = columnOf(reference)
	}
	check(at >= s.nextAt, "the cells of a row are not in order")
	if at >= mostColumns {
		tooManyColumns()
	}
	s.nextAt = at + 1
	kind := attribute(tag, "t")
	s.value = s.value[:0]
	var content content
	isFormula := false
	for depth := 1; depth > 0; {
		token := s.xml.next()
		switch token := token.(type) {
		case nil:
			fail("its sheet ends too early")
		case xml.StartElement:
			depth++
			isFormula = isFormula || token.Name.Local == "f"
		case xml.EndElement:
			depth--
		}
		s.value = content.append(s.value, token)
	}
	text := s.text(kind, attribute(tag, "s"))
	if isFormula && len(s.value) == 0 && kind != "str" {
		s.formulas[at]++
	}
	if kind == "e" {
		s.errors[at]++
	}
	if len(text) == 0 {
		return
	}
	for len(s.cells.ends) < at {
		s.cells.add(nil)
	}
	s.cells.add(text)
	if len(s.cells.bytes) > mostRowText {
		refuse("row "+strconv.FormatInt(s.row, 10)+" has more than 8 MB of texts", "shorten them")
	}
}

// text returns the text of a cell of a kind and style, whose value is in s.value.
func (s *sheet) text(kind, style string) []byte {
	switch kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(string(s.value)))
		check(err == nil && n >= 0 && n < len(s.strings.ends), "a cell has a text that is not there")
		return unescape(s.strings.at(n))
	case "e":
		return nil
	case "str", "inlineStr":
		return unescape(s.value)
	case "b":
		return dataset.AppendBoolean(nil, strings.TrimSpace(string(s.value)) == "1")
	case "d":
		return appendISO(nil, s.value)
	}
	if n, err := strconv.Atoi(style); err == nil && n >= 0 && n < len(s.isDate) && s.isDate[n] {
		return s.appendDate(nil, strings.TrimSpace(string(s.value)))
	}
	return s.value
}

// unescape replaces _x000D_ and the like, which stand for characters that XML cannot hold.
func unescape(text []byte) []byte {
	if !strings.Contains(string(text), "_x") {
		return text
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if i+7 <= len(text) && text[i] == '_' && text[i+1] == 'x' && text[i+6] == '_' {
			if n, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16); err == nil {
				out = utf8.AppendRune(out, rune(n))
				i += 6
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// columnOf returns the column of a reference such as BC12, from 0.
func columnOf(reference string) int {
	n := 0
	for i := range len(reference) {
		b := reference[i] &^ 0x20
		if b < 'A' || b > 'Z' {
			check(i > 0, "the reference of a cell has no column")
			break
		}
		n = 26*n + int(b-'A') + 1
		check(n <= 1<<24, "the reference of a cell has no column")
	}
	return n - 1
}

// A sheetSource returns the rows of a sheet.
type sheetSource struct {
	*sheet
	layout *dataset.Layout
	header bool // is still to be passed over
	unused *dataset.Unused
}

func openSheet(l *dataset.Layout, f dataset.File) (dataset.Source, error) {
	s := &sheetSource{layout: l, header: l.Header}
	err := guard(l.Name, nowhere, func() {
		w := openWorkbook(&file{f, l.Name})
		s.sheet = w.openSheet(w.choose(l.Sheet))
	})
	if err != nil {
		return nil, err
	}
	return dataset.NewSource(l.Schema(), s), nil
}

func (s *sheetSource) Row(b *dataset.Block, unused *dataset.Unused) error {
	if unused.Keep {
		return &dataset.Problem{
			File:   s.layout.Name,
			What:   "a private release takes no workbook, whose rows share a list of texts",
			Remedy: "save its sheet as CSV UTF-8",
		}
	}
	s.unused = unused
	more := true
	err := guard(s.layout.Name, func() (int64, string) { return s.row, "" }, func() {
		for more = s.next(); more && s.row <= int64(s.layout.Skip); {
			more = s.next()
		}
	})
	switch {
	case err != nil:
		return err
	case !more:
		return io.EOF
	case s.header:
		s.header = false
		return nil
	}
	if problem := s.addCells(b); problem != nil {
		b.DropRow()
		problem.File, problem.Row = s.layout.Name, s.row
		unused.Add(problem)
		return nil
	}
	b.EndRow(s.row)
	return nil
}

// addCells adds the cells of the row to a block.
func (s *sheetSource) addCells(b *dataset.Block) *dataset.Problem {
	all := s.layout.Columns
	if n := len(s.cells.ends); n > len(all) {
		return &dataset.Problem{What: "the row reaches to column " + strconv.Itoa(n) + ", the first ones to column " +
			strconv.Itoa(len(all)), Remedy: "clear the cells beyond"}
	}
	for i := range all {
		var cell []byte
		if i < len(s.cells.ends) {
			cell = s.cells.at(i)
		}
		switch role := all[i].Role; {
		case role == columns.AsIgnored:
		case role == columns.AsNumber:
			x, what := s.layout.NumberOf(i, cell, s.unused)
			if what != "" {
				return &dataset.Problem{Place: s.layout.Place(i), What: what,
					Remedy: "correct it, or use the column for something else"}
			}
			b.AddNumber(x)
		case !utf8.Valid(cell):
			return &dataset.Problem{Place: s.layout.Place(i), What: "the text is not UTF-8",
				Remedy: "write the file with texts in UTF-8"}
		default:
			b.AddText(cell)
		}
	}
	return nil
}
