package dataset

import (
	"bytes"
	"io"
	"strconv"

	"tensorsketch.example/dataset/columns"
)

// jsonColumns makes rows of an object whose members are columns: lists, or objects with a key for each row. The text is
// held in memory, and each column is read from its own place.
type jsonColumns struct {
	name    string
	text    []byte
	columns []jsonColumn
	rows    int // to come
}

type jsonColumn struct {
	key  []byte // with its quotes
	at   int    // of the next value, or of its key
	open byte
}

// readColumns reads the rest of the file, which is an object of columns.
func (d *jsonDocument) readColumns() *Problem {
	text := append([]byte(nil), d.buf[d.at:]...)
	rest, err := io.ReadAll(io.LimitReader(d.r, mostUnpacked+1-int64(len(text))))
	if err != nil && err != io.EOF {
		d.err = err
	}
	text = append(text, rest...)
	if len(text) > mostUnpacked {
		return newProblem(d.name, "it has its columns one after another, and more than "+strconv.Itoa(mostUnpacked>>20)+
			" MB", rowsRemedy)
	}
	d.table = &jsonColumns{name: d.name, text: text}
	return d.table.open()
}

// rowsRemedy says how a file of columns becomes one of rows.
const rowsRemedy = `write one object for each row, as pandas does with orient="records"`

// open finds the columns and checks that all have equally many values.
func (t *jsonColumns) open() *Problem {
	s := jsonScanner{text: t.text}
	var problem *Problem
	ok := s.next('{') && s.members('{', func(n int, key []byte) bool {
		s.space()
		if n == maxColumns {
			problem = newProblem(t.name, "it has more than "+strconv.Itoa(maxColumns)+" columns", useSparse)
		}
		if problem != nil || s.at == len(s.text) || s.text[s.at] != '[' && s.text[s.at] != '{' {
			v, ok := s.value(0) // said in a note
			return ok && v.kind != '[' && v.kind != '{' && problem == nil
		}
		c := jsonColumn{key: key, at: s.at + 1, open: s.text[s.at]}
		s.at++
		rows := 0
		ok := s.members(c.open, func(int, []byte) bool {
			rows++
			_, ok := s.value(0)
			return ok
		})
		if ok && len(t.columns) > 0 && rows != t.rows {
			problem = newProblem(t.name, "the column "+columns.Quoted(string(key[1:len(key)-1]))+" has "+
				plural(int64(rows), "value")+", and the first has "+strconv.Itoa(t.rows), "make all columns equally long")
		}
		t.rows = rows
		t.columns = append(t.columns, c)
		return ok && problem == nil
	})
	switch {
	case problem != nil:
		return problem
	case !ok && s.at >= len(s.text):
		return newProblem(t.name, "it has its columns one after another, and is cut off or larger than 16 MB", rowsRemedy)
	case !ok:
		return newProblem(t.name, "the columns are not JSON from character "+
			strconv.Itoa(min(s.at, len(s.text))+1)+" of their object on", cutOffRemedy)
	}
	return nil
}

// row appends the line of the next row, and reports whether there was one.
func (t *jsonColumns) row(dst *[]byte) (more bool, problem *Problem) {
	if t.rows == 0 {
		return false, nil
	}
	t.rows--
	from := len(*dst)
	var row []byte // its key
	for i := range t.columns {
		c := &t.columns[i]
		s := jsonScanner{text: t.text, at: c.at}
		if c.open == '{' {
			key := s.key()
			if i == 0 {
				row = key
			} else if !bytes.Equal(key, row) {
				return false, newProblem(t.name, "the column "+columns.Quoted(string(c.key[1:len(c.key)-1]))+" has a row "+
					columns.Quoted(string(key))+" where the first has "+columns.Quoted(string(row)), rowsRemedy)
			}
		}
		v, _ := s.value(0)
		s.next(',')
		c.at = s.at
		*dst = append(*dst, "{,"[min(i, 1)])
		*dst = append(append(append(*dst, c.key...), ':'), v.text...)
	}
	*dst = append(*dst, '}')
	line := (*dst)[from:]
	for i, b := range line {
		if b == '\n' {
			line[i] = ' '
		}
	}
	*dst = append(*dst, '\n')
	return true, nil
}
