package columns

import (
	"strings"
)

// A Release describes the public settings of a private release of a file. All of them are typed, and none may depend on
// the rows.
type Release struct {
	Columns   []Column
	FromModel bool     // the columns come from a model file, in which nothing counts as typed
	Sparse    bool     // there are sparse features besides the columns
	Width     int      // width of the sparse features; 0: not typed
	Method    string   // of the feature map
	Reading   *Reading // typed settings for reading the file; nil: no file is read
	Measured  bool     // the length of lists of Parquet or Arrow was taken from the rows
}

// Misfit returns why a private release cannot be made with these settings, and the remedy. It returns "" if one can be
// made. This is the only rule for what a release may use.
func (r *Release) Misfit() string {
	var format *Format
	if r.Reading != nil {
		format = FormatOf(r.Reading.Format)
		if missing := r.Reading.Missing(); len(missing) > 0 {
			return "how the file is read would be guessed from its rows: give " + list(missing, " and ") + " in its reading"
		}
	}
	switch {
	case r.Measured:
		return "the length of its lists would be guessed from its rows: give keys in its reading, [{ name, length }]"
	case r.Reading == nil:
	case format != nil && format.misfit != "":
		return format.misfit
	case r.Reading.Encoding == UTF16:
		return "in UTF-16 one byte too many in a row shifts all rows after it: save the file as UTF-8"
	case r.Reading.Compression == "zip":
		return "which file of a ZIP archive is read depends on what is in it: unpack it, or compress it with gzip or zstd"
	}
	switch {
	case r.Method == "nystroem":
		return `method "nystroem" keeps rows of the data as its landmarks: take another one`
	case r.Method == "k-space":
		return `method "k-space" is fitted to rows of the data, and all its features depend on them: take another one`
	case r.Method == "spherical":
		return `method "spherical" takes rows of length 1 alone, and an error would tell that one is not: take another one`
	case r.Sparse && r.Width == 0:
		return "the number of sparse coordinates would be learned from the rows: type it"
	}
	for i := range r.Columns {
		c := r.Columns[i]
		c.Learned = c.Learned && !r.FromModel
		why := c.misfit()
		if why == "" {
			continue
		}
		if r.FromModel {
			why += " (a model file does not tell what was typed, so say what the columns become)"
		}
		return "column " + Quoted(c.Name) + " " + why
	}
	return ""
}

func (c *Column) misfit() string {
	switch {
	case c.Role == AsIgnored || c.Role == AsWords:
		return ""
	case c.Role == AsLabel || c.Role == AsKept:
		return "would be handed on as it is, without noise: ignore it"
	case c.Missing == Drop:
		return "drops rows with missing cells, and how many would show: have missing cells count as zero or as a constant"
	case c.Missing == Refuse:
		return "ends the release where a cell is missing, which would show: have missing cells count as zero or as a constant"
	case c.Missing == Mean:
		return "has missing cells count as the mean of these rows: have them count as zero or as a constant"
	case c.Scaling != NoScaling && !c.Learned:
		return "is scaled by what would be learned from the rows: type center and scale, or leave it as it is"
	case c.Role == AsCategory && c.Hashed == 0 && !c.Learned:
		return "has a coordinate for each value that occurs in the rows: type the values, or hash them"
	}
	return ""
}

// Fit changes the column so that a release can use it. Labels and kept columns are ignored, missing cells count as 0,
// numbers stay as they are and categories are hashed.
func (c *Column) Fit() {
	if c.Role == AsLabel || c.Role == AsKept {
		*c = NewColumn(c.Name, AsIgnored)
	}
	if c.Missing != Constant && c.Role.Allows(Zero) {
		c.Missing = Zero
	}
	if c.Role == AsCategory && c.Hashed == 0 && !c.Learned {
		c.Hashed = 64
	}
	if !c.Learned {
		c.Scaling = NoScaling
	}
}

// list returns the words as "a, b and c" if and is " and ".
func list(words []string, and string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + and + words[last]
}
