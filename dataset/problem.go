package dataset

import (
	"errors"
	"io"
	"strconv"

	"tensorsketch.example/dataset/columns"
)

// A Problem says what is wrong with a file or one of its rows, and what can be done. As an error of Sniff or of
// a Source it ends the reading.
type Problem struct {
	File   string
	Line   int64  // line of a text file, from 1; 0 if there is none or the problem concerns the whole file
	Row    int64  // row of a file without lines, from 1; 0 if there is none or the problem concerns the whole file
	Place  string // in the line or row: `column 3 ("width")`, "character 17", or empty
	What   string // completes the sentence "file, line, place: …"
	Remedy string // what can be done, as a command, for columns.With: "fill the cell, or set {missing} to zero"
}

// newProblem returns a problem that concerns a whole file. Its hundred calls are not inlined: dataset.wasm is 3 KB
// smaller.
//
//go:noinline
func newProblem(file, what, remedy string) *Problem {
	return &Problem{File: file, What: what, Remedy: remedy}
}

// Where returns the line and the place: `line 17, column 3 ("width")`.
func (p *Problem) Where() string {
	where := ""
	switch {
	case p.Line > 0:
		where = "line " + strconv.FormatInt(p.Line, 10)
	case p.Row > 0:
		where = "row " + strconv.FormatInt(p.Row, 10)
	default:
		return p.Place
	}
	if p.Place != "" {
		where += ", " + p.Place
	}
	return where
}

// Error returns one sentence that names the file, the line, the column and the remedy.
func (p *Problem) Error() string { return p.In(func(setting string) string { return setting }) }

// In returns the sentence in the words of a program that has these names for settings.
func (p *Problem) In(name func(setting string) string) string {
	sentence := p.File
	if where := p.Where(); where != "" {
		sentence += ", " + where
	}
	return sentence + ": " + p.What + "; " + columns.With(name, p.Remedy) + "."
}

// at returns a problem with the row at a place.
func (s *Schema) at(place int64, column, what, remedy string) *Problem {
	p := &Problem{File: s.File, Place: column, What: what, Remedy: remedy}
	if s.Lines {
		p.Line = place
	} else {
		p.Row = place
	}
	return p
}

// listed is how many unusable rows are listed; all are counted.
const listed = 20

// Unused describes the rows that cannot be used.
type Unused struct {
	Total int64
	First []*Problem // the first 20

	reasons []reason // see RowNotes
	last    *Problem
	unknown unknownKeys
	besides []beside

	// Keep is set before the first Next of a Source. Each unusable row is then added with Block.AddUnusable, and
	// a Reader makes it zeros. Private releases need this, because neither the number of rows nor the place of any
	// row may depend on the content of another row. Each line of a text is then a row, including a blank line, a
	// line that is too long, and a line with an open quote at its end.
	Keep bool

	// HoldPlaces is set before the first Next of a Source. A Reader then makes zeros of each row that cannot be used, and
	// Batch.Problem says why it cannot, so that rows that come of these line up with the rows of the file. Unlike with
	// Keep, blank lines are no rows.
	HoldPlaces bool

	// Report is set before the first Next of a Source and called for each unusable row as it is met. For each block
	// it first gets the rows that the format refuses, then the rows with a missing cell. The rows are not stored, so
	// that a caller can write a list of all of them on the way.
	Report func(*Problem)

	// Rows is, with Keep, the number of rows, if it is known. A text that ends with a line end may have one row more
	// than line ends: its last row is blank.
	Rows int64
}

// Add counts a row, and lists it if it is among the first 20.
func (u *Unused) Add(p *Problem) {
	u.Total++
	u.last = p
	u.addReason(p, 1)
	if u.Report != nil {
		u.Report(p)
	}
	if len(u.First) < listed {
		u.First = append(u.First, p)
	}
}

// all returns the error at the end of a file without a single usable row.
func (u *Unused) all(file string) error {
	if u.Total == 0 {
		return &Problem{File: file, What: "the file has no rows", Remedy: "choose one with at least one row"}
	}
	problem := *u.First[0]
	problem.What = "none of the " + plural(u.Total, "row") + " can be used: " + problem.What
	return &problem
}

// truncated turns the end of the input inside a row into a Problem.
func truncated(err error, file string, row int64, what string) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Problem{File: file, Row: row, What: what, Remedy: "fetch or export the file again, it is cut off"}
	}
	return err
}

// plural counts a noun. It and what else makes parts of sentences are not inlined: dataset.wasm is 2 KB smaller.
//
//go:noinline
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(n, 10) + " " + noun + "s"
}

// quoted returns the beginning of a cell for a sentence.
//
//go:noinline
func quoted(cell []byte) string { return columns.Quoted(string(cell[:min(len(cell), longestQuote)])) }

// inner returns the beginning of a text for a sentence, without quotes around it.
func inner(text string) string {
	between := quoted([]byte(text))
	return between[1 : len(between)-1]
}

// longestQuote is more than the bytes of the characters that a sentence quotes.
const longestQuote = 256

// What is wrong with a text that contains bytes that are not UTF-8.
const (
	notUTF8Text = "the text is not UTF-8"
	utf8Remedy  = "save the file in UTF-8, or read it with {encoding} \"windows-1252\" if that is what it is"
)
