package dataset

import (
	"bytes"
	"errors"
	"io"
	"iter"
)

// longestRow bounds the bytes of a row of text, so that an open quote or a file without line ends does not fill the
// memory.
const longestRow = 8 << 20

// errLongRow says that a row is longer than longestRow; readers make a Problem of it.
var errLongRow = errors.New("dataset: the row is too long")

var byteOrderMark = []byte("\xef\xbb\xbf")

// lines reads a text line by line through one buffer.
type lines struct {
	r                io.Reader
	buf              []byte // [begin:scan] is the current record, [scan:end] is read ahead
	begin, scan, end int
	line             int64 // on which the current record begins, from 1
	last             int64 // on which it ends
	ended            bool  // r has
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, 256<<10)} }

// next returns the next line with its line end, if it has one. It is valid until
// the next call.
func (l *lines) next() ([]byte, error) {
	l.begin = l.scan
	l.line = l.last + 1
	record, err := l.extend()
	if l.line == 1 && bytes.HasPrefix(record, byteOrderMark) {
		record = record[len(byteOrderMark):]
		l.begin += len(byteOrderMark)
	}
	return record, err
}

// extend adds the next line to the record and returns the whole record.
func (l *lines) extend() ([]byte, error) {
	for from := l.scan; ; {
		if i := bytes.IndexByte(l.buf[from:l.end], '\n'); i >= 0 {
			l.scan = from + i + 1
			break
		}
		if l.ended && l.scan == l.end {
			return nil, io.EOF
		}
		if l.ended {
			l.scan = l.end
			break
		}
		from = l.end - l.begin // fill moves the record to the front
		if err := l.fill(); err != nil {
			return nil, err
		}
	}
	if l.scan-l.begin > longestRow {
		return nil, errLongRow
	}
	l.last++
	return l.buf[l.begin:l.scan], nil
}

// skip skips the rest of a line that is too long. The next record begins after it.
func (l *lines) skip() error {
	l.last++
	if l.scan-l.begin > longestRow { // it was read to its end
		return nil
	}
	for {
		if i := bytes.IndexByte(l.buf[l.scan:l.end], '\n'); i >= 0 {
			l.scan += i + 1
			return nil
		}
		l.begin, l.scan = l.end, l.end
		if l.ended {
			return nil
		}
		if err := l.fill(); err != nil {
			return err
		}
	}
}

// pass passes over a line, however long it is.
func (l *lines) pass() error {
	_, err := l.next()
	if err == errLongRow {
		return l.skip()
	}
	return err
}

// isComment reports whether a line begins with a sign of comments, after spaces.
func isComment(line []byte, sign string) bool {
	return sign != "" && bytes.HasPrefix(bytes.TrimLeft(line, " \t"), []byte(sign))
}

// lineRows reads each line as a row, and skips blank lines.
type lineRows struct {
	lines   *lines
	layout  *Layout
	passed  int                                  // lines at the beginning that were passed over
	tooLong string                               // says that a line is too long
	remedy  string                               // of that
	content func(line []byte) []byte             // what a row takes of a line; empty if the line is blank
	add     func(b *Block, line []byte) *Problem // adds a row, or says what is wrong with it
	unknown *[]string                            // keys of the last row that are no columns of the model, or nil
	counts  **Unused                             // gets the Unused of each row before add, or nil
}

func (r *lineRows) Row(b *Block, unused *Unused) error {
	if r.layout.Format == JSON && unused.Keep {
		return newProblem(r.layout.Name, "the rows of one JSON array end where others say, "+
			"and each row of a private release stands alone", "write one row per line")
	}
	for ; r.passed < r.layout.Skip; r.passed++ {
		if err := r.lines.pass(); err != nil {
			return err
		}
	}
	line, err := r.lines.next()
	if err != nil {
		return r.lines.tooLong(err, unused, newProblem(r.layout.Name, r.tooLong, r.remedy))
	}
	if r.counts != nil {
		*r.counts = unused
	}
	if line = r.content(line); len(line) == 0 || isComment(line, r.layout.Comment) {
		r.lines.blank(unused, r.layout.Name)
		return nil
	}
	if problem := r.add(b, line); problem != nil {
		b.DropRow()
		problem.File, problem.Line = r.layout.Name, r.lines.line
		if r.layout.Format == JSON {
			problem.inArray()
		}
		unused.Add(problem)
		return nil
	}
	b.EndRow(r.lines.line)
	if r.unknown != nil {
		unused.addUnknown(*r.unknown)
	}
	return nil
}

// tooLong handles an error of next. If all rows are kept, a line that is too long counts as an unusable row; otherwise
// it ends the reading.
func (l *lines) tooLong(err error, unused *Unused, problem *Problem) error {
	if err != errLongRow {
		return err
	}
	problem.Line = l.line
	if !unused.Keep {
		return problem
	}
	unused.Add(problem)
	return l.skip()
}

// blank handles a line without a row. If all rows are kept, it counts as an unusable row.
func (l *lines) blank(unused *Unused, file string) {
	if unused.Keep {
		unused.Add(&Problem{File: file, Line: l.line, What: "the line holds no row",
			Remedy: "write one, or leave the line out"})
	}
}

// fill reads more bytes into the buffer, after the present ones.
func (l *lines) fill() error {
	if l.end-l.begin > longestRow {
		return errLongRow
	}
	copy(l.buf, l.buf[l.begin:l.end])
	l.begin, l.scan, l.end = 0, l.scan-l.begin, l.end-l.begin
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	n, err := l.r.Read(l.buf[l.end:])
	l.end += n
	if err == io.EOF {
		l.ended = true
		return nil
	}
	return err
}

// firstLines returns the first 20 lines of a text that are not blank.
func firstLines(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		n := 0
		for line := range bytes.Lines(text) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			if n++; n > 20 || !yield(line) {
				return
			}
		}
	}
}

// withoutEnd returns a line without its line end.
func withoutEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
