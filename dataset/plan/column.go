// Package plan holds the vocabulary of columns: their types, their roles, the settings of
// each role, and what a private release may take of them. It reads no file, so the page
// and package dataset share it.
package plan

import (
	"errors"
	"slices"
	"strconv"
)

// Type is what most cells of a column hold.
type Type uint8

// The types of column.
const (
	Empty Type = iota
	Integer
	Number
	Text
	Date
)

var typeNames = [...]string{"empty", "integer", "number", "text", "date"}

func (t Type) String() string { return typeNames[t] }

// ParseType returns the type of that name.
func ParseType(name string) (Type, bool) { return parse[Type](typeNames[:], name) }

// IsNumeric reports whether the cells are numbers.
func (t Type) IsNumeric() bool { return t == Integer || t == Number }

// UsualRole returns what a column of the type is used for unless something else is chosen.
func (t Type) UsualRole() Role {
	switch t {
	case Integer, Number:
		return AsNumber
	case Text, Date:
		return AsKept
	}
	return AsIgnored
}

// Role is what a column is used for.
type Role uint8

// The roles of a column.
const (
	AsNumber   Role = iota // one coordinate
	AsCategory             // one-hot or hashed
	AsDate                 // days and phases of year, week or day
	AsWords                // text: its words or characters, hashed
	AsLabel                // written first in the output
	AsKept                 // written after the label, unchanged
	AsIgnored
)

var roleNames = [...]string{"number", "category", "date", "words", "label", "keep", "ignore"}

// Roles are all of them, in the order of a menu.
var Roles = [...]Role{AsNumber, AsCategory, AsDate, AsWords, AsLabel, AsKept, AsIgnored}

func (r Role) String() string { return roleNames[r] }

// ParseRole returns the role of that name.
func ParseRole(name string) (Role, bool) { return parse[Role](roleNames[:], name) }

// IsFeature reports whether a column of the role becomes coordinates.
func (r Role) IsFeature() bool { return r <= AsWords }

// Allows reports whether a column of the role may have the policy for missing cells.
func (r Role) Allows(m Missing) bool {
	switch r {
	case AsNumber:
		return m <= Constant
	case AsDate:
		return m < Constant
	case AsCategory:
		return m < Constant && m != Mean
	}
	return m == Drop
}

// Policies returns the policies for missing cells among which a column of the role chooses.
func (r Role) Policies() []Missing {
	var policies []Missing
	for m := Drop; m <= Constant && r < AsWords; m++ {
		if r.Allows(m) {
			policies = append(policies, m)
		}
	}
	return policies
}

// Missing is what becomes of a row with a missing cell.
type Missing uint8

// The policies for missing cells.
const (
	Drop     Missing = iota // the row is passed over, listed and counted
	Refuse                  // the reading ends
	Mean                    // the cell counts as the mean of the column in the first pass
	Zero                    // it counts as 0; all coordinates of a category or date are 0
	Constant                // it counts as Fill
)

var missingNames = [...]string{"drop", "refuse", "mean", "zero", "constant"}

func (m Missing) String() string { return missingNames[m] }

// ParseMissing returns the policy of that name.
func ParseMissing(name string) (Missing, bool) { return parse[Missing](missingNames[:], name) }

// Scaling is how numbers are scaled; mean, deviation, least and largest are those of
// the cells that are not missing, in the rows that are used.
type Scaling uint8

// The scalings.
const (
	NoScaling Scaling = iota
	Standard          // to mean 0 and standard deviation 1 (over n, not n − 1)
	MinMax            // from the least to the largest: to 0…1
)

var scalingNames = [...]string{"none", "standard", "min-max"}

func (s Scaling) String() string { return scalingNames[s] }

// ParseScaling returns the scaling of that name.
func ParseScaling(name string) (Scaling, bool) { return parse[Scaling](scalingNames[:], name) }

// DatePart is what a date becomes. Times without a zone are UTC.
type DatePart uint8

// The parts of a date. Days is one coordinate; the others are sine and cosine of how
// much of the year, the week (from Monday) or the day has passed.
const (
	Days DatePart = iota // since 1970-01-01T00:00:00Z, with their fraction
	YearPhase
	WeekPhase
	DayPhase
)

var partNames = [...]string{"days", "year", "week", "day"}

func (p DatePart) String() string { return partNames[p] }

// ParseDatePart returns the part of that name.
func ParseDatePart(name string) (DatePart, bool) { return parse[DatePart](partNames[:], name) }

func parse[T ~uint8](names []string, name string) (T, bool) {
	i := slices.Index(names, name)
	return T(max(i, 0)), i >= 0
}

// DefaultWidth is the number of coordinates that words are hashed into by default.
const DefaultWidth = 1 << 18

// A Column is what becomes of one column.
type Column struct {
	Name string
	Role Role

	// Missing says what a missing cell means: one of Role.Policies. A text for AsWords
	// may be empty.
	Missing Missing
	Fill    float64 // what a missing cell counts as: given if Missing is Constant, learned if it is Mean

	// Scaling of numbers, and of the days of dates: (x − Center)/Scale.
	Scaling       Scaling
	Center, Scale float64

	// Hashed is the number of coordinates of a hashed AsCategory, or 0 if it is
	// one-hot: a coordinate for each of Values.
	Hashed int
	Values []string // in order of their bytes

	Parts []DatePart // of AsDate

	// Words and Chars are the shortest and longest n-grams of AsWords, 1 to 8, or 0 and
	// 0 for none; Width is the number of coordinates they are hashed into.
	Words, Chars [2]int
	Width        int

	// Learned says that Fill, Center, Scale and Values are known, from Fit or
	// because the caller set them; Fit leaves such a column alone.
	Learned bool
}

// NewColumn returns the plan of a column with the defaults of its role: numbers as they
// are, categories one-hot, dates as days, single words hashed into DefaultWidth
// coordinates, and rows with missing cells dropped.
func NewColumn(name string, role Role) Column {
	c := Column{Name: name, Role: role}
	switch role {
	case AsDate:
		c.Parts = []DatePart{Days}
	case AsWords:
		c.Words, c.Width = [2]int{1, 1}, DefaultWidth
	}
	return c
}

// SetPolicies sets what becomes of missing cells, and the scaling, by their names; an empty one is the first there is.
func (c *Column) SetPolicies(missing, scaling string) error {
	var ok bool
	if c.Missing, ok = ParseMissing(missing); !ok && missing != "" {
		return errors.New("missing must be drop, refuse, mean, zero or constant, got " + strconv.Quote(missing))
	}
	if c.Scaling, ok = ParseScaling(scaling); !ok && scaling != "" {
		return errors.New("scaling must be none, standard or min-max, got " + strconv.Quote(scaling))
	}
	return nil
}

// IsScaled reports whether the column can be scaled.
func (c *Column) IsScaled() bool {
	return c.Role == AsNumber || c.Role == AsDate && slices.Contains(c.Parts, Days)
}

// IsWhole reports whether something is left of the column: a date has one part at least,
// and of words something is counted.
func (c *Column) IsWhole() bool {
	switch c.Role {
	case AsDate:
		return len(c.Parts) > 0
	case AsWords:
		return c.Words != [2]int{} || c.Chars != [2]int{}
	}
	return true
}

// Learns reports whether the column depends on data through a first pass.
func (c *Column) Learns() bool {
	switch c.Role {
	case AsNumber, AsDate:
		return c.Scaling != NoScaling || c.Missing == Mean
	case AsCategory:
		return c.Hashed == 0
	}
	return false
}

// NFeatures returns the number of coordinates of the column, as far as it is known.
func (c *Column) NFeatures() int {
	switch c.Role {
	case AsNumber:
		return 1
	case AsCategory:
		if c.Hashed > 0 {
			return c.Hashed
		}
		return len(c.Values)
	case AsDate:
		n := 0
		for _, part := range c.Parts {
			if n++; part != Days {
				n++
			}
		}
		return n
	case AsWords:
		return c.Width
	}
	return 0
}
