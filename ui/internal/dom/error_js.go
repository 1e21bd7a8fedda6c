package dom

import (
	"errors"
	"fmt"
	"syscall/js"

	"github.com/hack-pad/safejs"
)

// An Error is what JavaScript threw, or what a promise was rejected with.
type Error struct {
	Message string
	Code    string // of the core's errors
	Row     int    // of the core's errors; −1 where none applies
	Place   int    // of this row in the file, 0 where the worker does not know it
}

func (e *Error) Error() string { return e.Message }

func newError(reason Value) error {
	e := &Error{Message: Text(reason, "message"), Code: Text(reason, "code"), Row: -1, Place: Int(reason, "place")}
	if e.Message == "" {
		e.Message = "the browser gave no reason"
	}
	if row := find(reason, []string{"row"}); row.Type() == safejs.TypeNumber {
		e.Row = Int(row)
	}
	return e
}

// Thrown makes an Error of the error that a method of Value returned.
func Thrown(err error) error {
	var exception js.Error
	if errors.As(err, &exception) {
		return newError(safejs.Safe(exception.Value))
	}
	return err
}

// Catch is deferred in work that others wait for. It makes a panic the error of this work.
func Catch(err *error) {
	switch reason := recover().(type) {
	case nil:
	case *Error:
		*err = reason
	default:
		*err = fmt.Errorf("something went wrong in this page: %v", reason)
	}
}

func must[T any](v T, err error) T {
	check(err)
	return v
}

func check(err error) {
	if err != nil {
		panic(Thrown(err))
	}
}
