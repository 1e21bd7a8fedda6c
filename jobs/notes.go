package jobs

import (
	"errors"
	"fmt"
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
)

// Told is what a reply says of the rows that were read.
type Told struct {
	Rows   int64          `json:"rows"`
	Unused int64          `json:"unused"` // rows that were left out
	Notes  []columns.Note `json:"notes"`  // what was guessed, dropped or rounded

	LeftOut dataset.Unused `json:"-"` // the first of the rows left out, and why
}

// told returns what is to be said of tables, which may be nil.
func told(rows int64, tables ...*table) Told {
	r := Told{Rows: rows, Notes: []columns.Note{}}
	for _, t := range tables {
		if t != nil {
			r.Unused += t.unused.Total
			r.LeftOut.Merge(&t.unused)
			r.Notes = append(r.Notes, t.notes()...)
		}
	}
	return r
}

// notes returns what is to be said of the files and their rows so far: dataset.Notes, then what the job adds.
func (t *table) notes() []columns.Note {
	rows := t.cuts.RowNotes(t.layout.Name, t.p, t.counts, &t.unused)
	return slices.Concat(t.fileNotes(), rows, t.added)
}

// fileNotes returns the notes that need no rows. A note of a further file names the file.
func (t *table) fileNotes() []columns.Note {
	notes := dataset.Notes(t.layout, t.p, nil, nil)
	if t.labels != nil {
		notes = slices.DeleteFunc(notes, func(n columns.Note) bool { return n.Code == columns.NoteGuessedLabel })
	}
	for _, part := range t.parts[1:] {
		for _, note := range part.layout.Notes() {
			if !slices.Contains(notes, note) {
				note.What = part.Name() + ": " + note.What
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// add adds a note of the job.
func (t *table) add(n columns.Note) { t.added = append(t.added, n) }

// say tells the notes so far.
func (t *table) say() { t.c.say(t.notes()) }

// rowError returns an error of a map about a row as a problem with the row's file.
func (b *block) rowError(err error) error {
	e, ok := errors.AsType[*sketch.Error](err)
	if !ok || e.Row < 0 || b.from+e.Row >= len(b.Places) {
		return err
	}
	what := "the row must " + e.Want
	if e.Value != "" {
		what += ", got " + e.Value
	}
	return &RowError{b.problem(e.Row, what, "correct it, or leave it out"), e}
}

// A RowError is an error of a map about a row, and the problem with the row's file.
type RowError struct {
	*dataset.Problem
	Cause *sketch.Error
}

// Unwrap returns both errors.
func (e *RowError) Unwrap() []error { return []error{e.Problem, e.Cause} }

// notFinite returns the error about a row that is not finite.
func (b *block) notFinite(row int) error {
	e := sketch.ErrNonFinite.New("X", "", "be finite: remove or replace NaN and infinite values")
	e.Row = row
	return b.rowError(e)
}

// problem returns a problem with a row of the block.
func (b *block) problem(row int, what, remedy string) *dataset.Problem {
	p := &dataset.Problem{File: b.part.Name(), What: what, Remedy: remedy}
	if place := b.Places[b.from+row]; b.part.layout.Schema().Lines {
		p.Line = place
	} else {
		p.Row = place
	}
	return p
}

// named begins an error about a file with its name.
func named(file string, err error) error {
	if err == nil {
		return nil
	}
	return &fileError{file, err}
}

// A fileError is about a file that is no table, such as a model.
type fileError struct {
	file string
	err  error
}

func (e *fileError) Error() string { return fmt.Sprintf("%s: %s", e.file, Plain(e.err)) }
func (e *fileError) Unwrap() error { return e.err }
