// Package dom is the page's one way to the browser: it makes all callbacks, runs them one at a time, and reads and
// writes elements.
//
// Its functions panic where JavaScript throws, with an *Error. A Loop shows what its functions panic with; Catch makes
// it an error. Where a throw is expected, call the method of the Value itself: it returns an error.
package dom
