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
	if !f.Has(value) {
		return f.Text + "," + value
	}
	var others []string
	for _, other := range strings.Split(f.Text, ",") {
		if other != value {
			others = append(others, other)
		}
	}
	return strings.Join(others, ",")
}
