package dataset

import (
	"bytes"
	"io"
	"slices"

	"tensorsketch.example/dataset/columns"
)

// Format is the format of a file: a name in columns.Formats.
type Format string

// AnyFormat stands for a format that Sniff has to recognise.
const AnyFormat Format = ""

// The formats that this package reads. Parquet, Arrow and XLSX need package columnar.
const (
	CSV       Format = "csv" // and TSV
	JSONLines Format = "jsonl"
	LIBSVM    Format = "libsvm"
	NPY       Format = "npy"
	IDX       Format = "idx"
	PlainText Format = "text"
	Parquet   Format = "parquet"
	Arrow     Format = "arrow" // IPC file or stream
	JSON      Format = "json"  // a document: a list of rows, an object around one, columns, or values one after another
	XLSX      Format = "xlsx"  // a sheet of a workbook
)

// formats lists the formats in the order in which Sniff tries them.
var formats = []format{
	{name: Parquet, looks: begins("PAR1")},
	{name: Arrow, looks: begins("ARROW1", "\xff\xff\xff\xff")}, // of a stream: the marker before its first message
	{name: XLSX, inside: "xl/workbook.xml"},
	{name: NPY, looks: looksNPY, header: readNPYHeader, encoding: npyEncoding},
	{name: IDX, looks: looksIDX, header: readIDXHeader},
	{name: JSON, looks: looksDocument, sniff: (*Layout).sniffJSON, lines: (*Layout).headOfDocument, open: newJSONDocument},
	{name: JSONLines, looks: looksJSONLines, sniff: (*Layout).sniffJSON, open: newJSONRows, encoding: jsonEncoding},
	{name: LIBSVM, looks: looksLIBSVM, sniff: (*Layout).sniffLIBSVM, open: newLIBSVMRows, encoding: libsvmEncoding},
	{name: PlainText, sniff: (*Layout).sniffPlainText, open: newTextRows},
	{name: CSV, looks: begins(""), sniff: (*Layout).sniffCSV, open: openCSV, encoding: csvEncoding}, // any file
}

// A format holds this package's functions for a Format. The formats of package columnar have a Codec and, of these
// functions, only looks.
type format struct {
	name   Format
	looks  func(h *fileHead) bool // recognises a file
	inside string                 // the file by which a ZIP archive is recognised as one of this format
	header readHeader             // of an array

	// Of a text: sniff fills in the layout, and open returns the rows. If the rows are not lines, lines makes lines of
	// the head.
	sniff func(l *Layout, head []byte, whole bool) error
	lines func(l *Layout, head []byte, whole bool) ([]byte, error)
	open  func(content io.Reader, l *Layout) RowReader

	encoding encoding // empty: it is only read
	codec    *Codec   // of package columnar, if it is imported
}

// A fileHead is the information by which a format is recognised.
type fileHead struct {
	bytes     []byte
	text      []byte // without leading spaces; empty if it cannot be decoded
	extension string // in lower case, with its dot
	whole     bool   // it is the whole file
}

// of returns the entry of formats for f, or an empty one for AnyFormat.
func (f Format) of() *format {
	for i := range formats {
		if formats[i].name == f {
			return &formats[i]
		}
	}
	return &format{}
}

func (f Format) String() string {
	if f == AnyFormat {
		return "any"
	}
	return string(f)
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, bool) {
	if columns.FormatOf(name) == nil {
		return AnyFormat, false
	}
	return Format(name), true
}

// isColumnar reports whether a format needs a Codec and a File.
func (f Format) isColumnar() bool {
	p := columns.FormatOf(string(f))
	return p != nil && p.Columnar
}

// begins recognises a file by its first bytes.
func begins(magic ...string) func(h *fileHead) bool {
	return func(h *fileHead) bool {
		return slices.ContainsFunc(magic, func(m string) bool { return bytes.HasPrefix(h.bytes, []byte(m)) })
	}
}

// sniffText fills in the layout of a text. It passes whole lines to the format.
func (l *Layout) sniffText(f *format, head []byte, whole bool) (err error) {
	if l.guesses("encoding") {
		if l.Encoding = guessEncoding(head); l.Encoding == columns.Windows1252 {
			l.note(columns.Note{Code: columns.NoteEncoding, What: "the text is not UTF-8, and is read as Windows-1252",
				Remedy: "save it in UTF-8 if names or texts look wrong"})
		}
	}
	if !l.typed() && !hasUTF16Mark(head) && looksUTF16(head) {
		return newProblem(l.Name, "the text is UTF-16 without a byte order mark", "save it in UTF-8, or with the mark")
	}
	packed := len(head)
	if head, err = decodeHead(head, whole, l.Encoding, l.Name); err != nil {
		return err
	}
	bytesPerByte := float64(packed) / float64(max(len(head), 1))
	if !l.typed() {
		if problem := l.notText(head); problem != nil {
			return problem
		}
	}
	head = bytes.TrimPrefix(head, byteOrderMark)
	if f.lines != nil {
		if head, err = f.lines(l, head, whole); err != nil {
			return err
		}
	}
	if !whole {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	if !l.typed() {
		rows := max(bytes.Count(head, []byte("\n")), 1) // as the head suggests
		l.BytesPerRow = float64(len(head)) / float64(rows) * bytesPerByte
	}
	return f.sniff(l, head, whole)
}
