package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// ErrShortHead is returned if the head given to Sniff is too short to recognise the file.
var ErrShortHead = errors.New("dataset: the head of the file is too short")

// sniffRows and sniffCells bound the rows and cells that Sniff looks at.
const (
	sniffRows  = 500
	sniffCells = 500_000
)

// shortestHead is enough to recognise every magic number.
const shortestHead = 8

// maxColumns bounds the columns of a table, and maxNames the bytes of their names; sparse rows have no such bounds.
// Both are checked before columns are made.
const (
	maxColumns = 1 << 18
	maxNames   = 16 << 20
)

// What is said of a table beyond these bounds.
const (
	tooManyCells = "the row has more than 262144 cells"
	useSparse    = "write it as LIBSVM, which is sparse"
)

// tooManyNames returns the problem of a table whose column names have too many bytes.
func tooManyNames(file string) *Problem {
	return newProblem(file, "the names of its columns have more than "+strconv.Itoa(maxNames>>20)+" MB", "shorten them")
}

// Sniff finds the format and the layout of a file from its first bytes, head, and from its name if they leave a doubt.
// whole says that head is the whole file. 256 KB are enough for almost every file. The error is ErrShortHead if they
// are not, the error of a Reading that is not allowed, or a *Problem. Sniff looks into files compressed with gzip or
// zstd. Parquet and Arrow need the whole file: use SniffFile, which knows where to look.
//
// Sniff does not guess settings that the reading r has. If r has all settings of its format, the rows are not looked
// at: columns then have names, but no types and no examples.
func Sniff(name string, head []byte, whole bool, r columns.Reading) (*Layout, error) {
	f := bytes.NewReader(head)
	if isArchive(f, r) {
		if !whole {
			return nil, ErrShortHead
		}
		return sniffZip(name, f, r)
	}
	l, err := sniff(name, head, whole, r)
	if err == nil && l.Format.isColumnar() {
		if !whole {
			return nil, ErrShortHead
		}
		err = l.sniffColumnar(f)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// sniff is Sniff for a file that is no archive. Of a columnar file it finds the format alone.
func sniff(name string, head []byte, whole bool, r columns.Reading) (*Layout, error) {
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("dataset: reading: %w", err)
	}
	typed := len(r.Missing()) == 0
	compression := sniffCompression(head)
	if r.Compression != "" {
		compression = Compression(slices.Index(columns.Compressions, r.Compression))
	}
	all := whole // of what is unpacked
	if compression != NotCompressed {
		var err error
		if head, all, err = unpackHead(name, head, whole, compression); err != nil {
			return nil, err
		}
		if !typed && sniffCompression(head) != NotCompressed {
			return nil, newProblem(name, "the file is compressed twice", "unpack it once")
		}
	}
	if !typed && !all && len(head) < shortestHead {
		return nil, ErrShortHead
	}
	if !typed && r.Format == "" {
		if problem := refused(name, head); problem != nil {
			return nil, problem
		}
	}
	format, isKnown := ParseFormat(r.Format)
	if !isKnown {
		format = sniffFormat(columns.WithoutCompression(name), head, all, r.Encoding)
	}
	l := newLayout(name, format, r)
	l.Compression = compression
	if format.isColumnar() {
		return l, nil // SniffFile goes on
	}
	var err error
	if f := format.of(); f.header != nil {
		err = l.sniffArray(f.header, head, all)
	} else {
		err = l.sniffText(f, head, all)
	}
	if err == nil {
		err = l.checkColumns()
	}
	if err == ErrShortHead && whole {
		err = newProblem(name, "its first rows have more than 8 MB", "write one row per line")
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

// newLayout returns the layout of a file of a format. The format counts as guessed unless the reading has it.
func newLayout(name string, format Format, r columns.Reading) *Layout {
	l := &Layout{Name: name, Format: format}
	l.use(r.Of(format.String()))
	if r.Format == "" {
		l.Guessed = append([]string{"format"}, l.Guessed...)
	}
	return l
}

func (l *Layout) checkColumns() error {
	if len(l.Columns) > maxColumns {
		return newProblem(l.Name, "it has "+strconv.Itoa(len(l.Columns))+" columns, more than "+
			strconv.Itoa(maxColumns), useSparse)
	}
	return nil
}

const (
	isStata       = "the file is of Stata"
	isPickle      = "the file is a pickle of Python"
	picklesRemedy = "save the table as CSV or Parquet, or the array as .npy"
)

// refused recognises files of other formats.
func refused(name string, head []byte) error {
	for _, other := range []struct{ magic, what, remedy string }{
		{"PK\x03\x04", "inside is a ZIP archive, as of a workbook or an .npz", "unpack it once"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "the file is an old workbook (.xls), or one with a password",
			"save it as .xlsx without a password, or as CSV UTF-8"},
		{"\xfd7zXZ\x00", "the file is compressed with xz", "unpack it, or compress it with gzip or zstd"},
		{"BZh", "the file is compressed with bzip2", "unpack it, or compress it with gzip or zstd"},
		{"7z\xbc\xaf\x27\x1c", "the file is a 7-Zip archive", "unpack it"},
		{"Rar!\x1a\x07", "the file is a RAR archive", "unpack it"},
		{"\x89HDF\r\n\x1a\n", "the file is HDF5", "save the array as .npy"},
		{"MATLAB 5.0", "the file is of MATLAB", "save the array as .npy, or the table as CSV"},
		{"SQLite format 3\x00", "the file is a database of SQLite", "export a table as CSV"},
		{"FEA1", "the file is of the first version of Feather", "write it again as Feather version 2, which is Arrow"},
		{"ORC", "the file is ORC", "write it as Parquet"},
		{"Obj\x01", "the file is Avro", "write it as Parquet or JSON Lines"},
		{"\x80\x02}", isPickle, picklesRemedy},
		{"\x80\x04\x95", isPickle, picklesRemedy},
		{"\x80\x05\x95", isPickle, picklesRemedy},
		{"<stata_dta>", isStata, "export the table as CSV"},
		{"q\x02\x01\x00", isStata, "export the table as CSV"},
		{"r\x02\x01\x00", isStata, "export the table as CSV"},
		{"s\x02\x01\x00", isStata, "export the table as CSV"},
		{"$FL2", "the file is of SPSS", "export the table as CSV"},
		{"$FL3", "the file is of SPSS", "export the table as CSV"},
		{"HEADER RECORD*******LIB", "the file is of SAS (XPORT)", "export the table as CSV"},
		{strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60", "the file is of SAS", "export the table as CSV"},
		{"\xff\xfe\x00\x00", "the text is UTF-32", "save it in UTF-8"},
		{"\x00\x00\xfe\xff", "the text is UTF-32", "save it in UTF-8"},
		{"%PDF-", "the file is a PDF", "save its text or its tables"},
		{"{\\rtf", "the file is a text in RTF", "save its text or its tables"},
	} {
		if bytes.HasPrefix(head, []byte(other.magic)) {
			return newProblem(name, other.what, other.remedy)
		}
	}
	if isOfR(head) {
		return newProblem(name, "the file is of R", "write the table with write.csv")
	}
	return refusedText(name, head)
}

// isOfR reports whether a file is what save or saveRDS of R write: as bytes or as text, in their versions 2 and 3. The
// text has the release of R that is needed in its fourth line: 2.3.0 or 3.5.0.
func isOfR(head []byte) bool {
	for _, first := range []string{"RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n", "RDB2\n", "RDB3\n", "X\n\x00\x00\x00",
		"B\n\x02\x00\x00", "B\n\x03\x00\x00"} {
		if bytes.HasPrefix(head, []byte(first)) {
			return true
		}
	}
	lines := strings.SplitN(string(head[:min(len(head), 64)]), "\n", 5)
	return len(lines) == 5 && lines[0] == "A" &&
		(lines[1] == "2" && lines[3] == "131840" || lines[1] == "3" && lines[3] == "197888")
}

// refusedText recognises texts that hold something else than rows.
func refusedText(name string, head []byte) error {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head[:min(len(head), 4<<10)], byteOrderMark)))
	begins := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return bytes.HasPrefix(text, []byte(word)) })
	}
	switch {
	case begins("version https://git-lfs"):
		return newProblem(name, "the file is a pointer of Git LFS to the table, not the table", "fetch it with git lfs pull")
	case begins("<table", "<div", "<style", "<meta"), begins("<p>", "<p ") && bytes.Contains(text, []byte("<table")):
		return newProblem(name, "the file is a table in HTML", "open it in a spreadsheet, and save it as .xlsx or CSV UTF-8")
	case begins("<!doctype html", "<html", "<head", "<body", "<p>", "<p "):
		return newProblem(name, "the file is a page in HTML, as a server sends to sign in or where it finds nothing",
			"fetch the table itself, or copy it into a spreadsheet and save it as CSV UTF-8")
	case begins("<?xml", "<workbook") && bytes.Contains(text, []byte("schemas-microsoft-com:office:spreadsheet")):
		return newProblem(name, "the file is a workbook in XML (SpreadsheetML 2003)",
			"open it in a spreadsheet, and save it as .xlsx or CSV UTF-8")
	case begins("<?xml"):
		return newProblem(name, "the file is XML", "export its table as CSV, JSON or Parquet")
	case begins("insert into ", "create table ", "-- mysql dump", "--\n-- postgresql database dump"):
		return newProblem(name, "the file is SQL, which makes tables", "run it in a database, and export the table as CSV")
	case begins("table\n0,1\n", "table\r\n0,1\r\n"):
		return newProblem(name, "the file is DIF", "open it in a spreadsheet, and save it as .xlsx or CSV UTF-8")
	case isSYLK(text):
		return newProblem(name, "the file is SYLK (.slk)", "open it in a spreadsheet, and save it as .xlsx or CSV UTF-8")
	case isLaTeX(text):
		return newProblem(name, "the file is LaTeX", "save its table as CSV")
	case begins("%%matrixmarket"):
		return newProblem(name, "the file is a Matrix Market matrix", "save it as LIBSVM, or as .npy")
	}
	return refusedARFF(name, head)
}

// isSYLK reports whether a text in lower case is SYLK. "ID;Price" alone may be a header, so that the second line must
// be a record of formats, too.
func isSYLK(text []byte) bool {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(first, []byte("id;p")) &&
		slices.ContainsFunc([]string{"p;p", "o;l", "b;y", "f;p", "c;y", "c;x"}, func(record string) bool {
			return bytes.HasPrefix(rest, []byte(record))
		})
}

// isLaTeX reports whether the first line of a text in lower case that is no comment is a command of LaTeX.
func isLaTeX(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '%' {
			return slices.ContainsFunc([]string{"documentclass", "begin{", "usepackage", "def\\"}, func(word string) bool {
				return bytes.HasPrefix(line, []byte("\\"+word))
			})
		}
	}
	return false
}

// refusedARFF recognises Weka's format: comments with %, @relation and @attribute, and rows of CSV after @data.
func refusedARFF(name string, head []byte) error {
	n, isARFF := 0, false
	for line := range bytes.Lines(head) {
		n++
		line = bytes.ToLower(bytes.TrimSpace(line))
		switch {
		case len(line) == 0 || line[0] == '%':
		case bytes.HasPrefix(line, []byte("@data")) && isARFF:
			return newProblem(name, "the file is ARFF, of Weka, whose rows begin below line "+strconv.Itoa(n),
				"save it as CSV in Weka, or read it with format \"csv\", skip "+strconv.Itoa(n)+" and header false")
		case !isARFF && !bytes.HasPrefix(line, []byte("@relation")):
			return nil
		default:
			isARFF = true
		}
	}
	if isARFF {
		return newProblem(name, "the file is ARFF, of Weka", "save it as CSV in Weka")
	}
	return nil
}

// sniffFormat decides by magic numbers, then by the first lines, then by the name.
func sniffFormat(name string, head []byte, whole bool, encoding string) Format {
	if encoding == "" {
		encoding = guessEncoding(head)
	}
	text, err := decodeHead(head, whole, encoding, name)
	if err != nil {
		text = nil
	}
	h := &fileHead{bytes: head, text: bytes.TrimLeft(bytes.TrimPrefix(text, byteOrderMark), " \t\r\n"),
		extension: strings.ToLower(name[len(columns.WithoutExtension(name)):]), whole: whole}
	for i := range formats {
		if looks := formats[i].looks; looks != nil && looks(h) {
			return formats[i].name
		}
	}
	return AnyFormat // CSV takes any file
}

// leastBetween is the least number of bytes of a text for each control character.
const leastBetween = 20

// notText returns an error if a file is not text in a single-byte encoding or UTF-8. It notes a few control characters,
// which come from damaged letters: UTF-16 has a quotation mark as 0x20 0x19.
func (l *Layout) notText(head []byte) error {
	name := l.Name
	switch {
	case len(head) == 0:
		return newProblem(name, "the file is empty", "choose one with at least one row")
	case hasUTF16Mark(head):
		return newProblem(name, "the text is UTF-16", "read it with {encoding} \"utf-16\"")
	}
	n, first := 0, 0 // control characters
	for i, b := range head {
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' {
			if n++; n == 1 {
				first = i
			}
		}
	}
	if n > 0 {
		line := 1 + bytes.Count(head[:first], []byte("\n"))
		if bytes.IndexByte(head, 0) >= 0 || line == 1 || leastBetween*n > len(head) {
			return &Problem{File: name, Line: int64(line),
				Place:  "character " + strconv.Itoa(first-bytes.LastIndexByte(head[:first], '\n')),
				What:   fmt.Sprintf("the byte 0x%02x does not occur in text, and the file is of no format known here", head[first]),
				Remedy: "choose a text file, or export the table as CSV"}
		}
		l.note(columns.Note{Code: columns.NoteControls, Count: int64(n),
			What: fmt.Sprintf("the first rows have %s, such as 0x%02x in line %d", plural(int64(n), "control character"),
				head[first], line),
			Remedy: "save the file anew in UTF-8 if letters are damaged"})
	}
	if i := bytes.IndexByte(head, '\r'); i >= 0 && i+1 < len(head) && bytes.IndexByte(head, '\n') < 0 {
		return newProblem(name, "the lines end in a bare carriage return", "save it with Unix or Windows line ends")
	}
	return nil
}

// looksUTF16 reports whether a quarter of the even bytes are zero and no odd ones, or the other way round. Letters that
// are not Latin have no zero, but the signs between them do.
func looksUTF16(head []byte) bool {
	n := min(len(head)&^1, 1024)
	even, odd := 0, 0
	for i := 0; i < n; i += 2 {
		if head[i] == 0 {
			even++
		}
		if head[i+1] == 0 {
			odd++
		}
	}
	return min(even, odd) == 0 && max(even, odd) >= 4 && 4*max(even, odd) >= n/2
}

// noRows returns the error for a head without a row.
func (l *Layout) noRows(whole bool, remedy string) error {
	if !whole {
		return ErrShortHead
	}
	return newProblem(l.Name, "the file has no rows", remedy)
}

// describe sets the type, the example and the counts of odd cells of each column from the first rows. Rows may differ
// in length.
func (l *Layout) describe(rows [][]string) {
	for i := range l.Columns {
		c := &l.Columns[i]
		style := l.styleOf(rows, i)
		if c.Type = l.columnType(rows, i); c.Type.IsNumeric() {
			c.Measure = style.measure
		} else {
			c.levels = levelsOf(rows, i)
		}
		if len(l.Columns) <= valueColumns {
			c.Values = l.values(rows, i)
		}
		for _, row := range rows {
			cell := ""
			if i < len(row) {
				cell = string(trimCell([]byte(row[i])))
			}
			if c.Example == "" {
				c.Example = example(cell)
			}
			switch k := kind(cell, style, l.Dates); {
			case k == columns.Empty || c.Type.IsNumeric() && !k.IsNumeric() && k != columns.Boolean ||
				(c.Type == columns.Date || c.Type == columns.Boolean) && k != c.Type:
				c.Odd++
			case c.Type.IsNumeric() && strings.Trim(cell, "+-0.,") == "",
				k == columns.Boolean && len(cell) == len("false"):
				c.Zeros++
			case c.Type.IsNumeric() && IsCode([]byte(cell), l.Decimal):
				c.Codes++
			}
		}
	}
	l.Rows = len(rows)
}

// longestExample is the length in bytes of an example: a cell may have megabytes.
const longestExample = 200

// example returns the beginning of a cell.
func example(cell string) string {
	if len(cell) <= longestExample {
		return cell
	}
	return strings.ToValidUTF8(cell[:longestExample], "") + "…"
}

// columnType returns the type of most cells of column i that are not empty. Numbers with a currency or percent sign are
// texts, unless nine of ten numbers have that sign. So are numbers with a code such as 007 among them, and numbers that
// are all in parentheses, and few different numbers among which a tenth or more are words. Only true and false make
// booleans; beside numbers they are numbers.
func (l *Layout) columnType(rows [][]string, i int) columns.Type {
	var n [columns.Boolean + 1]int
	style, signs, signed := l.styleOf(rows, i), map[rune]int{}, 0
	codes, inParentheses := 0, 0
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		k := kind(row[i], style, l.Dates)
		n[k]++
		if k == columns.Integer && IsCode([]byte(strings.TrimSpace(row[i])), l.Decimal) {
			codes++
		}
		if k.IsNumeric() && strings.HasSuffix(strings.TrimSpace(row[i]), ")") {
			inParentheses++
		}
		if k == columns.Number && style.signs && style.measure == "" {
			if _, sign, ok := style.plain(nil, []byte(row[i])); ok && sign != 0 {
				signs[sign]++
				signed++
			}
		}
	}
	numbers, others := n[columns.Integer]+n[columns.Number], n[columns.Text]+n[columns.Date]
	if len(signs) > 1 || signed > 0 && 10*signed < 9*numbers {
		if signs['%'] > 0 && 10*signed >= numbers {
			return columns.Text // 5 beside 5 %: nobody knows which is which
		}
		numbers, others = numbers-signed, others+signed
		n[columns.Text] += signed
	}
	switch cells := numbers + n[columns.Boolean]; {
	case cells+others == 0:
		return columns.Empty
	case cells < others && n[columns.Date] > n[columns.Text]:
		if o, _ := ordersOf(rows, i); l.guesses("dates") && o.contradictory(l.Dates) {
			return columns.Text // nobody knows which is the day
		}
		return columns.Date
	case cells < others || codes > 0 || numbers > 0 && inParentheses == numbers:
		return columns.Text
	case 10*n[columns.Text] >= cells+others && fewValues(rows, i): // such as 2, 3, 4, 5more
		return columns.Text
	case n[columns.Boolean] > numbers:
		return columns.Boolean
	case n[columns.Number] > 0:
		return columns.Number
	}
	return columns.Integer
}

// kind returns the type of a cell.
func kind(cell string, style numberStyle, dates string) columns.Type {
	if sign, _, isPlain := plainNumber(cell); isPlain && style.measure == "" {
		switch sign {
		case 0:
			return columns.Integer
		case style.decimal:
			return columns.Number
		}
	}
	cell = string(trimCell([]byte(cell)))
	if isMissing([]byte(cell)) {
		return columns.Empty
	}
	if _, ok := Boolean([]byte(cell)); ok {
		return columns.Boolean
	}
	if _, reason := style.parse([]byte(cell)); reason == notANumber {
		if _, ok := parseDate([]byte(cell), dates); ok {
			return columns.Date
		}
		return columns.Text
	}
	number, _ := style.withoutUnit([]byte(cell))
	for i, b := range trimSpaces(number) {
		if (b < '0' || b > '9') && b != style.thousands && !(i == 0 && (b == '-' || b == '+')) {
			return columns.Number
		}
	}
	return columns.Integer
}
