package dataset

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// levelWords are the missing words that are labels where they look like the others: NA of Namibia beside DE, - beside
// +.
var levelWords = wordSet("na nat ? - -- – — . ..")

// labelWords are the missing words that are always labels.
var labelWords = wordSet("none nil " + spelledOut)

// levelsOf returns the cells of column i of the first rows that stand for a missing number in other columns, and here
// look like the other texts.
func levelsOf(rows [][]string, i int) []string {
	var words, others []string
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		cell := string(trimCell([]byte(row[i])))
		list := &others
		if isMissing([]byte(cell)) {
			list = &words
		}
		if cell != "" && !slices.Contains(*list, cell) && len(*list) < sniffRows {
			*list = append(*list, cell)
		}
	}
	return slices.DeleteFunc(words, func(word string) bool {
		isUnlike := func(other string) bool { return lookOf(other) != lookOf(word) }
		return !levelWords[strings.ToLower(word)] || len(others) == 0 || slices.ContainsFunc(others, isUnlike)
	})
}

// A look is what labels of one kind have in common: the case of their letters, and their length if they are short.
type look struct {
	length         int // 0 from four characters on
	lower, upper   bool
	begins, others bool // a capital begins it; it has other signs than letters
}

func lookOf(label string) (k look) {
	if n := utf8.RuneCountInString(label); n < 4 {
		k.length = n
	}
	for at, r := range label {
		isUpper := unicode.ToLower(r) != r
		k.begins = k.begins || at == 0 && isUpper
		k.upper = k.upper || isUpper
		k.lower = k.lower || unicode.ToUpper(r) != r
		k.others = k.others || !unicode.IsLetter(r)
	}
	return k
}

// LacksLabel reports whether the cell of a label, which is no number, is empty or has a word for a missing one, such as
// NA. Words such as "none" and "unknown" are labels, and so are words that look like the other labels at the beginning
// of the file.
func (l *Layout) LacksLabel(cell []byte) bool {
	if cell = trimCell(cell); !isMissing(cell) {
		return false
	}
	word, i := string(cell), l.Label()
	isLevel := i >= 0 && slices.Contains(l.Columns[i].levels, word)
	return !isLevel && !labelWords[strings.ToLower(word)]
}
