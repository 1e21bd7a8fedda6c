package main

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

var (
	// A description of a type, of which the core needs no more than its address, and
	// three more behind it: those are its pointer types.
	typeDescription = regexp.MustCompile(`(?m)^(@(?:"reflect/types\.type:[^"]*"|reflect/types\.type:\S+)) = .*$`)
	// What reads descriptions.
	reflection = regexp.MustCompile(`(?m)^define [^@\n]*@"?(?:\(?\*?(?:internal/)?reflect(?:lite)?[.)]|` +
		`runtime\.(?:interfaceEqual|hashmapInterface))[^\n]*`)
)

// shrink empties the descriptions of types.
func shrink(text string) (string, error) {
	if found := reflection.FindString(text); found != "" {
		return "", errors.New("this reads descriptions of types: " + found)
	}
	return typeDescription.ReplaceAllString(text, "$1 = internal global i32 0, align 4"), nil
}

var (
	definition = regexp.MustCompile(`^(?:define [^@]*|)@("(?:[^"\\]|\\..)*"|[\w.$-]+)(?:\(| = )`)
	reference  = regexp.MustCompile(`@("(?:[^"\\]|\\..)*"|[\w.$-]+)`)
	escape     = regexp.MustCompile(`\\[0-9A-F]{2}`)
)

// references returns what each function and each global of LLVM's text refers to.
func references(text string) map[string][]string {
	refers := map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		if name == "" || line[0] == '@' || strings.HasPrefix(line, "define ") {
			m := definition.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			name = unquote(m[1])
		}
		for _, m := range reference.FindAllStringSubmatch(line, -1) {
			refers[name] = append(refers[name], unquote(m[1]))
		}
		if line[0] == '@' || line == "}\n" {
			name = ""
		}
	}
	return refers
}

// unquote returns a name as the linker has it.
func unquote(name string) string {
	if !strings.HasPrefix(name, `"`) {
		return name
	}
	return escape.ReplaceAllStringFunc(name[1:len(name)-1], func(hex string) string {
		b, _ := strconv.ParseUint(hex[1:], 16, 8)
		return string([]byte{byte(b)})
	})
}

// reached returns what the roots refer to, themselves and all that it refers to.
func reached(refers map[string][]string, roots []string) map[string]bool {
	found := map[string]bool{}
	for len(roots) > 0 {
		name := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if !found[name] {
			found[name] = true
			roots = append(roots, refers[name]...)
		}
	}
	return found
}
