package main

// Choice is a parameter with few values: one chip each.
type Choice struct {
	Field Field
	Edit  EditHandler
}
