package main

import "strconv"

// Datatable is what can be taken away of a teaching place: the picture, and its data,
// which can also be read here.
type Datatable struct {
	Open  bool // the table is shown
	Press PressHandler
}

func (c *Datatable) open() string { return strconv.FormatBool(c.Open) }
