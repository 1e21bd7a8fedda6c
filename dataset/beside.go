package dataset

import "tensorsketch.example/dataset/columns"

// A beside counts the numbers of a column that have another unit than the column, or none.
type beside struct {
	column, measure string
	sign            rune // beside the numbers, where the column has no measure
	cells           int64
}

// addBeside counts a number of a column. sign is what parseBeside says.
func (u *Unused) addBeside(c *Column, sign rune) {
	if sign == 0 {
		return
	}
	if sign == bare {
		sign = 0
	}
	u.countBeside(beside{c.Name, c.Measure, sign, 1})
}

func (u *Unused) countBeside(b beside) {
	for i := range u.besides {
		if one := &u.besides[i]; one.column == b.column && one.measure == b.measure && one.sign == b.sign {
			one.cells += b.cells
			return
		}
	}
	if len(u.besides) < mostUnknown {
		u.besides = append(u.besides, b)
	}
}

// besideNotes notes the numbers that lack the unit of their column, and those whose column has none.
func (u *Unused) besideNotes() []columns.Note {
	var groups cellGroups
	for _, b := range u.besides {
		sign := quoted([]byte(b.measure))
		lack, counts, many := " no "+sign+" beside", ", and counts as if it had", ", and count as if they had"
		note := columns.Note{Code: columns.NoteUnits, Remedy: "write the unit in all of them, and the same"}
		switch {
		case b.measure == "%":
			counts, many = ", and counts as it is: 46 is 4600%", ", and count as they are: 46 is 4600%"
			note.Remedy = "write the sign in all of them, or 46% as 0.46"
		case b.measure == ClockUnit:
			lack, counts, many = " no colon in", ", and counts as hours", ", and count as hours"
			note.Remedy = "write all as 7:30"
		case b.sign == '%':
			lack, counts, many = ` "%" beside`, ", which others have not, and counts as a hundredth",
				", which others have not, and count as hundredths"
			note.Remedy = "write the sign in all of them, or 46% as 0.46"
		case b.measure == "":
			lack = " " + quoted([]byte(string(b.sign))) + " beside"
			counts, many = ", which others have not, and counts like them", ", which others have not, and count like them"
		}
		groups.add(b.column, b.cells, note, func(n int64, of string) string {
			return plural(n, "number") + " of " + of + pick(n, " has", " have") + lack + pick(n, " it", " them") +
				pick(n, counts, many)
		})
	}
	return groups.notes()
}
