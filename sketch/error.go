package sketch

import (
	"strconv"
)

// Code classifies an Error. Its String is the code of the JavaScript API.
type Code int

// The codes of this package's errors.
const (
	ErrParam     Code = 1 + iota // a parameter is out of range, missing or contradicts another
	ErrShape                     // an array has the wrong length, or a sparse row is malformed
	ErrNonFinite                 // the input holds NaN or an infinity
	ErrOverflow                  // a feature exceeds the range of float32
)

func (c Code) String() string {
	switch c {
	case ErrParam:
		return "ERR_PARAM"
	case ErrShape:
		return "ERR_SHAPE"
	case ErrNonFinite:
		return "ERR_NONFINITE"
	case ErrOverflow:
		return "ERR_OVERFLOW"
	}
	return "ERR_UNKNOWN"
}

// Error is the type of every error this package returns. It names the argument, its value, and what
// would be right. It is a plain struct so that a page can show its parts and the core needs no fmt.
type Error struct {
	Code     Code
	Argument string // as in the model file and in JavaScript: "nComponents", "X"
	Value    string // the value given; empty if it would not help
	Want     string // completes "must …"
	Row      int    // row of the input, or −1
	Column   int    // column of the input, or −1
	RowsDone int    // number of valid rows of the output, or −1
}

// Error returns a message with the argument, row and column, what would be right, and the value.
func (e *Error) Error() string {
	message := e.Argument
	if e.Row >= 0 {
		message += " row " + strconv.Itoa(e.Row)
		if e.Column >= 0 {
			message += ", column " + strconv.Itoa(e.Column)
		}
	}
	message += " must " + e.Want
	if e.Value != "" {
		message += ", got " + e.Value
	}
	return message
}

// New returns an Error with the code that is not about a row. Errors are made by calls: inlined into the loops that
// check rows, they make the core larger.
//
//go:noinline
func (c Code) New(argument, value, want string) *Error {
	return &Error{Code: c, Argument: argument, Value: value, Want: want, Row: -1, Column: -1, RowsDone: -1}
}

func paramError(argument, value, want string) error { return ErrParam.New(argument, value, want) }

func shapeError(argument, value, want string) error { return ErrShape.New(argument, value, want) }

// rowError returns an Error about a row of X; rows before it are valid in the output.
//
//go:noinline
func rowError(code Code, row, column int, value, want string) *Error {
	e := code.New("X", value, want)
	e.Row, e.Column, e.RowsDone = row, column, row
	return e
}

// quote puts a name in quotation marks. strconv.Quote would bring Unicode's tables into the core.
func quote(name string) string { return `"` + name + `"` }
