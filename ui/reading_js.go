package main

import (
	"strconv"

	"github.com/hack-pad/safejs"
	"tensorsketch.example/dataset/plan"
)

// readingOf reads the settings of how a file is read, as the worker gives them.
func readingOf(r *reader, v safejs.Value) plan.Reading {
	var reading plan.Reading
	if v.Type() != safejs.TypeObject {
		return reading
	}
	for i := range plan.Settings {
		key := plan.Settings[i].Key
		value := r.get(v, key)
		switch value.Type() {
		case safejs.TypeString:
			_ = reading.Set(key, text(v, key)) // else it stays absent, and is guessed again
		case safejs.TypeBoolean:
			_ = reading.Set(key, strconv.FormatBool(r.truth(v, key)))
		case safejs.TypeNumber:
			if key == "lists" {
				reading.Lists = r.int(v, key)
			} else {
				_ = reading.Set(key, strconv.Itoa(r.int(v, key)))
			}
		case safejs.TypeObject:
			for i := range r.int(value, "length") {
				one := r.at(value, i)
				reading.Keys = append(reading.Keys, plan.Key{Name: text(one, "name"), Length: r.int(one, "length")})
			}
		}
	}
	return reading
}

// readingValue returns them as the worker takes them.
func readingValue(reading *plan.Reading) map[string]any {
	value := map[string]any{}
	for i := range plan.Settings {
		key := plan.Settings[i].Key
		text, ok := reading.Get(key)
		if !ok {
			continue
		}
		switch key {
		case "header":
			value[key] = text == "true"
		case "base":
			value[key] = *reading.Base
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
