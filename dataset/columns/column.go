// Package columns defines the types of columns, their roles, the settings of each role, and the rule for which columns
// a private release may use. It reads no file, so the page and package dataset share it.
package columns

import (
	"errors"
	"slices"
	"strconv"
)

// FewestDivided is the least number of coordinates for which rows are divided by their norm if nobody asked for it.
// Of fewer, the length says too much: of two columns as blobs, rings or moons it is worth 7 to 30 points of 100 to a
// classifier, and of one column nothing but the sign would be left.
const FewestDivided = 4

// Type is the type of most cells of a column.
type Type uint8

// The types of column.
const (
	Empty Type = iota
	Integer
	Number
	Text
	Date
	Boolean // true or false, in any case
)

var typeNames = [...]string{"empty", "integer", "number", "text", "date", "boolean"}

func (t Type) String() string { return typeNames[t] }

// ParseType returns the type of that name.
func ParseType(name string) (Type, bool) { return parse[Type](typeNames[:], name) }

// IsNumeric reports whether the cells are numbers. Booleans are none, although they can be used as 1 and 0.
func (t Type) IsNumeric() bool { return t == Integer || t == Number }

// UsualRole returns the default role of a column of the type.
func (t Type) UsualRole() Role {
	switch t {
	case Integer, Number, Boolean:
		return AsNumber
	case Date:
		return AsDate
	case Text:
		return AsKept
	}
	return AsIgnored
}

// Role is the use of a column.
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

// Roles are all roles, in the order of a menu.
var Roles = [...]Role{AsNumber, AsCategory, AsDate, AsWords, AsLabel, AsKept, AsIgnored}

func (r Role) String() string { return roleNames[r] }

// ParseRole returns the role of that name.
func ParseRole(name string) (Role, bool) { return parse[Role](roleNames[:], name) }

// IsFeature reports whether a column of the role becomes coordinates.
func (r Role) IsFeature() bool { return r <= AsWords }

// policies are the policies for missing cells that a column of a role may have. Other columns have Drop alone.
var policies = map[Role][]Missing{
	AsNumber:   {Drop, Refuse, Mean, Zero, Constant},
	AsCategory: {Drop, Refuse, Zero},
	AsDate:     {Drop, Refuse, Mean, Zero},
}

// Allows reports whether a column of the role may have the policy for missing cells.
func (r Role) Allows(m Missing) bool {
	isNumber := r == AsNumber || r == AsDate
	return m == Drop || m == NaN && isNumber || slices.Contains(policies[r], m)
}

// Policy returns the policy of a role where all columns get one: the policy itself or, where the role has no such
// filling, Zero. ok is false if the role has neither.
func (r Role) Policy(m Missing) (policy Missing, ok bool) {
	isFilling := m == Mean || m == Constant
	switch {
	case r.Allows(m):
		return m, true
	case isFilling && r.Allows(Zero):
		return Zero, true
	}
	return Drop, false
}

// Policies returns the policies for missing cells that a person can choose for a column of the role.
func (r Role) Policies() []Missing { return slices.Clone(policies[r]) }

// Missing is the policy for a row with a missing cell.
type Missing uint8

// The policies for missing cells.
const (
	Drop     Missing = iota // the row is passed over, listed and counted
	Refuse                  // the reading ends
	Mean                    // the cell counts as the mean of the column in the first pass
	Zero                    // it counts as 0; all coordinates of a category or date are 0
	Constant                // it counts as Fill
	NaN                     // a number, or the days of a date, is NaN; only NewLearnPreprocessing and files set it
)

var missingNames = [...]string{"drop", "refuse", "mean", "zero", "constant", "nan"}

func (m Missing) String() string { return missingNames[m] }

// ParseMissing returns the policy of that name.
func ParseMissing(name string) (Missing, bool) { return parse[Missing](missingNames[:], name) }

// Scaling is how numbers are scaled. The mean, the deviation, the smallest and the largest number are computed from the
// cells that are not missing, in the rows that are used.
type Scaling uint8

// The scalings.
const (
	NoScaling Scaling = iota
	Standard          // to mean 0 and standard deviation 1 (over n, not n − 1)
	MinMax            // the smallest number to 0, the largest to 1
)

var scalingNames = [...]string{"none", "standard", "min-max"}

func (s Scaling) String() string { return scalingNames[s] }

// ParseScaling returns the scaling of that name.
func ParseScaling(name string) (Scaling, bool) { return parse[Scaling](scalingNames[:], name) }

// DatePart is a part of a date that becomes coordinates. Times without a zone are UTC.
type DatePart uint8

// The parts of a date. Days is one coordinate. The others are sine and cosine of the share of the year, the week (from
// Monday) or the day that has passed.
const (
	Days DatePart = iota // days since 1970-01-01T00:00:00Z, with their fraction
	YearPhase
	WeekPhase
	DayPhase
)

var partNames = [...]string{"days", "year", "week", "day"}

func (p DatePart) String() string { return partNames[p] }

// ParseDateParts returns the parts of these names.
func ParseDateParts(names []string) (parts []DatePart, err error) {
	for _, name := range names {
		part, ok := parse[DatePart](partNames[:], name)
		if !ok {
			return nil, errors.New("parts must be some of days, year, week and day, got " + Quoted(name))
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// PartNames returns the names of the parts of the column.
func (c *Column) PartNames() (names []string) {
	for _, part := range c.Parts {
		names = append(names, part.String())
	}
	return names
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func parse[T ~uint8](names []string, name string) (T, bool) {
	i := slices.Index(names, name)
	return T(max(i, 0)), i >= 0
}

// DefaultWidth is the number of coordinates that words are hashed into by default.
const DefaultWidth = 1 << 18

// A Column says how one column is used.
type Column struct {
	Name string
	Role Role

	// Missing is the policy for missing cells, one of Role.Policies. A text for AsWords may be empty.
	Missing Missing
	Fill    float64 // the value for a missing cell: given if Missing is Constant, learned if it is Mean

	// Measure is the unit or sign that numbers have beside them, such as "°C", "EUR", "$" or "%", or "" for none. A cell
	// with another one is no number; one without is.
	Measure string

	// Scaling of numbers, and of the days of dates: (x − Center)/Scale.
	Scaling       Scaling
	Center, Scale float64

	// Hashed is the number of coordinates of a hashed AsCategory. It is 0 for a one-hot category, which has
	// a coordinate for each of Values.
	Hashed int
	Values []string // sorted by their bytes
	// Rest and Empty belong to a one-hot category. Rest says that all other values share a coordinate, after the
	// coordinates of Values. Empty says that an empty cell has one, the last. Fit of a column with Rest gives coordinates
	// to the commonest values alone, and sets Rest, Empty and Average as the rows need them. Average, without Rest, says
	// that any other value counts as the average of Values: 1/n at each of the n coordinates. A polynomial model learns
	// nothing about rows without any of them, and is far off there.
	Rest, Empty, Average bool
	// Common, where it is not "", is one of Values. Any other value counts as it, without Rest and Average, and so does
	// an empty cell without Empty. Fit of a column with GuessNew sets it to the commonest, of equally common ones to the
	// first by its bytes, unless rows of it have empty cells: these are none of the values, and other values are, too.
	Common string

	Parts []DatePart // of AsDate

	// Words and Chars are the shortest and the longest n-grams of AsWords, each from 1 to 8, or 0 and 0 for none.
	// Width is the number of coordinates that they are hashed into.
	Words, Chars [2]int
	Width        int
	Unit         bool // the coordinates of a text are divided by their norm

	// Learned says that Fill, Center, Scale and Values are known, from Fit or because the caller set them. Fit does
	// not change such a column.
	Learned bool

	// Guess says that nobody typed the role: Fit may change it by what the cells are, and puts in Why what a note
	// says. Neither is in the JSON.
	Guess Guess
	Why   string
}

// A Guess says how much of a column Fit decides.
type Guess uint8

// The guesses.
const (
	NoGuess   Guess = iota
	GuessRole       // the role
	GuessKey        // the same, of a column that by its name may number the rows
	GuessType       // the type and the role, of a column whose first cells are empty
	GuessNew        // what a new value of a one-hot category counts as
)

// A Kind is the kind of a coordinate. Learning prepares the two in different ways.
type Kind uint8

// The kinds of coordinate.
const (
	Continuous Kind = iota // a number, which may be NaN
	Indicator              // 0 or 1 of a value of a category, or a hashed word, from −1 to 1
)

// RestName is what the values of a category that share a coordinate are called.
const RestName = "other"

// NewColumn returns a column with the defaults of its role. Numbers stay as they are, categories are one-hot, dates
// become days, and single words are hashed into DefaultWidth coordinates. Rows with missing numbers or dates are
// dropped, and a missing category is none of the values.
func NewColumn(name string, role Role) Column {
	c := Column{Name: name, Role: role}
	switch role {
	case AsCategory:
		c.Missing = Zero
	case AsDate:
		c.Parts = []DatePart{Days}
	case AsWords:
		c.Words, c.Width = [2]int{1, 1}, DefaultWidth
	}
	return c
}

// SetPolicies sets the policy for missing cells and the scaling by their names. An empty name means the first one.
func (c *Column) SetPolicies(missing, scaling string) error {
	var ok bool
	if c.Missing, ok = ParseMissing(missing); !ok && missing != "" || c.Missing == NaN {
		return errors.New("missing must be drop, refuse, mean, zero or constant, got " + Quoted(missing))
	}
	if c.Scaling, ok = ParseScaling(scaling); !ok && scaling != "" {
		return errors.New("scaling must be none, standard or min-max, got " + Quoted(scaling))
	}
	return nil
}

// CountsAs says what a missing cell of the column counts as.
func (c *Column) CountsAs() string {
	switch {
	case c.Missing == Mean:
		return "the mean"
	case c.Missing == NaN:
		return "NaN"
	case c.Missing == Constant:
		return strconv.FormatFloat(c.Fill, 'g', -1, 64)
	case c.Empty:
		return "a value of its own"
	case c.Rest:
		return RestName
	case c.Average:
		return "the average of the values"
	case c.Common != "":
		return c.AsCommon()
	case c.Role == AsCategory:
		return "none of the values"
	}
	return "0"
}

// AsCommon names Common for a note.
func (c *Column) AsCommon() string { return Quoted(c.Common) + ", the commonest value" }

// IsScaled reports whether the column can be scaled.
func (c *Column) IsScaled() bool {
	return c.Role == AsNumber || c.Role == AsDate && slices.Contains(c.Parts, Days)
}

// IsWhole reports whether the settings leave anything of the column: a date needs at least one part, and words need
// n-grams.
func (c *Column) IsWhole() bool {
	switch c.Role {
	case AsDate:
		return len(c.Parts) > 0
	case AsWords:
		return c.Words != [2]int{} || c.Chars != [2]int{}
	}
	return true
}

// Learns reports whether the column needs settings that a first pass learns from the data.
func (c *Column) Learns() bool {
	switch c.Role {
	case AsNumber, AsDate:
		return c.Scaling != NoScaling || c.Missing == Mean || c.Guess != NoGuess
	case AsCategory:
		return c.Hashed == 0
	}
	return false
}

// Coordinates returns what each coordinate of the column is, in their order: "height", "colour = red",
// "day: year, sine".
func (c *Column) Coordinates() (names []string) {
	add := func(what string) { names = append(names, c.Name+what) }
	if c.Role == AsNumber {
		add("")
	}
	for _, value := range c.Values {
		add(" = " + value)
	}
	if c.Rest {
		add(": other")
	}
	if c.Empty {
		add(": empty")
	}
	for _, part := range c.Parts {
		text := ": " + part.String()
		if part == Days {
			add(text)
			continue
		}
		add(text + ", sine")
		add(text + ", cosine")
	}
	for n := range c.Hashed + c.Width {
		add(": hash " + strconv.Itoa(n))
	}
	return names
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
		return len(c.Values) + count(c.Rest) + count(c.Empty)
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
