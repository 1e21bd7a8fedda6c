package dataset

import (
	"bytes"
	"io"

	"tensorsketch.example/dataset/plan"
)

// Format is how a file writes its rows: a name of plan.Formats.
type Format string

// AnyFormat is no format: it is to be recognised.
const AnyFormat Format = ""

// The formats that this package reads. Parquet, Arrow and XLSX take package columnar.
const (
	CSV       Format = "csv" // and TSV
	JSONLines Format = "jsonl"
	LIBSVM    Format = "libsvm"
	NPY       Format = "npy"
	IDX       Format = "idx"
	PlainText Format = "text"
	Parquet   Format = "parquet"
	Arrow     Format = "arrow" // IPC file or stream
	JSON      Format = "json"  // one array, whose elements are the rows
	XLSX      Format = "xlsx"  // the first sheet of a workbook
)

// formats are the formats in the order in which a file is tried for them.
var formats = []format{
	{name: Parquet, looks: begins("PAR1")},
	{name: Arrow, looks: begins("ARROW1", "\xff\xff\xff\xff")}, // of a stream: the marker before its first message
	{name: XLSX}, // sniffZip recognises it
	{name: NPY, looks: looksNPY, sniff: sniffArray(readNPYHeader), open: openArray(readNPYHeader), encoding: npyEncoding},
	{name: IDX, looks: looksIDX, sniff: sniffArray(readIDXHeader), open: openArray(readIDXHeader)},
	{name: JSON, looks: looksArray, sniff: sniffText((*Layout).sniffJSON, (*Layout).headOfArray),
		open: openText(newArrayElements)},
	{name: JSONLines, looks: looksJSONLines, sniff: sniffText((*Layout).sniffJSON, nil), open: openText(newJSONRows),
		encoding: jsonEncoding},
	{name: LIBSVM, looks: looksLIBSVM, sniff: sniffText((*Layout).sniffLIBSVM, nil), open: openText(newLIBSVMRows),
		encoding: libsvmEncoding},
	{name: PlainText, looks: looksPlainText, sniff: sniffText((*Layout).sniffPlainText, nil), open: openText(newTextRows)},
	{name: CSV, looks: looksCSV, sniff: sniffText((*Layout).sniffCSV, nil), open: openText(newCSVRows),
		encoding: csvEncoding},
}

// A format is what this package does with the files of a Format. Those that package columnar reads and writes have a
// Codec, and no functions here but the first.
type format struct {
	name  Format
	looks func(h *fileHead) bool // recognises a file
	// sniff fills in the layout of a file of this format.
	sniff func(l *Layout, head []byte, whole bool) error
	// open returns the rows of what is inside the file r.
	open     func(content io.Reader, l *Layout, r io.Reader) (rowReader, error)
	encoding encoding // empty: it is only read
	codec    *Codec   // of package columnar, if that is there
}

// A fileHead is what a format is recognised by.
type fileHead struct {
	bytes     []byte
	text      []byte // without spaces before it; empty if it cannot be decoded
	extension string // in small letters, with its dot
}

// of returns the row of a format, an empty one for AnyFormat.
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
	if plan.FormatOf(name) == nil {
		return AnyFormat, false
	}
	return Format(name), true
}

// isColumnar tells whether a format needs a Codec and a File.
func (f Format) isColumnar() bool {
	p := plan.FormatOf(string(f))
	return p != nil && p.Columnar
}

// begins recognises a file by its first bytes.
func begins(magic ...string) func(h *fileHead) bool {
	return func(h *fileHead) bool {
		for _, m := range magic {
			if bytes.HasPrefix(h.bytes, []byte(m)) {
				return true
			}
		}
		return false
	}
}

// sniffText is the sniff of a format of text. It decodes the head, has rows make lines of it unless that is nil,
// and leaves whole lines to sniff.
func sniffText(sniff func(l *Layout, head []byte, whole bool) error,
	rows func(l *Layout, head []byte, whole bool) ([]byte, error)) func(l *Layout, head []byte, whole bool) error {
	return func(l *Layout, head []byte, whole bool) (err error) {
		if l.guesses("encoding") {
			l.Encoding = guessEncoding(head)
		}
		packed := len(head)
		if head, err = decodeHead(head, whole, l.Encoding, l.Name); err != nil {
			return err
		}
		bytesPerByte := float64(packed) / float64(max(len(head), 1))
		if !l.typed() {
			if problem := notText(l.Name, head); problem != nil {
				return problem
			}
		}
		head = bytes.TrimPrefix(head, byteOrderMark)
		if rows != nil && !l.typed() {
			if head, err = rows(l, head, whole); err != nil {
				return err
			}
		}
		if !whole {
			head = head[:bytes.LastIndexByte(head, '\n')+1]
		}
		if !l.typed() {
			l.BytesPerRow = bytesPerRow(head) * bytesPerByte
		}
		return sniff(l, head, whole)
	}
}

// openText is the open of a format of text.
func openText[T rowReader](rows func(io.Reader, *Layout) T) func(content io.Reader, l *Layout, r io.Reader) (rowReader,
	error) {
	return func(content io.Reader, l *Layout, _ io.Reader) (rowReader, error) { return rows(content, l), nil }
}
