// Package jobs does what the command line, the page and pipelines have in common: fit, predict, evaluate, embed,
// compare and more, for rows of any number. Which columns become numbers, what the labels are, which defaults hold and
// which rows are held out is decided here, once.
//
// A job is a function of a Control, a Mapper and a request:
//
//	reply, err := jobs.Fit(control, native.Mapper{}, &jobs.FitRequest{Rows: jobs.Rows{Files: files}})
//
// # Protocol
//
// Requests and replies are structs. Their JSON is the protocol between the page and its worker; the shell fills
// requests from flags. tools/tables writes their types for JavaScript (public/page/jobs.d.ts). What JSON does not have,
// files, outputs and models, is tagged "-": each program passes it in its own way. A field at its zero value has the
// default that its comment states.
//
// # Control
//
// One Control is shared by a job and the program that began it. The job asks it at least every 50 ms of work whether it
// goes on: Control.Stop ends it, Control.Pause holds it until Control.Resume. A job that has been stopped returns what
// it has, with Stopped set, where that is of use; otherwise ErrStopped. Control.Hear is told how far the work is, and
// Control.Say the notes as soon as they are known. Where one thread runs everything, as in a browser, Control.Yield
// lets waiting messages arrive.
//
// # Errors
//
// An *Error is a mistake in the request: it names the field. A *dataset.Problem is about a row or a file, and names the
// place and a remedy. A *sketch.Error is about an argument of the mathematics, under the name that the request has for
// it.
//
// # Mathematics
//
// A Mapper makes features, adds rows to sums, and fits. Package native stands on package sketch. Package jobs itself
// links no feature map.
package jobs
