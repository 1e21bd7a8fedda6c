package csvfile

import (
	"strconv"
	"unicode/utf8"
)

// A Problem says what is wrong with a file or with one of its rows, and what
// can be done. As an error of Sniff or of a Reader it ends the reading.
type Problem struct {
	File   string
	Line   int    // from 1; 0 where there is none, or it concerns the whole file
	Place  string // in the line: `column 3 ("width")`, "character 17", or empty
	What   string // completes the sentence "file, line, place: …"
	Remedy string // what can be done, as a command: "fill the cell"
}

// Where names line and place: `line 17, column 3 ("width")`.
func (p *Problem) Where() string {
	if p.Line == 0 {
		return p.Place
	}
	where := "line " + strconv.Itoa(p.Line)
	if p.Place != "" {
		where += ", " + p.Place
	}
	return where
}

// Error is one sentence that names file, line and column, and what can be done.
func (p *Problem) Error() string {
	sentence := p.File
	if where := p.Where(); where != "" {
		sentence += ", " + where
	}
	return sentence + ": " + p.What + "; " + p.Remedy + "."
}

// short cuts a cell to what fits into a sentence.
func short(cell string) string {
	const most = 24
	if utf8.RuneCountInString(cell) <= most {
		return cell
	}
	for i, n := 0, 0; i < len(cell); n++ {
		if n == most {
			return cell[:i] + "…"
		}
		_, size := utf8.DecodeRuneInString(cell[i:])
		i += size
	}
	return cell
}
