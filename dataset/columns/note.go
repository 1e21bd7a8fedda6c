package columns

// A Note says one thing that a reader saw in a file and did not use, guessed, replaced or left out. Every way in shows
// the same notes in the same words: the shell, its JSON, JavaScript and the page.
type Note struct {
	Code   NoteCode `json:"code"`
	Column string   `json:"column,omitempty"` // the column that the note is about; none for several, which What names
	Count  int64    `json:"count,omitempty"`  // of what Code names: rows, cells, values or columns
	What   string   `json:"what"`             // what was seen: `column "id" is not used: it numbers the rows`
	Remedy string   `json:"remedy,omitempty"` // what changes it, as a command, for With: "give it the role {number}"
}

// A NoteCode is the kind of a note. Programs compare it, and people read What.
type NoteCode string

// The codes, and what Count counts.
const (
	NoteUnusedColumn    NoteCode = "column-not-used"    // 1; What says why
	NoteUnusedRows      NoteCode = "rows-left-out"      // rows, one note for each reason
	NoteReplacedCells   NoteCode = "cells-replaced"     // cells of a column that were replaced, as missing ones are
	NoteCutCells        NoteCode = "cells-cut"          // numbers of a column beyond the ends that a model has for it
	NoteNoCode          NoteCode = "number-no-code"     // numbers of a column of codes that are none of them
	NoteUnknownCategory NoteCode = "category-unknown"   // cells of a column whose category the model has never met
	NoteUnknownLabel    NoteCode = "label-unknown"      // rows whose label the model does not know
	NoteUnknownColumn   NoteCode = "column-unknown"     // rows with a key that is no column of the model
	NoteGuessedHeader   NoteCode = "header-guessed"     // 0; the first row was taken as a header, or not, on weak evidence
	NoteGuessedLabel    NoteCode = "label-guessed"      // 0; a column was taken as the label
	NoteGuessedTask     NoteCode = "task-guessed"       // 0; the labels were taken as numbers, or as many classes
	NoteWildTarget      NoteCode = "target-wild"        // 1; a number to be predicted that outweighs all others
	NoteTellsLabel      NoteCode = "column-tells"       // rows; the label follows from the column alone
	NoteNumberApart     NoteCode = "number-apart"       // cells of a column with one number that is far from all others
	NoteEqualRows       NoteCode = "rows-equal"         // rows of a sample that are equal to one before
	NoteNoSearch        NoteCode = "search-left-out"    // columns, too many to search for a map
	NoteUnitNorm        NoteCode = "rows-divided"       // 0; rows of few numbers keep their length
	NoteWords           NoteCode = "lines-as-words"     // 0; whole lines are read as words, which was asked for
	NoteSkippedLines    NoteCode = "lines-skipped"      // lines before the header, and comments
	NotePart            NoteCode = "part-chosen"        // parts not read: sheets, entries of an archive, keys of JSON
	NoteNames           NoteCode = "names-changed"      // names that were empty, or the same as another
	NoteDates           NoteCode = "dates-guessed"      // dates of a column against the guessed order; else 0
	NoteSigns           NoteCode = "signs-guessed"      // 0; a sign in numbers was taken to stand between thousands
	NoteEncoding        NoteCode = "encoding-guessed"   // 0; a text that is not UTF-8 is read as Windows-1252
	NoteControls        NoteCode = "control-characters" // of the first rows of a text
	NoteRowNumbers      NoteCode = "row-numbers"        // 0; a column that counts the rows is used as a number
	NoteRounded         NoteCode = "numbers-rounded"    // 0; numbers that 32-bit floats hardly tell apart
	NoteGuessedWords    NoteCode = "words-guessed"      // 0; the words of a text column become coordinates
	NoteUnits           NoteCode = "units-taken-off"    // cells of a column whose unit is taken off
	NoteTotals          NoteCode = "totals-row"         // 1; the last row may hold sums of the others
	NoteScores          NoteCode = "labels-as-scores"   // 0; the output has scores of classes instead of labels
	NoteSpellings       NoteCode = "spellings-differ"   // cells with texts that differ by case or spaces alone
	NoteText            NoteCode = "numbers-as-text"    // cells by which a column of numbers or dates is read as text
)

// String returns the note as one sentence without a full stop.
func (n *Note) String() string { return n.In(func(setting string) string { return setting }) }

// In returns the note in the words of a program that has these names for settings and roles.
func (n *Note) In(name func(setting string) string) string {
	if n.Remedy == "" {
		return n.What
	}
	return n.What + "; " + With(name, n.Remedy)
}
