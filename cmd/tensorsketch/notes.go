package main

import (
	"slices"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// notes returns what is to be said of the files and their rows so far: dataset.Notes, then what the verb adds.
func (t *table) notes() []columns.Note {
	notes := t.fileNotes()
	if t.counts.Missing != nil {
		notes = append(notes, dataset.RowNotes(t.layout.Name, t.p, &t.counts, &t.unused)...)
	}
	return append(notes, t.added...)
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
				note.What = part.name + ": " + note.What
				notes = append(notes, note)
			}
		}
	}
	return notes
}

// add adds a note of the verb.
func (t *table) add(n columns.Note) { t.added = append(t.added, n) }

// say prints the notes that have not been printed.
func (t *table) say(f *flags) {
	notes := t.notes()
	for i := range notes {
		if text := notes[i].String(); !t.said[text] {
			t.said[text] = true
			f.note("%s", text)
		}
	}
}

// noted returns the number of rows that were left out, and the notes of tables, as JSON has them.
func noted(tables ...*table) (unused int64, notes []columns.Note) {
	notes = []columns.Note{}
	for _, t := range tables {
		if t != nil {
			unused += t.unused.Total
			notes = append(notes, t.notes()...)
		}
	}
	return unused, notes
}
