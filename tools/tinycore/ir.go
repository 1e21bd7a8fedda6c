package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// panics is what each of the functions becomes by which TinyGo panics. A nil pointer is
// taken not to be: LLVM leaves the check out, and what is read is memory from address 0
// on, the far end of the stack. Indices and lengths stay checked.
var panics = map[string]string{
	"nilPanic":           "  unreachable\n",
	"lookupPanic":        trap,
	"slicePanic":         trap,
	"unsafeSlicePanic":   trap,
	"negativeShiftPanic": trap,
	"divideByZeroPanic":  trap,
	"runtimePanic":       trap,
	"_panic":             trap,
}

const trap = "  tail call void @llvm.trap()\n  unreachable\n"

var (
	panicFunction = regexp.MustCompile(`(?ms)^(define internal fastcc void @runtime\.(\w+)\([^\n]*?\)) unnamed_addr [^\n]*\{\n.*?^}\n`)
	// A description of a type, of which the core needs no more than its address, and
	// three more behind it: those are its pointer types.
	typeDescription = regexp.MustCompile(`(?m)^(@(?:"reflect/types\.type:[^"]*"|reflect/types\.type:\S+)) = .*$`)
	// What reads descriptions.
	reflection = regexp.MustCompile(`(?m)^define [^@\n]*@"?(?:\(?\*?(?:internal/)?reflect(?:lite)?[.)]|runtime\.(?:interfaceEqual|hashmapInterface))[^\n]*`)
)

// shrink makes traps of panics and empties the descriptions of types.
func shrink(text string) (string, error) {
	if found := reflection.FindString(text); found != "" {
		return "", fmt.Errorf("this reads descriptions of types: %s", found)
	}
	seen := map[string]bool{}
	text = panicFunction.ReplaceAllStringFunc(text, func(function string) string {
		parts := panicFunction.FindStringSubmatch(function)
		body, ok := panics[parts[2]]
		if !ok {
			return function
		}
		seen[parts[2]] = true
		return parts[1] + " alwaysinline {\n" + body + "}\n"
	})
	for _, name := range []string{"nilPanic", "lookupPanic", "slicePanic", "_panic"} {
		if !seen[name] {
			return "", errors.New("no function runtime." + name + ": is it another version of TinyGo?")
		}
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
