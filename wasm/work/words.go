//go:build js && wasm

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"tensorsketch.example/dataset"
)

// inJavaScript has the words of the packages for callers in Go, and beside them those for callers in JavaScript.
var inJavaScript = strings.NewReplacer(
	"give it to UnmarshalKeyed", "give map.toJSON({ includeKey: true })",
	"is not what MarshalJSON writes", "is not what a model file has",
	"write it with MarshalJSON", "take it from a model file",
	"as MarshalJSON writes it", "as a model file has it",
	"read the file with the layout that Apply returns", "sniff the file with { preprocessing }",
	"let Sniff make the layout", "let sniff make the layout",
	"the model does not say what columns become, so say it with use, ignore and label",
	"choose a file with the columns of the file that it has learned from",
	"give it by keyFile", "give it as key",
	"add it, or give labels FILE", "add it",
	"name it with label, or give labels FILE", "name it with label",
)

// wordsOf returns an error as callers in JavaScript read it. This is the only place where they differ.
func wordsOf(err error) string {
	var noCodec *dataset.NoCodecError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &noCodec):
		return noCodec.Format.String() + " needs the larger build: loadDataset({ columnar: true })"
	case errors.Is(err, dataset.ErrNeedsFit):
		return "the preprocessing has to learn from the rows first: take what fit(source, layout, preprocessing) returns"
	case errors.As(err, &wrongType):
		return fmt.Sprintf("%s must be %s, got %s", fieldName(wrongType.Field), kindName(wrongType.Type), wrongType.Value)
	}
	message := err.Error()
	for _, prefix := range []string{"dataset: ", "onnx: ", "model: ", "dataset: ", "json: ", "jsontext: "} {
		message = strings.TrimPrefix(message, prefix)
	}
	return inJavaScript.Replace(message)
}

// decode is json.Unmarshal. An error of type names the place in the text, also the index in a list.
func decode(text []byte, into any) error {
	err := json.Unmarshal(text, into)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) {
		wrongType.Field = pathAt(text, wrongType.Offset)
	}
	return err
}

// pathAt returns the keys and indices, separated by points, of the value of a JSON text that ends or begins at an
// offset in bytes.
func pathAt(text []byte, offset int64) string {
	tokens := json.NewDecoder(bytes.NewReader(text))
	var walk func(path []string) ([]string, bool)
	walk = func(path []string) ([]string, bool) {
		token, err := tokens.Token()
		isThere := tokens.InputOffset() >= offset || err != nil
		isList, isObject := token == json.Delim('['), token == json.Delim('{')
		if isThere || !isList && !isObject {
			return path, isThere
		}
		for i := 0; tokens.More(); i++ {
			key := strconv.Itoa(i)
			if isObject {
				name, _ := tokens.Token()
				key, _ = name.(string)
			}
			if found, ok := walk(append(path, key)); ok {
				return found, true
			}
		}
		_, err = tokens.Token()
		return path, tokens.InputOffset() >= offset || err != nil
	}
	path, _ := walk(nil)
	return strings.Join(path, ".")
}

// fieldName returns the name that a field of a request has in JavaScript.
func fieldName(field string) string {
	if field == "" {
		return "the request"
	}
	name := ""
	for _, part := range strings.Split(field, ".") {
		if _, err := strconv.Atoi(part); err == nil {
			name += "[" + part + "]"
			continue
		}
		name += "." + strings.ToLower(part[:min(1, len(part))]) + part[min(1, len(part)):]
	}
	return strings.TrimPrefix(name, ".")
}

func kindName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer, reflect.Interface:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "an integer"
}

// panicWords returns what is said of a panic: it is a fault of this library.
func panicWords(p any) error {
	return fmt.Errorf("internal error: %s; please report what led to it",
		strings.TrimPrefix(strings.TrimSpace(fmt.Sprint(p)), "runtime error: "))
}
