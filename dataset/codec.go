package dataset

import (
	"bytes"
	"io"
	"slices"
	"strconv"

	"tensorsketch.example/dataset/columns"
)

// A File can be read at any place, as columnar formats require. bytes.Reader, strings.Reader and io.SectionReader are
// Files.
type File interface {
	io.ReaderAt
	Size() int64
}

// A Codec reads and writes a format for which this package has no code of its own. Package columnar registers its
// codecs, such as Parquet and Arrow, when it is imported.
type Codec struct {
	// Head returns the columns of a file and its first rows. The reading gives the lengths of lists, and the sheet.
	Head func(name string, f File, r columns.Reading) (*Head, error)
	// Open returns the rows of a file with layout l.
	Open func(l *Layout, f File) (Source, error)
	// NewWriter returns a writer of cells and of nComponents features. The last name is the name of the features, unless
	// there are none. numbers are the cells, from and to, that are written as float64; empty ones are NaN.
	// If state is the State of another writer, the new one continues from there. NewWriter is nil for a format that
	// is only read.
	NewWriter func(names []string, numbers [2]int, nComponents int, state []byte) (Writer, error)
}

// A Head is the description that a columnar file has of itself.
type Head struct {
	Columns []HeadColumn
	Rows    [][]string // cells of the first rows, empty where missing
	Total   int64      // number of rows; 0 if it is not known before all are read

	Measured bool // the length of a list was taken from the first rows

	BytesPerRow float64 // approximate bytes of the file for each row

	// Of a sheet, whose rows may differ in length.
	Lines    []int64     // the numbers of the rows
	Sheet    string      // its name, if it is one of several
	Others   string      // the names of the others, if no reading chose the sheet
	Unread   int         // the number of the others
	Formulas map[int]int // formulas without a stored result in each column
	Errors   map[int]int // cells with an error in each column
}

// A HeadColumn is a column of a columnar file.
type HeadColumn struct {
	Name string
	Text bool         // its cells are texts, even if they look like numbers without a unit
	Type columns.Type // what the file says its cells are, unless they are texts
	Note string       // what it holds that cannot be read: "maps"; empty if it can be

	Remedy string // against Note
}

// A Writer writes a columnar format. Its methods are the same as Encoder's.
type Writer interface {
	AppendHeader(dst []byte) []byte
	AddRow(cells [][]byte, features []float32)
	AppendBlock(dst []byte) []byte
	AppendFooter(dst []byte) []byte
	State() []byte
}

// Register makes a format readable and writable.
func Register(f Format, c *Codec) { f.of().codec = c }

// A NoCodecError is returned for a format whose package the program does not import.
type NoCodecError struct{ Format Format }

func (e *NoCodecError) Error() string {
	return "dataset: " + e.Format.String() + " is read and written by package dataset/columnar; import it"
}

func codecOf(f Format) (*Codec, error) {
	if c := f.of().codec; c != nil {
		return c, nil
	}
	return nil, &NoCodecError{f}
}

// SniffFile is Sniff for a file that can be read at any place. It reads as much of the head as it needs. In Parquet and
// Arrow it reads the metadata, wherever they are.
func SniffFile(name string, f File, r columns.Reading) (*Layout, error) {
	if isArchive(f, r) {
		return sniffZip(name, f, r)
	}
	const least, most, wide, enoughRows = 256 << 10, 16 << 20, 4 << 20, 100
	for n := int64(least); ; n *= 4 {
		head := make([]byte, min(n, f.Size()))
		if _, err := io.ReadFull(io.NewSectionReader(f, 0, f.Size()), head); err != nil {
			return nil, err
		}
		whole := n >= min(f.Size(), most)
		l, err := sniff(name, head, whole, r)
		if err == nil && l.Format.isColumnar() {
			return l, l.sniffColumnar(f)
		}
		if err == nil && !whole && n < wide && len(l.Columns) > 0 && l.Rows < enoughRows && !l.typed() {
			if 4*l.Rows < enoughRows {
				n = wide / 4 // the next head would not do either
			}
			continue // a wide table: more rows are needed to guess the types
		}
		if err != ErrShortHead {
			return l, err
		}
	}
}

func (l *Layout) sniffColumnar(f File) error {
	codec, err := codecOf(l.Format)
	if err != nil {
		return err
	}
	content, err := l.wholeFile(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		return err
	}
	head, err := codec.Head(l.Name, content, l.Reading())
	if err != nil {
		return err
	}
	if l.Reading().Header != nil { // a sheet, which may have a header
		err = l.sniffSheet(head)
	} else {
		l.sniffTable(head)
	}
	if err != nil {
		return err
	}
	return l.checkColumns()
}

// sniffTable sets the columns of a file that stores their types.
func (l *Layout) sniffTable(head *Head) {
	l.Header, l.Total = true, head.Total
	names := make([]string, len(head.Columns))
	for i := range names {
		names[i] = head.Columns[i].Name
	}
	changed := nameEach(names)
	for _, name := range names {
		l.Columns = append(l.Columns, Column{Name: name})
	}
	l.noteNames(changed)
	for i := range head.Columns {
		if holds := head.Columns[i].Note; holds != "" {
			l.Columns[i].unread = true
			l.note(columns.Note{Code: columns.NoteUnusedColumn, Column: l.Columns[i].Name, Count: 1,
				What:   "column " + columns.Quoted(l.Columns[i].Name) + " is not used: it holds " + holds,
				Remedy: head.Columns[i].Remedy})
		}
	}
	typed := l.typed()
	if head.Measured {
		l.Guessed = append(l.Guessed, "keys")
	}
	if typed {
		return
	}
	l.describe(head.Rows)
	for i := range l.Columns {
		c := &l.Columns[i]
		if c.Type == columns.Empty && head.Columns[i].Note == "" {
			c.later = head.Columns[i].Type
		}
		c.typed = !head.Columns[i].Text
		if head.Columns[i].Text && c.Type.IsNumeric() && c.Measure == "" {
			c.Type = columns.Text
		}
	}
	l.noteCells(head.Rows)
	l.guessRoles(head.Rows)
	for i := range l.Columns {
		if note := head.Columns[i].Note; note != "" {
			l.Columns[i].Example = "(" + note + ")"
		}
	}
	l.BytesPerRow = head.BytesPerRow
}

// sniffSheet is sniffCSV for the first rows of a sheet.
func (l *Layout) sniffSheet(head *Head) error {
	typed := l.typed()
	if l.Sheet != "" || head.Others != "" {
		l.Sheet = head.Sheet
	}
	if head.Others != "" {
		l.note(columns.Note{Code: columns.NotePart, Count: int64(head.Unread), What: "sheet " + columns.Quoted(head.Sheet) +
			" is read, and not " + head.Others, Remedy: "set {sheet} to read another"})
		if !typed {
			l.Guessed = append(l.Guessed, "sheet")
		}
	}
	rows := head.Rows
	if !typed && l.isFree("skip") {
		if k := l.preambleRows(evenRows(rows)); k > 0 {
			l.passOver(int(head.Lines[k]) - 1)
			rows = rows[k:]
		}
	}
	rows = padded(rows)
	if typed {
		if l.unnamed = !l.Header; !l.unnamed {
			l.setNames(rows[0])
		}
		return nil
	}
	if l.guesses("header") {
		l.Header = l.noteHeader(rows)
	}
	l.BytesPerRow = head.BytesPerRow
	if err := l.setColumns(rows, nil); err != nil {
		return err
	}
	l.noteLost(head.Formulas, "formula", " without a stored result",
		"open the workbook in a spreadsheet program, which computes them, and save it")
	l.noteLost(head.Errors, "cell", " with an error such as #N/A", "correct the formulas in the workbook")
	return nil
}

// noteLost says which columns have cells without a value, and how many among the first rows.
func (l *Layout) noteLost(counts map[int]int, what, without, remedy string) {
	for i := range l.Columns {
		if n := counts[i]; n > 0 {
			name := columns.Quoted(l.Columns[i].Name)
			l.note(columns.Note{Code: columns.NoteReplacedCells, Column: l.Columns[i].Name, Count: int64(n),
				What: "column " + name + " has " + plural(int64(n), what) + without + " in the first " +
					plural(int64(l.Rows), "row") + ", which count as missing", Remedy: remedy})
		}
	}
}

// padded returns rows filled up with empty cells to one length.
func padded(rows [][]string) [][]string {
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	all := make([][]string, len(rows))
	for i, row := range rows {
		all[i] = append(slices.Clone(row), make([]string, width-len(row))...)
	}
	return all
}

// evenRows returns the rows of a sheet as CSV would have them: of one length, but first rows with one cell are short.
func evenRows(rows [][]string) [][]string {
	even := padded(rows)
	for i, row := range even {
		filled := slices.DeleteFunc(slices.Clone(row), func(cell string) bool { return cell == "" })
		if len(filled) > 1 {
			break
		}
		even[i] = filled
	}
	return even
}

// openColumnar opens a file that a Codec reads.
func (l *Layout) openColumnar(r io.Reader) (Source, error) {
	codec, err := codecOf(l.Format)
	if err != nil {
		return nil, err
	}
	content, err := l.wholeFile(r)
	if err != nil {
		return nil, err
	}
	return codec.Open(l, content)
}

// mostUnpacked bounds the unpacked size of a compressed file that is not read from front to back. Such a file is held
// in memory.
const mostUnpacked = 128 << 20

// wholeFile returns the unpacked content of r as a File.
func (l *Layout) wholeFile(r io.Reader) (File, error) {
	f, ok := r.(File)
	if !ok {
		return nil, newProblem(l.Name, "Parquet, Arrow and arrays stored column by column are not read "+
			"from front to back", "open it as a File")
	}
	if l.Compression == NotCompressed {
		return f, nil
	}
	u, err := l.unpack(r)
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	if n, err := io.Copy(&content, io.LimitReader(u, mostUnpacked+1)); err != nil {
		return nil, err
	} else if n > mostUnpacked {
		return nil, newProblem(l.Name, "it unpacks to more than "+strconv.Itoa(mostUnpacked>>20)+
			" MB, more than is held of a file that is not read from front to back, inside "+l.Compression.String(),
			"unpack it first")
	}
	return bytes.NewReader(content.Bytes()), nil
}

// unpack returns the unpacked content of r, from its beginning.
func (l *Layout) unpack(r io.Reader) (io.Reader, error) {
	f, isFile := r.(File)
	switch {
	case l.entry != nil && isFile:
		return l.entry.open(f, l.Name)
	case l.Compression == Zip:
		return nil, newProblem(l.Name, "a ZIP archive is not read from front to back",
			"open it as a File, laid out by SniffFile")
	case isFile: // a File, which may have been partly read
		r = io.NewSectionReader(f, 0, f.Size())
	}
	if l.Compression == NotCompressed {
		return r, nil
	}
	u, err := newUnpacker(r, l.Compression, l.Name)
	if err != nil {
		return nil, err
	}
	return u, nil
}
