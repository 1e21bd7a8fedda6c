package main

import (
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/dom"
)

// readingOf reads the settings for reading a file from the worker's reply.
func readingOf(v dom.Value) columns.Reading {
	var reading columns.Reading
	if v.Type() != dom.TypeObject {
		return reading
	}
	for i := range columns.Settings {
		key := columns.Settings[i].Key
		value := dom.Get(v, key)
		switch value.Type() {
		case dom.TypeString:
			_ = reading.Set(key, dom.Text(value)) // on an error it stays absent, and is guessed again
		case dom.TypeBoolean:
			_ = reading.Set(key, strconv.FormatBool(dom.Truth(value)))
		case dom.TypeNumber:
			if key == "lists" {
				reading.Lists = dom.Int(value)
			} else {
				_ = reading.Set(key, strconv.Itoa(dom.Int(value)))
			}
		case dom.TypeObject:
			for _, one := range dom.List(value) {
				reading.Keys = append(reading.Keys, columns.Key{Name: dom.Text(one, "name"), Length: dom.Int(one, "length")})
			}
		}
	}
	return reading
}

// readingValue returns the settings in the form that the worker takes.
func readingValue(reading *columns.Reading) map[string]any {
	value := map[string]any{}
	for i := range columns.Settings {
		key := columns.Settings[i].Key
		text, ok := reading.Get(key)
		if !ok {
			continue
		}
		switch key {
		case "header", "rownames":
			value[key] = text == "true"
		case "base", "skip":
			value[key], _ = strconv.Atoi(text)
		case "lists":
			value[key] = reading.Lists
		case "keys":
			keys := []any{}
			for _, k := range reading.Keys {
				keys = append(keys, map[string]any{"name": k.Name, "length": k.Length})
			}
			value[key] = keys
		default:
			value[key] = text
		}
	}
	return value
}
