package dataset

import (
	"bytes"
	"io"

	"tensorsketch.example/dataset/plan"
)

// Format is the format of a file: a name in plan.Formats.
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
	JSON      Format = "json"  // one array, whose elements are the rows
	XLSX      Format = "xlsx"  // the first sheet of a workbook
)

// formats lists the formats in the order in which Sniff tries them.
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

// A format holds this package's functions for a Format. The formats of package columnar have a Codec and, of these
// functions, only looks.
type format struct {
	name  Format
	looks func(h *fileHead) bool // recognises a file
	// sniff fills in the layout of a file of this format.
	sniff func(l *Layout, head []byte, whole bool) error
	// open returns the rows of content, which is the unpacked content of the file r.
	open     func(content io.Reader, l *Layout, r io.Reader) (RowReader, error)
	encoding encoding // empty: it is only read
	codec    *Codec   // of package columnar, if it is imported
}

// A fileHead is the information by which a format is recognised.
type fileHead struct {
	bytes     []byte
	text      []byte // without leading spaces; empty if it cannot be decoded
	extension string // in lower case, with its dot
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
	if plan.FormatOf(name) == nil {
		return AnyFormat, false
	}
	return Format(name), true
}

// isColumnar reports whether a format needs a Codec and a File.
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

// sniffText returns the sniff function of a text format. It decodes the head and, unless rows is nil, lets rows split
// it into lines. It then passes whole lines to sniff.
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

// openText returns the open function of a text format.
func openText[T RowReader](rows func(io.Reader, *Layout) T) func(content io.Reader, l *Layout, r io.Reader) (RowReader,
	error) {
	return func(content io.Reader, l *Layout, _ io.Reader) (RowReader, error) { return rows(content, l), nil }
}
