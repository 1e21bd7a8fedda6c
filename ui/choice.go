package main

import (
	"slices"
	"strings"
)

// Choice is a parameter with few values: one chip each.
type Choice struct {
	Field Field
	Edit  EditHandler
}

func (f Field) inputType() string {
	if f.Several {
		return "checkbox"
	}
	return "radio"
}

// Has tells whether an option is chosen.
func (f Field) Has(value string) bool {
	return value == f.Text || f.Several && slices.Contains(strings.Split(f.Text, ","), value)
}

// Chosen returns the value of the field after a click on an option.
func (f Field) Chosen(value string) string {
	if !f.Several {
		return value
	}
	values := strings.Split(f.Text, ",")
	if k := slices.Index(values, value); k >= 0 {
		return strings.Join(slices.Delete(values, k, k+1), ",")
	}
	return f.Text + "," + value
}
