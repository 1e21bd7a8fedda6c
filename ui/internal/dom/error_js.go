package dom

import (
	"cmp"
	"fmt"
	"syscall/js"
)

// An Error is a value that JavaScript threw or that a promise was rejected with.
type Error struct {
	Message string
	Code    string // set for errors of the core
	Row     int    // set for errors of the core; −1 if none applies
	Place   int    // of this row in the file; 0 if the worker does not know it
}

func (e *Error) Error() string { return e.Message }

func newError(reason Value) error {
	e := &Error{Message: cmp.Or(Text(reason, "message"), "the browser gave no reason"), Code: Text(reason, "code"),
		Row: -1, Place: Int(reason, "place")}
	if row := find(reason, []string{"row"}); row.Type() == js.TypeNumber {
		e.Row = Int(row)
	}
	return e
}

// Catch turns a panic into the error of the function that defers it.
func Catch(err *error) {
	if reason := recover(); reason != nil {
		if *err = thrown(reason); *err == nil {
			*err = fmt.Errorf("something went wrong in this page: %v", reason)
		}
	}
}

// thrown returns the Error of a panic that JavaScript caused, or nil for other panics.
func thrown(reason any) error {
	if exception, ok := reason.(js.Error); ok {
		return newError(exception.Value)
	}
	return nil
}

// told returns the message of a panic.
func told(reason any) string {
	if err := thrown(reason); err != nil {
		return err.Error()
	}
	return fmt.Sprint(reason)
}
