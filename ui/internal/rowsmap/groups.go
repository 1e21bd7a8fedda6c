package rowsmap

import (
	"cmp"
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/format"
)

// Groups say how rows are coloured.
type Groups struct {
	Names []string
	Of    func(row int) int  // the group of a row, from 0
	Wrong func(row int) bool // marks a row with a ring; nil: none
}

// most is the maximum number of colours, and fifths the number for many different numbers.
const most, fifths, lowest = 12, 5, "lowest fifth"

// ByKind groups rows by the index of their kind. Of more than twelve kinds the last colour has the eleventh and all
// others.
func ByKind(names []string, of func(row int) int) *Groups {
	if len(names) <= most {
		return &Groups{Names: names, Of: of}
	}
	others := "the other " + format.Count(len(names)-most+1)
	return &Groups{Names: append(slices.Clone(names[:most-1]), others),
		Of: func(i int) int { return min(of(i), most-1) }}
}

// ByNumber groups rows by up to twelve values, or by fifths of the rows. Equal numbers are in one fifth.
func ByNumber(x []float64) *Groups {
	return grouped(len(x), true, func(i, j int32) int { return cmp.Compare(x[i], x[j]) }, func(i int32) string {
		bits := 64
		if float64(float32(x[i])) == x[i] {
			bits = 32 // or a float32 would have digits that it does not hold
		}
		return strconv.FormatFloat(x[i], 'g', -1, bits)
	})
}

// ByText groups rows by the texts of their cells, as numbers if all of them are. Days such as 2024-03-12 are groups as
// numbers are, and their fifths are named after their first days.
func ByText(texts []string, areDays bool) *Groups {
	x, areNumbers := make([]float64, len(texts)), !areDays
	for i, text := range texts {
		var err error
		x[i], err = strconv.ParseFloat(text, 64)
		areNumbers = areNumbers && err == nil && x[i]-x[i] == 0
	}
	compare := func(i, j int32) int { return cmp.Compare(texts[i], texts[j]) }
	if areNumbers {
		compare = func(i, j int32) int { return cmp.Compare(x[i], x[j]) }
	}
	g := grouped(len(texts), areNumbers || areDays, compare, func(i int32) string { return cmp.Or(texts[i], "(empty)") })
	if areDays && g.Names[0] == lowest {
		clear(g.Names)
		for i, day := range texts {
			if name := &g.Names[g.Of(i)]; *name == "" || "from "+day < *name {
				*name = "from " + day
			}
		}
	}
	return g
}

// grouped groups n rows by what compare finds equal, under the name of its first row. Many numbers are fifths.
func grouped(n int, areNumbers bool, compare func(i, j int32) int, name func(row int32) string) *Groups {
	order, kinds, before := make([]int32, n), make([]int, n), make([]int, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int { return cmp.Or(compare(i, j), int(i-j)) })
	var names []string
	first := 0
	for at, i := range order {
		if at == 0 || compare(order[at-1], i) != 0 {
			names, first = append(names, name(i)), at
		}
		kinds[i], before[i] = len(names)-1, first
	}
	if areNumbers && len(names) > most {
		return &Groups{Names: []string{lowest, "second", "third", "fourth", "highest fifth"},
			Of: func(i int) int { return before[i] * fifths / n }}
	}
	return ByKind(names, func(i int) int { return kinds[i] })
}
