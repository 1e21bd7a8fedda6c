package dom

import (
	"cmp"
	"errors"
	"fmt"
	"syscall/js" // for js.Error: safejs returns it, and has no other way to the value that was thrown

	"github.com/hack-pad/safejs"
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
	if row := find(reason, []string{"row"}); row.Type() == TypeNumber {
		e.Row = Int(row)
	}
	return e
}

// errorOf returns what JavaScript threw as an *Error. To another error of safejs, such as that a method does not exist,
// it adds what was done.
func errorOf(what string, err error) error {
	var exception js.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exception):
		return newError(Value{safejs.Safe(exception.Value)})
	}
	return fmt.Errorf("%s: %w", what, err)
}

// An error that no caller takes is shown to the visitor. JavaScript may fail many times in a row for one reason, so the
// first error is kept until the function that runs alone ends, and the Loop shows it then.
var (
	unshown error
	wake    = func() {} // has the page drawn; set by NewLoop
)

// report keeps an error to be shown. what says what was done.
func report(what string, err error) {
	if err != nil && unshown == nil {
		unshown = errorOf(what, err)
		wake()
	}
}

// taken returns the error that is to be shown, or nil, and forgets it.
func taken() error {
	err := unshown
	unshown = nil
	return err
}

// Catch makes a reported error the error of the function that defers it, and a panic, too, which is a fault of this
// page: JavaScript causes none.
func Catch(err *error) {
	reported := taken()
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("something went wrong in this page: %v", reason)
	} else if *err == nil {
		*err = reported
	}
}
